// What the result is compared with, in the same picture: its own bodies and springs on its own way, seen through and in one
// quiet colour. Nearest surfaces alone are seen, so that what is behind in a ghost does not make it darker: all of it is drawn
// once for the depths and once for the colour. In the plane it is flat, and behind the mechanism.
import { Group, LineSegments, Mesh, ShaderMaterial, type Box3, type Color, type Material, type Object3D } from "three";
import { Acting } from "./acting";
import { themeColor } from "./chart";
import type { Report } from "./data";
import { rodGlyph, springGlyph, stretch } from "./glyphs";
import { Instances } from "./instances";
import { Mechanism, type Look } from "./mechanism";
import { Motion } from "./motion";
import type { GeometryItem } from "./types";

const none = "#808080"; // until there is a theme
const [surface, edge, spring] = [0.42, 0.45, 0.55]; // how much of them is seen

export class Ghost {
  readonly motion: Motion;
  readonly mechanism: Mechanism;
  private readonly root = new Group();
  private readonly acting = new Acting();
  private readonly ties: { item: GeometryItem; object: Object3D }[] = [];
  private instances: Instances | null = null;
  private planar = false;
  private t = NaN;

  // its times are later by the shift
  constructor(private readonly report: Report, private readonly shift: number) {
    this.motion = new Motion(report);
    this.mechanism = new Mechanism(report, this.motion);
    this.root.visible = false;
  }

  async open(): Promise<void> {
    const [analysis] = this.report.analyses;
    await this.motion.open(analysis);
    await this.acting.open(this.report.geometry, analysis);
  }

  get visible(): boolean {
    return this.root.visible;
  }

  show(on: boolean): void {
    this.root.visible = on;
    if (on) this.place();
  }

  // Makes the bodies; it must be open.
  async build(scene: Object3D, look: Look): Promise<void> {
    this.planar = look.planar;
    await this.mechanism.build(this.root, { ...look, color: () => none });
    scene.add(this.root);
  }

  widen(box: Box3, times: number[]): void {
    this.mechanism.widen(box, times.map((t) => t - this.shift), false);
  }

  // Makes springs and rods; the bodies are there.
  addSprings(size: number, radius: number): void {
    const add = (item: GeometryItem, object: Object3D) => {
      this.ties.push({ item, object });
      this.root.add(object);
    };
    for (const joint of this.report.geometry.joints) if (joint.sign === "rod") add(joint, rodGlyph(none));
    for (const force of this.mechanism.springs(size)) add(force, springGlyph(radius, this.planar, none));
    if (this.planar) {
      this.root.position.z = -0.05 * size;
      this.root.scale.z = 0.02;
    }
    const parts: Object3D[] = [];
    this.root.traverse((object) => parts.push(object));
    parts.forEach(fade);
    this.instances = new Instances(this.root, this.mechanism.bodies.filter((_, i) => !this.mechanism.skins.has(i)));
  }

  // Goes to a time of the result; where its motion is shorter it stays at its end.
  update(t: number): void {
    this.t = t - this.shift;
    if (this.visible) this.place();
  }

  private place(): void {
    if (Number.isNaN(this.t)) return;
    this.motion.update(this.t);
    this.mechanism.place();
    const off = this.acting.off(this.t);
    for (const { item, object } of this.ties) {
      object.visible = !off.has(item.name);
      stretch(object, this.mechanism.placeA(item), this.mechanism.placeB(item));
    }
  }

  setDeformation(scale: number): void {
    this.mechanism.setDeformation(scale);
    if (this.visible) this.place();
  }

  setTheme(): void {
    const color = themeColor("--ghost");
    this.root.traverse((object) => {
      const m = (object as Mesh).material as (Material & { color?: Color }) | undefined;
      if (m instanceof ShaderMaterial && m.uniforms.color) m.uniforms.color.value.set(color).convertLinearToSRGB();
      else m?.color?.set(color);
    });
  }

  // Makes it ready to be drawn: before the places of all objects are known, and after.
  prepare(): void {
    if (this.visible) this.mechanism.prepare();
  }

  arrange(): void {
    if (this.visible) this.instances?.update();
  }
}

// Makes a part of a ghost of something drawn.
function fade(object: Object3D): void {
  if (!(object instanceof Mesh || object instanceof LineSegments)) return;
  const lines = object instanceof LineSegments;
  const m = object.material as Material;
  m.transparent = true;
  m.opacity = lines ? edge : "isLine2" in object ? spring : surface;
  object.renderOrder = 2; // behind all else that is seen through
  if (lines || "isLine2" in object) return;
  // where it is exactly that of the result, this is seen
  Object.assign(m, { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 8 });
  const depths = m.clone();
  if (m instanceof ShaderMaterial) {
    m.uniforms.opacity.value = surface;
    (depths as ShaderMaterial).uniforms = m.uniforms;
  }
  depths.colorWrite = false;
  m.depthWrite = false;
  const twin = object.clone(false);
  twin.material = depths;
  twin.renderOrder = 1;
  object.parent!.add(twin);
}
