// The picture: camera, light, bodies, signs; drawn again only when something has changed.
import {
  AmbientLight, Box3, CatmullRomCurve3, Color, DirectionalLight, GridHelper, Group, HemisphereLight, Line, LineBasicMaterial, BufferGeometry,
  Float32BufferAttribute, Mesh, MeshBasicMaterial, Object3D, OrthographicCamera, PerspectiveCamera, Quaternion, Scene, TubeGeometry, Vector3,
  type Material, type WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Arrows } from "./arrows";
import type { Ghost } from "./ghost";
import { frameGlyph, groundGlyph, jointGlyph, rodGlyph, signSize, springGlyph, stretch, type GlyphColors } from "./glyphs";
import { el } from "./dom";
import { Instances } from "./instances";
import type { Motion } from "./motion";
import { LineSkin } from "./line_skin";
import { cornersOf, Mechanism } from "./mechanism";
import type { Places } from "./places";
import { drawnBySoftware, makeRenderer } from "./renderer";
import { palette } from "./shapes";
import type { Skin } from "./skin";
import type { Report } from "./data";
import type { Theme } from "./theme";
import type { GeometryItem } from "./types";

// How pictures for a video are drawn: all of the motion is in view, as large as the margins leave room.
export interface Picture {
  margins: Margins;
  plain: boolean; // rigid bodies are grey
}

// Pixels beside what is looked at.
export interface Margins {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Tie {
  object: Object3D;
  item: GeometryItem;
  kind: "joint" | "spring" | "rod";
}

const backgrounds = { light: "#f6f8fa", dark: "#14181d" };
const many = 100; // bodies
const footed = ["pin", "sleeve", "ball", "cross", "block", "bearing"]; // signs that stand on the ground
const inks: Record<Theme, GlyphColors> = {
  light: { line: "#2b3642", fill: "#ffffff" },
  dark: { line: "#c7d0da", fill: "#20272e" },
};

export class View {
  readonly canvas: HTMLCanvasElement;
  readonly labels = el("div", { class: "labels", "aria-hidden": "true" });
  private readonly mechanism: Mechanism;
  readonly arrows: Arrows;
  readonly planar: boolean;
  readonly up: Vector3;
  off: ReadonlySet<string> = new Set(); // joints and forces that do not act now
  size = 1;
  frames = 0; // drawn so far
  private readonly scene = new Scene();
  private readonly renderer: WebGLRenderer | null; // none where the browser cannot draw in space
  private camera: PerspectiveCamera | OrthographicCamera;
  private controls: OrbitControls;
  private readonly box = new Box3();
  private fitted: { from?: Vector3 } | null = null; // the view is as `fit` left it, seen from there
  private readonly ties: Tie[] = [];
  private readonly jointGroup = new Group();
  private readonly frameGroup = new Group();
  private readonly traceGroup = new Group();
  private grid: GridHelper | null = null;
  private readonly axes: Object3D[] = [];
  private instances: Instances | null = null;
  private readonly names: { element: HTMLElement; place: () => Vector3; shown: () => boolean }[] = [];
  private dirty = true;
  private readonly software = drawnBySoftware();
  private theme: Theme = "light";
  playing = false; // told by the player
  steady = false; // pixels stay as they are: a video is recorded
  private sharpness = 1;
  private interval = 30; // ms between frames, on average
  private lastFrame = 0;
  private adapted = 0;
  private width = 1;
  private height = 1;

