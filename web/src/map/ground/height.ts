/** How high a hill stands over its edge: a field from which contours and the fall of the ground are read. */

import { boundsOf, distance, inside, type Box, type Pt } from '../geometry';
import type { Hand } from '../random';

/** Smooth chance over the plane, from −1 to 1; `size` is how far apart its humps are. */
export function humps(hand: Hand, size: number): (p: Pt) => number {
  const salt = Math.floor(hand.next() * 1e9);
  const knot = (i: number, j: number) => {
    let t = Math.imul(i * 374761393 + j * 668265263 + salt, 1274126177);
    t = Math.imul(t ^ (t >>> 15), 2246822519);
    return ((t ^ (t >>> 13)) >>> 0) / 2147483648 - 1;
  };
  const soft = (t: number) => t * t * (3 - 2 * t);
  return ({ x, y }) => {
    const [fx, fy] = [x / size, y / size];
    const [i, j] = [Math.floor(fx), Math.floor(fy)];
    const [u, v] = [soft(fx - i), soft(fy - j)];
    const upper = knot(i, j) * (1 - u) + knot(i + 1, j) * u;
    const lower = knot(i, j + 1) * (1 - u) + knot(i + 1, j + 1) * u;
    return upper * (1 - v) + lower * v;
  };
}

function toSegment(p: Pt, a: Pt, b: Pt): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const long = dx * dx + dy * dy;
  const t = long === 0 ? 0 : Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / long));
  const [x, y] = [p.x - a.x - dx * t, p.y - a.y - dy * t];
  return Math.sqrt(x * x + y * y);
}

/** The distance to the nearest edge of an area, whichever side of it a point is on. */
export function toEdge(rings: Pt[][], p: Pt): number {
  let least = Infinity;
  for (const ring of rings) {
    let a = ring.at(-1);
    for (const b of ring) {
      if (a) least = Math.min(least, toSegment(p, a, b));
      a = b;
    }
  }
  return least;
}

/** No hill is cut finer than into so many cells, and its edge is measured to in pieces of so many millimetres. */
const CELLS = 2_600;
const PIECES = 14;

/** A ring of fewer corners, near enough to measure to. */
function plain(ring: Pt[]): Pt[] {
  let last = ring[0];
  return ring.filter((p) => {
    if (p !== last && last && distance(p, last) < PIECES) return false;
    last = p;
    return true;
  });
}

export interface Height {
  /** How high it is at a place: 0 at the edge and outside. */
  at: (p: Pt) => number;
  /** The way down, of length 1. */
  down: (p: Pt) => Pt;
  /** How much it falls there to a millimetre: 1 is the usual slope. */
  fall: (p: Pt) => number;
  highest: number;
  /** The lines of one height, each a ring. */
  contour: (level: number) => Pt[][];
}

