/** A battle as this browser knows it: what lies on the table, what is to be decided, what has happened. */

import { api, NotDone } from '../net/api';
import type { AidesNow } from '../protocol/AidesNow';
import type { AidesChange } from '../protocol/AidesChange';
import type { NewErrand } from '../protocol/NewErrand';
import { Broken, Line } from '../net/line';
import { whyNot } from '../friends/api';
import type { Held } from '../net/seats';
import type { Adjustable } from '../protocol/Adjustable';
import type { Addressee } from '../protocol/Addressee';
import type { BattleInfo } from '../protocol/BattleInfo';
import type { Decision } from '../protocol/Decision';
import type { LetterView } from '../protocol/LetterView';
import type { Overlay } from '../protocol/Overlay';
import type { Preview } from '../protocol/Preview';
import type { Reply } from '../protocol/Reply';
import type { Request } from '../protocol/Request';
import type { RollingNow } from '../protocol/RollingNow';
import type { SaidView } from '../protocol/SaidView';
import type { Say } from '../protocol/Say';
import type { SeatName } from '../protocol/SeatName';
import type { ServerMessage } from '../protocol/ServerMessage';
import type { Side } from '../protocol/Side';
import type { Stakes } from '../protocol/Stakes';
import type { Standing } from '../protocol/Standing';
import type { Step } from '../protocol/Step';
import type { StoryLine } from '../protocol/StoryLine';
import type { Value } from '../protocol/Value';
import type { Verdict } from '../protocol/Verdict';
import type { View } from '../protocol/View';
import { t } from '../strings';
import type { WantedThrow } from '../protocol/WantedThrow';
import type { Whole } from '../protocol/Whole';
import { deceived, linkOf } from './agreed';
import type { Odds } from './draft.svelte';
import { pace } from './pace.svelte';
import { goOn } from './story';

/** An overlay, and whose it is. */
export interface Owned {
  overlay: Overlay;
  whose: string;
}

export type Door = 'knocking' | 'open' | 'away' | 'shut' | 'parley';

type Moment = Extract<Reply, { type: 'moment' }>;

/** What came of a choice: done, or why not. */
export type Outcome =
  | { done: true }
  | { done: false; why: string; clause: string | null; dice: WantedDice | null };

/** The real dice that a choice waits for. */
export type WantedDice = Extract<Reply, { type: 'dice' }>;

/** Why something was not done, in the server's words. */
const told = (error: unknown) => (error instanceof NotDone ? error.problem.why : String(error));

export class Battle {
  door = $state<Door>('knocking');
  /** Why the door is shut. */
  why = $state('');
  info = $state.raw<BattleInfo | null>(null);
  /** What it is fought for. */
  stakes = $state.raw<Stakes | null>(null);
  /** The table now, and the table that is looked at. */
  now = $state.raw<View | null>(null);
  past = $state.raw<{ moment: number; view: View } | null>(null);
  decision = $state.raw<Decision | null>(null);
  story = $state.raw<StoryLine[]>([]);
  report = $state('');
  moment = $state(0);
  /** The choice with dice whose secrets are being revealed. */
  rolling = $state<RollingNow | null>(null);
  /** The log names another choice than the one that this browser revealed its secrets for. */
  deceived = $state(false);
  private revealedFor: string | null = null;
  /** The real dice that a person has to throw for a computer player. */
  throwing = $state.raw<WantedThrow | null>(null);
  /** What the aides of our sides are about. */
  aides = $state.raw<AidesNow[]>([]);
  verdict = $state.raw<Verdict | null>(null);
  /** Letters that this seat may read, the players of its side where there are several, and which of them sits here (all, where none is named). */
  letters = $state.raw<LetterView[]>([]);
  players = $state.raw<string[]>([]);
  player = $state<string | null>(null);
  /** What the players settled between them, and what one asks of the other now. */
  said = $state.raw<SaidView[]>([]);
  asked = $state.raw<SaidView | null>(null);
  /** Hears what happens beside the battle. */
  beside: ((message: ServerMessage) => void) | null = null;
  /** The lines of the log that all of the above is of. */
  lines = $state(0);
  private line: Line | null = null;
  /** What others did and is not shown yet. */
  coming = $state.raw<Moment[]>([]);
  private following = false;
  private looking = false;
  private lookAgain = false;
  /** The earlier moment that is wished for, and whether one is being fetched. */
  private wish: number | null = null;
  private turning = false;

