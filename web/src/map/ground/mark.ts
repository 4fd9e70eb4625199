import type { GroundView } from '../../protocol/GroundView';
import type { Setting } from '../../protocol/Setting';
import { Hand } from '../random';
import { beyondEdges, toSheet, type Pt } from '../geometry';

/** One stroke of the pen or brush: a path, how it is drawn (a class of `map.css`), and how wide. */
export interface Mark {
  look: string;
  d: string;
  width?: number;
  /** Drawn only within this path. */
  within?: string;
}

/** A piece of ground ready to be drawn, in millimetres of the sheet. */
export interface Piece {
  id: string;
  rings: Pt[][];
  line: Pt[];
  /** The ends of the line that were drawn beyond the edge of the table. */
  beyond: Pt[];
  /** How wide the line is. */
  width: number;
  /** The side that looks at the enemy is the right of the line, and not the left. */
  rightward: boolean;
  level: number;
  /** How coarse the drawing is: on a large table, seen from further away, houses and trees are drawn larger. */
  fine: number;
  hand: Hand;
}

/** How coarse the drawing of a table is. */
export const fineness = ({ width, depth }: Pick<Setting, 'width' | 'depth'>) => Math.min(1.75, Math.max(1, Math.max(width, depth) / 1_300_000));

const NARROWEST = 3;

/** How far ground that ends at the edge of the table is drawn beyond it, where it is cut off. */
const BEYOND = 80;

/**
 * A ring that goes on past the edges of the table: a hill that is cut off there has no slope and no rounded corner there.
 * The corners on the edge itself stay, so that nothing on the table moves.
 */
export function pastEdges(ring: Pt[], width: number, height: number): Pt[] {
  const push = (p: Pt): Pt => ({
    x: p.x < 0.5 ? p.x - BEYOND : p.x > width - 0.5 ? p.x + BEYOND : p.x,
    y: p.y < 0.5 ? p.y - BEYOND : p.y > height - 0.5 ? p.y + BEYOND : p.y,
  });
  const onEdge = (p: Pt) => push(p).x !== p.x || push(p).y !== p.y;
  return ring.flatMap((p, i) => {
    if (!onEdge(p)) return [p];
    const [before, after] = [ring.at(i - 1) ?? p, ring[(i + 1) % ring.length] ?? p];
    return [...(onEdge(before) ? [] : [p]), push(p), ...(onEdge(after) ? [] : [p])];
  });
}

export function pieceOf(ground: GroundView, { width, depth }: Pick<Setting, 'width' | 'depth'>): Piece {
  const line = ground.line.map((p) => toSheet(p, depth));
  const beyond = beyondEdges(line, width / 1_000, depth / 1_000);
  return {
    id: ground.id,
    rings: ground.rings.map((ring) => pastEdges(ring.map((p) => toSheet(p, depth)), width / 1_000, depth / 1_000)),
    line: beyond,
    beyond: beyond.filter((p) => !line.includes(p)),
    width: Math.max(NARROWEST, (ground.width ?? 0) / 1_000),
    rightward: ground.faces_left === false,
    level: ground.level,
    fine: fineness({ width, depth }),
    hand: new Hand(ground.id + ground.kind + (ground.name ?? '')),
  };
}
