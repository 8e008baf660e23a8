// The page: puts animation, plots and tables together.
import "./style.css";
import { Acting } from "./acting";
import { forceColor, torqueColor } from "./arrows";
import { readReport, sample, type Analysis, type Report } from "./data";
import { button, download, el, icon, setIcon, toggle } from "./dom";
import { Frames } from "./frames";
import { Ghost } from "./ghost";
import { clock as clockOf, number, roundDown, unit } from "./format";
import { Motion } from "./motion";
import { modelPanel, modesOf, modesPanel, rigidCount, summaryPanel } from "./panels";
import { Player, speedsAround } from "./player";
import { Plots } from "./plots";
import { View } from "./scene";
import { palette } from "./shapes";
import { Sheet } from "./sheet";
import { LineSkin } from "./line_skin";
import { Skin } from "./skin";
import { ramp } from "./skin_shaders";
import { Strobe, strobeOf } from "./strobe";
import { Themes } from "./theme";
import { liveliest, orbitPaths, steadyOrbits, tracePath, tracePoints } from "./traces";
import type { SheetData } from "./types";
import { AlongBeams } from "./along";
import { valuesPanel } from "./values";

class App {
  readonly player = new Player();
  readonly motion: Motion;
  readonly acting = new Acting();
  readonly ghost: Ghost | null;
  readonly view: View;
  readonly plots: Plots;
  readonly along: AlongBeams;
  analysis: Analysis | null = null;
  private readonly stage = el("div", { class: "stage" });
  private readonly panel = el("div", { class: "panel-body", id: "panel", role: "tabpanel", tabindex: "-1" });
  private readonly tabs = el("div", { class: "tabs", role: "tablist", "aria-label": "Results" });
  private readonly legend = el("div", { class: "color-legend", hidden: true });
  private readonly ghostLegend = el("div", { class: "ghost-legend", hidden: true });
  private readonly note = el("div", { class: "note" });
  private readonly menu = el("div", { class: "menu", id: "menu", role: "group", "aria-label": "Display", hidden: true });
  private readonly recorder = button("camera", "Record a video of one pass (WebM)", () => void this.record(), { id: "record" });
  private tab = "Plots";
  private readonly sheet: Sheet | null;
  private readonly themes = new Themes((theme) => {
    this.view.setTheme(theme);
    this.plots.refresh();
    this.along.refresh();
    this.sheet?.refresh();
  });
  private readonly traced = new Set<string>();
  private readonly shows = { forces: false, torques: false, stress: false, envelope: false, ghost: true };
  private deformation = 1;
  private stressRange = 0;
  private strobe: Strobe | null = null;
  private strobes = true;
  private orbitsAt = NaN; // the speed whose orbits are drawn

  constructor(readonly report: Report) {
    this.motion = new Motion(report);
    this.sheet = report.sheet && new Sheet(report.sheet);
    if (this.sheet) this.tab = this.sheet.data.title;
    const root = document.getElementById("app")!;
    root.append(this.header(), el("main", {},
      el("section", { class: "scene", "aria-label": "Animation" }, this.stage, this.playerBar()),
      el("section", { class: "panel", "aria-label": "Results" }, this.tabs, this.panel)));
    this.ghost = report.ghost && new Ghost(report.ghost, report.compare!.shift);
    this.view = new View(report, this.motion, this.stage, undefined, this.ghost);
    this.plots = new Plots(report, this.player);
    this.along = new AlongBeams(report, this.player);
    this.stage.append(this.note, this.viewTools(), this.ghostLegend, this.menu, this.legend);
    this.themes.start();
    this.player.onTime((t) => this.move(t));
    this.player.onState(() => {
      this.view.playing = this.player.playing;
      this.recorder.hidden = !this.player.playable || !this.view.draws || typeof MediaRecorder === "undefined";
      if (this.player.playing || !this.strobe) return;
      // what was seen stays
      if (this.strobe.acts) this.player.seek(this.strobe.seen);
      this.strobe.restart();
    });
    addEventListener("keydown", (e) => this.key(e));
  }

  async start(): Promise<void> {
    const { analyses } = this.report;
    await this.open(firstShown(analyses), true);
  }