  constructor(
    readonly id: string,
    readonly held: Held,
  ) {
    void this.knock();
  }

  readonly view = $derived(this.past?.view ?? this.now);
  readonly shown = $derived(this.past?.moment ?? this.moment);
  readonly seats = $derived<SeatName[]>(this.info?.seats ?? []);
  /** The names that this browser may go by: those of its links, or any of its side where it has the link of the whole. */
  readonly names = $derived(this.info?.named.length ? this.info.named.map(({ name }) => name) : this.players);
  /** Whether the decision is that of the moment, and not still that of the one before. */
  readonly fresh = $derived(this.decision?.moment === this.moment);
  /** The seat that may decide now, if one of ours may. */
  readonly speaker = $derived.by<SeatName | null>(() => {
    const side = this.decision?.side;
    if (!side || this.past) return null;
    if (this.seats.includes(side) && this.playerOf(side) === 'person') return side;
    return this.seats.includes('umpire') ? 'umpire' : null;
  });

  private hearAides(aides: AidesNow) {
    this.aides = [...this.aides.filter(({ side }) => side !== aides.side), aides];
  }

  /** The aides of a side of ours. */
  aidesOf(side: Side): AidesNow | null {
    return this.aides.find((aides) => aides.side === side) ?? null;
  }

  /** Whether aides of ours think about what to do now. */
  readonly aidesWork = $derived(this.aides.some(({ side, working, errands }) => working && errands.length > 0 && this.decision?.side === side && !this.past));

  /** What a command could be told to do where an arrow ends, or why nothing. */
  async tasksOpen(arrow: NewErrand): Promise<string[] | string> {
    return api.tasksOpen(this.id, arrow, this.held.using).then(({ tasks }) => tasks, told);
  }

  /** Hands a command to an aide; why not, where it is not done. */
  async handOver(arrow: NewErrand): Promise<string | null> {
    return api.handOver(this.id, arrow, this.held.using).then((aides) => (this.hearAides(aides), null), told);
  }

  /** Takes commands back, or lets aides go on that wait. */
  async wishOfAides(side: Side, wish: AidesChange): Promise<string | null> {
    return api.wishOfAides(this.id, { side, wish }, this.held.using).then((aides) => (this.hearAides(aides), null), told);
  }

  /** The side of ours that is spoken for: the one that decides, or else the first that a person plays from here. */
  readonly own = $derived.by<Side | null>(() => {
    const ours = (['A', 'B'] as const).filter((side) => this.seats.includes(side) && this.playerOf(side) === 'person');
    return ours.find((side) => this.speaker === side) ?? ours[0] ?? null;
  });

  /** Who plays a side: a person, or a computer player by name. */
  playerOf(side: Side): string {
    const players = this.info?.players;
    return (side === 'A' ? players?.a : players?.b) ?? 'person';
  }

  /** First over HTTP, where a closed door says why. */
  private async knock() {
    try {
      this.info = await api.battle(this.id, this.held.using);
    } catch (error) {
      // The dice have to be agreed on before there is a battle.
      this.door = error instanceof NotDone && error.status === 409 ? 'parley' : 'shut';
      this.why = whyNot(error, t.friends.noNetwork);
      return;
    }
    // A log from before may say nothing of it: then there is the score.
    void api.stakes(this.id, this.held.using).then((stakes) => (this.stakes = stakes), () => undefined);
    this.line = new Line(this.id, this.held.using, {
      hello: (info) => this.hello(info),
      news: (lines, reply) => this.news(lines, reply),
      reveal: (rolling) => void this.reveal(rolling),
      wanted: (wanted) => (this.throwing = wanted),
      aides: (aides) => this.hearAides(aides),
      players: (players) => {
        if (this.info) this.info = { ...this.info, players };
      },
      open: (open) => (this.door = open ? 'open' : 'away'),
      beside: (message) => this.beside?.(message),
    });
  }

