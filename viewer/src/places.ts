// Where points of bodies are. Those of flexible ones go with the surface as it is drawn, its deformation
// scale included, so that joints, forces and paths stay on the body.
import type { Vector3 } from "three";
import type { Motion } from "./motion";
import { LineSkin } from "./line_skin";
import type { Skin } from "./skin";

export class Places {
  scale = 1; // of the deformation
  private readonly shapes = new Map<string, Float32Array>();

  constructor(private readonly motion: Motion, private readonly skins: Map<number, Skin | LineSkin>) {}

  // Takes a point in the axes of a body at rest to where it is now, in place.
  toWorld(body: number, point: Vector3): Vector3 {
    const { position, turn, eta } = this.motion.poses[body];
    const skin = this.skins.get(body);
    if (skin instanceof LineSkin) return skin.carry(point, this.motion.poses[body]);
    if (skin) {
      const shapes = this.shapesAt(body, skin, point);
      for (let j = 0; j < eta.length; j++) {
        const factor = this.scale * eta[j];
        point.x += factor * shapes[3 * j];
        point.y += factor * shapes[3 * j + 1];
        point.z += factor * shapes[3 * j + 2];
      }
    }
    return point.applyQuaternion(turn).add(position);
  }

  private shapesAt(body: number, skin: Skin, point: Vector3): Float32Array {
    const key = `${body} ${point.x} ${point.y} ${point.z}`;
    let shapes = this.shapes.get(key);
    if (!shapes) this.shapes.set(key, (shapes = skin.shapesAt(point)));
    return shapes;
  }
}
