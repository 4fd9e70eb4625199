/** The choice being made: an offer, its value so far, and what it would come to. */

import type { OfferView } from '../protocol/OfferView';
import type { Preview } from '../protocol/Preview';
import type { Reply } from '../protocol/Reply';
import type { Value } from '../protocol/Value';
import type { Battle } from './battle.svelte';
import { firstValue, ready } from './value';

export type Odds = Omit<Extract<Reply, { type: 'odds' }>, 'type' | 'offer'>;

/** A value may still be changing under the hand for so long. */
const STILL = 220;

export class Draft {
  offer = $state.raw<OfferView | null>(null);
  value = $state.raw<Value | null>(null);
  preview = $state.raw<Preview | null>(null);
  /** The way a distance can go, all of it. */
  track = $state.raw<{ x: number; y: number }[]>([]);
  odds = $state.raw<Odds | string | null>(null);
  private asking = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly battle: Battle) {}

  readonly ready = $derived(this.offer !== null && ready(this.offer.input, this.value));

  pick(offer: OfferView | null, value: Value | null = null) {
    this.drop();
    if (!offer) return;
    this.offer = offer;
    this.set(value ?? firstValue(offer.input));
    if (offer.handle.by === 'along') this.track = offer.handle.track;
    else if (offer.input.kind === 'distance') {
      void this.battle.preview(offer.key, { distance: offer.input.most }).then((preview) => {
        if (this.offer === offer) this.track = preview?.ghosts[0]?.track ?? [];
      });
    }
  }

  drop() {
    clearTimeout(this.timer);
    this.offer = null;
    this.value = null;
    this.preview = null;
    this.track = [];
    this.odds = null;
  }

  set(value: Value | null) {
    this.value = value;
    this.odds = null;
    void this.ghost();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.reckon(), STILL);
  }

  /** One preview at a time; the last value wins. */
  private async ghost() {
    if (this.asking) return;
    this.asking = true;
    for (;;) {
      const { offer, value } = this;
      if (!offer || value === null) break;
      const preview = await this.battle.preview(offer.key, value);
      if (this.offer === offer) this.preview = preview;
      if (this.offer === offer && this.value === value) break;
    }
    this.asking = false;
  }

  private async reckon() {
    const { offer, value } = this;
    if (!offer || value === null || !this.ready) return;
    const odds = await this.battle.odds(offer.key, value);
    if (this.offer === offer && this.value === value) this.odds = odds;
  }
}
