// The texts and tables beside the animation: summary, modes, model.
import type { Analysis, Report } from "./data";
import { arcLengths } from "./along";
import { el } from "./dom";
import { senses } from "./traces";
import { number, seconds, unit } from "./format";
import type { Span } from "./types";

export function table(head: string[], rows: (string | Node)[][], attributes: Record<string, unknown> = {}): HTMLElement {
  return el("div", { class: "table" }, el("table", attributes,
    el("thead", {}, el("tr", {}, ...head.map((h) => el("th", { scope: "col" }, h)))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, cell)))))));
}

function facts(rows: [string, string | null | undefined][]): HTMLElement {
  return el("dl", { class: "facts" }, ...rows.filter(([, value]) => value !== null && value !== undefined && value !== "")
    .flatMap(([key, value]) => [el("dt", {}, key), el("dd", {}, value!)]));
}

export function section(title: string, ...content: (Node | null)[]): HTMLElement {
  return el("section", { class: "block" }, el("h2", {}, title), ...content);
}

// --- summary -------------------------------------------------------------------------------------

const typeNames: Record<string, string> = {
  assembly: "Assembly", kinematics: "Kinematics", "inverse-dynamics": "Inverse dynamics", dynamics: "Dynamics",
  statics: "Statics", modes: "Modes", rotor: "Rotor", whirl: "Whirl modes of a rotor",
};

function analysisFacts(report: Report, analysis: Analysis): HTMLElement {
  const s = report.summary?.analyses.find((a) => a.name === analysis.data.name);
  const time = analysis.time;
  const stored = analysis.data.stored ?? 0;
  const { over } = analysis;
  const span = time.length > 1 && !analysis.isModes ? `${number(time[0])} to ${number(time[time.length - 1])} ${unit(over.unit)}` : null;
  return facts([
    ["Type", typeNames[analysis.data.type] ?? analysis.data.type],
    [over.name[0].toUpperCase() + over.name.slice(1), span],
    [analysis.isModes ? "Modes" : analysis.isStill ? "Values" : "Instants", stored === time.length ? String(stored) : `${stored}, ${time.length} of them in this report`],
    ["Channels", String(analysis.channels.size)],
    ["Bodies", s?.bodies?.toString()],
    ["Degrees of freedom", s?.free_undriven !== undefined ? (s.driver_rows ? `${s.free_undriven}, ${s.free} left with the drivers` : String(s.free)) : null],
    ["Coordinates", s?.coordinates?.toString()],
    ["Constraints", s?.joint_rows !== undefined ? `${s.joint_rows} of joints, ${s.driver_rows} of drivers` : null],
    ["Redundant constraints", s?.redundant ? String(s.redundant) : null],
    ["Integrator", s?.integrator],
    ["Tolerance", s?.tolerance ? number(s.tolerance) : null],
    ["Steps", s?.steps ? `${s.steps}, ${s.rejected ?? 0} rejected` : null],
    ["Newton iterations", s?.iterations ? String(s.iterations) : null],
    ["Factorisations", s?.factorisations ? String(s.factorisations) : null],
    ["Computed in", s ? seconds(s.seconds) : null],
  ]);
}

// How well energy and joints are kept.
async function balance(analysis: Analysis): Promise<HTMLElement | null> {
  if (analysis.isModes || analysis.time.length < 2) return null;
  const names = ["kinetic", "potential", "elastic", "total", "supplied", "dissipated"].filter((n) => analysis.channels.has(`energy.${n}`));
  if (names.length === 0) return null;
  const columns = await analysis.load(...names.map((n) => `energy.${n}`));
  const last = analysis.time.length - 1;
  const rows = names.map((n, k) => {
    const c = columns[k]![0];
    return [n, number(c[0]), number(c[last]), number(least(c)), number(most(c))];
  });
  const notes: [string, string][] = [];
  const { unaccounted } = analysis.data;
  if (unaccounted !== undefined) {
    const scale = Math.max(...columns.map((c) => most(c![0]) - least(c![0])));
    notes.push(["Energy balance error", `${number(unaccounted, 2)} J${scale > 0 ? ` (${number((100 * unaccounted) / scale, 2)} % of the largest change of energy)` : ""}`]);
  }
  const gaps = await analysis.load("constraints.position", "constraints.velocity");
  if (gaps[0]) notes.push(["Largest constraint violation", `${number(most(gaps[0][0]), 2)} m`]);
  if (gaps[1]) notes.push(["Largest velocity constraint violation", `${number(most(gaps[1][0]), 2)} m/s`]);
  return section("Energy balance", table(["J", "start", "end", "minimum", "maximum"], rows, { class: "numbers" }), facts(notes));
}

