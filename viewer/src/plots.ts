// Plots of channels, tied to the time of the animation.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { axis, colors, roomy, savePicture, themeColor } from "./chart";
import { Analysis, Channel, readBlock, type Report } from "./data";
import { button, download, el } from "./dom";
import { csvName, number, single, unit } from "./format";
import type { Player } from "./player";

interface Curve {
  label: string;
  unit: string;
  values: Float32Array;
  color: string;
  dash?: number[];
}

// One plot: its curves, its picture, and the line at the time of the animation.
export class Plot {
  readonly element: HTMLElement;
  private readonly picture = el("div", { class: "picture" });
  private readonly legend = el("div", { class: "legend" }, el("span", { class: "empty" }, "Empty: the channels that you choose come here."));
  private readonly curves: Curve[] = [];
  private plot: uPlot | null = null;
  private readonly line = el("div", { class: "time-line", hidden: true });
  private lineAt = NaN;
  private values: HTMLElement[] = [];
  private key = "";
  private told = 0;

  constructor(private readonly host: Plots, private readonly analysis: Analysis, private readonly player: Player) {
    this.element = el("section", { class: "plot", tabindex: "-1" },
      el("header", {},
        this.legend,
        el("div", { class: "tools" },
          button("zoomin", "Zoom in at the current time", () => this.zoomIn()),
          button("zoomout", "Show all (double click)", () => this.zoomOut()),
          button("table", "Download as CSV", () => this.saveTable()),
          button("image", "Download as PNG", () => this.savePicture()),
          button("close", "Remove this plot", () => host.remove(this)))),
      this.picture);
    this.element.addEventListener("pointerdown", () => host.activate(this));
    this.element.addEventListener("focusin", () => host.activate(this));
  }

  // Adds components of a channel: all of them, or one.
  async add(channel: Channel, component = -1): Promise<void> {
    const columns = await channel.load();
    const from = this.curves.length;
    for (const [k, values] of columns.entries()) {
      const label = channel.name + channel.suffix(k);
      if ((component >= 0 && k !== component) || this.curves.some((c) => c.label === label)) continue;
      const color = colors[this.curves.filter((c) => !c.dash).length % colors.length];
      const other = await this.host.compared(this.analysis, channel, k);
      this.curves.push({ label, unit: channel.data.unit, values, color });
      if (other) this.curves.push({
        label: `${label} (${this.host.report.compare!.source})`, unit: channel.data.unit, values: other, color, dash: [6, 4],
      });
    }
    if (this.curves.length > from) this.rebuild();
  }

  get names(): string[] {
    return this.curves.map((c) => c.label);
  }

  private rebuild(): void {
    this.element.setAttribute("aria-label", `Plot of ${this.names.join(", ")}`);
    this.legend.replaceChildren();
    this.values = this.curves.map((curve, i) => {
      const value = el("b", {});
      const chip = el("span", { class: "chip" },
        el("i", { style: curve.dash ? `background:repeating-linear-gradient(90deg, ${curve.color} 0 4px, transparent 4px 6px)` : `background:${curve.color}` }), el("span", { title: curve.label }, curve.label), value,
        el("small", {}, unit(curve.unit)),
        button("close", `Remove ${curve.label}`, () => this.drop(i)));
      this.legend.append(chip);
      return value;
    });
    const { min, max } = this.plot?.scales.x ?? {};
    this.plot?.destroy();
    this.plot = null;
    if (this.curves.length) this.make();
    if (min !== undefined && max !== undefined) (this.plot as uPlot | null)?.setScale("x", { min, max });
    this.tell(this.player.t);
  }

  private drop(i: number): void {
    this.curves.splice(i, 1);
    if (this.curves.length === 0) {
      this.host.remove(this);
      return;
    }
    this.rebuild();
    const left = this.legend.querySelectorAll("button");
    left[Math.min(i, left.length - 1)].focus(); // the button that was pressed is gone
  }

