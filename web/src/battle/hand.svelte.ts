/** The hand over the table: who is chosen, what is drawn where, and the choice that comes of it. */

import { SvelteMap } from 'svelte/reactivity';
import type { Grip, Hold } from '../map/grip';
import type { Pt } from '../map/geometry';
import type { Lead } from '../protocol/Lead';
import type { OfferView } from '../protocol/OfferView';
import type { Preview } from '../protocol/Preview';
import type { Stop } from '../protocol/Stop';
import type { Value } from '../protocol/Value';
import type { Battle } from './battle.svelte';
import { Draft } from './draft.svelte';
import { ease } from './ease.svelte';
import { actorOf, bestReach, drawn, placeOf, wheeledTo, type Hand as Side } from './handle';
import { shifted } from './placing';
import { firstValue, sorted } from './value';

/** One of several that are moved alike. */
export interface Fellow {
  token: string;
  offer: OfferView | null;
  value: Value | null;
  preview: Preview | null;
}

/** An enemy that can be pointed at, with what can be done to it. */
export interface Ring {
  token: string;
  offers: OfferView[];
}

/** How far somebody gets who was drawn before he was ordered, if he obeys. */
export interface Foreseen {
  lead: Lead;
  to: Pt;
  /** How far that is, where it is less than was wished for, and what stops him. */
  short: { far: number; stop: Stop | null } | null;
}

/** What a hand was drawn further than a move can go, in micrometres, and would not see. */
const SLIGHT = 4_000;

/** What an officer says to somebody, who may obey. */
const isOrder = ({ act, group }: OfferView) => act === 'order' || group === 'order';

/** So many chances are reckoned for rings and chips, and no more: each costs the server something. */
const MOST_CHANCES = 8;

export class Hand implements Grip {
  chosen = $state<string | null>(null);
  /** Several at once, the one chosen among them. */
  group = $state.raw<string[]>([]);
  /** Those that go along with the one that is drawn. */
  fellows = $state.raw<Fellow[]>([]);
  /** The target whose offers lie open, where there are several. */
  opened = $state<string | null>(null);
  /** A loop was drawn round some of whom none can be drawn now. */
  nobody = $state(false);
  /** Somebody was drawn who cannot go: why not is said beside him. */
  stuck = $state<string | null>(null);
  /** Somebody was drawn somewhere who needs an order first: once he has obeyed, he goes there. */
  intent = $state.raw<{ token: string; to: Pt } | null>(null);
  /** He has obeyed and is going there: nothing else is to be done meanwhile. */
  going = $state(false);
  readonly chances = new SvelteMap<string, number | null>();
  readonly draft: Draft;
  private grip: { token: string; from: Pt; at: Pt; offers: OfferView[]; wheel: { offer: OfferView; hand: Side } | null } | null = null;
  private asking = false;

  constructor(
    private readonly battle: Battle,
    /** Does what is drafted. */
    private readonly confirm: () => void,
  ) {
    this.draft = new Draft(battle);
  }

  /** Every offer that this seat may choose now. */
  readonly offers = $derived.by<OfferView[]>(() => (this.battle.speaker && this.battle.fresh ? (this.battle.decision?.offers ?? []) : []));

  /** What concerns somebody: what he can do, and what his own side can do to him (an order, an officer who joins). */
  of(token: string): OfferView[] {
    return this.offers.filter((offer) => this.subjects(offer).includes(token));
  }

  private subjects(offer: OfferView): string[] {
    const actor = actorOf(offer, this.battle.now);
    if (offer.handle.by !== 'target') return actor ? [actor] : [];
    const { of, target } = offer.handle;
    const side = this.battle.decision?.side;
    const friend = this.battle.now?.units.find(({ id }) => id === target)?.side === side || this.battle.now?.officers.find(({ id }) => id === target)?.side === side;
    return [...new Set([...(of.length > 0 ? of : actor ? [actor] : []), ...(friend ? [target] : [])])];
  }

  /** Those that can act themselves, or be given an order, with how many offers each has. A friend to whom something is only done is not among them. */
  readonly acting = $derived.by(() => {
    const counts = new Map<string, number>();
    const able = new Set<string>();
    for (const offer of this.offers) {
      const subjects = this.subjects(offer);
      for (const token of subjects) counts.set(token, (counts.get(token) ?? 0) + 1);
      const suffering = offer.handle.by === 'target' && !isOrder(offer) && subjects.length > 1 ? offer.handle.target : null;
      for (const token of subjects) if (token !== suffering) able.add(token);
    }
    return [...counts].filter(([token]) => able.has(token)).map(([token, count]) => ({ token, count }));
  });