// The largest forces of joints, efforts of drivers.
async function loads(analysis: Analysis, span: Span | undefined): Promise<HTMLElement | null> {
  if (analysis.isModes) return null;
  const [first, end] = analysis.within(span);
  const rows: string[][] = [];
  for (const channel of analysis.channels.values()) {
    if (!/\.(force|torque|effort)$/.test(channel.name) || /\.section\.force$/.test(channel.name)) continue;
    const columns = await channel.load();
    let best = -1;
    let at = 0;
    for (let i = first; i < end; i++) {
      const size = Math.hypot(...columns.map((c) => c[i]));
      if (size > best) [best, at] = [size, i];
    }
    if (best > 0) rows.push([channel.name, number(best), unit(channel.data.unit), number(analysis.time[at])]);
  }
  const part = end - first < analysis.time.length ? ` from ${number(analysis.time[first])} to ${number(analysis.time[end - 1])} s` : "";
  return rows.length ? section(`Largest loads${part}`, table(["channel", "magnitude", "unit", analysis.overLabel], rows, { class: "numbers" })) : null;
}

// The largest stress of each flexible body: its node and time, the range over single elements at the node, and the
// share that the kept modes do not represent. The result has the range only at the largest stress of the analysis.
async function stresses(report: Report, analysis: Analysis): Promise<HTMLElement | null> {
  if (analysis.isModes) return null;
  const [first, end] = analysis.within(report.data.span);
  const rows: string[][] = [];
  let solids = false;
  for (const name of [...analysis.channels.keys()].filter((n) => n.endsWith(".stress.max"))) {
    const body = name.slice(0, -".stress.max".length);
    const [largest, nodes, shares] = await analysis.load(name, `${body}.stress.node`, `${body}.stress.correction`);
    const skin = report.skins.find((s) => s.name === body && s.beam_nodes);
    let at = first;
    for (let i = first; i < end; i++) if (largest![0][i] > largest![0][at]) at = i;
    const node = nodes?.[0][at];
    const place = skin && node !== undefined ? `, ${number((await arcLengths(skin))[node - 1])} m from its start` : "";
    const peak = analysis.data.peaks?.find((p) => p.body === body && p.node === node && Math.abs(p.stress - largest![0][at]) <= 1e-6 * p.stress);
    const range = peak && peak.lowest !== null && peak.highest !== null ? `${number(peak.lowest / 1e6)} to ${number(peak.highest / 1e6)}` : "–";
    solids ||= range !== "–" || shares !== null;
    rows.push([body, number(largest![0][at] / 1e6), `node ${node ?? "–"}${place}`, number(analysis.time[at]), range,
      shares ? `${number(100 * shares[0][at], 2)} %` : "–"]);
  }
  const titles = ["body", "MPa", "where", analysis.overLabel, "single elements there, MPa", "beyond the kept modes"];
  const width = solids ? titles.length : 4;
  return rows.length ? section("Largest von Mises stresses", table(titles.slice(0, width), rows.map((r) => r.slice(0, width)), { class: "numbers" })) : null;
}

function least(c: Float32Array): number {
  let v = Infinity;
  for (const x of c) if (x < v) v = x;
  return v;
}

function most(c: Float32Array): number {
  let v = -Infinity;
  for (const x of c) if (x > v) v = x;
  return v;
}

function messages(report: Report): HTMLElement | null {
  const list = [...(report.summary?.messages ?? [])];
  for (const line of (report.data.body?.warnings ?? "").split("\n").filter(Boolean)) {
    const [text, hint] = line.split("\t");
    list.push({ severity: "warning", text, hint: hint ?? "" });
  }
  if (!list.length) return null;
  return section("Messages", el("ul", { class: "messages" }, ...list.map((m) =>
    el("li", { class: m.severity }, el("b", {}, m.severity === "error" ? "Error: " : "Warning: "), m.text, m.hint ? el("small", {}, m.hint) : null))));
}

function comparison(report: Report): HTMLElement | null {
  const c = report.compare;
  if (!c) return null;
  const analysis = report.compared;
  const rows = c.channels.map((d) => {
    const channel = analysis?.channels.get(d.name) ?? analysis?.channels.get(d.name.slice(0, d.name.lastIndexOf(".")));
    const common = d.largest !== null;
    return [d.name, number(d.largest), common ? number(d.at) : "–", number(d.rms), unit(channel?.data.unit ?? "")];
  });
  return section(`Compared with ${c.source}`,
    c.shift ? el("p", {}, `Its times are shifted by ${number(c.shift)} s.`) : null,
    table(["channel", "largest difference", `at ${analysis?.overLabel ?? "t in s"}`, "RMS", "unit"], rows, { class: "numbers compare" }));
}

