import { readFile } from 'node:fs/promises';
import type { BattleMade } from '../src/protocol/BattleMade';
import { expect, test } from '@playwright/test';
import { freshFolder, startServer } from '../scripts/server.mjs';
import { atMoment, begin, BOOKS, choose, decision, inWords, links, offers, seats, sitAt } from './fight';

test('two browsers on two seats see each other’s choices, and each decides only for itself', async ({ page, browser }) => {
  await begin(page);
  const { a, b, spectator } = await links(page);
  const context = { viewport: { width: 1400, height: 900 } };
  const [red, blue, watcher] = await Promise.all([0, 1, 2].map(async () => (await browser.newContext(context)).newPage()));
  if (!red || !blue || !watcher) throw new Error('no browsers');
  await red.goto(a);
  await blue.goto(b);
  await watcher.goto(spectator);
  expect(red.url()).not.toContain('seat=');
  await expect(decision(blue)).toContainText('To decide: Red.');
  await expect(decision(watcher)).toContainText('You are watching.');
  await expect(offers(blue)).toHaveCount(0);

  for (const one of [red, blue]) await inWords(one);
  await choose(red, 'Red left', /Advance/);
  await atMoment(blue, 2);
  await atMoment(watcher, 2);
  await expect(blue.locator('.story')).toContainText('Advance Red left');
  await choose(red, null, /End the turn/);
  await atMoment(blue, 3);
  await expect(offers(blue).getByRole('button', { name: /End the turn/ })).toBeVisible();
  await expect(offers(red)).toHaveCount(0);
  await choose(blue, null, /End the turn/);
  await atMoment(red, 4);
  // A reload finds the seat again, though the secret has left the address.
  await blue.reload();
  await atMoment(blue, 4);
});

test('the server is killed and started again, and the page goes on without a reload', async ({ browser }) => {
  const folder = freshFolder();
  let server = await startServer('127.0.0.1:18152', folder);
  const page = await (await browser.newContext({ baseURL: server.url, viewport: { width: 1400, height: 900 } })).newPage();
  await begin(page);
  await choose(page, 'Red left', /Advance/);
  await page.evaluate(() => (document.body.dataset.same = 'page'));
  await server.stop('SIGKILL');
  await expect(page.getByText('The line is broken')).toBeVisible();
  server = await startServer('127.0.0.1:18152', folder);
  await expect(page.getByText('The line is broken')).toBeHidden({ timeout: 15_000 });
  await atMoment(page, 2);
  await choose(page, 'Red right', /Advance/);
  await expect(page.locator('body')).toHaveAttribute('data-same', 'page');
  await server.stop();
});

test('a wrong link is shut out, and so is none at all', async ({ page, request }) => {
  await begin(page);
  const address = page.url();
  const id = address.split('/').at(-1);
  for (const secret of ['0'.repeat(40), '']) {
    const answer = await request.get(`/api/battles/${id}`, { headers: { Authorization: `Seat ${secret}` } });
    expect(answer.status()).toBe(403);
  }
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${address}#seat=${'0'.repeat(40)}`);
  await expect(page.getByRole('alert')).toContainText('the link is wrong or incomplete');
});

test('what may not be done says why, with its clause', async ({ page }) => {
  await begin(page);
  await choose(page, 'Red left', /Advance/);
  await page.locator('[data-token="#0"]').click();
  const closed = page.locator('.closed').first();
  await expect(closed).toContainText('Red left has acted this turn');
  // The clause opens in place, and its page is a step further.
  await closed.getByRole('button', { name: 'PK-SEQ-02' }).click();
  const clause = page.getByRole('dialog', { name: 'PK-SEQ-02' });
  await expect(clause).toContainText('once');
  await clause.getByRole('link', { name: 'In the rulebook' }).click();
  await expect(page.locator('#PK-SEQ-02')).toBeInViewport();
});

test('where the rules only advise, a breach is named and done all the same', async ({ page }) => {
  await begin(page, { enforcement: 'advised' });
  await choose(page, 'Red left', /Wheel/);
  await page.locator('[data-token="#0"]').click();
  await page.locator('.closed').getByRole('button', { name: /do it all the same/ }).first().click();
  await expect(page.getByRole('alert').or(page.locator('.overridden')).first()).toBeVisible();
});

/** The id of one of the sides, as the scenario of each book has it. */
const SIDES: Record<string, string> = { huzzah: 'pr', batteries: 'fr', malbrook: 'allies' };

