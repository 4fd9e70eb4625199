/** What somebody wants to know in his first five minutes, in each book: what it is about, what the enemy did, how far an order leads. */
import { expect, test } from '@playwright/test';
import { BOOKS, decision as strip, doIt, sitAt } from './fight';
import type { Reply } from '../src/protocol/Reply';
import { Eager, ask, decisionOf } from './line';

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
    // A reload finds it as it was; a browser that has forgotten when he chose finds trails by the story.
    const ways = () => trails.evaluateAll((all) => all.map((one) => one.getAttribute('d')));
    const drawn = await ways();
    await page.reload();
    await expect(trails).toHaveCount(drawn.length);
    expect(await ways()).toEqual(drawn);
    await page.evaluate(() => localStorage.removeItem('sabretache.asked'));
    await page.reload();
    await expect(trails.first()).toBeAttached();
    // It lies under whoever moved: none of one's own left one.
    const moment = Number(await strip(page).getAttribute('data-moment'));
    await eager.step(page, made, await decisionOf(page, made));
    await expect.poll(async () => Number((await strip(page).getAttribute('data-moment')) ?? 0), { timeout: 20_000 }).toBeGreaterThan(moment);
    const next = await decisionOf(page, made);
    if (next.side === 'A' && !next.interrupt) await expect(trails).toHaveCount(0);
  });
}

for (const { book, scenario } of BOOKS) {
  test(`what came of the dice is told beside them, and no heading of a phase: ${book}`, async ({ page }) => {
    const made = await sitAt(page, scenario, {}, ['a', 'b']);
    await strip(page).getByRole('button', { name: /^Roll/ }).click();
    const came = page.locator('.fall .came');
    await expect(came.first()).toBeVisible();
    await expect(came.first()).toContainText(/superiority|initiative/i);
    // No side's name and a phase, as a heading has it; nor does the story show one as news.
    const sides = (await ask(page, made.id, made.secrets.umpire, { type: 'view', moment: null })) as Extract<Reply, { type: 'view' }>;
    const heading = new RegExp(`^(${sides.view.setting.sides.map(({ name }) => name).join('|')}): \\D*$`);
    for (const line of await came.allTextContents()) expect(line.trim()).not.toMatch(heading);
    await page.getByRole('button', { name: 'Story', exact: true }).click();
    for (const line of await page.locator('.story > li > .part').allTextContents()) expect(line.trim().replace(/ [A-Z]{2}-\w+-\d+$/, '')).not.toMatch(heading);
  });

  test(`nothing that is asked or counted is cut off at 1024 pixels, and at the size of a telephone: ${book}`, async ({ page }) => {
    await sitAt(page, scenario);
    await page.setViewportSize({ width: 1024, height: 768 });
    // Every figure of the score lies within its button, and the button within the strip.
    const score = await page.locator('.score').boundingBox();
    const who = await page.locator('.strip .who').boundingBox();
    if (!score || !who) throw new Error('no score');
    expect(score.x + score.width).toBeLessThanOrEqual(who.x + who.width);
    const figures = page.locator('.score .value');
    expect(await figures.count()).toBeGreaterThan(2);
    for (const one of await figures.all()) {
      const box = await one.boundingBox();
      expect((box?.x ?? 9999) + (box?.width ?? 0)).toBeLessThanOrEqual(score.x + score.width + 0.5);
    }
    // On a telephone scale and compass have a place of their own below the sheet.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await expect(strip(page)).toHaveAttribute('data-moment', /^\d+$/);
    const [sheet, legend] = [await page.locator('.sheet').boundingBox(), await page.locator('.legend').boundingBox()];
    if (!sheet || !legend) throw new Error('no sheet');
    // But for the rim of the paper, on which nothing is drawn.
    expect(legend.y).toBeGreaterThanOrEqual(sheet.y + sheet.height - 24);
    // What is about to be done is read whole.
    // A key that comes while the page is still asking what may be chosen means nothing.
    await expect(async () => {
      await page.keyboard.press('1');
      await expect(doIt(page)).toBeVisible({ timeout: 1_000 });
    }).toPass();
    const drafted = page.locator('.drafted');
    expect(await drafted.evaluate((one) => one.scrollHeight - one.clientHeight)).toBeLessThanOrEqual(1);
    await expect(drafted.locator('.what')).toBeInViewport({ ratio: 1 });
  });
}