  /** The sides have agreed on their dice: the battle is there. */
  begun() {
    this.door = 'knocking';
    void this.knock();
  }

  /** A choice waits for its dice: this browser reveals what it committed to. */
  private async reveal(rolling: RollingNow) {
    this.rolling = rolling;
    const { n, choice } = rolling;
    for (const side of ['A', 'B'] as const) {
      const link = this.seats.includes(side) ? linkOf(this.id, side, n) : null;
      if (!link) continue;
      this.revealedFor = choice;
      await api.reveal(this.id, { side, link, choice }, this.held.using).catch(() => undefined);
    }
  }

  private hello(info: BattleInfo) {
    this.info = info;
    // Whoever came by a link of his own is who it says.
    const [first] = info.named;
    if (first && !info.named.some(({ name }) => name === this.player)) this.player = first.name;
    this.rolling = info.rolling;
    this.throwing = info.throwing;
    this.aides = info.aides;
    if (info.rolling !== null) void this.reveal(info.rolling);
    if (info.now.lines === this.lines) return;
    this.lines = info.now.lines;
    this.moment = info.now.moment;
    this.verdict = info.now.verdict;
    void this.lookAtAll();
  }

  private async lookAtAll() {
    const reply = await this.ask({ type: 'story', from: 0 });
    if (reply?.type === 'story') this.story = reply.lines;
    await Promise.all([this.look(), this.readLetters()]);
  }

  private async readLetters() {
    const reply = await this.ask({ type: 'letters' });
    if (reply?.type !== 'letters') return;
    this.letters = reply.letters;
    this.players = reply.players;
    this.said = reply.said ?? [];
    this.asked = reply.asked ?? null;
  }

  /** News comes twice to whoever made it, and may have a gap after a broken line. What others did is shown at a pace one can follow. */
  private news(lines: number, reply: Reply, ours = false) {
    if (reply.type !== 'moment' || lines <= this.lines) return;
    const gap = lines - this.lines !== reply.log.length;
    if (this.revealedFor !== null && deceived(reply.log, this.revealedFor)) this.deceived = true;
    this.revealedFor = null;
    this.lines = lines;
    this.rolling = null;
    if (ours || gap || pace.wait === 0 || this.now === null) {
      this.skip();
      this.happen(reply);
      if (gap) void this.lookAtAll();
      else if (reply.whole) this.see(reply.whole);
      else void this.look();
    } else {
      this.coming = [...this.coming, reply];
      void this.follow();
    }
  }

  /** Takes a moment into the story. */
  private happen(reply: Moment) {
    this.moment = reply.moment;
    this.verdict = reply.verdict;
    if (this.past && this.past.moment > reply.moment) this.past = null;
    this.story = goOn(this.story, reply.moment, reply.story);
    if (reply.letters) this.letters = [...this.letters, ...reply.letters];
    if (reply.said) this.said = [...this.said, ...reply.said];
    this.asked = reply.asked ?? null;
  }

  /** Shows what is coming, one moment after the other. */
  private async follow() {
    if (this.following) return;
    this.following = true;
    for (let next = this.coming[0]; next; next = this.coming[0]) {
      this.coming = this.coming.slice(1);
      this.happen(next);
      if (this.coming.length > 0) {
        const view = await this.viewAt(next.moment);
        if (view && this.moment === next.moment) this.now = view;
      } else await this.look();
      await new Promise((done) => setTimeout(done, pace.wait));
    }
    this.following = false;
  }

  /** Shows all that is coming at once. */
  skip() {
    if (this.coming.length === 0) return;
    for (const one of this.coming) this.happen(one);
    this.coming = [];
    void this.look();
  }