  // --- analyses ---------------------------------------------------------------------------------

  async open(analysis: Analysis | null, first = false): Promise<void> {
    this.analysis = analysis;
    await this.motion.open(analysis);
    if (first) await this.ghost?.open();
    await this.acting.open(this.report.geometry, analysis);
    this.motion.mode = rigidCount(this.report); // the first that deforms it
    const vibrates = !analysis || analysis.isModes;
    const times = vibrates ? Float64Array.from({ length: 61 }, (_, i) => i / 60) : analysis.time;
    if (first) {
      this.motion.amplitude = 0;
      const moves = !vibrates && (!analysis.isStill || analysis.data.type === "statics"); // bodies do along a path of equilibria
      await this.view.build(sample(moves ? times : new Float64Array([0]), 80));
      this.motion.amplitude = 0.08;
    }
    const steady = !!analysis?.isSteady;
    this.strobe = null;
    this.player.setTimes(times, vibrates || steady ? 0.5 : undefined, analysis?.isStill, steady);
    this.strobe = await strobeOf(analysis, this.report.geometry.bodies.find((b) => b.modes_of)?.modes_of);
    await this.view.arrows.show(analysis, this.shows.forces, this.shows.torques);
    await this.plots.open(analysis);
    await this.along.open(analysis);
    if (first && analysis && !vibrates && !analysis.isStill && times.length > 1) {
      const point = liveliest(tracePoints(this.report), this.motion, analysis);
      if (point) this.traced.add(point.label);
    }
    await this.findStressRange();
    this.findEnvelopes();
    const best = this.chooseDeformation();
    this.showGhost();
    this.applySkins();
    this.drawTraces();
    this.buildMenu();
    await this.buildTabs();
    document.getElementById("app")!.dataset.analysis = analysis?.data.name ?? "";
    this.player.seek(steady ? best : this.player.start);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if ((vibrates || steady) && this.player.playable && !still) this.player.setPlaying(true);
  }

  private move(t: number): void {
    const { player, strobe } = this;
    if (this.analysis?.isSteady && t !== this.orbitsAt) this.drawOrbits(t);
    this.motion.phase = player.phase;
    const seen = strobe && this.strobes && player.playing ? strobe.at(t, player.speed) : t;
    this.motion.update(seen);
    this.ghost?.update(seen);
    this.view.arrows.update(t);
    this.view.off = this.acting.off(t);
    this.view.update();
  }

  // those of the steady whirl at a speed
  private drawOrbits(speed: number): void {
    this.orbitsAt = speed;
    this.view.setTraces(steadyOrbits(this.report, this.motion, this.view.places, speed));
  }

  private drawTraces(): void {
    const { analysis } = this;
    if (analysis?.isSteady) {
      this.orbitsAt = NaN;
      this.move(this.player.t);
      return;
    }
    if (analysis?.isWhirl) {
      void orbitPaths(this.report, this.motion, this.deformation, analysis).then((paths) => this.analysis === analysis && this.view.setTraces(paths));
      return;
    }
    const moves = analysis && !analysis.isModes && !analysis.isStill && analysis.time.length > 1;
    const points = moves ? tracePoints(this.report).filter((p) => this.traced.has(p.label)) : [];
    this.view.setTraces(points.map((p) => tracePath(p, this.motion, this.view.places, analysis!)));
    this.move(this.player.t);
  }

  // --- the other result ---------------------------------------------------------------------------

  // Whether what it is compared with moves in this analysis, too.
  private get hasGhost(): boolean {
    const { analysis } = this;
    return !!this.ghost && !!analysis && analysis === this.report.compared && !analysis.isModes && !analysis.isSteady && this.view.draws;
  }

  private showGhost(): void {
    const shown = this.hasGhost && this.shows.ghost;
    this.ghost?.show(shown);
    this.ghostLegend.hidden = !shown;
    const { own, source } = this.report.compare ?? { own: "", source: "" };
    this.ghostLegend.replaceChildren(...[["own", own], ["other", source]].map(([kind, label]) =>
      el("span", { class: kind, title: label }, el("i", {}), el("span", {}, label))));
    this.view.invalidate();
  }