/** A hill rises from its edge inwards; humps bend its upper contours, and leave the edge where it is. */
export function heightOf(outline: Pt[][], hand: Hand): Height {
  const rings = outline.map(plain);
  const box = boundsOf(rings.flat());
  const step = Math.max(5, Math.sqrt((box.width * box.height) / CELLS));
  const [cols, rows] = [Math.ceil(box.width / step) + 3, Math.ceil(box.height / step) + 3];
  const small = Math.min(box.width, box.height);
  const bend = humps(hand, Math.max(60, small * 0.3));
  // One flank is steep and the next one gentle: a hill that falls alike on all sides is a button.
  const lie = humps(hand, Math.max(110, small * 0.62));
  const place = (i: number, j: number): Pt => ({ x: box.x + (i - 1) * step, y: box.y + (j - 1) * step });
  const heights = new Float64Array(cols * rows);
  let highest = 0;
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < cols; i++) {
      const p = place(i, j);
      if (!inside(rings, p)) continue;
      const edge = toEdge(rings, p);
      const high = Math.max(0.01, edge * (1 + 0.62 * lie(p)) + bend(p) * Math.min(edge * 0.45, 26));
      heights[j * cols + i] = high;
      highest = Math.max(highest, high);
    }
  }
  const cell = (i: number, j: number) => heights[Math.max(0, Math.min(rows - 1, j)) * cols + Math.max(0, Math.min(cols - 1, i))] ?? 0;
  const at = (p: Pt) => {
    const [fx, fy] = [(p.x - box.x) / step + 1, (p.y - box.y) / step + 1];
    const [i, j] = [Math.floor(fx), Math.floor(fy)];
    const [u, v] = [fx - i, fy - j];
    return (cell(i, j) * (1 - u) + cell(i + 1, j) * u) * (1 - v) + (cell(i, j + 1) * (1 - u) + cell(i + 1, j + 1) * u) * v;
  };
  const down = ({ x, y }: Pt): Pt => {
    const [dx, dy] = [at({ x: x - step, y }) - at({ x: x + step, y }), at({ x, y: y - step }) - at({ x, y: y + step })];
    const long = Math.hypot(dx, dy) || 1;
    return { x: dx / long, y: dy / long };
  };
  const fall = ({ x, y }: Pt): number => Math.hypot(at({ x: x - step, y }) - at({ x: x + step, y }), at({ x, y: y - step }) - at({ x, y: y + step })) / (2 * step);
  return { at, down, fall, highest, contour: (level) => contoursOf({ cell, place, cols, rows }, level, box) };
}

interface Grid {
  cell: (i: number, j: number) => number;
  place: (i: number, j: number) => Pt;
  cols: number;
  rows: number;
}

/** Marching squares: the pieces of a contour through every cell, put end to end. */
function contoursOf({ cell, place, cols, rows }: Grid, level: number, box: Box): Pt[][] {
  const next = new Map<string, { to: string; p: Pt }>();
  /** Where the contour crosses the side between two corners; a name for the side, the same from both cells. */
  const crossing = (i: number, j: number, k: number, l: number): { name: string; p: Pt } => {
    const [[ai, aj], [bi, bj]] = i < k || j < l ? [[i, j], [k, l]] : [[k, l], [i, j]];
    const [a, b] = [cell(ai as number, aj as number), cell(bi as number, bj as number)];
    const t = a === b ? 0.5 : (level - a) / (b - a);
    const [p, q] = [place(ai as number, aj as number), place(bi as number, bj as number)];
    return { name: `${ai},${aj},${bi},${bj}`, p: { x: p.x + (q.x - p.x) * t, y: p.y + (q.y - p.y) * t } };
  };
  for (let j = 0; j + 1 < rows; j++) {
    for (let i = 0; i + 1 < cols; i++) {
      const corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]] as const;
      const high = corners.map(([a, b]) => cell(a, b) > level);
      // Each entering side (low to high, going round) is tied to the next leaving one.
      const sides = corners.map(([a, b], n) => ({ n, from: [a, b] as const, to: corners[(n + 1) % 4] ?? corners[0] }));
      for (const side of sides) {
        if (high[side.n] || !high[(side.n + 1) % 4]) continue;
        let end = (side.n + 1) % 4;
        while (high[(end + 1) % 4]) end = (end + 1) % 4;
        const leaving = sides[end] ?? side;
        const a = crossing(side.from[0], side.from[1], side.to[0], side.to[1]);
        const b = crossing(leaving.from[0], leaving.from[1], leaving.to[0], leaving.to[1]);
        next.set(a.name, { to: b.name, p: a.p });
      }
    }
  }
  const rings: Pt[][] = [];
  while (next.size > 0) {
    const ring: Pt[] = [];
    let name = next.keys().next().value;
    for (let step = name === undefined ? undefined : next.get(name); step && name !== undefined; step = next.get(name)) {
      next.delete(name);
      ring.push(step.p);
      name = step.to;
    }
    const extent = boundsOf(ring);
    // A crumb of a contour is a blot, not a height.
    if (ring.length > 5 && Math.max(extent.width, extent.height) > Math.min(box.width, box.height) * 0.12) rings.push(ring);
  }
  return rings;
}