for (const { book, scenario } of BOOKS) {
  test(`real dice are asked for, tapped, and the battle goes on: ${book}`, async ({ page }) => {
    await sitAt(page, scenario, { dice: 'typed', seed: null });
    // The first decision of each of these battles is a roll for both sides: as many throws as it takes, and no more.
    const moment = Number(await decision(page).getAttribute('data-moment'));
    await decision(page).getByRole('button', { name: /^Roll/ }).click();
    const dice = page.getByRole('region', { name: 'Real dice' });
    const settled = async () => Number(await decision(page).getAttribute('data-moment')) !== moment;
    for (let n = 0; n < 12 && !(await settled()); n++) {
      await expect.poll(async () => (await settled()) || (await dice.getByRole('heading').isVisible())).toBe(true);
      if (await settled()) break;
      await expect(dice.getByRole('heading')).toContainText(/throw/, { timeout: 2_000 }).catch(async (gone: unknown) => {
        if (!(await settled())) throw gone;
      });
      // The last face may have settled it just now, and then there is nothing left to tap.
      await dice.getByRole('button', { name: String(2 + (n % 3)), exact: true }).click({ timeout: 2_000 }).catch(async (gone: unknown) => {
        if (!(await settled())) throw gone;
      });
      await page.waitForTimeout(120);
    }
    await atMoment(page, moment + 1);
    await expect(dice).toBeHidden();
  });

  test(`the umpire sets things by pointing, and the story says why: ${book}`, async ({ page }) => {
    await sitAt(page, scenario, {}, ['umpire']);
    await page.getByRole('button', { name: 'Story', exact: true }).click();
    await page.getByRole('button', { name: 'Set by hand' }).click();
    const unit = page.locator('.unit[data-token="#0"]');
    await unit.click();
    const panel = page.getByRole('region', { name: 'Set by hand' });
    await panel.getByLabel('Why').fill('it rained');
    const before = await unit.locator('.stand').getAttribute('d');
    await panel.getByRole('button', { name: /^Move/ }).first().click();
    const box = await page.locator('.window').boundingBox();
    if (!box) throw new Error('no table');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height * 0.42);
    await expect(unit.locator('.stand')).not.toHaveAttribute('d', before ?? '');
    await expect(page.locator('.story')).toContainText('it rained');
    // It is taken off the table, and nobody is chosen: then the umpire says whose turn it is.
    await panel.getByRole('button', { name: 'Take it off the table' }).click();
    await expect(unit).toHaveCount(0);
    for (let n = 0; n < 3; n++) await page.keyboard.press('Escape');
    const whose = panel.locator('select').filter({ has: page.locator('option', { hasText: SIDES[book] ?? '' }) }).first();
    const [now, other] = await whose.evaluate((one: HTMLSelectElement) => [one.value, [...one.options].map(({ value }) => value).find((value) => value !== one.value && value !== '–')]);
    await whose.selectOption(other ?? '');
    await expect(whose).toHaveValue(other ?? '');
    expect(other).not.toBe(now);
    await expect(panel.getByRole('alert')).toHaveCount(0);
  });
}

test('a side writes to the umpire, who reads it', async ({ page }) => {
  await begin(page);
  const { a, umpire } = await links(page);
  await page.goto(a);
  await seats(page);
  await page.getByLabel('Your letter').fill('Is the ford passable?');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Is the ford passable?')).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.goto(umpire);
  await seats(page);
  await expect(page.getByText('Is the ford passable?')).toBeVisible();
});

test('each of several players of a side comes by a link of his own', async ({ page }) => {
  // The same position as the server's own test of it, laid by hand.
  const plain = await readFile('../drills/malbrook/positions/plain.toml', 'utf8');
  const players =
    '\n[[players]]\nname = "Marlborough"\nside = "allies"\nleaders = ["marshal", "foot"]\n' +
    '\n[[players]]\nname = "Cadogan"\nside = "allies"\nleaders = ["horse"]\n';
  const made = await page.request.post('/api/battles', { data: { scenario: plain + players, seed: 1 } });
  expect(made.status(), await made.text()).toBe(201);
  const { id, secrets } = (await made.json()) as BattleMade;
  const cadogan = secrets.players.find(({ name }) => name === 'Cadogan');
  await page.goto(`/battle/${id}#seat=${cadogan?.secret}`);
  await seats(page);
  await expect(page.getByText('You are Cadogan.')).toBeVisible();
  await page.getByLabel('Your letter').fill('The horse is up.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Cadogan to the umpire')).toBeVisible();
});
