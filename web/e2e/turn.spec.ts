/** A turn as a person lives through it, in each book: what is asked, what is seen, and what a beginner is told. */
import { expect, test, type Page } from '@playwright/test';
import type { BattleMade } from '../src/protocol/BattleMade';
import type { Decision } from '../src/protocol/Decision';
import { BOOKS, after, decision as strip, doIt, now, offers, say, sitAt } from './fight';
import { Eager, ask, decisionOf, someValue } from './line';

/** The turn that lies on the table. */
async function turnOf(page: Page, made: BattleMade): Promise<number> {
  const reply = await ask(page, made.id, made.secrets.umpire, { type: 'view', moment: null });
  return reply.type === 'view' ? (reply.view.turn ?? 0) : 0;
}

/** Says over the line what brings the battle on soonest: that something is enough, or let it pass. */
async function enough(page: Page, made: BattleMade, { offers, moment }: Decision) {
  const ends = offers.filter(({ group }) => group === 'end');
  for (const offer of [...ends.toReversed(), ...offers]) {
    const value = someValue(offer);
    if (value === null) continue;
    const reply = await ask(page, made.id, made.secrets.umpire, { type: 'choose', offer: offer.key, value, moment, dice: [], reveals: {}, despite: false, whole: true });
    if (reply.type === 'moment') return;
  }
  throw new Error(`nothing can be said at moment ${moment}`);
}

const boxes = (page: Page) => page.evaluate(() => ['.window', '.sheet', '.strip'].map((one) => JSON.stringify(document.querySelector(one)?.getBoundingClientRect())).join(' '));

/** The share of the window in which the sheet is seen: all but the strip. */
const share = (page: Page) =>
  page.evaluate(() => {
    const [pane, strip] = ['.window', '.strip'].map((one) => document.querySelector(one)?.getBoundingClientRect());
    return pane && strip ? ((pane.right - pane.left) * (strip.top - pane.top)) / (innerWidth * innerHeight) : 0;
  });

for (const { book, scenario } of BOOKS) {
  test(`the sheet keeps its place and its share of the window for a whole turn: ${book}`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const made = await sitAt(page, scenario);
    const first = await turnOf(page, made);
    const at = await boxes(page);
    let turned = false;
    for (let n = 0; n < 90 && !turned; n++) {
      const decision = await decisionOf(page, made);
      await expect(strip(page)).toHaveAttribute('data-moment', String(decision.moment));
      // Somebody is chosen, what he may do is looked at, and let be.
      await page.keyboard.press('n');
      if (n % 4 === 0) await page.keyboard.press('1');
      expect(await boxes(page), `moment ${decision.moment}`).toBe(at);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await enough(page, made, decision);
      turned = (await turnOf(page, made)) > first;
    }
    expect(turned).toBe(true);
    expect(await share(page)).toBeGreaterThan(0.75);
    await page.setViewportSize({ width: 1024, height: 768 });
    expect(await share(page)).toBeGreaterThan(0.7);
    await page.setViewportSize({ width: 390, height: 844 });
    expect((await page.locator('.window').boundingBox())?.width).toBe(390);
    // At twice the size the question and its answer are still in sight.
    for (const size of [{ width: 720, height: 450 }, { width: 512, height: 384 }]) {
      await page.setViewportSize(size);
      for (const part of [page.locator('.strip h2'), strip(page).getByRole('button').first()]) await expect(part).toBeInViewport({ ratio: 0.9 });
    }
  });

  test(`a whole phase is played by keyboard alone: ${book}`, async ({ page }) => {
    const made = await sitAt(page, scenario);
    const press = (key: string) => page.keyboard.press(key);
    /** Goes through what may be chosen by its number until it says this, and does it. */
    const choose = async (label: RegExp) => {
      const moment = await now(page);
      // The list may be made anew between a look and a key: then the key meant nothing, and one looks again.
      for (let attempt = 0; attempt < 4; attempt++) {
        const labels = await offers(page).getByRole('button').allTextContents();
        const place = labels.findIndex((one) => label.test(one));
        if (place < 0) return false;
        if (place < 9) await press(String(place + 1));
        else {
          // Beyond the ninth the list is gone through with Tab; a second Enter does it.
          await page.getByRole('application').focus();
          for (let n = 0; n < 80 && !label.test(await page.evaluate(() => document.activeElement?.closest('.offers') ? (document.activeElement.textContent ?? '') : '')); n++) await press('Tab');
          await press('Enter');
        }
        const drafted = page.locator('.draft').waitFor({ state: 'visible', timeout: 3_000 });
        if (!(await drafted.then(() => true, () => false))) continue;
        await press('Enter');
        await expect.poll(() => now(page), { intervals: [30, 60, 120], timeout: 8_000 }).toBeGreaterThan(moment);
        return true;
      }
      return false;
    };
    await press('l');
    await expect(offers(page).first()).toBeVisible();
    // To the first phase in which units act, then one of them does, and the phase is ended.
    const opening = /Roll for|Hold fire|Move first|Go first|Enough of (bombardment|command|control)/;
    for (let n = 0; n < 10 && (await choose(opening)); n++);
    const phase = (await decisionOf(page, made)).sentence;
    let acted = false;
    for (let n = 0; n < 14 && !acted; n++) {
      await press('n');
      acted = await choose(/Advance |Roll \d| to advance$/);
    }
    expect(acted, phase).toBe(true);
    // Whoever is moving is brought to his end, whoever still could is left standing, and then it is enough.
    const turn = await turnOf(page, made);
    const phaseOf = async () => {
      const reply = await ask(page, made.id, made.secrets.umpire, { type: 'view', moment: null });
      return reply.type === 'view' ? `${reply.view.phase} ${reply.view.phasing}` : '';
    };
    const inPhase = await phaseOf();
    for (let n = 0; n < 60 && (await phaseOf()) === inPhase && (await turnOf(page, made)) === turn; n++) {
      await press('Escape');
      await press('Escape');
      if (await choose(/No more orders|End the movement|Enough of movement|Hold fire|Officers stay/)) continue;
      for (let k = 0; k <= n % 9; k++) await press('n');
      await choose(/ stand$|Advance /);
    }
    expect(await phaseOf()).not.toBe(inPhase);
  });
}

