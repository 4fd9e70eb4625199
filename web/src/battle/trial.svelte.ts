/** An exercise on the table: the first choice is judged, and what a good player would have done is told with its odds. */

import { api } from '../net/api';
import type { Trying } from '../net/seats';
import { keepTried } from '../net/tried';
import type { AnswerView } from '../protocol/AnswerView';
import type { Judged } from '../protocol/Judged';
import type { Value } from '../protocol/Value';
import type { Battle } from './battle.svelte';
import { firstValue } from './value';

/** An answer with its chance, where it has one. */
export interface Answered extends AnswerView {
  chance: number | null;
}

export interface Verdict {
  judged: Judged;
  label: string;
  /** The chance of what was chosen. */
  chance: number | null;
  answers: Answered[];
}

export class Trial {
  verdict = $state.raw<Verdict | null>(null);
  judging = $state(false);

  constructor(
    private readonly battle: Battle,
    readonly trying: Trying,
  ) {}

  /** Judges what is about to be chosen, as long as nothing has been. */
  async judge(offer: string, value: Value) {
    if (this.verdict || this.judging) return;
    this.judging = true;
    const label = this.battle.decision?.offers.find(({ key }) => key === offer)?.label ?? offer;
    try {
      const judged = await api.judge({ name: this.trying.name, offer, value });
      const [chance, ...chances] = await Promise.all([this.chance(offer, value), ...judged.answers.map((one) => this.chance(one.offer, one.value))]);
      const answers = judged.answers.map((one, i) => ({ ...one, chance: chances[i] ?? null }));
      this.verdict = { judged, label, chance: chance ?? null, answers };
      keepTried(this.trying.name, judged.well);
    } catch {
      // The choice is made all the same; it is only not judged.
    }
    this.judging = false;
  }

  private async chance(key: string, value: Value | null): Promise<number | null> {
    const offer = this.battle.decision?.offers.find((one) => one.key === key);
    const wanted = value ?? (offer ? firstValue(offer.input) : null);
    if (!offer || wanted === null) return null;
    const odds = await this.battle.odds(key, wanted);
    return typeof odds !== 'string' && odds.outcomes.length > 1 ? odds.chance : null;
  }
}
