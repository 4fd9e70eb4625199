/** The table under the hand, on each of the books. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import type { BattleMade } from '../src/protocol/BattleMade';
import { BOOKS, decision, doIt, further as gone, now, say, sitAt, widest } from './fight';
import { ask, decisionOf } from './line';

/** Goes through the opening until units can be moved; in Huzzah! that takes an order that is obeyed. */
const toMoves: Record<string, (page: Page) => Promise<string>> = {
  huzzah: async (page) => {
    await say(page, /^Roll/);
    for (let n = 0; n < 12; n++) {
      if ((await decision(page).getByRole('button', { name: 'Hold fire' }).count()) > 0) {
        await say(page, /^Hold fire/);
        continue;
      }
      if ((await page.locator('[data-knob]').count()) > 0) break;
      const unit = page.locator('.unit:has(.glow)').first();
      await unit.click();
      const moment = await now(page);
      await page.locator('.chips').getByRole('button', { name: /to advance( \d+ %)?$/ }).first().click();
      await doIt(page).click();
      await gone(page, moment);
    }
    return chosen(page);
  },
  batteries: async (page) => {
    await say(page, /^Roll/);
    await say(page, /^Move first/);
    return chosen(page);
  },
  malbrook: async (page) => {
    await say(page, /^Roll/);
    await say(page, /^Go first/);
    for (let n = 0; n < 8 && (await decision(page).textContent())?.includes('· movement') === false; n++) await say(page, /^Enough/);
    // How far a brigade goes is rolled for first.
    const moment = await now(page);
    const roll = page.locator('.chips').getByRole('button', { name: /^Roll/ });
    for (let n = 0; n < 14 && (await roll.count()) === 0; n++) {
      await page.locator('body').press('n');
      await page.waitForTimeout(80);
    }
    await roll.first().click();
    await doIt(page).click();
    await gone(page, moment);
    return chosen(page);
  },
};

/** The first lit unit that has a knob to be moved by. */
async function chosen(page: Page): Promise<string> {
  const lit = page.locator('.unit[data-token^="#"]:has(.glow)');
  const tokens = await lit.evaluateAll((all) => all.map((one) => one.getAttribute('data-token') ?? ''));
  for (const token of tokens) {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.locator(`.unit[data-token="${token}"]`).click();
    if ((await page.locator('[data-knob^="along"]').count()) > 0) break;
  }
  const token = await page.locator('.unit:has(.chosen)').first().getAttribute('data-token');
  if (!token) throw new Error('nobody can move');
  return token;
}

async function middle(one: Locator) {
  const box = await one.boundingBox();
  if (!box) throw new Error('not on the table');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Where a unit is drawn to: past the knob that moves it. */
async function ahead(page: Page, token: string, far: number) {
  const from = await middle(page.locator(`.unit[data-token="${token}"] .stand`).first());
  const knob = await middle(page.locator('[data-knob^="along"] .knob-face').first());
  const long = Math.hypot(knob.x - from.x, knob.y - from.y) || 1;
  return { from, to: { x: from.x + ((knob.x - from.x) / long) * far, y: from.y + ((knob.y - from.y) / long) * far } };
}

async function draw(page: Page, from: { x: number; y: number }, to: { x: number; y: number }) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let n = 1; n <= 6; n++) await page.mouse.move(from.x + ((to.x - from.x) * n) / 6, from.y + ((to.y - from.y) * n) / 6);
  await page.mouse.up();
}

const boxes = (page: Page) => page.evaluate(() => ['.window', '.sheet', '.strip'].map((one) => JSON.stringify(document.querySelector(one)?.getBoundingClientRect())));

for (const { book, scenario } of BOOKS) {
  test(`a unit is drawn over the table, and the sheet never moves: ${book}`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await sitAt(page, scenario);
    const at = await boxes(page);
    const pane = await page.locator('.window').boundingBox();
    const strip = await page.locator('.strip').boundingBox();
    if (!pane || !strip) throw new Error('no table');
    // The paper has the window but for the strip.
    expect((pane.width * (strip.y - pane.y)) / (1440 * 900)).toBeGreaterThan(0.75);
    const token = (await toMoves[book]?.(page)) ?? '';
    const unit = page.locator(`.unit[data-token="${token}"] .stand`);
    const before = await unit.getAttribute('d');
    const moment = await now(page);
    const { from, to } = await ahead(page, token, 60);
    await draw(page, from, to);
    await expect(page.locator('.ghost').first()).toBeVisible();
    await expect(doIt(page)).toBeEnabled();
    expect(await boxes(page)).toEqual(at);
    // Escape takes it back; drawn again, Enter does it.
    await page.keyboard.press('Escape');
    await expect(page.locator('.ghost')).toHaveCount(0);
    await draw(page, from, to);
    await expect(doIt(page)).toBeEnabled();
    await page.keyboard.press('Enter');
    await gone(page, moment);
    // The other side may be asked first whether it fires on the mover.
    if ((await decision(page).getByRole('button', { name: 'Hold fire' }).count()) > 0) await say(page, /^Hold fire/);
    await expect(unit).not.toHaveAttribute('d', before ?? '');
    for (const name of ['Roster', 'Story', 'All choices in words', 'Advice']) await page.getByRole('button', { name, exact: true }).click();
    expect(await boxes(page)).toEqual(at);
  });
}