  /** Looks at the table and the decision as they are now; once more if they changed meanwhile. */
  private async look() {
    this.lookAgain = true;
    if (this.looking) return;
    this.looking = true;
    while (this.lookAgain) {
      this.lookAgain = false;
      const [view, decision, report] = await Promise.all([
        this.ask({ type: 'view', moment: null }),
        this.ask({ type: 'decision', closed: true }),
        this.ask({ type: 'report' }),
      ]);
      if (view?.type === 'view' && decision?.type === 'decision' && report?.type === 'text') {
        this.see({ view: view.view, decision, report: report.text });
      }
    }
    this.looking = false;
  }

  /** All that is to be seen and decided now. */
  private see({ view, decision, report }: Whole) {
    this.now = view;
    this.decision = decision;
    this.report = report;
    if (this.speaker && decision.closed.length === 0) void this.explain(decision);
    if (this.info?.instructions.some((list) => list.length > 0)) void this.askInstructions();
  }

  /** Instructions end with their time, or when what they wait for happens: whether they still stand is asked after each moment. */
  private async askInstructions() {
    const { moment } = this;
    const now = await api.battle(this.id, this.held.using).catch(() => null);
    if (now && this.info && moment === this.moment) this.info = { ...this.info, instructions: now.instructions };
  }

  /** What is closed, and why, is asked for when there is time: a choice does not wait for it. */
  private async explain(decision: Decision) {
    const reply = await this.ask({ type: 'decision', closed: true });
    if (reply?.type === 'decision' && this.decision === decision && reply.moment === decision.moment) this.decision = { ...decision, closed: reply.closed };
  }

  /** Asks the battle; nothing when the line is broken. */
  private async ask(request: Request, speaker: SeatName | null = null): Promise<Reply | null> {
    try {
      const answer = await this.line?.ask(request, speaker ?? this.seats[0] ?? null);
      return answer?.reply ?? null;
    } catch (error) {
      if (error instanceof Broken) return null;
      throw error;
    }
  }

  /** Does something that changes the battle. */
  private async act(request: Request, speaker: SeatName | null): Promise<Outcome> {
    const not = (why: string, clause: string | null = null): Outcome => ({ done: false, why, clause, dice: null });
    let answer: { lines: number; reply: Reply } | undefined;
    try {
      answer = await this.line?.ask(request, speaker);
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
    }
    if (!answer) return not('');
    const { lines, reply } = answer;
    switch (reply.type) {
      case 'moment': {
        this.past = null;
        this.news(lines, reply, true);
        const stopped = reply.series?.stopped;
        return stopped ? not(stopped.sentence, stopped.clause) : { done: true };
      }
      case 'refused':
        return not(reply.sentence, reply.clause);
      case 'declined':
        return not(reply.why);
      case 'dice':
        // The choice is written down; its dice come from both sides, and then the news.
        if (this.info?.dice === 'agreed') return { done: true };
        return { done: false, why: '', clause: null, dice: reply };
      default:
        return not(reply.type);
    }
  }

  choose(offer: string, value: Value, dice: number[] = [], despite = false): Promise<Outcome> {
    const moment = this.decision?.moment ?? null;
    return this.act({ type: 'choose', offer, value, moment, dice, reveals: {}, despite, whole: true, ...this.named }, this.speaker);
  }

  /** The umpire decides for anybody; a player who has named himself only for his own commands. */
  private get named(): { player?: string } {
    return this.player !== null && this.speaker !== 'umpire' ? { player: this.player } : {};
  }

  /** Several choices one after the other, until one is refused, answered or thrown for. */
  series(choices: Step[]): Promise<Outcome> {
    const moment = this.decision?.moment ?? null;
    return this.act({ type: 'series', choices, moment, dice: [], reveals: {}, whole: true, ...this.named }, this.speaker);
  }

  write(to: Addressee, text: string): Promise<Outcome> {
    const seat = this.seats.find((one) => one === 'A' || one === 'B') ?? this.seats[0] ?? null;
    const from = seat === 'umpire' ? null : this.player;
    return this.act({ type: 'write', from, to, text }, seat);
  }

