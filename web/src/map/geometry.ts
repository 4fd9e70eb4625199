/** Points, rings and lines in millimetres of the table, south up to north turned into top down. */

export interface Pt {
  x: number;
  y: number;
}

/** A place on a line, with the direction to its left. */
export interface Step extends Pt {
  nx: number;
  ny: number;
  along: number;
}

const MICROMETRES = 1_000;

/** From the table's micrometres (y to the north) to the sheet's millimetres (y downwards). */
export const toSheet = (p: Pt, depth: number): Pt => ({ x: p.x / MICROMETRES, y: (depth - p.y) / MICROMETRES });

/** And back, in whole micrometres. */
export const toTable = (p: Pt, depth: number): Pt => ({
  x: Math.round(p.x * MICROMETRES),
  y: Math.round(depth - p.y * MICROMETRES),
});

const n = (value: number) => (Math.round(value * 100) / 100).toString();

export const at = (p: Pt) => `${n(p.x)} ${n(p.y)}`;

export const linePath = (points: Pt[]) => points.map((p, i) => `${i ? 'L' : 'M'}${at(p)}`).join('');

export const ringPath = (ring: Pt[]) => (ring.length ? `${linePath(ring)}Z` : '');

export const distance = (a: Pt, b: Pt) => Math.hypot(a.x - b.x, a.y - b.y);

const towards = (from: Pt, to: Pt, by: number): Pt => {
  const length = distance(from, to) || 1;
  return { x: from.x + ((to.x - from.x) / length) * by, y: from.y + ((to.y - from.y) / length) * by };
};

/** A corner as a bow between two sides, in a few points. */
function bow(before: Pt, corner: Pt, after: Pt, radius: number): Pt[] {
  const enter = towards(corner, before, Math.min(radius, distance(corner, before) / 2.05));
  const leave = towards(corner, after, Math.min(radius, distance(corner, after) / 2.05));
  const along = (t: number): Pt => ({
    x: (1 - t) ** 2 * enter.x + 2 * t * (1 - t) * corner.x + t * t * leave.x,
    y: (1 - t) ** 2 * enter.y + 2 * t * (1 - t) * corner.y + t * t * leave.y,
  });
  return [0, 0.17, 0.33, 0.5, 0.67, 0.83, 1].map(along);
}

/** A ring with its corners taken off by at most `radius`: ground is not made with a ruler, but nearly where it is drawn. */
export function softened(ring: Pt[], radius: number): Pt[] {
  if (ring.length < 3) return ring;
  return ring.flatMap((corner, i) => bow(ring.at(i - 1) ?? corner, corner, ring[(i + 1) % ring.length] ?? corner, radius));
}

/** A line with its corners taken off in the same way. */
export function softenedLine(points: Pt[], radius: number): Pt[] {
  return points.flatMap((corner, i) => {
    const [before, after] = [points[i - 1], points[i + 1]];
    return before && after ? bow(before, corner, after, radius) : [corner];
  });
}

export const softRing = (ring: Pt[], radius: number): string => ringPath(softened(ring, radius));

export const softLine = (points: Pt[], radius: number): string => linePath(softenedLine(points, radius));

/** Twice the area of a ring; positive when it runs clockwise on the sheet. */
export function turning(ring: Pt[]): number {
  return ring.reduce((sum, p, i) => {
    const q = ring[(i + 1) % ring.length] ?? p;
    return sum + (p.x * q.y - q.x * p.y);
  }, 0);
}

export const clockwise = (ring: Pt[]) => (turning(ring) < 0 ? [...ring].reverse() : ring);

/** Whether a point lies in an area with holes. */
export function inside(rings: Pt[][], p: Pt): boolean {
  let within = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const a = ring[i];
      const b = ring[j];
      if (a && b && a.y > p.y !== b.y > p.y && p.x < ((b.x - a.x) * (p.y - a.y)) / (b.y - a.y) + a.x) within = !within;
    }
  }
  return within;
}

/** Places along a line, `step` apart. The left of a line is where it points when turned against the clock on the sheet. */
export function walk(points: Pt[], step: number): Step[] {
  const steps: Step[] = [];
  let along = 0;
  let next = step / 2;
  for (let i = 0; i + 1 < points.length; i++) {
    const a = points[i];
    const b = points[i + 1];
    if (!a || !b) continue;
    const length = distance(a, b);
    if (length === 0) continue;
    const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
    for (; next <= along + length; next += step) {
      const t = next - along;
      steps.push({ x: a.x + ux * t, y: a.y + uy * t, nx: uy, ny: -ux, along: next });
    }
    along += length;
  }
  return steps;
}

