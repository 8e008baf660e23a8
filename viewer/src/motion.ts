// Where the bodies are: poses between instants, or in a mode of vibration.
import { Quaternion, Vector3 } from "three";
import type { Analysis, Report } from "./data";
import { FRAME, SECTION } from "./line_skin";

export interface Pose {
  position: Vector3;
  turn: Quaternion;
  eta: Float32Array; // modal coordinates of a flexible body
  strained: Float32Array; // what its stresses are of
  frames: Float32Array; // of the nodes of a beam, and what acts in sections there; see line_skin.ts
  sections: Float32Array;
}

// The nodes of a beam.
interface Carriers {
  nodes: Float32Array[] | null;
  quaternion: Float32Array[] | null;
  angle: Float32Array[] | null;
  force: Float32Array[] | null;
  moment: Float32Array[] | null;
  velocity: Float32Array[] | null; // the shape of a mode
  spin: Float32Array[] | null;
}

interface Track {
  carriers?: Carriers;
  position: Float32Array[] | null;
  quaternion: Float32Array[] | null;
  angle: Float32Array[] | null;
  modes: Float32Array[] | null;
  strained: Float32Array[] | null; // where they are not the modes alone
  velocity: Float32Array[] | null;
  spin: Float32Array[] | null;
  modesVelocity: Float32Array[] | null;
  cosine: Float32Array[] | null; // of a steady whirl: its modes with cos and sin of the phase
  sine: Float32Array[] | null;
}

const z = new Vector3(0, 0, 1);
const STEPS = 32767; // the largest number of a shape, in steps of its scale

// A part of a rotor, whose motion is that of its shapes.
async function shapesOnly(analysis: Analysis, name: string): Promise<Track> {
  const [modes, cosine, sine] = await analysis.load(`${name}.modes`, `${name}.modes_cosine`, `${name}.modes_sine`);
  return { position: null, quaternion: null, angle: null, modes, strained: null, velocity: null, spin: null, modesVelocity: null, cosine, sine };
}

async function carriersOf(analysis: Analysis, name: string): Promise<Carriers> {
  const [nodes, quaternion, angle, force, moment, velocity, spin] = await analysis.load(
    `${name}.nodes`, `${name}.nodes_quaternion`, `${name}.nodes_angle`, `${name}.section.force`, `${name}.section.moment`,
    `${name}.nodes_velocity`, `${name}.nodes_angular_velocity`);
  return { nodes, quaternion, angle, force, moment, velocity, spin };
}

// Moves frames by a factor times the velocities of a mode.
function shake({ velocity, spin }: Carriers, { frames }: Pose, i: number, factor: number): void {
  const count = frames.length / FRAME;
  const size = (velocity?.length ?? 0) / count;
  const [now, more] = [new Quaternion(), new Quaternion()];
  for (let k = 0; velocity && spin && k < count; k++) {
    const at = FRAME * k;
    for (let c = 0; c < size; c++) frames[at + c] += factor * velocity[size * k + c][i];
    const axis = size === 3 ? new Vector3(spin[3 * k][i], spin[3 * k + 1][i], spin[3 * k + 2][i]) : new Vector3(0, 0, spin[k][i]);
    const angle = factor * axis.length();
    if (angle === 0) continue;
    now.set(frames[at + 4], frames[at + 5], frames[at + 6], frames[at + 3]).premultiply(more.setFromAxisAngle(axis.normalize(), angle));
    frames.set([now.w, now.x, now.y, now.z], at + 3);
  }
}

// The largest velocity of a node in a mode.
function fastest({ velocity }: Carriers, count: number, i: number): number {
  const size = (velocity?.length ?? 0) / count;
  let largest = 0;
  for (let k = 0; velocity && k < count; k++) largest = Math.max(largest, Math.hypot(...velocity.slice(size * k, size * k + size).map((c) => c[i])));
  return largest;
}

// Sets frames and section forces of carriers, between the instants i and j.
function carry({ nodes, quaternion, angle, force, moment }: Carriers, { frames, sections }: Pose, i: number, j: number, w: number): void {
  const mix = (c: Float32Array) => c[i] + w * (c[j] - c[i]);
  const count = frames.length / FRAME;
  const size = (nodes?.length ?? 0) / count; // 2 in the plane
  for (let k = 0; nodes && k < count; k++) {
    const at = FRAME * k;
    for (let c = 0; c < size; c++) frames[at + c] = mix(nodes[size * k + c]);
    const half = angle ? mix(angle[k]) / 2 : 0;
    if (!quaternion) {
      frames[at + 3] = Math.cos(half);
      frames[at + 6] = Math.sin(half);
    } else {
      let [side, square] = [0, 0];
      for (let c = 4 * k; c < 4 * k + 4; c++) side += quaternion[c][i] * quaternion[c][j];
      for (let c = 0; c < 4; c++) {
        const q = quaternion[4 * k + c];
        frames[at + 3 + c] = (1 - w) * q[i] + (side < 0 ? -w : w) * q[j];
        square += frames[at + 3 + c] ** 2;
      }
      for (let c = 3; c < FRAME; c++) frames[at + c] /= Math.sqrt(square) || 1;
    }
    if (!force || !moment) continue;
    for (let c = 0; c < size; c++) sections[SECTION * k + c] = mix(force[size * k + c]);
    if (size === 3) for (let c = 0; c < 3; c++) sections[SECTION * k + 3 + c] = mix(moment[3 * k + c]);
    else sections[SECTION * k + 5] = mix(moment[k]);
  }
}

