/** Lines and areas drawn by hand, in the numbers of the file. */

export type Spot = [number, number];

const far = (a: Spot, b: Spot) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** To the nearest line of a grid; 0 leaves it as it is. */
export const onGrid = (spot: Spot, grid: number): Spot => (grid > 0 ? [Math.round(spot[0] / grid) * grid, Math.round(spot[1] / grid) * grid] : spot);

export const tidy = (spot: Spot): Spot => [Math.round(spot[0] * 100) / 100, Math.round(spot[1] * 100) / 100];

/** Onto a corner or point that is there already, if one is near; otherwise onto the grid. */
export function snapped(spot: Spot, others: Spot[], grid: number, near: number): Spot {
  if (near > 0) {
    const nearest = others.reduce<Spot | null>((best, one) => (far(one, spot) <= near && (!best || far(one, spot) < far(best, spot)) ? one : best), null);
    if (nearest) return nearest;
  }
  return tidy(onGrid(spot, grid));
}

/** Four corners, clockwise from the left end of the northern side. */
export const rectangle = (a: Spot, b: Spot): Spot[] => {
  const [west, east] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])];
  const [south, north] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
  return [[west, north], [east, north], [east, south], [west, south]].map((one) => tidy(one as Spot));
};

/** A round piece within a box, in so many corners, a little uneven as ground is. */
export function round(a: Spot, b: Spot, corners = 14): Spot[] {
  const [cx, cy] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const [rx, ry] = [Math.abs(a[0] - b[0]) / 2, Math.abs(a[1] - b[1]) / 2];
  return Array.from({ length: corners }, (_, n) => {
    const angle = (n / corners) * 2 * Math.PI;
    const uneven = 1 - 0.07 * (1 + Math.sin(n * 2.4 + cx));
    return tidy([cx + Math.cos(angle) * rx * uneven, cy - Math.sin(angle) * ry * uneven]);
  });
}

/** Of a line drawn freehand as few points as say the same, none further off than so much. */
export function simplified(points: Spot[], off: number): Spot[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 3) return points;
  const length = far(first, last);
  let [worst, at] = [0, 0];
  points.forEach((p, n) => {
    const away = length === 0 ? far(p, first) : Math.abs((last[0] - first[0]) * (first[1] - p[1]) - (first[0] - p[0]) * (last[1] - first[1])) / length;
    if (away > worst) [worst, at] = [away, n];
  });
  if (worst <= off) return [first, last];
  return [...simplified(points.slice(0, at + 1), off), ...simplified(points.slice(at), off).slice(1)];
}

/** Whether a spot lies within a ring. */
export function inside(ring: Spot[], [x, y]: Spot): boolean {
  return ring.reduce((within, a, n) => {
    const b = ring[(n + 1) % ring.length] ?? a;
    const crosses = a[1] > y !== b[1] > y && x < ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0];
    return crosses ? !within : within;
  }, false);
}

/** How far a spot is from a line. */
export function fromLine(line: Spot[], spot: Spot): number {
  return line.slice(1).reduce((best, b, n) => {
    const a = line[n] ?? b;
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const along = Math.max(0, Math.min(1, ((spot[0] - a[0]) * dx + (spot[1] - a[1]) * dy) / (dx * dx + dy * dy || 1)));
    return Math.min(best, far(spot, [a[0] + along * dx, a[1] + along * dy]));
  }, Infinity);
}

/** A body of troops as it is put in line: where its front has its middle, its facing in degrees, and its size. */
export interface Body {
  at: Spot;
  facing: number;
  width: number;
  depth: number;
}

/** Side by side, in their order from left to right, with a gap between them; the line keeps its middle and looks as its first does. */
export function inLine(bodies: Body[], gap: number): { at: Spot; facing: number }[] {
  const facing = bodies[0]?.facing ?? 0;
  const turn = (facing * Math.PI) / 180;
  const right: Spot = [Math.cos(turn), -Math.sin(turn)];
  const ahead: Spot = [Math.sin(turn), Math.cos(turn)];
  const along = (one: Body) => one.at[0] * right[0] + one.at[1] * right[1];
  const order = bodies.map((one, n) => ({ one, n })).sort((a, b) => along(a.one) - along(b.one));
  const whole = bodies.reduce((sum, one) => sum + one.width, 0) + gap * (bodies.length - 1);
  const middle = bodies.reduce((sum, one) => sum + along(one), 0) / (bodies.length || 1);
  const front = bodies.reduce((sum, one) => sum + one.at[0] * ahead[0] + one.at[1] * ahead[1], 0) / (bodies.length || 1);
  const placed: { at: Spot; facing: number }[] = bodies.map((one) => ({ at: one.at, facing }));
  let from = middle - whole / 2;
  for (const { one, n } of order) {
    const here = from + one.width / 2;
    placed[n] = { at: tidy([right[0] * here + ahead[0] * front, right[1] * here + ahead[1] * front]), facing };
    from += one.width + gap;
  }
  return placed;
}

