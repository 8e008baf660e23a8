// Flexible bodies: a surface or lines, moved by their modes in the vertex shader. Where the shaders run on
// the processor anyway, the modes are added up beforehand (skin_sums.ts).
import {
  BufferAttribute, BufferGeometry, DataTexture, FloatType, Group, Mesh, NearestFilter, Points, PointsMaterial, RGBAFormat, Vector3,
  type ShaderMaterial,
} from "three";
import { readBlock } from "./data";
import type { Pose } from "./motion";
import { skinMaterial, WIDTH } from "./skin_shaders";
import { Sums } from "./skin_sums";
import type { SkinData, Triple } from "./types";

export const MOST = 128; // maximum number of coordinates of displacements and stresses in a shader

function texture(texels: number): DataTexture {
  const height = Math.max(1, Math.ceil(texels / WIDTH));
  const out = new DataTexture(new Float32Array(WIDTH * height * 4), WIDTH, height, RGBAFormat, FloatType);
  out.minFilter = out.magFilter = NearestFilter;
  out.needsUpdate = true;
  return out;
}

// Beams as tubes: a ring of vertices around both ends of each line, moved with its node.
function tubes(nodes: Float32Array, lines: Uint32Array, radius: number): BufferGeometry {
  const sides = 10;
  const point = (i: number) => new Vector3(nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2]);
  const position: number[] = [];
  const normal: number[] = [];
  const node: number[] = [];
  const index: number[] = [];
  for (let l = 0; l < lines.length; l += 2) {
    const ends = [point(lines[l]), point(lines[l + 1])];
    const along = ends[1].clone().sub(ends[0]).normalize();
    const across = new Vector3(0, 0, 1).cross(along);
    if (across.lengthSq() < 1e-6) across.set(1, 0, 0);
    across.normalize();
    const third = along.clone().cross(across);
    const first = position.length / 3;
    for (let e = 0; e < 2; e++)
      for (let k = 0; k < sides; k++) {
        const angle = (2 * Math.PI * k) / sides;
        const n = across.clone().multiplyScalar(Math.cos(angle)).addScaledVector(third, Math.sin(angle));
        normal.push(n.x, n.y, n.z);
        n.multiplyScalar(radius).add(ends[e]);
        position.push(n.x, n.y, n.z);
        node.push(lines[l + e]);
        const next = (k + 1) % sides;
        if (e === 0) index.push(first + k, first + next, first + sides + k, first + next, first + sides + next, first + sides + k);
      }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normal), 3));
  geometry.setAttribute("node", new BufferAttribute(new Float32Array(node), 1));
  geometry.setIndex(index);
  return geometry;
}

// Whether triangles close a volume, their fronts outside: each edge is that of two of them, in opposite
// directions.
function isClosed(nodes: Float32Array, triangles: Uint32Array): boolean {
  const count = nodes.length / 3;
  const edges = new Set<number>();
  const corners = [new Vector3(), new Vector3(), new Vector3()];
  let volume = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) corners[k].fromArray(nodes, 3 * triangles[t + k]);
    volume += corners[0].dot(corners[1].cross(corners[2])); // of the tetrahedron with the origin, six times
    for (let k = 0; k < 3; k++) edges.add(triangles[t + k] * count + triangles[t + ((k + 1) % 3)]);
  }
  if (volume <= 0 || edges.size !== triangles.length) return false;
  for (const edge of edges) if (!edges.has((edge % count) * count + Math.floor(edge / count))) return false;
  return true;
}

export class Skin {
  readonly group = new Group();
  readonly material: ShaderMaterial;
  readonly hasStress: boolean;
  private readonly modes: number;
  private readonly sums: Sums | null;
  private eta: Float32Array = new Float32Array(0);
  private strained: Float32Array = new Float32Array(0); // what its stresses are of
  private deformation = 1;
  private stale = true; // the sums

