import { expect, type Page } from '@playwright/test';

export interface Wishes {
  red?: string;
  blue?: string;
  seed?: string;
  enforcement?: string;
  dice?: string;
  /** Options and numbers to change, by name. */
  set?: Record<string, string>;
}

/** From the first page to the first decision: three clicks, and whatever is wished for in between. */
export async function begin(page: Page, wishes: Wishes = {}) {
  await page.goto('/');
  await page.getByRole('button', { name: 'Fight this battle: The ford' }).click();
  if (wishes.red) await page.getByLabel('Red').selectOption(wishes.red);
  if (wishes.blue) await page.getByLabel('Blue').selectOption(wishes.blue);
  if (wishes.enforcement) {
    // The form may still be filling in when the first click comes.
    const wanted = page.getByLabel(wishes.enforcement, { exact: false }).first();
    await expect(() => wanted.check({ timeout: 2_000 })).toPass();
  }
  if (wishes.dice) await page.getByLabel(wishes.dice).check();
  else await page.getByLabel(/Seed/).fill(wishes.seed ?? '11');
  for (const [name, value] of Object.entries(wishes.set ?? {})) {
    const number = name.includes('-');
    const part = page.getByText(number ? 'Numbers of the book' : 'Options of the scenario');
    if (!(await page.getByLabel(name, { exact: true }).isVisible())) await part.click();
    if (number) await page.getByLabel('Search the numbers by clause or word').fill(name);
    await page.getByLabel(name, { exact: true }).fill(value);
  }
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'The ford' })).toBeVisible();
  await expect(decision(page)).toBeVisible();
}

export const decision = (page: Page) => page.getByRole('region', { name: 'Decision' });
export const offers = (page: Page) => page.locator('.offers');
export const after = (page: Page) => page.getByRole('link', { name: 'After the battle' });

/** Waits until this moment is to be decided. */
export const atMoment = (page: Page, moment: number) => expect(decision(page)).toHaveAttribute('data-moment', String(moment));

/** The moment that is to be decided, once it is known: while a choice is on its way there is none. */
export async function momentOf(page: Page): Promise<number> {
  await expect(decision(page)).toHaveAttribute('data-moment', /^\d+$/);
  return Number(await decision(page).getAttribute('data-moment'));
}

/** Chooses an offer of a unit (or of nobody) and does it. */
export async function choose(page: Page, unit: string | null, label: RegExp) {
  const moment = await momentOf(page);
  if (unit) await page.locator('.acting').getByRole('button', { name: unit, exact: true }).click();
  await offers(page).getByRole('button', { name: label }).click();
  await page.getByRole('button', { name: 'Do it' }).click();
  await atMoment(page, moment + 1);
}

/** Waits until the battle has gone on from a moment, or is over. */
export const gone = (page: Page, moment: number) =>
  expect
    .poll(async () => Number(await decision(page).getAttribute('data-moment')) > moment || (await after(page).isVisible()), { intervals: [30, 30, 60, 120] })
    .toBe(true);

/** The links of the seats, read from their dialog. */
export async function links(page: Page): Promise<Record<'a' | 'b' | 'umpire' | 'spectator', string>> {
  await page.getByRole('button', { name: 'Seats and links' }).click();
  const fields = page.getByRole('dialog').locator('input[readonly]');
  await expect(fields).toHaveCount(4);
  const [a, b, umpire, spectator] = await fields.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  return { a: a ?? '', b: b ?? '', umpire: umpire ?? '', spectator: spectator ?? '' };
}