  readonly own = $derived(this.chosen ? this.of(this.chosen) : []);
  /** An interrupt is about one thing: all there is to say to it is said at once. */
  readonly general = $derived(
    this.offers.filter((offer) => this.subjects(offer).length === 0 || (this.battle.decision?.interrupt && !this.own.includes(offer))),
  );
  /** Of these, what is said with a button: whoever has a ring on the table is pointed at. */
  readonly said = $derived(this.general.filter((offer) => !(offer.handle.by === 'target' && this.rings.some((ring) => ring.offers.includes(offer)))));
  readonly numbered = $derived([...this.own, ...this.general]);

  /** Whom the one chosen can do something to; nobody chosen, whom anybody can in an interrupt. */
  readonly rings = $derived.by<Ring[]>(() => {
    const from = this.chosen ? this.own : this.battle.decision?.interrupt ? this.offers : [];
    const rings = new Map<string, OfferView[]>();
    for (const offer of from) {
      if (offer.handle.by !== 'target' || offer.handle.target === this.chosen || offer.handle.target.startsWith('%')) continue;
      rings.set(offer.handle.target, [...(rings.get(offer.handle.target) ?? []), offer]);
    }
    return [...rings].map(([token, offers]) => ({ token, offers }));
  });

  /** What is chosen beside the unit: formations and whatever else it can do on the spot. */
  readonly chips = $derived.by(() =>
    this.own
      .filter(({ handle }) => ['formation', 'none', 'units'].includes(handle.by) || (handle.by === 'target' && (handle.target === this.chosen || handle.target.startsWith('%'))))
      .flatMap((offer) =>
        offer.handle.by === 'formation' && offer.handle.into !== null
          ? [{ id: offer.key, offer, label: offer.handle.into, value: firstValue(offer.input) }]
          : offer.input.kind === 'formation'
          ? plainly(offer.input.of).map((formation) => ({ id: `${offer.key} ${formation}`, offer, label: formation, value: { formation } as Value }))
          : [{ id: offer.key, offer, label: offer.label, value: firstValue(offer.input) }],
      ),
  );

  choose(token: string | null) {
    if (token !== this.chosen) {
      this.draft.drop();
      this.intent = null;
    }
    this.chosen = token;
    this.group = token ? [token] : [];
    this.fellows = [];
    this.opened = null;
    this.stuck = null;
    this.nobody = false;
  }

  /** A unit, an officer or nothing was pointed at. */
  pick(token: string | null, more = false) {
    const { offer } = this.draft;
    if (token && offer?.input.kind === 'units' && offer.input.of.includes(token)) {
      const now = this.draft.value && this.draft.value !== 'none' && 'units' in this.draft.value ? this.draft.value.units : [];
      this.draft.set({ units: sorted(now.includes(token) ? now.filter((other) => other !== token) : [...now, token]) });
      return;
    }
    if (token && more && this.of(token).length > 0) {
      this.gather(this.group.includes(token) ? this.group.filter((other) => other !== token) : [...this.group, token]);
      return;
    }
    const ring = this.rings.find((one) => one.token === token);
    if (ring) {
      this.aim(ring);
      return;
    }
    // A second tap on what is drawn does it.
    if (token && offer && this.draft.ready && actorOf(offer, this.battle.now) === token && drawn(offer)) {
      this.confirm();
      return;
    }
    this.choose(token);
  }

  private aim(ring: Ring) {
    const [only, ...others] = ring.offers;
    const { offer } = this.draft;
    if (offer && ring.offers.includes(offer) && this.draft.ready) {
      this.confirm();
      return;
    }
    if (only && others.length === 0) {
      this.opened = null;
      this.draft.pick(only);
    } else {
      this.draft.drop();
      this.opened = ring.token;
    }
  }

  /** Chosen a second time, what is drafted is done. */
  again(offer: OfferView, value: Value | null = null) {
    const same = this.draft.offer === offer && (value === null || JSON.stringify(value) === JSON.stringify(this.draft.value));
    if (same && this.draft.ready) this.confirm();
    else this.take(offer, value);
  }

  take(offer: OfferView, value: Value | null = null) {
    this.fellows = [];
    this.draft.pick(offer, value);
    if (offer.handle.by === 'formation') void this.unconfirmed();
  }

  /** Where the one chosen may be drawn, as long as nothing else is in the hand: it is shown before he is taken hold of. */
  readonly roams = $derived.by(() => (this.draft.offer ? null : (this.own.find(({ handle, input }) => handle.by === 'point' && input.kind === 'point') ?? null)));
  /** The officer that rides as it is drafted, and where to. */
  readonly rider = $derived.by(() => {
    const { offer, value } = this.draft;
    return offer?.handle.by === 'point' && offer.handle.who.startsWith('@') && value && value !== 'none' && 'point' in value ? { officer: offer.handle.who, to: value.point } : null;
  });