  private constructor(
    readonly data: SkinData, readonly nodes: Float32Array, readonly shapes: Int16Array, readonly stresses: Int8Array | null,
    triangles: Uint32Array, lines: Uint32Array, color: string, folded: boolean, radius: number,
  ) {
    const count = nodes.length / 3;
    this.modes = folded ? data.frequency.length : Math.min(Math.max(data.frequency.length, data.stress_scale?.length ?? 0), MOST);
    this.hasStress = stresses !== null;
    this.sums = folded ? new Sums(count, shapes, data.shape_scale, stresses, data.stress_scale ?? []) : null;
    this.material = folded ? skinMaterial(color, 0, !lines.length && isClosed(nodes, triangles)) : this.texturedMaterial(color);
    if (triangles.length) {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(nodes, 3));
      geometry.setAttribute("node", new BufferAttribute(Float32Array.from({ length: count }, (_, i) => i), 1));
      geometry.setIndex(new BufferAttribute(triangles, 1));
      geometry.computeVertexNormals();
      this.addMesh(geometry);
    }
    if (lines.length) this.addMesh(tubes(nodes, lines, radius));
  }

  private addMesh(geometry: BufferGeometry): void {
    this.sums?.add(geometry);
    const mesh = new Mesh(geometry, this.material);
    mesh.frustumCulled = false; // deformation may carry it out of the box of the rest shape
    this.group.add(mesh);
  }

  // Mark nodes of the skin by their positions at rest. Returns how many were found.
  mark(places: Triple[], color: string): number {
    const key = (place: ArrayLike<number>, at = 0) => `${place[at]} ${place[at + 1]} ${place[at + 2]}`;
    const known = new Map(Array.from({ length: this.vertices }, (_, i) => [key(this.nodes, 3 * i), i]));
    const marked = places.map((place) => known.get(key(Float32Array.from(place)))).filter((i) => i !== undefined);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(marked.flatMap((i) => [...this.nodes.subarray(3 * i, 3 * i + 3)])), 3));
    geometry.setAttribute("node", new BufferAttribute(Float32Array.from(marked), 1));
    this.sums?.add(geometry);
    const material = new PointsMaterial({ color, size: 5, sizeAttenuation: false });
    material.onBeforeCompile = (shader) => { // draw the marks in front of the surface
      shader.vertexShader = shader.vertexShader.replace("#include <project_vertex>", "#include <project_vertex>\n gl_Position.z -= 2e-4 * gl_Position.w;");
    };
    const points = new Points(geometry, material);
    points.frustumCulled = false;
    this.group.add(points);
    return marked.length;
  }

  static async read(data: SkinData, color: string, folded: boolean, radius: number): Promise<Skin> {
    const [nodes, triangles, lines, shapes, stresses] = await Promise.all([
      readBlock(data.nodes), readBlock(data.triangles), readBlock(data.lines), readBlock(data.shapes),
      data.stresses ? readBlock(data.stresses) : null,
    ]);
    return new Skin(data, nodes as Float32Array, shapes as Int16Array, stresses as Int8Array | null,
      triangles as Uint32Array, lines as Uint32Array, color, folded, radius);
  }

  // all modes, one after the other
  private texturedMaterial(color: string): ShaderMaterial {
    const { shapes, stresses, modes, data } = this;
    const count = this.nodes.length / 3;
    const shapeTexture = texture(count * modes);
    const stressTexture = texture(stresses ? count * modes : 1);
    const to = shapeTexture.image.data as Float32Array;
    const other = stressTexture.image.data as Float32Array;
    for (let mode = 0; mode < modes; mode++)
      for (let i = 0; i < count; i++) {
        const texel = 4 * (mode * count + i);
        if (mode < data.frequency.length) // other coordinates of stresses do not move nodes
          for (let k = 0; k < 3; k++) to[texel + k] = shapes[(3 * mode + k) * count + i] * data.shape_scale[mode];
        if (!stresses) continue;
        for (let k = 0; k < 4; k++) other[texel + k] = stresses[(5 * mode + k) * count + i] * data.stress_scale![mode];
        to[texel + 3] = stresses[(5 * mode + 4) * count + i] * data.stress_scale![mode];
      }
    const size = Math.max(modes, 1);
    return skinMaterial(color, size, false, {
      shapes: { value: shapeTexture }, stresses: { value: stressTexture }, weights: { value: new Float32Array(2 * size) },
      nodeCount: { value: count }, deformation: { value: 1 },
    });
  }

  setPose({ eta, strained }: Pose): void {
    this.eta = eta;
    this.strained = strained;
    this.stale = true;
    if (this.sums) return;
    const weights = this.material.uniforms.weights.value as Float32Array;
    for (let j = 0; 2 * j < weights.length; j++) {
      weights[2 * j] = eta[j] ?? 0;
      weights[2 * j + 1] = strained[j] ?? 0;
    }
  }

  setDeformation(scale: number): void {
    this.deformation = scale;
    this.stale = true;
    if (!this.sums) this.material.uniforms.deformation.value = scale;
  }

  setStress(on: boolean, range: number): void {
    this.material.uniforms.colored.value = on && this.hasStress;
    this.material.uniforms.range.value = range > 0 ? range : 1;
    this.stale = true;
  }

  get vertices(): number {
    return this.nodes.length / 3;
  }

  // Makes it ready to be drawn.
  prepare(): void {
    if (!this.sums || !this.stale || !this.group.parent?.visible) return;
    this.sums.update(this.eta, this.strained, this.deformation, this.material.uniforms.colored.value as boolean);
    this.stale = false;
  }

  // How the modes move a point, three numbers each: as the nodes nearest to it do on average. Around a bearing
  // these are a ring, whose mean is its middle.
  shapesAt(point: Vector3): Float32Array {
    const { nodes, shapes, data } = this;
    const count = nodes.length / 3;
    const node = new Vector3();
    const distances = Float64Array.from({ length: count }, (_, i) => node.fromArray(nodes, 3 * i).distanceTo(point));
    const reach = 1.02 * distances.reduce((a, b) => Math.min(a, b), Infinity) + 1e-9;
    const near = [...distances.keys()].filter((i) => distances[i] <= reach);
    const out = new Float32Array(3 * data.frequency.length);
    for (let row = 0; row < out.length; row++)
      for (const i of near) out[row] += (shapes[row * count + i] * data.shape_scale[Math.floor(row / 3)]) / near.length;
    return out;
  }

  // the nodes as the modes move them, times a scale
  deformed(eta: Float32Array, scale: number): Vector3[] {
    const { nodes, shapes } = this;
    const count = nodes.length / 3;
    const factors = this.data.shape_scale.map((s, j) => scale * s * (eta[j] ?? 0));
    const place = (i: number, k: number) => factors.reduce((sum, f, j) => sum + f * shapes[(3 * j + k) * count + i], nodes[3 * i + k]);
    return Array.from({ length: count }, (_, i) => new Vector3(place(i, 0), place(i, 1), place(i, 2)));
  }

  // the largest displacement, over every `every`-th node
  largestShift({ eta }: Pose, every = 1): number {
    const { shapes } = this;
    const count = this.nodes.length / 3;
    const modes = [...eta.keys()].filter((j) => eta[j] !== 0);
    let largest = 0;
    for (let i = 0; i < count; i += every) {
      const moved = [0, 0, 0];
      for (const j of modes)
        for (let k = 0; k < 3; k++) moved[k] += eta[j] * this.data.shape_scale[j] * shapes[(3 * j + k) * count + i];
      largest = Math.max(largest, Math.hypot(...moved));
    }
    return largest;
  }

  // the largest von Mises stress, over every `every`-th node
  largestStress({ strained }: Pose, every = 1): number {
    const s = this.stresses;
    if (!s) return 0;
    const count = this.nodes.length / 3;
    const factors = this.data.stress_scale!.map((scale, j) => strained[j] * scale);
    let largest = 0;
    for (let i = 0; i < count; i += every) {
      let a = 0, b = 0, c = 0, d = 0, e = 0;
      for (let j = 0; j < factors.length; j++) {
        const f = factors[j];
        const at = 5 * j * count + i;
        a += f * s[at];
        b += f * s[at + count];
        c += f * s[at + 2 * count];
        d += f * s[at + 3 * count];
        e += f * s[at + 4 * count];
      }
      largest = Math.max(largest, a * a + a * b + b * b + 3 * (c * c + d * d + e * e));
    }
    return Math.sqrt(largest);
  }
}
