/** How an outcome is shaded: for whom it is good. */

import type { HeadlineOdds } from '../protocol/HeadlineOdds';
import type { Side } from '../protocol/Side';

export const shade = ({ good_for }: HeadlineOdds, side: Side | null) => (good_for === null || side === null ? 'even' : good_for === side ? 'good' : 'bad');
