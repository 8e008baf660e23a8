// Bodies as solids: the shape of the model file, or bars between the points where there is none.
import {
  Box3, BoxGeometry, BufferGeometry, CapsuleGeometry, CylinderGeometry, DoubleSide, EdgesGeometry, ExtrudeGeometry,
  Group, LineBasicMaterial, LineSegments, Mesh, MeshLambertMaterial, Path, Quaternion, Shape, ShapeGeometry, SphereGeometry, Vector3,
} from "three";
import type { GeometryBody } from "./types";

// Calm colours that can be told apart in light and dark.
export const palette = ["#4e79a7", "#e08a3c", "#5a9e6f", "#b5656b", "#8873a8", "#4fa3a5", "#c9a43b", "#8c6d5a", "#7a8794", "#c47fa0"];

export interface Style {
  color: string;
  thick: number; // of a bar without a section, and of links
  planar: boolean;
  coarse: boolean; // round parts have few sides, and in the plane there is only the front
}

const x = new Vector3(1, 0, 0);
const y = new Vector3(0, 1, 0);
const z = new Vector3(0, 0, 1);

function axisTurn(axis: unknown): Quaternion {
  // three's cylinders stand along y
  const to = axis === "x" ? new Vector3(1, 0, 0) : axis === "y" ? y.clone() : new Vector3(0, 0, 1);
  return new Quaternion().setFromUnitVectors(y, to);
}

// A solid that ends in half circles (plane) or half spheres, from a to b.
function link(a: Vector3, b: Vector3, radius: number, style: Style): BufferGeometry {
  const along = b.clone().sub(a);
  const length = along.length();
  const { planar, coarse } = style;
  const geometry = planar ? roundedBar(length, radius, style) : new CapsuleGeometry(radius, length, coarse ? 2 : 4, coarse ? 8 : 12).rotateZ(-Math.PI / 2);
  const turn = new Quaternion();
  if (planar) turn.setFromAxisAngle(z, Math.atan2(along.y, along.x)); // the front stays in front
  else if (length > 0) turn.setFromUnitVectors(x, along.normalize());
  const middle = a.clone().add(b).multiplyScalar(0.5);
  geometry.applyQuaternion(turn);
  geometry.translate(middle.x, middle.y, middle.z);
  return geometry;
}

function flat(shape: Shape, thickness: number, { planar, coarse }: Style): BufferGeometry {
  if (planar && coarse) return new ShapeGeometry(shape, 8).translate(0, 0, thickness / 2);
  return extruded(shape, thickness, coarse);
}

function extruded(shape: Shape, thickness: number, coarse: boolean): BufferGeometry {
  const geometry = new ExtrudeGeometry(shape, { depth: thickness, bevelEnabled: false, curveSegments: coarse ? 8 : 24 });
  return geometry.translate(0, 0, -thickness / 2);
}

function roundedBar(length: number, radius: number, style: Style): BufferGeometry {
  const shape = new Shape();
  shape.absarc(length / 2, 0, radius, -Math.PI / 2, Math.PI / 2, false);
  shape.absarc(-length / 2, 0, radius, Math.PI / 2, (3 * Math.PI) / 2, false);
  return flat(shape, radius, style);
}

function rectangle(a: number, b: number, thickness: number, style: Style): BufferGeometry {
  const r = Math.min(0.12 * Math.min(a, b), 0.6 * thickness);
  const shape = new Shape();
  shape.absarc(a / 2 - r, b / 2 - r, r, 0, Math.PI / 2, false);
  shape.absarc(-a / 2 + r, b / 2 - r, r, Math.PI / 2, Math.PI, false);
  shape.absarc(-a / 2 + r, -b / 2 + r, r, Math.PI, (3 * Math.PI) / 2, false);
  shape.absarc(a / 2 - r, -b / 2 + r, r, (3 * Math.PI) / 2, 2 * Math.PI, false);
  return flat(shape, thickness, style);
}

function ring(outer: number, inner: number, length: number, coarse: boolean): BufferGeometry {
  const shape = new Shape();
  shape.absarc(0, 0, outer, 0, 2 * Math.PI, false);
  const hole = new Path();
  hole.absarc(0, 0, inner, 0, 2 * Math.PI, true);
  shape.holes.push(hole);
  return extruded(shape, length, coarse).rotateX(Math.PI / 2);
}

