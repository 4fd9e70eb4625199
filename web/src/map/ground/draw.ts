/** The whole ground, in the order in which it lies one on the other. */

import type { GroundStyle } from '../../protocol/GroundStyle';
import type { GroundView } from '../../protocol/GroundView';
import type { Setting } from '../../protocol/Setting';
import { closed, distance, inside, linePath, middleOf, walk, type Pt } from '../geometry';
import { Hand } from '../random';
import { field, marsh, rough, wood } from './cover';
import { life } from './life';
import { pieceOf, type Mark, type Piece } from './mark';
import { hill, ridge } from './relief';
import { bridge, courses, crossingArea, crossingsOf, ford, pond, river, shallows, type Course } from './water';
import { buildings, parishes } from './village';
import { abatis, breach, ditch, hedge, other, rampart, road, sunkenRoad, wall, winding, works } from './works';

/** From the bottom up. */
const ORDER: GroundStyle[] = [
  'hill', 'steep_hill', 'ridge', 'field', 'rough', 'marsh', 'water', 'river', 'ford', 'light_wood', 'wood', 'other',
  'ditch', 'road', 'sunken_road', 'bridge', 'buildings', 'hedge', 'wall', 'abatis', 'works', 'rampart', 'breach',
];

interface Country {
  rivers: Map<string, Course>;
  /** The sectors with a church. */
  holy: Set<string>;
}

function marksOf(style: GroundStyle, piece: Piece, { rivers, holy }: Country): Mark[] {
  const area = piece.rings.length > 0;
  switch (style) {
    case 'hill':
    case 'steep_hill':
      return hill(piece, style === 'steep_hill');
    case 'ridge':
      return area ? hill(piece, false) : ridge(piece);
    case 'wood':
    case 'light_wood':
      return wood(piece, style === 'light_wood');
    case 'rough':
      return rough(piece);
    case 'marsh':
      return marsh(piece);
    case 'field':
      return field(piece);
    case 'river':
    case 'water':
      return area ? pond(piece) : riverOf(piece, rivers);
    case 'ford':
      return area ? crossingArea(piece) : ford(piece);
    case 'road':
      return area ? other(piece) : road(piece);
    case 'sunken_road':
      return area ? other(piece) : sunkenRoad(piece);
    case 'bridge':
      return area ? crossingArea(piece) : bridgeAlong(piece);
    case 'hedge':
      return hedge(piece);
    case 'wall':
      return wall(piece);
    case 'works':
      return works(piece);
    case 'rampart':
      return rampart(piece);
    case 'ditch':
      return ditch(piece);
    case 'abatis':
      return abatis(piece);
    case 'breach':
      return breach(piece);
    case 'buildings':
      return buildings(piece, holy.has(piece.id));
    case 'other':
      return other(piece);
  }
}

/** A river is drawn with the first of its pieces; the others lie on it unseen, to be pointed at. */
function riverOf(piece: Piece, rivers: Map<string, Course>): Mark[] {
  const whole = rivers.get(piece.id);
  return whole ? river(piece, whole) : [{ look: 'river-reach', d: linePath(piece.line), width: piece.width }];
}

/** A bridge that the book knows as a line: from one bank to the other. */
function bridgeAlong({ line, width }: Piece): Mark[] {
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last) return [];
  const over = Math.max(1, distance(first, last));
  const way = { x: (last.x - first.x) / over, y: (last.y - first.y) / over };
  return bridge({ at: { x: (first.x + last.x) / 2, y: (first.y + last.y) / 2 }, way, over: Math.max(2, over - 7), wide: width });
}

/** Where roads go over rivers: fords where the ground has one there, bridges elsewhere, but none over a bridge that is drawn. */
function overWater(setting: Setting, pieces: Map<GroundView, Piece>, rivers: Map<string, Course>): Mark[] {
  const known = [...pieces].filter(([{ drawn }]) => drawn === 'bridge' || drawn === 'ford');
  const roads = [...pieces].filter(([{ drawn, line }]) => (drawn === 'road' || drawn === 'sunken_road') && line.length > 1);
  const hand = new Hand(`${setting.title} fords`);
  return roads.flatMap(([, road]) =>
    [...rivers.values()].flatMap((course) =>
      crossingsOf(winding(road), road.width, course).flatMap((crossing) => {
        const there = known.find(([, piece]) => inside(piece.rings, crossing.at) || piece.line.some((p) => distance(p, crossing.at) < piece.width + crossing.over));
        if (there && there[1].rings.length === 0) return [];
        const ford = there && (there[0].drawn === 'ford' || /\bford\b/i.test(there[0].name ?? ''));
        return ford ? shallows(crossing, hand) : bridge(crossing);
      }),
    ),
  );
}