  /** Gives up, asks the other side for something, or answers. */
  settle(say: Say, side: Side): Promise<Outcome> {
    return this.act({ type: 'say', say }, side);
  }

  undo(): Promise<Outcome> {
    const last = this.story.at(-1)?.side;
    const umpire = this.seats.includes('umpire') ? 'umpire' : null;
    const seat = last && this.seats.includes(last) ? last : umpire;
    const player = this.player !== null && seat !== 'umpire' ? { player: this.player } : {};
    return this.act({ type: 'undo', ...player }, seat);
  }

  adjust(path: string, to: unknown, why: string | null): Promise<Outcome> {
    const umpire = this.seats.includes('umpire') ? 'umpire' : (this.seats[0] ?? null);
    return this.act({ type: 'adjust', path, to, why }, umpire);
  }

  /** What may be set by hand on something, or on where the battle stands. */
  async adjustable(of: string | null): Promise<Adjustable[]> {
    const umpire = this.seats.includes('umpire') ? 'umpire' : (this.seats[0] ?? null);
    const reply = await this.ask({ type: 'adjustable', of }, umpire);
    return reply?.type === 'adjustable' ? reply.fields : [];
  }

  /** Whether this browser may set things by hand. */
  readonly mayAdjust = $derived(this.seats.includes('umpire') || (this.info?.now.enforcement === 'sandbox' && this.seats.some((seat) => seat !== 'spectator')));

  /** The standing instructions of a side. */
  instructionsOf(side: Side): Standing[] {
    return this.info?.instructions[side === 'A' ? 0 : 1] ?? [];
  }

  async instruct(side: Side, list: Standing[]): Promise<Outcome> {
    const outcome = await this.act({ type: 'instruct', side, instructions: list }, side);
    if (outcome.done && this.info) {
      const [a, b] = this.info.instructions;
      this.info = { ...this.info, instructions: side === 'A' ? [list, b] : [a, list] };
    }
    return outcome;
  }

  async odds(offer: string, value: Value): Promise<Odds | string> {
    const reply = await this.ask({ type: 'odds', offer, value });
    if (reply?.type === 'odds') return reply;
    if (reply?.type === 'declined') return reply.why;
    return reply?.type === 'refused' ? reply.sentence : '';
  }

  async preview(offer: string, value: Value): Promise<Preview | null> {
    const reply = await this.ask({ type: 'preview', offer, value });
    return reply?.type === 'preview' ? reply : null;
  }

  /** What is drawn over the table for somebody, or for everybody; with whose each of it is. */
  async overlays(of: string | null): Promise<Owned[]> {
    const reply = await this.ask({ type: 'overlays', of });
    if (reply?.type !== 'overlays') return [];
    return reply.overlays.map((overlay, i) => ({ overlay, whose: reply.whose[i] ?? '' }));
  }

  /** A person has thrown for the computer player. */
  async throwFor(faces: number[]): Promise<Outcome> {
    try {
      await api.throw(this.id, faces, this.held.using);
      return { done: true };
    } catch (error) {
      return { done: false, why: error instanceof NotDone ? error.problem.why : '', clause: null, dice: null };
    }
  }

  async viewAt(moment: number): Promise<View | null> {
    const reply = await this.ask({ type: 'view', moment });
    return reply?.type === 'view' ? reply.view : null;
  }

  async save(): Promise<string> {
    const reply = await this.ask({ type: 'save' });
    return reply?.type === 'text' ? reply.text : '';
  }

  /** Looks at an earlier moment; the last one is now. While one is fetched, only the last wish counts. */
  async lookAt(moment: number) {
    this.wish = Math.max(1, moment);
    if (this.turning) return;
    this.turning = true;
    while (this.wish !== null) {
      const wish = this.wish;
      this.wish = null;
      if (wish >= this.moment) {
        this.past = null;
        continue;
      }
      const view = await this.viewAt(wish);
      if (view) this.past = { moment: wish, view };
    }
    this.turning = false;
  }

  close() {
    this.line?.close();
  }
}