  constructor(private readonly report: Report, private readonly motion: Motion, private readonly host: HTMLElement,
    private readonly picture?: Picture, private readonly ghost?: Ghost | null) {
    const g = report.geometry;
    this.planar = g.dimension === 2;
    const gravity = new Vector3(...(g.gravity ?? [0, 0, 0]));
    this.up = this.planar ? new Vector3(0, 1, 0) : gravity.lengthSq() > 0 ? largestAxis(gravity.negate()) : new Vector3(0, 0, 1);
    this.renderer = makeRenderer(!!picture || !this.software);
    this.canvas = this.renderer?.domElement ?? el("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "Animation of the mechanism; drag or press A, D, W, S to rotate or pan, scroll or press + and - to zoom");
    host.append(this.canvas, this.labels);
    if (!this.renderer) host.append(el("p", { class: "undrawn", role: "alert" },
      "The mechanism cannot be drawn: this browser has no WebGL. Hardware acceleration may be switched off in its settings. Plots and tables are complete."));
    this.camera = this.planar ? new OrthographicCamera() : new PerspectiveCamera(35, 1);
    this.controls = this.makeControls();
    this.addLights();
    this.scene.matrixWorldAutoUpdate = false; // draw() does it
    this.scene.add(this.jointGroup, this.frameGroup, this.traceGroup);
    this.frameGroup.visible = false;
    this.mechanism = new Mechanism(report, motion);
    this.arrows = new Arrows(report, this.places);
    this.scene.add(this.arrows.group);
    new ResizeObserver(() => {
      if (this.fitted && !this.picture) this.fit(this.fitted.from); // nobody has moved the view: it still shows all
      this.resize();
    }).observe(host);
    const frame = (now: number) => {
      this.adapt(now);
      this.draw();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  private makeControls(): OrbitControls {
    this.camera.up.copy(this.up);
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.enableDamping = false;
    controls.enableRotate = !this.planar;
    controls.screenSpacePanning = true;
    controls.zoomToCursor = true;
    if (this.planar) {
      controls.mouseButtons.LEFT = 2; // moves
      controls.touches.ONE = 1;
    }
    controls.addEventListener("change", () => this.invalidate());
    controls.addEventListener("start", () => (this.fitted = null));
    return controls;
  }

  get bodies(): Group[] {
    return this.mechanism.bodies;
  }

  get skins(): Map<number, Skin | LineSkin> {
    return this.mechanism.skins;
  }

  get places(): Places {
    return this.mechanism.places;
  }

  get draws(): boolean {
    return this.renderer !== null;
  }

  // Without graphics hardware the time of a frame goes with the number of triangles; many bodies are small, and have fewer.
  private get coarse(): boolean {
    return this.software && !this.picture && this.report.geometry.bodies.length > many;
  }

  private addLights(): void {
    const key = new DirectionalLight("#ffffff", 1.9);
    key.position.copy(this.planar ? new Vector3(0.3, 0.5, 1) : new Vector3(0.5, -0.8, 0.6).addScaledVector(this.up, 1));
    this.scene.add(new AmbientLight("#ffffff", 0.9), new HemisphereLight("#ffffff", "#9fb0c0", this.planar ? 0.4 : 0.9), key);
  }

  // --- building ---------------------------------------------------------------------------------

  // Makes everything that is drawn; the motion must be open. `times` are some of its instants.
  async build(times: number[]): Promise<void> {
    const g = this.report.geometry;
    const places = this.mechanism.grips();
    const look = {
      color: (body: number) => (this.picture?.plain ? "#b4bcc4" : palette[(body - 1 + palette.length) % palette.length]),
      thick: 0.016 * this.roughSize(places, times), planar: this.planar, coarse: this.coarse, software: this.software,
    };
    await this.mechanism.build(this.scene, look);
    await this.ghost?.build(this.scene, look);
    this.measure(times);
    this.motion.size = this.size;
    const small = signSize(g.joints, places, this.size);
    this.addSigns(times, small);
    this.ghost?.addSprings(this.size, 0.9 * small);
    this.instances = new Instances(this.scene, [...this.bodies.filter((_, i) => !this.skins.has(i)), this.jointGroup, this.frameGroup]);
    this.arrows.build(this.size, this.planar);
    this.setTheme(this.theme);
    this.fit();
  }

  private roughSize(places: Vector3[][], times: number[]): number {
    const box = new Box3();
    for (const t of times) {
      this.motion.update(t);
      places.forEach((list, i) => {
        const pose = this.motion.poses[i];
        box.expandByPoint(pose.position);
        for (const p of list) box.expandByPoint(p.clone().applyQuaternion(pose.turn).add(pose.position));
      });
    }
    for (const body of this.report.geometry.bodies)
      for (const values of Object.values(body.shape ?? {}))
        for (const v of Object.values(values).flat())
          if (typeof v === "number") box.expandByPoint(box.max.clone().max(box.min.clone().addScalar(v)));
    const size = box.getSize(new Vector3()).length();
    return size > 0 ? size : this.report.geometry.length || 1;
  }

  // the box of the mechanism over its motion
  private measure(times: number[]): void {
    this.box.makeEmpty();
    this.mechanism.widen(this.box, times, !!this.picture);
    this.ghost?.widen(this.box, times);
    for (const item of [...this.report.geometry.joints, ...(this.report.geometry.forces ?? [])]) {
      if (!item.sign || item.sign === "rail" || item.sign === "sheet") continue;
      if (item.bodies[0] === 0) this.box.expandByPoint(new Vector3(...item.at));
      else if (item.bodies[1] === 0 && item.at_b) this.box.expandByPoint(new Vector3(...item.at_b));
    }
    if (this.box.isEmpty()) this.box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    this.size = Math.max(this.box.getSize(new Vector3()).length(), 1e-6);
    // a rotor whirls about x
    if (this.report.analyses.some((a) => a.isWhirl)) this.box.expandByVector(new Vector3(0, 0.06 * this.size, 0.06 * this.size));
  }

  // how far the second end of a joint goes along its axis, in the axes of the first
  private rangeOf(joint: GeometryItem, times: number[]): [number, number] {
    const axis = new Vector3(...(joint.axis ?? [1, 0, 0]));
    let [low, high] = [Infinity, -Infinity];
    for (const t of times) {
      this.motion.update(t);
      const { position, turn } = this.motion.poses[joint.bodies[0]];
      const offset = this.placeB(joint).sub(position).applyQuaternion(turn.clone().invert()).sub(new Vector3(...joint.at)).dot(axis);
      low = Math.min(low, offset);
      high = Math.max(high, offset);
    }
    // beyond the body; of a beam, whose nodes are held by themselves, beyond the node
    if (this.skins.get(joint.bodies[1]) instanceof LineSkin) return low <= high ? [low - 0.06 * this.size, high + 0.06 * this.size] : [0, 0];
    const size = new Box3().setFromObject(this.bodies[joint.bodies[1]]).getSize(new Vector3());
    const room = low <= high ? 0.5 * (Math.abs(axis.x) * size.x + Math.abs(axis.y) * size.y + Math.abs(axis.z) * size.z) : 0;
    return low <= high ? [low - room, high + room] : [0, 0];
  }

  private addSigns(times: number[], small: number): void {
    const g = this.report.geometry;
    const colors = { ...inks[this.theme], coarse: this.coarse };
    for (const joint of g.joints) {
      const r = Math.max(small, 1.25 * (joint.radius ?? 0));
      const slides = joint.sign === "rail" || joint.sign === "slot";
      const object = jointGlyph(joint, r, this.planar, colors, slides ? this.rangeOf(joint, times) : [0, 0]);
      if (this.planar) object.position.z = (slides ? -0.02 : 0.02) * this.size;
      const holder = new Group();
      holder.add(object);
      const ground = joint.bodies[0] === 0 ? 0 : joint.bodies[1] === 0 ? 1 : -1;
      if (ground >= 0 && footed.includes(joint.sign ?? "")) {
        // on the side where the body is not
        this.motion.update(times[0] ?? 0);
        const hangs = this.motion.poses[joint.bodies[1 - ground]].position.clone().sub(this.jointPlace(joint)).dot(this.up) < -1e-6 * this.size;
        const foot = groundGlyph(r, this.planar, hangs ? this.up.clone().negate() : this.up, colors);
        foot.position.z = this.planar ? 0.015 * this.size : 0;
        holder.add(foot);
      }
      this.jointGroup.add(holder);
      this.ties.push({ object: holder, item: joint, kind: "joint" });
      if (joint.sign === "rod") this.addTie(joint, "rod", rodGlyph(colors.line));
      this.addName(joint.name, "joint", () => (slides ? this.placeB(joint) : this.jointPlace(joint)), () => this.jointGroup.visible && !this.off.has(joint.name));
    }
    const springs = new Set(this.mechanism.springs(this.size));
    for (const force of g.forces ?? []) {
      if (springs.has(force)) this.addTie(force, "spring", springGlyph(0.9 * small, this.planar, "#6f9440"));
      if (force.radius) this.addFoot(this.jointPlace(force), force.radius, colors);
    }
    g.bodies.forEach((body, i) => {
      const frame = frameGlyph((i ? 0.07 : 0.09) * this.size, this.planar);
      if (this.planar) frame.position.z = 0.03 * this.size;
      const holder = new Group();
      holder.add(frame);
      this.frameGroup.add(holder);
      this.axes.push(holder);
      const skin = this.skins.get(i);
      const place = () => (skin instanceof LineSkin ? skin.middle(this.motion.poses[i]) : this.motion.poses[i].position);
      if (i) this.addName(body.name, "body", place, () => this.bodies[i].visible);
    });
  }

  // the ground under the spring of a rotor's support
  private addFoot(place: Vector3, radius: number, colors: GlyphColors): void {
    const foot = groundGlyph(radius, this.planar, this.up, colors);
    foot.position.copy(place).addScaledVector(this.up, 0.5 * radius);
    this.jointGroup.add(foot);
  }

  private addTie(item: GeometryItem, kind: "spring" | "rod", object: Object3D): void {
    this.ties.push({ object, item, kind });
    this.scene.add(object);
  }

  private addName(name: string, kind: string, place: () => Vector3, shown: () => boolean): void {
    const element = el("span", { class: `name ${kind}` }, name);
    this.labels.append(element);
    this.names.push({ element, place, shown });
  }

  // --- moving -----------------------------------------------------------------------------------

  jointPlace(item: GeometryItem): Vector3 {
    return this.mechanism.placeA(item);
  }

  placeB(item: GeometryItem): Vector3 {
    return this.mechanism.placeB(item);
  }

  // Shows the deformation of flexible bodies larger than it is.
  setDeformation(scale: number): void {
    this.mechanism.setDeformation(scale);
    this.ghost?.setDeformation(scale);
  }

  // Puts everything where the motion says.
  update(): void {
    this.mechanism.place();
    this.axes.forEach((axes, i) => {
      axes.position.copy(this.motion.poses[i].position);
      axes.quaternion.copy(this.motion.poses[i].turn);
    });
    for (const tie of this.ties) {
      tie.object.visible = !this.off.has(tie.item.name);
      const a = this.jointPlace(tie.item);
      if (tie.kind === "joint") {
        tie.object.position.copy(a);
        tie.object.quaternion.copy(this.motion.poses[tie.item.bodies[0]].turn);
      } else {
        stretch(tie.object, a, this.placeB(tie.item));
        if (this.planar) tie.object.position.z += 0.012 * this.size;
      }
    }
    this.invalidate();
  }

  invalidate(): void {
    this.dirty = true;
  }

  // --- what is shown ----------------------------------------------------------------------------

  show(what: "joints" | "frames" | "grid" | "names" | "traces", on: boolean): void {
    if (what === "joints") this.jointGroup.visible = on;
    else if (what === "frames") this.frameGroup.visible = on;
    else if (what === "traces") this.traceGroup.visible = on;
    else if (what === "grid" && this.grid) this.grid.visible = on;
    else if (what === "names") this.labels.classList.toggle("on", on);
    this.invalidate();
  }

  get traceColors(): string[] {
    return this.traceGroup.children.map((line) => `#${((line as Line).material as LineBasicMaterial).color.getHexString()}`);
  }

  // Draws lines; those that are `above` are thicker and seen through bodies.
  setTraces(paths: { color: string; points: Float32Array; above?: boolean }[]): void {
    for (const child of [...this.traceGroup.children]) {
      (child as Line).geometry.dispose();
      this.traceGroup.remove(child);
    }
    for (const path of paths) {
      if (path.above) {
        const points = Array.from({ length: path.points.length / 3 - 1 }, (_, i) => new Vector3().fromArray(path.points, 3 * i));
        const tube = new TubeGeometry(new CatmullRomCurve3(points, true), 2 * points.length, 0.0022 * this.size, 6, true);
        this.traceGroup.add(new Mesh(tube, new MeshBasicMaterial({ color: path.color, transparent: true, depthTest: false })));
        continue;
      }
      const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(path.points, 3));
      const line = new Line(geometry, new LineBasicMaterial({ color: path.color, transparent: true, opacity: 0.75 }));
      if (this.planar) line.position.z = 0.01 * this.size;
      this.traceGroup.add(line);
    }
    this.invalidate();
  }

  setTheme(theme: Theme): void {
    const from = inks[this.theme];
    const to = inks[theme];
    this.theme = theme;
    this.scene.background = new Color(this.picture && theme === "light" ? "#ffffff" : backgrounds[theme]);
    const recolor = (object: Object3D) => object.traverse((child) => {
      const m = (child as Mesh).material as (Material & { color?: Color }) | undefined;
      if (!m?.color) return;
      const hex = `#${m.color.getHexString()}`;
      if (hex === new Color(from.line).getHexString() || hex === from.line) m.color.set(to.line);
      else if (hex === from.fill) m.color.set(to.fill);
    });
    recolor(this.jointGroup);
    for (const tie of this.ties) recolor(tie.object);
    this.ghost?.setTheme();
    this.makeGrid();
    this.invalidate();
  }

  private makeGrid(): void {
    const visible = this.grid?.visible ?? true;
    if (this.grid) this.scene.remove(this.grid);
    this.grid?.dispose();
    const target = this.size / 12;
    const power = 10 ** Math.floor(Math.log10(target));
    const step = power * ([1, 2, 5, 10].find((k) => k * power >= target) ?? 10);
    const count = this.planar ? 60 : 24;
    const colors = this.theme === "light" ? ["#c9d2da", "#e3e8ed"] : ["#3a444e", "#222a31"];
    const grid = new GridHelper(count * step, count, colors[0], colors[1]);
    const normal = this.planar ? new Vector3(0, 0, 1) : this.up;
    grid.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), normal));
    const middle = this.box.getCenter(new Vector3());
    if (this.planar) {
      grid.position.set(Math.round(middle.x / step) * step, Math.round(middle.y / step) * step, -0.1 * this.size);
    } else {
      // under the mechanism
      const low = Math.min(dotMin(this.box, this.up), 0);
      grid.position.copy(middle.sub(this.up.clone().multiplyScalar(middle.dot(this.up)))).divideScalar(step).round().multiplyScalar(step);
      grid.position.addScaledVector(this.up, Math.abs(low) < 1e-9 ? 0 : low - 0.01 * this.size);
    }
    grid.visible = visible;
    this.grid = grid;
    this.scene.add(grid);
  }