  /** The orders that the one chosen can be given. */
  readonly orders = $derived(this.own.filter(isOrder));
  /** Whether the one chosen has nothing to do but to be ordered about once more. */
  readonly idle = $derived(this.own.every(isOrder));

  /** The order that leads to what is wished for: forward, or back. */
  private orderFor(token: string, at: Pt, to: Pt): OfferView | null {
    const heading = this.battle.now?.units.find(({ id }) => id === token)?.pose?.heading;
    if (heading === undefined) return null;
    const ahead = (to.x - at.x) * Math.sin((heading * Math.PI) / 18_000) + (to.y - at.y) * Math.cos((heading * Math.PI) / 18_000);
    const wish = ahead >= 0 ? 'advance' : 'retire';
    return this.orders.find((offer) => offer.leads_to === wish) ?? null;
  }

  /** Where whoever was drawn goes once he obeys, as the engine has it; nothing where it cannot say so beforehand. */
  readonly foreseen = $derived.by<Foreseen | null>(() => {
    const { intent } = this;
    const at = intent && placeOf(this.battle.now, intent.token);
    if (!intent || !at || !this.draft.offer) return null;
    const his = this.draft.preview?.leads.filter((lead) => drawn(lead) && 'unit' in lead.handle && lead.handle.unit === intent.token) ?? [];
    const reach = bestReach(his, at, intent.to);
    if (!reach) return null;
    const { offer: lead, by, value } = reach;
    const { input } = lead;
    const most = input.kind === 'distance' && value !== 'none' && 'distance' in value && value.distance === input.most ? input.most : null;
    const stop = input.kind === 'distance' ? (input.stops.find((one) => one.at <= input.most + 1) ?? null) : null;
    return { lead, to: { x: at.x + by.x, y: at.y + by.y }, short: most !== null && reach.off > SLIGHT ? { far: most, stop } : null };
  });

  /** Drawn before he was ordered: where he would go, as far as it is known. */
  readonly wish = $derived.by<Preview | null>(() => {
    const { intent, foreseen } = this;
    if (!intent) return null;
    if (!foreseen) return this.draft.offer && this.draft.preview === null ? null : shifted(this.battle.now, intent.token, intent.to, true);
    const at = placeOf(this.battle.now, intent.token);
    const there = shifted(this.battle.now, intent.token, foreseen.to);
    return there && { ...there, ghosts: there.ghosts.map((ghost) => ({ ...ghost, track: at ? [at, foreseen.to] : [] })) };
  });

  /** After an order: whoever was drawn somewhere before goes there now, if he may. */
  resume() {
    const { intent } = this;
    if (!intent || !this.battle.speaker || !this.battle.fresh) return;
    const at = placeOf(this.battle.now, intent.token);
    const reach = at && bestReach(this.of(intent.token).filter(drawn), at, intent.to);
    if (!reach) return;
    this.intent = null;
    this.going = true;
    this.chosen = intent.token;
    this.group = [intent.token];
    this.draft.pick(reach.offer, reach.value);
    this.confirm();
  }

  /** Takes back what is half done, one step at a time. */
  escape() {
    this.intent = null;
    if (this.draft.offer || this.opened || this.stuck) {
      this.draft.drop();
      this.fellows = [];
      this.opened = null;
      this.stuck = null;
    } else this.choose(null);
  }

  /** A new moment: nothing half made stays behind. */
  clear() {
    this.draft.drop();
    this.fellows = [];
    this.opened = null;
    this.stuck = null;
    this.nobody = false;
    this.grip = null;
    this.chances.clear();
  }

  // The grip on the table.

  gather(tokens: string[]) {
    const able = tokens.filter((token) => this.of(token).some(drawn));
    this.choose(able[0] ?? null);
    this.nobody = able.length === 0 && tokens.length > 0;
    if (this.nobody) return;
    this.group = able;
  }

  grab({ place, token, knob, more }: Hold): boolean {
    this.grip = null;
    if (knob) {
      const [hand, key] = [knob.slice(0, knob.indexOf(' ')), knob.slice(knob.indexOf(' ') + 1)];
      const offer = this.offers.find((one) => one.key === key);
      const actor = offer && actorOf(offer, this.battle.now);
      const at = actor && placeOf(this.battle.now, actor);
      if (!offer || !actor || !at) return false;
      const wheel = hand === 'left' || hand === 'right' ? { offer, hand: hand as Side } : null;
      this.grip = { token: actor, from: place, at, offers: [offer], wheel };
      return true;
    }
    if (!token || more || !this.battle.speaker) return false;
    const at = placeOf(this.battle.now, token);
    const unit = this.battle.now?.units.find(({ id }) => id === token) ?? this.battle.now?.officers.find(({ id }) => id === token);
    if (!at || !unit || unit.side !== this.battle.decision?.side) return false;
    this.grip = { token, from: place, at, offers: this.of(token).filter(drawn), wheel: null };
    return true;
  }