  private make(): void {
    const gridColor = themeColor("--grid");
    const units = [...new Set(this.curves.map((c) => c.unit))];
    const modes = this.analysis.isModes;
    const options: uPlot.Options = {
      width: Math.max(this.picture.clientWidth, 200), height: 190,
      padding: [8, units.length > 1 ? 0 : 14, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false, uni: 8 }, points: { size: 7 } },
      scales: { x: { time: false, ...(modes && { range: [0.5, this.analysis.time.length + 0.5] as uPlot.Range.MinMax }) }, ...Object.fromEntries(units.map((u) => [scaleKey(u), { range: roomy }])) },
      axes: [
        axis({ label: this.analysis.overLabel, size: 30, ...(modes && { incrs: [1, 2, 5, 10, 20, 50, 100] }) }),
        ...units.map((u, i) => axis({
          scale: scaleKey(u), side: i % 2 ? 1 : 3, size: 52, label: unit(u) || undefined, show: i < 2,
          grid: { show: i === 0, stroke: gridColor, width: 1 },
        })),
      ],
      series: [{}, ...this.curves.map((c): uPlot.Series => ({
        scale: scaleKey(c.unit), stroke: c.color, width: 1.6, dash: c.dash, pxAlign: 0, ...(modes && { paths: () => null }), points: { show: this.analysis.time.length < 3 || modes },
      }))],
      hooks: { draw: [() => this.placeLine()], ready: [(u) => this.listen(u)] },
    };
    this.plot = new uPlot(options, [this.analysis.time as unknown as number[], ...this.curves.map((c) => gaps(c.values))], this.picture);
    this.key = document.documentElement.dataset.theme ?? "";
  }

  // A click or a drag with Shift sets the time; a drag alone zooms.
  private listen(u: uPlot): void {
    let down = -1;
    u.over.append(this.line);
    this.lineAt = NaN;
    u.over.addEventListener("pointerdown", (e) => (down = e.clientX));
    u.over.addEventListener("pointerup", (e) => {
      if (Math.abs(e.clientX - down) < 4) this.player.seek(u.posToVal(e.clientX - u.over.getBoundingClientRect().left, "x"));
    });
  }

  // The line is an element of its own, so that the curves need not be drawn again while it moves; and it
  // moves by half pixels, so that the page need not be drawn again for less.
  private placeLine(): void {
    const { plot, line } = this;
    if (!plot || this.analysis.isModes || this.analysis.time.length < 2) return;
    const x = Math.round(2 * plot.valToPos(this.player.t, "x")) / 2;
    if (x === this.lineAt) return;
    this.lineAt = x;
    line.hidden = !(x >= 0 && x <= plot.over.clientWidth);
    line.style.transform = `translateX(${x}px)`;
  }

  // Shows a time; while it plays, the numbers change only as fast as one can read.
  tell(t: number): void {
    this.placeLine();
    const now = performance.now();
    if (this.player.playing && now - this.told < 200) return;
    this.told = now;
    const i = this.analysis.nearest(t);
    this.values.forEach((element, k) => (element.textContent = number(this.curves[k]?.values[i])));
  }

  resize(): void {
    if (this.key !== (document.documentElement.dataset.theme ?? "") && this.plot) this.rebuild();
    this.plot?.setSize({ width: Math.max(this.picture.clientWidth, 200), height: 190 });
  }

  // It listens to the window until then.
  dispose(): void {
    this.plot?.destroy();
    this.plot = null;
    this.element.remove();
  }

  // Half of what is seen, around the time of the animation; by drags one zooms with a mouse only.
  zoomIn(): void {
    const { time } = this.analysis;
    const { min, max } = this.plot?.scales.x ?? {};
    if (min === undefined || max === undefined || time.length < 2 || this.analysis.isModes) return;
    const half = (max - min) / 4;
    const [first, last] = [time[0], time[time.length - 1]];
    const middle = Math.min(Math.max(this.player.t, first + half), last - half);
    this.plot?.setScale("x", { min: middle - half, max: middle + half });
  }

  zoomOut(): void {
    const { time } = this.analysis;
    this.plot?.setScale("x", { min: time[0], max: time[time.length - 1] });
  }

  private saveTable(): void {
    if (!this.plot) return;
    const lines = [[this.analysis.over.name, ...this.names].map(csvName).join(",")];
    for (let i = 0; i < this.analysis.time.length; i++)
      lines.push([this.analysis.time[i], ...this.curves.map((c) => single(c.values[i]))].join(","));
    download("plot.csv", new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
  }

  private savePicture(): void {
    if (this.plot) savePicture("plot.png", [this.plot.ctx.canvas], this.curves);
  }
}

// Missing numbers are gaps.
function gaps(values: Float32Array): (number | null)[] {
  return values.some((v) => Number.isNaN(v)) ? Array.from(values, (v) => (Number.isNaN(v) ? null : v)) : (values as unknown as number[]);
}

function scaleKey(u: string): string {
  return u || "one";
}

export class Plots {
  readonly element: HTMLElement;
  private readonly list = el("div", { class: "plots" });
  private readonly more = el("button", { type: "button", class: "text-button", onclick: () => this.newPlot() && this.search.focus() }, "New plot");
  private readonly results = el("ul", { class: "results", "aria-label": "Channels" });
  readonly search: HTMLInputElement;
  private plots: Plot[] = [];
  private active: Plot | null = null;
  private analysis: Analysis | null = null;

