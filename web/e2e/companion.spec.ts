/** Beside a real table, on a telephone: every test of every book. */
import { expect, test, type Page } from '@playwright/test';
import { widest } from './fight';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

const answer = (page: Page) => page.getByRole('region', { name: 'What must be rolled' });

/** What must be said before there is anything to roll for: an untouched situation has no reason for a test. */
const MORE = (label: string) => async (page: Page) => page.getByRole('button', { name: `More: ${label}`, exact: true }).first().tap();
const FIRST: Record<string, (page: Page) => Promise<void>> = {
  '/companion/huzzah/threat': MORE('How many enemy infantry units in line threaten it'),
  '/companion/huzzah/rearm': async (page) => {
    await MORE('Its batteries on the table')(page);
    await MORE('How many of them have no bombardments left')(page);
  },
  '/companion/huzzah/reform': MORE('Its staggers'),
  '/companion/batteries/morale': async (page) => page.getByLabel('It has lost a round of combat').check(),
  '/companion/malbrook/artillery': async (page) => {
    await page.getByLabel(/^The gun that fires/).selectOption('medium-gun');
    await page.getByLabel('How far it is to the target, in inches', { exact: true }).fill('12');
  },
  '/companion/malbrook/scatter': async (page) => page.getByLabel('How far it is to the target, in inches', { exact: true }).fill('12'),
  '/companion/malbrook/combat': async (page) => {
    for (const side of ['The one side', 'The other']) {
      const force = page.getByRole('group', { name: side });
      await force.getByRole('button', { name: 'Add' }).tap();
      for (let n = 0; n < 2; n++) await force.getByRole('button', { name: 'More: Its bases in combat' }).tap();
    }
  },
  '/companion/malbrook/move': MORE('Average dice'),
};

/** Says what a test needs before there is anything to roll for. */
async function said(page: Page, path: string) {
  const first = FIRST[path];
  if (!first) return;
  await expect(answer(page).getByRole('alert').first(), path).not.toBeEmpty();
  await first(page);
  await page.keyboard.press('Tab');
}

/** Throws whatever is asked for until it is known what came of it, and tells that. */
async function rolledOut(page: Page, path: string): Promise<string> {
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
  return ((await done.locator('strong').textContent()) ?? '').trim();
}

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
      // As a link does, without loading the page anew.
      await page.evaluate((path) => (history.pushState(null, '', path), dispatchEvent(new PopStateEvent('popstate'))), path);
      await said(page, path);
      const shares = answer(page).locator('.odds b');
      await expect(shares.first(), path).toBeVisible();
      // While the situation is filled in, older odds may still be on their way.
      const sum = () => shares.evaluateAll((all) => all.map((one) => (one as HTMLElement).title.split('/').map(Number)).reduce((so, [up = 0, down = 1]) => so + up / down, 0));
      await expect.poll(async () => Math.abs((await sum()) - 1), { message: `the odds of ${path} add up to one` }).toBeLessThan(1e-9);
      expect(await widest(page), `${path} is no wider than the screen`).toBeLessThanOrEqual(390);
      await rolledOut(page, path);
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

