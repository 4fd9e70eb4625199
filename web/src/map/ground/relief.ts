/** Hills, ridges and slopes: tints and hachures. */

import { at, boundsOf, clockwise, closed, inside, ringPath, softened, softenedLine, linePath, walk, wobbled, type Pt } from '../geometry';
import type { Mark, Piece } from './mark';

/** A stroke down a slope: thick above, nothing below. */
function hachure(from: Pt, to: Pt, thick: number): string {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [sx, sy] = [(-(to.y - from.y) / length) * (thick / 2), ((to.x - from.x) / length) * (thick / 2)];
  return `M${at({ x: from.x + sx, y: from.y + sy })}L${at(to)}L${at({ x: from.x - sx, y: from.y - sy })}Z`;
}

interface Slope {
  /** How far apart the strokes are. */
  step: number;
  long: number;
  thick: number;
  rows: number;
}

const GENTLE: Slope = { step: 2.3, long: 12, thick: 0.6, rows: 2 };
const STEEP: Slope = { step: 1.75, long: 13, thick: 1.05, rows: 3 };
/** How far the corners of a hill are taken off. */
const ROUND = 55;

/** Strokes along the inner side of a ring: the ground falls outwards. */
function slopes(rings: Pt[][], { hand }: Piece, slope: Slope): string {
  const strokes: string[] = [];
  for (const ring of rings) {
    for (let row = 0; row < slope.rows; row++) {
      for (const step of walk(closed(clockwise(ring)), slope.step)) {
        // Clockwise on the sheet, the inside lies to the right: against the left-hand normal.
        const start = row * slope.long * 0.95 + hand.between(0.3, 1.1);
        if (row > 0 && hand.next() < row * 0.25) continue;
        const long = slope.long * hand.between(0.7, 1.1) * (1 - row * 0.18);
        const low = { x: step.x - step.nx * start, y: step.y - step.ny * start };
        const lean = hand.between(-0.5, 0.5);
        const high = { x: low.x - step.nx * long + lean, y: low.y - step.ny * long + lean };
        if (inside(rings, high) && inside(rings, low)) strokes.push(hachure(high, low, slope.thick * hand.between(0.7, 1.2) * (1 - row * 0.2)));
      }
    }
  }
  return strokes.join('');
}

/** A line within the ring, so far from its edge; left out where the hill is too narrow for it. */
function within(rings: Pt[][], far: number): string {
  const near = (p: Pt) => rings.some((ring) => ring.some((q) => Math.hypot(p.x - q.x, p.y - q.y) < far - 1));
  return rings
    .map((ring) => {
      let drawing = false;
      return walk(closed(clockwise(ring)), 3)
        .map((step) => {
          const p = { x: step.x - step.nx * far, y: step.y - step.ny * far };
          if (!inside(rings, p) || near(p)) {
            drawing = false;
            return '';
          }
          const mark = `${drawing ? 'L' : 'M'}${at(p)}`;
          drawing = true;
          return mark;
        })
        .join('');
    })
    .join('');
}

export function hill(piece: Piece, steep: boolean): Mark[] {
  const rings = piece.rings.map((ring) => {
    const box = boundsOf(ring);
    const by = Math.min(13, Math.min(box.width, box.height) * 0.07);
    return wobbled(softened(ring, ROUND), () => piece.hand.next(), by, 190);
  });
  const outline = rings.map(ringPath).join('');
  const contours = [26, 48, 74].map((far) => within(rings, far)).join('');
  return [
    { look: 'hill', d: outline },
    { look: steep ? 'hachures steep' : 'hachures', d: slopes(rings, piece, steep ? STEEP : GENTLE) },
    { look: 'contour', d: outline },
    { look: 'contour inner', d: contours },
  ].filter(({ d }) => d !== '');
}

export function ridge({ line, hand }: Piece): Mark[] {
  const crest = softenedLine(line, ROUND);
  const strokes = walk(crest, 2.1).flatMap((step) =>
    [-1, 1].map((side) => {
      const from = { x: step.x + step.nx * side * 1.2, y: step.y + step.ny * side * 1.2 };
      const long = hand.between(8, 15) * side;
      return hachure(from, { x: step.x + step.nx * long, y: step.y + step.ny * long }, 0.75);
    }),
  );
  return [
    { look: 'hachures', d: strokes.join('') },
    { look: 'crest', d: linePath(crest) },
  ];
}

/** Short strokes from both edges inwards: a cutting or a ditch. */
export function cutting({ line, width, hand }: Piece, long: number): string {
  return walk(line, 1.8)
    .flatMap((step) =>
      [-1, 1].map((side) => {
        const edge = (width / 2 + long) * side;
        const foot = (width / 2 + 0.3) * side + hand.between(-0.2, 0.2);
        return hachure(
          { x: step.x + step.nx * edge, y: step.y + step.ny * edge },
          { x: step.x + step.nx * foot, y: step.y + step.ny * foot },
          0.6,
        );
      }),
    )
    .join('');
}