  constructor(readonly report: Report, private readonly player: Player) {
    this.search = el("input", {
      type: "search", placeholder: "Search channels by name, description or unit", "aria-label": "Search channels", autocomplete: "off", spellcheck: "false",
    });
    this.search.addEventListener("input", () => this.find());
    this.search.addEventListener("focus", () => this.find());
    this.search.addEventListener("keydown", (e) => {
      if (e.key === "Escape") this.close();
      if (e.key === "ArrowDown") (this.results.querySelector("button") as HTMLElement | null)?.focus();
      if (e.key === "Enter") (this.results.querySelector("button.add") as HTMLElement | null)?.click();
      e.stopPropagation();
    });
    const finder = el("div", { class: "finder" }, this.search, this.results);
    finder.addEventListener("focusout", (e) => {
      if (!finder.contains(e.relatedTarget as Node | null)) this.close();
    });
    this.results.addEventListener("keydown", (e) => this.walk(e));
    this.element = el("div", { class: "plots-panel" },
      el("div", { class: "plots-bar" }, finder, this.more),
      this.list);
    player.onTime((t) => this.plots.forEach((plot) => plot.tell(t)));
    player.onState(() => this.plots.forEach((plot) => plot.tell(player.t)));
    new ResizeObserver(() => this.plots.forEach((plot) => plot.resize())).observe(this.list);
  }

  async open(analysis: Analysis | null): Promise<void> {
    this.analysis = analysis;
    for (const plot of this.plots) plot.dispose();
    this.plots = [];
    this.active = null;
    if (!analysis) return;
    const measured = this.measured(analysis);
    for (const labels of measured) {
      const plot = this.newPlot();
      for (const [name, component] of labels) await plot?.add(analysis.channels.get(name)!, component);
    }
    for (const list of defaults(analysis)) {
      const names = await this.notZero(analysis, list.filter((name) => !measured.flat().some(([known]) => known === name)));
      const plot = names.length ? this.newPlot() : null;
      for (const name of names) await plot?.add(analysis.channels.get(name)!);
    }
    if (this.plots.length) this.activate(this.plots[0]);
  }

  // Without energies that are none, such as those of springs where there are no springs.
  private async notZero(analysis: Analysis, names: string[]): Promise<string[]> {
    const some = await Promise.all(names.map(async (name) => !name.startsWith("energy.") || (await analysis.channels.get(name)!.load()).some((c) => c.some((v) => v !== 0))));
    return some.includes(true) ? names.filter((_, k) => some[k]) : names;
  }

  newPlot(): Plot | null {
    if (!this.analysis) return null;
    const plot = new Plot(this, this.analysis, this.player);
    this.plots.push(plot);
    this.list.append(plot.element);
    this.activate(plot);
    return plot;
  }

  remove(plot: Plot): void {
    this.plots = this.plots.filter((p) => p !== plot);
    plot.dispose();
    if (this.active === plot) this.active = null;
    if (this.plots.length) this.activate(this.plots[this.plots.length - 1]);
    this.more.focus();
  }

  activate(plot: Plot): void {
    this.active = plot;
    for (const p of this.plots) p.element.classList.toggle("active", p === plot && this.plots.length > 1);
  }

  async add(name: string, component = -1): Promise<void> {
    const channel = this.analysis?.channels.get(name);
    if (!channel) return;
    const plot = this.active ?? this.newPlot();
    await plot?.add(channel, component);
    plot?.element.scrollIntoView({ block: "nearest" });
  }

  refresh(): void {
    this.plots.forEach((plot) => plot.resize());
  }

  get shown(): string[][] {
    return this.plots.map((plot) => plot.names);
  }

  // The few channels that a table is about come first, those of one unit together.
  private measured(analysis: Analysis): [string, number][][] {
    const list = this.isCompared(analysis) ? this.report.compare!.channels : [];
    if (list.length > analysis.channels.size / 2) return [];
    const byUnit = new Map<string, [string, number][]>();
    for (const channel of analysis.channels.values())
      for (let k = 0; k < channel.data.size; k++) {
        if (!list.some((c) => c.name === channel.name || c.name === channel.name + channel.suffix(k))) continue;
        const u = channel.data.unit;
        byUnit.set(u, [...(byUnit.get(u) ?? []), [channel.name, k] as [string, number]].slice(0, 4));
      }
    return [...byUnit.values()].slice(0, 3);
  }

  private isCompared(analysis: Analysis): boolean {
    return !!this.report.compare && analysis === this.report.compared;
  }

  // What a component of a channel is compared with, brought to the instants of the analysis.
  async compared(analysis: Analysis, channel: Channel, component: number): Promise<Float32Array | null> {
    const label = channel.name + channel.suffix(component);
    const list = this.report.compare?.channels ?? [];
    const other = list.find((c) => c.name === channel.name) ?? list.find((c) => c.name === label);
    if (!other?.time || !other.data || !this.isCompared(analysis)) return null;
    const time = (await readBlock(other.time)) as Float64Array;
    const data = (await readBlock(other.data)) as Float32Array;
    const k = other.name === channel.name ? component : 0;
    return resample(time, data.subarray(k * time.length, (k + 1) * time.length), analysis.time, other.gap ?? Infinity);
  }

