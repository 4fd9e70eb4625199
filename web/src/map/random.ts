/** Chance for the hand of the draughtsman: the same for the same piece of ground, so that a map never shimmers. */
export class Hand {
  private state: number;

  constructor(seed: string) {
    this.state = 2166136261;
    for (let i = 0; i < seed.length; i++) this.state = Math.imul(this.state ^ seed.charCodeAt(i), 16777619);
  }

  /** From 0 up to 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  pick<T>(of: readonly [T, ...T[]]): T {
    return of[Math.floor(this.next() * of.length)] ?? of[0];
  }
}
