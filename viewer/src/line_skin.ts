// Bodies with nodes along a beam: outlines of sections, carried by their frames. A vertex is at
//
//   r + R x        with the stress of its fibre, sigma = N a + My b + Mz c, tau = T d.
//
// Sections are at the nodes and between them, on a cubic with the tangents of the nodes; see src/scene/skin.h.
import { Box3, BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, Mesh, Quaternion, Vector3, type ShaderMaterial } from "three";
import { readBlock } from "./data";
import type { Pose } from "./motion";
import { skinMaterial } from "./skin_shaders";
import type { SkinData } from "./types";

export const FRAME = 7; // numbers of a frame: place, quaternion (w x y z)
export const SECTION = 6; // of the section forces of a node: N, Vy, Vz, T, My, Mz
const FIBRE = 4; // of those that give stresses: N, My, Mz, T
export const SPAN = 11; // of a span: length, tangents at both ends, how the section forces of the second node are turned

// Turns a vector by the quaternion of a frame, and puts it at the place `at` of an array, from an origin.
function turn(frame: Float32Array, f: number, x: number, y: number, z: number, origin: boolean, to: Float32Array, at: number): void {
  const [w, a, b, c] = [frame[f + 3], frame[f + 4], frame[f + 5], frame[f + 6]];
  const u = 2 * (b * z - c * y), v = 2 * (c * x - a * z), t = 2 * (a * y - b * x);
  to[at] = x + w * u + b * t - c * v + (origin ? frame[f] : 0);
  to[at + 1] = y + w * v + c * u - a * t + (origin ? frame[f + 1] : 0);
  to[at + 2] = z + w * t + a * v - b * u + (origin ? frame[f + 2] : 0);
}

// Where sections are between nodes.
class Spans {
  readonly count: number; // of sections

  constructor(private readonly ends: Uint32Array, private readonly spans: Float32Array, private readonly span: Uint32Array,
    private readonly along: Float32Array) {
    this.count = span.length;
  }

  // of the beam at a section, in the axes of its frame
  tangent(section: number, to: Vector3): Vector3 {
    return to.fromArray(this.spans, SPAN * this.span[section] + 1);
  }

  // Puts the frame of a section at the place `at` of an array, of the frames of all nodes.
  frame(section: number, nodes: Float32Array, to: Float32Array, at: number): void {
    const s = this.span[section];
    const [a, b] = [FRAME * this.ends[2 * s], FRAME * this.ends[2 * s + 1]];
    const u = this.along[section], v = 1 - u;
    if (u === 0 || u === 1) {
      const from = u === 0 ? a : b;
      for (let k = 0; k < FRAME; k++) to[at + k] = nodes[from + k];
      return;
    }
    const t = SPAN * s, x = this.spans, l = x[t];
    turn(nodes, a, x[t + 1], x[t + 2], x[t + 3], false, to, at);
    const [p, q, r] = [to[at], to[at + 1], to[at + 2]];
    turn(nodes, b, x[t + 4], x[t + 5], x[t + 6], false, to, at);
    const [A, B, C, D] = [(1 + 2 * u) * v * v, u * u * (1 + 2 * v), l * u * v * v, -l * u * u * v];
    to[at] = A * nodes[a] + B * nodes[b] + C * p + D * to[at];
    to[at + 1] = A * nodes[a + 1] + B * nodes[b + 1] + C * q + D * to[at + 1];
    to[at + 2] = A * nodes[a + 2] + B * nodes[b + 2] + C * r + D * to[at + 2];
    // on the shorter way from one orientation to the other
    let dot = 0;
    for (let k = 3; k < FRAME; k++) dot += nodes[a + k] * nodes[b + k];
    const half = Math.acos(Math.min(1, Math.abs(dot)));
    const side = dot < 0 ? -1 : 1, sine = Math.sin(half);
    const [f, g] = half > 1e-4 ? [Math.sin(v * half) / sine, (side * Math.sin(u * half)) / sine] : [v, side * u];
    for (let k = 3; k < FRAME; k++) to[at + k] = f * nodes[a + k] + g * nodes[b + k];
  }

  // The same of the section forces that give stresses.
  private readonly turned = new Float32Array(6);