/** A line that runs round the ring and comes back. */
export const closed = (ring: Pt[]): Pt[] => (ring[0] ? [...ring, ring[0]] : ring);

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function boundsOf(points: Pt[]): Box {
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

export const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** The middle of an area; where that lies outside, the best of a few places inside. */
export function middleOf(ring: Pt[]): Pt {
  const area = turning(ring);
  const box = boundsOf(ring);
  if (Math.abs(area) < 1e-6) return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  let [x, y] = [0, 0];
  ring.forEach((p, i) => {
    const q = ring[(i + 1) % ring.length] ?? p;
    const cross = p.x * q.y - q.x * p.y;
    x += (p.x + q.x) * cross;
    y += (p.y + q.y) * cross;
  });
  const middle = { x: x / (3 * area), y: y / (3 * area) };
  if (inside([ring], middle)) return middle;
  const parts = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9, 0.05, 0.95];
  for (const fy of parts) {
    for (const fx of parts) {
      const p = { x: box.x + box.width * fx, y: box.y + box.height * fy };
      if (inside([ring], p)) return p;
    }
  }
  return middle;
}

/** Turned about the origin, clockwise on the sheet. */
export function turned(p: Pt, degrees: number): Pt {
  const a = (degrees * Math.PI) / 180;
  return { x: p.x * Math.cos(a) - p.y * Math.sin(a), y: p.x * Math.sin(a) + p.y * Math.cos(a) };
}

/** A smooth line of chance, the same for the same hand: a few waves laid over one another, from −1 to 1, coming back after `long`. */
export function waves(next: () => number, long: number, wave: number): (along: number) => number {
  const base = Math.max(2, Math.round(long / wave));
  const parts = [base, base + 1 + Math.round(next() * base), base * 2 + 1].map((count, i) => ({ count, phase: next() * Math.PI * 2, high: [0.5, 0.38, 0.12][i] ?? 0 }));
  return (along) => parts.reduce((sum, { count, phase, high }) => sum + high * Math.sin((along / long) * count * Math.PI * 2 + phase), 0);
}

export const lengthOf = (points: Pt[]) => points.slice(1).reduce((sum, p, i) => sum + distance(p, points[i] ?? p), 0);

/** A ring as nature has it: near where it was drawn, by no more than `by`, and nowhere straight. */
export function wobbled(ring: Pt[], next: () => number, by: number, wave: number): Pt[] {
  const round = closed(ring);
  const long = lengthOf(round);
  if (long === 0) return ring;
  const off = waves(next, long, wave);
  return walk(round, Math.max(1.5, Math.min(7, wave / 9))).map((step) => {
    const far = off(step.along) * by;
    return { x: step.x + step.nx * far, y: step.y + step.ny * far };
  });
}

/** A line in the same way; its ends stay where they are. */
export function wobbledLine(points: Pt[], next: () => number, by: number, wave: number): Pt[] {
  const [first, last] = [points[0], points.at(-1)];
  const long = lengthOf(points);
  if (!first || !last || long === 0) return points;
  const off = waves(next, long * 2, wave);
  const between = walk(points, Math.max(2, Math.min(7, wave / 8))).map((step) => {
    const ends = Math.min(1, step.along / wave, (long - step.along) / wave);
    const far = off(step.along) * by * Math.max(0, ends);
    return { x: step.x + step.nx * far, y: step.y + step.ny * far };
  });
  return [first, ...between, last];
}

/** A line as a band: how wide it is, is said for every part of its length, from 0 to 1. */
export function band(points: Pt[], wide: (part: number) => number): Pt[] {
  const long = lengthOf(points) || 1;
  const steps = walk(points, 4);
  const sides = (side: 1 | -1) => steps.map((step) => {
    const half = (wide(step.along / long) / 2) * side;
    return { x: step.x + step.nx * half, y: step.y + step.ny * half };
  });
  return [...sides(1), ...sides(-1).reverse()];
}

/** A line whose ends lie at the edge of the table is drawn beyond it. */
export function beyondEdges(points: Pt[], width: number, height: number, near = 12): Pt[] {
  const out = (end: Pt | undefined, before: Pt | undefined): Pt[] => {
    if (!end || !before) return [];
    if (end.x > near && end.x < width - near && end.y > near && end.y < height - near) return [];
    return [towards(end, before, -60)];
  };
  return [...out(points[0], points[1]), ...points, ...out(points.at(-1), points.at(-2))];
}

/** Plates about their places that do not lie on one another: what would, is moved up, past all that lie there already. */
export function apart<P extends { at: Pt; width: number; height: number }>(plates: P[]): P[] {
  const laid: P[] = [];
  for (const plate of plates.toSorted((a, b) => b.at.y - a.at.y)) {
    let { at } = plate;
    // Those that only touch do not, whatever is lost in rounding.
    const over = () => laid.find((other) => Math.abs(other.at.x - at.x) < (other.width + plate.width) / 2 - 0.01 && Math.abs(other.at.y - at.y) < (other.height + plate.height) / 2 - 0.01);
    for (let under = over(); under; under = over()) at = { x: at.x, y: under.at.y - (under.height + plate.height) / 2 };
    laid.push({ ...plate, at });
  }
  return laid;
}
