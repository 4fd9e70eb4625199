/** Rivers, ponds, bridges and fords. */

import { at, band, ringPath, softened, softenedLine, softLine, softRing, walk, wobbled, wobbledLine } from '../geometry';
import type { Mark, Piece } from './mark';

/** A river in bends, a little wider the further it has come; lines run along its banks. */
export function river({ line, width, whole, hand }: Piece): Mark[] {
  const course = wobbledLine(softenedLine(line, 70), () => hand.next(), Math.min(9, 2 + width * 0.2), 260);
  // A piece of a longer river keeps its width, so that it fits the next.
  const [from, to] = whole ? [width * 0.86, width * 1.1] : [width, width];
  const marks: Mark[] = [
    { look: 'water-area', d: ringPath(band(course, from, to)) },
    { look: 'bank-line', d: ringPath(band(course, from, to)) },
  ];
  for (let inner = 2.2, n = 0; inner * 2 < width - 1 && n < 3; inner += 2 + n, n++) {
    marks.push({ look: `ripple ripple-${n}`, d: ringPath(band(course, from - inner * 2, to - inner * 2)), width: 0.45 });
  }
  // A few strokes down the middle, broken, as the engraver has them.
  if (width > 14) {
    const strokes = walk(course, 9).flatMap((step) => {
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

export function bridge({ line, width }: Piece): Mark[] {
  const first = line[0];
  const last = line.at(-1);
  if (!first || !last) return [];
  const d = softLine(line, 4);
  const wings = [first, last].map((end, i) => {
    const other = i === 0 ? last : first;
    const length = Math.hypot(end.x - other.x, end.y - other.y) || 1;
    const [ux, uy] = [(end.x - other.x) / length, (end.y - other.y) / length];
    return [-1, 1].map((side) => {
      const p = { x: end.x - uy * side * (width / 2), y: end.y + ux * side * (width / 2) };
      return `M${at(p)}L${at({ x: p.x + ux * 2.4 - uy * side * 2, y: p.y + uy * 2.4 + ux * side * 2 })}`;
    });
  });
  return [
    { look: 'bridge-side', d, width: width + 2 },
    { look: 'bridge-deck', d, width },
    { look: 'bridge-wing', d: wings.flat().join('') },
  ];
}

export function ford({ line, width }: Piece): Mark[] {
  const rows = [-1, 0, 1].flatMap((side) =>
    walk(line, 3).map((step) => `M${at({ x: step.x + step.nx * side * (width / 3), y: step.y + step.ny * side * (width / 3) })}h0.01`),
  );
  return [{ look: 'ford', d: rows.join('') }];
}

export function fordArea({ rings }: Piece): Mark[] {
  return [{ look: 'ford-area', d: rings.map((ring) => softRing(ring, 4)).join('') }];
}
