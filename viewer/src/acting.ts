// Which joints and forces act: not those that an analysis does without, and not what an event has released.
import type { Analysis } from "./data";
import type { Geometry } from "./types";

interface Span {
  from: number; // s
  off: ReadonlySet<string>;
}

const all: ReadonlySet<string> = new Set();

export class Acting {
  private spans: Span[] = [];

  async open(geometry: Geometry, analysis: Analysis | null): Promise<void> {
    this.spans = [];
    if (!analysis) return;
    const off = new Set(geometry.without?.[analysis.data.name] ?? []);
    this.spans.push({ from: -Infinity, off: new Set(off) });
    const events = geometry.events ?? [];
    const times = await analysis.load(...events.map((e) => `${e.name}.time`));
    const happened = events.map((event, i) => ({ event, from: times[i]?.[0].find((t) => Number.isFinite(t)) }))
      .filter((e): e is { event: typeof e.event; from: number } => e.from !== undefined).sort((a, b) => a.from - b.from);
    for (const { event, from } of happened) {
      for (const name of event.release) off.add(name);
      for (const name of event.latch) off.delete(name);
      this.spans.push({ from, off: new Set(off) });
    }
  }

  // the names of what does not act at a time
  off(t: number): ReadonlySet<string> {
    let now = all;
    for (const span of this.spans) if (span.from <= t) now = span.off;
    return now;
  }
}
