// A shaft that runs up turns faster than a screen can show. Seen under a stroboscope it goes round slowly: of each
// turn only the instant is shown in which the shaft has a phase that goes on with at most a few turns a second.
import type { Analysis } from "./data";

const most = 1; // turns a second on the screen

export class Strobe {
  seen = 0; // the instant that is shown
  acts = false; // it is not that of the player
  private readonly angle: Float64Array; // of the shaft, rad
  private last = Infinity;
  private phase = 0;

  constructor(private readonly analysis: Analysis, speed: Float32Array) {
    const { time } = analysis;
    this.angle = new Float64Array(time.length);
    for (let i = 1; i < time.length; i++) this.angle[i] = this.angle[i - 1] + ((speed[i] + speed[i - 1]) / 2) * (time[i] - time[i - 1]);
  }

  // The instant of the turn before t; `pace` are the seconds of the run that pass in one.
  at(t: number, pace: number): number {
    const angle = this.angleAt(t);
    const passed = angle - this.angleAt(this.last);
    if (t < this.last) this.phase = angle;
    else this.phase += Math.min(passed, ((2 * Math.PI * most) / pace) * (t - this.last));
    this.last = t;
    const turns = Math.floor((angle - this.phase) / (2 * Math.PI));
    this.acts = angle > this.phase;
    this.seen = this.acts ? this.timeAt(this.phase + 2 * Math.PI * turns) : t;
    return this.seen;
  }

  // It begins again with the shaft as it is.
  restart(): void {
    this.last = Infinity;
    this.acts = false;
  }

  private angleAt(t: number): number {
    const { time } = this.analysis;
    const i = Math.min(this.analysis.before(t), time.length - 2);
    return this.angle[i] + ((this.angle[i + 1] - this.angle[i]) * (t - time[i])) / (time[i + 1] - time[i]);
  }

  private timeAt(angle: number): number {
    const { time } = this.analysis;
    let [low, high] = [0, time.length - 2];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.angle[middle] <= angle) low = middle;
      else high = middle - 1;
    }
    const step = this.angle[low + 1] - this.angle[low];
    return time[low] + (step > 0 ? ((angle - this.angle[low]) / step) * (time[low + 1] - time[low]) : 0);
  }
}

// That of a run-up of a rotor; none for other analyses.
export async function strobeOf(analysis: Analysis | null, rotor: string | undefined): Promise<Strobe | null> {
  if (!analysis || !rotor || analysis.isStill || analysis.isModes || analysis.time.length < 2) return null;
  const [speed] = await analysis.load(`${rotor}.speed`);
  return speed && new Strobe(analysis, speed[0]);
}
