/** The hand over the map of the workshop: it takes hold of units, draws ground, sets places. */

import { inUnits } from '../battle/measure';
import type { Json } from '../companion/form';
import type { Pt } from '../map/geometry';
import type { Grip, Hold } from '../map/grip';
import type { Edit } from '../protocol/Edit';
import type { GroundWord } from '../protocol/GroundWord';
import type { PlaceWord } from '../protocol/PlaceWord';
import { t } from '../strings';
import type { Bench, Chosen } from './bench.svelte';
import { add, freshId, idsOf, listAt, pointOf, pointsOf, set, valueAt, word, type Table } from './document';
import { itemSchema } from './schema';
import { fromLine, inside, rectangle, round, simplified, snapped, tidy, type Spot } from './shapes';
import { shifted, shiftedGround } from './troops';
import type { Schema } from '../companion/form';

export type Tool = { kind: 'select' } | { kind: 'ground'; word: GroundWord } | { kind: 'place'; word: PlaceWord };
export type Way = 'pen' | 'points' | 'box' | 'round';

type Held = { what: 'items'; from: Spot; items: Chosen[] } | { what: 'corner'; path: string; n: number } | { what: 'ground'; from: Spot; n: number } | { what: 'shape' };

export class Hand implements Grip {
  tool = $state.raw<Tool>({ kind: 'select' });
  way = $state<Way>('pen');
  traits = $state.raw<string[]>([]);
  snap = $state(true);
  /** For an objective its side; for a part of a command, which. */
  side = $state(0);
  host = $state(0);
  /** What is being drawn, in the numbers of the file. */
  drawing = $state.raw<Spot[]>([]);
  /** How far what is held has been drawn. */
  by = $state.raw<Spot | null>(null);
  corner = $state.raw<{ path: string; n: number; at: Spot } | null>(null);
  /** How far a whole piece of ground has been drawn. */
  groundBy = $state.raw<Spot | null>(null);
  /** Whom the hand holds while they are drawn. */
  holding = $state.raw<Chosen[]>([]);
  private held: Held | null = null;
  private from: Spot | null = null;

  constructor(private readonly bench: Bench) {}

  hint = $derived.by(() => {
    if (this.tool.kind === 'select') return '';
    if (this.tool.kind === 'place' && !this.tool.word.area) return t.workshop.hintPoint;
    return t.workshop.hints[this.way];
  });

  take(tool: Tool) {
    this.tool = tool;
    [this.drawing, this.traits] = [[], []];
    this.bench.choose(null);
    // A wood is round, a road is drawn with the pen: what is usual for the kind comes first.
    this.way = this.ways()[0] ?? 'points';
    if (tool.kind === 'place') this.way = tool.word.area ? 'box' : 'points';
  }

  /** How the present kind can be drawn. */
  ways(): Way[] {
    if (this.tool.kind !== 'ground') return ['box', 'points'];
    switch (this.tool.word.shape) {
      case 'rectangle':
        return ['box', 'points'];
      case 'line':
        return ['pen', 'points'];
      case 'area':
        return ['round', 'pen', 'points', 'box'];
      case 'either':
        return ['pen', 'points'];
    }
  }

  trait(one: string) {
    this.traits = this.traits.includes(one) ? this.traits.filter((other) => other !== one) : [...this.traits, one];
  }

  leave() {
    this.drawing = [];
  }

  private spot(place: Pt): Spot {
    const measure = this.bench.view?.setting.measure ?? 'cm';
    return [inUnits(place.x, measure), inUnits(place.y, measure)];
  }

  private get grid(): number {
    if (!this.snap) return 0;
    return { cm: 1, mm: 10, in: 0.5 }[this.bench.view?.setting.measure ?? 'cm'];
  }

  private snapping(spot: Spot): Spot {
    const { view } = this.bench;
    const measure = view?.setting.measure ?? 'cm';
    const others = this.snap ? listAt(this.bench.document, 'ground').flatMap((piece) => [...pointsOf(piece.area), ...pointsOf(piece.line)]) : [];
    const table: Spot = view ? [inUnits(view.setting.width, measure), inUnits(view.setting.depth, measure)] : [0, 0];
    const [x, y] = snapped(spot, others, this.grid, this.grid * 1.5);
    // A road leaves by the edge: what is drawn close to it, or over it, ends on it.
    const edge = (value: number, most: number) => (value < this.grid * 1.5 ? 0 : value > most - this.grid * 1.5 ? most : value);
    return this.snap ? [edge(x, table[0]), edge(y, table[1])] : [x, y];
  }