  // Looks at all of the mechanism from a direction; without one the direction stays.
  fit(direction?: Vector3): void {
    this.fitted = { from: direction?.clone() };
    this.resize(false);
    const middle = this.box.getCenter(new Vector3());
    const { left, top, right, bottom } = this.margins;
    const aspect = (this.width - left - right) / (this.height - top - bottom);
    if (this.camera instanceof OrthographicCamera) {
      const from = direction?.normalize() ?? new Vector3(0, 0, 1);
      const [across, upright] = this.halves(from, middle);
      const half = Math.max(upright, across / aspect, 1e-6);
      this.camera.zoom = 1;
      this.camera.top = this.picture ? half : 1.12 * half + 0.03 * this.size;
      this.camera.position.copy(middle).addScaledVector(from, 10 * this.size);
      this.camera.near = 0.01 * this.size;
      this.camera.far = 100 * this.size;
    } else {
      const from = (direction ?? this.defaultDirection()).normalize();
      this.camera.position.copy(middle).addScaledVector(from, this.distanceFor(from, middle, aspect));
      this.camera.near = 0.01 * this.size;
      this.camera.far = 60 * this.size;
    }
    this.controls.target.copy(middle);
    this.resize(false);
    this.controls.update();
    this.invalidate();
  }

  // the directions of the picture as seen from a side
  private directions(from: Vector3): { right: Vector3; top: Vector3 } {
    const right = this.up.clone().cross(from);
    if (right.lengthSq() < 1e-12) right.copy(this.sideways());
    right.normalize();
    return { right, top: from.clone().cross(right) };
  }

