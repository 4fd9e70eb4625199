/** Times in few words. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const two = (n: number) => String(n).padStart(2, '0');

/** What is left on a clock. */
export function spanOf(left: number): string {
  const ms = Math.max(0, left);
  if (ms >= DAY) return `${Math.floor(ms / DAY)} d ${Math.floor((ms % DAY) / HOUR)} h`;
  if (ms >= HOUR) return `${Math.floor(ms / HOUR)} h ${two(Math.floor((ms % HOUR) / MINUTE))}`;
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
