// Signs for joints, springs, frames and the ground.
import {
  BoxGeometry, BufferGeometry, CircleGeometry, Color, ConeGeometry, CylinderGeometry, Float32BufferAttribute, Group, LineBasicMaterial,
  LineSegments, Mesh, MeshBasicMaterial, MeshLambertMaterial, Object3D, Quaternion, Shape, ShapeGeometry, SphereGeometry, TorusGeometry, Vector3,
} from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { GeometryItem } from "./types";

const x = new Vector3(1, 0, 0);
const y = new Vector3(0, 1, 0);
const z = new Vector3(0, 0, 1);

export interface GlyphColors {
  line: string;
  fill: string;
}

// How signs are drawn; coarse ones have few sides.
export interface GlyphStyle extends GlyphColors {
  coarse: boolean;
}

function ink(colors: GlyphColors): LineBasicMaterial {
  return new LineBasicMaterial({ color: colors.line });
}

function disc(radius: number, { line, fill, coarse }: GlyphStyle): Group {
  const group = new Group();
  const round = (r: number) => (coarse ? new CircleGeometry(r, 12).translate(0, 0, 0.01 * radius) : new CylinderGeometry(r, r, 0.02 * radius, 28).rotateX(Math.PI / 2));
  const rim = new Mesh(round(radius), new MeshBasicMaterial({ color: line }));
  const hole = new Mesh(round(0.68 * radius), new MeshBasicMaterial({ color: fill }));
  hole.position.z = 0.02 * radius;
  group.add(rim, hole);
  return group;
}

function planarJoint(joint: GeometryItem, r: number, colors: GlyphStyle, range: [number, number]): Object3D {
  const group = new Group();
  const axis = new Vector3(...(joint.axis ?? [1, 0, 0]));
  switch (joint.sign) {
    case "rail": case "slot": {
      // two rails along the way, with hatching on the ground
      const [low, high] = [range[0] - 3 * r, range[1] + 3 * r];
      const side = joint.sign === "slot" ? 1.1 : 1.9;
      const rails = [-side, side].flatMap((s) => [low, s * r, 0, high, s * r, 0]);
      if (joint.bodies[0] === 0) for (let at = low + r; at < high; at += 1.4 * r) rails.push(at, -side * r, 0, at - 0.8 * r, -(side + 0.8) * r, 0);
      const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(rails, 3));
      const lines = new LineSegments(geometry, ink(colors));
      lines.quaternion.setFromAxisAngle(z, Math.atan2(axis.y, axis.x));
      group.add(lines);
      break;
    }
    case null:
      break;
    case "block": {
      const square = new Mesh(new BoxGeometry(1.5 * r, 1.5 * r, 0.02 * r), new MeshBasicMaterial({ color: colors.line }));
      group.add(square);
      break;
    }
    default:
      group.add(disc(r, colors));
  }
  return group;
}

