// Sums of modes, for where the shaders run on the processor anyway: adding up here, once a node and
// frame, is cheaper than in them.
import { BufferAttribute, DynamicDrawUsage, type BufferGeometry } from "three";

// sum_j factors_j column_j of a row, where columns stand one after the other, `rows` a mode.
function addUp(out: Float32Array, columns: Int16Array, rows: number, row: number, modes: number[], factors: number[]): void {
  const count = out.length;
  out.fill(0);
  let k = 0;
  // four at a time
  for (; k + 3 < modes.length; k += 4) {
    const [f, g, h, l] = [factors[k], factors[k + 1], factors[k + 2], factors[k + 3]];
    const a = (rows * modes[k] + row) * count;
    const b = (rows * modes[k + 1] + row) * count;
    const c = (rows * modes[k + 2] + row) * count;
    const d = (rows * modes[k + 3] + row) * count;
    for (let i = 0; i < count; i++) out[i] += f * columns[a + i] + g * columns[b + i] + h * columns[c + i] + l * columns[d + i];
  }
  for (; k < modes.length; k++) {
    const f = factors[k];
    const a = (rows * modes[k] + row) * count;
    for (let i = 0; i < count; i++) out[i] += f * columns[a + i];
  }
}

export class Sums {
  private readonly parts: Float32Array[]; // of the displacement, then of the stress
  private readonly stresses: Int16Array | null;
  private readonly surfaces: { rest: Float32Array; node: Float32Array; position: BufferAttribute; stress: BufferAttribute }[] = [];

  constructor(
    private readonly count: number, private readonly shapes: Int16Array, private readonly shapeScale: number[],
    stresses: Int8Array | null, private readonly stressScale: number[],
  ) {
    // of one type, so that the sums are compiled for one type
    this.stresses = stresses && Int16Array.from(stresses);
    this.parts = Array.from({ length: stresses ? 8 : 3 }, () => new Float32Array(count));
  }

  // Moves this geometry from now on; its vertices say which nodes they go with.
  add(geometry: BufferGeometry): void {
    const rest = geometry.getAttribute("position").array as Float32Array;
    const node = geometry.getAttribute("node").array as Float32Array;
    const position = new BufferAttribute(rest.slice(), 3).setUsage(DynamicDrawUsage);
    const stress = new BufferAttribute(new Float32Array(node.length), 1).setUsage(DynamicDrawUsage);
    geometry.deleteAttribute("node");
    geometry.setAttribute("position", position);
    geometry.setAttribute("stress", stress);
    this.surfaces.push({ rest, node, position, stress });
  }

  update(eta: Float32Array, strained: Float32Array, deformation: number, colored: boolean): void {
    this.addAll(0, 3, this.shapes, this.shapeScale, eta);
    const stressed = colored && this.stresses;
    if (stressed) {
      this.addAll(3, 5, stressed, this.stressScale, strained);
      this.vonMises();
    }
    for (const { rest, node, position, stress } of this.surfaces) {
      this.place(position.array as Float32Array, rest, node, deformation);
      position.needsUpdate = true;
      if (!stressed) continue;
      const to = stress.array as Float32Array;
      for (let v = 0; v < to.length; v++) to[v] = this.parts[3][node[v]];
      stress.needsUpdate = true;
    }
  }

  // the parts from `first` on, each a row of the columns that count
  private addAll(first: number, rows: number, columns: Int16Array, scales: number[], coordinates: Float32Array): void {
    const modes: number[] = [];
    for (let j = 0; j < Math.min(coordinates.length, scales.length); j++) if (coordinates[j] !== 0) modes.push(j);
    const factors = modes.map((j) => coordinates[j] * scales[j]);
    for (let k = 0; k < rows; k++) addUp(this.parts[first + k], columns, rows, k, modes, factors);
  }

  // from the parts of the stress, into the first of them
  private vonMises(): void {
    const [, , , a, b, c, d, e] = this.parts;
    for (let i = 0; i < this.count; i++)
      a[i] = Math.sqrt(a[i] * a[i] + a[i] * b[i] + b[i] * b[i] + 3 * (c[i] * c[i] + d[i] * d[i] + e[i] * e[i]));
  }

  private place(to: Float32Array, rest: Float32Array, node: Float32Array, scale: number): void {
    const [x, y, z] = this.parts;
    for (let v = 0, at = 0; v < node.length; v++, at += 3) {
      const n = node[v];
      to[at] = rest[at] + scale * x[n];
      to[at + 1] = rest[at + 1] + scale * y[n];
      to[at + 2] = rest[at + 2] + scale * z[n];
    }
  }
}
