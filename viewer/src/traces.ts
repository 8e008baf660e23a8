// Paths of points over the whole motion.
import { Vector3 } from "three";
import type { Analysis, Report } from "./data";
import type { Motion } from "./motion";
import type { Places } from "./places";
import { palette } from "./shapes";

export interface TracePoint {
  label: string; // "crank.B", or "crank" for the origin of its frame
  frame: boolean; // it is this origin, which deformation does not move
  body: number;
  local: Vector3;
}

export function tracePoints(report: Report): TracePoint[] {
  return report.geometry.bodies.flatMap((body, i) =>
    body.kind === "ground" ? [] : [
      ...(body.modes_of ? [] : [{ label: body.name, frame: true, body: i, local: new Vector3() }]),
      ...Object.entries(body.points).map(([name, p]) => ({ label: `${body.name}.${name}`, frame: false, body: i, local: new Vector3(...p) })),
    ]);
}

// The path of a point. Straight pieces stand for instants that are hardly off them: 3500 pieces would cost as much
// time as a body.
export function tracePath(point: TracePoint, motion: Motion, places: Places, analysis: Analysis): { color: string; points: Float32Array } {
  const { time } = analysis;
  const stride = Math.max(1, Math.ceil(time.length / 6000));
  const count = Math.ceil(time.length / stride);
  const points = new Float32Array(3 * count);
  const p = new Vector3();
  for (let i = 0; i < count; i++) {
    motion.update(time[Math.min(i * stride, time.length - 1)]);
    if (point.frame) p.copy(motion.poses[point.body].position);
    else places.toWorld(point.body, p.copy(point.local));
    p.toArray(points, 3 * i);
  }
  return { color: palette[(point.body - 1) % palette.length], points: simplified(points, 1e-4 * motion.size) };
}

// A polygon without the points that are nearer than a tolerance to the others' (Douglas and Peucker).
function simplified(points: Float32Array, tolerance: number): Float32Array {
  const last = points.length / 3 - 1;
  const kept = new Uint8Array(last + 1);
  const [a, b, p] = [new Vector3(), new Vector3(), new Vector3()];
  const open: [number, number][] = [[0, last]];
  kept[0] = kept[last] = 1;
  for (let piece = open.pop(); piece; piece = open.pop()) {
    const [from, to] = piece;
    a.fromArray(points, 3 * from);
    b.fromArray(points, 3 * to).sub(a);
    const length = b.lengthSq();
    let [farthest, most] = [-1, tolerance * tolerance];
    for (let i = from + 1; i < to; i++) {
      p.fromArray(points, 3 * i).sub(a);
      const along = length > 0 ? Math.min(Math.max(p.dot(b) / length, 0), 1) : 0;
      const off = p.addScaledVector(b, -along).lengthSq();
      if (off > most) [farthest, most] = [i, off];
    }
    if (farthest < 0) continue;
    kept[farthest] = 1;
    open.push([from, farthest], [farthest, to]);
  }
  return points.filter((_, i) => kept[Math.floor(i / 3)]);
}

export const senses = { forward: "#1f9d55", backward: "#d3224f" };

export interface Orbit {
  color: string;
  points: Float32Array;
  above: boolean;
}

// A closed orbit with the colour of its sense; `place` gives the points, one turn from 0 to 1.
function orbit(place: (phase: number) => Vector3): Orbit {
  const points = new Float32Array(3 * 65);
  let area = 0; // in the plane of y and z
  for (let i = 0; i <= 64; i++) {
    const [from, to] = [place((i - 1) / 64), place(i / 64)];
    area += from.y * to.z - from.z * to.y;
    to.toArray(points, 3 * i);
  }
  return { color: area >= 0 ? senses.forward : senses.backward, points, above: true };
}

// the points of a rotor that have names
function stations(report: Report): TracePoint[] {
  return tracePoints(report).filter((p) => !p.frame);
}

// The orbits of all stations of a rotor in the mode that is shown, with its deformation enlarged by a scale.
export async function orbitPaths(report: Report, motion: Motion, scale: number, analysis: Analysis): Promise<Orbit[]> {
  const paths = await Promise.all(stations(report).map(async ({ label, local }) => {
    const [path] = await analysis.load(`${label.slice(label.indexOf(".") + 1)}.path`);
    if (!path) return null;
    const [yc, ys, zc, zs] = path.map((c) => c[motion.mode]);
    if (Math.hypot(yc, ys, zc, zs) < 1e-6) return null; // it is held
    return orbit((phase) => {
      const [c, s] = [Math.cos(2 * Math.PI * phase), Math.sin(2 * Math.PI * phase)];
      return new Vector3(0, yc * c + ys * s, zc * c + zs * s).multiplyScalar(scale * motion.reach).add(local);
    });
  }));
  return paths.filter((p) => p !== null);
}

// The orbits of all stations in the steady whirl at a speed, as the shaft is drawn.
export function steadyOrbits(report: Report, motion: Motion, places: Places, speed: number): Orbit[] {
  return stations(report).map(({ body, local }) => orbit((phase) => {
    motion.phase = phase;
    motion.update(speed);
    return places.toWorld(body, local.clone());
  })).filter(({ points }) => extent(points) > 1e-3 * motion.size);
}

// how far a polygon reaches across x
function extent(points: Float32Array): number {
  const range = (k: number) => {
    const values = points.filter((_, i) => i % 3 === k);
    return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
  };
  return Math.hypot(range(1), range(2));
}

// The point that travels farthest: a good one to begin with.
export function liveliest(points: TracePoint[], motion: Motion, analysis: Analysis): TracePoint | null {
  const { time } = analysis;
  const last = points.map(() => new Vector3());
  const travelled = points.map(() => 0);
  const samples = Math.min(time.length, 200);
  for (let s = 0; s < samples; s++) {
    motion.update(time[Math.floor((s * (time.length - 1)) / Math.max(samples - 1, 1))]);
    points.forEach((point, k) => {
      const { position, turn } = motion.poses[point.body];
      const p = point.local.clone().applyQuaternion(turn).add(position);
      if (s) travelled[k] += p.distanceTo(last[k]);
      last[k].copy(p);
    });
  }
  const best = travelled.reduce((b, v, k) => (v > travelled[b] * 1.001 ? k : b), 0);
  return travelled[best] > 0 ? points[best] : null;
}