function spatialJoint(joint: GeometryItem, r: number, colors: GlyphStyle, range: [number, number]): Object3D {
  const group = new Group();
  const metal = new MeshLambertMaterial({ color: colors.fill });
  const dark = new MeshLambertMaterial({ color: colors.line });
  const axis = new Vector3(...(joint.axis ?? [0, 0, 1]));
  const turn = new Quaternion().setFromUnitVectors(y, axis.lengthSq() > 0 ? axis.normalize() : z);
  const sides = colors.coarse ? 8 : 24;
  const pin = (radius: number, length: number, m: MeshLambertMaterial) => new Mesh(new CylinderGeometry(radius, radius, length, sides), m);
  switch (joint.sign) {
    case "ball":
      group.add(new Mesh(new SphereGeometry(0.95 * r, sides, (2 * sides) / 3), metal));
      break;
    case "cross": {
      const cross = new Group();
      const other = pin(0.35 * r, 2.8 * r, dark);
      other.rotation.z = Math.PI / 2;
      cross.add(pin(0.35 * r, 2.8 * r, dark), other, new Mesh(new SphereGeometry(0.6 * r, 20, 14), metal));
      cross.quaternion.copy(turn);
      group.add(cross);
      break;
    }
    case "pin": case "sleeve": {
      const hinge = new Group();
      const short = joint.sign === "pin";
      hinge.add(pin(0.8 * r, short ? 1.5 * r : 2.6 * r, metal), pin(0.35 * r, short ? 2.4 * r : 5 * r, dark));
      hinge.quaternion.copy(turn);
      group.add(hinge);
      break;
    }
    case "rail": case "slot": {
      const rail = new Group();
      const bar = new Mesh(new BoxGeometry(0.5 * r, range[1] - range[0] + 6 * r, 0.5 * r), dark);
      bar.position.y = (range[0] + range[1]) / 2;
      rail.add(bar);
      rail.quaternion.copy(turn);
      group.add(rail);
      break;
    }
    case "bearing": case "seal": {
      // a ring around the shaft
      const thick = joint.sign === "bearing" ? 0.22 * r : 0.1 * r;
      const ring = new Mesh(new TorusGeometry(r + thick, thick, 14, 48).rotateX(Math.PI / 2), dark);
      ring.quaternion.copy(turn);
      group.add(ring);
      break;
    }
    case "sheet": {
      const sheet = new Mesh(new BoxGeometry(5 * r, 0.15 * r, 5 * r), metal);
      sheet.quaternion.copy(turn);
      group.add(sheet);
      break;
    }
    case "block":
      group.add(new Mesh(new BoxGeometry(1.4 * r, 1.4 * r, 1.4 * r), dark));
      break;
    case null:
      break;
    default:
      group.add(new Mesh(new SphereGeometry(0.7 * r, 20, 14), metal));
  }
  return group;
}

// The radius of signs: small beside the mechanism, and beside the links between joints where there are many. `places` are where
// each body is held, in its axes.
export function signSize(joints: GeometryItem[], places: Vector3[][], size: number): number {
  const links = joints.map(({ bodies, at, at_b }) => {
    const reach = ([at, at_b ?? at] as const).map((place, end) => {
      const others = bodies[end] === 0 ? [] : places[bodies[end]] ?? [];
      return Math.max(0, ...others.map((p) => p.distanceTo(new Vector3(...place))));
    });
    return Math.min(...reach.filter((r) => r > 1e-6 * size));
  }).filter(Number.isFinite).sort((a, b) => a - b);
  const typical = links[links.length >> 1] ?? Infinity;
  return Math.min(0.011 * size, Math.max(0.15 * typical, 0.004 * size));
}

// A joint, at the origin and in the axes of its first body; `range` is how far the second body goes
// along the axis.
export function jointGlyph(joint: GeometryItem, r: number, planar: boolean, colors: GlyphStyle, range: [number, number]): Object3D {
  return planar ? planarJoint(joint, r, colors, range) : spatialJoint(joint, r, colors, range);
}

// The ground under a joint: a triangle on a hatched line, or a small base; `up` is away from it.
export function groundGlyph(r: number, planar: boolean, up: Vector3, colors: GlyphColors): Object3D {
  const group = new Group();
  if (planar) {
    const shape = new Shape();
    shape.moveTo(0, 0);
    shape.lineTo(1.7 * r, -2.6 * r);
    shape.lineTo(-1.7 * r, -2.6 * r);
    const hatch = [-2.4 * r, -2.6 * r, 0, 2.4 * r, -2.6 * r, 0];
    for (let i = -2; i <= 2; i++) hatch.push(i * r, -2.6 * r, 0, (i - 0.7) * r, -3.4 * r, 0);
    const fill = new Mesh(new ShapeGeometry(shape), new MeshBasicMaterial({ color: new Color(colors.line), transparent: true, opacity: 0.25 }));
    fill.position.z = -0.01 * r;
    group.add(fill, new LineSegments(new BufferGeometry().setAttribute("position", new Float32BufferAttribute(hatch, 3)), ink(colors)));
    group.quaternion.setFromUnitVectors(y, up);
    return group;
  }
  const metal = new MeshLambertMaterial({ color: colors.line });
  const foot = new Mesh(new ConeGeometry(1.2 * r, 2.2 * r, 4, 1).rotateY(Math.PI / 4), metal);
  foot.position.y = -1.6 * r;
  const plate = new Mesh(new BoxGeometry(3.4 * r, 0.3 * r, 3.4 * r), metal);
  plate.position.y = -2.7 * r;
  group.add(foot, plate);
  group.quaternion.setFromUnitVectors(y, up);
  return group;
}

