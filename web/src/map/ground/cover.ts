/** What grows: woods, marsh, fields, broken ground. */

import { at, boundsOf, closed, inside, ringPath, softened, walk, wobbled, type Pt } from '../geometry';
import type { Hand } from '../random';
import { humps } from './height';
import type { Mark, Piece } from './mark';

/** Points spread over an area in rows, top row first, each a little out of line. */
function scatter(rings: Pt[][], spacing: number, hand: Hand): Pt[][] {
  const outer = rings[0];
  if (!outer) return [];
  const box = boundsOf(outer);
  const rows: Pt[][] = [];
  for (let row = 0, y = box.y + spacing * 0.35; y < box.y + box.height; row++, y += spacing * 0.8) {
    const points: Pt[] = [];
    for (let x = box.x + (row % 2 ? spacing / 2 : 0); x < box.x + box.width + spacing; x += spacing) {
      const p = { x: x + hand.between(-0.32, 0.32) * spacing, y: y + hand.between(-0.25, 0.25) * spacing };
      if (inside(rings, p)) points.push(p);
    }
    rows.push(points);
  }
  return rows;
}

/** The crown of a tree: a ring of small bows. */
function crown(p: Pt, radius: number, hand: Hand): string {
  const lobes = 5 + Math.floor(hand.next() * 2);
  const start = hand.next() * Math.PI;
  const points = Array.from({ length: lobes }, (_, i) => {
    const angle = start + (i / lobes) * Math.PI * 2;
    const r = radius * hand.between(0.78, 1);
    return { x: p.x + Math.cos(angle) * r, y: p.y + Math.sin(angle) * r * 0.88 };
  });
  const bow = (radius * 0.66).toFixed(2);
  const arcs = points.map((_, i) => `A${bow} ${bow} 0 0 1 ${at(points[(i + 1) % lobes] ?? p)}`);
  return `M${at(points[0] ?? p)}${arcs.join('')}Z`;
}

/** The engraver's shading on the side away from the light. */
function shade(p: Pt, radius: number): string {
  const bow = (radius * 0.7).toFixed(2);
  const from = { x: p.x + radius * 0.62, y: p.y - radius * 0.1 };
  const to = { x: p.x - radius * 0.05, y: p.y + radius * 0.6 };
  return `M${at(from)}A${bow} ${bow} 0 0 1 ${at(to)}`;
}

/** A ragged edge: the outline bent in long and in short waves, as far as the size of the wood allows. */
function ragged(ring: Pt[], hand: Hand, fine: number): Pt[] {
  const box = boundsOf(ring);
  const small = Math.min(box.width, box.height);
  const long = wobbled(softened(ring, Math.min(110, small * 0.27)), () => hand.next(), Math.min(15, small * 0.09), Math.max(70, small * 0.6));
  return wobbled(long, () => hand.next(), Math.min(4.5, small * 0.035) * fine, 26 * fine);
}

/** Trees in clumps, two greens that change slowly; a few stand before the edge. */
export function wood(piece: Piece, light: boolean): Mark[] {
  const { hand, fine } = piece;
  const [spacing, radius] = light ? [11.5 * fine, 3.5 * fine] : [7.6 * fine, 4.7 * fine];
  const rings = piece.rings.map((ring) => ragged(ring, hand, fine));
  const clump = humps(hand, 34 * fine);
  const marks: Mark[] = [{ look: light ? 'light-wood floor' : 'wood floor', d: rings.map(ringPath).join('') }];
  const edge = rings.flatMap((ring) => walk(closed(ring), spacing * (light ? 0.9 : 0.72)).map((step) => {
    const stray = hand.next() < 0.1 ? hand.between(4, 8) * fine : 0;
    const off = hand.between(-3, 1.6) + stray;
    return { x: step.x + step.nx * off, y: step.y + step.ny * off };
  }));
  const rows = scatter(rings, spacing, hand).map((row) => (light ? row.filter((p) => clump(p) > -0.5 || hand.next() < 0.5) : row));
  for (const p of edge) {
    const at = rows.findIndex((row) => (row[0]?.y ?? -Infinity) >= p.y);
    (rows[at < 0 ? rows.length - 1 : at] ?? []).push(p);
  }
  for (const row of rows) {
    const [fair, deep, shades, shadows]: [string[], string[], string[], string[]] = [[], [], [], []];
    for (const p of row) {
      const dense = clump(p);
      const r = radius * hand.between(0.68, 1.05) * (1 + 0.22 * dense);
      (hand.between(-0.7, 0.7) + dense < 0.1 ? fair : deep).push(crown(p, r, hand));
      shades.push(shade(p, r));
      shadows.push(`M${at({ x: p.x - r * 0.5, y: p.y + r * 1.02 })}h${(r * 1.5).toFixed(2)}`);
    }
    if (light) marks.push({ look: 'tree-shadow', d: shadows.join('') });
    marks.push({ look: 'crown fair', d: fair.join('') }, { look: 'crown deep', d: deep.join('') });
    marks.push({ look: 'crown-shade', d: shades.join('') });
  }
  return marks.filter((mark) => mark.d !== '');
}