  // --- flexible bodies --------------------------------------------------------------------------

  // the largest stress of the run: from its channels, or else at some instants
  private async findStressRange(): Promise<void> {
    this.stressRange = 0;
    const { analysis } = this;
    if (analysis && !analysis.isModes) {
      const known = await analysis.load(...[...this.view.skins.values()].map((skin) => `${skin.data.name}.stress.max`));
      const [first, end] = analysis.within(this.report.data.span);
      for (const columns of known) this.stressRange = columns?.[0].subarray(first, end).reduce((a, b) => Math.max(a, b), this.stressRange) ?? this.stressRange;
      if (this.stressRange > 0) return;
    }
    const times = this.analysis && !this.analysis.isModes ? sample(this.analysis.time, 60) : [0.25];
    for (const t of times) {
      this.motion.update(t);
      for (const [index, skin] of this.view.skins) {
        const every = Math.max(1, Math.floor(skin.vertices / 1500));
        this.stressRange = Math.max(this.stressRange, skin.largestStress(this.motion.poses[index], every));
      }
    }
  }

  // Shows the deflections of a rotor, which may be tiny, and at a critical speed huge, so large that they can be seen.
  // Returns when they are largest.
  private chooseDeformation(): number {
    const { analysis, motion } = this;
    let [largest, at] = [0, 0];
    if (!this.report.analyses.some((a) => a.isWhirl)) return at;
    this.deformation = 1;
    if (!analysis || analysis.isModes) return at;
    for (const t of sample(analysis.time, 200))
      for (const phase of analysis.isSteady ? [0, 0.25] : [0]) {
        motion.phase = phase;
        motion.update(t);
        for (const [index, skin] of this.view.skins) {
          const shift = skin.largestShift(motion.poses[index], 16);
          if (shift > largest) [largest, at] = [shift, t];
        }
      }
    if (largest > 0) this.deformation = roundDown((0.08 * motion.size) / largest);
    return at;
  }

  // Exact beams can have the largest stresses of the run as colours.
  private get hasEnvelope(): boolean {
    const { analysis } = this;
    return !!analysis && !analysis.isModes && analysis.time.length > 1 && [...this.view.skins.values()].some((s) => s instanceof LineSkin && s.hasStress);
  }

  private findEnvelopes(): void {
    const [first, end] = this.analysis?.within(this.report.data.span) ?? [0, 0];
    const on = this.shows.envelope && this.hasEnvelope;
    for (const [index, skin] of this.view.skins)
      if (skin instanceof LineSkin)
        skin.setEnvelope(!on ? null : (take) => {
          for (let i = first; i < end; i++) {
            this.motion.update(this.analysis!.time[i]);
            take(this.motion.poses[index]);
          }
        });
    this.move(this.player.t);
  }

  private applySkins(): void {
    const notes = [this.deformation === 1 ? "" : `deformation × ${number(this.deformation, 2)}`, this.strobe && this.strobes ? "stroboscopic view" : ""];
    this.note.textContent = notes.filter(Boolean).join(", ");
    const shown = this.shows.stress && this.stressRange > 0;
    this.view.setDeformation(this.deformation);
    for (const skin of this.view.skins.values()) skin.setStress(shown, this.stressRange);
    const colored = shown && [...this.view.skins.values()].some((s) => s.hasStress);
    this.legend.hidden = !colored;
    const relative = !this.analysis || this.analysis.isModes;
    this.legend.replaceChildren(
      el("b", {}, relative ? "von Mises stress, relative" : this.shows.envelope && this.hasEnvelope ? "Largest von Mises stress" : "von Mises stress"),
      el("i", { style: `background:linear-gradient(to right, ${ramp.join(", ")})` }),
      el("div", { class: "scale" }, ...[0, 0.25, 0.5, 0.75, 1].map((s) =>
        el("span", {}, relative ? number(s, 3) : number((s * this.stressRange) / 1e6, 3)))),
      relative ? "" : el("small", {}, unit("MPa")));
    this.view.invalidate();
  }

  // --- header and tools -------------------------------------------------------------------------