test('what is let pass is said once, and whose phase it is stands in the strip', async ({ page }) => {
  const made = await sitAt(page, 'teaching', { set: ['options.first=fr'] }, ['a', 'b']);
  const eager = new Eager();
  let now = await decisionOf(page, made);
  for (let n = 0; n < 80 && now.reaction === null; n++) {
    await eager.step(page, made, now);
    now = await decisionOf(page, made);
  }
  const pass = now.offers.find(({ key }) => key === now.reaction?.pass);
  if (!pass) throw new Error('nobody is ever asked whether he lets anything pass');
  await expect(strip(page)).toHaveAttribute('data-moment', String(now.moment));
  const view = (await ask(page, made.id, made.secrets.umpire, { type: 'view', moment: null })) as Extract<Reply, { type: 'view' }>;
  const whose = view.view.setting.sides.find(({ side }) => side === view.view.phasing)?.name ?? 'nobody';
  await expect(strip(page).locator('.when')).toContainText(`· ${whose}`);
  await strip(page).getByRole('button', { name: pass.label, exact: true }).click();
  await expect.poll(async () => Number((await strip(page).getAttribute('data-moment')) ?? 0)).toBeGreaterThan(now.moment);
});

test('the coach speaks beside the drawers, and never over them', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  await page.getByRole('button', { name: 'First lesson: Huzzah!' }).click();
  const coach = page.getByRole('complementary', { name: 'Coach' });
  await expect(coach).toBeVisible();
  for (const name of ['Story', 'Advice']) {
    await page.getByRole('button', { name, exact: true }).click();
    const [said, drawer] = [await coach.boundingBox(), await page.locator('.drawer.right').boundingBox()];
    expect((said?.x ?? 9999) + (said?.width ?? 0)).toBeLessThanOrEqual(drawer?.x ?? 0);
  }
  await page.getByRole('button', { name: 'Roster', exact: true }).click();
  const [said, drawer] = [await coach.boundingBox(), await page.locator('.drawer.left').boundingBox()];
  expect(said?.x ?? 0).toBeGreaterThanOrEqual((drawer?.x ?? 9999) + (drawer?.width ?? 0));
});

test('drawn before he is ordered, a battalion goes by itself, and the coach does not ask for it once more', async ({ page }) => {
  await page.route('/api/battles', async (route) => {
    const made = route.request().postDataJSON() as object;
    // With this seed the order is obeyed.
    await route.continue({ postData: JSON.stringify({ ...made, seed: 7 }) });
  });
  await page.goto('/');
  await page.getByRole('button', { name: 'First lesson: Huzzah!' }).click();
  await strip(page).getByRole('button', { name: /^Roll/ }).click();
  await expect(strip(page).getByRole('button', { name: 'No more orders' })).toBeVisible();
  const stand = page.locator('.unit[data-token="#2"] .stand');
  const box = await stand.boundingBox();
  if (!box) throw new Error('not on the table');
  const [x, y, before] = [box.x + box.width / 2, box.y + box.height / 2, await stand.getAttribute('d')];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let n = 1; n <= 5; n++) await page.mouse.move(x + n * 8, y);
  await page.mouse.up();
  await doIt(page).click();
  await expect(stand).not.toHaveAttribute('d', before ?? '');
  await expect(strip(page).getByRole('button', { name: 'No more orders' })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Coach' })).toContainText('Your officers give orders now');
});

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
