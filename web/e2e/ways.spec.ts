/** What else a person does at the table, on each of the books: asks for advice, takes back, breaks a rule with open eyes, lets somebody play on, looks closer. */
import { expect, test, type Page } from '@playwright/test';
import type { BattleMade } from '../src/protocol/BattleMade';
import type { Decision } from '../src/protocol/Decision';
import { BOOKS, decision as strip, doIt, now, sitAt } from './fight';
import { Eager, ask, decisionOf } from './line';

/** Fights on over the line until a decision is as it is wanted, and the page shows it. */
async function until(page: Page, made: BattleMade, wanted: (decision: Decision) => boolean, most = 60): Promise<Decision> {
  const eager = new Eager();
  for (let n = 0; n < most; n++) {
    const decision = await decisionOf(page, made);
    if (wanted(decision)) {
      await expect(strip(page)).toHaveAttribute('data-moment', String(decision.moment), { timeout: 20_000 });
      return decision;
    }
    await eager.step(page, made, decision);
  }
  throw new Error('no decision is ever as it is wanted');
}

const panel = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

for (const { book, scenario } of BOOKS) {
  test(`advice is read, taken, and gone once the battle has gone on: ${book}`, async ({ page }) => {
    test.setTimeout(120_000);
    const made = await sitAt(page, scenario);
    const { moment } = await until(page, made, ({ offers, interrupt }) => offers.length > 5 && !interrupt);
    await panel(page, 'Advice');
    await page.getByRole('button', { name: 'What would it do?' }).click();
    const advice = page.getByRole('region', { name: 'Advice' });
    await expect(advice).toContainText('Drill-master: ', { timeout: 60_000 });
    // As a staff officer would put it: sentences, with the figures in brackets, and why not the next best.
    const said = await advice.locator('p').allTextContents();
    expect(said.length).toBeGreaterThan(1);
    for (const one of said) expect(one.trim()).toMatch(/^\S.*[.)]$/);
    await advice.getByRole('button', { name: 'Take this advice' }).click();
    await expect(page.locator('.drafted .what')).toBeVisible();
    await expect(doIt(page)).toBeInViewport({ ratio: 1 });
    await doIt(page).click();
    await expect.poll(() => now(page), { timeout: 20_000 }).toBeGreaterThan(moment);
    await expect(advice).toHaveCount(0);
  });

  test(`where the rules only advise, a breach is named and done all the same: ${book}`, async ({ page }) => {
    test.setTimeout(120_000);
    const made = await sitAt(page, scenario, { enforcement: 'advise' });
    for (const name of ['All choices in words', 'Story']) await panel(page, name);
    const eager = new Eager();
    const broken = page.locator('.story .overridden');
    for (let n = 0; n < 40 && (await broken.count()) === 0; n++) {
      const reply = await ask(page, made.id, made.secrets.umpire, { type: 'decision', closed: true });
      if (reply.type !== 'decision') throw new Error(reply.type);
      const closed = reply.closed.find(({ unit }) => unit !== null);
      await expect(strip(page)).toHaveAttribute('data-moment', String(reply.moment), { timeout: 20_000 });
      const view = await ask(page, made.id, made.secrets.umpire, { type: 'view', moment: null });
      const name = view.type === 'view' && closed ? view.view.units.find(({ id }) => id === closed.unit)?.name : undefined;
      // Named in the list where it may act, which lies over part of the table; pointed at otherwise.
      const listed = page.locator('.acting').getByRole('button', { name: name ?? '', exact: true });
      const stand = page.locator(`.unit[data-token="${closed?.unit}"] .stand`).first();
      if (name) {
        if ((await listed.count()) > 0) await listed.first().click();
        else await stand.click({ force: true });
        const breach = page.locator('.closed').getByRole('button', { name: /do it all the same/ });
        // What is closed is asked for when there is time, and folded away.
        const folded = page.locator('.choices details');
        await folded.waitFor({ timeout: 2_000 }).catch(() => undefined);
        if ((await folded.count()) > 0) await folded.evaluate((one: HTMLDetailsElement) => (one.open = true));
        if ((await breach.count()) > 0) {
          await breach.first().click({ timeout: 3_000 }).catch(() => undefined);
          // What is impossible is told to be so; anything else is done.
          await expect.poll(async () => (await now(page)) > reply.moment || (await page.getByRole('alert').count()) > 0, { timeout: 10_000 }).toBe(true);
        }
      }
      const after = await decisionOf(page, made);
      if (after.moment === reply.moment) await eager.step(page, made, after);
    }
    await expect(broken.first()).toBeVisible();
  });

  test(`a computer player plays on for a person, who takes over again: ${book}`, async ({ page }) => {
    const made = await sitAt(page, scenario, { players: { a: 'person', b: 'recruit' } }, ['a']);
    await until(page, made, ({ side }) => side === 'A');
    await panel(page, 'Advice');
    await page.getByLabel('Adviser').selectOption('recruit');
    await page.getByRole('button', { name: 'Let it finish' }).click();
    const plays = page.getByText(/plays for you\./);
    await expect(plays).toBeVisible();
    const moment = (await decisionOf(page, made)).moment;
    await expect.poll(async () => (await decisionOf(page, made)).moment, { timeout: 20_000 }).toBeGreaterThan(moment + 2);
    await page.getByRole('button', { name: 'Take over again' }).click();
    await expect(plays).toHaveCount(0);
    // Whatever is asked next of this side is asked of the person again.
    await expect.poll(async () => (await decisionOf(page, made)).side, { timeout: 20_000 }).toBe('A');
    await expect(strip(page).locator('.says')).toBeVisible({ timeout: 20_000 });
  });

  test(`what needed no dice is taken back: ${book}`, async ({ page }) => {
    const made = await sitAt(page, scenario);
    const eager = new Eager();
    let back = false;
    for (let n = 0; n < 25 && !back; n++) {
      await eager.step(page, made, await decisionOf(page, made));
      const { moment } = await decisionOf(page, made);
      await expect(strip(page)).toHaveAttribute('data-moment', String(moment), { timeout: 20_000 });
      await page.keyboard.press('u');
      back = await expect.poll(() => now(page), { timeout: 1_500 }).toBe(moment - 1).then(() => true, () => false);
      if (back) expect((await decisionOf(page, made)).moment).toBe(moment - 1);
    }
    expect(back).toBe(true);
  });

  test(`what everybody threatens and commands is seen while X is held, and one’s own side comes first: ${book}`, async ({ page }) => {
    const made = await sitAt(page, scenario, {}, ['b']);
    const overlays = page.locator('.overlay');
    const before = await overlays.count();
    await page.keyboard.down('x');
    await expect.poll(() => overlays.count()).toBeGreaterThan(before + 2);
    await page.keyboard.up('x');
    await expect(overlays).toHaveCount(before);
    const view = await ask(page, made.id, made.secrets.umpire, { type: 'view', moment: null });
    if (view.type !== 'view') throw new Error(view.type);
    const own = view.view.setting.sides.find(({ side }) => side === 'B')?.name ?? '';
    await panel(page, 'Roster');
    await expect(page.locator('.drawer.left h3').first()).toHaveText(own);
    // Nearest to one's own edge of the window: below the others, or beside them where that would make the sheet small.
    const middle = (side: string) =>
      page.locator('.unit:has(.stand)').evaluateAll(
        (all, ids) => {
          const boxes = all.filter((one) => ids.includes(one.getAttribute('data-token') ?? '')).map((one) => one.getBoundingClientRect());
          return boxes.reduce((sum, box) => ({ x: sum.x + box.x / boxes.length, y: sum.y + box.y / boxes.length }), { x: 0, y: 0 });
        },
        view.view.units.filter((unit) => unit.side === side).map(({ id }) => id as string),
      );
    const [mine, theirs] = [await middle('B'), await middle('A')];
    expect(mine.y > theirs.y + 40 || mine.x < theirs.x - 40).toBe(true);
    // Both armies have a rim of their own pattern, whatever their coats.
    const rims = await page.evaluate(() => ['A', 'B'].map((side) => getComputedStyle(document.querySelector(`.side-edge.${side}`) ?? document.body).strokeDasharray));
    expect(rims[0]).not.toBe(rims[1]);
    // Close by, battalions carry their colours.
    await expect(page.locator('.battalion-colour')).toHaveCount(0);
    for (let n = 0; n < 8; n++) await page.getByRole('button', { name: 'Closer' }).click();
    await expect(page.locator('.battalion-colour').first()).toBeAttached();
  });
}

