/** Rivers, ponds, bridges and fords. */

import { at, band, distance, lengthOf, linePath, ringPath, softened, softenedLine, softRing, walk, wobbled, wobbledLine, type Pt } from '../geometry';
import type { Hand } from '../random';
import { toEdge } from './height';
import type { Mark, Piece } from './mark';

/** A river is nowhere narrower than so many millimetres. */
const NARROW = 2.2;

/** Over such a part of its length a river that is cut off turns into a rill. */
const THINS = 0.16;

/** The course of a river, from where it comes to where it goes. */
export interface Course {
  points: Pt[];
  /** How wide it is at each part of its length, from 0 to 1. */
  wide: (part: number) => number;
  widest: number;
  /** Whether it is cut off at its beginning and at its end: it neither leaves the table there nor falls into other water. */
  cut: [boolean, boolean];
}

/**
 * Rivers as they run: pieces that meet end to end are one river, of one width that grows downstream. It comes from an edge or
 * a spring, goes to an edge, a larger water or loses itself, and never changes its width in a step. `waters` are the lakes and great rivers.
 */
export function courses(pieces: Piece[], waters: Pt[][] = []): Map<string, Course> {
  const found = new Map<string, Course>();
  const left = new Set(pieces.filter(({ line }) => line.length > 1));
  const near = (a: Pt | undefined, b: Pt | undefined) => a !== undefined && b !== undefined && distance(a, b) < 12;
  for (const start of left) {
    left.delete(start);
    const chain = [{ piece: start, line: start.line }];
    for (let grown = true; grown; ) {
      grown = false;
      for (const piece of left) {
        const [head, tail] = [chain[0]?.line[0], chain.at(-1)?.line.at(-1)];
        const [first, last] = [piece.line[0], piece.line.at(-1)];
        const back = [...piece.line].reverse();
        if (near(tail, first)) chain.push({ piece, line: piece.line });
        else if (near(tail, last)) chain.push({ piece, line: back });
        else if (near(head, last)) chain.unshift({ piece, line: piece.line });
        else if (near(head, first)) chain.unshift({ piece, line: back });
        else continue;
        left.delete(piece);
        grown = true;
      }
    }
    const [source, mouth] = [chain[0]?.piece, chain.at(-1)?.piece];
    const widths = chain.map(({ piece }) => piece.width);
    const [least, most] = [Math.min(...widths), Math.max(...widths)];
    // The end inland is the spring; else a river runs to where it is wider, else as it was drawn.
    const [first, last] = [chain[0]?.line[0], chain.at(-1)?.line.at(-1)];
    const mine = new Set(chain.map(({ piece }) => piece));
    const others = pieces.filter((piece) => !mine.has(piece));
    /** A river falls into another, or into a lake. */
    const falls = (end: Pt | undefined) => end !== undefined && (others.some(({ line, width }) => walk(line, 5).some((p) => distance(p, end) < width / 2 + 12)) || waters.some((ring) => toEdge([ring], end) < 12));
    /** An end that leaves the table, or falls into other water, is no spring. */
    const leaves = (end: Pt) => [...mine].some(({ beyond }) => beyond.some((p) => near(p, end)));
    const loose = (end: Pt | undefined) => end !== undefined && !leaves(end) && !falls(end);
    const sprung: [boolean, boolean] = [loose(first), loose(last)];
    const up = (sprung[1] && !sprung[0]) || (falls(first) && !falls(last)) ? true : (sprung[0] && !sprung[1]) || falls(last) ? false : (source?.width ?? 0) > (mouth?.width ?? 0);
    const [high, low] = [Math.max(least * 0.75, NARROW), Math.max(most, least * 1.2)];
    const wide = (part: number) => {
      // It thins out over the rill that goes on from there.
      const spring = sprung[0] ? Math.min(1, 0.08 + part / THINS) : 1;
      const lost = sprung[1] ? Math.min(1, 0.08 + (1 - part) / THINS) : 1;
      return (high + (low - high) * (up ? 1 - part : part)) * spring * lost;
    };
    const points = wobbledLine(softenedLine(chain.flatMap(({ line }) => line), 90), () => start.hand.next(), Math.min(12, 4 + most * 0.3), 150 + most * 3);
    found.set(start.id, { points, wide, widest: low, cut: sprung });
  }
  return found;
}

/** A river at an end where it is cut off: its last stretch from inside outwards, and how wide it is where that begins. */
export interface LooseEnd {
  last: Pt[];
  wide: number;
}

export function looseEnds({ points, wide, cut }: Course): LooseEnd[] {
  const whole = lengthOf(points);
  let along = 0;
  const parts = points.map((p, i) => ((along += i === 0 ? 0 : distance(points[i - 1] ?? p, p)), along / (whole || 1)));
  const outwards = [points.filter((_, i) => (parts[i] ?? 0) <= THINS).reverse(), points.filter((_, i) => (parts[i] ?? 0) >= 1 - THINS)] as const;
  return [...(cut[0] ? [{ last: outwards[0], wide: wide(THINS) }] : []), ...(cut[1] ? [{ last: outwards[1], wide: wide(1 - THINS) }] : [])].filter(({ last }) => last.length > 1);
}

