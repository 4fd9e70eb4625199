/** The clocks that friends may choose from. */

import type { ClockSetting } from '../protocol/ClockSetting';

const HOUR = 3_600;
const DAY = 24 * HOUR;

export const CLOCKS = {
  none: null,
  evening: { bank: 2 * HOUR, increment: 60 },
  days3: { bank: 3 * DAY, increment: 12 * HOUR },
  days7: { bank: 7 * DAY, increment: DAY },
  days14: { bank: 14 * DAY, increment: DAY },
} as const satisfies Record<string, ClockSetting | null>;

export type ClockName = keyof typeof CLOCKS;