test('an instruction is given with a button, and one key ends it', async ({ page }) => {
  const made = await sitAt(page, 'teaching', { set: ['options.first=fr'] });
  await until(page, made, ({ reaction }) => reaction !== null, 80);
  await strip(page).getByRole('button', { name: /^Let it pass/ }).click();
  const choices = page.locator('[popover]:popover-open');
  await expect(choices.getByRole('button')).toHaveCount(5);
  await choices.getByRole('button', { name: 'for this turn' }).click();
  const again = page.getByRole('button', { name: 'Ask me again' });
  await expect(again).toBeVisible();
  await page.keyboard.press('q');
  await expect(again).toBeHidden();
});

test('what can be taken back is done at once, where that is wished for', async ({ page }) => {
  const made = await sitAt(page, 'the-crossroads');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Do at once what can be taken back' }).click();
  await page.keyboard.press('Escape');
  const decision = await until(page, made, ({ offers }) => offers.some(({ handle, act }) => handle.by === 'along' && act === 'advance'));
  const advance = decision.offers.find(({ handle, act }) => handle.by === 'along' && act === 'advance');
  if (advance?.handle.by !== 'along') throw new Error('nobody can advance');
  const box = await page.locator(`.unit[data-token="${advance.handle.unit}"] .stand`).first().boundingBox();
  if (!box) throw new Error('not on the table');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  // Towards the middle of the table, where its front looks.
  const pane = await page.locator('.window').boundingBox();
  const to = { x: x + ((pane?.width ?? 0) / 2 - x) * 0.2, y: y + ((pane?.height ?? 0) / 2 - y) * 0.4 };
  for (let n = 1; n <= 5; n++) await page.mouse.move(x + ((to.x - x) * n) / 5, y + ((to.y - y) * n) / 5);
  await page.mouse.up();
  await expect.poll(() => now(page)).toBeGreaterThan(decision.moment);
});