  // half of what the box measures across and upright, as seen from a side
  private halves(from: Vector3, middle: Vector3): [number, number] {
    const { right, top } = this.directions(from);
    const corners = cornersOf(this.box).map((p) => p.sub(middle));
    return [Math.max(...corners.map((p) => Math.abs(p.dot(right)))), Math.max(...corners.map((p) => Math.abs(p.dot(top))))];
  }

  // how far away the camera sees all corners of the box
  private distanceFor(from: Vector3, middle: Vector3, aspect: number): number {
    const { right, top } = this.directions(from);
    const tan = Math.tan(((this.camera as PerspectiveCamera).fov * Math.PI) / 360) * (this.picture ? 1 : 0.9);
    let distance = 0.3 * this.size;
    for (const p of cornersOf(this.box)) {
      p.sub(middle);
      distance = Math.max(distance, p.dot(from) + Math.max(Math.abs(p.dot(right)) / (tan * aspect), Math.abs(p.dot(top)) / tan));
    }
    return distance;
  }

  private sideways(): Vector3 {
    return Math.abs(this.up.x) > 0.5 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
  }

  private defaultDirection(): Vector3 {
    // from the front, a little from the side and from above
    const side = this.sideways();
    const front = side.clone().cross(this.up);
    return front.addScaledVector(side, 0.62).addScaledVector(this.up, 0.42);
  }