const FIRST: Record<string, { side: string; asks: RegExp }> = {
  'Huzzah!': { side: 'the French', asks: /French: give an order/ },
  'Brigades and Batteries': { side: 'the French', asks: /it is for the French to move|initiative is with the French/i },
  Malbrook: { side: 'the Allies', asks: /the Allies: go first or second/i },
};
for (const [title, { side, asks }] of Object.entries(FIRST)) {
  test(`from the first page it is two clicks to one’s own turn: ${title}`, async ({ page }) => {
    // Dice that fall alike are thrown again, which is a click more: this seed has none.
    await page.route('/api/battles', async (route) => {
      const made = route.request().postDataJSON() as object;
      await route.continue({ postData: JSON.stringify({ ...made, seed: 7 }) });
    });
    await page.goto('/');
    await page.getByRole('button', { name: `First lesson: ${title}` }).click();
    await strip(page).getByRole('button', { name: /^Roll/ }).click();
    await expect(strip(page)).toContainText(`You are ${side}.`);
    await expect(strip(page)).toContainText(asks);
    // It can be answered at once: by a button of the strip, or by somebody who is lit.
    await expect(strip(page).locator('.says button').or(page.locator('.unit:has(.glow)')).first()).toBeVisible();
  });
}

/**
 * The questions of each of the enemy's turns, three turns long, to somebody who fights: asked as a person is, or `loud`, whenever anything could be done. He does
 * in them what he can, or lets all of it pass.
 */
