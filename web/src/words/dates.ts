/** The date of a battle as the reader's language writes it. Scenarios give theirs in English words: "4 July 1806". */

import { language } from './language';

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const DATE = new RegExp(`\\b(\\d{1,2}) (${MONTHS.join('|')}) (\\d{4})\\b`);

/** Day, month and year in another language; whatever else a scenario says of its date is left as it is. */
export function dated(text: string, in_: string = language.now): string {
  if (in_ === 'en') return text;
  const told = new Intl.DateTimeFormat(in_, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return text.replace(DATE, (_, day: string, month: string, year: string) => told.format(Date.UTC(Number(year), MONTHS.indexOf(month), Number(day))));
}