  drag(place: Pt) {
    const { grip } = this;
    if (!grip) return;
    if (!this.group.includes(grip.token)) this.choose(grip.token);
    else this.chosen = grip.token;
    if (grip.wheel) {
      const value = wheeledTo(grip.wheel.offer, grip.wheel.hand, grip.from, place);
      if (value) this.draw(grip.wheel.offer, value);
      return;
    }
    const to = { x: grip.at.x + place.x - grip.from.x, y: grip.at.y + place.y - grip.from.y };
    if (grip.offers.length === 0) {
      this.stuck = grip.token;
      this.intent = this.orders.length > 0 ? { token: grip.token, to } : null;
      const order = this.orderFor(grip.token, grip.at, to);
      if (order && this.draft.offer !== order) this.draft.pick(order);
      return;
    }
    const reach = bestReach(grip.offers, grip.at, to);
    if (!reach) return;
    this.draw(reach.offer, reach.value);
    if (this.group.length > 1) this.alike(reach.offer, reach.value);
  }

  drop(done = false) {
    const drawnNow = this.grip !== null && done;
    this.grip = null;
    if (drawnNow) void this.unconfirmed();
  }

  /** What needs no dice, and can therefore be taken back, is done at once by whoever wishes it so. */
  private async unconfirmed() {
    const { offer, value, ready } = this.draft;
    if (!ease.unconfirmed || !offer || value === null || !ready || this.fellows.length > 0) return;
    const odds = await this.battle.odds(offer.key, value);
    const same = this.draft.offer === offer && this.draft.value === value;
    if (same && typeof odds !== 'string' && odds.outcomes.length === 1 && odds.reckoning.length === 0) this.confirm();
  }

  private draw(offer: OfferView, value: Value) {
    if (this.draft.offer?.key === offer.key) this.draft.set(value);
    else this.draft.pick(offer, value);
  }

  /** The others of the group do the same, each as far as it can. */
  private alike(lead: OfferView, value: Value) {
    this.fellows = this.group
      .filter((token) => token !== this.chosen)
      .map((token) => {
        const offer = this.of(token).find((one) => one.act === lead.act && one.handle.by === lead.handle.by) ?? null;
        const before = this.fellows.find((one) => one.token === token);
        return { token, offer, value: offer && asFar(offer, value), preview: before?.preview ?? null };
      });
    void this.look();
  }

  /** The ghosts of the others, one after the other; the last values win. */
  private async look() {
    if (this.asking) return;
    this.asking = true;
    for (let seen: Fellow[] = []; seen !== this.fellows && this.fellows.length > 0; ) {
      const now: Fellow[] = this.fellows;
      seen = now;
      const previews = await Promise.all(now.map(({ offer, value }) => (offer && value ? this.battle.preview(offer.key, value) : null)));
      if (this.fellows === now) this.fellows = seen = now.map((one, i) => ({ ...one, preview: previews[i] ?? null }));
    }
    this.asking = false;
  }

  /** The chances for the rings and for the chips of what is thrown for, one after the other, as long as they are wanted. */
  async reckon() {
    const chips = this.chips.flatMap(({ offer }) => (offer.input.kind === 'none' && offer.handle.by !== 'formation' ? [offer] : []));
    const wanted = [...this.rings.flatMap(({ offers }) => offers), ...chips].slice(0, MOST_CHANCES);
    const { moment } = this.battle;
    for (const offer of wanted) {
      if (this.chances.has(offer.key)) continue;
      if (this.battle.moment !== moment || !this.offers.includes(offer)) return;
      this.chances.set(offer.key, null);
      const value = firstValue(offer.input);
      if (value === null) continue;
      const odds = await this.battle.odds(offer.key, value);
      // What is sure to come to nothing in particular, such as to turn about, has no chance to be told.
      const plain = typeof odds !== 'string' && odds.outcomes.length === 1 && odds.chance === 0;
      if (this.battle.moment === moment && typeof odds !== 'string' && !plain) this.chances.set(offer.key, odds.chance);
    }
  }
}

/** Formations without what is added to them after a comma (a facing, a place), where that leaves some. */
function plainly(formations: string[]): string[] {
  const plain = formations.filter((formation) => !formation.includes(','));
  return plain.length > 0 ? plain : formations;
}

/** The same value, as far as another can go. */
function asFar({ input }: OfferView, value: Value): Value | null {
  if (input.kind === 'distance' && value !== 'none' && 'distance' in value) {
    return { distance: Math.max(input.least, Math.min(input.most, value.distance)) };
  }
  return input.kind === 'none' ? 'none' : null;
}