export class Motion {
  readonly poses: Pose[];
  private tracks: (Track | null)[] = [];
  private analysis: Analysis | null = null;
  mode = 0; // of an analysis of modes: which one is shown
  amplitude = 1; // its largest displacement, as a part of the size of the mechanism
  size = 1; // of the mechanism
  phase = 0; // of a steady whirl, one turn from 0 to 1

  constructor(private readonly report: Report) {
    this.poses = report.geometry.bodies.map((body) => {
      const skin = report.skins.find((s) => s.name === body.name);
      const nodes = skin?.beam_nodes ?? 0;
      return { position: new Vector3(), turn: new Quaternion(), eta: new Float32Array(skin?.frequency.length ?? 0),
        strained: new Float32Array(skin?.stress_scale?.length ?? 0), frames: new Float32Array(FRAME * nodes),
        sections: new Float32Array(SECTION * nodes) };
    });
  }

  // Gets the numbers of an analysis.
  async open(analysis: Analysis | null): Promise<void> {
    this.analysis = analysis;
    this.mode = 0;
    this.tracks = [];
    for (const pose of this.poses) {
      pose.position.set(0, 0, 0);
      pose.turn.identity();
      pose.eta.fill(0);
    }
    if (!analysis) return;
    await analysis.open();
    this.tracks = await Promise.all(this.report.geometry.bodies.map(async (body, index) => {
      if (body.kind === "ground") return null;
      if (body.modes_of) return shapesOnly(analysis, body.modes_of);
      const n = body.name;
      const [position, quaternion, angle, modes, strained] =
        await analysis.load(`${n}.position`, `${n}.quaternion`, `${n}.angle`, `${n}.modes`, `${n}.stress_coordinates`);
      const [velocity, spin, modesVelocity] = analysis.isModes
        ? await analysis.load(`${n}.velocity`, `${n}.angular_velocity`, `${n}.modes_velocity`) : [null, null, null];
      const carriers = this.poses[index].frames.length ? await carriersOf(analysis, n) : undefined;
      return { position, quaternion, angle, modes, strained: analysis.isModes ? null : strained, velocity, spin, modesVelocity,
        cosine: null, sine: null, carriers };
    }));
  }

  // Sets all poses for a time; in an analysis of modes that is the phase, one period from 0 to 1.
  update(t: number): void {
    if (!this.analysis) {
      this.single(t);
      return;
    }
    if (this.analysis.isWhirl) {
      this.whirl(t);
      return;
    }
    if (this.analysis.isModes) {
      this.vibrate(t);
      return;
    }
    const time = this.analysis.time;
    const i = this.analysis.before(t);
    const j = Math.min(i + 1, time.length - 1);
    const span = time[j] - time[i];
    const w = span > 0 ? Math.min(Math.max((t - time[i]) / span, 0), 1) : 0;
    this.tracks.forEach((track, index) => track && this.between(track, this.poses[index], i, j, w));
  }

  private readonly other = new Quaternion();

  private between(track: Track, pose: Pose, i: number, j: number, w: number): void {
    const mix = (c: Float32Array) => c[i] + w * (c[j] - c[i]);
    const p = track.position;
    if (p) pose.position.set(mix(p[0]), mix(p[1]), p[2] ? mix(p[2]) : 0);
    const q = track.quaternion;
    if (q) {
      pose.turn.set(q[1][i], q[2][i], q[3][i], q[0][i]);
      if (w > 0) pose.turn.slerp(this.other.set(q[1][j], q[2][j], q[3][j], q[0][j]), w);
      pose.turn.normalize();
    } else if (track.angle) {
      pose.turn.setFromAxisAngle(z, mix(track.angle[0]));
    }
    const take = (from: Float32Array[], to: Float32Array) => { for (let k = 0; k < to.length; k++) to[k] = from[k] ? mix(from[k]) : 0; };
    if (track.modes) take(track.modes, pose.eta);
    if (track.cosine && track.sine) {
      const [c, s] = [Math.cos(2 * Math.PI * this.phase), Math.sin(2 * Math.PI * this.phase)];
      for (let k = 0; k < track.cosine.length; k++) pose.eta[k] = c * mix(track.cosine[k]) + s * mix(track.sine[k]);
    }
    const strained = track.strained ?? track.modes;
    if (strained) take(strained, pose.strained);
    if (track.carriers) carry(track.carriers, pose, i, j, w);
  }