  grab({ place, token, knob, more }: Hold): boolean {
    const here = this.spot(place);
    this.from = here;
    if (this.tool.kind !== 'select') {
      const shaped = this.way !== 'points' && (this.tool.kind === 'ground' || this.tool.word.area);
      if (shaped) [this.held, this.drawing] = [{ what: 'shape' }, [here]];
      return shaped;
    }
    const corner = /^corner:(.+):(\d+)$/.exec(knob ?? '');
    if (corner) {
      this.held = { what: 'corner', path: corner[1] ?? '', n: Number(corner[2]) };
      return true;
    }
    const item = token && !more ? this.bench.itemOfToken(token) : null;
    // A piece of ground that has been chosen goes with the hand; any other place moves the sheet.
    const chosen = this.bench.chosen.at(-1);
    if (!token && !more && chosen?.list === 'ground' && this.isOn(chosen.n, here)) {
      this.held = { what: 'ground', from: here, n: chosen.n };
      return true;
    }
    if (!item) return false;
    const with_ = this.bench.isChosen(item.list, item.n) ? this.bench.chosen : [item];
    this.held = { what: 'items', from: here, items: with_.filter(({ list, n }) => pointOf(valueAt(this.bench.document, `${list}[${n}].at`))) };
    return true;
  }

  drag(place: Pt) {
    const here = this.spot(place);
    const { held } = this;
    if (held?.what === 'items') {
      const first = held.items[0];
      const at = first && pointOf(valueAt(this.bench.document, `${first.list}[${first.n}].at`));
      if (!at) return;
      const to: Spot = [at[0] + here[0] - held.from[0], at[1] + here[1] - held.from[1]];
      const on = this.grid > 0 ? ([Math.round(to[0] / this.grid) * this.grid, Math.round(to[1] / this.grid) * this.grid] as Spot) : to;
      [this.by, this.holding] = [[on[0] - at[0], on[1] - at[1]], held.items];
    } else if (held?.what === 'corner') this.corner = { path: held.path, n: held.n, at: this.snapping(here) };
    else if (held?.what === 'ground') {
      const off: Spot = [here[0] - held.from[0], here[1] - held.from[1]];
      this.groundBy = this.grid > 0 ? [Math.round(off[0] / this.grid) * this.grid, Math.round(off[1] / this.grid) * this.grid] : tidy(off);
    } else if (held?.what === 'shape') {
      if (this.way === 'pen') this.drawing = [...this.drawing, here];
      else this.drawing = this.shape(this.from ?? here, here);
    }
  }

  private shape(a: Spot, b: Spot): Spot[] {
    const [from, to] = [this.snapping(a), this.snapping(b)];
    return this.way === 'round' ? round(from, to) : rectangle(from, to);
  }

  drop(done: boolean) {
    const { held, by, corner, groundBy } = this;
    [this.held, this.by, this.corner, this.groundBy] = [null, null, null, null];
    if (!held) return;
    if (held.what === 'ground') {
      if (done && groundBy && (groundBy[0] !== 0 || groundBy[1] !== 0)) void this.bench.edit(shiftedGround(this.bench.document, held.n, groundBy));
      return;
    }
    if (held.what === 'items') {
      if (done && by && (by[0] !== 0 || by[1] !== 0)) {
        this.bench.chosen = held.items;
        void this.bench.edit(shifted(this.bench.document, held.items, by));
      }
    } else if (held.what === 'corner') {
      if (done && corner) void this.bench.edit([set(`${corner.path}[${corner.n}]`, corner.at)]);
    } else if (done) {
      if (this.way === 'pen') {
        const off = this.grid || 0.5;
        const few = simplified(this.drawing, off * 0.8);
        this.drawing = few.map((one, n) => (n === 0 || n === few.length - 1 ? this.snapping(one) : tidy(one)));
      }
      void this.finish();
    } else this.drawing = [];
  }

