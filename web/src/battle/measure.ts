/** Lengths and angles in the book's unit. The wire has micrometres and hundredths of a degree. */

import type { Measure } from '../protocol/Measure';
import { language } from '../words/language';

const MICROMETRES: Record<Measure, number> = { cm: 10_000, mm: 1_000, in: 25_400 };
const WORDS: Record<Measure, string> = { cm: 'cm', mm: 'mm', in: 'in' };

export const inUnits = (micrometres: number, measure: Measure) => micrometres / MICROMETRES[measure];

export const toMicrometres = (units: number, measure: Measure) => Math.round(units * MICROMETRES[measure]);

/** To a tenth, as a field for numbers takes it in any language. */
export const tenth = (value: number) => Math.round(value * 10) / 10;

const tenths = new Intl.NumberFormat(language.now, { maximumFractionDigits: 1, useGrouping: false });

const wholes = new Intl.NumberFormat(language.now, { maximumFractionDigits: 0 });

/** A number of things, its thousands set apart as the reader's language does it. */
export const whole = (count: number) => wholes.format(count);

/** To a tenth, without an empty decimal, as the reader's language writes numbers. */
export const plain = (value: number) => tenths.format(tenth(value));

export const length = (micrometres: number, measure: Measure) => `${plain(inUnits(micrometres, measure))} ${WORDS[measure]}`;

export const degrees = (hundredths: number) => `${plain(hundredths / 100)}°`;

export const percent = (chance: number) => {
  const value = chance * 100;
  if (value > 0 && value < 0.1) return `<${plain(0.1)} %`;
  if (value < 100 && value > 99.9) return `>${plain(99.9)} %`;
  return `${value < 9.95 || value > 99 ? plain(value) : Math.round(value)} %`;
};
