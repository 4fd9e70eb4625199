/** The table under the hand, on each of the books. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { BOOKS, decision, doIt, further as gone, now, say, sitAt } from './fight';

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
      await page.locator('.chips').getByRole('button', { name: /to advance$/ }).first().click();
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
    for (let n = 0; n < 8 && (await decision(page).textContent())?.includes(', movement:') === false; n++) await say(page, /^Enough/);
    return chosen(page);
  },
};

/** The first lit unit that has a knob to be moved by. */
async function chosen(page: Page): Promise<string> {
  const lit = page.locator('.unit[data-token^="#"]:has(.glow)');
  const tokens = await lit.evaluateAll((all) => all.map((one) => one.getAttribute('data-token') ?? ''));
  for (const token of tokens) {
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
