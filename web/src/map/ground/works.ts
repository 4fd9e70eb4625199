/** What people made: roads, walls, works, buildings. */

import { at, boundsOf, closed, distance, inside, linePath, ringPath, softenedLine, softLine, turned, walk, type Pt } from '../geometry';
import type { Mark, Piece } from './mark';
import { cutting } from './relief';

/** The line of a piece, or the outline where it is an area. */
const course = ({ line, rings }: Piece): Pt[] => (line.length > 0 ? line : closed(rings[0] ?? []));

export function road({ line, width }: Piece): Mark[] {
  const d = softLine(line, 55);
  return [
    { look: 'road-edge', d, width: width + 0.9 },
    { look: 'road', d, width },
  ];
}

export function sunkenRoad(piece: Piece): Mark[] {
  return [...road(piece), { look: 'hachures', d: cutting({ ...piece, line: softenedLine(piece.line, 55) }, 2.6) }];
}

export function hedge(piece: Piece): Mark[] {
  const d = linePath(course(piece));
  return [
    { look: 'hedge-base', d },
    { look: 'hedge', d },
    { look: 'hedge-top', d },
  ];
}

export function wall(piece: Piece): Mark[] {
  const d = linePath(course(piece));
  return [
    { look: 'wall', d },
    { look: 'wall-core', d },
  ];
}

export function works(piece: Piece): Mark[] {
  const line = course(piece);
  const teeth = walk(line, 4).map((step) => {
    const tip = { x: step.x + step.nx * 3.6, y: step.y + step.ny * 3.6 };
    const [tx, ty] = [-step.ny * 1.5, step.nx * 1.5];
    return `M${at({ x: step.x + tx, y: step.y + ty })}L${at(tip)}L${at({ x: step.x - tx, y: step.y - ty })}Z`;
  });
  return [
    { look: 'works-teeth', d: teeth.join('') },
    { look: 'works', d: linePath(line) },
  ];
}

export function rampart(piece: Piece): Mark[] {
  const d = linePath(course(piece));
  return [
    { look: 'rampart', d, width: Math.max(piece.width, 5) },
    { look: 'rampart-walk', d, width: Math.max(piece.width, 5) - 2.6 },
    ...works(piece),
  ];
}

export function ditch(piece: Piece): Mark[] {
  const line = course(piece);
  return [
    { look: 'ditch', d: linePath(line), width: piece.width },
    { look: 'hachures', d: cutting({ ...piece, line, width: Math.max(piece.width - 4, 0) }, 1.8) },
  ];
}

export function abatis(piece: Piece): Mark[] {
  const branches = walk(course(piece), 3).map((step) => {
    const lean = piece.hand.between(-1.4, 1.4);
    const foot = { x: step.x - step.nx * 2.4, y: step.y - step.ny * 2.4 };
    const tip = { x: step.x + step.nx * 3.2 + lean, y: step.y + step.ny * 3.2 + lean };
    const twig = { x: (step.x + tip.x) / 2 - step.ny * 1.6, y: (step.y + tip.y) / 2 + step.nx * 1.6 };
    return `M${at(foot)}L${at(tip)}M${at(step)}L${at(twig)}`;
  });
  return [{ look: 'abatis', d: branches.join('') }];
}

export function breach(piece: Piece): Mark[] {
  const stones = walk(course(piece), 1.6).map((step) => {
    const off = piece.hand.between(-2.4, 2.4);
    const r = piece.hand.between(0.5, 1.2).toFixed(2);
    return `M${at({ x: step.x + step.nx * off, y: step.y + step.ny * off })}l${r} -${r}l${r} ${r}z`;
  });
  return [{ look: 'rubble', d: stones.join('') }];
}

/** The way the longest side of a ring runs, in degrees. */
function bearing(ring: Pt[]): number {
  let [longest, angle] = [0, 0];
  closed(ring).reduce((a, b) => {
    const length = distance(a, b);
    if (length > longest) [longest, angle] = [length, (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI];
    return b;
  });
  return angle;
}

/** Blocks of houses along streets that run as the longest side of the sector does. */
export function buildings(piece: Piece): Mark[] {
  const ring = piece.rings[0];
  if (!ring) return [];
  const { hand } = piece;
  const angle = bearing(ring);
  const level = ring.map((p) => turned(p, -angle));
  const box = boundsOf(level);
  const margin = 2;
  const [columns, rows] = [Math.max(1, Math.round(box.width / 27)), Math.max(1, Math.round(box.height / 19))];
  const [stepX, stepY] = [box.width / columns, box.height / rows];
  const [houses, roofs, shadows]: [string[], string[], string[]] = [[], [], []];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const left = box.x + column * stepX + margin + hand.between(0, stepX * 0.12);
      const top = box.y + row * stepY + margin + hand.between(0, stepY * 0.12);
      const right = box.x + (column + 1) * stepX - margin - hand.between(0, stepX * 0.34);
      const bottom = box.y + (row + 1) * stepY - margin - hand.between(0, stepY * 0.34);
      const corners = [
        { x: left, y: top },
        { x: right, y: top },
        { x: right, y: bottom },
        { x: left, y: bottom },
      ].map((p) => turned(p, angle));
      if (!corners.every((corner) => inside([ring], corner))) continue;
      if (columns * rows > 3 && hand.next() < 0.12) continue;
      houses.push(ringPath(corners));
      shadows.push(ringPath(corners.map((p) => ({ x: p.x + 0.9, y: p.y + 1.1 }))));
      const middle = (top + bottom) / 2;
      roofs.push(linePath([{ x: left, y: middle }, { x: right, y: middle }].map((p) => turned(p, angle))));
    }
  }
  const outline = piece.rings.map((each) => ringPath(each)).join('');
  return [
    { look: 'sector', d: outline },
    { look: 'house-shadow', d: shadows.join('') },
    { look: 'house', d: houses.join('') },
    { look: 'roof', d: roofs.join('') },
  ];
}

export function other({ rings, line }: Piece): Mark[] {
  return [{ look: 'other', d: rings.map(ringPath).join('') + linePath(line) }];
}