  gather(tokens: string[]) {
    this.bench.chosen = tokens.map((token) => this.bench.itemOfToken(token)).filter((item) => item !== null);
  }

  /** A place was pointed at; true where that was meant for a tool. */
  point(place: Pt, token: string | null): boolean {
    const here = this.spot(place);
    if (this.tool.kind === 'place' && !this.tool.word.area) {
      this.drawing = [this.snapping(here)];
      void this.finish();
      return true;
    }
    if (this.tool.kind !== 'select') {
      if (this.way !== 'points') return true;
      const spot = this.snapping(here);
      const last = this.drawing.at(-1);
      // Pointed at twice, it is the last.
      if (last && Math.hypot(last[0] - spot[0], last[1] - spot[1]) < (this.grid || 0.5)) void this.finish();
      else this.drawing = [...this.drawing, spot];
      return true;
    }
    if (token) return false;
    this.bench.choose(this.groundAt(here));
    return true;
  }

  /** Whether a place is on a piece of ground, or so near to a line that a hand means it. */
  private isOn(n: number, spot: Spot): boolean {
    const near = (this.grid || 0.5) * 1.5;
    const piece = listAt(this.bench.document, 'ground')[n];
    const [area, line] = [pointsOf(piece?.area), pointsOf(piece?.line)];
    const width = typeof piece?.width === 'number' ? piece.width / 2 : 0;
    return area.length > 0 ? inside(area, spot) : fromLine(line, spot) <= width + near;
  }

  /** The piece of ground under a place: the last laid of the smallest there. */
  private groundAt(spot: Spot): Chosen | null {
    const pieces = listAt(this.bench.document, 'ground');
    let found: { n: number; size: number } | null = null;
    pieces.forEach((piece, n) => {
      const area = pointsOf(piece.area);
      const [xs, ys] = [area.map(([x]) => x), area.map(([, y]) => y)];
      const size = area.length > 0 ? (Math.max(...xs) - Math.min(...xs)) * (Math.max(...ys) - Math.min(...ys)) : 0;
      if (this.isOn(n, spot) && (!found || size <= found.size)) found = { n, size };
    });
    return found ? { list: 'ground', n: (found as { n: number }).n } : null;
  }

  /** What has been drawn goes into the file. */
  async finish() {
    const { tool, drawing, bench } = this;
    this.drawing = [];
    if (tool.kind === 'ground') await bench.edit(this.groundEdits(tool.word, drawing));
    else if (tool.kind === 'place') await bench.edit(this.placeEdits(tool.word, drawing));
  }

  private groundEdits(kind: GroundWord, points: Spot[]): Edit[] {
    const line = kind.shape === 'line' || (kind.shape === 'either' && this.way !== 'box' && this.way !== 'round');
    if (points.length < (line ? 2 : 3)) return [];
    const taken = idsOf(this.bench.document);
    const id = freshId(kind.kind, taken);
    const piece: Table = { kind: kind.kind, id };
    piece[line ? 'line' : 'area'] = points.map(tidy);
    if (line && kind.width !== null) piece.width = kind.width;
    if (kind.level !== null) piece.level = kind.level;
    if (this.traits.length > 0) piece.traits = this.traits;
    const edits = [add('ground', piece)];
    if (kind.more) edits.push(add(kind.more.list, { [kind.more.names]: id, ...(kind.more.value as Table) }));
    return edits;
  }

  private placeEdits(kind: PlaceWord, points: Spot[]): Edit[] {
    const [first] = points;
    if (!first || (kind.area && points.length < 3)) return [];
    const place: Json = kind.area ? points : first;
    const [outer = '', inner] = kind.key.split('.');
    const value = kind.value as Table;
    if (kind.of) {
      const path = `${kind.list}[${this.host}].${outer}`;
      return [set(path, inner === undefined ? place : { ...value, [inner]: place })];
    }
    const { document, tools } = this.bench;
    const schema = tools ? itemSchema(tools.schema as Schema, kind.list) : null;
    const item: Table = {};
    if (schema?.required?.includes('id')) item.id = freshId(kind.word, idsOf(document));
    if (schema?.required?.includes('side')) item.side = word(listAt(document, 'sides')[this.side], 'id');
    return [add(kind.list, { ...item, ...value, [outer]: place })];
  }
}