test('dice of ten sides look like it', async ({ page }) => {
  await sitAt(page, 'the-crossroads');
  await strip(page).getByRole('button', { name: /^Roll/ }).click();
  const die = page.locator('.fall .die').first();
  await expect(die.locator('.facet')).toHaveCount(1);
  await expect(die.locator('text')).toHaveText(/^(10|[1-9])$/);
});

test('two fingers turn and bring closer', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ hasTouch: true, isMobile: true, baseURL: baseURL ?? '', viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await sitAt(page, 'meeting');
  const world = () => page.locator('.world').evaluate((one) => new DOMMatrix(getComputedStyle(one).transform));
  const line = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number; id: number }[]) => line.send('Input.dispatchTouchEvent', { type, touchPoints });
  const at = async () => (await page.locator('.unit[data-token="#0"]').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const [before, stood] = [await at(), await world()];
  await touch('touchStart', [{ x: 150, y: 330, id: 0 }, { x: 240, y: 330, id: 1 }]);
  for (let n = 1; n <= 6; n++) await touch('touchMove', [{ x: 150 - n * 10, y: 330, id: 0 }, { x: 240 + n * 10, y: 330 + n * 8, id: 1 }]);
  await touch('touchEnd', []);
  await page.waitForTimeout(400);
  const [after, turned] = [await at(), await world()];
  expect(Math.hypot(after.width, after.height)).toBeGreaterThan(1.3 * Math.hypot(before.width, before.height));
  const angle = (one: { a: number; b: number }) => (Math.atan2(one.b, one.a) * 180) / Math.PI;
  expect(Math.abs(angle(turned) - angle(stood))).toBeGreaterThan(5);
});

test('the first page shows one book where that is wished, and a card begins with the side that is pointed at', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('group', { name: 'Which book' }).getByRole('button', { name: 'Malbrook' }).click();
  await expect(page.locator('.cards article').first()).toBeVisible();
  for (const facts of await page.locator('.cards .facts').allTextContents()) expect(facts).toContain('Malbrook');
  await page.getByRole('button', { name: 'As the French: The meeting at the mill' }).click();
  await expect(strip(page)).toContainText('You are the French.', { timeout: 20_000 });
  const held = await page.evaluate(() => (JSON.parse(localStorage.getItem('sabretache.seats') ?? '[]') as { id: string; all: { umpire: string } }[])[0]);
  const info = (await (await page.request.get(`/api/battles/${held?.id}`, { headers: { Authorization: `Seat ${held?.all.umpire}` } })).json()) as { players: { a: string; b: string } };
  expect(info.players).toEqual({ a: 'drill-master', b: 'person' });
});

