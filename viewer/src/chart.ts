// How plots look: colours, axes, ranges, and pictures of them to keep.
import type uPlot from "uplot";
import { download, el } from "./dom";
import { tick } from "./format";

export const colors = ["#2f6db5", "#d9722b", "#3c9155", "#b7485f", "#7a5ea8", "#2d8f93", "#b08a1e", "#8a6650"];

// A colour of the page's theme.
export function themeColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export const axisFont = '11px system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

// An axis in the colours of the theme.
export function axis(overrides: Partial<uPlot.Axis>): uPlot.Axis {
  const grid = themeColor("--grid");
  return {
    stroke: themeColor("--muted"), font: axisFont, labelFont: axisFont, labelSize: 18, labelGap: 0, gap: 4,
    grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, size: 4 },
    values: (_, splits) => splits.map((v) => (v === null ? "" : tick(v, Math.abs((splits[1] ?? 1) - (splits[0] ?? 0))))),
    ...overrides,
  };
}

// A range with a little room; a constant is in the middle of something.
export function roomy(_: uPlot | null, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
  const span = high - low;
  if (span <= 1e-6 * Math.max(Math.abs(low), Math.abs(high))) {
    const half = Math.max(0.1 * Math.abs(low), 1e-12);
    return low === 0 && high === 0 ? [-1, 1] : [low - half, high + half];
  }
  return [low - 0.06 * span, high + 0.06 * span];
}

// Drawn plots below one another under their legend, as a PNG file.
export function savePicture(name: string, drawn: HTMLCanvasElement[], legend: { label: string; color: string; dash?: number[] }[]): void {
  const ratio = devicePixelRatio;
  const width = Math.max(...drawn.map((c) => c.width));
  const lineHeight = 20 * ratio;
  const canvas = el("canvas", { width });
  const ctx = canvas.getContext("2d")!;
  const font = `${12 * ratio}px system-ui, sans-serif`;
  ctx.font = font;
  let x = 12 * ratio;
  let y = 18 * ratio;
  const places = legend.map(({ label }) => {
    const need = 34 * ratio + ctx.measureText(label).width;
    if (x > 12 * ratio && x + need > width) [x, y] = [12 * ratio, y + lineHeight];
    const place = { x, y };
    x += need;
    return place;
  });
  const head = y + 8 * ratio;
  canvas.height = head + drawn.reduce((sum, c) => sum + c.height, 0);
  ctx.fillStyle = themeColor("--surface");
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.font = font;
  legend.forEach(({ label, color, dash }, i) => {
    ctx.fillStyle = color;
    for (const [from, length] of dash ? [[0, 4], [5, 4], [10, 4]] : [[0, 14]])
      ctx.fillRect(places[i].x + from * ratio, places[i].y - 6 * ratio, length * ratio, 3 * ratio);
    ctx.fillStyle = themeColor("--text");
    ctx.fillText(label, places[i].x + 19 * ratio, places[i].y);
  });
  let top = head;
  for (const c of drawn) {
    ctx.drawImage(c, 0, top);
    top += c.height;
  }
  canvas.toBlob((blob) => blob && download(name, blob));
}
