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
      { label: body.name, frame: true, body: i, local: new Vector3() },
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

// The orbits of all stations of a rotor in the mode that is shown, with the colour of their sense.
export async function orbitPaths(report: Report, motion: Motion, analysis: Analysis): Promise<{ color: string; points: Float32Array; above: boolean }[]> {
  const stations = tracePoints(report).filter((p) => p.label.includes("."));
  const paths = await Promise.all(stations.map(async ({ label, local }) => {
    const [path] = await analysis.load(`${label.slice(label.indexOf(".") + 1)}.path`);
    if (!path) return null;
    const [yc, ys, zc, zs] = path.map((c) => c[motion.mode]);
    if (Math.hypot(yc, ys, zc, zs) < 1e-6) return null; // it is held
    const points = new Float32Array(3 * 65);
    for (let i = 0; i <= 64; i++) {
      const [c, s] = [Math.cos((Math.PI * i) / 32), Math.sin((Math.PI * i) / 32)];
      local.clone().add(new Vector3(0, yc * c + ys * s, zc * c + zs * s).multiplyScalar(motion.reach)).toArray(points, 3 * i);
    }
    return { color: yc * zs - ys * zc >= 0 ? senses.forward : senses.backward, points, above: true };
  }));
  return paths.filter((p) => p !== null);
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
