/** Times in few words. */

import { language } from '../words/language';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const two = (n: number) => String(n).padStart(2, '0');

/** A number of days, hours or minutes as the language writes it. */
const counted = (n: number, unit: 'day' | 'hour' | 'minute', in_: string) => new Intl.NumberFormat(in_, { style: 'unit', unit, unitDisplay: 'short' }).format(n);

/** What is left on a clock. */
export function spanOf(left: number, in_: string = language.now): string {
  const ms = Math.max(0, left);
  if (ms >= DAY) return `${counted(Math.floor(ms / DAY), 'day', in_)} ${counted(Math.floor((ms % DAY) / HOUR), 'hour', in_)}`;
  if (ms >= HOUR) return `${counted(Math.floor(ms / HOUR), 'hour', in_)} ${counted(Math.floor((ms % HOUR) / MINUTE), 'minute', in_)}`;
  return `${Math.floor(ms / MINUTE)}:${two(Math.floor((ms % MINUTE) / SECOND))}`;
}

/** How long ago something was, as the language says it. */
export function agoOf(ms: number, language: string): string {
  const told = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  if (ms < MINUTE) return told.format(0, 'second');
  if (ms < HOUR) return told.format(-Math.floor(ms / MINUTE), 'minute');
  if (ms < DAY) return told.format(-Math.floor(ms / HOUR), 'hour');
  return told.format(-Math.floor(ms / DAY), 'day');
}
