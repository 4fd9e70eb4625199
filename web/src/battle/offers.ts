/** The offers of a decision, sorted for the eye: those of the unit chosen, those of nobody, those of others. */

import type { ClosedView } from '../protocol/ClosedView';
import type { Decision } from '../protocol/Decision';
import type { OfferView } from '../protocol/OfferView';

export interface Sorted {
  own: OfferView[];
  general: OfferView[];
  /** Every unit that may act, with how many offers it has, in the order in which they come. */
  acting: { token: string; count: number }[];
  closed: ClosedView[];
}

const owner = (offer: OfferView) => offer.unit ?? offer.command;

export function sortOffers(decision: Decision, chosen: string | null): Sorted {
  const acting = new Map<string, number>();
  for (const offer of decision.offers) {
    const token = owner(offer);
    if (token) acting.set(token, (acting.get(token) ?? 0) + 1);
  }
  return {
    own: chosen ? decision.offers.filter((offer) => owner(offer) === chosen) : [],
    // An interrupt is about one thing: all there is to say to it is said at once.
    general: decision.offers.filter((offer) => owner(offer) === null || (decision.interrupt && owner(offer) !== chosen)),
    acting: [...acting].map(([token, count]) => ({ token, count })),
    closed: decision.closed.filter((offer) => offer.unit === chosen || offer.unit === null),
  };
}

/** The next or previous of those that may act, round and round. */
export function step(acting: { token: string }[], chosen: string | null, by: 1 | -1): string | null {
  if (acting.length === 0) return null;
  const here = acting.findIndex(({ token }) => token === chosen);
  const next = here < 0 ? (by === 1 ? 0 : acting.length - 1) : (here + by + acting.length) % acting.length;
  return acting[next]?.token ?? null;
}
