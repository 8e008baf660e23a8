// What draws flexible bodies. The shapes of the modes are textures, and the vertex shader adds them up,
//
//   x + s sum eta_j shape_j        (s: the deformation scale),
//
// and the von Mises stress of sum e_j stress_j (e: eta, or what the result says that stresses are of). With
// FOLDED the sums come ready with the vertices. Both sides of a surface are lit at its vertices.
import { Color, DoubleSide, FrontSide, ShaderMaterial, type IUniform } from "three";

export const WIDTH = 2048; // of the textures

const vertex = /* glsl */ `
  precision highp sampler2D;
  uniform float range;
  out vec2 vLight; // of the front and of the back
  out float vStress;

  #ifdef FOLDED
  in float stress;
  void deform(out vec3 place, out float mises) {
    place = position;
    mises = stress;
  }
  #else
  uniform sampler2D shapes;    // xyz, and one part of the stress
  uniform sampler2D stresses;  // the other four
  uniform vec2 weights[MODES]; // eta and e; packed, because only 256 vectors are available
  uniform int nodeCount;
  uniform float deformation;
  uniform bool colored;
  in float node;
  void deform(out vec3 place, out float mises) {
    vec3 moved = vec3(0.0);
    float shear = 0.0;
    vec4 stress = vec4(0.0);
    int at = int(node);
    for (int j = 0; j < MODES; j++, at += nodeCount) {
      ivec2 texel = ivec2(at & ${WIDTH - 1}, at / ${WIDTH});
      vec4 shape = texelFetch(shapes, texel, 0);
      moved += weights[j].x * shape.xyz;
      if (!colored) continue;
      shear += weights[j].y * shape.w;
      stress += weights[j].y * texelFetch(stresses, texel, 0);
    }
    place = position + deformation * moved;
    float a = stress.x, b = stress.y;
    mises = sqrt(max(0.0, a * a + a * b + b * b + 3.0 * (dot(stress.zw, stress.zw) + shear * shear)));
  }
  #endif

  float light(vec3 n) {
    return 0.42 + 0.5 * max(0.0, dot(n, normalize(vec3(0.35, 0.6, 0.75)))) + 0.12 * max(0.0, -n.x);
  }

  void main() {
    vec3 place;
    float mises;
    deform(place, mises);
    vStress = clamp(mises / range, 0.0, 1.0);
    vec3 n = normalize(normalMatrix * normal);
    vLight = vec2(light(n), light(-n));
    gl_Position = projectionMatrix * (modelViewMatrix * vec4(place, 1.0));
  }`;

const fragment = /* glsl */ `
  uniform vec3 color;
  uniform float opacity;
  uniform bool colored;
  in vec2 vLight;
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
    result = vec4(base * (gl_FrontFacing ? vLight.x : vLight.y), opacity);
  }`;

// The colours of the legend, from low to high; those of ramp() above.
export const ramp = ["#304ca8", "#299ec2", "#6bbf5c", "#facc40", "#d12e29"];

// The material of a body; `modes` is how many its textures hold, 0 where the sums are made elsewhere, and
// `closed` tells that its back cannot be seen.
export function skinMaterial(color: string, modes: number, closed: boolean, uniforms: Record<string, IUniform> = {}): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: "300 es",
    defines: modes ? { MODES: modes } : { FOLDED: "" },
    vertexShader: vertex,
    fragmentShader: fragment,
    side: closed ? FrontSide : DoubleSide,
    uniforms: {
      colored: { value: false }, range: { value: 1 }, opacity: { value: 1 }, color: { value: new Color(color).convertLinearToSRGB() }, ...uniforms,
    },
  });
}