  standardView(name: "iso" | "front" | "side" | "top"): void {
    const side = this.sideways();
    const front = side.clone().cross(this.up);
    const views = { iso: this.defaultDirection(), front, side, top: this.up.clone().addScaledVector(front, 1e-4) };
    this.fit(views[name]);
  }

  // Looks closer by a factor.
  zoom(factor: number): void {
    const { camera, controls } = this;
    this.fitted = null;
    if (camera instanceof OrthographicCamera) camera.zoom *= factor;
    else camera.position.sub(controls.target).divideScalar(factor).add(controls.target);
    camera.updateProjectionMatrix();
    controls.update();
    this.invalidate();
  }

  // Goes by a step to the right and up: around the mechanism in space, over it in the plane.
  turn(right: number, up: number): void {
    const { camera, controls } = this;
    this.fitted = null;
    if (camera instanceof OrthographicCamera) {
      const step = (0.1 * 2 * camera.top) / camera.zoom;
      for (const place of [camera.position, controls.target]) place.add(new Vector3(right * step, up * step, 0));
    } else {
      const step = Math.PI / 24;
      const from = camera.position.clone().sub(controls.target).applyAxisAngle(this.up, right * step);
      const height = from.angleTo(this.up);
      const turned = Math.min(Math.max(height - up * step, 0.02), Math.PI - 0.02) - height;
      camera.position.copy(from.applyAxisAngle(this.up.clone().cross(from).normalize(), turned)).add(controls.target);
    }
    controls.update();
    this.invalidate();
  }

