/** Where the reader looks: the sheet is moved, scaled and turned under a window. */

import { turned, type Pt } from './geometry';

export interface Size {
  width: number;
  height: number;
}

/** What lies over the edges of the window: the sheet is fitted into what is left. */
export interface Inset {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

const NEAREST = 12;
/** After so long without a change the sheet is drawn anew at the scale it is looked at. */
const SETTLE = 140;
/** So long after the reader moved the sheet it does not move by itself, in milliseconds. */
const HELD = 2_500;

export class Camera {
  /** Where the corner of the sheet is, in pixels of the window. */
  x = $state(0);
  y = $state(0);
  /** Pixels to a millimetre. */
  scale = $state(1);
  /** Degrees, clockwise. */
  turn = $state(0);
  /** The scale the sheet is drawn at; between two of these it is only stretched, which costs nothing. */
  drawn = $state(1);
  window: Size = $state({ width: 800, height: 600 });
  sheet: Size = $state({ width: 1, height: 1 });
  private inset: Inset = { top: 0, right: 0, bottom: 0, left: 0 };
  /** How much of the sheet is margin, on each side: it may run under what lies over the edges. */
  private margin = 0;
  /** Whether the reader wants it to stay where it is, whatever happens elsewhere; */
  pinned = $state(false);
  /** and when it was last moved by hand: for a while after that it stays by itself. */
  private movedAt = -Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the reader has moved it: until then it fits the window by itself. */
  private touched = false;

  /** In whole pixels: a drawn sheet laid between two of them is blurred. */
  get transform(): string {
    return `translate(${Math.round(this.x)}px, ${Math.round(this.y)}px) rotate(${this.turn}deg) scale(${this.scale / this.drawn})`;
  }

  private get furthest(): number {
    return Math.min(this.window.width / this.sheet.width, this.window.height / this.sheet.height) * 0.5;
  }

  /** From the window to the sheet. */
  toSheet(p: Pt): Pt {
    const back = turned({ x: p.x - this.x, y: p.y - this.y }, -this.turn);
    return { x: back.x / this.scale, y: back.y / this.scale };
  }

  /** From the sheet to the window. */
  toWindow(p: Pt): Pt {
    const there = turned({ x: p.x * this.scale, y: p.y * this.scale }, this.turn);
    return { x: there.x + this.x, y: there.y + this.y };
  }

  resize(window: Size, sheet: Size, margin = 0, inset: Inset = this.inset) {
    this.window = window;
    this.sheet = sheet;
    this.margin = margin;
    this.inset = inset;
    if (!this.touched) this.fit();
  }

  /** The part of the window that nothing lies over. */
  private get free() {
    const { top, right, bottom, left } = this.inset;
    return { left, top, width: Math.max(40, this.window.width - left - right), height: Math.max(40, this.window.height - top - bottom) };
  }

  /** The whole table in the window, turned as it is or as is wished. */
  fit(turn: number = this.turn) {
    this.touched = false;
    this.turn = turn;
    const [near, far] = [this.margin, { x: this.sheet.width - this.margin, y: this.sheet.height - this.margin }];
    const corners = [
      { x: near, y: near },
      { x: far.x, y: near },
      { x: near, y: far.y },
      { x: far.x, y: far.y },
    ].map((corner) => turned(corner, this.turn));
    const [xs, ys] = [corners.map((p) => p.x), corners.map((p) => p.y)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
    const { free } = this;
    this.scale = Math.min(free.width / width, free.height / height);
    this.drawn = this.scale;
    this.x = free.left + (free.width - width * this.scale) / 2 - left * this.scale;
    this.y = free.top + (free.height - height * this.scale) / 2 - top * this.scale;
  }

  pan(dx: number, dy: number) {
    this.touched = true;
    this.x += dx;
    this.y += dy;
  }

  /** Closer or further, about a point of the window that stays where it is. */
  zoom(factor: number, about: Pt = { x: this.window.width / 2, y: this.window.height / 2 }) {
    this.touched = true;
    const scale = Math.min(NEAREST, Math.max(this.furthest, this.scale * factor));
    const by = scale / this.scale;
    this.x = about.x - (about.x - this.x) * by;
    this.y = about.y - (about.y - this.y) * by;
    this.scale = scale;
    this.settleSoon();
  }

  /** Turns the sheet about the middle of the window. */
  rotate(degrees: number, about: Pt = { x: this.window.width / 2, y: this.window.height / 2 }) {
    this.touched = true;
    const there = turned({ x: this.x - about.x, y: this.y - about.y }, degrees);
    this.x = about.x + there.x;
    this.y = about.y + there.y;
    this.turn = (((this.turn + degrees) % 360) + 360) % 360;
  }

  /** Brings a place of the sheet into the window, if it is not there; where the whole table is to be seen, nothing moves. */
  show(p: Pt) {
    if (!this.touched) return;
    const there = this.toWindow(p);
    const { left, top, width, height } = this.free;
    const inX = there.x > left + 8 && there.x < left + width - 8;
    const inY = there.y > top + 8 && there.y < top + height - 8;
    if (!inX || !inY) this.pan(left + width / 2 - there.x, top + height / 2 - there.y);
  }

  /** The reader has moved it himself. */
  byHand() {
    this.movedAt = performance.now();
  }

  /** Goes where something happens, unless the reader holds it; where all of that is to be seen, nothing moves. */
  follow(places: Pt[]) {
    if (!this.touched || this.pinned || places.length === 0 || performance.now() - this.movedAt < HELD) return;
    const there = places.map((place) => this.toWindow(place));
    const { left, top, width, height } = this.free;
    const seen = ({ x, y }: Pt) => x > left + 8 && x < left + width - 8 && y > top + 8 && y < top + height - 8;
    if (there.every(seen)) return;
    const [xs, ys] = [there.map(({ x }) => x), there.map(({ y }) => y)];
    this.x += left + width / 2 - (Math.min(...xs) + Math.max(...xs)) / 2;
    this.y += top + height / 2 - (Math.min(...ys) + Math.max(...ys)) / 2;
  }

  private settleSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.drawn = this.scale), SETTLE);
  }
}
