// What draws: WebGL of the browser, by graphics hardware or without.
import { SRGBColorSpace, WebGLRenderer } from "three";

// None where the browser cannot draw in space.
export function makeRenderer(antialias: boolean): WebGLRenderer | null {
  try {
    const renderer = new WebGLRenderer({ antialias });
    renderer.outputColorSpace = SRGBColorSpace;
    return renderer;
  } catch {
    return null;
  }
}

// Whether there is no graphics hardware; then smooth edges and long shaders cost too much.
export function drawnBySoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
