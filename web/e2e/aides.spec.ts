/** Commands in the hands of aides: handed over with an arrow, told of in a line, taken back any time. */
import { expect, test, type Page } from '@playwright/test';
import type { BattleMade } from '../src/protocol/BattleMade';
import type { View } from '../src/protocol/View';
import { freshFolder, startServer } from '../scripts/server.mjs';
import { BOOKS, decision as strip, doIt, now, sitAt } from './fight';
import { ask, decisionOf, someValue } from './line';

async function viewOf(page: Page, { id, secrets }: BattleMade): Promise<View> {
  const reply = await ask(page, id, secrets.umpire, { type: 'view', moment: null });
  if (reply.type !== 'view') throw new Error(reply.type);
  return reply.view;
}

async function middle(page: Page, selector: string) {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not on the table`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const arrows = (page: Page) => page.locator('.plan.given [data-plan]');
const panel = (page: Page) => page.getByRole('complementary', { name: 'Aides' });

/** Draws an arrow from something on the table to something else. */
async function draw(page: Page, from: string, to: string) {
  const [a, b] = [await middle(page, from), await middle(page, to)];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  for (let n = 1; n <= 5; n++) await page.mouse.move(a.x + ((b.x - a.x) * n) / 5, a.y + ((b.y - a.y) * n) / 5);
  await page.mouse.up();
}

/** Somebody of foot of a side that has several units under his command, and an enemy. */
function sides(view: View) {
  const there = view.units.filter(({ pose, absent, command }) => pose && !absent && command);
  const own = there.find(({ side, symbol }) => side === 'A' && symbol !== 'guns');
  const enemy = there.find(({ side, symbol }) => side === 'B' && symbol !== 'guns');
  if (!own?.command || !enemy) throw new Error('nobody is on the table');
  const name = view.commands.find(({ id }) => id === own.command)?.name ?? '';
  return { own, enemy, name };
}

/** What is most like going on: a roll, that it is enough, anything. */
async function goOn(page: Page, made: BattleMade) {
  const { offers, moment } = await decisionOf(page, made);
  for (const offer of [...offers.filter(({ group }) => group === 'end').toReversed(), ...offers]) {
    const value = someValue(offer);
    if (value === null) continue;
    const reply = await ask(page, made.id, made.secrets.umpire, { type: 'choose', offer: offer.key, value, moment, dice: [], reveals: {}, despite: false, whole: true });
    if (reply.type === 'moment') return;
  }
  throw new Error(`nothing can be said at moment ${moment}`);
}

for (const { book, scenario } of BOOKS) {
  test(`a command is handed over with an arrow, its aide acts and says so, and it is taken back: ${book}`, async ({ page }) => {
    const made = await sitAt(page, scenario, { players: { a: 'person', b: 'recruit' } }, ['a']);
    const { own, enemy, name } = sides(await viewOf(page, made));
    await page.getByRole('button', { name: 'Aides', exact: true }).click();
    await draw(page, `.unit[data-token="${own.id}"] .stand`, `.unit[data-token="${enemy.id}"] .stand`);
    await page.getByRole('group', { name: 'What it is to do' }).getByRole('button', { name: 'attack', exact: true }).click();
    await expect(arrows(page)).toHaveCount(1);
    await expect(arrows(page)).toContainText(`${name}: attack`);
    // It is kept with the battle: a reload finds it.
    await page.reload();
    await expect(arrows(page)).toHaveCount(1);
    await page.getByRole('button', { name: 'Aides', exact: true }).click();
    // The person says only what concerns nobody's command; the aide does the rest, a line each.
    const told = panel(page).locator('ol li');
    for (let n = 0; n < 40 && (await told.count()) < 2; n++) {
      const decision = await decisionOf(page, made);
      if (decision.side === 'A' && (await strip(page).getAttribute('data-aides')) === null) await goOn(page, made).catch(() => undefined);
      await page.waitForTimeout(250);
    }
    expect(await told.count()).toBeGreaterThan(1);
    // In a sentence; where it is about a unit with a task, with what it serves.
    for (const line of await told.allTextContents()) expect(line.trim()).toMatch(/^[A-Z].*\.$/);
    await panel(page).getByRole('button', { name: `Take ${name} back` }).click();
    await expect(arrows(page)).toHaveCount(0);
    await expect(panel(page).getByRole('button', { name: `Hand ${name} to an aide` })).toBeVisible();
  });
}

test('an arrow is for one’s own commands alone, and the other side hears nothing of it', async ({ page, request }) => {
  const made = await sitAt(page, 'teaching', {}, ['a']);
  const { own, enemy } = sides(await viewOf(page, made));
  const as = (secret: string, body: object) => request.post(`/api/battles/${made.id}/aides`, { headers: { Authorization: `Seat ${secret}` }, data: body });
  const errand = { side: 'A', command: own.command, task: 'hold', to: own.pose?.at };
  expect((await as(made.secrets.b, errand)).status()).toBe(403);
  expect((await as(made.secrets.spectator, errand)).status()).toBe(403);
  expect((await as(made.secrets.a, { ...errand, command: enemy.command })).status()).toBe(422);
  expect((await as(made.secrets.a, { ...errand, command: '%99' })).status()).toBe(422);
  expect((await as(made.secrets.a, { ...errand, task: 'garrison', to: { x: 0, y: 0 } })).status()).toBe(422);
  expect((await as(made.secrets.a, errand)).status()).toBe(200);
  const seen = async (secret: string) => ((await (await request.get(`/api/battles/${made.id}`, { headers: { Authorization: `Seat ${secret}` } })).json()) as { aides: { side: string; errands: object[] }[] }).aides;
  expect((await seen(made.secrets.a)).map(({ side, errands }) => [side, errands.length])).toEqual([['A', 1]]);
  expect((await seen(made.secrets.b)).map(({ side, errands }) => [side, errands.length])).toEqual([['B', 0]]);
  expect(await seen(made.secrets.spectator)).toEqual([]);
});

test('what an aide did is taken back, and the aides wait until the person has chosen', async ({ page }) => {
  const made = await sitAt(page, 'the-crossroads', { players: { a: 'person', b: 'recruit' } }, ['a']);
  const { own, enemy } = sides(await viewOf(page, made));
  const head = { Authorization: `Seat ${made.secrets.a}` };
  await page.request.post(`/api/battles/${made.id}/aides`, { headers: head, data: { side: 'A', command: own.command, task: 'attack', to: enemy.pose?.at } });
  const known = async () => (await (await page.request.get(`/api/battles/${made.id}`, { headers: head })).json()) as { now: { moment: number }; aides: { waits: boolean; told: { moment: number }[] }[] };
  // It goes on until the last thing that happened is what an aide did, without dice: that is taken back. What a person chose, or the enemy, or what was
  // thrown for, is not: there the aides would have nothing to do again.
  let tried = 0;
  await expect(async () => {
    const { now: at, aides } = await known();
    if (aides[0]?.told.at(-1)?.moment !== at.moment || tried === at.moment) {
      const decision = await decisionOf(page, made);
      if (decision.side === 'A' && (await strip(page).getAttribute('data-aides')) === null) await goOn(page, made).catch(() => undefined);
      throw new Error('no aide has just done anything');
    }
    tried = at.moment;
    await page.keyboard.press('u');
    await expect.poll(async () => (await known()).aides[0]?.waits, { timeout: 1_500 }).toBe(true);
  }).toPass({ timeout: 40_000, intervals: [60] });
  await expect(page.getByText('your aides wait until you have chosen')).toBeVisible();
  // While what was taken back is on its way the page has no moment.
  await expect.poll(() => now(page)).toBeGreaterThan(0);
  const moment = await now(page);
  await page.waitForTimeout(900);
  expect(await now(page)).toBe(moment);
  await page.getByRole('button', { name: 'Let them go on' }).click();
  await expect.poll(() => now(page), { timeout: 10_000 }).toBeGreaterThan(moment);
});

test('the server is killed and started again, and the aides go on', async ({ browser }) => {
  const folder = freshFolder();
  let server = await startServer('127.0.0.1:18153', folder);
  const page = await (await browser.newContext({ baseURL: server.url, viewport: { width: 1400, height: 900 } })).newPage();
  const made = await sitAt(page, 'meeting', { players: { a: 'person', b: 'recruit' } }, ['a']);
  const { own, enemy } = sides(await viewOf(page, made));
  const data = { side: 'A', command: own.command, task: 'attack', to: enemy.pose?.at };
  await page.request.post(`/api/battles/${made.id}/aides`, { headers: { Authorization: `Seat ${made.secrets.a}` }, data });
  await expect(arrows(page)).toHaveCount(1);
  await server.stop('SIGKILL');
  server = await startServer('127.0.0.1:18153', folder);
  await page.goto(`/battle/${made.id}`);
  await expect(arrows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Aides', exact: true }).click();
  const told = panel(page).locator('ol li');
  for (let n = 0; n < 60 && (await told.count()) === 0; n++) {
    const decision = await decisionOf(page, made);
    if (decision.side === 'A' && (await strip(page).getAttribute('data-aides')) === null) await goOn(page, made).catch(() => undefined);
    await page.waitForTimeout(200);
  }
  expect(await told.count()).toBeGreaterThan(0);
  await server.stop();
});

test('Blenheim is fought with fewer than thirty decisions of one’s own a turn', async ({ page }) => {
  test.setTimeout(240_000);
  await page.setViewportSize({ width: 1440, height: 900 });
  const made = await sitAt(page, 'blenheim', { players: { a: 'person', b: 'recruit' } }, ['a']);
  const first = await viewOf(page, made);
  const turn = first.turn ?? 1;
  await page.getByRole('button', { name: 'Aides', exact: true }).click();
  const enemies = first.units.filter(({ side, pose, symbol }) => side === 'B' && pose && symbol !== 'guns');
  // An arrow a brigade, to the enemy across from it: each drawn by hand.
  let handed = 0;
  for (const command of first.commands.filter(({ side }) => side === 'A')) {
    const own = first.units.find((unit) => unit.command === command.id && unit.pose && !unit.absent);
    if (!own?.pose) continue;
    const at = own.pose.at;
    const across = enemies.toSorted((p, q) => Math.abs((p.pose?.at.x ?? 0) - at.x) - Math.abs((q.pose?.at.x ?? 0) - at.x))[0];
    await draw(page, `.unit[data-token="${own.id}"] .stand`, `.unit[data-token="${across?.id}"] .stand`);
    const tasks = page.getByRole('group', { name: 'What it is to do' });
    if (!(await tasks.getByRole('button', { name: 'attack', exact: true }).isVisible().catch(() => false))) await tasks.getByRole('button').first().waitFor({ timeout: 4_000 }).catch(() => undefined);
    const attack = tasks.getByRole('button', { name: 'attack', exact: true });
    if ((await attack.count()) > 0) {
      await attack.click();
      handed++;
      await expect(arrows(page)).toHaveCount(handed);
    } else await page.keyboard.press('Escape');
  }
  expect(handed).toBeGreaterThan(3);
  await page.getByRole('button', { name: 'Aides', exact: true }).click();
  let own = 0;
  for (let last = -1; ((await viewOf(page, made)).turn ?? 1) === turn; ) {
    const decision = await decisionOf(page, made);
    if (!decision.side) break;
    const mine = decision.side === 'A' && (await strip(page).getAttribute('data-aides')) === null && (await now(page)) === decision.moment;
    if (!mine || last !== decision.moment) {
      // Twice the same: the aides leave it to the person.
      last = mine ? decision.moment : -1;
      await page.waitForTimeout(300);
      continue;
    }
    own++;
    expect(own, decision.sentence).toBeLessThan(30);
    const said = strip(page).locator('.says button');
    const end = decision.offers.findLast(({ group }) => group === 'end') ?? decision.offers[0];
    const button = said.filter({ hasText: end?.label ?? '' });
    if ((await button.count()) > 0) {
      await button.first().click({ timeout: 2_000 }).catch(() => undefined);
      if (await doIt(page).isVisible()) await doIt(page).click({ timeout: 2_000 }).catch(() => undefined);
    } else await goOn(page, made).catch(() => undefined);
    last = -1;
  }
  const told = ((await (await page.request.get(`/api/battles/${made.id}`, { headers: { Authorization: `Seat ${made.secrets.a}` } })).json()) as { aides: { told: object[] }[] }).aides[0]?.told.length ?? 0;
  console.log(`Blenheim: ${own} decisions of one's own in a turn with ${handed} commands handed over, ${told} lines of aides kept`);
  expect(told).toBeGreaterThan(10);
});