// A spring from 0 to 1 along x, to be stretched; in the plane a zigzag.
export function springGlyph(r: number, planar: boolean, color: string): Line2 {
  const turns = 9;
  const steps = planar ? 2 * turns : 20 * turns;
  const points: number[] = [0, 0, 0, 0.1, 0, 0];
  for (let i = 1; i < steps; i++) {
    const angle = (2 * Math.PI * turns * i) / steps;
    const side = planar ? (i % 2 ? 1 : -1) : 0;
    points.push(0.1 + (0.8 * i) / steps, planar ? side * r : r * Math.cos(angle), planar ? 0 : r * Math.sin(angle));
  }
  points.push(0.9, 0, 0, 1, 0, 0);
  return thickLine(points, color);
}

// A rod or cable from 0 to 1 along x, to be stretched.
export function rodGlyph(color: string): Line2 {
  return thickLine([0, 0, 0, 1, 0, 0], color);
}

// A line of two pixels through points.
function thickLine(points: number[], color: string): Line2 {
  return new Line2(new LineGeometry().setPositions(points), new LineMaterial({ color, linewidth: 2 }));
}

// Puts something that lies along x from 0 to 1 between two points.
export function stretch(object: Object3D, a: Vector3, b: Vector3): void {
  const along = b.clone().sub(a);
  const length = along.length();
  object.position.copy(a);
  object.quaternion.setFromUnitVectors(x, length > 0 ? along.divideScalar(length) : x);
  object.scale.set(Math.max(length, 1e-9), 1, 1);
}

// Three axes, red, green and blue.
export function frameGlyph(size: number, planar: boolean): Group {
  const group = new Group();
  ([["#d1495b", x], ["#3f9b5f", y], ["#3d6fb4", z]] as [string, Vector3][]).forEach(([color, axis], k) => {
    if (planar && k === 2) return;
    const m = new MeshBasicMaterial({ color });
    const shaft = new Mesh(new CylinderGeometry(0.022 * size, 0.022 * size, size, 8), m);
    const head = new Mesh(new ConeGeometry(0.07 * size, 0.2 * size, 12), m);
    shaft.position.y = size / 2;
    head.position.y = size;
    const arm = new Group();
    arm.add(shaft, head);
    arm.quaternion.setFromUnitVectors(y, axis);
    group.add(arm);
  });
  return group;
}

// Arrows are not hidden by bodies.
function inFront(color: string): MeshBasicMaterial {
  return new MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.92 });
}

// An arrow along y of length 1, with one head for a force and two for a moment.
export function arrow(color: string, heads: number): Group {
  const group = new Group();
  const m = inFront(color);
  const shaft = new Mesh(new CylinderGeometry(1, 1, 1, 12), m);
  group.add(shaft);
  for (let i = 0; i < heads; i++) group.add(new Mesh(new ConeGeometry(1, 1, 20), m));
  return group;
}

// Lays an arrow from a point along a vector; its thickness stays.
export function layArrow(group: Group, at: Vector3, vector: Vector3, r: number): void {
  const length = vector.length();
  group.visible = length > 0.4 * r;
  if (!group.visible) return;
  const head = Math.min(4.5 * r, 0.6 * length);
  const width = Math.min(r, 0.14 * length);
  group.position.copy(at);
  group.quaternion.setFromUnitVectors(y, vector.clone().divideScalar(length));
  const [shaft, ...cones] = group.children;
  shaft.scale.set(0.55 * width, length - head, 0.55 * width);
  shaft.position.y = (length - head) / 2;
  cones.forEach((cone, i) => {
    cone.scale.set(1.6 * width, head, 1.6 * width);
    cone.position.y = length - head / 2 - 0.7 * i * head;
  });
}

// A moment in the plane: an arc with a head, counterclockwise for a positive one.
export function arcArrow(color: string): Group {
  const group = new Group();
  const m = inFront(color);
  const arc = new Mesh(new TorusGeometry(1, 0.07, 8, 40, 1.5 * Math.PI), m);
  const head = new Mesh(new ConeGeometry(0.22, 0.55, 16), m);
  head.position.set(0, -1, 0);
  head.rotation.z = -Math.PI / 2;
  group.add(arc, head);
  return group;
}
