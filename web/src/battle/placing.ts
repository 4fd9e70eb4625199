/** The umpire's hand: whatever is drawn over the table is put down there, whatever the rules say. */

import type { Grip, Hold } from '../map/grip';
import type { Pt } from '../map/geometry';
import type { Preview } from '../protocol/Preview';
import type { View } from '../protocol/View';
import type { Battle, Outcome } from './battle.svelte';
import { placeOf } from './handle';
import { inUnits } from './measure';

/** A unit as it would stand elsewhere, facing as it does; or only as far ahead or back as that lies. */
export function shifted(view: View | null, token: string, to: Pt, straight = false): Preview | null {
  const unit = view?.units.find(({ id }) => id === token);
  if (!unit?.pose) return null;
  const { at, heading } = unit.pose;
  const [east, north] = [Math.sin((heading * Math.PI) / 18_000), Math.cos((heading * Math.PI) / 18_000)];
  const ahead = (to.x - at.x) * east + (to.y - at.y) * north;
  const by = straight ? { x: ahead * east, y: ahead * north } : { x: to.x - at.x, y: to.y - at.y };
  const there = { x: at.x + by.x, y: at.y + by.y };
  const stands = unit.stands.map((stand) => stand.map(({ x, y }) => ({ x: x + by.x, y: y + by.y })));
  return { ghosts: [{ unit: unit.id, pose: { ...unit.pose, at: there }, stands, track: straight ? [at, there] : [] }], stops: [], measure: null, costs: [], invites: [], leads: [] };
}

export class Placing implements Grip {
  private held: { token: string; by: Pt; to: Pt | null } | null = null;

  constructor(
    private readonly battle: Battle,
    /** Why it is done, as the umpire wrote it. */
    private readonly why: () => string | null,
    /** Somebody is taken hold of. */
    private readonly choose: (token: string) => void,
    /** Where he would stand; nothing once he is put down. */
    private readonly show: (token: string, to: Pt | null) => void,
    private readonly done: (outcome: Outcome) => void,
  ) {}

  grab({ place, token }: Hold): boolean {
    const at = token && placeOf(this.battle.now, token);
    if (!token || !at) return false;
    this.held = { token, by: { x: at.x - place.x, y: at.y - place.y }, to: null };
    return true;
  }

  drag(place: Pt) {
    if (!this.held) return;
    const { token, by } = this.held;
    this.held.to = { x: place.x + by.x, y: place.y + by.y };
    this.choose(token);
    this.show(token, this.held.to);
  }

  drop(done: boolean) {
    const { held } = this;
    this.held = null;
    if (!held) return;
    this.show(held.token, null);
    if (done && held.to) void this.put(held.token, held.to);
  }

  private async put(token: string, to: Pt) {
    const measure = this.battle.now?.setting.measure;
    const field = (await this.battle.adjustable(token)).find(({ kind }) => kind === 'place');
    if (!field || !measure) return;
    this.done(await this.battle.adjust(field.path, [to.x, to.y].map((one) => Math.round(inUnits(one, measure) * 100) / 100), this.why()));
  }

  gather() {
    // One at a time.
  }
}
