// Channels over the nodes of beams, drawn along them at the time of the animation.
import uPlot from "uplot";
import { axis, colors, roomy, themeColor } from "./chart";
import { readBlock, type Analysis, type Channel, type Report } from "./data";
import { el } from "./dom";
import { number, unit } from "./format";
import { SPAN } from "./line_skin";
import type { Player } from "./player";
import type { SkinData } from "./types";

const HEIGHT = 170;
const shown = ["section.force", "section.moment", "stress.nodes"];
const symbols: Record<string, Record<string, string>> = { // of the components of section forces
  "section.force": { x: "N", y: "Vy", z: "Vz" }, "section.moment": { x: "T", y: "My", z: "Mz" },
};
const titles: Record<string, string> = {
  "section.force": "section forces", "section.moment": "section moments", "stress.nodes": "largest von Mises stress of each section",
};

// The arc lengths from the start of a beam to its nodes.
export async function arcLengths(skin: SkinData): Promise<Float32Array> {
  const [ends, spans] = await Promise.all([readBlock(skin.ends!), readBlock(skin.spans!)]);
  const out = new Float32Array(skin.beam_nodes ?? 0);
  for (let i = 0; 2 * i < ends.length; i++)
    if (ends[2 * i + 1] > ends[2 * i]) out[ends[2 * i + 1]] = out[ends[2 * i]] + spans[SPAN * i];
  return out;
}

// One quantity of a beam over its arc length; its range is that of all instants.
class AlongPlot {
  readonly element: HTMLElement;
  private readonly picture = el("div", { class: "picture" });
  private readonly values: HTMLElement[] = [];
  private readonly curves: Float32Array[];
  private plot: uPlot | null = null;
  private key = "";

  constructor(private readonly analysis: Analysis, body: string, what: string, private readonly channel: Channel,
    private readonly places: Float32Array, private readonly columns: Float32Array[]) {
    const { components } = channel.data;
    this.curves = Array.from(components, () => new Float32Array(places.length));
    const chips = Array.from(components, (c, k) => {
      const name = symbols[what]?.[c] ?? (components.length > 1 ? c : "");
      const value = el("b", {});
      this.values.push(value);
      return el("span", { class: "chip", title: "The largest along the beam now" }, el("i", { style: `background:${colors[k]}` }), name ? el("span", {}, name) : null, value, el("small", {}, unit(channel.data.unit)));
    });
    this.element = el("section", { class: "plot" }, el("header", {}, el("div", { class: "legend" },
      el("span", { class: "title" }, `${body}: ${titles[what]}`), ...chips)), this.picture);
    this.element.setAttribute("aria-label", `${titles[what]} along ${body}`);
  }

  private get limits(): [number, number] {
    let [low, high] = [Infinity, -Infinity];
    for (const column of this.columns)
      for (const v of column) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
    return roomy(null, Math.min(low, 0), Math.max(high, 0));
  }

  private make(): void {
    const limits = this.limits;
    const u = this.channel.data.unit;
    this.plot = new uPlot({
      width: Math.max(this.picture.clientWidth, 200), height: HEIGHT, padding: [8, 14, 0, 0], legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
      scales: { x: { time: false }, y: { range: () => limits } },
      axes: [axis({ label: "arc length in m", size: 30 }), axis({ size: 52, label: unit(u) || undefined, grid: { stroke: themeColor("--grid"), width: 1 } })],
      series: [{}, ...this.curves.map((_, k): uPlot.Series => ({ stroke: colors[k], width: 1.6, points: { show: false } }))],
    }, this.data, this.picture);
    this.key = document.documentElement.dataset.theme ?? "";
  }

  private get data(): uPlot.AlignedData {
    return [this.places, ...this.curves] as unknown as uPlot.AlignedData;
  }

  // Shows a time, between instants straight.
  tell(t: number): void {
    const { time } = this.analysis;
    const i = this.analysis.before(t);
    const j = Math.min(i + 1, time.length - 1);
    const w = time[j] > time[i] ? Math.min(Math.max((t - time[i]) / (time[j] - time[i]), 0), 1) : 0;
    this.curves.forEach((curve, k) => {
      let largest = 0;
      for (let n = 0; n < curve.length; n++) {
        const c = this.columns[n * this.curves.length + k];
        curve[n] = c[i] + w * (c[j] - c[i]);
        if (Math.abs(curve[n]) > Math.abs(largest)) largest = curve[n];
      }
      this.values[k].textContent = number(largest);
    });
    this.plot?.setData(this.data);
  }

  resize(): void {
    if (!this.element.isConnected) return;
    if (this.key !== (document.documentElement.dataset.theme ?? "")) {
      this.plot?.destroy();
      this.plot = null;
    }
    if (this.plot) this.plot.setSize({ width: Math.max(this.picture.clientWidth, 200), height: HEIGHT });
    else this.make();
  }

  dispose(): void {
    this.plot?.destroy();
    this.plot = null;
  }
}

export class AlongBeams {
  readonly element = el("div", { class: "plots-panel" });
  private readonly list = el("div", { class: "plots" });
  private plots: AlongPlot[] = [];
  private told = 0;

  constructor(private readonly report: Report, private readonly player: Player) {
    this.element.append(this.list);
    player.onTime((t) => this.tell(t));
    player.onState(() => this.tell(player.t));
    new ResizeObserver(() => this.refresh()).observe(this.list);
  }

  // Whether there is anything to draw.
  get some(): boolean {
    return this.plots.length > 0;
  }

  async open(analysis: Analysis | null): Promise<void> {
    for (const plot of this.plots) plot.dispose();
    this.plots = [];
    if (analysis && !analysis.isModes)
      for (const skin of this.report.skins.filter(({ beam_nodes }) => beam_nodes))
        for (const what of shown) {
          const channel = analysis.channels.get(`${skin.name}.${what}`);
          if (channel?.overNodes) this.plots.push(new AlongPlot(analysis, skin.name, what, channel, await arcLengths(skin), await channel.load()));
        }
    this.list.replaceChildren(...this.plots.map((plot) => plot.element));
  }

  // While it plays, curves change no more often than ten times a second.
  private tell(t: number): void {
    const now = performance.now();
    if (!this.element.isConnected || (this.player.playing && now - this.told < 100)) return;
    this.told = now;
    for (const plot of this.plots) plot.tell(t);
  }

  refresh(): void {
    if (!this.element.isConnected) return;
    for (const plot of this.plots) {
      plot.tell(this.player.t);
      plot.resize();
    }
  }
}
