// Numbers as people read them.

export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-3 ? value.toExponential(Math.max(digits - 2, 1)) : String(Number(value.toPrecision(digits)));
  return text.replace(/e\+?/, "e").replace(/-/g, "−");
}

// A number on an axis: short, with all that tells it from its neighbours.
export function tick(value: number, step: number): string {
  const size = Math.max(Math.abs(value), step);
  if (value === 0) return "0";
  if (size >= 1e5 || size < 1e-3) {
    const exponent = Math.floor(Math.log10(Math.abs(value)) + 1e-9);
    const mantissa = value / 10 ** exponent;
    return `${Number(mantissa.toPrecision(3))}e${exponent}`.replace(/-/g, "−");
  }
  let decimals = Math.max(0, Math.min(6, Math.ceil(-Math.log10(step) - 1e-9)));
  while (decimals < 6 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals++; // 0.25
  return value.toFixed(decimals).replace(/-/g, "−");
}

export function seconds(value: number): string {
  if (value < 1e-3) return `${number(value * 1e6, 3)} µs`;
  if (value < 1) return `${number(value * 1e3, 3)} ms`;
  if (value < 120) return `${number(value, 3)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

// Writes the times of a run so that its instants can be told apart, very short ones in smaller units, and speeds of
// rotors in rpm besides.
export function clock(time: Float64Array, of: string): (t: number) => string {
  const step = time.length > 1 ? (time[time.length - 1] - time[0]) / (time.length - 1) : 0;
  const needed = step > 0 ? Math.ceil(-Math.log10(step) - 1e-6) : 2;
  const [power, small] = of !== "s" || needed <= 6 ? [0, of] : needed <= 9 ? [6, "µs"] : [9, "ns"];
  const decimals = Math.max(1, Math.min(6, needed - power));
  const rpm = (t: number) => (of === "rad/s" ? `, ${((30 * t) / Math.PI).toFixed(0)} rpm` : "");
  return (t) => `${(t * 10 ** power).toFixed(decimals)} ${unit(small)}${rpm(t)}`;
}

export function unit(text: string): string {
  return text.replace(/\^2/g, "²").replace(/\^3/g, "³").replace(/ /g, "\u2009");
}

// The shortest text that is this number of single precision; nothing for one that is missing.
export function single(value: number): string {
  if (Number.isNaN(value)) return "";
  const digits = [6, 7, 8].find((d) => Math.fround(Number(value.toPrecision(d))) === value) ?? 9;
  return String(Number(value.toPrecision(digits)));
}

// A name in the first line of a CSV table.
export function csvName(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

// 1, 2 or 5 times a power of ten, not above a value
export function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([5, 2].find((k) => k * power <= value) ?? 1);
}
