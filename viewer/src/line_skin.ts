// Bodies with nodes along a beam: an outline of the section around each node, carried by its frame. A vertex is at
//
//   r + R x        with the stress of its fibre, sigma = N a + My b + Mz c, tau = T d.
import { Box3, BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, Mesh, Quaternion, Vector3, type ShaderMaterial } from "three";
import { readBlock } from "./data";
import type { Pose } from "./motion";
import { skinMaterial } from "./skin_shaders";
import type { SkinData } from "./types";

export const FRAME = 7; // numbers of a frame: place, quaternion (w x y z)
export const SECTION = 4; // of section forces: N, My, Mz, T

// Turns a vector by the quaternion of a frame, and puts it at the place `at` of an array, from an origin.
function turn(frame: Float32Array, f: number, x: number, y: number, z: number, origin: boolean, to: Float32Array, at: number): void {
  const [w, a, b, c] = [frame[f + 3], frame[f + 4], frame[f + 5], frame[f + 6]];
  const u = 2 * (b * z - c * y), v = 2 * (c * x - a * z), t = 2 * (a * y - b * x);
  to[at] = x + w * u + b * t - c * v + (origin ? frame[f] : 0);
  to[at + 1] = y + w * v + c * u - a * t + (origin ? frame[f + 1] : 0);
  to[at + 2] = z + w * t + a * v - b * u + (origin ? frame[f + 2] : 0);
}

export class LineSkin {
  readonly group = new Group();
  readonly hasStress: boolean;
  private readonly material: ShaderMaterial;
  private readonly position: BufferAttribute;
  private readonly normal: BufferAttribute;
  private readonly stress: BufferAttribute;
  private readonly normals: Float32Array; // in the axes of the carriers
  private pose: Pose | null = null;
  private stale = true;

  private constructor(
    readonly data: SkinData, private readonly nodes: Float32Array, triangles: Uint32Array, readonly rest: Float32Array,
    private readonly carrier: Uint32Array, private readonly fibres: Float32Array | null, color: string,
  ) {
    this.hasStress = fibres !== null;
    const geometry = new BufferGeometry();
    this.position = new BufferAttribute(new Float32Array(nodes.length), 3).setUsage(DynamicDrawUsage);
    this.stress = new BufferAttribute(new Float32Array(carrier.length), 1).setUsage(DynamicDrawUsage);
    geometry.setAttribute("position", this.position);
    geometry.setAttribute("stress", this.stress);
    geometry.setIndex(new BufferAttribute(triangles, 1));
    this.place(rest);
    geometry.computeVertexNormals();
    this.normal = (geometry.getAttribute("normal") as BufferAttribute).setUsage(DynamicDrawUsage);
    this.normals = this.turnedBack(this.normal.array as Float32Array);
    this.material = skinMaterial(color, 0, false);
    const mesh = new Mesh(geometry, this.material);
    mesh.frustumCulled = false; // it moves out of the box of the rest shape
    this.group.add(mesh);
  }

  static async read(data: SkinData, color: string): Promise<LineSkin> {
    const [nodes, triangles, rest, carrier, fibres] = await Promise.all([
      readBlock(data.nodes), readBlock(data.triangles), readBlock(data.carriers!), readBlock(data.carrier!),
      data.fibres ? readBlock(data.fibres) : null,
    ]);
    return new LineSkin(data, nodes as Float32Array, triangles as Uint32Array, rest as Float32Array, carrier as Uint32Array,
      fibres as Float32Array | null, color);
  }

  // Puts the vertices where frames carry them.
  private place(frames: Float32Array): void {
    const to = this.position.array as Float32Array;
    const { nodes, carrier } = this;
    for (let i = 0, at = 0; i < carrier.length; i++, at += 3)
      turn(frames, FRAME * carrier[i], nodes[at], nodes[at + 1], nodes[at + 2], true, to, at);
    this.position.needsUpdate = true;
  }

  // vectors at rest in the axes of the carriers
  private turnedBack(vectors: Float32Array): Float32Array {
    const out = new Float32Array(vectors.length);
    const back = this.rest.map((x, k) => (k % FRAME > 3 ? -x : x));
    for (let i = 0, at = 0; i < this.carrier.length; i++, at += 3)
      turn(back, FRAME * this.carrier[i], vectors[at], vectors[at + 1], vectors[at + 2], false, out, at);
    return out;
  }

  setPose(pose: Pose): void {
    this.pose = pose;
    this.stale = true;
  }

  setDeformation(): void { /* its displacements are large as they are */ }

  setStress(on: boolean, range: number): void {
    this.material.uniforms.colored.value = on && this.hasStress;
    this.material.uniforms.range.value = range > 0 ? range : 1;
    this.stale = true;
  }

  private misesAt(i: number, sections: Float32Array): number {
    const f = SECTION * i, s = SECTION * this.carrier[i], x = this.fibres!;
    const sigma = sections[s] * x[f] + sections[s + 1] * x[f + 1] + sections[s + 2] * x[f + 2];
    const tau = sections[s + 3] * x[f + 3];
    return Math.sqrt(sigma * sigma + 3 * tau * tau);
  }

  // Makes it ready to be drawn.
  prepare(): void {
    if (!this.pose || !this.stale || !this.group.parent?.visible) return;
    const { frames, sections } = this.pose;
    this.place(frames);
    const normal = this.normal.array as Float32Array;
    const { normals, carrier } = this;
    for (let i = 0, at = 0; i < carrier.length; i++, at += 3)
      turn(frames, FRAME * carrier[i], normals[at], normals[at + 1], normals[at + 2], false, normal, at);
    this.normal.needsUpdate = true;
    if (this.fibres && this.material.uniforms.colored.value) {
      const stress = this.stress.array as Float32Array;
      for (let i = 0; i < stress.length; i++) stress[i] = this.misesAt(i, sections);
      this.stress.needsUpdate = true;
    }
    this.stale = false;
  }

  // Takes a point in the axes of the body at rest to where the nearest node carries it, in place.
  carry(point: Vector3, { frames }: Pose): Vector3 {
    const { rest } = this;
    let [nearest, least] = [0, Infinity];
    for (let f = 0; f < rest.length; f += FRAME) {
      const off = (rest[f] - point.x) ** 2 + (rest[f + 1] - point.y) ** 2 + (rest[f + 2] - point.z) ** 2;
      if (off < least) [nearest, least] = [f, off];
    }
    const of = (a: Float32Array) => new Quaternion(a[nearest + 4], a[nearest + 5], a[nearest + 6], a[nearest + 3]);
    return point.sub(new Vector3().fromArray(rest, nearest)).applyQuaternion(of(rest).invert()).applyQuaternion(of(frames))
      .add(new Vector3().fromArray(frames, nearest));
  }

  // Makes a box hold all nodes.
  widen(box: Box3, { frames }: Pose): void {
    const p = new Vector3();
    for (let f = 0; f < frames.length; f += FRAME) box.expandByPoint(p.fromArray(frames, f));
  }

  largestShift(): number {
    return 0;
  }

  // the largest von Mises stress, over every `every`-th vertex
  largestStress({ sections }: Pose, every = 1): number {
    let largest = 0;
    for (let i = 0; this.fibres && i < this.carrier.length; i += every) largest = Math.max(largest, this.misesAt(i, sections));
    return largest;
  }

  get vertices(): number {
    return this.carrier.length;
  }
}
