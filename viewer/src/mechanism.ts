// The bodies of a mechanism as they are drawn, solids and skins, put where its motion says.
import { Box3, Group, Vector3, type Object3D } from "three";
import type { Report } from "./data";
import { LineSkin } from "./line_skin";
import type { Motion } from "./motion";
import { Places } from "./places";
import { bodySolid, type Style } from "./shapes";
import { MOST, Skin } from "./skin";
import type { GeometryItem } from "./types";

const TIED = "#e8590c"; // nodes that interface points are tied to

export interface Look extends Omit<Style, "color"> {
  color: (body: number) => string;
  software: boolean; // there is no graphics hardware
}

export class Mechanism {
  readonly bodies: Group[] = [];
  readonly skins = new Map<number, Skin | LineSkin>();
  readonly places: Places;

  constructor(private readonly report: Report, private readonly motion: Motion) {
    this.places = new Places(motion, this.skins);
  }

  // Makes the bodies, in a scene or a part of it.
  async build(scene: Object3D, look: Look): Promise<void> {
    const grips = this.grips();
    for (const [index, body] of this.report.geometry.bodies.entries()) {
      const group = new Group();
      const color = look.color(index);
      const data = this.report.skins.find((s) => s.name === body.name);
      if (data) {
        // of a body file one shape at a time is shown, so there may be any number, and of rotors; beams have few nodes
        const folded = look.software || !!this.report.data.body || !!body.modes_of || (data.stress_scale?.length ?? 0) > MOST;
        const skin = data.carriers ? await LineSkin.read(data, color) : await Skin.read(data, color, folded, 0.5 * look.thick);
        this.skins.set(index, skin);
        if (skin instanceof Skin) for (const tied of Object.values(this.report.data.body?.tied ?? {})) skin.mark(tied, TIED);
        group.add(skin.group);
      } else if (body.kind !== "ground") {
        group.add(bodySolid(body, grips[index], { ...look, color }));
      }
      this.bodies.push(group);
      scene.add(group);
    }
  }

  // where points, joints and forces take hold of each body
  grips(): Vector3[][] {
    const g = this.report.geometry;
    const places: Vector3[][] = g.bodies.map((body) => Object.values(body.points).map((p) => new Vector3(...p)));
    for (const item of [...g.joints.filter((j) => j.sign), ...(g.forces ?? [])]) {
      places[item.bodies[0]]?.push(new Vector3(...item.at));
      if (item.at_b) places[item.bodies[1]]?.push(new Vector3(...item.at_b));
    }
    return places.map((list) => list.filter((p, i) => list.findIndex((q) => q.distanceTo(p) < 1e-9) === i));
  }

  // Makes a box hold the bodies as they are at some times; `whole`: with all that skins deform.
  widen(box: Box3, times: number[], whole: boolean): void {
    const local = this.bodies.map((group, i) => {
      const skin = this.skins.get(i);
      return skin instanceof Skin ? skinBox(skin) : new Box3().setFromObject(group);
    });
    for (const t of times) {
      this.motion.update(t);
      local.forEach((own, i) => {
        if (own.isEmpty()) return;
        const { position, turn, eta } = this.motion.poses[i];
        const skin = this.skins.get(i);
        if (skin instanceof LineSkin) {
          skin.widen(box, this.motion.poses[i]);
          return;
        }
        const points = skin && whole ? skin.deformed(eta, this.places.scale) : cornersOf(own);
        for (const point of points) box.expandByPoint(point.applyQuaternion(turn).add(position));
      });
    }
  }

  // Puts the bodies where the motion says.
  place(): void {
    this.bodies.forEach((group, i) => {
      const pose = this.motion.poses[i];
      const skin = this.skins.get(i);
      if (!(skin instanceof LineSkin)) { // which is where its nodes are
        group.position.copy(pose.position);
        group.quaternion.copy(pose.turn);
      }
      skin?.setPose(pose);
    });
  }

  // Makes it ready to be drawn.
  prepare(): void {
    for (const skin of this.skins.values()) skin.prepare();
  }

  // Shows the deformation of flexible bodies larger than it is.
  setDeformation(scale: number): void {
    this.places.scale = scale;
    for (const skin of this.skins.values()) skin.setDeformation(scale);
  }

  placeA(item: GeometryItem): Vector3 {
    return this.places.toWorld(item.bodies[0], new Vector3(...item.at));
  }

  placeB(item: GeometryItem): Vector3 {
    return this.places.toWorld(item.bodies[1], new Vector3(...(item.at_b ?? item.at)));
  }

  // the springs that can be drawn between their ends, which are apart
  springs(size: number): GeometryItem[] {
    return (this.report.geometry.forces ?? []).filter((force) =>
      force.at_b && force.sign === "spring" && this.placeA(force).distanceTo(this.placeB(force)) > 0.01 * size);
  }
}

export function cornersOf({ min, max }: Box3): Vector3[] {
  return Array.from({ length: 8 }, (_, c) => new Vector3(c & 1 ? max.x : min.x, c & 2 ? max.y : min.y, c & 4 ? max.z : min.z));
}

function skinBox(skin: Skin): Box3 {
  const box = new Box3();
  const n = skin.nodes;
  const p = new Vector3();
  for (let i = 0; i < n.length; i += 3) box.expandByPoint(p.set(n[i], n[i + 1], n[i + 2]));
  return box;
}
