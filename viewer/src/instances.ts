// Equal shapes are drawn with one call. Bodies and signs keep their own objects, which have the poses, the colours and
// what is hidden; of each shape that occurs more than once, an instanced mesh is drawn in the place of these. Its
// matrices and colours are taken from the objects before every frame: instance k of a shape at o has the matrix T(-o) W_k,
// W_k being that of object k in the scene.
import {
  BufferAttribute, BufferGeometry, Color, InstancedMesh, LineBasicMaterial, LineSegments, Material, Matrix4, Mesh, Object3D, Vector3,
} from "three";

type Part = (Mesh | LineSegments) & { material: Material & { color: Color } };

const undrawn = 1; // a layer that no camera sees

interface Batch {
  parts: Part[];
  mesh: InstancedMesh | null;
}

export class Instances {
  private readonly batches: Batch[] = [];

  // Takes over what is in `roots`, which are in the scene.
  constructor(private readonly scene: Object3D, roots: Object3D[]) {
    const known = new Map<string, Batch[]>();
    for (const root of roots)
      root.traverse((object) => {
        if (!isPart(object)) return;
        const kind = kindOf(object);
        const alike = known.get(kind) ?? [];
        known.set(kind, alike);
        const batch = alike.find(({ parts: [first] }) => sameShape(first.geometry, object.geometry));
        if (batch) batch.parts.push(object);
        else alike.push({ parts: [object], mesh: null });
      });
    for (const batch of [...known.values()].flat()) if (batch.parts.length > 1) this.add(batch);
  }

  private add(batch: Batch): void {
    const { geometry, material } = batch.parts[0];
    const white = material.clone() as Part["material"];
    white.color.set("#ffffff"); // times the colour of an instance
    const mesh = new InstancedMesh(geometry, white, batch.parts.length);
    if (material instanceof LineBasicMaterial) Object.assign(mesh, { isMesh: false, isLine: true, isLineSegments: true }); // drawn as lines
    mesh.frustumCulled = false;
    mesh.renderOrder = batch.parts[0].renderOrder;
    for (const part of batch.parts) {
      part.geometry = geometry;
      part.layers.set(undrawn);
      part.updateMatrix();
      part.matrixAutoUpdate = false; // it moves with its body or sign
    }
    batch.mesh = mesh;
    this.batches.push(batch);
    this.scene.add(mesh);
  }

  // Puts the instances where their objects are; the matrices of these must be up to date.
  update(): void {
    const place = new Matrix4();
    const origin = new Vector3();
    for (const { parts, mesh } of this.batches) {
      let count = 0;
      for (const part of parts) {
        if (!isShown(part)) continue;
        // what can be seen through is sorted by where it is: all instances by the first
        if (count === 0) origin.setFromMatrixPosition(part.matrixWorld);
        place.copy(part.matrixWorld);
        place.elements[12] -= origin.x;
        place.elements[13] -= origin.y;
        place.elements[14] -= origin.z;
        mesh!.setMatrixAt(count, place);
        mesh!.setColorAt(count, part.material.color);
        count++;
      }
      mesh!.visible = count > 0;
      if (count === 0) continue;
      mesh!.count = count;
      mesh!.instanceMatrix.needsUpdate = true;
      mesh!.instanceColor!.needsUpdate = true;
      mesh!.position.copy(origin);
      mesh!.updateMatrixWorld();
    }
  }
}

function isPart(object: Object3D): object is Part {
  const { geometry, material } = object as Mesh;
  const drawn = object instanceof Mesh || object instanceof LineSegments;
  return drawn && material instanceof Material && "color" in material && !("isInstancedBufferGeometry" in geometry);
}

function isShown(object: Object3D): boolean {
  for (let at: Object3D | null = object; at; at = at.parent) if (!at.visible) return false;
  return true;
}

// What must be equal besides the shape, apart from the colour.
function kindOf({ geometry, material: m }: Part): string {
  return [m.type, m.side, m.opacity, m.transparent, m.depthTest, m.depthWrite, m.colorWrite, geometry.getAttribute("position").count, geometry.index?.count ?? 0].join(" ");
}

// Whether two shapes look the same. Numbers of 32 bits are rounded by 6e-8 of the size; an edge is never seen to 1e-6 of it,
// nor light to a thousandth.
function sameShape(a: BufferGeometry, b: BufferGeometry): boolean {
  if (!a.boundingSphere) a.computeBoundingSphere();
  const { center, radius } = a.boundingSphere!;
  return near(a, b, "position", 1e-6 * (center.length() + radius)) && near(a, b, "normal", 1e-3) && same(a.index, b.index);
}

function near(a: BufferGeometry, b: BufferGeometry, name: string, tolerance: number): boolean {
  const [p, q] = [a, b].map((g) => (g.getAttribute(name) as BufferAttribute | undefined)?.array);
  if (!p || !q) return !p && !q;
  return p.length === q.length && p.every((value, i) => Math.abs(value - q[i]) <= tolerance);
}

function same(a: BufferAttribute | null, b: BufferAttribute | null): boolean {
  if (!a || !b) return !a && !b;
  return a.array.every((value, i) => value === b.array[i]);
}