export async function summaryPanel(report: Report, analysis: Analysis | null): Promise<HTMLElement> {
  const panel = el("div", { class: "page" });
  panel.append(...[messages(report), comparison(report)].filter((n) => n !== null));
  if (report.data.body) panel.append(section("Reduced body", bodyFacts(report)));
  if (analysis) {
    panel.append(section(`Analysis ${analysis.data.name}`, analysisFacts(report, analysis)));
    const parts = await Promise.all([balance(analysis), loads(analysis, report.data.span), stresses(report, analysis)]);
    panel.append(...parts.filter((n) => n !== null));
  }
  if (report.data.parameters) panel.append(parameterTable(report.data.parameters));
  panel.append(section("This report", facts([
    ["File", report.data.source],
    ["Computed by", report.data.version ? `Limber ${report.data.version}` : null],
    ["Report by", `Limber ${report.data.written_by}`],
  ])));
  return panel;
}

// "omega = 10" or "omega 10", a line each
function parameterTable(text: string): HTMLElement {
  const rows = text.split("\n").filter(Boolean).map((line) => {
    const [, name, value] = /^(\S+?)\s*[=:\s]\s*(.*)$/.exec(line) ?? [null, line, ""];
    const shown = value.replace(/-?\d+(\.\d+)?(e[-+]?\d+)?/gi, (v) => number(Number(v), 6));
    return [name, shown];
  });
  return section("Parameters", table(["name", "value"], rows, { class: "numbers" }));
}

function bodyFacts(report: Report): HTMLElement {
  const b = report.data.body!;
  return el("div", {}, facts([
    ["Mass", `${number(b.mass, 6)} kg`],
    ["Centre of mass", `(${b.centre.map((c) => number(c)).join(", ")}) m`],
    ["Nodes", String(b.nodes)],
    ["Interface points", Object.keys(b.points).map((name) => {
      const count = b.tied[name]?.length ?? 0;
      return count > 1 ? `${name} (tied to ${count} nodes, marked)` : name;
    }).join(", ")],
    ["Modes kept", `${b.frequency.length} of ${b.all_frequency.length}`],
  ]));
}

// --- model ---------------------------------------------------------------------------------------

export function modelPanel(report: Report): HTMLElement {
  const text = report.data.model ?? report.data.body?.settings ?? "";
  const pre = el("pre", { class: "model", tabindex: "0", "aria-label": "The model file" });
  text.replace(/\n$/, "").split("\n").forEach((line, i) => {
    const comment = /(^|\s)#.*$/.exec(line);
    const code = comment ? line.slice(0, comment.index) : line;
    const key = /^(\s*(?:- )?)([\w{}-]+)(:)(?=\s|$)/.exec(code);
    pre.append(el("span", { class: "row" }, el("i", {}, String(i + 1)),
      ...(key ? [key[1], el("b", {}, key[2]), code.slice(key[1].length + key[2].length)] : [code]),
      comment ? el("em", {}, comment[0]) : null));
  });
  return el("div", { class: "page" }, pre);
}

function dot(color: string): HTMLElement {
  return el("i", { class: "dot", style: `background:${color}` });
}

// --- modes ---------------------------------------------------------------------------------------

const motions = ["x", "y", "z", "rotation x", "rotation y", "rotation z"];

export interface ModeList {
  rows: { group?: string; name: string; frequency: number | null }[]; // null: it does not vibrate by itself
  damping: number[] | null;
  decrement?: number[];
  whirl?: string[]; // "forward", "backward", "mixed", "plane"
}

// The modes of a free body begin with its motions as one piece.
export function rigidCount(report: Report): number {
  return report.data.body ? (report.data.body.dimension === 2 ? 3 : 6) : 0;
}

// What can be looked at of a reduced body: its motions as one piece, then the shapes of its skin in their order.
function bodyShapes(report: Report): ModeList["rows"] {
  const b = report.data.body!;
  const rigid = b.dimension === 2 ? ["x", "y", "rotation z"] : motions;
  const hasBasis = report.skins[0].frequency.length > b.frequency.length;
  return [
    ...rigid.map((name) => ({ group: "Rigid body modes", name: `rigid: ${name}`, frequency: null })),
    ...b.frequency.map((f, i) => ({ group: "Modes kept, relative to the body frame", name: `kept ${i + 1}`, frequency: f })),
    ...b.static.map(([point, motion]) => ({ group: "Constraint modes: unit motion of one point, the others fixed", name: `static: ${point} ${motion}`, frequency: null })),
    ...(hasBasis ? b.fixed_frequency : []).map((f, i) => ({ group: "Fixed-interface modes", name: `fixed-interface ${i + 1}`, frequency: f })),
  ];
}

