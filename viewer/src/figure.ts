// A figure of a sheet: panels with a common x axis, which can be zoomed and read off.
import uPlot from "uplot";
import { axis, colors, roomy, savePicture } from "./chart";
import { button, download, el } from "./dom";
import { csvName, number, tick } from "./format";
import type { FigureCurve, FigureData } from "./types";

interface Curve extends FigureCurve {
  color: string;
  grows: boolean; // its x, so that it has one value at an x
}

const dashes = [[], [7, 3], [2, 3]];
const tone = (curve: number, alike = 0) => (alike === 0 ? curve : Math.max(curve - alike + 1, 0));
const wholeSteps = [1, 10, 100, 1000].flatMap((p) => [p, 2 * p, 5 * p]);
let figures = 0;

export class Figure {
  readonly element: HTMLElement;
  private readonly legend = el("div", { class: "legend" });
  private readonly picture = el("div", { class: "picture" });
  private readonly panels: { label: string; curves: Curve[] }[];
  private readonly where = el("span", { class: "chip where" }); // the x of the cursor
  private readonly values = new Map<Curve, HTMLElement>();
  private readonly sync = `figure${figures++}`;
  private plots: uPlot[] = [];
  private log: boolean;
  private drawnAs = "";

  constructor(private readonly data: FigureData) {
    this.log = data.logarithmic ?? false;
    // curves of one name in several panels have one colour
    const named = new Map<string, string>();
    let count = 0;
    const colorOf = (label: string): string => {
      const color = (label && named.get(label)) || colors[tone(count, data.alike) % colors.length];
      count++;
      named.set(label, color);
      return color;
    };
    this.panels = data.panels.map((panel) => ({
      label: panel.label,
      curves: panel.curves.map((c) => ({
        ...c, color: colorOf(c.label), grows: c.x.every((x, i) => i === 0 || x === null || x >= (c.x[i - 1] ?? -Infinity)),
      })),
    }));
    const log = button("log", "Logarithmic", () => {
      this.log = !this.log;
      log.setAttribute("aria-pressed", String(this.log));
      this.draw();
    }, { "aria-pressed": String(this.log) });
    const positive = !data.equal && this.all.every((c) => c.style === "marks" || c.y.every((y) => y === null || y >= 0));
    this.element = el("section", { class: "plot figure", "aria-label": data.title },
      el("header", {}, el("h2", {}, data.title),
        el("div", { class: "tools" },
          positive ? log : null,
          button("zoomout", "Show all (double click)", () => this.draw()),
          button("table", "Download as CSV", () => this.saveTable()),
          button("image", "Download as PNG", () => savePicture("figure.png", this.plots.map((p) => p.ctx.canvas), this.all)))),
      this.legend,
      this.picture);
    const chips = new Map<string, HTMLElement>();
    for (const curve of this.all.filter((c) => c.label)) {
      const value = el("b", {});
      const chip = chips.get(curve.label) ??
        el("span", { class: "chip" }, el("i", { class: curve.style, style: `--color:${curve.color}` }), el("span", {}, curve.label));
      if (curve.style !== "marks" || !chips.has(curve.label)) {
        this.values.set(curve, value);
        chip.append(value);
      }
      chips.set(curve.label, chip);
    }
    this.legend.append(...chips.values());
    this.legend.append(this.where);
  }

  private get all(): Curve[] {
    return this.panels.flatMap((p) => p.curves);
  }

  // Draws it anew where its width or the theme has changed.
  refresh(): void {
    const state = `${this.picture.clientWidth} ${document.documentElement.dataset.theme}`;
    if (this.picture.clientWidth > 0 && state !== this.drawnAs) this.draw();
  }

  private draw(): void {
    this.drawnAs = `${this.picture.clientWidth} ${document.documentElement.dataset.theme}`;
    this.plots.forEach((plot) => plot.destroy());
    this.plots = this.panels.map((_, k) => this.make(k));
  }

  // uPlot has the axes, the cursor and the zoom; the curves, which have points of their own, are drawn over them.
  private make(index: number): uPlot {
    const { label, curves } = this.panels[index];
    const last = index === this.panels.length - 1;
    const width = Math.max(this.picture.clientWidth, 200);
    const height = this.data.equal ? Math.min(width, 420) : (this.data.alike ?? 0) > 0 ? 560 : this.panels.length > 1 ? 200 : 280;
    const span = extent(this.all.filter((c) => c.style !== "marks"), "x");
    const [low, high] = this.data.equal ? this.sameScale(width, height)[0] : [span[0], span[1] > span[0] ? span[1] : span[0] + 1];
    const options: uPlot.Options = {
      width, height, padding: [8, 14, 0, 0], legend: { show: false },
      cursor: { drag: { x: true, y: false, uni: 8 }, points: { show: false }, sync: { key: this.sync, scales: ["x", null] } },
      scales: {
        x: { time: false, range: this.data.equal ? (_, a, b) => (a === low && b === high ? [low, high] : [a, b]) : undefined },
        y: { distr: this.log ? 3 : 1, range: (u) => this.upright(u, index, width, height) },
      },
      axes: [
        axis({ label: last ? this.data.x_label : undefined, size: last ? 30 : 22, ...(this.data.whole ? { incrs: wholeSteps } : {}) }),
        axis({ label, size: 56, ...(this.log ? { values: (_, splits) => splits.map((v) => (v !== null && Math.abs(Math.log10(v) % 1) < 1e-9 ? tick(v, v) : "")) } : {}) }),
      ],
      series: [{}, { show: true, paths: () => null, points: { show: false } }],
      hooks: {
        draw: [(u) => curves.forEach((c, i) => paint(u, c, Math.floor(tone(i, this.data.alike) / colors.length)))],
        setCursor: [(u) => this.read(u, index)],
      },
    };
    return new uPlot(options, [[low, high], [1, 1]], this.picture);
  }