  forces(section: number, nodes: Float32Array, to: Float32Array): void {
    const s = this.span[section], u = this.along[section], t = SPAN * s;
    const a = SECTION * this.ends[2 * s];
    let b = SECTION * this.ends[2 * s + 1];
    let from = nodes;
    if (u > 0 && this.spans[t + 7] !== 1) { // before a corner
      turn(this.spans, t + 4, nodes[b], nodes[b + 1], nodes[b + 2], false, this.turned, 0);
      turn(this.spans, t + 4, nodes[b + 3], nodes[b + 4], nodes[b + 5], false, this.turned, 3);
      [from, b] = [this.turned, 0];
    }
    const at = FIBRE * section;
    to[at] = (1 - u) * nodes[a] + u * from[b];
    to[at + 1] = (1 - u) * nodes[a + 4] + u * from[b + 4];
    to[at + 2] = (1 - u) * nodes[a + 5] + u * from[b + 5];
    to[at + 3] = (1 - u) * nodes[a + 3] + u * from[b + 3];
  }
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
  private readonly frames: Float32Array; // of the sections now,
  private readonly forces: Float32Array; // and what acts there
  private readonly thickness: number; // half of it, at most
  private envelope: Float32Array | null = null; // the largest stress of each vertex, where that is shown

  private constructor(
    readonly data: SkinData, private readonly nodes: Float32Array, triangles: Uint32Array, readonly rest: Float32Array,
    private readonly carrier: Uint32Array, private readonly spans: Spans, private readonly fibres: Float32Array | null, color: string,
  ) {
    this.hasStress = fibres !== null;
    this.frames = new Float32Array(rest.length);
    this.forces = new Float32Array(FIBRE * spans.count);
    this.thickness = 0;
    for (let i = 0; i < nodes.length; i += 3) this.thickness = Math.max(this.thickness, Math.hypot(nodes[i + 1], nodes[i + 2]));
    const geometry = new BufferGeometry();
    this.position = new BufferAttribute(new Float32Array(nodes.length), 3).setUsage(DynamicDrawUsage);
    this.stress = new BufferAttribute(new Float32Array(carrier.length), 1).setUsage(DynamicDrawUsage);
    geometry.setAttribute("position", this.position);
    geometry.setAttribute("stress", this.stress);
    geometry.setIndex(new BufferAttribute(triangles, 1));
    this.normal = new BufferAttribute(new Float32Array(nodes.length), 3).setUsage(DynamicDrawUsage);
    geometry.setAttribute("normal", this.normal);
    this.normals = this.findNormals(triangles);
    this.place(rest);
    this.material = skinMaterial(color, 0, false);
    const mesh = new Mesh(geometry, this.material);
    mesh.frustumCulled = false; // it moves out of the box of the rest shape
    this.group.add(mesh);
  }