// The geometry of a shape of the model file, in body axes.
function shapeGeometry(name: string, v: Record<string, number | number[] | string>, style: Style): BufferGeometry | null {
  const { thick, planar, coarse } = style;
  const n = (key: string) => Number(v[key] ?? 0);
  const size = (v.size as number[] | undefined) ?? [thick, thick];
  switch (name) {
    case "bar": {
      const length = n("length");
      const radius = Math.min(thick, 0.12 * length);
      if (n("width") === 0 && n("height") === 0) return link(new Vector3(-length / 2, 0, 0), new Vector3(length / 2, 0, 0), radius, style);
      const least = 0.25 * thick;
      return planar ? rectangle(length, Math.max(n("width"), least), thick, style) :
        new BoxGeometry(length, Math.max(n("width"), least), Math.max(n("height"), least));
    }
    case "box":
      return planar ? rectangle(size[0], size[1], thick, style) : new BoxGeometry(size[0], size[1], size[2] ?? thick);
    case "plate":
      return planar ? rectangle(size[0], size[1], thick, style) : new BoxGeometry(size[0], size[1], Math.max(n("thickness"), 0.2 * thick));
    case "cylinder": {
      const length = Math.max(n("length"), planar ? thick : 0.2 * thick);
      return new CylinderGeometry(n("radius"), n("radius"), length, coarse ? 16 : 48).applyQuaternion(axisTurn(v.axis));
    }
    case "tube":
      return ring(n("outer"), n("inner"), Math.max(n("length"), 0.2 * thick), coarse).applyQuaternion(axisTurn(v.axis));
    case "sphere":
      return new SphereGeometry(n("radius"), coarse ? 12 : 32, coarse ? 8 : 20);
    default:
      return null;
  }
}

export function material(style: Style): MeshLambertMaterial {
  return new MeshLambertMaterial({ color: style.color, side: DoubleSide });
}

// The edges of a solid. They are found at a size of one: below tenths of a millimetre corners would be taken for one.
function edgesOf(geometry: BufferGeometry, coarse: boolean): BufferGeometry {
  geometry.computeBoundingSphere();
  const size = geometry.boundingSphere!.radius || 1;
  return new EdgesGeometry(geometry.clone().scale(1 / size, 1 / size, 1 / size), coarse ? 50 : 35).scale(size, size, size);
}

function solid(geometry: BufferGeometry, style: Style): Group {
  const group = new Group();
  group.add(new Mesh(geometry, material(style)));
  const edges = new LineSegments(edgesOf(geometry, style.coarse), new LineBasicMaterial({ color: "#1b2733", transparent: true, opacity: 0.45 }));
  edges.userData.edges = true;
  group.add(edges);
  return group;
}

// What is drawn of a body; places are where joints and forces take hold of it, in body axes.
export function bodySolid(body: GeometryBody, places: Vector3[], style: Style): Group {
  const group = new Group();
  const box = new Box3();
  const { thick, planar } = style;
  const entry = body.shape ? Object.entries(body.shape)[0] : undefined;
  const geometry = entry ? shapeGeometry(entry[0], entry[1], style) : null;
  if (geometry) {
    group.add(solid(geometry, style));
    geometry.computeBoundingBox();
    box.copy(geometry.boundingBox!);
  } else if (body.kind === "particle") {
    group.add(solid(new SphereGeometry(1.3 * thick, style.coarse ? 12 : 24, style.coarse ? 8 : 16), style));
    return group;
  } else if (planar && places.length > 2) {
    // a plate through the points
    const outline = hull(places.map((p) => [p.x, p.y]));
    if (outline.length > 2) {
      const shape = new Shape();
      outline.forEach(([px, py], i) => (i ? shape.lineTo(px, py) : shape.moveTo(px, py)));
      group.add(new Mesh(flat(shape, 0.6 * thick, style), material(style)));
      outline.forEach((p, i) => {
        const q = outline[(i + 1) % outline.length];
        group.add(new Mesh(link(new Vector3(...p, 0), new Vector3(...q, 0), 0.6 * thick, style), material(style)));
      });
      return group;
    }
  }
  const start = geometry ? null : places.length === 2 && places[0].distanceTo(places[1]) > thick ? places[0] : new Vector3();
  for (const place of places) {
    // to points outside the shape goes a thinner link
    const from = start ?? box.clampPoint(place, new Vector3());
    if (geometry && (box.containsPoint(place) || from.distanceTo(place) < 0.6 * thick)) continue;
    if (geometry) from.addScaledVector(box.getCenter(new Vector3()).sub(from).normalize(), Math.min(thick, 0.3 * box.getSize(new Vector3()).length()));
    if (from.distanceTo(place) > 1e-6 * thick) group.add(solid(link(from, place, (geometry ? 0.5 : 0.9) * thick, style), style));
  }
  if (group.children.length === 0)
    group.add(solid(planar ? rectangle(2.6 * thick, 2.6 * thick, thick, style) : new BoxGeometry(2.6 * thick, 2.6 * thick, 2.6 * thick), style));
  return group;
}

// The convex hull of points in the plane, counterclockwise.
function hull(points: number[][]): [number, number][] {
  const sorted = points.map(([a, b]) => [a, b] as [number, number]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const cross = (o: number[], a: number[], b: number[]) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list: [number, number][]) => {
    const out: [number, number][] = [];
    for (const p of list) {
      while (out.length > 1 && cross(out[out.length - 2], out[out.length - 1], p) <= 1e-12) out.pop();
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}
