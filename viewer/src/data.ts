// The data of the page: one JSON text, and blocks of numbers that are unpacked when they are needed.
import { unit } from "./format";
import type {
  AnalysisData, Block, ChannelData, CompareData, Geometry, ReportData, SheetData, SkinData, Span, Summary,
} from "./types";

export type Numbers = Float64Array | Float32Array | Uint32Array | Int16Array | Int8Array;

const arrays = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, i16: Int16Array, i8: Int8Array };

async function inflate(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// A block: base64, deflated, the bytes of all numbers in planes.
export async function readBlock(block: Block): Promise<Numbers> {
  const element = document.getElementById(`block${block.block}`);
  const text = atob(element?.textContent ?? "");
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const planes = await inflate(packed);
  const type = arrays[block.type];
  const width = type.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(block.count * width);
  for (let k = 0; k < width; k++)
    for (let i = 0, from = k * block.count; i < block.count; i++) bytes[i * width + k] = planes[from + i];
  return new type(bytes.buffer);
}

// A channel; its numbers are there after load().
export class Channel {
  columns: Float32Array[] | null = null;
  private pending: Promise<Float32Array[]> | null = null;

  constructor(readonly data: ChannelData) {}

  get name(): string {
    return this.data.name;
  }

  load(): Promise<Float32Array[]> {
    this.pending ??= readBlock(this.data.data).then((numbers) => {
      const count = numbers.length / Math.max(this.data.size, 1);
      this.columns = Array.from({ length: this.data.size }, (_, k) =>
        (numbers as Float32Array).subarray(k * count, (k + 1) * count));
      return this.columns;
    });
    return this.pending;
  }

  // those of all nodes of a beam
  get overNodes(): boolean {
    const { components, size } = this.data;
    return components.length > 0 && size > components.length;
  }

  // ".x", ".3", or "" for a scalar; over nodes ".7.x"
  suffix(component: number): string {
    const { components, size } = this.data;
    if (this.overNodes)
      return `.${Math.floor(component / components.length) + 1}.${components[component % components.length]}`;
    if (components[component]) return `.${components[component]}`;
    return size > 1 ? `.${component + 1}` : "";
  }
}

export class Analysis {
  time = new Float64Array(0);
  readonly channels = new Map<string, Channel>();
  readonly isSteady: boolean; // motion of a rotor over its speed: it goes round at each

  constructor(readonly data: AnalysisData) {
    for (const channel of data.channels ?? []) this.channels.set(channel.name, new Channel(channel));
    this.isSteady = [...this.channels.keys()].some((name) => name.endsWith(".modes_cosine"));
  }

  async open(): Promise<void> {
    if (this.data.time && this.time.length === 0) this.time = (await readBlock(this.data.time)) as Float64Array<ArrayBuffer>;
  }

  get isModes(): boolean {
    return this.data.type === "modes" || this.isWhirl;
  }

  // the vibrations of a rotor, whose points run on orbits
  get isWhirl(): boolean {
    return this.data.type === "whirl";
  }

  get over(): { name: string; unit: string } {
    return this.data.over ?? (this.isModes ? { name: "mode", unit: "" } : { name: "time", unit: "s" });
  }

  // over a speed or a place: there is nothing to play
  get isStill(): boolean {
    return this.over.name !== "time" && !this.isModes;
  }

  // "t in s", "speed in rad/s", "mode"
  get overLabel(): string {
    const { name, unit: u } = this.over;
    return `${name === "time" ? "t" : name}${u ? ` in ${unit(u)}` : ""}`;
  }

  // The instants of a span, from the first to before the last; all where it has none, or where this is not over time.
  within(span: Span | undefined): [number, number] {
    const slack = 1e-9 * Math.abs((this.time[this.time.length - 1] ?? 0) - (this.time[0] ?? 0));
    let [first, end] = [0, this.time.length];
    if (!span || this.over.name !== "time") return [first, end];
    while (first < end && this.time[first] < (span.from ?? -Infinity) - slack) first++;
    while (end > first && this.time[end - 1] > (span.to ?? Infinity) + slack) end--;
    return first < end ? [first, end] : [0, this.time.length];
  }

  // the channels that there are of some names, loaded
  async load(...names: string[]): Promise<(Float32Array[] | null)[]> {
    return Promise.all(names.map((name) => this.channels.get(name)?.load() ?? null));
  }

  // index of the last instant not after t
  before(t: number): number {
    const { time } = this;
    let low = 0;
    let high = time.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (time[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // index of the nearest instant
  nearest(t: number): number {
    const i = this.before(t);
    const next = Math.min(i + 1, this.time.length - 1);
    return Math.abs(this.time[next] - t) < Math.abs(this.time[i] - t) ? next : i;
  }
}

// Some of the instants, the last one among them.
export function sample(times: Float64Array, most: number): number[] {
  const stride = Math.max(1, Math.ceil(times.length / most));
  const out: number[] = [];
  for (let i = 0; i < times.length; i += stride) out.push(times[i]);
  if (times.length) out.push(times[times.length - 1]);
  return out;
}

export class Report {
  readonly geometry: Geometry;
  readonly summary: Summary | null;
  readonly analyses: Analysis[];
  readonly skins: SkinData[];
  readonly compare: CompareData | null;
  readonly ghost: Report | null; // another result that moves beside this one
  readonly sheet: SheetData | null;

  constructor(readonly data: ReportData) {
    this.geometry = data.body ? bodyGeometry(data) : parse<Geometry>(data.geometry) ?? noGeometry;
    this.geometry.forces ??= [];
    this.summary = parse<Summary>(data.summary);
    this.analyses = data.analyses.map((analysis) => new Analysis(analysis));
    this.skins = data.skins ?? [];
    this.compare = data.compare ?? null;
    const ghost = data.compare?.ghost;
    this.ghost = ghost?.analyses[0]?.time ? new Report({ ...data, ...ghost, compare: undefined, sheet: null }) : null;
    this.sheet = parse<SheetData>(data.sheet);
  }

  // the analysis that others are compared with
  get compared(): Analysis | undefined {
    return this.analyses[this.analyses.length - 1];
  }

  get title(): string {
    return this.data.title || this.data.source;
  }
}

const noGeometry: Geometry = { dimension: 3, length: 1, bodies: [], joints: [], forces: [] };

function parse<T>(text: string | null | undefined): T | null {
  try {
    return text ? (JSON.parse(text) as T) : null;
  } catch {
    return null;
  }
}

// A reduced body alone, with its interface points.
function bodyGeometry(data: ReportData): Geometry {
  const body = data.body!;
  return {
    dimension: body.dimension, length: 1, joints: [], forces: [],
    bodies: [
      { name: "ground", kind: "ground", shape: null, points: {} },
      { name: data.title ?? "body", kind: "flexible", mass: body.mass, shape: null, points: body.points },
    ],
  };
}

export function readReport(): Report {
  const element = document.getElementById("limber-report");
  if (!element?.textContent) throw new Error("This page contains no data.");
  return new Report(JSON.parse(element.textContent) as ReportData);
}
