/** What several choices have in common, said once: "Lamotte orders 1/8e Léger to" advance, retire, deploy. */

import type { OfferView } from '../protocol/OfferView';

/** The words with which all labels begin, as long as each has some of its own. */
export function beginning(labels: string[]): string {
  const all = labels.map((label) => label.split(' '));
  const [first] = all;
  if (!first || all.length < 2) return '';
  let many = 0;
  while (all.every((words) => many + 1 < words.length && words[many] === first[many])) many++;
  // Two words are not worth saying apart.
  return many > 2 ? first.slice(0, many).join(' ') : '';
}

export interface Chip {
  id: string;
  offer: OfferView;
  label: string;
}

/** Chips in runs of one kind of act: what the labels of a run begin with stands above it, and each says only the rest. */
export function runs<T extends Chip>(chips: T[]): { common: string; chips: { chip: T; rest: string }[] }[] {
  const found: T[][] = [];
  for (const chip of chips) {
    const last = found.at(-1);
    if (last?.[0]?.offer.act === chip.offer.act) last.push(chip);
    else found.push([chip]);
  }
  return found.map((run) => {
    const common = beginning(run.map(({ label }) => label));
    return { common, chips: run.map((chip) => ({ chip, rest: common ? chip.label.slice(common.length + 1) : chip.label })) };
  });
}
