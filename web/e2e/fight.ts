import { expect, type Page } from '@playwright/test';
import type { BattleMade } from '../src/protocol/BattleMade';

export interface Wishes {
  red?: string;
  blue?: string;
  seed?: string;
  enforcement?: string;
  dice?: string;
  /** Options and numbers to change, by name. */
  set?: Record<string, string>;
}

/** From the sheet to the first decision with everything settled by hand, and all choices lying open in words. */
export async function begin(page: Page, wishes: Wishes = {}) {
  // From the sheet of the battle: the first page has every other map on it.
  await page.goto('/sheet/ford');
  await page.getByRole('button', { name: 'Fight this battle' }).click();
  if (wishes.red) await page.getByRole('dialog').getByLabel('Red').selectOption(wishes.red);
  await page.getByRole('dialog').getByLabel('Blue').selectOption(wishes.blue ?? 'person');
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
  await expect(page.getByRole('heading', { level: 1, name: 'The ford' })).toBeAttached();
  await expect(decision(page)).toBeVisible();
  await inWords(page);
}

/** Opens the list of all choices, and the story. */
export async function inWords(page: Page) {
  await page.getByRole('button', { name: 'All choices in words' }).click();
  await page.getByRole('button', { name: 'Story', exact: true }).click();
}

/** A first battle of each book. */
export const BOOKS = [
  { book: 'huzzah', scenario: 'teaching' },
  { book: 'batteries', scenario: 'the-crossroads' },
  { book: 'malbrook', scenario: 'meeting' },
] as const;

/**
 * How far to the right anything on a page reaches. The pages scroll in `main`, so that what the document is wide says nothing; what scrolls
 * sideways by itself is meant to, and the sheet is cut by its window.
 */
export const widest = (page: Page) =>
  page.evaluate(() => {
    const meant = (one: Element) => {
      for (let at: Element | null = one; at && at.localName !== 'main' && at !== document.body; at = at.parentElement) {
        if (at.matches('.window, .unseen, .skip')) return true;
        if (at !== one && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
      }
      return false;
    };
    const all = [...document.querySelectorAll('body *')].map((one) => ({ one, right: one.getBoundingClientRect().right }));
    const beyond = all.filter(({ one, right }) => right > innerWidth + 0.5 && !meant(one));
    return Math.ceil(Math.max(document.documentElement.scrollWidth, ...beyond.map(({ right }) => right)));
  });

/** Begins a battle over HTTP and sits down at some of its seats, on the table. */
export async function sitAt(page: Page, scenario: string, more: object = {}, seats: ('a' | 'b' | 'umpire')[] = ['a', 'b']): Promise<BattleMade> {
  const made = await page.request.post('/api/battles', { data: { scenario, seed: 7, ...more } });
  expect(made.status(), await made.text()).toBe(201);
  const battle = (await made.json()) as BattleMade;
  // Something of the same origin that is there at once, so that the seats can be laid into its storage.
  await page.goto('/icon.svg');
  const held = { id: battle.id, using: seats.map((seat) => battle.secrets[seat]), all: battle.secrets };
  await page.evaluate((one) => localStorage.setItem('sabretache.seats', JSON.stringify([one])), held);
  await page.goto(`/battle/${battle.id}`);
  await expect(decision(page)).toHaveAttribute('data-moment', /^\d+$/, { timeout: 20_000 });
  return battle;
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

/** Opens the dialog with seats and letters. */
export async function seats(page: Page) {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Seats and links' }).click();
}

/** The links of the seats, read from their dialog. */
export async function links(page: Page): Promise<Record<'a' | 'b' | 'umpire' | 'spectator', string>> {
  await seats(page);
  const fields = page.getByRole('dialog').locator('input[readonly]');
  await expect(fields).toHaveCount(4);
  const [a, b, umpire, spectator] = await fields.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  return { a: a ?? '', b: b ?? '', umpire: umpire ?? '', spectator: spectator ?? '' };
}

export const doIt = (page: Page) => page.getByRole('button', { name: 'Do it' });
export const now = async (page: Page) => Number(await decision(page).getAttribute('data-moment'));

/** Waits until the battle has gone on from a moment, and it is known what is to be decided. */
export const further = (page: Page, moment: number) => expect.poll(() => now(page), { intervals: [40, 80, 150], timeout: 15_000 }).toBeGreaterThan(moment);

/** Says something of the strip, and does it. */
export async function say(page: Page, words: RegExp) {
  const moment = await now(page);
  await decision(page).getByRole('button', { name: words }).first().click();
  // The only thing there is to do is done at once; anything else is confirmed.
  await expect.poll(async () => (await now(page)) !== moment || (await doIt(page).isVisible()) || (await page.getByRole('region', { name: 'Real dice' }).isVisible())).toBe(true);
  if ((await now(page)) === moment && (await doIt(page).isVisible())) await doIt(page).click({ timeout: 2_000 }).catch(() => undefined);
  await expect.poll(async () => (await now(page)) > moment || (await decision(page).getAttribute('data-moment')) === null, { timeout: 15_000 }).toBe(true);
}
