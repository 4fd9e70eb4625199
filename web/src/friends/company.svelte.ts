/** The company at a battle, as this browser knows it: who is there, the clock, what was said, what one wants to be told. */

import type { Battle } from '../battle/battle.svelte';
import type { Beside } from '../protocol/Beside';
import type { CompanyNow } from '../protocol/CompanyNow';
import type { NoticesNow } from '../protocol/NoticesNow';
import type { Say } from '../protocol/Say';
import type { ServerMessage } from '../protocol/ServerMessage';
import type { Side } from '../protocol/Side';
import type { Wish } from '../protocol/Wish';
import type { Word } from '../protocol/Word';
import { t } from '../strings';
import { friendsApi, whyNot } from './api';
import { keepInvitation, ownName } from './keep';
import { ring } from './sound';

/** So often the server is told that somebody looks. */
const LOOK_EVERY = 45_000;

export class Company {
  now = $state.raw<CompanyNow | null>(null);
  words = $state.raw<Word[]>([]);
  notices = $state.raw<NoticesNow | null>(null);
  why = $state('');
  /** How many words came while the panel was folded. */
  unread = $state(0);
  /** The time here, so that clocks go. */
  tick = $state(Date.now());
  /** By how much the server's clock is ahead of this one. */
  private ahead = 0;
  private open = false;
  private turn: Side | null = null;
  private readonly timers: ReturnType<typeof setInterval>[] = [];

  constructor(
    readonly battle: Battle,
    readonly side: Side,
  ) {
    battle.beside = (message) => this.hear(message);
    void this.look(ownName() || undefined);
    this.timers.push(setInterval(() => document.visibilityState === 'visible' && void this.look(), LOOK_EVERY));
    this.timers.push(setInterval(() => (this.tick = Date.now()), 1_000));
    document.addEventListener('visibilitychange', this.turned);
    addEventListener('pagehide', this.leave);
  }

  /** The server's time. */
  get time(): number {
    return this.tick + this.ahead;
  }

  /** What a side has left on the clock. */
  left(side: Side): number {
    const { clock, now } = this.now ?? {};
    if (!clock || now === undefined) return 0;
    const spent = clock.running === side && !clock.paused ? Math.max(0, this.time - now) : 0;
    return clock.left[side === 'A' ? 0 : 1] - spent;
  }

  private readonly turned = () => (document.visibilityState === 'visible' ? void this.look() : this.leave());

  /** A look that is still on its way when the page is left must not undo that: each message is numbered. */
  private readonly page = crypto.getRandomValues(new Uint32Array(2)).join('-');
  private sent = 0;

  private readonly leave = () => {
    const left = { name: null, away: true, page: this.page, n: ++this.sent };
    void friendsApi.here(this.battle.id, left, this.battle.held.using, { keepalive: true }).catch(() => undefined);
  };

  /** Tells the server that somebody looks, and hears what there is. */
  async look(name?: string) {
    try {
      const look = { name: name ?? null, away: false, page: this.page, n: ++this.sent };
      this.take(await friendsApi.here(this.battle.id, look, this.battle.held.using));
      this.why = '';
    } catch (error) {
      this.why = whyNot(error, '');
    }
  }

  private take(beside: Beside) {
    this.meet(beside.company);
    this.words = beside.words;
    this.notices = beside.notices;
  }

  private meet(company: CompanyNow) {
    this.now = company;
    this.ahead = company.now - Date.now();
    this.tick = Date.now();
    if (!company.waiting) keepInvitation(this.battle.id, null);
    // A bell when it comes to us and nobody looks.
    if (company.deciding === this.side && this.turn !== null && this.turn !== this.side) ring('turn');
    this.turn = company.deciding;
  }

  private hear(message: ServerMessage) {
    if (message.type === 'company') this.meet(message.company);
    if (message.type !== 'word' || this.words.some(({ n }) => n === message.word.n)) return;
    this.words = [...this.words, message.word].slice(-200);
    if (message.word.seat === this.side) return;
    if (!this.open) this.unread += 1;
    ring('word');
  }

  /** Whether the panel lies open. */
  show(open: boolean) {
    this.open = open;
    if (open) this.unread = 0;
  }

  async talk(text: string): Promise<boolean> {
    return this.done(friendsApi.say(this.battle.id, { seat: this.side, text }, this.battle.held.using));
  }

  pause(pause: boolean): Promise<boolean> {
    return this.done(friendsApi.pause(this.battle.id, { side: this.side, pause }, this.battle.held.using));
  }

  async wish(wish: Wish): Promise<boolean> {
    return this.done(friendsApi.wish(this.battle.id, wish, this.battle.held.using).then((now) => void (this.notices = now)));
  }

  /** Gives up, asks the other side for something, or answers. */
  async say(say: Say) {
    const outcome = await this.battle.settle(say, this.side);
    this.why = outcome.done ? '' : outcome.why || t.failed;
  }

  private async done(doing: Promise<void>): Promise<boolean> {
    try {
      await doing;
      this.why = '';
      return true;
    } catch (error) {
      this.why = whyNot(error, t.failed);
      return false;
    }
  }

  close() {
    this.battle.beside = null;
    for (const timer of this.timers) clearInterval(timer);
    document.removeEventListener('visibilitychange', this.turned);
    removeEventListener('pagehide', this.leave);
    this.leave();
  }
}
