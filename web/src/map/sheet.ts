/** The frame of a map sheet: margin, ticks, the scale bar in the book's unit. */

import type { Measure } from '../protocol/Measure';
import type { Setting } from '../protocol/Setting';

const MILLIMETRES: Record<Measure, number> = { cm: 10, mm: 1, in: 25.4 };

export const marginOf = (setting: Setting, small: boolean) =>
  small ? 8 : Math.max(24, Math.max(setting.width, setting.depth) / 1000 / 24);

export interface Frame {
  ticks: string;
  bar: string;
  barFilled: string;
  figures: { x: number; text: string }[];
}

/** Ten to a tick on a metric table, a foot to a tick on one in inches. */
export function frameOf(setting: Setting): Frame {
  const unit = MILLIMETRES[setting.measure];
  const many = setting.measure === 'in' ? 12 : setting.measure === 'cm' ? 10 : 100;
  const step = unit * many;
  const [width, height] = [setting.width / 1000, setting.depth / 1000];
  const ticks: string[] = [];
  for (let x = step; x < width - 1; x += step) ticks.push(`M${x} 0v-3.4M${x} ${height}v3.4`);
  for (let y = step; y < height - 1; y += step) ticks.push(`M0 ${height - y}h-3.4M${width} ${height - y}h3.4`);
  const parts = Math.max(1, Math.min(4, Math.floor((width * 0.3) / step)));
  const bars = Array.from({ length: parts }, (_, i) => `M${i * step} 0h${step}v-3h${-step}z`);
  const figures = Array.from({ length: parts + 1 }, (_, i) => ({
    x: i * step,
    text: i === parts ? `${i * many} ${setting.measure}` : String(i * many),
  }));
  return { ticks: ticks.join(''), bar: bars.join(''), barFilled: bars.filter((_, i) => i % 2 === 0).join(''), figures };
}

/** How wide a letter is, in parts of its height: of a title in spaced capitals, and of italics. */
const [CAPITAL, ITALIC] = [0.86, 0.42];

export interface Head {
  title: { x: number; size: number; anchor: 'start' | 'middle' };
  subtitle: { x: number; size: number };
}

/** The title in the middle and what stands before it on the left; where both have no room, one after the other, and small enough. */
export function headOf(title: string, subtitle: string, width: number, type: number): Head {
  const [large, small] = [type * 1.3, type * 0.8];
  const [titled, under] = [title.length * large * CAPITAL, subtitle.length * small * ITALIC];
  if (titled / 2 + under + type < width / 2) {
    return { title: { x: width / 2, size: large, anchor: 'middle' }, subtitle: { x: 0, size: small } };
  }
  const fit = Math.min(1, width / (titled + under + 2 * type));
  return { title: { x: 0, size: large * fit, anchor: 'start' }, subtitle: { x: titled * fit + type, size: small * fit } };
}
