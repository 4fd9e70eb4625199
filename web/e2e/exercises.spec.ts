/** Exercises for people: a position, a choice by hand, the answer with its odds and why; ten for a beginner in each book. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import type { ExerciseEntry } from '../src/protocol/ExerciseEntry';
import type { Judged } from '../src/protocol/Judged';
import { BOOKS, decision as strip, doIt, now } from './fight';

const TITLES: Record<string, string> = { huzzah: 'Huzzah!', batteries: 'Brigades and Batteries', malbrook: 'Malbrook' };

/** Brings up the offers of one after the other until one of them will do, in the list of all choices. */
async function offer(page: Page, fits: (label: string) => boolean): Promise<Locator> {
  const said = page.locator('.offers').getByRole('button');
  const find = async () => {
    for (const button of await said.all()) if (fits(((await button.textContent()) ?? '').replace(/^\s*\d?\s*/, '').trim())) return button;
    return null;
  };
  for (const actor of [null, ...(await page.locator('.acting').getByRole('button').all())]) {
    if (actor) {
      await actor.click();
      await expect(actor).toHaveAttribute('aria-pressed', 'true');
    }
    const found = await find();
    if (found) return found;
  }
  throw new Error('nothing of the kind can be chosen');
}

for (const { book } of BOOKS) {
  test(`ten exercises for a beginner, one chosen badly and then well, by hand: ${book}`, async ({ page, request }) => {
    await page.goto('/exercises');
    await page.getByRole('link', { name: TITLES[book] ?? '', exact: true }).click();
    const first = page.locator('.page > ol').first().locator('li');
    await expect(first).toHaveCount(10);
    // One with an answer, and not only with what is to be avoided. The answers are asked for beside the page.
    const entries = (await (await request.get('/api/exercises')).json()) as ExerciseEntry[];
    const judge = async (name: string) => (await (await request.post('/api/exercises/judge', { data: { name, offer: 'nothing of the kind', value: 'none' } })).json()) as Judged;
    let [title, told] = ['', null as Judged | null];
    for (const one of await first.locator('.title').allTextContents()) {
      told = await judge(entries.find((entry) => entry.ruleset === book && entry.title === one)?.name ?? '');
      title = one;
      if (told.answers.some(({ value }) => value === null)) break;
    }
    const answer = told?.answers.find(({ value }) => value === null)?.label ?? '';
    const right = told?.answers.map(({ label }) => label) ?? [];
    expect(answer).not.toBe('');
    await first.filter({ hasText: title }).getByRole('button').click();
    const card = page.getByRole('complementary', { name: 'Exercise' });
    await expect(card).toContainText('What do you do?');
    await expect(strip(page)).toHaveAttribute('data-moment', /^\d+$/);
    const moment = await now(page);
    await page.getByRole('button', { name: 'All choices in words' }).click();
    await (await offer(page, (label) => !right.includes(label))).click();
    await expect(doIt(page)).toBeEnabled();
    await doIt(page).click();
    await expect(card).toContainText(told?.why ?? '');
    await expect(card).toContainText(/A good player would not do that|a good player would do something else/);
    await expect(card.locator('li').first()).toContainText(right[0] ?? '');
    // Once more, and well.
    await card.getByRole('button', { name: 'Try again' }).click();
    await expect(card).toContainText('What do you do?');
    await expect(strip(page)).toHaveAttribute('data-moment', String(moment));
    await page.getByRole('button', { name: 'All choices in words' }).click();
    await (await offer(page, (label) => label === answer)).click();
    await doIt(page).click();
    await expect(card).toContainText('Well chosen.');
    await card.getByRole('button', { name: 'The next one' }).click();
    await expect(card).toContainText('What do you do?');
    await expect(card.locator('b').first()).not.toHaveText(title);
    await page.goto(`/exercises/${book}`);
    await expect(page.getByRole('status')).toContainText('1 of ');
  });
}

test('every exercise of every book can be laid out, and its answer is never told before', async ({ request }) => {
  test.setTimeout(120_000);
  const entries = (await (await request.get('/api/exercises')).json()) as ExerciseEntry[];
  expect(entries.length).toBeGreaterThan(150);
  expect(JSON.stringify(entries)).not.toContain('"why"');
  for (const { book } of BOOKS) expect(entries.filter(({ ruleset, beginner }) => ruleset === book && beginner).length).toBeGreaterThanOrEqual(10);
  const wrong: string[] = [];
  for (const { name } of entries) {
    const judged = await request.post('/api/exercises/judge', { data: { name, offer: 'none', value: 'none' } });
    if (judged.status() !== 200) wrong.push(`${name}: ${await judged.text()}`);
  }
  expect(wrong).toEqual([]);
  expect((await request.post('/api/exercises', { data: { name: 'exercises/none.toml:1' } })).status()).toBe(422);
});