  private header(): HTMLElement {
    const { analyses } = this.report;
    const select = el("select", { "aria-label": "Analysis" }, ...analyses.map((a, i) => el("option", { value: i }, a.data.name === a.data.type ? a.data.name : `${a.data.name} (${a.data.type})`)));
    select.value = String(analyses.indexOf(firstShown(analyses)!));
    let opened: Promise<void> = Promise.resolve(); // one after the other: what is chosen meanwhile waits
    select.addEventListener("change", () => {
      const chosen = select.value;
      opened = opened.catch(() => undefined).then(() => (select.value === chosen ? this.open(analyses[Number(chosen)]) : undefined));
    });
    return header(this.report,
      analyses.length > 1 ? el("label", { class: "select" }, el("span", {}, "Analysis"), select) : null,
      button("help", "Keys", () => this.help()),
      this.themes.button);
  }

  private viewTools(): HTMLElement {
    const planar = this.report.geometry.dimension === 2;
    const views = planar ? [] : (["iso", "front", "side", "top"] as const).map((name) =>
      el("button", { type: "button", class: "button word", title: `View: ${name}`, onclick: () => this.view.standardView(name) }, name));
    const show = button("layers", "Display", () => this.showMenu(this.menu.hidden),
      { id: "shown", "aria-expanded": "false", "aria-controls": "menu" });
    return el("div", { class: "view-tools" }, show, button("fit", "Fit (F)", () => this.view.fit()), ...views, this.recorder);
  }

  private showMenu(on: boolean): void {
    const control = document.getElementById("shown")!;
    if (!on && this.menu.contains(document.activeElement)) control.focus();
    this.menu.hidden = !on;
    control.setAttribute("aria-expanded", String(on));
  }

  private buildMenu(): void {
    const { view, report } = this;
    const bodies = report.geometry.bodies.map((body, i) => ({ body, i })).filter(({ body }) => body.kind !== "ground");
    const slider = (label: string, min: number, max: number, value: number, show: (v: number) => string, set: (v: number) => void) => {
      const input = el("input", { type: "range", min, max, step: (max - min) / 200, "aria-label": label });
      const shown = el("output", {}, show(value));
      input.value = String(value);
      input.addEventListener("input", () => {
        shown.textContent = show(Number(input.value));
        set(Number(input.value));
      });
      return el("label", { class: "slider" }, label, input, shown);
    };
    const arrows = async () => {
      await view.arrows.show(this.analysis, this.shows.forces, this.shows.torques);
      this.move(this.player.t);
    };
    const dot = (color: string) => el("i", { class: "dot", style: `background:${color}` });
    const labelled = (label: HTMLElement, color: string) => {
      label.insertBefore(dot(color), label.lastChild);
      return label;
    };
    const parts: (Node | null)[] = [
      el("h2", {}, "Show"),
      toggle("Joints", true, (on) => view.show("joints", on)),
      toggle("Names", view.labels.classList.contains("on"), (on) => view.show("names", on)),
      toggle("Frames", false, (on) => view.show("frames", on)),
      toggle("Grid", true, (on) => view.show("grid", on)),
    ];
    if (this.hasGhost) parts.push(labelled(toggle(`Ghost of ${report.compare!.source}`, this.shows.ghost, (on) => { this.shows.ghost = on; this.showGhost(); }),
      `color-mix(in srgb, var(--ghost) 45%, transparent)`));
    view.show("joints", true);
    view.show("frames", false);
    view.show("grid", true);
    if (view.arrows.available(this.analysis)) {
      parts.push(
        labelled(toggle("Forces", this.shows.forces, (on) => { this.shows.forces = on; void arrows(); }), forceColor),
        labelled(toggle("Moments", this.shows.torques, (on) => { this.shows.torques = on; void arrows(); }), torqueColor),
        slider("Size of arrows", -1, 1, Math.log10(view.arrows.scale), (v) => `${number(10 ** v, 2)}×`, (v) => {
          view.arrows.scale = 10 ** v;
          this.move(this.player.t);
        }));
    }
    if (view.skins.size) {
      parts.push(el("h2", {}, "Flexible bodies"));
      const chosen = Math.log10(this.deformation);
      const factor = (v: number) => (Math.abs(v) <= 0.01 ? 1 : 10 ** v);
      const scaled = [...view.skins.values()].some((s) => s instanceof Skin); // exact beams are shown as they are
      if (this.analysis && scaled) parts.push(slider("Deformation", Math.min(0, chosen - 1), Math.max(3, chosen + 1), chosen, (v) => `${number(factor(v), 2)}×`, (v) => {
        this.deformation = factor(v);
        this.applySkins();
        this.drawTraces();
      }));
      if (this.strobe) parts.push(toggle("Stroboscope", this.strobes, (on) => {
        this.strobes = on;
        this.applySkins();
      }));
      if ([...view.skins.values()].some((s) => s.hasStress))
        parts.push(toggle("von Mises stress", this.shows.stress, (on) => { this.shows.stress = on; this.applySkins(); }));
      if (this.hasEnvelope)
        parts.push(toggle("Largest of the run", this.shows.envelope, (on) => {
          this.shows.envelope = on;
          this.findEnvelopes();
          this.applySkins();
        }));
    }
    if (bodies.length) {
      parts.push(el("h2", {}, "Bodies"), el("div", { class: "list" }, ...bodies.map(({ body, i }) =>
        labelled(toggle(body.name, view.bodies[i]?.visible ?? true, (on) => { view.bodies[i].visible = on; view.invalidate(); }), palette[(i - 1) % palette.length]))));
    }
    if (this.analysis && !this.analysis.isModes && !this.analysis.isStill && this.analysis.time.length > 1) {
      parts.push(el("h2", {}, "Paths of points"), el("div", { class: "list" }, ...tracePoints(report).map((point) =>
        toggle(point.label, this.traced.has(point.label), (on) => {
          if (on) this.traced.add(point.label);
          else this.traced.delete(point.label);
          this.drawTraces();
        }))));
    }
    this.menu.replaceChildren(...parts.filter((p): p is Node => p !== null));
  }

