/** Rivers, ponds, bridges and fords. */

import { at, softLine, softRing, walk } from '../geometry';
import type { Mark, Piece } from './mark';

/** Strokes laid over one another, each narrower: what stays to be seen are lines along the banks. */
export function river({ line, width }: Piece): Mark[] {
  const d = softLine(line, 70);
  const marks: Mark[] = [
    { look: 'bank', d, width: width + 1.3 },
    { look: 'water', d, width },
  ];
  for (let inner = width - 1.8, n = 0; inner > 1.2 && n < 3; inner -= 2.4 + n, n++) {
    marks.push({ look: `ripple ripple-${n}`, d, width: inner }, { look: 'water', d, width: Math.max(inner - 0.55, 0.2) });
  }
  return marks;
}

export function pond({ rings }: Piece): Mark[] {
  const d = rings.map((ring) => softRing(ring, 50)).join('');
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
