// The time of the animation: play, pause, scrub, step, speed. Whoever shows something listens.

export type Listener = (t: number) => void;

export class Player {
  t = 0;
  playing = false;
  speed = 1;
  loop = true;
  still = false; // the "instants" are no times: it can be moved, but does not play
  turns = false; // it stands still, but something goes round there when it plays
  phase = 0; // of what goes round, from 0 to 1
  start = 0;
  end = 1;
  private times: Float64Array = new Float64Array(0);
  private readonly listeners: Listener[] = [];
  private readonly stateListeners: (() => void)[] = [];
  private last = 0;

  constructor() {
    const frame = (now: number) => {
      this.advance(now);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  onTime(listener: Listener): void {
    this.listeners.push(listener);
  }

  onState(listener: () => void): void {
    this.stateListeners.push(listener);
  }

  // Plays other instants from now on; a short or long run gets a speed at which it can be watched.
  setTimes(times: Float64Array, speed?: number, still = false, turns = false): void {
    this.times = times;
    this.still = still;
    this.turns = turns;
    this.phase = 0;
    this.start = times.length ? times[0] : 0;
    this.end = times.length ? times[times.length - 1] : 0;
    const duration = this.end - this.start;
    const natural = duration > 0 && (duration < 1.5 || duration > 90) ? nice(duration / 8) : 1;
    this.speed = speed ?? natural;
    this.playing = false;
    this.seek(this.start);
    this.changed();
  }

  get playable(): boolean {
    return this.movable && (!this.still || this.turns);
  }

  get movable(): boolean {
    return this.times.length > 1 && this.end > this.start;
  }

  seek(t: number): void {
    this.t = Math.min(Math.max(t, this.start), this.end);
    for (const listener of this.listeners) listener(this.t);
  }

  // Goes to the beginning of what plays.
  rewind(): void {
    this.phase = 0;
    this.seek(this.turns ? this.t : this.start);
  }

  toggle(): void {
    this.setPlaying(!this.playing);
  }

  setPlaying(playing: boolean): void {
    this.playing = playing && this.playable;
    if (this.playing && this.t >= this.end) this.rewind();
    this.last = 0;
    this.changed();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.changed();
  }

  step(count: number): void {
    if (!this.turns) this.setPlaying(false);
    const { times } = this;
    if (times.length === 0) return;
    let i = 0;
    const slack = 1e-9 * (this.end - this.start);
    while (i + 1 < times.length && times[i + 1] <= this.t + slack) i++;
    if (count < 0 && this.t > times[i] + slack) count++;
    this.seek(times[Math.min(Math.max(i + count, 0), times.length - 1)]);
  }

  private advance(now: number): void {
    if (!this.playing) return;
    const passed = this.last ? Math.min((now - this.last) / 1000, 0.25) : 0;
    this.last = now;
    let t = this.t;
    if (this.turns) {
      this.phase += passed * this.speed;
      if (this.phase >= 1 && !this.loop) this.setPlaying(false);
      this.phase %= 1;
    } else if ((t += passed * this.speed) >= this.end) {
      if (this.loop) t = this.start + ((t - this.start) % (this.end - this.start));
      else this.setPlaying(false);
    }
    this.seek(t);
  }

  private changed(): void {
    for (const listener of this.stateListeners) listener();
  }
}

// One, two or five times a power of ten, k-th from 1.
function step(k: number): number {
  return Number(`${[1, 2, 5][((k % 3) + 3) % 3]}e${Math.floor(k / 3)}`);
}

function nice(speed: number): number {
  const k = Math.floor(3 * Math.log10(speed));
  const near = [k - 1, k, k + 1, k + 2].map(step);
  return near.reduce((best, s) => (Math.abs(Math.log(s / speed)) < Math.abs(Math.log(best / speed)) ? s : best));
}

// Speeds to choose from, around one.
export function speedsAround(speed: number): number[] {
  const k = Math.round(3 * Math.log10(speed));
  const list = Array.from({ length: 11 }, (_, i) => step(k - 5 + i)).filter((s) => s >= speed / 20 && s <= speed * 20);
  return [...new Set([...list, speed])].sort((a, b) => a - b);
}