test('a finger draws a unit as a mouse does', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ hasTouch: true, isMobile: true, baseURL: baseURL ?? '', viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await sitAt(page, 'the-crossroads');
  const token = (await toMoves.batteries?.(page)) ?? '';
  const { from, to } = await ahead(page, token, 25);
  const line = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) => line.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
  await touch('touchStart', from);
  for (let n = 1; n <= 5; n++) await touch('touchMove', { x: from.x + ((to.x - from.x) * n) / 5, y: from.y + ((to.y - from.y) * n) / 5 });
  await touch('touchEnd');
  await expect(page.locator('.ghost').first()).toBeVisible();
  const moment = await now(page);
  await doIt(page).tap();
  await gone(page, moment);
  // No page is wider than the screen.
  for (const path of ['/', '/rules/malbrook', '/sheet/meeting', `/battle/${page.url().split('/').at(-1)}/after`]) {
    await page.goto(path);
    await page.waitForTimeout(300);
    expect(await widest(page), path).toBeLessThanOrEqual(390);
  }
});

/** Goes on over the line until several can advance: an order to a brigade, a roll for a group, or that it is enough. */
async function toSeveral(page: Page, made: BattleMade): Promise<string[]> {
  for (let n = 0; n < 40; n++) {
    const { offers, moment } = await decisionOf(page, made);
    const able = offers.flatMap(({ handle, act, input }) => (handle.by === 'along' && act === 'advance' && input.kind === 'distance' && input.most > 30_000 ? [handle.unit] : []));
    const several = [...new Set(able)];
    if (several.length > 1) {
      await expect(decision(page)).toHaveAttribute('data-moment', String(moment));
      return several;
    }
    const order = offers.find(({ leads_to, handle }) => leads_to === 'advance' && handle.by === 'target' && handle.target.startsWith('%'));
    const roll = offers.find(({ act, group }) => act === 'roll' && group === 'act');
    const next = order ?? roll ?? offers.findLast(({ group }) => group === 'end') ?? offers[0];
    if (!next) break;
    await ask(page, made.id, made.secrets.umpire, { type: 'choose', offer: next.key, value: 'none', moment, dice: [], reveals: {}, despite: false, whole: true });
  }
  throw new Error('several can never advance');
}

for (const { book, scenario } of BOOKS) {
  test(`a brigade is moved in one gesture: ${book}`, async ({ page }) => {
    const made = await sitAt(page, scenario);
    const tokens = (await toSeveral(page, made)).slice(0, 2);
    // The first two, one after the other with Shift; then one is drawn and both go.
    const unit = (token: string) => page.locator(`.unit[data-token="${token}"] .stand`);
    const point = async (token: string) => {
      const { x, y } = await middle(unit(token));
      await page.mouse.click(x, y);
    };
    await point(tokens[0] ?? '');
    await page.keyboard.down('Shift');
    await point(tokens[1] ?? '');
    await page.keyboard.up('Shift');
    const before = await Promise.all(tokens.map((token) => unit(token).getAttribute('d')));
    const moment = await now(page);
    const { from, to } = await ahead(page, tokens[0] ?? '', 30);
    await draw(page, from, to);
    await expect(page.locator('.ghost')).toHaveCount(2);
    await expect(decision(page)).toContainText('and 1 more');
    await page.keyboard.press('Enter');
    await expect.poll(() => now(page), { timeout: 15_000 }).toBeGreaterThanOrEqual(moment + 2);
    for (const [i, token] of tokens.entries()) await expect(unit(token)).not.toHaveAttribute('d', before[i] ?? '');
  });
}

test('a first lesson begins with one click, on one’s own turn, with a coach', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'First lesson: Huzzah!' }).click();
  await expect(decision(page)).toContainText('You are the French.');
  await expect(page.getByRole('complementary', { name: 'Coach' })).toContainText('skirmishers');
  await say(page, /^Roll/);
  // The next thing asked is one's own: an order to give.
  await expect(decision(page)).toContainText('French: give an order');
  await expect(page.getByRole('complementary', { name: 'Coach' })).toContainText('1/8e Léger');
  // Drawn first: the order that leads there is drafted with its chance, and done with the same confirm.
  const unit = page.locator('.unit[data-token="#2"] .stand');
  const from = await middle(unit);
  await draw(page, from, { x: from.x + 30, y: from.y });
  await expect(decision(page)).toContainText('to advance');
  await expect(decision(page)).toContainText('If it obeys, it goes there.');
});