  // The range of y for the x that are shown.
  private upright(u: uPlot, index: number, width: number, height: number): [number, number] {
    if (this.data.equal) return this.sameScale(width, height)[1];
    const { min, max } = u.scales.x;
    const [low, high] = extent(this.panels[index].curves.filter((c) => c.style !== "marks"), "y", min ?? -Infinity, max ?? Infinity, this.log);
    if (!this.log) return roomy(null, low, high);
    return high > 0 ? [Math.max(low, 1e-8 * high) / 1.5, high * 1.5] : [0.1, 1];
  }

  // Ranges of x and y with one scale.
  private sameScale(width: number, height: number): [[number, number], [number, number]] {
    const [x, y] = [roomy(null, ...extent(this.all, "x")), roomy(null, ...extent(this.all, "y"))];
    const [w, h] = [Math.max(width - 70, 50), Math.max(height - 40, 50)];
    const scale = Math.max((x[1] - x[0]) / w, (y[1] - y[0]) / h);
    const around = ([a, b]: [number, number], size: number): [number, number] => [(a + b - size) / 2, (a + b + size) / 2];
    return [around(x, scale * w), around(y, scale * h)];
  }

  // Tells the values at the cursor in the legend.
  private read(u: uPlot, index: number): void {
    const left = u.cursor.left ?? -1;
    const x = left >= 0 ? u.posToVal(left, "x") : NaN;
    this.where.textContent = Number.isFinite(x) ? `${this.data.x_label}: ${number(x)}` : "";
    for (const curve of this.panels[index].curves) {
      const element = this.values.get(curve);
      if (!element) continue;
      element.textContent = curve.style === "marks" ? number(curve.x[0]) : curve.grows && Number.isFinite(x) ? at(curve, x) : "";
    }
  }

  private saveTable(): void {
    const curves = this.all;
    const rows = Math.max(...curves.map((c) => c.x.length));
    const lines = [curves.flatMap((c) => [`${c.label || "curve"}: ${this.data.x_label}`, c.label || "curve"]).map(csvName).join(",")];
    for (let i = 0; i < rows; i++) lines.push(curves.flatMap((c) => [c.x[i] ?? "", c.y[i] ?? ""]).join(","));
    download("figure.csv", new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
  }
}

// The least and the largest x or y of curves, between two x.
function extent(curves: FigureCurve[], of: "x" | "y", from = -Infinity, to = Infinity, positive = false): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const c of curves)
    for (let i = 0; i < c.x.length; i++) {
      const x = c.x[i];
      const v = c[of][i];
      if (x === null || v === null || x < from || x > to || (positive && v <= 0)) continue;
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
  return low <= high ? [low, high] : [0, 1];
}

// The value of a curve at x: between two points on the line, or that of the nearest point.
function at(curve: FigureCurve, x: number): string {
  const { x: xs, y: ys } = curve;
  let low = 0;
  let high = xs.length - 1;
  if (high < 0 || x < (xs[0] ?? 0) || x > (xs[high] ?? 0)) return "";
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((xs[middle] ?? 0) <= x) low = middle;
    else high = middle;
  }
  const [x0, x1, y0, y1] = [xs[low], xs[high], ys[low], ys[high]];
  if (x0 === null || x1 === null || y0 === null || y1 === null) return "";
  const part = x1 > x0 ? (x - x0) / (x1 - x0) : 0;
  if (curve.style === "points") return number(part < 0.5 ? y0 : y1);
  return number(y0 + part * (y1 - y0));
}

function paint(u: uPlot, curve: Curve, round: number): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.strokeStyle = curve.color;
  ctx.lineJoin = "round";
  ctx.lineWidth = (curve.style === "line" ? 1.6 : 1.2) * ratio;
  ctx.setLineDash((curve.style === "marks" ? [4, 4] : curve.style === "line" ? dashes[round % 3] : []).map((d) => d * ratio));
  ctx.beginPath();
  let open = false;
  for (let i = 0; i < curve.x.length; i++) {
    const [x, y] = [curve.x[i], curve.y[i]];
    if (x === null || (y === null && curve.style !== "marks")) {
      open = false;
      continue;
    }
    const px = u.valToPos(x, "x", true);
    if (curve.style === "marks") {
      ctx.moveTo(px, bbox.top);
      ctx.lineTo(px, bbox.top + bbox.height);
      continue;
    }
    const py = u.valToPos(y!, "y", true);
    if (curve.style === "points") {
      const d = 4 * ratio;
      ctx.moveTo(px - d, py - d);
      ctx.lineTo(px + d, py + d);
      ctx.moveTo(px - d, py + d);
      ctx.lineTo(px + d, py - d);
    } else if (open) ctx.lineTo(px, py);
    else ctx.moveTo(px, py);
    open = true;
  }
  ctx.stroke();
  ctx.restore();
}

