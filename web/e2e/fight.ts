import { expect, type Page } from '@playwright/test';

export interface Wishes {
  red?: string;
  blue?: string;
  seed?: string;
  enforcement?: string;
  dice?: string;
}

/** From the first page to the first decision: three clicks, and whatever is wished for in between. */
export async function begin(page: Page, wishes: Wishes = {}) {
  await page.goto('/');
  await page.getByRole('button', { name: 'Fight this battle: The ford' }).click();
  if (wishes.red) await page.getByLabel('Red').selectOption(wishes.red);
  if (wishes.blue) await page.getByLabel('Blue').selectOption(wishes.blue);
  if (wishes.enforcement) await page.getByLabel(wishes.enforcement, { exact: false }).first().check();
  if (wishes.dice) await page.getByLabel(wishes.dice).check();
  else await page.getByLabel(/Seed/).fill(wishes.seed ?? '11');
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(page.getByRole('heading', { name: 'The ford' })).toBeVisible();
  await expect(decision(page)).toBeVisible();
}

export const decision = (page: Page) => page.getByRole('region', { name: 'Decision' });
export const offers = (page: Page) => page.locator('.offers');
export const after = (page: Page) => page.getByRole('link', { name: 'After the battle' });

/** Waits until the timeline shows this many moments. */
export const atMoment = (page: Page, moment: number) => expect(page.locator('.time')).toContainText(`Moment ${moment} of ${moment}`);

export async function momentOf(page: Page): Promise<number> {
  const text = (await page.locator('.time').textContent()) ?? '';
  return Number(/of (\d+)/.exec(text)?.[1] ?? 0);
}

/** Chooses an offer of a unit (or of nobody) and does it. */
export async function choose(page: Page, unit: string | null, label: RegExp) {
  const moment = await momentOf(page);
  if (unit) await page.locator('.acting').getByRole('button', { name: unit, exact: true }).click();
  await offers(page).getByRole('button', { name: label }).click();
  await page.getByRole('button', { name: 'Do it' }).click();
  await atMoment(page, moment + 1);
}

/** The links of the seats, read from their dialog. */
export async function links(page: Page): Promise<Record<'a' | 'b' | 'umpire' | 'spectator', string>> {
  await page.getByRole('button', { name: 'Seats and links' }).click();
  const fields = page.getByRole('dialog').locator('input[readonly]');
  await expect(fields).toHaveCount(4);
  const [a, b, umpire, spectator] = await fields.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  await page.getByRole('button', { name: 'Close' }).click();
  return { a: a ?? '', b: b ?? '', umpire: umpire ?? '', spectator: spectator ?? '' };
}
