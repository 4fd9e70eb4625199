/** How fast the doings of others are shown, as the reader likes it. */

const KEY = 'sabretache.pace';

/** Milliseconds between two moments. */
const WAITS = { slow: 1_400, quick: 450, once: 0 } as const;
export type PaceName = keyof typeof WAITS;
export const PACES = Object.keys(WAITS) as PaceName[];

class Pace {
  name = $state<PaceName>('quick');

  constructor() {
    const still = typeof matchMedia === 'undefined' || matchMedia('(prefers-reduced-motion: reduce)').matches;
    const kept = typeof localStorage === 'undefined' ? null : localStorage.getItem(KEY);
    this.name = PACES.find((one) => one === kept) ?? (still ? 'once' : 'quick');
  }

  get wait(): number {
    return WAITS[this.name];
  }

  set(name: PaceName) {
    this.name = name;
    localStorage.setItem(KEY, name);
  }
}

export const pace = new Pace();