async function questions(page: Page, scenario: string, set: string[], seed: number, { loud, passes }: { loud?: boolean; passes: boolean }): Promise<number[]> {
  const made = (await (await page.request.post('/api/battles', { data: { scenario, seed, set, players: { a: 'person', b: 'drill-master' } } })).json()) as BattleMade;
  if (loud) await ask(page, made.id, made.secrets.a, { type: 'instruct', side: 'A', instructions: [], quiet: false });
  const eager = new Eager();
  const asked = [0, 0, 0];
  for (let n = 0; n < 400; n++) {
    const reply = await ask(page, made.id, made.secrets.a, { type: 'view', moment: null });
    if (reply.type !== 'view') throw new Error(reply.type);
    const { turn, phasing } = reply.view;
    if ((turn ?? 1) > asked.length) break;
    const decision = await decisionOf(page, made);
    if (!decision.side) break;
    if (decision.side !== 'A') {
      await page.waitForTimeout(150);
      continue;
    }
    // Where a turn is one side's alone, everything asked in the enemy's counts; where the sides share it, what interrupts him.
    const at = (turn ?? 1) - 1;
    if (decision.interrupt || (scenario === 'teaching' && phasing === 'B')) asked[at] = (asked[at] ?? 0) + 1;
    if (passes && decision.reaction) await ask(page, made.id, made.secrets.a, { type: 'choose', offer: decision.reaction.pass, value: 'none', moment: decision.moment, dice: [], reveals: {}, despite: false, whole: true });
    else await eager.step(page, made, decision);
  }
  return asked;
}

const median = (all: number[]) => {
  const sorted = all.toSorted((a, b) => a - b);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 99) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 99)) / 2;
};

for (const { book, scenario } of BOOKS) {
  // The aim is that of the battle that teaches; the others have fewer seeds.
  const seeds = scenario === 'teaching' ? 20 : 4;
  test(`the enemy’s turn asks at most two questions, in the median of ${seeds} seeds: ${book}`, async ({ page }) => {
    test.setTimeout(300_000);
    await page.goto('/rules/picket');
    const set = scenario === 'teaching' ? ['options.first=fr'] : [];
    const fought = (many: number, how: { loud?: boolean; passes: boolean }) => Promise.all(Array.from({ length: many }, (_, seed) => questions(page, scenario, set, seed + 1, how)));
    const passed = await fought(seeds, { passes: true });
    const answered = await fought(seeds, { passes: false });
    for (const [how, asked] of [['lets them pass', passed], ['answers them', answered]] as const) {
      console.log(`${book}, questions in the enemy's turn to somebody who ${how}, three turns of ${seeds} seeds: ${asked.flat().toSorted((a, b) => a - b).join(' ')}`);
      expect(median(asked.flat())).toBeLessThanOrEqual(2);
      // In the first turn there may be more to shoot at than later: between two and three were counted. That is told, and not held to.
      console.log(`of these in the first turn, in the median: ${median(asked.map(([first]) => first ?? 0))}`);
    }
    if (scenario !== 'teaching') return;
    // The same battles with everything asked: more, so that this would be noticed.
    const sum = (turns: number[][]) => turns.flat().reduce((total, one) => total + one, 0);
    const loud = await fought(3, { loud: true, passes: true });
    console.log(`with everything asked, three seeds: ${loud.flat().join(' ')}`);
    expect(sum(loud)).toBeGreaterThan(sum(passed.slice(0, loud.length)));
  });
}

