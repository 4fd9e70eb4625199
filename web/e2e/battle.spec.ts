import { expect, test } from '@playwright/test';
import { after, atMoment, begin, choose, decision, gone, momentOf, offers } from './fight';

test('a whole battle is fought by mouse, on the table', async ({ page }) => {
  await begin(page);
  // The first unit is chosen where it stands, and sent off to a place on its way.
  await page.locator('[data-token="#0"]').click();
  await expect(decision(page)).toContainText('Red left');
  await offers(page).getByRole('button', { name: /Advance/ }).click();
  await expect(page.locator('.ghost')).toBeVisible();
  const ghost = await page.locator('.ghost').boundingBox();
  if (!ghost) throw new Error('no ghost');
  await page.mouse.click(ghost.x + ghost.width / 2, ghost.y + ghost.height + 25);
  await expect(page.locator('.draft input[type=number]')).not.toHaveValue('12');
  await page.getByRole('button', { name: 'Do it' }).click();
  await atMoment(page, 2);
  await expect(page.locator('.story')).toContainText('Advance Red left');

  // Then anything, always by clicking, until it is over.
  for (let n = 0; n < 120; n++) {
    if (await after(page).isVisible()) break;
    const moment = await momentOf(page);
    const acting = page.locator('.acting').getByRole('button').first();
    if (n % 3 === 0 && (await acting.isVisible())) await acting.click();
    const end = offers(page).getByRole('button', { name: 'End the turn' });
    const advance = offers(page).getByRole('button', { name: /Advance|fires/ }).first();
    await ((await advance.isVisible()) || !(await end.isVisible()) ? offers(page).getByRole('button').first() : end).click();
    await page.getByRole('button', { name: 'Do it' }).click();
    await gone(page, moment);
  }
  await after(page).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/Victory|Drawn/);
  await expect(page.getByRole('img', { name: 'What was left' })).toBeVisible();
  await expect(page.locator('.line').first()).toHaveAttribute('d', /^M/);
});

test('another is fought by keyboard alone', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: /^Otherwise…: The ford/ })).toBeVisible();
  const press = (key: string) => page.keyboard.press(key);
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  for (let n = 0; n < 30 && (await focused()).trim() !== 'Otherwise…'; n++) await press('Tab');
  await press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  // Both sides are ours: the second has a computer player unless one wishes otherwise.
  const blue = page.getByRole('dialog').getByLabel('Blue');
  for (let n = 0; n < 10 && !(await blue.evaluate((one) => one === document.activeElement)); n++) await press('Tab');
  await press('Home');
  await expect(blue).toHaveValue('person');
  for (let n = 0; n < 30 && (await focused()).trim() !== 'Begin'; n++) await press('Tab');
  await press('Enter');
  await expect(decision(page)).toBeVisible();

  await press('l');
  await expect(page.getByRole('complementary', { name: 'All choices' })).toBeVisible();

  // The table: a cursor, a unit under it, a measure, closer and round.
  await page.getByRole('application').focus();
  for (let n = 0; n < 8; n++) await press('ArrowDown');
  for (const key of ['ArrowLeft', '+', ']', '[', '-', '0']) await press(key);
  await press('m');
  await press('Enter');
  for (let n = 0; n < 10; n++) await press('ArrowRight');
  await press('Enter');
  await expect(page.getByTestId('tape')).toHaveText('10 cm');
  await press('m');

  await page.locator('body').press('n');
  await expect(decision(page)).toContainText('Red left');
  await press('1');
  await expect(page.locator('.draft')).toContainText('Advance Red left');
  await page.getByLabel('How far', { exact: true }).focus();
  await press('ArrowLeft');
  await press('Enter');
  await atMoment(page, 2);
  await press('u');
  await atMoment(page, 1);

  for (let n = 0; n < 150; n++) {
    if (await after(page).isVisible()) break;
    const moment = await momentOf(page);
    // One of three advances, where somebody can; otherwise the last offer, which ends the turn or lets pass.
    if (n % 3 === 0) await press('n');
    const labels = await offers(page).getByRole('button').allTextContents();
    const advance = labels.findIndex((label) => label.includes('Advance'));
    await press(String(advance >= 0 ? advance + 1 : labels.length));
    await expect(page.locator('.draft')).toBeVisible();
    await press('Enter');
    await gone(page, moment);
  }
  await expect(after(page)).toBeVisible();
});

test('a third is fought against the recruit', async ({ page }) => {
  await begin(page, { blue: 'recruit' });
  for (let n = 0; n < 120; n++) {
    await expect(after(page).or(offers(page)).first()).toBeVisible({ timeout: 15_000 });
    if (await after(page).isVisible()) break;
    const moment = await momentOf(page);
    const first = offers(page).getByRole('button').last();
    await first.click({ timeout: 2_000 }).catch(() => undefined);
    const done = page.getByRole('button', { name: 'Do it' });
    if (await done.isVisible()) await done.click({ timeout: 2_000 }).catch(() => undefined);
    await gone(page, moment);
  }
  await expect(after(page)).toBeVisible();
  await expect(page.locator('.story')).toContainText('Blue');
});

test('a roll is explained: base, modifiers with their clauses, chance, what fell', async ({ page }) => {
  await begin(page, { seed: '7' });
  await choose(page, 'Red left', /Advance/);
  await choose(page, 'Red right', /Advance/);
  await choose(page, null, /End the turn/);
  await choose(page, 'Blue left', /Advance/);
  await offers(page).getByRole('button').first().click();
  await page.getByRole('button', { name: 'Odds', exact: true }).click();
  await expect(page.locator('.headlines li').first()).toBeVisible();
  await page.getByRole('button', { name: 'Do it' }).click();
  const roll = page.locator('.story .roll').first();
  await expect(roll).toBeVisible();
    await expect(page.locator('.luck')).toContainText('1 roll');
});
