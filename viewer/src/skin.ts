// Flexible bodies: the shapes of the modes are textures, and the vertex shader adds them up,
//
//   x + s sum eta_j shape_j        (s: the deformation scale),
//
// and the von Mises stress of sum e_j stress_j (e: eta, or what the result says that stresses are of). Where
// the shaders run on the processor anyway, the sums are made here and the textures hold one "mode" with the factor 1.
import {
  BufferAttribute, BufferGeometry, Color, DataTexture, DoubleSide, FloatType, Group, Mesh,
  NearestFilter, RGBAFormat, ShaderMaterial, Vector3,
} from "three";
import { readBlock } from "./data";
import type { SkinData } from "./types";

const WIDTH = 2048; // of the textures
const MOST = 64; // modes that a shader adds up

const vertex = /* glsl */ `
  precision highp sampler2D;
  uniform sampler2D shapes;    // xyz, and one part of the stress
  uniform sampler2D stresses;  // the other four
  uniform float eta[MODES];
  uniform float strained[MODES];
  uniform int nodeCount;
  uniform float deformation;
  uniform bool colored;
  uniform float range;
  in float node;
  out vec3 vNormal;
  out vec3 vView;
  out float vStress;

  void main() {
    vec3 moved = vec3(0.0);
    float shear = 0.0;
    vec4 stress = vec4(0.0);
    int at = int(node);
    for (int j = 0; j < MODES; j++, at += nodeCount) {
      ivec2 texel = ivec2(at & ${WIDTH - 1}, at / ${WIDTH});
      vec4 shape = texelFetch(shapes, texel, 0);
      moved += eta[j] * shape.xyz;
      if (!colored) continue;
      shear += strained[j] * shape.w;
      stress += strained[j] * texelFetch(stresses, texel, 0);
    }
    vec3 place = position + deformation * moved;
    float a = stress.x, b = stress.y;
    float mises = sqrt(max(0.0, a * a + a * b + b * b + 3.0 * (dot(stress.zw, stress.zw) + shear * shear)));
    vStress = clamp(mises / range, 0.0, 1.0);
    vec4 view = modelViewMatrix * vec4(place, 1.0);
    vNormal = normalMatrix * normal;
    vView = view.xyz;
    gl_Position = projectionMatrix * view;
  }`;

const fragment = /* glsl */ `
  uniform vec3 color;
  uniform bool colored;
  in vec3 vNormal;
  in vec3 vView;
  in float vStress;
  out vec4 result;

  // blue, cyan, green, yellow, red in even steps of lightness
  vec3 ramp(float s) {
    vec3 c0 = vec3(0.19, 0.30, 0.66), c1 = vec3(0.16, 0.62, 0.76), c2 = vec3(0.42, 0.75, 0.36),
         c3 = vec3(0.98, 0.80, 0.25), c4 = vec3(0.82, 0.18, 0.16);
    if (s < 0.25) return mix(c0, c1, 4.0 * s);
    if (s < 0.5) return mix(c1, c2, 4.0 * s - 1.0);
    if (s < 0.75) return mix(c2, c3, 4.0 * s - 2.0);
    return mix(c3, c4, 4.0 * s - 3.0);
  }

  void main() {
    vec3 base = colored ? ramp(vStress) : color;
    vec3 n = normalize(vNormal);
    if (dot(n, vView) > 0.0) n = -n;
    float light = 0.42 + 0.5 * max(0.0, dot(n, normalize(vec3(0.35, 0.6, 0.75)))) + 0.12 * max(0.0, -n.x);
    result = vec4(base * light, 1.0);
  }`;

// The colours of the legend, from low to high; those of ramp() above.
export const ramp = ["#304ca8", "#299ec2", "#6bbf5c", "#facc40", "#d12e29"];

function texture(texels: number): DataTexture {
  const height = Math.max(1, Math.ceil(texels / WIDTH));
  const out = new DataTexture(new Float32Array(WIDTH * height * 4), WIDTH, height, RGBAFormat, FloatType);
  out.minFilter = out.magFilter = NearestFilter;
  out.needsUpdate = true;
  return out;
}

