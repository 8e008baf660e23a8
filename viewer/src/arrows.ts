// Forces and moments, in joints and from outside, as arrows, from the channels of the analysis.
import { Group, Vector3 } from "three";
import { arcArrow, arrow, layArrow } from "./glyphs";
import type { Analysis, Report } from "./data";
import type { Places } from "./places";
import type { GeometryItem } from "./types";

interface Entry {
  item: GeometryItem;
  force: Float32Array[] | null;
  torque: Float32Array[] | null;
  forceArrow: Group;
  torqueArrow: Group;
}

export const forceColor = "#d1462f";
export const torqueColor = "#7b4fb5";

export class Arrows {
  readonly group = new Group();
  scale = 1;
  largestForce = 0;
  largestTorque = 0;
  private entries: Entry[] = [];
  private analysis: Analysis | null = null;
  private size = 1;
  private planar = false;
  private forces = false;
  private torques = false;

  constructor(private readonly report: Report, private readonly places: Places) {}

  build(size: number, planar: boolean): void {
    this.size = size;
    this.planar = planar;
    const g = this.report.geometry;
    this.group.clear();
    this.entries = [...g.joints, ...(g.forces ?? [])].map((item) => {
      const forceArrow = arrow(forceColor, 1);
      const torqueArrow = planar ? arcArrow(torqueColor) : arrow(torqueColor, 2);
      forceArrow.visible = torqueArrow.visible = false;
      this.group.add(forceArrow, torqueArrow);
      return { item, force: null, torque: null, forceArrow, torqueArrow };
    });
  }

  // Whether there is anything to show.
  available(analysis: Analysis | null): boolean {
    const { joints, forces } = this.report.geometry;
    return !!analysis && !analysis.isModes &&
      [...joints, ...(forces ?? [])].some(({ name }) => analysis.channels.has(`${name}.force`) || analysis.channels.has(`${name}.torque`));
  }

  async show(analysis: Analysis | null, forces: boolean, torques: boolean): Promise<void> {
    this.forces = forces;
    this.torques = torques;
    if (analysis !== this.analysis || ((forces || torques) && this.largestForce === 0 && this.largestTorque === 0)) {
      this.analysis = analysis;
      this.largestForce = this.largestTorque = 0;
      for (const entry of this.entries) {
        entry.force = entry.torque = null;
        if (!analysis || (!forces && !torques)) continue;
        const n = entry.item.name;
        const name = (what: string) => (analysis.channels.has(`${n}.${what}_total`) ? `${n}.${what}_total` : `${n}.${what}`);
        [entry.force, entry.torque] = await analysis.load(name("force"), name("torque"));
        this.largestForce = Math.max(this.largestForce, largest(entry.force));
        this.largestTorque = Math.max(this.largestTorque, largest(entry.torque));
      }
    }
  }

  update(t: number): void {
    if (!this.analysis) return;
    const i = this.analysis.nearest(t);
    const r = 0.008 * this.size;
    for (const { item, force, torque, forceArrow, torqueArrow } of this.entries) {
      forceArrow.visible = torqueArrow.visible = false;
      const at = this.places.toWorld(item.bodies[1], new Vector3(...(item.at_b ?? item.at)));
      if (this.planar) at.z += 0.04 * this.size;
      if (this.forces && force && force.length > 1 && this.largestForce > 0) {
        const v = vector(force, i).multiplyScalar((this.scale * 0.28 * this.size) / this.largestForce);
        layArrow(forceArrow, at, v, r);
      }
      if (!this.torques || !torque || this.largestTorque <= 0) continue;
      if (this.planar) {
        const m = torque[0][i] / this.largestTorque;
        torqueArrow.visible = Math.abs(m) > 0.01;
        const radius = this.scale * 0.07 * this.size * Math.sqrt(Math.abs(m));
        torqueArrow.position.copy(at);
        torqueArrow.scale.set(radius, Math.sign(m) * radius, radius);
      } else {
        layArrow(torqueArrow, at, vector(torque, i).multiplyScalar((this.scale * 0.28 * this.size) / this.largestTorque), r);
      }
    }
  }
}

function vector(columns: Float32Array[], i: number): Vector3 {
  return new Vector3(columns[0][i], columns[1]?.[i] ?? 0, columns[2]?.[i] ?? 0);
}

function largest(columns: Float32Array[] | null): number {
  if (!columns?.length) return 0;
  let most = 0;
  for (let i = 0; i < columns[0].length; i++) {
    let sum = 0;
    for (const c of columns) sum += c[i] * c[i];
    if (Number.isFinite(sum)) most = Math.max(most, sum);
  }
  return Math.sqrt(most);
}
