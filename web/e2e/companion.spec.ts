/** Beside a real table, on a telephone: every test of every book. */
import { expect, test, type Page } from '@playwright/test';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

const answer = (page: Page) => page.getByRole('region', { name: 'What must be rolled' });

for (const book of ['huzzah', 'batteries', 'malbrook']) {
  test(`every test of ${book} is reached, tells its odds and is rolled to its end`, async ({ page }) => {
    test.setTimeout(120_000);
    await page.goto(`/companion/${book}`);
    const links = page.locator('.tiles a');
    await expect(links.first()).toBeVisible();
    const tests = await links.evaluateAll((all) => all.map((one) => new URL((one as HTMLAnchorElement).href).pathname));
    const listed = (await (await page.request.get(`/api/rulesets/${book}/tests`)).json()) as { name: string }[];
    expect(tests).toEqual(listed.map(({ name }) => `/companion/${book}/${name}`));
    for (const path of tests) {
      await page.goto(path);
      const shares = answer(page).locator('.odds b');
      await expect(shares.first(), path).toBeVisible();
      const chances = await shares.evaluateAll((all) => all.map((one) => (one as HTMLElement).title.split('/').map(Number)));
      const sum = chances.reduce((so, [up = 0, down = 1]) => so + up / down, 0);
      expect(sum, `the odds of ${path} add up to one`).toBeCloseTo(1, 9);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} is no wider than the screen`).toBeLessThanOrEqual(390);
      await answer(page).getByRole('button', { name: 'Throw the dice' }).tap();
      const done = answer(page).locator('.outcome');
      const roll = answer(page).getByRole('button', { name: 'Roll for me' });
      // A chain of throws ends; a test that throws nothing is done at once.
      for (let throws = 0; throws < 12; throws += 1) {
        await expect(done.or(roll), path).toBeVisible();
        if (await done.isVisible()) break;
        const before = await answer(page).locator('.die').count();
        await roll.tap();
        await expect.poll(async () => (await done.isVisible()) || (await answer(page).locator('.die').count()) !== before, { message: path }).toBe(true);
      }
      await expect(done, path).toBeVisible();
    }
  });
}

test('a threat test as a player at the table takes it: ticked, read, thrown by hand', async ({ page }) => {
  await page.goto('/companion');
  await page.getByRole('link', { name: 'Huzzah!' }).tap();
  await page.getByRole('link', { name: /^Threat/ }).tap();
  await page.getByRole('button', { name: 'More: How many enemy infantry units in line threaten it' }).tap();
  await page.getByRole('button', { name: 'More: How many enemy infantry units in line threaten it' }).tap();
  await page.getByRole('button', { name: 'More: Its kills' }).tap();
  // Trained needs 8; two zones and a kill take it down to 6: 15 of 36 pass, one of them with a Huzzah!.
  await answer(page).getByText('Target 6').tap();
  await expect(answer(page)).toContainText('HZ-THR-12');
  await expect(answer(page)).toContainText('HZ-THR-20');
  await expect(answer(page).locator('.odds li', { hasText: /^passes \d/ }).locator('b')).toHaveAttribute('title', '7/18');
  await answer(page).getByRole('button', { name: 'Throw the dice' }).tap();
  await answer(page).getByRole('button', { name: '4', exact: true }).tap();
  await answer(page).getByRole('button', { name: '4', exact: true }).tap();
  await expect(answer(page).getByRole('status')).toContainText('2 staggers');
});