  // --- drawing ----------------------------------------------------------------------------------

  private resize(draws = true): void {
    const { clientWidth, clientHeight } = this.host;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.width = clientWidth;
    this.height = clientHeight;
    this.renderer?.setPixelRatio(Math.min(window.devicePixelRatio, 2) * this.sharpness);
    this.renderer?.setSize(clientWidth, clientHeight, true);
    // what is looked at is between the margins; the picture continues behind them
    const { left, top, right, bottom } = this.margins;
    const [inner, below] = [clientWidth - left - right, clientHeight - top - bottom];
    const aspect = inner / below;
    this.camera.setViewOffset(inner, below, -left, -top, clientWidth, clientHeight);
    if (this.camera instanceof OrthographicCamera) {
      this.camera.bottom = -this.camera.top;
      this.camera.right = this.camera.top * aspect;
      this.camera.left = -this.camera.right;
    } else {
      this.camera.aspect = aspect;
    }
    this.camera.updateProjectionMatrix();
    this.dirty = true;
    if (draws) this.draw();
  }

  // at the top, the room of the buttons
  private get margins(): Margins {
    return this.picture?.margins ?? { left: 0, top: Math.min(50, 0.2 * this.height), right: 0, bottom: 0 };
  }

  // While it plays too slowly, pixels become larger; standing still it is sharp again.
  private adapt(now: number): void {
    const interval = now - this.lastFrame;
    this.lastFrame = now;
    if (!this.playing || this.steady) {
      this.interval = 30;
      this.setSharpness(1);
      return;
    }
    this.interval += 0.1 * (Math.min(interval, 400) - this.interval);
    if (now - this.adapted < 600) return;
    if (this.interval > 45) this.setSharpness(Math.max(0.5, this.sharpness * 0.75));
    else if (this.interval < 22) this.setSharpness(Math.min(1, this.sharpness * 1.25));
    this.adapted = now;
  }

  private setSharpness(sharpness: number): void {
    if (sharpness === this.sharpness) return;
    this.sharpness = sharpness;
    this.resize(false);
  }

  // where a point is on the canvas, in pixels of the page from its upper left corner
  project(point: Vector3): { x: number; y: number } {
    const p = point.clone().project(this.camera);
    return { x: ((p.x + 1) / 2) * this.width, y: ((1 - p.y) / 2) * this.height };
  }

  draw(): void {
    if (!this.dirty || !this.renderer) return;
    this.dirty = false;
    this.frames++;
    this.mechanism.prepare();
    this.ghost?.prepare();
    this.scene.updateMatrixWorld();
    this.instances?.update();
    this.ghost?.arrange();
    this.renderer.render(this.scene, this.camera);
    if (!this.labels.classList.contains("on")) return;
    for (const { element, place, shown } of this.names) {
      const { x, y } = this.project(place());
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      element.hidden = !shown();
    }
  }
}

function largestAxis(v: Vector3): Vector3 {
  const a = [Math.abs(v.x), Math.abs(v.y), Math.abs(v.z)];
  const k = a.indexOf(Math.max(...a));
  return new Vector3().setComponent(k, Math.sign(v.getComponent(k)));
}

function dotMin(box: Box3, direction: Vector3): number {
  return Math.min(box.min.dot(direction), box.max.dot(direction));
}