  // --- playing ----------------------------------------------------------------------------------

  private playerBar(): HTMLElement {
    const { player } = this;
    const play = button("play", "Play (space)", () => player.toggle(), { class: "button main", id: "play" });
    const scrub = el("input", { type: "range", id: "scrub", min: 0, max: 1, step: "any", "aria-label": "Time" });
    const clock = el("output", { id: "clock", "aria-live": "off" });
    const speed = el("select", { id: "speed", "aria-label": "Speed" });
    const tools = [button("back", "One instant back (←)", () => player.step(-1)), play, button("forward", "One instant forward (→)", () => player.step(1))];
    scrub.addEventListener("input", () => {
      if (!player.turns) player.setPlaying(false);
      player.seek(Number(scrub.value));
    });
    // its own steps are no instants; the page has better ones for these keys
    scrub.addEventListener("keydown", (e) => {
      if (/^(Arrow|Page|Home|End)/.test(e.key)) e.preventDefault();
    });
    speed.addEventListener("change", () => player.setSpeed(Number(speed.value)));
    const bar = el("div", { class: "player" }, ...tools, scrub, clock, speed);
    let told = 0;
    let inWords: (t: number) => string = String;
    player.onTime((t) => {
      const now = performance.now();
      if (player.playing && now - told < 100) return;
      told = now;
      scrub.value = String(t);
      clock.textContent = inWords(t);
      scrub.setAttribute("aria-valuetext", clock.textContent);
    });
    player.onState(() => {
      bar.hidden = !player.movable;
      play.hidden = !player.playable;
      speed.hidden = player.still;
      const over = this.analysis && !this.analysis.isModes ? this.analysis.over.name : "phase";
      inWords = over === "phase" ? (t) => `${Math.round(360 * t)}°` : clockOf(this.analysis!.time, this.analysis!.over.unit);
      scrub.setAttribute("aria-label", over[0].toUpperCase() + over.slice(1));
      scrub.min = String(player.start);
      scrub.max = String(player.end);
      setIcon(play, player.playing ? "pause" : "play", player.playing ? "Pause (space)" : "Play (space)");
      const named = (s: number) => `${s < 1 ? "1/" : ""}${number(s < 1 ? 1 / s : s, 3).replace(".0e", "e")}×`;
      speed.replaceChildren(...speedsAround(player.speed).map((s) => el("option", { value: s }, named(s))));
      speed.value = String(player.speed);
    });
    return bar;
  }

