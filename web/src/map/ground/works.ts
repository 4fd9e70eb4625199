/** What people made: roads, walls, works, buildings. */

import { at, boundsOf, closed, distance, inside, linePath, ringPath, softenedLine, turned, walk, wobbledLine, type Pt } from '../geometry';
import type { Mark, Piece } from './mark';
import { cutting } from './relief';

/** The line of a piece, or the outline where it is an area. */
const course = ({ line, rings }: Piece): Pt[] => (line.length > 0 ? line : closed(rings[0] ?? []));

/** A road in easy bends. */
const winding = ({ line, hand }: Piece) => wobbledLine(softenedLine(line, 55), () => hand.next(), 4, 210);

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

/** A church: a nave with its tower, and a cross on it. */
function church(middle: Pt, angle: number): { walls: string; roof: string } {
  const place = (points: Pt[]) => points.map((p) => turned(p, angle)).map((p) => ({ x: p.x + middle.x, y: p.y + middle.y }));
  const box = (x: number, y: number, w: number, h: number) => ringPath(place([{ x, y }, { x: x + w, y }, { x: x + w, y: y + h }, { x, y: y + h }]));
  const cross = [[{ x: -9.2, y: -2.4 }, { x: -9.2, y: 2.4 }], [{ x: -11, y: 0 }, { x: -7.4, y: 0 }]].map((line) => linePath(place(line))).join('');
  return { walls: box(-6.5, -3.6, 14, 7.2) + box(-11.6, -2.9, 5.2, 5.8), roof: linePath(place([{ x: -6.5, y: 0 }, { x: 7.5, y: 0 }])) + cross };
}

/** A village: a church and lanes of unequal houses, with gardens behind them, as the longest side of the sector runs. */
export function buildings(piece: Piece): Mark[] {
  const ring = piece.rings[0];
  if (!ring) return [];
  const { hand } = piece;
  const angle = bearing(ring);
  const level = ring.map((p) => turned(p, -angle));
  const box = boundsOf(level);
  const [houses, roofs, shadows, gardens]: [string[], string[], string[], string[]] = [[], [], [], []];
  const large = box.width > 44 && box.height > 34;
  const centre = turned({ x: box.x + box.width * hand.between(0.42, 0.58), y: box.y + box.height * hand.between(0.44, 0.56) }, angle);
  const place = large && inside([ring], centre) ? church(centre, angle + hand.between(-12, 12)) : null;
  const lanes = Math.max(1, Math.round(box.height / 38));
  for (let lane = 0; lane < lanes; lane++) {
    const street = box.y + ((lane + 0.5) * box.height) / lanes;
    for (const side of [-1, 1]) {
      for (let x = box.x + hand.between(1.5, 5); x < box.x + box.width - 4; ) {
        const [wide, deep] = [hand.between(5, 13), hand.between(4.6, 9)];
        const back = street + side * (2.6 + hand.between(0, 3.4));
        const lean = hand.between(-11, 11);
        const mid = { x: x + wide / 2, y: back + side * (deep / 2) };
        const round = (w: number, d: number, off = 0) =>
          [{ x: -w / 2, y: -d / 2 }, { x: w / 2, y: -d / 2 }, { x: w / 2, y: d / 2 }, { x: -w / 2, y: d / 2 }]
            .map((p) => turned(p, lean))
            .map((p) => turned({ x: p.x + mid.x, y: p.y + mid.y + off }, angle));
        const corners = round(wide, deep);
        const clear = place === null || Math.hypot(turned(mid, angle).x - centre.x, turned(mid, angle).y - centre.y) > 17;
        if (clear && hand.next() > 0.24 && corners.every((corner) => inside([ring], corner))) {
          houses.push(ringPath(corners));
          shadows.push(ringPath(corners.map((p) => ({ x: p.x + 0.9, y: p.y + 1.1 }))));
          roofs.push(linePath([{ x: -wide / 2, y: 0 }, { x: wide / 2, y: 0 }].map((p) => turned(p, lean)).map((p) => turned({ x: p.x + mid.x, y: p.y + mid.y }, angle))));
          const plot = round(wide * 0.9, deep * 0.8, side * deep * 1.05);
          if (hand.next() < 0.6 && plot.every((corner) => inside([ring], corner))) gardens.push(ringPath(plot));
        }
        x += wide + hand.between(2, 9);
      }
    }
  }
  const outline = piece.rings.map((each) => ringPath(each)).join('');
  return [
    { look: 'sector', d: outline },
    { look: 'garden', d: gardens.join('') },
    { look: 'house-shadow', d: shadows.join('') },
    { look: 'house', d: houses.join('') },
    { look: 'roof', d: roofs.join('') },
    { look: 'church', d: place?.walls ?? '' },
    { look: 'church-roof', d: place?.roof ?? '' },
  ].filter(({ d }) => d !== '');
}

export function other({ rings, line }: Piece): Mark[] {
  return [{ look: 'other', d: rings.map(ringPath).join('') + linePath(line) }];
}
