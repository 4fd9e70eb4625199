import type { GroundView } from '../../protocol/GroundView';
import { Hand } from '../random';
import { toSheet, type Pt } from '../geometry';

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
  /** How wide the line is. */
  width: number;
  level: number;
  hand: Hand;
}

const NARROWEST = 3;

export function pieceOf(ground: GroundView, depth: number): Piece {
  return {
    id: ground.id,
    rings: ground.rings.map((ring) => ring.map((p) => toSheet(p, depth))),
    line: ground.line.map((p) => toSheet(p, depth)),
    width: Math.max(NARROWEST, (ground.width ?? 0) / 1_000),
    level: ground.level,
    hand: new Hand(ground.id + ground.kind + (ground.name ?? '')),
  };
}