  // Records one pass as a video.
  private async record(): Promise<void> {
    const { recorder: control } = this;
    control.disabled = true;
    control.classList.add("on");
    this.view.steady = true;
    const recorder = new MediaRecorder(this.view.canvas.captureStream(30), { mimeType: "video/webm", videoBitsPerSecond: 8e6 });
    const chunks: Blob[] = [];
    recorder.ondataavailable = (e) => chunks.push(e.data);
    const finished = new Promise((done) => (recorder.onstop = done));
    this.player.rewind();
    this.player.loop = false;
    recorder.start(100);
    // a busy machine takes a while to have the first picture
    for (let waits = 0; waits < 100 && !chunks.some((c) => c.size > 0); waits++) {
      this.view.invalidate();
      await new Promise((done) => setTimeout(done, 50));
    }
    this.player.setPlaying(true);
    while (this.player.playing) await new Promise((done) => setTimeout(done, 100));
    recorder.stop();
    await finished;
    this.player.loop = true;
    this.view.steady = false;
    control.disabled = false;
    control.classList.remove("on");
    download("animation.webm", new Blob(chunks, { type: "video/webm" }));
  }

  // --- panels -----------------------------------------------------------------------------------

  private async buildTabs(): Promise<void> {
    const modes = await modesOf(this.report, this.analysis);
    const alone = this.analysis && !this.analysis.isModes && this.analysis.time.length === 1;
    const values = alone ? await valuesPanel(this.analysis!) : null;
    const names = [...(this.sheet ? [this.sheet.data.title] : []), ...(alone ? ["Values"] : this.analysis && !this.analysis.isModes ? ["Plots"] : []), ...(this.along.some ? ["Beams"] : []), ...(modes ? ["Modes"] : []), "Summary",
      ...(this.analysis?.isModes ? ["Plots"] : []), ...(this.report.data.model || this.report.data.body ? ["Model"] : [])];
    if (!names.includes(this.tab) || modes) this.tab = names[0];
    const show = async (name: string) => {
      this.tab = name;
      this.panel.setAttribute("aria-labelledby", `tab-${name}`);
      for (const tab of this.tabs.children) {
        const on = (tab as HTMLElement).dataset.name === name;
        tab.setAttribute("aria-selected", String(on));
        (tab as HTMLElement).tabIndex = on ? 0 : -1;
      }
      const content = name === this.sheet?.data.title ? this.sheet.element
        : name === "Plots" ? this.plots.element
        : name === "Beams" ? this.along.element
        : name === "Values" ? values!
        : name === "Summary" ? await summaryPanel(this.report, this.analysis)
        : name === "Model" ? modelPanel(this.report)
        : modesPanel(this.report, modes!, this.motion.mode, (mode) => {
            this.motion.mode = mode;
            this.drawTraces();
            void this.findStressRange().then(() => this.applySkins());
            this.player.setPlaying(true);
          }, this.motion.amplitude, (value) => {
            this.motion.amplitude = value;
            this.drawTraces();
            void this.findStressRange().then(() => this.applySkins());
            this.move(this.player.t);
          });
      if (this.tab !== name) return;
      this.panel.replaceChildren(content);
      this.plots.refresh();
      this.along.refresh();
      this.sheet?.refresh();
    };
    this.tabs.replaceChildren(...names.map((name) =>
      el("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel", "data-name": name, "aria-selected": "false", onclick: () => void show(name) }, name)));
    this.tabs.onkeydown = (e) => {
      const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
      if (!step) return;
      e.stopPropagation();
      const next = names[(names.indexOf(this.tab) + step + names.length) % names.length];
      void show(next).then(() => (this.tabs.querySelector('[aria-selected="true"]') as HTMLElement | null)?.focus());
    };
    await show(this.tab);
  }

  showTab(name: string): void {
    ([...this.tabs.children].find((t) => (t as HTMLElement).dataset.name === name) as HTMLElement | undefined)?.click();
  }

  // --- keys and themes --------------------------------------------------------------------------

  private key(e: KeyboardEvent): void {
    if (document.querySelector("dialog[open]")) return; // it has the keys, Escape above all
    const target = e.target as HTMLElement;
    // other controls keep the keys that they use themselves
    const busy = target.matches('input[type="search"], input[type="range"]:not(#scrub), select, textarea') || e.ctrlKey || e.metaKey || e.altKey;
    if (busy && e.key !== "Escape") return;
    const many = e.shiftKey ? 10 : 1;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.player.step(-many), ArrowRight: () => this.player.step(many),
      Home: () => this.player.seek(this.player.start), End: () => this.player.seek(this.player.end),
      f: () => this.view.fit(), "+": () => this.view.zoom(1.25), "=": () => this.view.zoom(1.25), "-": () => this.view.zoom(0.8), "/": () => this.search(),
      a: () => this.view.turn(-1, 0), d: () => this.view.turn(1, 0), w: () => this.view.turn(0, 1), s: () => this.view.turn(0, -1),
      "?": () => this.help(), Escape: () => this.showMenu(false),
    };
    if (!target.matches("button, summary, [role=tab], label, input[type=checkbox]")) actions[" "] = () => this.player.toggle();
    if (target.closest(".panel-body") && !target.matches(".panel-body") && ["Home", "End"].includes(e.key)) return;
    const action = actions[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!action) return;
    e.preventDefault();
    action();
  }

  private search(): void {
    for (const name of ["Plots", "Values"]) this.showTab(name);
    (this.panel.querySelector('input[type="search"]') as HTMLElement | null)?.focus();
  }

  private help(): void {
    const keys: [string, string][] = [["space", "play, pause"], ["← →", "one instant back, forward"], ["Shift ← →", "ten instants"],
      ["Home, End", "first, last instant"], ["F", "fit the mechanism into the view"], ["+ −", "zoom"],
      ["A D W S", this.view.planar ? "pan left, right, up, down" : "rotate left, right, up, down"], ["/", "search channels"], ["click in a plot", "go to that time"],
      ["drag in a plot", "zoom; double click shows all"], ["drag, scroll in the view", "rotate or pan, zoom"]];
    const dialog = el("dialog", { class: "help", "aria-label": "Keys" }, el("h2", {}, "Keys"),
      el("dl", { class: "facts" }, ...keys.flatMap(([k, what]) => [el("dt", {}, el("kbd", {}, k)), el("dd", {}, what)])),
      el("button", { type: "button", class: "text-button", onclick: () => dialog.close() }, "Close"));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}