const LESSONS = [
  { title: 'Huzzah!', words: [/skirmishers/, /give orders/, /Officers ride/] },
  { title: 'Brigades and Batteries', words: [/Each turn begins with a roll/, /Take hold of a battalion/, /both sides aim/] },
  { title: 'Malbrook', words: [/roll for the initiative/, /Guns fire first/, /Generals ride/, /Click Kelburn's dragoons/, /Take hold of a lit brigade/] },
];
for (const { title, words } of LESSONS) {
  test(`the first lesson is played through, with its coach: ${title}`, async ({ page }) => {
    test.setTimeout(150_000);
    await page.goto('/');
    await page.getByRole('button', { name: `First lesson: ${title}` }).click();
    await expect(strip(page)).toHaveAttribute('data-moment', /^\d+$/);
    const held = await page.evaluate(() => JSON.parse(localStorage.getItem('sabretache.seats') ?? '[]') as [{ id: string; all: BattleMade['secrets'] }]);
    const made = { id: held[0].id, secrets: held[0].all, proved: null, inherited: 0 };
    const told: string[] = [];
    const coach = page.getByRole('complementary', { name: 'Coach' });
    const own = (await ask(page, made.id, made.secrets.a, { type: 'decision', closed: false })).type === 'decision' ? ['A', 'B'] : [];
    expect(own.length).toBe(2);
    // The first turn by hand, one confirm each; then on to the end as fast as the other side lets us.
    for (let n = 0; n < 700; n++) {
      const decision = await decisionOf(page, made);
      if (!decision.side) break;
      const mine = (await strip(page).locator('.says').count()) > 0 && (await now(page)) === decision.moment;
      if (mine && told.length < words.length) {
        const said = (await coach.textContent({ timeout: 500 }).catch(() => '')) ?? '';
        const next = words.find((one) => one.test(said));
        if (next && !told.includes(String(next))) told.push(String(next));
        const end = decision.offers.findLast(({ group }) => group === 'end');
        if (end && (await strip(page).getByRole('button', { name: end.label, exact: true }).count()) > 0) {
          await say(page, new RegExp(`^${end.label.replace(/[^\w ]/g, '.')}$`));
          continue;
        }
      }
      if ((await page.evaluate((side) => document.querySelector('.strip')?.textContent?.includes(`Thinking`) && side, decision.side)) !== false) {
        await page.waitForTimeout(60);
        continue;
      }
      if (!mine) {
        await page.waitForTimeout(40);
        continue;
      }
      await enough(page, made, decision);
    }
    await expect(after(page)).toBeVisible({ timeout: 15_000 });
    expect(told).toEqual(words.map(String));
    await after(page).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(/Victory|Drawn/);
  });
}

test('a wing is moved at Blenheim, and the frames keep coming', async ({ page }) => {
  test.setTimeout(120_000);
  await page.setViewportSize({ width: 1440, height: 900 });
  const made = await sitAt(page, 'blenheim');
  // To the first decision in which somebody can be drawn.
  for (let n = 0; n < 60; n++) {
    const decision = await decisionOf(page, made);
    if (decision.offers.some(({ handle, act }) => handle.by === 'along' && act === 'advance')) break;
    const roll = decision.offers.find(({ act, group }) => act === 'roll' && group === 'act');
    if (roll) await ask(page, made.id, made.secrets.umpire, { type: 'choose', offer: roll.key, value: 'none', moment: decision.moment, dice: [], reveals: {}, despite: false, whole: true });
    else await enough(page, made, decision);
  }
  const decision = await decisionOf(page, made);
  await expect(strip(page)).toHaveAttribute('data-moment', String(decision.moment));
  const advance = decision.offers.find(({ handle, act }) => handle.by === 'along' && act === 'advance');
  if (advance?.handle.by !== 'along') throw new Error('nobody can advance');
  const box = await page.locator(`.unit[data-token="${advance.handle.unit}"] .stand`).first().boundingBox();
  if (!box) throw new Error('not on the table');
  // A loop round everything, then one is drawn and all that may go along.
  const pane = await page.locator('.window').boundingBox();
  if (!pane) throw new Error('no table');
  await page.keyboard.down('Shift');
  await page.mouse.move(pane.x + 80, pane.y + 30);
  await page.mouse.down();
  await page.mouse.move(pane.x + pane.width - 80, pane.y + pane.height - 120, { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  // Only the frames while it is drawn: a sheet at rest is always quick.
  const collecting = page.evaluate(
    () =>
      new Promise<number[]>((done) => {
        const times: number[] = [];
        let last = performance.now();
        const frame = (time: number) => {
          times.push(time - last);
          last = time;
          if (document.body.dataset.drawn === undefined) requestAnimationFrame(frame);
          else done(times.slice(2).sort((a, b) => a - b));
        };
        requestAnimationFrame(frame);
      }),
  );
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let n = 1; n <= 40; n++) await page.mouse.move(from.x + n, from.y - n);
  await page.evaluate(() => (document.body.dataset.drawn = 'yes'));
  const frames = await collecting;
  await expect(doIt(page)).toBeEnabled();
  await expect(strip(page)).toContainText(/and \d+ more/);
  await page.mouse.up();
  const at = (part: number) => frames[Math.floor(frames.length * part)] ?? 999;
  console.log(`Blenheim, a wing drawn: median frame ${at(0.5).toFixed(1)} ms, 95th percentile ${at(0.95).toFixed(1)} ms`);
  // A machine without a graphics card that does other work beside it: the aim for a desk is 16.7 ms.
  expect(at(0.5)).toBeLessThan(60);
  expect(at(0.95)).toBeLessThan(180);
});