export async function modesOf(report: Report, analysis: Analysis | null): Promise<ModeList | null> {
  if (report.data.body) return { rows: bodyShapes(report), damping: null };
  if (!analysis?.isModes) return null;
  const [frequency, damping, decrement, whirl, mixed] =
    await analysis.load("modes.frequency", "modes.damping", "modes.decrement", "modes.whirl", "modes.mixed");
  if (!frequency) return null;
  const list: ModeList = {
    rows: [...frequency[0]].map((f, i) => ({ name: String(i + 1), frequency: f })), damping: damping ? [...damping[0]] : null,
  };
  if (decrement) list.decrement = [...decrement[0]];
  if (whirl) list.whirl = Array.from(whirl[0], (sense, i) => mixed?.[0][i] ? "mixed" : sense > 1e-6 ? "forward" : sense < -1e-6 ? "backward" : "plane");
  return list;
}

export function modesPanel(report: Report, modes: ModeList, chosen: number, choose: (mode: number) => void, amplitude: number,
  setAmplitude: (value: number) => void): HTMLElement {
  const rows = modes.rows.map(({ name, frequency }, i) => {
    const row = el("tr", { tabindex: i === chosen ? "0" : "-1", "aria-selected": String(i === chosen), "data-mode": i },
      el("td", {}, name), el("td", {}, frequency === null ? "" : number(frequency, 6)),
      modes.whirl ? el("td", {}, modes.whirl[i]) : null,
      modes.damping ? el("td", {}, number(Math.abs(modes.damping[i]) < 1e-9 ? 0 : 100 * modes.damping[i], 3)) : null,
      modes.decrement ? el("td", {}, number(Math.abs(modes.decrement[i]) < 1e-9 ? 0 : modes.decrement[i], 3)) : null);
    const pick = () => {
      for (const other of rows) {
        other.setAttribute("aria-selected", String(other === row));
        other.tabIndex = other === row ? 0 : -1;
      }
      choose(i);
    };
    row.addEventListener("click", pick);
    row.addEventListener("keydown", (e) => {
      if (e.key === "Enter" || e.key === " ") pick();
      const next = e.key === "ArrowDown" ? rows[i + 1] : e.key === "ArrowUp" ? rows[i - 1] : null;
      if (next) {
        next.focus();
        next.click();
      }
      if (["Enter", " ", "ArrowDown", "ArrowUp"].includes(e.key)) {
        e.preventDefault();
        e.stopPropagation();
      }
    });
    return row;
  });
  const slider = el("input", { type: "range", min: "0", max: "0.3", step: "0.005", "aria-label": "Amplitude" });
  slider.value = String(amplitude);
  slider.addEventListener("input", () => setAmplitude(Number(slider.value)));
  const head = [report.data.body ? "shape" : "mode", "frequency in Hz", ...(modes.whirl ? ["whirl"] : []), ...(modes.damping ? ["damping in %"] : []),
    ...(modes.decrement ? ["log. decrement"] : [])];
  const grouped = modes.rows.flatMap(({ group }, i) => group === modes.rows[i - 1]?.group ? [rows[i]]
    : [el("tr", { class: "group" }, el("th", { scope: "rowgroup", colspan: head.length }, group!)), rows[i]]);
  const panel = el("div", { class: "page" },
    section(report.data.body ? "Shapes" : "Modes", el("p", {}, report.data.body ? "Select a shape to animate it." : "Select a mode to animate it."),
      modes.whirl ? el("p", { class: "senses" }, "Orbits: ", dot(senses.forward), " forward, with the shaft; ", dot(senses.backward),
        " backward. Decay and the rotation of the shaft are not shown.") : null,
      el("label", { class: "slider" }, "Amplitude", slider),
      el("div", { class: "table" }, el("table", { class: "numbers choose", role: "grid", "aria-label": "Modes" },
        el("thead", {}, el("tr", {}, ...head.map((h) => el("th", { scope: "col" }, h)))), el("tbody", {}, ...grouped)))));
  const b = report.data.body;
  if (b?.fixed_frequency.length) {
    panel.append(section("Fixed-interface modes",
      el("p", {}, "Frequencies and effective modal masses (kg, kg m²)."),
      table(["mode", "Hz", ...motions], b.fixed_frequency.map((f, i) => [String(i + 1), number(f, 6), ...b.effective[i].map((m) => number(Math.abs(m) < 1e-9 * b.mass ? 0 : m, 3))]), { class: "numbers" })));
  }
  if (b && b.all_frequency.length > b.frequency.length)
    panel.append(section("All modes of the basis", table(["mode", "Hz"], b.all_frequency.map((f, i) => [String(i + 1), number(f, 6)]), { class: "numbers" })));
  return panel;
}
