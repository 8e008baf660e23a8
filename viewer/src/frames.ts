// Pictures of an animation for a video: `limber export --frames` asks the page for one after the other.
import { Vector3 } from "three";
import { Acting } from "./acting";
import { sample, type Analysis, type Report } from "./data";
import { el } from "./dom";
import { Motion } from "./motion";
import { View, type Margins } from "./scene";
import { ramp } from "./skin_shaders";
import type { FramesData } from "./types";

const font = '"DejaVu Sans", Verdana, sans-serif';

export class Frames {
  private readonly motion: Motion;
  private readonly acting = new Acting();
  private readonly view: View;
  private readonly canvas: HTMLCanvasElement;
  private readonly analysis: Analysis;
  private decimals = 0;
  private largest = 0; // stress of all frames, Pa

  private constructor(report: Report, private readonly style: FramesData) {
    const { width, height } = style;
    this.analysis = report.analyses[0];
    this.motion = new Motion(report);
    this.canvas = el("canvas", { width, height });
    const stage = el("div", { style: `position:fixed;left:0;top:0;width:${width}px;height:${height}px` });
    document.getElementById("app")!.append(stage);
    this.view = new View(report, this.motion, stage, { margins: marginsOf(style), plain: style.stress });
    this.view.setTheme(style.dark ? "dark" : "light");
    if (!this.view.draws) throw new Error("the browser has no WebGL");
  }

  static async open(report: Report, style: FramesData): Promise<Frames> {
    const frames = new Frames(report, style);
    await frames.build(report);
    return frames;
  }

  private async build(report: Report): Promise<void> {
    const { analysis, motion, view, style } = this;
    await motion.open(analysis);
    await this.acting.open(report.geometry, analysis);
    this.decimals = decimalsOf(analysis.time);
    view.places.scale = style.exaggerate;
    await view.build(sample(analysis.time, 400));
    view.setDeformation(style.exaggerate);
    if (style.stress) this.findLargest();
    for (const skin of view.skins.values()) skin.setStress(style.stress, this.largest);
    const { view: from } = style;
    if (Array.isArray(from)) view.fit(new Vector3(...from));
    else if (from) view.standardView(from);
    else view.fit();
  }

  private findLargest(): void {
    for (const t of this.analysis.time) {
      this.motion.update(t);
      for (const [index, skin] of this.view.skins)
        this.largest = Math.max(this.largest, skin.largestStress(this.motion.poses[index]));
    }
  }

  // A frame as a PNG file, in base64.
  frame(index: number): string {
    const { view, canvas, style } = this;
    const t = this.analysis.time[index];
    this.motion.update(t);
    view.off = this.acting.off(t);
    view.update();
    view.draw();
    const context = canvas.getContext("2d", { alpha: false })!;
    context.drawImage(view.canvas, 0, 0, style.width, style.height);
    this.write(context, t);
    if (style.stress) this.drawLegend(context);
    return canvas.toDataURL("image/png").replace(/^.*,/, "");
  }

  private write(context: CanvasRenderingContext2D, t: number): void {
    const { height, exaggerate, dark } = this.style;
    context.fillStyle = dark ? "#e4e9ee" : "#2b3642";
    context.font = `16px ${font}`;
    context.fillText(`t = ${t.toFixed(this.decimals)} s`, 16, height - 16);
    context.font = `13px ${font}`;
    if (exaggerate !== 1) context.fillText(`deformation × ${exaggerate}`, 16, height - 38);
  }

  // the colours of stresses, with numbers beside them
  private drawLegend(context: CanvasRenderingContext2D): void {
    const { width, height } = this.style;
    const long = Math.min(300, 0.5 * height);
    const [x, y] = [width - 136, (height - long) / 2];
    context.fillText("von Mises stress", x, y - 34);
    context.fillText("in MPa", x, y - 16);
    for (let i = 0; i < 5; i++)
      context.fillText(String(Number(((this.largest / 1e6) * (i / 4)).toPrecision(3))), x + 22, y + long * (1 - i / 4) + 4.5);
    const colors = context.createLinearGradient(0, y + long, 0, y);
    ramp.forEach((color, i) => colors.addColorStop(i / (ramp.length - 1), color));
    context.fillStyle = colors;
    context.fillRect(x, y, 14, long);
  }
}

function marginsOf({ width, height, stress }: FramesData): Margins {
  const margin = Math.min(40, 0.1 * Math.min(width, height));
  const legend = stress ? Math.min(150, 0.3 * width) : 0;
  return { left: margin, top: margin, right: margin + legend, bottom: margin };
}

// As many decimals as tell one instant from the next, the same on all frames.
function decimalsOf(time: Float64Array): number {
  const step = time.length > 1 ? (time[time.length - 1] - time[0]) / (time.length - 1) : 1;
  const most = step > 0 ? Math.min(Math.max(Math.ceil(1 - Math.log10(step)), 0), 9) : 0;
  let decimals = 0;
  const exact = (unit: number) => time.every((t) => Math.abs(t * unit - Math.round(t * unit)) < 1e-4 * step * unit);
  while (decimals < most && !exact(10 ** decimals)) decimals++;
  return decimals;
}
