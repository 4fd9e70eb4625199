/** An army list on the bench: its text, what is wrong with it, and the battle that each book makes of it. */

import type { Json } from '../companion/form';
import { api, NotDone } from '../net/api';
import type { ArmyPiece } from '../protocol/ArmyPiece';
import type { Edit } from '../protocol/Edit';
import type { UnderBook } from '../protocol/UnderBook';
import { t } from '../strings';
import { word, type Finding } from './document';
import { keep } from './drafts';
import { fileName } from './save';

/** What stands for the book in a draft that belongs to none. */
export const LIST = 'army';
const STEPS = 200;
const PAUSE = 500;

/** Whether a text is an army list: it has a field and no book. */
export const isArmyList = (text: string): boolean => !/^\s*ruleset\s*=/m.test(text) && /^\s*(\[field\]|field\s*=)/m.test(text);

export class ArmyWork {
  text = $state('');
  document = $state.raw<Json | null>(null);
  findings = $state.raw<Finding[]>([]);
  books = $state.raw<UnderBook[]>([]);
  /** The book whose table is shown. */
  book = $state('');
  busy = $state(false);
  message = $state('');
  private past = $state.raw<string[]>([]);
  private future = $state.raw<string[]>([]);
  private waiting: Promise<void> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;

  title = $derived(word((this.document ?? {}) as Record<string, Json>, 'title'));
  under = $derived(this.books.find(({ book }) => book === this.book) ?? null);
  canUndo = $derived(this.past.length > 0);
  canRedo = $derived(this.future.length > 0);

  constructor(private readonly id: string) {}

  open(text: string, book: string): Promise<void> {
    [this.past, this.future, this.book] = [[], [], book];
    return this.next(text, []);
  }

  /** Shows the table of another book. */
  turnTo(book: string): Promise<void> {
    this.book = book;
    return this.next(null, []);
  }

  edit(edits: Edit[]): Promise<void> {
    return this.next(null, edits, true);
  }

  /** The text itself was changed by hand. */
  typed(text: string) {
    const before = this.text;
    this.text = text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.remember(before);
      void this.next(null, []);
    }, PAUSE);
  }

  private remember(before: string) {
    if (before === this.text) return;
    this.past = [...this.past, before].slice(-STEPS);
    this.future = [];
  }

  async undo() {
    const before = this.past.at(-1);
    if (before === undefined) return;
    [this.past, this.future] = [this.past.slice(0, -1), [...this.future, this.text]];
    await this.next(before, []);
  }

  async redo() {
    const after = this.future.at(-1);
    if (after === undefined) return;
    [this.past, this.future] = [[...this.past, this.text], this.future.slice(0, -1)];
    await this.next(after, []);
  }

  /** One look after the other: each at the text that the one before has left. */
  private next(text: string | null, edits: Edit[], step = false): Promise<void> {
    this.waiting = this.waiting.then(async () => {
      const before = this.text;
      const piece = await this.look(text ?? this.text, edits);
      if (piece && step) this.remember(before);
    });
    return this.waiting;
  }

  private async look(text: string, edits: Edit[]): Promise<ArmyPiece | null> {
    [this.busy, this.message] = [true, ''];
    try {
      const piece = await api.lookAtArmy({ text, edits, name: fileName(this.title || t.workshop.untitled), book: this.book || null });
      this.text = piece.text;
      this.findings = piece.diagnostics;
      if (piece.document) this.document = piece.document as Json;
      // While the list cannot be read, what the books last made of it stays.
      if (piece.books.length > 0) this.books = piece.books;
      if (!keep({ id: this.id, title: this.title, ruleset: LIST, text: this.text, changed: Date.now() })) this.message = t.workshop.noRoom;
      return piece;
    } catch (error) {
      this.message = error instanceof NotDone ? error.problem.why : t.failed;
      return null;
    } finally {
      this.busy = false;
    }
  }
}