  // --- the search -------------------------------------------------------------------------------

  private find(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    // those over nodes would be hundreds of curves
    const channels = [...(this.analysis?.channels.values() ?? [])].filter((channel) => !channel.overNodes);
    const found = channels.filter(({ data }) => {
      const text = `${data.name} ${data.doc} ${data.unit}`.toLowerCase();
      return words.every((word) => text.includes(word) || componentOf(data.name, data.components, word));
    });
    this.results.replaceChildren(...found.slice(0, 200).map((channel) => this.entry(channel)));
    if (found.length === 0) this.results.append(el("li", { class: "none" }, "No channel has these words."));
    this.results.classList.add("open");
  }

  // the Tab key passes by the entries; arrows go through them
  private entry(channel: Channel): HTMLElement {
    const { name, unit: u, doc, size } = channel.data;
    const parts = size > 1 && size <= 12
      ? Array.from({ length: size }, (_, k) => el("button", {
          type: "button", class: "part", tabindex: "-1", "aria-label": `Add ${name}${channel.suffix(k)}`, title: `Add ${name}${channel.suffix(k)}`, onclick: () => void this.add(name, k),
        }, channel.suffix(k).slice(1)))
      : [];
    return el("li", {},
      el("button", { type: "button", class: "add", tabindex: "-1", title: doc, onclick: () => void this.add(name) },
        el("span", { class: "channel" }, name), el("small", {}, unit(u))),
      ...parts);
  }

  private walk(e: KeyboardEvent): void {
    const all = [...this.results.querySelectorAll("button")];
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    if (e.key === "Escape") {
      this.close();
      this.search.focus();
    } else if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      e.preventDefault();
      const next = at + (e.key === "ArrowDown" ? 1 : -1);
      if (next < 0) this.search.focus();
      else all[next]?.focus();
    }
    e.stopPropagation();
  }

  private close(): void {
    this.results.classList.remove("open");
  }
}

function componentOf(name: string, components: string, word: string): boolean {
  return [...components].some((c) => `${name}.${c}`.toLowerCase().includes(word));
}

// Values between instants, straight; nothing outside.
function resample(time: Float64Array, values: Float32Array, at: Float64Array, gap: number): Float32Array {
  const out = new Float32Array(at.length).fill(NaN);
  let j = 0;
  for (let i = 0; i < at.length; i++) {
    const t = at[i];
    if (time.length === 0 || t < time[0] || t > time[time.length - 1]) continue;
    while (j + 2 < time.length && time[j + 1] < t) j++;
    const span = time[j + 1] - time[j];
    const w = span > 0 ? (t - time[j]) / span : 0;
    if (span > gap && w > 0 && w < 1) continue;
    out[i] = values[j] + w * ((values[j + 1] ?? values[j]) - values[j]);
  }
  return out;
}

// What is plotted at first: sensors, efforts, joint coordinates or places, and the energies.
function defaults(analysis: Analysis): string[][] {
  const names = [...analysis.channels.keys()];
  if (analysis.isModes) return names.includes("modes.frequency") ? [["modes.frequency"]] : [];
  const few = (list: string[], count: number) => list.slice(0, count);
  if (analysis.data.type === "rotor") {
    // frequencies of all modes, then their damping; amplitudes of all places, then their phases
    const ends = new Set(names.map((n) => n.slice(n.lastIndexOf("."))));
    return [...ends].slice(0, 3).map((end) => few(names.filter((n) => n.endsWith(end)), 4));
  }
  const sensors = names.filter((n) => !n.includes(".") || n.endsWith(".stress.max"));
  const sameUnit = sensors.filter((n) => analysis.channels.get(n)!.data.unit === analysis.channels.get(sensors[0])!.data.unit);
  const efforts = names.filter((n) => n.endsWith(".effort"));
  const coordinates = names.filter((n) => /\.(angle|offset|length)$/.test(n));
  const places = names.filter((n) => n.endsWith(".position") && n !== "constraints.position");
  const first = sensors.length ? few(sameUnit, 3) : efforts.length ? few(efforts, 2) : few(coordinates, 3);
  const second = efforts.length && sensors.length ? few(efforts, 2) : first[0] === coordinates[0] ? few(places, 1) : few(coordinates, 3);
  const energy = ["energy.kinetic", "energy.potential", "energy.elastic", "energy.total"].filter((n) => names.includes(n));
  return [first, second, energy].filter((list) => list.length > 0);
}
