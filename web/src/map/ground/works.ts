/** What people made: roads, walls, works, buildings. */

import { at, boundsOf, clockwise, closed, inside, linePath, ringPath, softened, softenedLine, walk, wobbled, wobbledLine, type Pt } from '../geometry';
import type { Mark, Piece } from './mark';
import { cutting } from './relief';

/** The line of a piece, or the outline where it is an area. */
const course = ({ line, rings }: Piece): Pt[] => (line.length > 0 ? line : closed(rings[0] ?? []));

/** A road in easy bends. */
export const winding = ({ line, hand }: Piece) => wobbledLine(softenedLine(line, 55), () => hand.next(), 4, 210);

export function road(piece: Piece): Mark[] {
  const { width } = piece;
  const d = linePath(winding(piece));
  return [
    { look: 'road-edge', d, width: width + 0.9 },
    { look: 'road', d, width },
  ];
}

export function sunkenRoad(piece: Piece): Mark[] {
  // Both are drawn by the same hand from its beginning, so that they lie on each other.
  const line = winding(piece);
  const d = linePath(line);
  return [
    { look: 'road-edge', d, width: piece.width + 0.9 },
    { look: 'road', d, width: piece.width },
    { look: 'hachures', d: cutting({ ...piece, line }, 2.6) },
  ];
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

/** A bank with little teeth on the side from which the enemy comes: round about, where it is shut. */
export function works(piece: Piece): Mark[] {
  const { fine, rings, rightward } = piece;
  const ring = rings[0];
  const drawn = piece.line.length === 0 && ring ? closed(clockwise(ring)) : course(piece);
  const line = rightward ? [...drawn].reverse() : drawn;
  const teeth = walk(line, 4.4 * fine).map((step) => {
    const tip = { x: step.x + step.nx * 4.4 * fine, y: step.y + step.ny * 4.4 * fine };
    const [tx, ty] = [-step.ny * 1.7 * fine, step.nx * 1.7 * fine];
    return `M${at({ x: step.x + tx, y: step.y + ty })}L${at(tip)}L${at({ x: step.x - tx, y: step.y - ty })}Z`;
  });
  return [
    { look: 'works-bank', d: linePath(line), width: 5.5 * fine },
    { look: 'works-teeth', d: teeth.join('') },
    { look: 'works', d: linePath(line), width: 1.7 * fine },
  ];
}

/** A town's wall is drawn broader than it is: on the table it is what everything turns on. */
export const rampartWidth = ({ width, fine }: Pick<Piece, 'width' | 'fine'>) => Math.max(width, 13 * fine);

/** A wall of a town: a broad rampart with a walk on it, towers where it turns and between, and its foot shaded. */
export function rampart(piece: Piece): Mark[] {
  const { fine } = piece;
  const line = course(piece);
  const wide = rampartWidth(piece);
  const d = linePath(line);
  const tower = (p: Pt, way: Pt, half: number) => ringPath([[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([along = 0, off = 0]) => ({ x: p.x + (way.x * along - way.y * off) * half, y: p.y + (way.y * along + way.x * off) * half })));
  const apart = 84 * fine;
  const towers: string[] = [];
  line.slice(1).forEach((b, i) => {
    const a = line[i] ?? b;
    const long = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const way = { x: (b.x - a.x) / long, y: (b.y - a.y) / long };
    const many = Math.max(1, Math.round(long / apart));
    for (let n = i === 0 ? 0 : 1; n <= many; n++) {
      const corner = n === 0 || n === many;
      towers.push(tower({ x: a.x + way.x * ((long * n) / many), y: a.y + way.y * ((long * n) / many) }, way, wide * (corner ? 0.92 : 0.78)));
    }
  });
  return [
    { look: 'rampart-foot', d, width: wide + 5 * fine },
    { look: 'rampart', d, width: wide },
    { look: 'rampart-walk', d, width: wide - 3 * fine },
    { look: 'rampart-tower', d: towers.join('') },
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

/** A breach: rubble along a broken stretch, or all over the slope that it makes, thickest where the wall stood. */
export function breach(piece: Piece): Mark[] {
  const { hand, rings, fine } = piece;
  const stone = (p: Pt, r: number) => {
    const corners = [0, 1, 2, 3, 4].map((n) => (n / 5) * Math.PI * 2 + hand.between(-0.4, 0.4));
    return ringPath(corners.map((angle) => ({ x: p.x + Math.cos(angle) * r * hand.between(0.7, 1.2), y: p.y + Math.sin(angle) * r * hand.between(0.55, 0.95) })));
  };
  const ring = rings[0];
  if (!ring) {
    const line = walk(course(piece), 1.6).map((step) => {
      const off = hand.between(-2.4, 2.4);
      return stone({ x: step.x + step.nx * off, y: step.y + step.ny * off }, hand.between(0.5, 1.3));
    });
    return [{ look: 'rubble', d: line.join('') }];
  }
  const box = boundsOf(ring);
  const middle = box.y + box.height / 2;
  const stones: { p: Pt; r: number }[] = [];
  for (let n = 0; n < (box.width * box.height) / (15 * fine * fine); n++) {
    const p = { x: hand.between(box.x, box.x + box.width), y: hand.between(box.y, box.y + box.height) };
    const far = Math.abs(p.y - middle) / (box.height / 2);
    if (inside([ring], p) && hand.next() > far * 0.75) stones.push({ p, r: hand.between(0.8, 2.9) * fine * (1.15 - 0.5 * far) });
  }
  stones.sort((a, b) => a.p.y - b.p.y);
  return [
    { look: 'breach-slope', d: ringPath(wobbled(softened(ring, 18), () => hand.next(), 3, 24)) },
    { look: 'rubble', d: stones.map(({ p, r }) => stone(p, r)).join('') },
  ];
}

export function other({ rings, line }: Piece): Mark[] {
  return [{ look: 'other', d: rings.map(ringPath).join('') + linePath(line) }];
}
