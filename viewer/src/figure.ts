// A figure of a sheet: panels with a common x axis, which can be zoomed and read off.
import uPlot from "uplot";
import { axis, axisFont, colors, roomy, savePicture, themeColor } from "./chart";
import { button, download, el } from "./dom";
import { csvName, number, tick } from "./format";
import type { FigureCurve, FigureData } from "./types";

interface Curve extends FigureCurve {
  color: string;
  thick: number; // of bars, along x
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
        ...c, color: colorOf(c.label), thick: c.style === "bars" ? c.width || 0.8 * leastStep(panel.curves) : 0, grows: c.x.every((x, i) => i === 0 || x === null || x >= (c.x[i - 1] ?? -Infinity)),
      })),
    }));
    const log = button("log", "Logarithmic", () => {
      this.log = !this.log;
      log.setAttribute("aria-pressed", String(this.log));
      this.draw();
    }, { "aria-pressed": String(this.log) });
    const positive = !data.equal && this.all.every((c) => c.style === "marks" || [...c.y, ...(c.low ?? [])].every((y) => y === null || y >= 0));
    this.element = el("section", { class: `plot figure${data.alike ? " wide" : ""}`, "aria-label": data.title },
      el("header", {}, el("h2", {}, data.title),
        el("div", { class: "tools" },
          positive ? log : null,
          button("zoomout", "Show all (double click)", () => this.draw()),
          button("table", "Download as CSV", () => this.saveTable()),
          button("image", "Download as PNG", () => savePicture("figure.png", this.plots.map((p) => p.ctx.canvas), this.all.filter((c) => c.label))))),
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
    const { categories, sideways } = this.data;
    const names = categories && named(categories, !!sideways, sideways ? Infinity : width - 90, last);
    const height = this.data.equal ? Math.min(width, 420) : (this.data.alike ?? 0) > 0 ? 560 : this.panels.length > 1 ? 200
      : sideways && categories ? Math.max(140, 70 + 26 * categories.length) : 280 + (!sideways && names?.rotate ? (names.size as number) : 0);
    const span = categories ? [0.5, categories.length + 0.5] : extent(this.all.filter((c) => c.style !== "marks"), "x");
    const room = this.all.some((c) => c.style === "dots") ? 0.03 * (span[1] - span[0]) : 0;
    const [low, high] = this.data.equal ? this.sameScale(width, height)[0] : [span[0] - room, span[1] > span[0] ? span[1] + room : span[0] + 1];
    const options: uPlot.Options = {
      width, height, padding: [8, 14, 0, 0], legend: { show: false },
      cursor: { drag: { x: !categories, y: false, uni: 8 }, points: { show: false }, sync: { key: this.sync, scales: ["x", null] } },
      scales: {
        x: { time: false, ori: sideways ? 1 : 0, dir: sideways ? -1 : 1, range: categories ? [low, high] : this.data.equal ? (_, a, b) => (a === low && b === high ? [low, high] : [a, b]) : undefined },
        y: { distr: this.log ? 3 : 1, ori: sideways ? 0 : 1, range: (u) => this.upright(u, index, width, height) },
      },
      axes: [
        axis({ label: last ? this.data.x_label : undefined, size: last ? 30 : 22, ...(this.data.whole ? { incrs: wholeSteps } : {}),
          ...(sideways ? { side: 3, size: 56 } : {}), ...names }),
        axis({ label, size: sideways ? 30 : 56, ...(sideways ? { side: 2, space: 70 } : {}), ...(this.log ? { values: (_, splits) => splits.map((v) => (v !== null && Math.abs(Math.log10(v) % 1) < 1e-9 ? tick(v, v) : "")) } : {}) }),
      ],
      series: [{}, { show: true, paths: () => null, points: { show: false } }],
      hooks: {
        draw: [(u) => curves.forEach((c, i) => paint(u, c, Math.floor(tone(i, this.data.alike) / colors.length), !!sideways, this.log))],
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
    const bars = this.panels[index].curves.some((c) => c.style === "bars");
    if (bars && !this.log && (low === 0) !== (high === 0)) return low === 0 ? [0, 1.06 * high] : [1.06 * low, 0]; // they stand on the end
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
    const place = (this.data.sideways ? u.cursor.top : u.cursor.left) ?? -1;
    const x = place >= 0 ? u.posToVal(place, "x") : NaN;
    const nameless = this.panels[index].curves.filter((c) => !c.label && c.style === "bars").map((c) => at(c, x)).filter(Boolean);
    const name = this.data.categories ? this.data.categories[Math.round(x) - 1] : Number.isFinite(x) ? `${this.data.x_label}: ${number(x)}` : undefined;
    this.where.textContent = [name, ...nameless].filter((t) => t !== undefined).join(nameless.length ? ": " : "");
    for (const curve of this.panels[index].curves) {
      const element = this.values.get(curve);
      if (!element) continue;
      element.textContent = curve.style === "marks" ? number(curve.x[0]) : curve.grows && Number.isFinite(x) ? at(curve, x) : "";
    }
  }

  private saveTable(): void {
    const curves = this.all;
    const rows = Math.max(...curves.map((c) => c.x.length));
    const { categories } = this.data;
    const place = (x: number | null | undefined) => (categories && x ? csvName(categories[Math.round(x) - 1] ?? "") : x ?? "");
    const lines = [curves.flatMap((c) => [`${c.label || "curve"}: ${this.data.x_label}`, ...(c.low ? [`${c.label || "curve"} from`] : []), c.label || "curve"])
      .map(csvName).join(",")];
    for (let i = 0; i < rows; i++) lines.push(curves.flatMap((c) => [place(c.x[i]), ...(c.low ? [c.low[i] ?? ""] : []), c.y[i] ?? ""]).join(","));
    download("figure.csv", new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
  }
}

// The least step between bars.
function leastStep(curves: FigureCurve[]): number {
  let least = Infinity;
  for (const { x } of curves.filter((c) => c.style === "bars"))
    for (let i = 1; i < x.length; i++) {
      const step = Math.abs((x[i] ?? NaN) - (x[i - 1] ?? NaN));
      if (step > 0) least = Math.min(least, step);
    }
  return Number.isFinite(least) ? least : 1;
}

// How an axis has names at 1, 2, ... along so many pixels: those that fit, below it upright where they are long.
function named(names: string[], beside: boolean, length: number, shown: boolean): Partial<uPlot.Axis> {
  const ctx = document.createElement("canvas").getContext("2d")!;
  ctx.font = axisFont;
  const longest = Math.max(0, ...names.map((name) => ctx.measureText(name).width));
  const turned = !beside && (longest + 8) * names.length > length;
  const stride = Math.max(1, Math.ceil((15 * names.length) / length));
  const short = (name: string) => {
    let text = name;
    while (ctx.measureText(text).width > 180 && text.length > 2) text = `${text.replace("…", "").slice(0, -1)}…`;
    return text;
  };
  return {
    splits: () => names.map((_, i) => i + 1).filter((_, i) => (!beside && !turned) || i % stride === 0),
    values: (_, splits) => splits.map((x) => (shown ? short(names[x - 1] ?? "") : "")),
    grid: { show: false }, ticks: { show: false },
    ...(turned ? { rotate: -90 } : {}),
    ...(beside || turned ? { size: shown ? Math.min(longest, 185) + 14 : 10 } : {}),
  };
}

// The least and the largest x or y of curves, between two x.
function extent(curves: Curve[], of: "x" | "y", from = -Infinity, to = Infinity, positive = false): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const c of curves)
    for (let i = 0; i < c.x.length; i++) {
      const x = c.x[i];
      const v = c[of][i];
      if (x === null || v === null || x + c.thick / 2 < from || x - c.thick / 2 > to) continue;
      const others = of === "x" ? [v - c.thick / 2, v + c.thick / 2] : c.style === "bars" ? [v, c.low?.[i] ?? 0] : [v];
      for (const value of others) {
        if (positive && value <= 0) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
  return low <= high ? [low, high] : [0, 1];
}

// The value of a curve at x: between two points on the line, or that of the nearest point.
function at(curve: Curve, x: number): string {
  const { x: xs, y: ys } = curve;
  if (curve.style === "bars") {
    const bar = xs.findIndex((c) => c !== null && Math.abs(x - c) <= curve.thick / 2);
    return bar >= 0 ? number(ys[bar]) : "";
  }
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

// Bars from where they begin, on a logarithmic axis from its end where that is not positive.
function paintBars(u: uPlot, curve: Curve, sideways: boolean, log: boolean): void {
  const { ctx, bbox } = u;
  ctx.fillStyle = curve.color;
  ctx.globalAlpha = 0.82;
  curve.x.forEach((x, i) => {
    const [y, low] = [curve.y[i], curve.low?.[i] ?? 0];
    if (x === null || y === null || (log && y <= 0)) return;
    const [a, b] = [x - curve.thick / 2, x + curve.thick / 2].map((v) => u.valToPos(v, "x", true)).sort((p, q) => p - q);
    const [c, d] = [log && low <= 0 ? u.scales.y.min! : low, y].map((v) => u.valToPos(v, "y", true)).sort((p, q) => p - q);
    const across = b - a > 4 ? b - a - devicePixelRatio : b - a; // with a gap to the next
    if (sideways) ctx.fillRect(c, a, d - c, across);
    else ctx.fillRect(a, c, across, d - c);
  });
  ctx.globalAlpha = 1;
  if (log) return;
  // what they stand on
  const zero = u.valToPos(0, "y", true);
  ctx.strokeStyle = themeColor("--muted");
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(sideways ? zero : bbox.left, sideways ? bbox.top : zero);
  ctx.lineTo(sideways ? zero : bbox.left + bbox.width, sideways ? bbox.top + bbox.height : zero);
  ctx.stroke();
}

// Many dots are smaller, and show through where they are dense; a few are seen among these.
function paintDots(u: uPlot, curve: Curve, sideways: boolean): void {
  const { ctx } = u;
  const count = curve.x.length;
  const radius = (count > 1000 ? 2 : count > 200 ? 2.5 : count > 20 ? 3.2 : 4.5) * devicePixelRatio;
  ctx.fillStyle = curve.color;
  ctx.globalAlpha = count > 1000 ? 0.45 : count > 20 ? 0.7 : 0.95;
  curve.x.forEach((x, i) => {
    const y = curve.y[i];
    if (x === null || y === null) return;
    const [px, py] = [u.valToPos(x, "x", true), u.valToPos(y, "y", true)];
    ctx.beginPath();
    ctx.arc(sideways ? py : px, sideways ? px : py, radius, 0, 2 * Math.PI);
    ctx.fill();
  });
  ctx.globalAlpha = 1;
}

function paint(u: uPlot, curve: Curve, round: number, sideways: boolean, log: boolean): void {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  if (curve.style === "bars") paintBars(u, curve, sideways, log);
  else if (curve.style === "dots") paintDots(u, curve, sideways);
  else paintLine(u, curve, round, sideways);
  ctx.restore();
}

// A line, crosses, or marks across the panel.
function paintLine(u: uPlot, curve: Curve, round: number, sideways: boolean): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
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
    const along = u.valToPos(x, "x", true);
    if (curve.style === "marks") {
      ctx.moveTo(sideways ? bbox.left : along, sideways ? along : bbox.top);
      ctx.lineTo(sideways ? bbox.left + bbox.width : along, sideways ? along : bbox.top + bbox.height);
      continue;
    }
    const value = u.valToPos(y!, "y", true);
    const [px, py] = sideways ? [value, along] : [along, value];
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
}

