/** A scenario on the bench: its text, what the server says of it, what was done and can be undone. */

import type { Json } from '../companion/form';
import { api, NotDone } from '../net/api';
import type { BookTools } from '../protocol/BookTools';
import type { Edit } from '../protocol/Edit';
import type { UnitView } from '../protocol/UnitView';
import type { View } from '../protocol/View';
import { t } from '../strings';
import { composed } from './compose';
import { itemOf, listAt, word, type Finding } from './document';
import { keep } from './drafts';

/** So many steps can be taken back. */
const STEPS = 200;
/** Text that is typed is looked at after such a pause. */
const PAUSE = 350;

export interface Chosen {
  list: string;
  n: number;
}

export class Bench {
  text = $state('');
  document = $state.raw<Json | null>(null);
  findings = $state.raw<Finding[]>([]);
  worth = $state.raw<[number, number]>([0, 0]);
  tools = $state.raw<BookTools | null>(null);
  /** For each piece of ground in the view its place in the file. */
  ground = $state.raw<number[]>([]);
  /** What is being worked on; the last of several is shown in the form. */
  chosen = $state.raw<Chosen[]>([]);
  busy = $state(false);
  message = $state('');
  private laid = $state.raw<View | null>(null);
  private past = $state.raw<string[]>([]);
  private future = $state.raw<string[]>([]);
  private readonly seen = new Map<string, UnitView>();
  private readonly id: string;
  private waiting: Promise<void> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;

  ruleset = $derived(word((this.document ?? {}) as Record<string, Json>, 'ruleset'));
  title = $derived(word((this.document ?? {}) as Record<string, Json>, 'title'));
  view = $derived(this.laid && this.tools ? composed(this.laid, this.document, this.tools.bench.rosters, this.seen) : this.laid);
  errors = $derived(this.findings.filter(({ severity }) => severity === 'error').length);
  canUndo = $derived(this.past.length > 0);
  canRedo = $derived(this.future.length > 0);

  constructor(id: string) {
    this.id = id;
  }

  /** Opens a text anew; there is nothing to undo then. */
  async open(text: string) {
    [this.past, this.future, this.chosen] = [[], [], []];
    await this.look(text, []);
  }

  /** Makes some edits as one step. */
  edit(edits: Edit[]): Promise<void> {
    if (edits.length === 0) return this.waiting;
    // One after the other: each is made in the text that the one before has left.
    this.waiting = this.waiting.then(async () => {
      const before = this.text;
      if (await this.look(before, edits)) this.done(before);
    });
    return this.waiting;
  }

  /** The text itself was changed by hand. */
  typed(text: string) {
    const before = this.text;
    this.text = text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.waiting = this.waiting.then(async () => {
        if (await this.look(text, [])) this.done(before);
      });
    }, PAUSE);
  }

  private done(before: string) {
    if (before === this.text) return;
    this.past = [...this.past, before].slice(-STEPS);
    this.future = [];
  }

  async undo() {
    const before = this.past.at(-1);
    if (before === undefined) return;
    [this.past, this.future] = [this.past.slice(0, -1), [...this.future, this.text]];
    await this.look(before, []);
  }

  async redo() {
    const next = this.future.at(-1);
    if (next === undefined) return;
    [this.past, this.future] = [[...this.past, this.text], this.future.slice(0, -1)];
    await this.look(next, []);
  }

  private async look(text: string, edits: Edit[]): Promise<boolean> {
    this.busy = true;
    this.message = '';
    try {
      const piece = await api.work({ text, edits });
      const book = word((piece.document ?? {}) as Record<string, Json>, 'ruleset');
      if (book && book !== this.ruleset) this.tools = await api.tools(book).catch(() => null);
      this.text = piece.text;
      this.findings = piece.diagnostics;
      if (piece.document) this.document = piece.document as Json;
      if (piece.view) {
        for (const unit of piece.view.units) if (unit.pose) this.seen.set(unit.key, unit);
        [this.laid, this.ground, this.worth] = [piece.view, piece.ground, piece.worth];
      }
      this.chosen = this.chosen.filter(({ list, n }) => n < listAt(this.document, list).length);
      const kept = keep({ id: this.id, title: this.title, ruleset: this.ruleset, text: this.text, changed: Date.now() });
      if (!kept) this.message = t.workshop.noRoom;
      return true;
    } catch (error) {
      this.message = error instanceof NotDone ? error.problem.why : t.failed;
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** The item of the file that a unit or officer on the map is. */
  itemOfToken(token: string): Chosen | null {
    const rosters = this.tools?.bench.rosters;
    if (!rosters) return null;
    const unit = this.view?.units.find(({ id }) => id === token);
    const officer = this.view?.officers.find(({ id }) => id === token);
    const [list, key] = unit ? [rosters.units, unit.key] : [rosters.officers, officer?.key];
    const n = listAt(this.document, list).findIndex(({ id }) => id === key);
    return key === undefined || n < 0 ? null : { list, n };
  }

  /** The unit or officer on the map that an item of the file is. */
  tokenOfItem({ list, n }: Chosen): string | null {
    const rosters = this.tools?.bench.rosters;
    const key = word(listAt(this.document, list)[n], 'id');
    if (list === rosters?.units) return this.view?.units.find((unit) => unit.key === key)?.id ?? null;
    if (list === rosters?.officers) return this.view?.officers.find((officer) => officer.key === key)?.id ?? null;
    return null;
  }

  /** What is wrong with an item. */
  findingsOf({ list, n }: Chosen): Finding[] {
    return this.findings.filter(({ path }) => {
      const item = itemOf(path);
      return item?.list === list && item.n === n;
    });
  }

  isChosen = (list: string, n: number): boolean => this.chosen.some((one) => one.list === list && one.n === n);

  choose(item: Chosen | null, more = false) {
    if (!item) this.chosen = [];
    else if (!more) this.chosen = [item];
    else if (this.isChosen(item.list, item.n)) this.chosen = this.chosen.filter((one) => one.list !== item.list || one.n !== item.n);
    else this.chosen = [...this.chosen, item];
  }
}