export interface DrawnGround {
  id: string;
  style: GroundStyle;
  marks: Mark[];
}

const place = (ground: GroundView) => ORDER.indexOf(ground.drawn);

/** A road that ends so near to a village, in millimetres, goes into it. */
const OUTSIDE = 60;

/** A road that was drawn to a village, and not quite up to it, runs on to its houses. */
function upToHouses(piece: Piece, villages: Pt[][]): Piece {
  const { line, beyond } = piece;
  const on = (end: Pt | undefined): Pt[] => {
    if (!end || beyond.includes(end) || villages.some((ring) => inside([ring], end))) return [];
    const near = villages.flatMap((ring) => walk(closed(ring), 4).map((p) => ({ p, ring, far: distance(p, end) }))).sort((a, b) => a.far - b.far)[0];
    if (!near || near.far > OUTSIDE) return [];
    const [middle, { p }] = [middleOf(near.ring), near];
    const long = distance(middle, p) || 1;
    const deep = Math.min(24, long);
    return [{ x: p.x + ((middle.x - p.x) / long) * deep, y: p.y + ((middle.y - p.y) / long) * deep }];
  };
  return { ...piece, line: [...on(line[0]), ...line, ...on(line.at(-1))] };
}

/** Everything as it is drawn: roads come up to the houses they lead to. */
function piecesOf(setting: Setting, sorted: GroundView[]): Map<GroundView, Piece> {
  const pieces = new Map(sorted.map((ground) => [ground, pieceOf(ground, setting)]));
  const villages = [...pieces].flatMap(([{ drawn }, { rings }]) => (drawn === 'buildings' ? rings.slice(0, 1) : []));
  for (const [ground, piece] of pieces) if (ground.drawn === 'road' && ground.line.length > 1) pieces.set(ground, upToHouses(piece, villages));
  return pieces;
}

/** Everything to be drawn. Roads meet without seams because all edges are laid before all surfaces. */
function drawAll(setting: Setting): DrawnGround[] {
  const sorted = [...setting.ground].sort((a, b) => place(a) - place(b) || a.level - b.level);
  const pieces = piecesOf(setting, sorted);
  const waters = [...pieces].flatMap(([{ drawn }, { rings }]) => (drawn === 'water' || drawn === 'river' ? rings.slice(0, 1) : []));
  const rivers = courses([...pieces].flatMap(([{ drawn, line }, piece]) => (drawn === 'river' && line.length > 1 ? [piece] : [])), waters);
  const holy = parishes([...pieces].flatMap(([{ drawn, name }, { id, rings: [ring], fine }]) => (drawn === 'buildings' && ring ? [{ id, name, ring, fine }] : [])));
  const drawn = [...pieces].map(([ground, piece]) => ({ id: ground.id, style: ground.drawn, marks: marksOf(ground.drawn, piece, { rivers, holy }) }));
  const roads = drawn.filter(({ style }) => style === 'road' || style === 'sunken_road');
  const edges = roads.flatMap(({ marks }) => marks.filter(({ look }) => look === 'road-edge'));
  const [first, last] = [roads[0], roads.at(-1)];
  if (first && last) {
    for (const one of roads) one.marks = one.marks.filter(({ look }) => look !== 'road-edge');
    first.marks = [...edges, ...first.marks];
    // From hands that have drawn nothing yet: a line drawn again lies on the first.
    last.marks = [...last.marks, ...overWater(setting, piecesOf(setting, sorted), rivers)];
  }
  return drawn;
}

/** Every moment of a battle brings its setting anew; what was drawn once is kept, by all that the drawing depends on. */
const kept = new Map<string, { ground: DrawnGround[]; between: Mark[] | null }>();
const KEPT = 20;

function keptOf(setting: Setting) {
  const key = JSON.stringify([setting.title, setting.place, setting.width, setting.depth, setting.ground]);
  const found = kept.get(key) ?? { ground: drawAll(setting), between: null };
  kept.delete(key);
  kept.set(key, found);
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) break;
    kept.delete(oldest);
  }
  return found;
}

export const drawGround = (setting: Setting): DrawnGround[] => keptOf(setting).ground;

/** The life between. */
export function drawLife(setting: Setting): Mark[] {
  const found = keptOf(setting);
  return (found.between ??= life(setting));
}