  static async read(data: SkinData, color: string): Promise<LineSkin> {
    const [nodes, triangles, rest, carrier, ends, spans, span, along, fibres] = await Promise.all([
      readBlock(data.nodes), readBlock(data.triangles), readBlock(data.carriers!), readBlock(data.carrier!), readBlock(data.ends!),
      readBlock(data.spans!), readBlock(data.span!), readBlock(data.along!), data.fibres ? readBlock(data.fibres) : null,
    ]);
    return new LineSkin(data, nodes as Float32Array, triangles as Uint32Array, rest as Float32Array, carrier as Uint32Array,
      new Spans(ends as Uint32Array, spans as Float32Array, span as Uint32Array, along as Float32Array),
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

  // In the axes of the carriers: of sides at right angles to the beam and to the outlines, the same whether the next
  // one is near or far, so that light shows no bands; of ends along the beam.
  private findNormals(triangles: Uint32Array): Float32Array {
    const { nodes, carrier } = this;
    const out = new Float32Array(nodes.length);
    const [edge, to, n] = [new Vector3(), new Vector3(), new Vector3()];
    const add = (i: number) => { for (let k = 0; k < 3; k++) out[3 * i + k] += n.getComponent(k); };
    for (let i = 0; i < triangles.length; i += 3)
      for (let k = 0; k < 3; k++) {
        const [p, q, r] = [triangles[i + k], triangles[i + ((k + 1) % 3)], triangles[i + ((k + 2) % 3)]];
        if (carrier[p] !== carrier[q]) continue;
        edge.fromArray(nodes, 3 * q).sub(n.fromArray(nodes, 3 * p));
        if (carrier[r] === carrier[p]) to.fromArray(nodes, 3 * r).sub(n);
        else this.spans.tangent(carrier[p], to).multiplyScalar(carrier[r] > carrier[p] ? 1 : -1);
        n.crossVectors(edge, to).normalize();
        add(p);
        add(q);
      }
    for (let i = 0; i < out.length; i += 3) n.fromArray(out, i).normalize().toArray(out, i);
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

  // From now on colours are the largest stresses of some poses, which `each` makes one after the other; null: those of now.
  setEnvelope(each: ((take: (pose: Pose) => void) => void) | null): void {
    this.envelope = each && this.fibres ? new Float32Array(this.carrier.length) : null;
    const { envelope } = this;
    if (each && envelope)
      each(({ sections }) => {
        this.findForces(sections);
        for (let i = 0; i < envelope.length; i++) envelope[i] = Math.max(envelope[i], this.misesAt(i));
      });
    this.stale = true;
  }

  private findForces(sections: Float32Array): void {
    for (let k = 0; k < this.spans.count; k++) this.spans.forces(k, sections, this.forces);
  }

  private misesAt(i: number): number {
    const f = FIBRE * i, s = FIBRE * this.carrier[i], x = this.fibres!, forces = this.forces;
    const sigma = forces[s] * x[f] + forces[s + 1] * x[f + 1] + forces[s + 2] * x[f + 2];
    const tau = forces[s + 3] * x[f + 3];
    return Math.sqrt(sigma * sigma + 3 * tau * tau);
  }

  // Makes it ready to be drawn.
  prepare(): void {
    if (!this.pose || !this.stale || !this.group.parent?.visible) return;
    const { frames, normals, carrier } = this;
    for (let k = 0; k < this.spans.count; k++) this.spans.frame(k, this.pose.frames, frames, FRAME * k);
    this.place(frames);
    const normal = this.normal.array as Float32Array;
    for (let i = 0, at = 0; i < carrier.length; i++, at += 3)
      turn(frames, FRAME * carrier[i], normals[at], normals[at + 1], normals[at + 2], false, normal, at);
    this.normal.needsUpdate = true;
    if (this.fibres && this.material.uniforms.colored.value) {
      const stress = this.stress.array as Float32Array;
      if (this.envelope) stress.set(this.envelope);
      else {
        this.findForces(this.pose.sections);
        for (let i = 0; i < stress.length; i++) stress[i] = this.misesAt(i);
      }
      this.stress.needsUpdate = true;
    }
    this.stale = false;
  }

  // Takes a point in the axes of the body at rest to where the nearest section carries it, in place.
  private readonly there = new Float32Array(FRAME);

  carry(point: Vector3, { frames }: Pose): Vector3 {
    const { rest, there } = this;
    let [nearest, least] = [0, Infinity];
    for (let f = 0; f < rest.length; f += FRAME) {
      const off = (rest[f] - point.x) ** 2 + (rest[f + 1] - point.y) ** 2 + (rest[f + 2] - point.z) ** 2;
      if (off < least) [nearest, least] = [f, off];
    }
    this.spans.frame(nearest / FRAME, frames, there, 0);
    const of = (a: Float32Array, i: number) => new Quaternion(a[i + 4], a[i + 5], a[i + 6], a[i + 3]);
    return point.sub(new Vector3().fromArray(rest, nearest)).applyQuaternion(of(rest, nearest).invert()).applyQuaternion(of(there, 0))
      .add(new Vector3().fromArray(there));
  }

  // Makes a box hold all nodes, with the sections around them.
  widen(box: Box3, { frames }: Pose): void {
    const [low, high] = [new Vector3(), new Vector3()];
    for (let f = 0; f < frames.length; f += FRAME) {
      box.expandByPoint(low.fromArray(frames, f).subScalar(this.thickness));
      box.expandByPoint(high.fromArray(frames, f).addScalar(this.thickness));
    }
  }

  // where its name is written
  middle({ frames }: Pose): Vector3 {
    return new Vector3().fromArray(frames, FRAME * Math.floor(frames.length / FRAME / 2));
  }

  largestShift(): number {
    return 0;
  }

  // the largest von Mises stress, over every `every`-th vertex
  largestStress({ sections }: Pose, every = 1): number {
    let largest = 0;
    this.findForces(sections);
    for (let i = 0; this.fibres && i < this.carrier.length; i += every) largest = Math.max(largest, this.misesAt(i));
    return largest;
  }

  get vertices(): number {
    return this.carrier.length;
  }
}