/** Lines run along the banks of a river, and broken strokes down its middle. */
export function river({ hand }: Piece, { points, wide, widest: width }: Course): Mark[] {
  const marks: Mark[] = [
    { look: 'water-area', d: ringPath(band(points, wide)) },
    { look: 'bank-line', d: ringPath(band(points, wide)) },
  ];
  for (let inner = 2.2, n = 0; inner * 2 < width - 1 && n < 3; inner += 2 + n, n++) {
    const d = ringPath(band(points, (part) => Math.max(0, wide(part) - inner * 2)));
    marks.push({ look: `ripple ripple-${n}`, d, width: 0.45 });
  }
  if (width > 14) {
    const strokes = walk(points, 9).flatMap((step) => {
      const off = hand.between(-0.22, 0.22) * width;
      const long = hand.between(3, 6.5);
      return hand.next() < 0.55 ? [`M${at({ x: step.x + step.nx * off, y: step.y + step.ny * off })}l${(-step.ny * long).toFixed(2)} ${(step.nx * long).toFixed(2)}`] : [];
    });
    marks.push({ look: 'ripple ripple-2', d: strokes.join(''), width: 0.45 });
  }
  return marks;
}

export function pond({ rings, hand }: Piece): Mark[] {
  const d = rings.map((ring) => ringPath(wobbled(softened(ring, 50), () => hand.next(), 3, 50))).join('');
  const marks: Mark[] = [{ look: 'water-area', d }];
  [15, 10, 5.5].forEach((reach, n) => {
    marks.push({ look: `ripple ripple-${2 - n}`, d, width: reach, within: d }, { look: 'water', d, width: reach - 0.6, within: d });
  });
  return [...marks, { look: 'bank-line', d }];
}

export function ford({ line, width }: Piece): Mark[] {
  const rows = [-1, 0, 1].flatMap((side) =>
    walk(line, 3).map((step) => `M${at({ x: step.x + step.nx * side * (width / 3), y: step.y + step.ny * side * (width / 3) })}h0.01`),
  );
  return [{ look: 'ford', d: rows.join('') }];
}

/** Where a road goes over water: a bridge of stone, or stones in the water where it is a ford. */
export interface Crossing {
  at: Pt;
  /** The way of the road there, of length 1. */
  way: Pt;
  /** How much water there is along the road, and how wide the road is. */
  over: number;
  wide: number;
}

/** Where a line crosses a river. */
export function crossingsOf(road: Pt[], wide: number, { points, wide: broadAt }: Course): Crossing[] {
  const found: Crossing[] = [];
  const whole = lengthOf(points) || 1;
  let along = 0;
  points.slice(1).forEach((b, i) => {
    const a = points[i] ?? b;
    road.slice(1).forEach((d, j) => {
      const c = road[j] ?? d;
      const [rx, ry, sx, sy] = [b.x - a.x, b.y - a.y, d.x - c.x, d.y - c.y];
      const cross = rx * sy - ry * sx;
      if (Math.abs(cross) < 1e-9) return;
      const t = ((c.x - a.x) * sy - (c.y - a.y) * sx) / cross;
      const u = ((c.x - a.x) * ry - (c.y - a.y) * rx) / cross;
      if (t < 0 || t >= 1 || u < 0 || u >= 1) return;
      const long = Math.hypot(sx, sy) || 1;
      const broad = broadAt((along + t * Math.hypot(rx, ry)) / whole);
      const square = Math.abs(cross) / (long * (Math.hypot(rx, ry) || 1));
      found.push({ at: { x: a.x + rx * t, y: a.y + ry * t }, way: { x: sx / long, y: sy / long }, over: broad / Math.max(0.5, square), wide });
    });
    along += distance(a, b);
  });
  return found;
}

/** A deck with parapets, and wings at its ends. */
export function bridge({ at: middle, way, over, wide }: Crossing): Mark[] {
  const half = Math.max(over / 2 + 3.5, 8.5);
  const place = (along: number, off: number): Pt => ({ x: middle.x + way.x * along - way.y * off, y: middle.y + way.y * along + way.x * off });
  const d = linePath([place(-half, 0), place(half, 0)]);
  const side = wide / 2 + 0.8;
  const parapets = [-1, 1].map((by) => linePath([place(-half - 2.6, by * (side + 2.2)), place(-half, by * side), place(half, by * side), place(half + 2.6, by * (side + 2.2))]));
  const arches = Math.max(1, Math.round(over / 14));
  const piers = Array.from({ length: arches - 1 }, (_, n) => -over / 2 + ((n + 1) * over) / arches).flatMap((along) =>
    [-1, 1].map((by) => ringPath([place(along - 1.2, by * side), place(along, by * (side + 2.6)), place(along + 1.2, by * side)])),
  );
  return [
    { look: 'bridge-side', d, width: wide + 2.6 },
    { look: 'bridge-deck', d, width: wide + 0.6 },
    { look: 'bridge-wing', d: parapets.join('') },
    { look: 'bridge-pier', d: piers.join('') },
  ].filter((mark) => mark.d !== '');
}

/** Stones and ripples where the way goes through the water. */
export function shallows({ at: middle, way, over, wide }: Crossing, hand: Hand): Mark[] {
  const place = (along: number, off: number): Pt => ({ x: middle.x + way.x * along - way.y * off, y: middle.y + way.y * along + way.x * off });
  const stones: string[] = [];
  for (let along = -over / 2; along <= over / 2; along += 2.6) {
    for (const by of [-1, 1]) stones.push(`M${at(place(along + hand.between(-0.8, 0.8), by * (wide / 2 + hand.between(-0.4, 2.4))))}h0.01`);
  }
  const half = over / 2 + 1;
  return [
    { look: 'ford-way', d: linePath([place(-half, 0), place(half, 0)]), width: wide + 1.6 },
    { look: 'ford', d: stones.join('') },
  ];
}

/** A crossing that the book knows as an area: nothing but a hint of where it ends. */
export function crossingArea({ rings }: Piece): Mark[] {
  return [{ look: 'ford-area', d: rings.map((ring) => softRing(ring, 8)).join('') }];
}