// Beams as tubes: a ring of vertices around both ends of each line, moved with its node.
function tubes(nodes: Float32Array, lines: Uint32Array, radius: number): BufferGeometry {
  const sides = 10;
  const point = (i: number) => new Vector3(nodes[3 * i], nodes[3 * i + 1], nodes[3 * i + 2]);
  const position: number[] = [];
  const normal: number[] = [];
  const node: number[] = [];
  const index: number[] = [];
  for (let l = 0; l < lines.length; l += 2) {
    const ends = [point(lines[l]), point(lines[l + 1])];
    const along = ends[1].clone().sub(ends[0]).normalize();
    const across = new Vector3(0, 0, 1).cross(along);
    if (across.lengthSq() < 1e-6) across.set(1, 0, 0);
    across.normalize();
    const third = along.clone().cross(across);
    const first = position.length / 3;
    for (let e = 0; e < 2; e++)
      for (let k = 0; k < sides; k++) {
        const angle = (2 * Math.PI * k) / sides;
        const n = across.clone().multiplyScalar(Math.cos(angle)).addScaledVector(third, Math.sin(angle));
        normal.push(n.x, n.y, n.z);
        n.multiplyScalar(radius).add(ends[e]);
        position.push(n.x, n.y, n.z);
        node.push(lines[l + e]);
        const next = (k + 1) % sides;
        if (e === 0) index.push(first + k, first + next, first + sides + k, first + next, first + sides + next, first + sides + k);
      }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normal), 3));
  geometry.setAttribute("node", new BufferAttribute(new Float32Array(node), 1));
  geometry.setIndex(index);
  return geometry;
}

export class Skin {
  readonly group = new Group();
  readonly material: ShaderMaterial;
  readonly hasStress: boolean;
  private readonly modes: number;
  private readonly shapeTexture: DataTexture;
  private readonly stressTexture: DataTexture;
  private eta: Float32Array = new Float32Array(0);
  private strained: Float32Array = new Float32Array(0);

