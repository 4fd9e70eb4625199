import { readFileSync } from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import { after, atMoment, choose, decision, inWords, offers } from './fight';

/** Begins a battle whose dice are agreed on; the page then shows the parley. */
async function parley(page: Page) {
  await page.goto('/sheet/ford');
  await page.getByRole('button', { name: 'Fight this battle' }).click();
  await page.getByRole('dialog').getByLabel('Blue').selectOption('person');
  await page.getByLabel(/agreed on, so that nobody can doubt them/).check();
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(page.getByRole('heading', { name: 'The dice are agreed on first' })).toBeVisible();
}

test('two browsers agree on the dice, and the log is proved', async ({ page, browser }) => {
  await parley(page);
  const link = await page.getByLabel('Link for side B').inputValue();
  const friend = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
  await friend.goto(link);
  await friend.getByRole('button', { name: 'Commit for side B in this browser' }).click();
  await expect(friend.getByText('has committed', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Commit for side A in this browser' }).click();
  await expect(decision(page)).toBeVisible();
  await expect(decision(friend)).toBeVisible();
  for (const one of [page, friend]) await inWords(one);

  // Up to the volley, which needs dice of both.
  await choose(page, 'Red left', /Advance/);
  await choose(page, 'Red right', /Advance/);
  await choose(page, null, /End the turn/);
  await atMoment(friend, 4);
  await choose(friend, 'Blue left', /Advance/);
  await atMoment(page, 5);
  await offers(page).getByRole('button').first().click();
  await page.getByRole('button', { name: 'Do it' }).click();
  await expect(page.locator('.story .roll').first()).toBeVisible();
  await expect(friend.locator('.story .roll').first()).toBeVisible();

  const now = async () => Number(await decision(page).getAttribute('data-moment'));
  await expect.poll(now).toBeGreaterThan(5);
  const moment = await now();
  await page.goto(`${page.url()}/after`);
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the log' }).click();
  const log = readFileSync(await (await waiting).path(), 'utf8');
  expect(log).toContain('"reveals":{"a":"');
  await page.goto('/');
  const file = { name: 'battle.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(log) };
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(page).toHaveURL(/\/battle\//);
  await atMoment(page, moment);
});

test('a choice waits for its dice until the other side comes back', async ({ page, browser }) => {
  await parley(page);
  const link = await page.getByLabel('Link for side B').inputValue();
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const friend = await context.newPage();
  await friend.goto(link);
  await friend.getByRole('button', { name: 'Commit for side B in this browser' }).click();
  await page.getByRole('button', { name: 'Commit for side A in this browser' }).click();
  await atMoment(page, 1);
  await inWords(page);
  await choose(page, 'Red left', /Advance/);
  await choose(page, 'Red right', /Advance/);
  await choose(page, null, /End the turn/);
  await atMoment(friend, 4);
  await inWords(friend);
  await choose(friend, 'Blue left', /Advance/);
  await atMoment(page, 5);
  const address = friend.url();
  await friend.close();
  await offers(page).getByRole('button').first().click();
  await page.getByRole('button', { name: 'Do it' }).click();
  await expect(page.getByText('The dice are being agreed on…')).toBeVisible();
  await expect(page.locator('.story .roll')).toHaveCount(0);
  const back = await context.newPage();
  await back.goto(address);
  await expect(page.locator('.story .roll').first()).toBeVisible();
  await expect(page.getByText('The dice are being agreed on…')).toBeHidden();
  await expect(after(page)).toBeHidden();
});
