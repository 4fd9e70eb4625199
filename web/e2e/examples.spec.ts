/** The rulebook's worked examples on the table, and real dice against a computer player. */
import { expect, test } from '@playwright/test';
import { BOOKS, atMoment, decision, now, sitAt } from './fight';
import { ask } from './line';

const CLAUSES: Record<string, string> = { huzzah: 'HZ-THR-12', batteries: 'BB-CHG-07', malbrook: 'MB-MOV-31' };

for (const { book } of BOOKS) {
  test(`a clause's drill is seen on the table, step by step: ${book}`, async ({ page }) => {
    const clause = CLAUSES[book] ?? '';
    await page.goto(`/rules/${book}#${clause}`);
    await page.locator(`#${clause} summary`).click();
    const see = page.locator(`#${clause}`).getByRole('button', { name: /^See it happen/ }).first();
    const title = ((await see.getAttribute('aria-label')) ?? '').replace(/^See it happen: /, '');
    await see.click();
    const card = page.getByRole('complementary', { name: 'Worked example' });
    await expect(card).toContainText(title);
    await expect(page.locator('.unit').first()).toBeVisible();
    // Every step, to the last: the position, what was chosen, and what may not be done.
    const next = card.getByRole('button', { name: 'Next step' });
    for (let n = 0; n < 40 && (await next.count()) > 0; n++) {
      const before = await card.textContent();
      await next.click();
      await expect.poll(() => card.textContent()).not.toBe(before);
    }
    await expect(card).toContainText(/Step (\d+) of \1|The position\s*$|may not be done/);
  });
}

test('many drills of each book can be shown, and what they show is what they say', async ({ page, request }) => {
  await page.goto('/rules');
  for (const { book } of BOOKS) {
    const clauses = (await (await request.get(`/api/rulesets/${book}/clauses`)).json()) as { id: string }[];
    let shown = 0;
    for (const { id } of clauses.filter((_, i) => i % 23 === 0)) {
      const list = (await (await request.get(`/api/rulesets/${book}/clauses/${id}/examples`)).json()) as { name: string; on_table: boolean; clauses: string[] }[];
      for (const one of list) expect(one.clauses).toContain(id);
      const first = list.find(({ on_table }) => on_table);
      if (!first) continue;
      const made = await request.post('/api/examples', { data: { ruleset: book, name: first.name } });
      expect(made.status(), `${first.name}: ${await made.text()}`).toBe(201);
      shown += 1;
    }
    expect(shown).toBeGreaterThan(5);
  }
  const none = await request.post('/api/examples', { data: { ruleset: 'huzzah', name: '../../etc/passwd' } });
  expect(none.status()).toBe(422);
});

for (const { book, scenario } of BOOKS) {
  test(`a person throws for the computer player too, where he likes: ${book}`, async ({ page }) => {
    // The computer has the side that rolls first or second: until it has rolled something, we say that it is enough.
    const made = await sitAt(page, scenario, { dice: 'typed', seed: null, players: { a: 'recruit+hand', b: 'recruit+hand' } }, ['a', 'b']);
    const dice = page.getByRole('region', { name: 'Real dice' });
    await expect(dice).toBeVisible({ timeout: 20_000 });
    await expect(dice.getByRole('heading')).toContainText(/: throw /);
    await page.reload();
    await expect(dice).toBeVisible({ timeout: 20_000 });
    const before = await now(page);
    for (let n = 0; n < 14 && (await now(page)) === before; n++) {
      const face = dice.getByRole('button', { name: String(2 + (n % 3)), exact: true });
      if (await face.isVisible()) await face.click();
      await page.waitForTimeout(60);
    }
    await expect.poll(() => now(page)).toBeGreaterThan(before);
    // What fell is what was tapped.
    const log = await ask(page, made.id, made.secrets.umpire, { type: 'log' });
    expect(log.type === 'text' && /"faces":\[[234]/.test(log.text)).toBe(true);
    await expect(decision(page)).toBeVisible();
  });
}

test('dice of the program are thrown by nobody else', async ({ request }) => {
  const refused = await request.post('/api/battles', { data: { scenario: 'teaching', seed: 1, players: { a: 'person', b: 'drill-master+hand' } } });
  expect(refused.status()).toBe(422);
  expect(await refused.text()).toContain('only where the dice are real ones');
});

test('what is fought on from a moment keeps the computer opponent', async ({ page }) => {
  await sitAt(page, 'teaching', { players: { a: 'person', b: 'drill-master' }, set: ['options.first=fr'] }, ['a']);
  const moment = await now(page);
  await decision(page).getByRole('button', { name: /^Roll/ }).click();
  await expect.poll(() => now(page)).toBeGreaterThan(moment);
  await page.getByRole('button', { name: 'Story', exact: true }).click();
  const before = page.url();
  await page.getByLabel('Moment of the battle').fill(String(moment));
  await page.getByRole('button', { name: 'Fight on from here' }).click();
  await expect(page).not.toHaveURL(before);
  await atMoment(page, moment);
  await expect(decision(page)).toContainText('You are the French.');
});
