/** What a run of the laboratory says of a scenario, in a sentence. */

import type { RunResult } from '../protocol/RunResult';

export type Balance = { word: 'even' | 'leans' | 'favours' | 'decided' | 'drawn'; side: 0 | 1; sure: boolean };

/** Who is better off: even within ten in a hundred, leaning within twenty-five, decided beyond three of four. */
export function balanceOf({ shares: [a, b, drawn] }: RunResult): Balance {
  const lead = a.value - b.value;
  const side = lead >= 0 ? 0 : 1;
  const [first, second] = side === 0 ? [a, b] : [b, a];
  const sure = first.low > second.high || Math.abs(lead) <= 0.1;
  if (drawn.value > 0.6) return { word: 'drawn', side, sure: drawn.low > 0.5 };
  const gap = Math.abs(lead);
  return { word: gap <= 0.1 ? 'even' : gap <= 0.25 ? 'leans' : gap <= 0.5 ? 'favours' : 'decided', side, sure };
}
