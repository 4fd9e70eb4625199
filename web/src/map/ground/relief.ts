/** Hills, ridges and slopes: tints a height, contours and hachures. The light falls from the north-west. */

import { at, boundsOf, closed, linePath, ringPath, softened, softenedLine, walk, wobbled, wobbledLine, type Pt } from '../geometry';
import { heightOf, type Height } from './height';
import type { Mark, Piece } from './mark';

/** A stroke down a slope: thick above, nothing below. */
function hachure(from: Pt, to: Pt, thick: number): string {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [sx, sy] = [(-(to.y - from.y) / length) * (thick / 2), ((to.x - from.x) / length) * (thick / 2)];
  return `M${at({ x: from.x + sx, y: from.y + sy })}L${at(to)}L${at({ x: from.x - sx, y: from.y - sy })}Z`;
}

interface Slope {
  /** How far apart the strokes are, and how thick. */
  step: number;
  thick: number;
  /** How far apart the contours are that the strokes run between, and how many rows of strokes there are. */
  rise: number;
  rows: number;
}

const GENTLE: Slope = { step: 2.5, thick: 0.62, rise: 17, rows: 2 };
const STEEP: Slope = { step: 1.9, thick: 1.15, rise: 15, rows: 4 };
/** How far the corners of a hill are taken off. */
const ROUND = 90;

/** How much darker a slope is drawn that falls away from the light. */
const shaded = (down: Pt) => 1 + 0.55 * ((down.x + down.y) / Math.SQRT2);

/** Strokes down the slope from one contour towards the next below it. */
function strokes(contours: Pt[][], row: number, height: Height, { hand }: Piece, slope: Slope, fine: number): string {
  const found: string[] = [];
  for (const ring of contours) {
    for (const step of walk(closed(ring), slope.step * fine * (1 + row * 0.16))) {
      const down = height.down(step);
      const dark = shaded(down);
      const fall = Math.max(0.4, Math.min(1.7, height.fall(step)));
      // Towards the top, on the side of the light, and where it hardly falls, strokes are left out.
      if (hand.next() < row * 0.13 + (dark < 0.8 ? 0.22 : 0) + Math.max(0, 0.85 - fall) * 0.9) continue;
      // The steeper, the shorter and the thicker: they run from one contour to the next.
      const long = (slope.rise * hand.between(0.55, 0.98) * fine) / Math.max(0.62, fall);
      const lean = hand.between(-0.09, 0.09);
      const from = { x: step.x + hand.between(-0.6, 0.6), y: step.y + hand.between(-0.6, 0.6) };
      const to = { x: from.x + (down.x - down.y * lean) * long, y: from.y + (down.y + down.x * lean) * long };
      found.push(hachure(from, to, slope.thick * dark * (0.55 + 0.5 * fall) * hand.between(0.75, 1.2) * (1 - row * 0.12) * Math.sqrt(fine)));
    }
  }
  return found.join('');
}

/** The foot of a hill as nature has it: near the edge that the rules know. */
function foot(piece: Piece): Pt[][] {
  return piece.rings.map((ring) => {
    const box = boundsOf(ring);
    const by = Math.min(9, Math.min(box.width, box.height) * 0.05);
    return wobbled(softened(ring, ROUND), () => piece.hand.next(), by, 190);
  });
}

export function hill(piece: Piece, steep: boolean): Mark[] {
  const rings = foot(piece);
  const outline = rings.map(ringPath).join('');
  const height = heightOf(rings, piece.hand);
  const slope = steep ? STEEP : GENTLE;
  const fine = Math.min(piece.fine, Math.max(0.7, height.highest / (slope.rise * 1.6)));
  const rise = slope.rise * fine;
  const marks: Mark[] = [{ look: 'hill', d: outline }];
  const rows: string[] = [];
  for (let row = 0; row < 5 && (row + 1) * rise < height.highest * 0.98; row++) {
    const contours = height.contour((row + 1) * rise);
    if (contours.length === 0) break;
    const d = contours.map(ringPath).join('');
    marks.push({ look: 'hill-step', d });
    if (row < slope.rows) rows.push(strokes(contours, row, height, piece, slope, fine));
    else if (row % 2 === 0) marks.push({ look: 'contour inner', d });
  }
  return [...marks, { look: steep ? 'hachures steep' : 'hachures', d: rows.join('') }, { look: 'contour', d: outline }].filter(({ d }) => d !== '');
}

/** A crest: a fine line along the height, with strokes down both sides that thin out towards its ends. */
export function ridge({ line, hand, fine }: Piece): Mark[] {
  const crest = wobbledLine(softenedLine(line, ROUND), () => hand.next(), 3, 160);
  const steps = walk(crest, 3.4);
  const long = steps.at(-1)?.along ?? 1;
  const strokes = steps.flatMap((step) =>
    [-1, 1].flatMap((side) => {
      const ends = Math.min(1, (5 * Math.min(step.along, long - step.along)) / long);
      if (hand.next() > 0.3 + ends * 0.6) return [];
      const dark = shaded({ x: step.nx * side, y: step.ny * side });
      const from = { x: step.x + step.nx * side * 1.6, y: step.y + step.ny * side * 1.6 };
      const far = (3 + hand.between(4, 9) * fine * (0.4 + 0.6 * ends)) * side;
      return [hachure(from, { x: step.x + step.nx * far, y: step.y + step.ny * far }, 0.6 * dark)];
    }),
  );
  return [
    { look: 'hachures crest-slope', d: strokes.join('') },
    { look: 'crest', d: linePath(crest) },
  ];
}

/** Short strokes from both edges inwards: a cutting or a ditch. */
export function cutting({ line, width, hand }: Piece, long: number): string {
  return walk(line, 1.8)
    .flatMap((step) =>
      [-1, 1].map((side) => {
        const edge = (width / 2 + long) * side;
        const low = (width / 2 + 0.3) * side + hand.between(-0.2, 0.2);
        return hachure(
          { x: step.x + step.nx * edge, y: step.y + step.ny * edge },
          { x: step.x + step.nx * low, y: step.y + step.ny * low },
          0.6,
        );
      }),
    )
    .join('');
}
