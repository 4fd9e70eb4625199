/** Where the reader looks: the sheet is moved, scaled and turned under a window. */

import { turned, type Pt } from './geometry';

export interface Size {
  width: number;
  height: number;
}

const NEAREST = 12;
/** After so long without a change the sheet is drawn anew at the scale it is looked at. */
const SETTLE = 140;

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

  resize(window: Size, sheet: Size) {
    this.window = window;
    this.sheet = sheet;
    if (!this.touched) this.fit();
  }

  /** The whole sheet in the window. */
  fit() {
    this.touched = false;
    const corners = [
      { x: 0, y: 0 },
      { x: this.sheet.width, y: 0 },
      { x: 0, y: this.sheet.height },
      { x: this.sheet.width, y: this.sheet.height },
    ].map((corner) => turned(corner, this.turn));
    const [xs, ys] = [corners.map((p) => p.x), corners.map((p) => p.y)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
    this.scale = Math.min(this.window.width / width, this.window.height / height) * 0.985;
    this.drawn = this.scale;
    this.x = (this.window.width - width * this.scale) / 2 - left * this.scale;
    this.y = (this.window.height - height * this.scale) / 2 - top * this.scale;
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

  /** Brings a place of the sheet into the window, if it is not there. */
  show(p: Pt) {
    const there = this.toWindow(p);
    const [mx, my] = [this.window.width * 0.12, this.window.height * 0.12];
    const inX = there.x > mx && there.x < this.window.width - mx;
    const inY = there.y > my && there.y < this.window.height - my;
    if (!inX || !inY) this.pan(this.window.width / 2 - there.x, this.window.height / 2 - there.y);
  }

  private settleSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.drawn = this.scale), SETTLE);
  }
}