  // the size of a whirl whose largest deflection is 1
  get reach(): number {
    return this.amplitude * this.size;
  }

  // a mode of a rotor: the last shapes of its skin are two a mode, a quarter of a period apart
  private whirl(phase: number): void {
    const angle = 2 * Math.PI * phase;
    for (const { eta } of this.poses) {
      const at = eta.length - 2 * (this.analysis!.time.length - this.mode);
      eta.fill(0);
      if (at < 0) continue;
      eta[at] = this.reach * Math.cos(angle);
      eta[at + 1] = this.reach * Math.sin(angle);
    }
  }

  // a mode of a mechanism: its shape is in the velocities. Stresses are those of the shape alone, without what
  // the mechanism has at rest.
  private vibrate(phase: number): void {
    const i = this.mode;
    const factor = Math.sin(2 * Math.PI * phase) * this.amplitude * this.modeScale(i);
    this.tracks.forEach((track, index) => {
      if (!track) return;
      const pose = this.poses[index];
      this.between(track, pose, i, i, 0);
      const v = track.velocity;
      if (v) pose.position.add(new Vector3(v[0][i], v[1][i], v[2]?.[i] ?? 0).multiplyScalar(factor));
      const s = track.spin;
      if (s) {
        const turn = s.length === 1 ? new Vector3(0, 0, s[0][i]) : new Vector3(s[0][i], s[1][i], s[2][i]);
        const angle = turn.length() * factor;
        if (angle !== 0) pose.turn.premultiply(new Quaternion().setFromAxisAngle(turn.normalize(), angle));
      }
      if (track.carriers) shake(track.carriers, pose, i, factor);
      const m = track.modesVelocity;
      pose.strained.fill(0);
      for (let k = 0; m && k < pose.eta.length; k++) {
        const moved = factor * (m[k]?.[i] ?? 0);
        pose.eta[k] += moved;
        if (k < pose.strained.length) pose.strained[k] = moved;
      }
    });
  }

  // the factor that makes the largest displacement of a mode that of the mechanism's size
  private modeScale(i: number): number {
    let largest = 0;
    this.tracks.forEach((track, index) => {
      const body = this.report.geometry.bodies[index];
      const v = track?.velocity;
      const s = track?.spin;
      const speed = v ? Math.hypot(...v.map((c) => c[i])) : 0;
      const spin = s ? Math.hypot(...s.map((c) => c[i])) : 0;
      const arm = Math.max(0.1 * this.size, ...Object.values(body.points).map((p) => Math.hypot(...p)));
      const scales = this.report.skins.find((skin) => skin.name === body.name)?.shape_scale ?? [];
      const bent = scales.reduce((sum, scale, k) => sum + Math.abs(track?.modesVelocity?.[k]?.[i] ?? 0) * scale * STEPS, 0);
      const carried = track?.carriers ? fastest(track.carriers, this.poses[index].frames.length / FRAME, i) : 0;
      largest = Math.max(largest, carried || speed + spin * arm + bent);
    });
    return largest > 0 ? this.size / largest : 0;
  }

  // one mode of a reduced body
  private single(phase: number): void {
    const skin = this.report.skins[0];
    const pose = this.poses[1];
    if (!skin || !pose) return;
    const move = Math.sin(2 * Math.PI * phase) * this.amplitude;
    const planar = this.report.geometry.dimension === 2;
    const rigid = planar ? 3 : 6;
    pose.eta.fill(0);
    pose.strained.fill(0);
    pose.position.set(0, 0, 0);
    pose.turn.identity();
    if (this.mode < rigid) {
      // along an axis, then about one
      const turns = this.mode >= rigid / 2 + (planar ? 0.5 : 0);
      const axis = new Vector3().setComponent(turns ? (planar ? 2 : this.mode - 3) : this.mode, 1);
      if (turns) pose.turn.setFromAxisAngle(axis, 2 * move);
      else pose.position.copy(axis).multiplyScalar(move * this.size);
      return;
    }
    const k = this.mode - rigid;
    const largest = skin.shape_scale[k] * STEPS;
    if (largest > 0) pose.eta[k] = (move * this.size) / largest;
    if (k < pose.strained.length) pose.strained[k] = pose.eta[k];
  }
}
