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

// Decimals that tell instants of a run apart.
export function timeDecimals(time: Float64Array): number {
  if (time.length < 2) return 2;
  const step = (time[time.length - 1] - time[0]) / (time.length - 1);
  return step > 0 ? Math.max(1, Math.min(6, Math.ceil(-Math.log10(step) - 1e-6))) : 2;
}

export function unit(text: string): string {
  return text.replace(/\^2/g, "²").replace(/\^3/g, "³").replace(/ /g, "\u2009");
}