/** Each book's whole turn, as an umpire with a telephone goes through it. */
const TURNS = {
  huzzah: { scenario: 'Maida', steps: 11, first: 'Skirmisher superiority', last: 'Rally, reform and rout', mark: 'More: kills: Light Battalion' },
  batteries: { scenario: 'The crossroads', steps: 6, first: 'Initiative', last: 'End of the turn', mark: 'Less: figures: The 43rd' },
  malbrook: { scenario: 'Ramillies', steps: 11, first: 'Initiative', last: 'Morale', mark: 'More: DPs: Dutch Guards' },
} as const;
for (const [book, { scenario, steps, first, last, mark }] of Object.entries(TURNS)) {
  test(`a whole turn of ${book} is refereed beside a real table: every phase, every test, marks and story`, async ({ page }) => {
    test.setTimeout(90_000);
    await page.goto(`/companion/${book}`);
    await page.getByRole('link', { name: 'Keep a battle' }).tap();
    await page.getByRole('button', { name: scenario, exact: true }).tap();
    const phase = page.getByRole('region', { name: 'The phase' });
    const next = phase.getByRole('button', { name: 'Next phase' });
    const links = async () => phase.locator('.tests a').evaluateAll((all) => all.map((one) => new URL((one as HTMLAnchorElement).href).pathname));
    await expect(phase.getByRole('heading')).toBeVisible();
    const met = new Set(await links());
    await next.tap();
    await expect(phase.getByRole('heading')).toContainText(first);
    await page.getByRole('button', { name: mark, exact: true }).tap();
    const refereed: string[] = [];
    for (let step = 1; step <= steps; step += 1) {
      for (const link of await links()) met.add(link);
      // A test of each phase that has one is taken from there, rolled to its end, written into the story; and back to the phase.
      const test = (await links()).find((path) => !refereed.some((line) => line.startsWith(path)));
      if (test) {
        await phase.locator(`a[href="${test}"]`).first().tap();
        await said(page, test);
        const outcome = await rolledOut(page, test);
        refereed.push(`${test} ${outcome}`);
        await answer(page).getByRole('button', { name: 'Write it into the story' }).tap();
        await expect(answer(page).getByRole('button', { name: 'It stands in the story' })).toBeDisabled();
        expect(await widest(page), test).toBeLessThanOrEqual(390);
        await answer(page).getByRole('link', { name: 'Keep a battle' }).tap();
        await expect(phase.getByRole('heading')).toBeVisible();
      }
      for (const box of await phase.getByRole('checkbox').all()) if (step !== 1) await box.check();
      if (step === steps) await expect(phase.getByRole('heading')).toContainText(last);
      expect(await widest(page)).toBeLessThanOrEqual(390);
      await next.tap();
    }
    await expect(phase).toContainText('Turn 2');
    const listed = (await (await page.request.get(`/api/rulesets/${book}/tests`)).json()) as { name: string }[];
    expect([...met].sort(), 'every test of the book has its place in the turn').toEqual(listed.map(({ name }) => `/companion/${book}/${name}`).sort());
    // It is still there after a reload, with its story; what was not ticked in a turn is told while the turn lasts.
    await page.reload();
    await expect(phase).toContainText('Turn 2');
    await next.tap();
    await expect(phase).toContainText('not ticked this turn');
    await page.getByText('The story so far').tap();
    await expect(page.locator('pre')).toContainText(`Turn 1, ${first}: ${mark.split(': ')[2] ?? ''}`);
    expect(refereed.length).toBeGreaterThan(3);
    const story = (await page.locator('pre').textContent()) ?? '';
    for (const line of refereed) expect(story).toContain(line.slice(line.indexOf(' ') + 1));
  });
}

test('troops of one’s own, of which no file tells: a roster by hand, orders, and the marks of each arm', async ({ page }) => {
  await page.goto('/companion/malbrook/battle');
  await page.getByText('Troops of your own').tap();
  await page.getByLabel('One side').fill('Left wing: Guards\nLeft wing: Horse');
  await page.getByLabel('The other side').fill('Picardie');
  await page.getByRole('button', { name: 'Begin' }).tap();
  const phase = page.getByRole('region', { name: 'The phase' });
  await phase.getByRole('button', { name: 'Next phase' }).tap();
  await page.getByLabel('Orders: Left wing').selectOption('attack');
  await page.getByRole('button', { name: 'More: DPs: Picardie', exact: true }).tap();
  await page.reload();
  await expect(page.getByLabel('Orders: Left wing')).toHaveValue('attack');
  await page.getByText('The story so far').tap();
  await expect(page.locator('pre')).toContainText('Left wing: attack');
  await expect(page.locator('pre')).toContainText('Picardie: DPs 0 → 1');
});

test('foot have no smoke and no bombardments: each arm has its own marks', async ({ page }) => {
  await page.goto('/companion/huzzah/battle');
  await page.getByRole('button', { name: 'Maida', exact: true }).tap();
  await expect(page.getByRole('button', { name: 'More: staggers: 1/27th Inniskilling', exact: true })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'More: smoke: 1/27th Inniskilling', exact: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^More: smoke: / })).toHaveCount(await page.getByRole('button', { name: /^More: bombardments left: / }).count());
  await expect(page.getByRole('button', { name: /^More: smoke: / }).first()).toBeAttached();
});