test('the rulebook has its contents by chapter, ranks what it finds, and says where a ruling begins', async ({ page }) => {
  await page.goto('/rules/huzzah');
  const contents = page.locator('.contents li');
  await expect(contents.first()).toBeVisible();
  expect(await contents.count()).toBeGreaterThan(20);
  await expect(page.locator('.ruling').first()).toContainText('Our ruling:');
  await page.getByLabel('Search the clauses').fill('threat zone');
  const found = page.locator('article h2');
  // Those that are called so come before those that only speak of it.
  await expect(found.first()).toContainText(/threat zone/i);
  // A clause that is asked for by its address has its heading below the search, on a telephone, too.
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/');
    await page.goto('/rules/huzzah#HZ-THR-03');
    await expect(page.locator('#HZ-THR-03 h2')).toBeInViewport({ ratio: 1 });
    await expect
      .poll(async () => {
        const [heading, search] = [await page.locator('#HZ-THR-03 h2').boundingBox(), await page.locator('.search').boundingBox()];
        return (heading?.y ?? 0) - (search?.y ?? 0) - (search?.height ?? 0);
      })
      .toBeGreaterThanOrEqual(0);
  }
});

test('a scenario’s sheet bears its name, its day and what it is about', async ({ page }) => {
  await page.goto('/sheet/maida');
  await expect(page.getByRole('heading', { level: 1, name: 'Maida' })).toBeVisible();
  await expect(page.getByText('4 July 1806')).toBeVisible();
  await page.getByText('What it is about').click();
  await expect(page.locator('header details p')).toBeInViewport({ ratio: 1 });
});

for (const { book, scenario } of BOOKS) {
  test(`what a move costs, and whom it invites, is told before it is made: ${book}`, async ({ page }) => {
    test.setTimeout(240_000);
    const made = await sitAt(page, scenario);
    const eager = new Eager();
    for (let n = 0; n < 220; n++) {
      const { offers, moment, side } = await decisionOf(page, made);
      if (!side) break;
      // No faster than the server lets anybody ask.
      await page.waitForTimeout(120);
      const moves = offers.filter(({ handle, input, act }) => handle.by === 'along' && input.kind === 'distance' && act === 'advance').slice(0, 3);
      for (const offer of moves) {
        if (offer.handle.by !== 'along' || offer.input.kind !== 'distance') continue;
        const { unit } = offer.handle;
        await page.waitForTimeout(60);
        const seen = await ask(page, made.id, made.secrets.umpire, { type: 'preview', offer: offer.key, value: { distance: offer.input.most } });
        if (seen.type !== 'preview' || seen.costs.length + seen.invites.length === 0) continue;
        await expect(strip(page)).toHaveAttribute('data-moment', String(moment), { timeout: 20_000 });
        await panel(page, 'All choices in words');
        const view = await ask(page, made.id, made.secrets.umpire, { type: 'view', moment: null });
        const name = view.type === 'view' ? (view.view.units.find(({ id }) => id === unit)?.name ?? '') : '';
        await page.locator('.acting').getByRole('button', { name, exact: true }).first().click();
        await page.locator('.offers').getByRole('button', { name: offer.label }).first().click();
        const told = page.locator('.drafted').locator('.cost, .invite');
        await expect(told.first()).toContainText(seen.costs[0]?.text ?? seen.invites[0]?.text ?? '');
        await expect(told.first().locator('.clause')).toBeVisible();
        return;
      }
      await eager.step(page, made, await decisionOf(page, made));
    }
    throw new Error('no move ever costs anything');
  });
}

test('a seat whose link is given away is left', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await sitAt(page, 'teaching');
  await expect(strip(page)).toContainText('You play both sides.');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Seats and links' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('li').nth(1).getByRole('button', { name: 'Copy link' }).click();
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(strip(page)).toContainText('You are the French.');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('#seat=');
});
