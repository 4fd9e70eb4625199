/** Lengths and angles in the book's unit. The wire has micrometres and hundredths of a degree. */

import type { Measure } from '../protocol/Measure';

const MICROMETRES: Record<Measure, number> = { cm: 10_000, mm: 1_000, in: 25_400 };
const WORDS: Record<Measure, string> = { cm: 'cm', mm: 'mm', in: 'in' };

export const inUnits = (micrometres: number, measure: Measure) => micrometres / MICROMETRES[measure];

export const toMicrometres = (units: number, measure: Measure) => Math.round(units * MICROMETRES[measure]);

/** To a tenth, without an empty decimal. */
export const plain = (value: number) => (Math.round(value * 10) / 10).toString();

export const length = (micrometres: number, measure: Measure) => `${plain(inUnits(micrometres, measure))} ${WORDS[measure]}`;

export const degrees = (hundredths: number) => `${plain(hundredths / 100)}°`;

export const percent = (chance: number) => {
  const value = chance * 100;
  if (value > 0 && value < 0.1) return '<0.1 %';
  if (value < 100 && value > 99.9) return '>99.9 %';
  return `${value < 9.95 || value > 99 ? plain(value) : Math.round(value)} %`;
};
