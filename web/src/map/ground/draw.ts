/** The whole ground, in the order in which it lies one on the other. */

import type { GroundStyle } from '../../protocol/GroundStyle';
import type { GroundView } from '../../protocol/GroundView';
import type { Setting } from '../../protocol/Setting';
import { field, marsh, rough, wood } from './cover';
import { pieceOf, type Mark, type Piece } from './mark';
import { hill, ridge } from './relief';
import { bridge, ford, fordArea, pond, river } from './water';
import { abatis, breach, buildings, ditch, hedge, other, rampart, road, sunkenRoad, wall, works } from './works';

/** From the bottom up. */
const ORDER: GroundStyle[] = [
  'hill', 'steep_hill', 'ridge', 'field', 'rough', 'marsh', 'water', 'river', 'ford', 'light_wood', 'wood', 'other',
  'ditch', 'road', 'sunken_road', 'bridge', 'buildings', 'hedge', 'wall', 'abatis', 'works', 'rampart', 'breach',
];

function marksOf(style: GroundStyle, piece: Piece): Mark[] {
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
      return area ? pond(piece) : river(piece);
    case 'ford':
      return area ? fordArea(piece) : ford(piece);
    case 'road':
      return area ? other(piece) : road(piece);
    case 'sunken_road':
      return area ? other(piece) : sunkenRoad(piece);
    case 'bridge':
      return area ? other(piece) : bridge(piece);
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
      return buildings(piece);
    case 'other':
      return other(piece);
  }
}

export interface DrawnGround {
  id: string;
  style: GroundStyle;
  marks: Mark[];
}

const place = (ground: GroundView) => ORDER.indexOf(ground.drawn);

/** Everything to be drawn. Roads meet without seams because all edges are laid before all surfaces. */
export function drawGround(setting: Setting): DrawnGround[] {
  const sorted = [...setting.ground].sort((a, b) => place(a) - place(b) || a.level - b.level);
  const drawn = sorted.map((ground) => ({
    id: ground.id,
    style: ground.drawn,
    marks: marksOf(ground.drawn, pieceOf(ground, setting)),
  }));
  const roads = drawn.filter(({ style }) => style === 'road' || style === 'sunken_road');
  const edges = roads.flatMap(({ marks }) => marks.filter(({ look }) => look === 'road-edge'));
  const first = roads[0];
  if (first) {
    for (const one of roads) one.marks = one.marks.filter(({ look }) => look !== 'road-edge');
    first.marks = [...edges, ...first.marks];
  }
  return drawn;
}
