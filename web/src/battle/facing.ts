/** How the sheet is turned so that one's own side stands nearest. */

import type { Side } from '../protocol/Side';
import type { View } from '../protocol/View';

/**
 * One's own side at the bottom. Where the armies face each other along the longer way of a wide window, turning the sheet on its
 * side would cost half of it: then one's own side stands on the left.
 */
export function facing(view: View, own: Side | null, upright: boolean): number {
  if (own === null) return 0;
  const middle = (side: Side) => {
    const at = view.units.flatMap((unit) => (unit.side === side && unit.pose ? [unit.pose.at] : []));
    const sum = at.reduce((all, p) => ({ x: all.x + p.x, y: all.y + p.y }), { x: 0, y: 0 });
    return at.length > 0 ? { x: sum.x / at.length, y: sum.y / at.length } : null;
  };
  const [mine, theirs] = [middle(own), middle(own === 'A' ? 'B' : 'A')];
  if (!mine || !theirs) return 0;
  const [dx, dy] = [theirs.x - mine.x, theirs.y - mine.y];
  if (Math.abs(dx) <= Math.abs(dy)) return dy < 0 ? 180 : 0;
  if (upright) return dx > 0 ? 270 : 90;
  return dx < 0 ? 180 : 0;
}