  private constructor(
    readonly data: SkinData, readonly nodes: Float32Array, readonly shapes: Int16Array, readonly stresses: Int8Array | null,
    triangles: Uint32Array, lines: Uint32Array, color: string, private readonly folded: boolean, radius: number,
  ) {
    const count = nodes.length / 3;
    this.modes = folded ? data.frequency.length : Math.min(data.frequency.length, MOST);
    this.hasStress = stresses !== null;
    const texels = count * (folded ? 1 : this.modes);
    this.shapeTexture = texture(texels);
    this.stressTexture = texture(stresses ? texels : 1);
    if (!folded) this.fillTextures(count);
    this.material = this.makeMaterial(count, color);
    const node = new Float32Array(count);
    for (let i = 0; i < count; i++) node[i] = i;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(nodes, 3));
    geometry.setAttribute("node", new BufferAttribute(node, 1));
    if (triangles.length) {
      geometry.setIndex(new BufferAttribute(triangles, 1));
      geometry.computeVertexNormals();
      this.group.add(this.visible(new Mesh(geometry, this.material)));
    }
    if (lines.length) this.group.add(this.visible(new Mesh(tubes(nodes, lines, radius), this.material)));
  }

  // deformation may carry it out of the box of the rest shape
  private visible(object: Mesh): Mesh {
    object.frustumCulled = false;
    return object;
  }

  static async read(data: SkinData, color: string, folded: boolean, radius: number): Promise<Skin> {
    const [nodes, triangles, lines, shapes, stresses] = await Promise.all([
      readBlock(data.nodes), readBlock(data.triangles), readBlock(data.lines), readBlock(data.shapes),
      data.stresses ? readBlock(data.stresses) : null,
    ]);
    return new Skin(data, nodes as Float32Array, shapes as Int16Array, stresses as Int8Array | null,
      triangles as Uint32Array, lines as Uint32Array, color, folded, radius);
  }

  // all modes, one after the other
  private fillTextures(count: number): void {
    const { shapes, stresses, modes, data } = this;
    const to = this.shapeTexture.image.data as Float32Array;
    const other = this.stressTexture.image.data as Float32Array;
    for (let mode = 0; mode < modes; mode++)
      for (let i = 0; i < count; i++) {
        const texel = 4 * (mode * count + i);
        for (let k = 0; k < 3; k++) to[texel + k] = shapes[(3 * mode + k) * count + i] * data.shape_scale[mode];
        if (!stresses) continue;
        for (let k = 0; k < 4; k++) other[texel + k] = stresses[(5 * mode + k) * count + i] * data.stress_scale![mode];
        to[texel + 3] = stresses[(5 * mode + 4) * count + i] * data.stress_scale![mode];
      }
    this.shapeTexture.needsUpdate = this.stressTexture.needsUpdate = true;
  }

  // the sum of all modes
  private fold(): void {
    const { shapes, stresses, data, eta, strained } = this;
    const count = this.nodes.length / 3;
    const add = (to: Float32Array, part: number, from: Int16Array | Int8Array, row: number, factor: number) => {
      const start = row * count;
      for (let i = 0, at = part; i < count; i++, at += 4) to[at] += factor * from[start + i];
    };
    const to = this.shapeTexture.image.data as Float32Array;
    const other = this.stressTexture.image.data as Float32Array;
    const colored = stresses && this.material.uniforms.colored.value;
    to.fill(0);
    if (colored) other.fill(0);
    for (let mode = 0; mode < this.modes; mode++) {
      const e = eta[mode] ?? 0;
      for (let k = 0; k < 3 && e !== 0; k++) add(to, k, shapes, 3 * mode + k, e * data.shape_scale[mode]);
    }
    for (let column = 0; colored && column < data.stress_scale!.length; column++) {
      const e = (strained[column] ?? 0) * data.stress_scale![column];
      if (e === 0) continue;
      for (let k = 0; k < 4; k++) add(other, k, stresses, 5 * column + k, e);
      add(to, 3, stresses, 5 * column + 4, e);
    }
    this.shapeTexture.needsUpdate = true;
    this.stressTexture.needsUpdate = !!colored;
  }

  private makeMaterial(count: number, color: string): ShaderMaterial {
    const modes = this.folded ? 1 : Math.max(this.modes, 1);
    return new ShaderMaterial({
      glslVersion: "300 es",
      defines: { MODES: modes },
      vertexShader: vertex,
      fragmentShader: fragment,
      side: DoubleSide,
      uniforms: {
        shapes: { value: this.shapeTexture }, stresses: { value: this.stressTexture },
        eta: { value: new Float32Array(modes).fill(this.folded ? 1 : 0) },
        strained: { value: new Float32Array(modes).fill(this.folded ? 1 : 0) }, nodeCount: { value: count },
        deformation: { value: 1 }, colored: { value: false }, range: { value: 1 },
        color: { value: new Color(color).convertLinearToSRGB() },
      },
    });
  }

  setEta(eta: Float32Array, strained: Float32Array): void {
    this.eta = eta;
    this.strained = strained;
    if (this.folded) {
      if (this.group.parent?.visible) this.fold();
      return;
    }
    const { uniforms } = this.material;
    for (const [target, from] of [[uniforms.eta.value, eta], [uniforms.strained.value, strained]] as [Float32Array, Float32Array][]) {
      target.fill(0);
      target.set(from.subarray(0, target.length));
    }
  }

  setDeformation(scale: number): void {
    this.material.uniforms.deformation.value = scale;
  }

  setStress(on: boolean, range: number): void {
    this.material.uniforms.colored.value = on && this.hasStress;
    this.material.uniforms.range.value = range > 0 ? range : 1;
    if (this.folded) this.fold();
  }

  // the largest von Mises stress, over every `every`-th node
  largestStress(strained: Float32Array, every = 1): number {
    const s = this.stresses;
    if (!s) return 0;
    const count = this.nodes.length / 3;
    const factors = this.data.stress_scale!.map((scale, j) => strained[j] * scale);
    let largest = 0;
    for (let i = 0; i < count; i += every) {
      let a = 0, b = 0, c = 0, d = 0, e = 0;
      for (let j = 0; j < factors.length; j++) {
        const f = factors[j];
        const at = 5 * j * count + i;
        a += f * s[at];
        b += f * s[at + count];
        c += f * s[at + 2 * count];
        d += f * s[at + 3 * count];
        e += f * s[at + 4 * count];
      }
      largest = Math.max(largest, a * a + a * b + b * b + 3 * (c * c + d * d + e * e));
    }
    return Math.sqrt(largest);
  }
}
