/** What is drawn over the table for one unit, ranked: what threatens first, what is near before what is far. */

import type { Overlay } from '../protocol/Overlay';
import type { Owned } from './battle.svelte';
import type { OverlayKind } from '../protocol/OverlayKind';

const ORDER: OverlayKind[] = ['zone', 'fire', 'reach', 'sight', 'command'];

export interface Ranked {
  overlay: Overlay;
  /** Whose it is, as a token. */
  whose: string;
  /** Its place among those of its kind, the smallest first: 0 is the nearest and is drawn the strongest. */
  place: number;
}

function area({ rings }: Overlay): number {
  let sum = 0;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i++) {
      const [a, b] = [ring[i], ring[(i + 1) % ring.length]];
      if (a && b) sum += a.x * b.y - b.x * a.y;
    }
  }
  return Math.abs(sum / 2);
}

/** In the order of the list: by what they show, then from near to far. */
export function ranked(overlays: Owned[]): Ranked[] {
  const places = new Map<OverlayKind, string[]>();
  return overlays
    .map(({ overlay, whose }) => ({ overlay, whose, size: area(overlay) }))
    .sort((a, b) => ORDER.indexOf(a.overlay.kind) - ORDER.indexOf(b.overlay.kind) || a.size - b.size)
    .map(({ overlay, whose }) => {
      const labels = places.get(overlay.kind) ?? [];
      places.set(overlay.kind, labels);
      if (!labels.includes(overlay.label)) labels.push(overlay.label);
      return { overlay, whose, place: labels.indexOf(overlay.label) };
    });
}

/** In the order of drawing: what matters most lies on top. */
export const drawn = (all: Ranked[]): Ranked[] => [...all].reverse();