function header(report: Report, ...tools: (Node | null)[]): HTMLElement {
  document.title = report.title;
  return el("header", { class: "top" }, el("span", { class: "brand", "aria-hidden": "true" }, "Limber"), el("h1", { title: report.title }, report.title), ...tools);
}

// A page with a sheet alone: nothing moves in it.
function showSheet(report: Report, data: SheetData): void {
  const sheet = new Sheet(data);
  const themes = new Themes(() => sheet.refresh());
  document.getElementById("app")!.append(header(report, themes.button), el("main", { class: "alone" }, sheet.element));
  themes.start();
}

// What a report begins with: what moves of a rotor, else the last analysis.
function firstShown(analyses: Analysis[]): Analysis | null {
  return analyses.find((a) => a.isWhirl) ?? analyses[analyses.length - 1] ?? null;
}

declare global {
  interface Window {
    limber?: App | Frames;
  }
}

try {
  const report = readReport();
  if (report.data.frames) window.limber = await Frames.open(report, report.data.frames);
  else if (report.data.kind === "sheet" && report.sheet) showSheet(report, report.sheet);
  else {
    const app = new App(report);
    await app.start();
    window.limber = app;
  }
  document.documentElement.dataset.ready = "yes";
} catch (error) {
  document.getElementById("app")!.replaceChildren(el("div", { class: "failed" }, icon("help"),
    el("p", {}, "This report cannot be displayed."), el("p", {}, String(error instanceof Error ? error.message : error))));
  throw error;
}