export function marsh(piece: Piece): Mark[] {
  const outline = piece.rings.map((ring) => ringPath(wobbled(softened(ring, 40), () => piece.hand.next(), 4, 45))).join('');
  const tufts = scatter(piece.rings, 11, piece.hand).flat();
  const tuft = (p: Pt) =>
    `M${at({ x: p.x - 3.4, y: p.y })}h6.8M${at(p)}v-3.4M${at({ x: p.x - 1, y: p.y })}l-1.3 -2.6M${at({ x: p.x + 1, y: p.y })}l1.3 -2.6`;
  const reeds = tufts.map((p) => `M${at({ x: p.x - 2, y: p.y + 1.6 })}h4`);
  return [
    { look: 'marsh', d: outline },
    { look: 'tuft', d: tufts.map(tuft).join('') },
    { look: 'tuft-water', d: reeds.join('') },
  ];
}

/** Furrows, each field ploughed its own way. */
export function field(piece: Piece): Mark[] {
  const outer = piece.rings[0];
  if (!outer) return [];
  const outline = piece.rings.map((ring) => ringPath(wobbled(softened(ring, 14), () => piece.hand.next(), 2.6, 70))).join('');
  const box = boundsOf(outer);
  const angle = piece.hand.pick([18, 42, 68, 112, 150] as const);
  const reach = Math.hypot(box.width, box.height) / 2 + 4;
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const [c, s] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const furrows: string[] = [];
  for (let offset = -reach; offset < reach; offset += 3.1) {
    const p = { x: middle.x - s * offset, y: middle.y + c * offset };
    furrows.push(`M${at({ x: p.x - c * reach, y: p.y - s * reach })}L${at({ x: p.x + c * reach, y: p.y + s * reach })}`);
  }
  return [
    { look: 'field', d: outline },
    { look: 'furrows', d: furrows.join(''), within: outline },
    { look: 'field-edge', d: outline },
  ];
}

/** Broken ground: hummocks, stones and bushes, thinning out towards a ragged edge. */
export function rough(piece: Piece): Mark[] {
  const { hand, fine } = piece;
  const rings = piece.rings.map((ring) => ragged(ring, hand, fine));
  const clump = humps(hand, 40 * fine);
  const [stones, hummocks, bushes]: [string[], string[], string[]] = [[], [], []];
  for (const p of scatter(rings, 8.5 * fine, hand).flat()) {
    const r = hand.between(0.8, 1.9) * fine;
    const size = r.toFixed(2);
    if (clump(p) > 0.25) bushes.push(crown(p, r * 1.25, hand));
    else if (hand.next() < 0.45) stones.push(`M${at(p)}l${size} -${size}l${size} ${size}`);
    else {
      // A hummock: a bow with three strokes down its side.
      const w = r * 2.6;
      hummocks.push(`M${at({ x: p.x - w, y: p.y })}q${w.toFixed(2)} ${(-w * 0.95).toFixed(2)} ${(2 * w).toFixed(2)} 0`);
      for (const part of [-0.4, 0.1, 0.55]) hummocks.push(`M${at({ x: p.x + w * part, y: p.y - w * 0.36 })}l${(w * 0.16).toFixed(2)} ${(w * 0.42).toFixed(2)}`);
    }
  }
  return [
    { look: 'rough', d: rings.map(ringPath).join('') },
    { look: 'stones', d: hummocks.join('') + stones.join('') },
    { look: 'crown deep bush', d: bushes.join('') },
  ].filter(({ d }) => d !== '');
}
