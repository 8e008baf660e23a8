// What the program puts into the page; see src/report/report.c and src/scene/geometry.h.

export interface Block {
  block: number;
  type: "f64" | "f32" | "u32" | "i16" | "i8";
  count: number;
}

export interface ChannelData {
  name: string;
  unit: string;
  doc: string;
  components: string;
  size: number;
  data: Block;
}

// The largest von Mises stress of a body, in Pa.
export interface PeakData {
  body: string;
  stress: number;
  time: number;
  node: number;
  correction: number | null; // share that the kept modes do not represent
  lowest: number | null; // lowest and highest of single elements at the node; null in beams
  highest: number | null;
}

export interface AnalysisData {
  name: string;
  type: string;
  over?: { name: string; unit: string }; // what stands in the place of time
  stored?: number;
  peaks?: PeakData[];
  unaccounted?: number; // of dynamics: energy in J that no work explains
  time?: Block;
  channels?: ChannelData[];
}

export interface SkinData {
  name: string;
  nodes: Block;
  triangles: Block;
  lines: Block;
  frequency: number[];
  shape_scale: number[];
  shapes: Block;
  stress_scale?: number[];
  stresses?: Block;
  carriers?: Block; // where sections of a beam carry it: their places and quaternions at rest
  carrier?: Block; // of each node of the skin, which carries it; its place is in the axes of this
  beam_nodes?: number; // nodes of the beam, and where sections are between these; see src/scene/skin.h
  ends?: Block;
  spans?: Block;
  span?: Block;
  along?: Block;
  fibres?: Block; // normal stress of a normal force, of moments about y and z, shear stress of a torque
}

export interface BodyFile {
  dimension: number;
  nodes: number;
  mass: number;
  centre: number[];
  frequency: number[];
  all_frequency: number[];
  fixed_frequency: number[];
  effective: number[][];
  static: [string, string][]; // point and motion of each static shape
  points: Record<string, Triple>;
  tied: Record<string, Triple[]>; // positions of the tied nodes of each point
  settings: string;
  warnings: string;
}

export interface CompareChannel {
  name: string;
  time?: Block; // of those over nodes, which no plot shows, there are the differences only
  data?: Block;
  size: number;
  gap: number | null; // steps longer than this are not interpolated
  largest: number;
  rms: number;
  at: number;
}

export interface CompareData {
  own: string; // what the result and the other are called
  source: string;
  shift: number;
  channels: CompareChannel[];
  ghost?: Pick<ReportData, "geometry" | "analyses" | "skins">; // of another result: what of it moves
}

export interface FigureCurve {
  label: string;
  style: "line" | "points" | "marks" | "bars" | "dots";
  x: (number | null)[];
  y: (number | null)[];
  low?: (number | null)[]; // where bars begin; else at 0
  width?: number; // of bars, along x; else four fifths of the least step between them
}

export interface FigureData {
  title: string;
  x_label: string;
  equal: boolean;
  logarithmic?: boolean; // at first
  whole?: boolean; // x counts: no ticks between whole numbers
  categories?: string[]; // names at x = 1, 2, ...
  sideways?: boolean; // x downwards, y to the right
  alike?: number; // the first so many curves have one colour, as those of a cascade
  panels: { label: string; curves: FigureCurve[] }[];
}

// What a result says in sentences, tables and figures; see src/report/sheet.h.
export interface SheetData {
  title: string;
  lead?: number; // so many tables stand above the figures
  sentences: string[];
  tables: { title: string; head: string[]; rows: string[][] }[];
  figures: FigureData[];
}

// Of a page that draws the frames of a video; its analysis has their instants. See src/report/frames.c.
export interface FramesData {
  width: number; // pixels
  height: number;
  view: "iso" | "front" | "side" | "top" | Triple | null; // a direction is where the camera is
  exaggerate: number;
  stress: boolean;
  dark: boolean;
}

// A part of the record of an analysis over time; null where it has no limit.
export interface Span {
  from: number | null;
  to: number | null;
}

export interface ReportData {
  format: number;
  kind: "result" | "body" | "sheet";
  source: string;
  written_by: string;
  title: string | null;
  version: string | null;
  model?: string | null;
  parameters?: string | null;
  geometry?: string | null;
  summary?: string | null;
  sheet?: string | null;
  analyses: AnalysisData[];
  span?: Span;
  skins: SkinData[];
  body?: BodyFile;
  compare?: CompareData;
  frames?: FramesData;
}

export type Triple = [number, number, number];

export interface GeometryBody {
  name: string;
  kind: string;
  modes_of?: string; // the body whose modal coordinates move it, and nothing else
  mass?: number;
  shape: Record<string, Record<string, number | number[] | string>> | null;
  points: Record<string, Triple>;
}

export interface GeometryItem {
  name: string;
  type: string;
  sign: string | null; // how it is drawn; see src/joints/joint.h
  bodies: [number, number];
  at: Triple;
  at_b?: Triple;
  axis?: Triple;
  radius?: number; // of the shaft in a bearing, or of the foot of a spring
}

export interface Geometry {
  dimension: number;
  length: number;
  gravity?: Triple;
  bodies: GeometryBody[];
  joints: GeometryItem[];
  forces?: GeometryItem[];
  without?: Record<string, string[]>; // by the name of the analysis
  events?: { name: string; release: string[]; latch: string[] }[];
}

export interface SummaryAnalysis {
  name: string;
  type: string;
  seconds: number;
  rows: number;
  bodies?: number;
  coordinates?: number;
  joint_rows?: number;
  driver_rows?: number;
  redundant?: number;
  free?: number;
  free_undriven?: number;
  integrator?: string;
  tolerance?: number;
  steps?: number;
  rejected?: number;
  iterations?: number;
  factorisations?: number;
}

export interface Summary {
  analyses: SummaryAnalysis[];
  messages: { severity: string; text: string; hint: string }[];
}
