/** What somebody wants to know in his first five minutes, in each book: what it is about, what the enemy did, how far an order leads. */
import { expect, test } from '@playwright/test';
import { BOOKS, decision as strip, doIt, sitAt } from './fight';
import { Eager, decisionOf } from './line';

for (const { book, scenario } of BOOKS) {
  test(`what is at stake lies one click away, with what wins and how it stands: ${book}`, async ({ page }) => {
    await sitAt(page, scenario, {}, ['a']);
    // The turn, and of how many: the lessons say so.
    await expect(strip(page)).toContainText(/Turn 1 of \d+/);
    await strip(page).getByRole('button', { name: /^What is at stake/ }).click();
    const card = page.getByRole('region', { name: 'What is at stake' });
    await expect(card).toContainText('The battle lasts');
    await expect(card.getByRole('listitem').filter({ hasText: /points?/ }).first()).toBeVisible();
    expect(await card.getByRole('row').count()).toBeGreaterThan(1);
    // A clause of it opens, and the card is put away.
    await card.locator('.clause').first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(card).toBeHidden();
  });

  test(`what the other side did is seen until one chooses again: ${book}`, async ({ page }) => {
    test.setTimeout(120_000);
    const made = await sitAt(page, scenario, { seed: 7, players: { a: 'person', b: 'drill-master' } }, ['a']);
    const eager = new Eager();
    const trails = page.locator('.trails .trail');
    for (let n = 0; n < 160; n++) {
      await expect(strip(page)).toHaveAttribute('data-moment', /^\d+$/, { timeout: 20_000 });
      const now = await decisionOf(page, made);
      if (now.side !== 'A') {
        await page.waitForTimeout(120);
        continue;
      }
      await expect(strip(page)).toHaveAttribute('data-moment', String(now.moment), { timeout: 20_000 });
      if (!now.interrupt && (await trails.count()) > 0) break;
      await eager.step(page, made, now);
    }
    await expect(trails.first()).toBeAttached();
    // It lies under whoever moved: none of one's own left one.
    const moment = Number(await strip(page).getAttribute('data-moment'));
    await eager.step(page, made, await decisionOf(page, made));
    await expect.poll(async () => Number((await strip(page).getAttribute('data-moment')) ?? 0), { timeout: 20_000 }).toBeGreaterThan(moment);
    const next = await decisionOf(page, made);
    if (next.side === 'A' && !next.interrupt) await expect(trails).toHaveCount(0);
  });
}

test('the menu is put away by Escape, which takes nothing else back, and by pointing elsewhere', async ({ page }) => {
  await sitAt(page, 'teaching', {}, ['a']);
  const rulebook = page.locator('.menu').getByRole('link', { name: 'Rulebook' });
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.click();
  await expect(rulebook).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(rulebook).toBeHidden();
  await expect(menu).toBeFocused();
  await menu.click();
  await expect(rulebook).toBeVisible();
  await page.mouse.click(700, 400);
  await expect(rulebook).toBeHidden();
});

test('whoever is drawn before he is ordered is seen where he can get, and gets there', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  // Orders come with a chance: in one of these battles the first is obeyed.
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    // As in the lesson: the French begin.
    await sitAt(page, 'teaching', { seed, set: ['options.first=fr'] });
    await strip(page).getByRole('button', { name: /Roll for/ }).click();
    await expect(strip(page).getByRole('button', { name: 'No more orders' })).toBeVisible();
    const unit = page.locator('.unit[data-token="#2"]');
    const box = async () => {
      const at = await unit.locator('.stand').first().boundingBox();
      if (!at) throw new Error('it is not drawn');
      return at;
    };
    const before = await box();
    const [x, y] = [before.x + before.width / 2, before.y + before.height / 2];
    // From the middle of its line, far beyond what a move can be, to where its front looks: east, which may be up on the sheet.
    const knobs = { x: x + 620, y };
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let n = 1; n <= 5; n++) await page.mouse.move(x + ((knobs.x - x) * n) / 5, y);
    await page.mouse.up();
    await expect(strip(page)).toContainText('no further');
    const ghost = await page.locator('.ghost.wish').boundingBox();
    const middle = (one: { x: number; width: number } | null) => (one ? one.x + one.width / 2 : 0);
    expect(middle(ghost)).toBeGreaterThan(middle(before) + 20);
    expect(middle(ghost)).toBeLessThan(knobs.x - 100);
    const moment = Number(await strip(page).getAttribute('data-moment'));
    await doIt(page).click();
    await expect.poll(async () => Number((await strip(page).getAttribute('data-moment')) ?? 0)).toBeGreaterThan(moment);
    await page.waitForTimeout(400);
    const gone = middle(await box()) - middle(before);
    // The order failed, or the enemy has something to say first.
    if (gone < 5) continue;
    expect(Math.abs(middle(ghost) - middle(before) - gone)).toBeLessThan(8);
    return;
  }
  throw new Error('nobody ever obeyed');
});