test('without a net the companion goes on: forms, turn, notes, and the books themselves where they are aboard', async ({ page, context }) => {
  test.setTimeout(90_000);
  await page.goto('/companion/huzzah');
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active);
  // What the worker keeps is fetched as it is installed; the page is loaded once more so that it answers.
  await page.reload();
  await expect(page.locator('.tiles a').first()).toBeVisible();
  const aboard = ((await page.request.get('/pocket.wasm')).headers()['content-type'] ?? '').includes('wasm');
  await context.setOffline(true);
  await page.goto('/companion/huzzah/threat');
  await page.getByRole('button', { name: 'More: How many enemy infantry units in line threaten it' }).tap();
  if (aboard) {
    await page.getByRole('button', { name: 'More: How many enemy infantry units in line threaten it' }).tap();
    await page.getByRole('button', { name: 'More: Its kills' }).tap();
    // The same as with a net: Trained needs 8; two zones and a kill take it down to 6.
    await answer(page).getByText('Target 6').tap();
    await expect(answer(page)).toContainText('HZ-THR-12');
    await expect(answer(page).locator('.odds li', { hasText: /^passes \d/ }).locator('b')).toHaveAttribute('title', '7/18');
    await answer(page).getByRole('button', { name: 'Throw the dice' }).tap();
    await answer(page).getByRole('button', { name: '4', exact: true }).tap();
    await answer(page).getByRole('button', { name: '4', exact: true }).tap();
    await expect(answer(page).getByRole('status')).toContainText('2 staggers');
  } else await expect(answer(page).getByRole('alert')).toContainText('There is no net');
  await page.goto('/companion/malbrook/battle');
  await page.getByText('Troops of your own').tap();
  await page.getByLabel('One side').fill('Guards');
  await page.getByLabel('The other side').fill('Picardie');
  await page.getByRole('button', { name: 'Begin' }).tap();
  const phase = page.getByRole('region', { name: 'The phase' });
  await phase.getByRole('button', { name: 'Next phase' }).tap();
  await expect(phase.getByRole('heading')).toContainText('Initiative');
  await page.getByRole('button', { name: 'More: DPs: Guards', exact: true }).tap();
  await page.reload();
  await page.getByText('The story so far').tap();
  await expect(page.locator('pre')).toContainText('Guards: DPs 0 → 1');
});

test('an umpire and two players at one table: links, marks, a hidden unit, a letter on its way, a question and its answer', async ({ page, browser }) => {
  test.setTimeout(120_000);
  await page.goto('/companion/malbrook/battle');
  await page.getByRole('button', { name: 'Ramillies', exact: true }).tap();
  await page.getByText('Several telephones').tap();
  await page.getByRole('button', { name: 'Lay it open' }).tap();
  const links = page.getByLabel(/^Link for/);
  await expect(links).toHaveCount(2);
  const seats = await Promise.all(
    [0, 1].map(async (n) => {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
      const telephone = await context.newPage();
      await telephone.goto(await links.nth(n).inputValue());
      await expect(telephone.getByRole('region', { name: 'The phase' })).toBeVisible();
      return telephone;
    }),
  );
  const [allies, french] = seats;
  if (!allies || !french) throw new Error('somebody is missing');
  await expect(allies.getByText('Several telephones')).toBeVisible();

  // A player marks his own troops and nobody else's; the others see it.
  const more = (on: Page, unit: string) => on.getByRole('button', { name: `More: DPs: ${unit}`, exact: true });
  await expect(more(french, 'Dutch Guards')).toBeDisabled();
  await more(allies, 'Dutch Guards').tap();
  const shown = (on: Page) => on.locator('.unit', { has: on.getByText('Dutch Guards', { exact: true }) }).first().locator('.figures').first();
  for (const telephone of [page, french]) await expect(shown(telephone)).toContainText('1');

  // The umpire alone goes on; a letter is read when it has arrived.
  await expect(french.getByRole('button', { name: 'Next phase' })).toBeDisabled();
  await allies.getByText('Letters and questions').tap();
  await allies.getByLabel('A letter or an order').fill('Hold the mill to the last man');
  await allies.getByRole('combobox', { name: 'To' }).selectOption({ index: 1 });
  await allies.getByRole('button', { name: 'Send the messenger' }).tap();
  await expect(allies.getByText('Hold the mill to the last man')).toBeVisible();
  await page.getByText(/^Letters and questions/).tap();
  await expect(page.getByText('on its way until turn 1')).toBeVisible();
  await french.getByText('Letters and questions').tap();
  await french.getByLabel('A question for the umpire').fill('Is he behind my flank?');
  await french.getByRole('button', { name: 'Ask' }).tap();
  await page.getByText('The story so far').tap();
  await expect(page.locator('pre')).toContainText('Is he behind my flank?');
  await expect(french.getByText('Hold the mill to the last man')).toHaveCount(0);
  await page.getByRole('button', { name: 'Next phase' }).tap();
  await expect(french.getByText('Hold the mill to the last man')).toBeVisible();
  await page.getByLabel('A decision').fill('He is not.');
  await page.getByRole('button', { name: 'Decide' }).tap();
  await french.getByText('The story so far').tap();
  await expect(french.locator('pre')).toContainText('He is not.');

  // What is hidden the enemy does not see.
  await page.getByRole('button', { name: 'hidden: Dutch Guards', exact: true }).first().tap();
  await expect(french.getByText('Dutch Guards', { exact: true })).toHaveCount(0);
  await expect(allies.getByText('Dutch Guards', { exact: true }).first()).toBeVisible();
  for (const telephone of [page, allies, french]) expect(await widest(telephone)).toBeLessThanOrEqual(390);
  await Promise.all(seats.map((telephone) => telephone.context().close()));
});