/** Their fronts on one line, each where it is from left to right. */
export function aligned(bodies: Body[]): { at: Spot; facing: number }[] {
  const facing = bodies[0]?.facing ?? 0;
  const turn = (facing * Math.PI) / 180;
  const ahead: Spot = [Math.sin(turn), Math.cos(turn)];
  const front = (one: Body) => one.at[0] * ahead[0] + one.at[1] * ahead[1];
  const level = bodies[0] ? front(bodies[0]) : 0;
  return bodies.map((one) => {
    const by = level - front(one);
    return { at: tidy([one.at[0] + ahead[0] * by, one.at[1] + ahead[1] * by]), facing };
  });
}

export interface Box {
  low: Spot;
  high: Spot;
}

function isFree([x, y]: Spot, size: Spot, taken: Box[], table: Spot): boolean {
  const [low, high]: [Spot, Spot] = [[x - size[0] / 2, y - size[1] / 2], [x + size[0] / 2, y + size[1] / 2]];
  if (low[0] < 0 || low[1] < 0 || high[0] > table[0] || high[1] > table[1]) return false;
  return taken.every((one) => high[0] <= one.low[0] || low[0] >= one.high[0] || high[1] <= one.low[1] || low[1] >= one.high[1]);
}

/**
 * Places for so many units of one size drawn up about a place, in lines one before the other and all looking one way; nothing where
 * there is no room for them in order.
 */
export function inRanks(about: Spot, facing: number, size: Spot, count: number, taken: Box[], table: Spot): Spot[] | null {
  const lines = count <= 4 ? 1 : count <= 12 ? 2 : 3;
  const abreast = Math.ceil(count / lines);
  const turn = (facing * Math.PI) / 180;
  const [ahead, right]: [Spot, Spot] = [[Math.sin(turn), Math.cos(turn)], [Math.cos(turn), -Math.sin(turn)]];
  const upright = Math.round(facing / 90) % 2 === 0;
  const [wide, deep] = upright ? size : [size[1], size[0]];
  const cells = Array.from({ length: count }, (_, n): Spot => {
    const line = Math.floor(n / abreast);
    const inLine = Math.min(abreast, count - line * abreast);
    return [((n % abreast) - (inLine - 1) / 2) * wide, line * deep];
  });
  // A little further ahead, or back, until nobody is in the way of any.
  for (let step = 0; step <= 16; step += 1) {
    for (const off of step === 0 ? [0] : [(step * deep) / 4, (-step * deep) / 4]) {
      const places = cells.map(([x, y]): Spot => tidy([about[0] + right[0] * x + ahead[0] * (y + off), about[1] + right[1] * x + ahead[1] * (y + off)]));
      if (places.every((at) => isFree(at, size, taken, table))) return places;
    }
  }
  return null;
}

/** The nearest place to a wish where a box of this size meets none of those that are there, on the table. */
export function freePlace(wish: Spot, size: Spot, taken: { low: Spot; high: Spot }[], table: Spot): Spot {
  const step = Math.min(...size) / 2;
  const fits = (at: Spot) => isFree(at, size, taken, table);
  let [best, nearest]: [Spot, number] = [wish, Infinity];
  for (let x = size[0] / 2; x <= table[0] - size[0] / 2; x += step) {
    for (let y = size[1] / 2; y <= table[1] - size[1] / 2; y += step) {
      // Beside the wish rather than before or behind it.
      const off = Math.hypot(x - wish[0], (y - wish[1]) * 2);
      if (off < nearest && fits([x, y])) [best, nearest] = [tidy([x, y]), off];
    }
  }
  return best;
}
