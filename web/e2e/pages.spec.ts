import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test, type Page } from '@playwright/test';
import { fixture } from '../scripts/fixture.mjs';
import { BOOKS, after, atMoment, begin, choose, inWords, momentOf, sitAt, widest } from './fight';

test('the replay shows every moment, and a battle goes on from any of them', async ({ page }) => {
  await begin(page);
  await choose(page, 'Red left', /Advance/);
  await choose(page, 'Red right', /Advance/);
  const at = () => page.locator('[data-token="#0"] .stand').getAttribute('d');
  const moved = await at();
  await page.getByLabel('Moment of the battle').fill('1');
  await expect(page.getByText('You look back: moment 1 of 3.')).toBeVisible();
  expect(await at()).not.toBe(moved);
  await page.locator('.story .head').nth(1).click();
  await expect(page.getByText('You look back: moment 2 of 3.')).toBeVisible();
  expect(await at()).toBe(moved);
  await page.getByRole('button', { name: 'Replay' }).click();
  await expect(page.getByText('You look back')).toBeHidden();
  await page.getByLabel('Moment of the battle').fill('2');
  const before = page.url();
  await page.getByRole('button', { name: 'Fight on from here' }).click();
  await expect(page).not.toHaveURL(before);
  await atMoment(page, 2);
  await inWords(page);
  await choose(page, 'Red right', /Wheel/);
});

test('a log is downloaded, proved on the way back in, and refused when a byte of it was changed', async ({ page }) => {
  await begin(page, { red: 'recruit', blue: 'recruit' });
  await expect(after(page)).toBeVisible({ timeout: 45_000 });
  const moments = await momentOf(page);
  await after(page).click();
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the log' }).click();
  const text = readFileSync(await (await waiting).path(), 'utf8');
  const file = (body: string) => ({ name: 'battle.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(body) });
  await page.goto('/');
  await page.locator('input[type=file]').setInputFiles(file(text.replace('"turn"', '"tern"').replace('"offer"', '"affer"')));
  await expect(page.getByRole('alert')).toContainText(/line \d+/);
  await page.locator('input[type=file]').setInputFiles(file(text));
  await expect(page).toHaveURL(/\/battle\//);
  await atMoment(page, moments);
});

test('the rulebook is searched', async ({ page }) => {
  await page.goto('/rules/picket');
  const all = await page.locator('article').count();
  await page.getByLabel('Search the clauses').fill('friend hand');
  await expect(page.locator('article').first()).toContainText('friend');
  expect(await page.locator('article').count()).toBeLessThan(all || 99);
});

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

interface Fault {
  id: string;
  impact: string | null;
  nodes: { html: string }[];
}

/** A map is one picture with a name: the thousands of strokes it is made of are left out. */
async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(() => (window as unknown as { axe: { run(what: object): Promise<{ violations: Fault[] }> } }).axe.run({ exclude: [['.sheet'], ['.cards svg']] }));
  const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** Every page there is, with what can be opened on it. */
const PAGES: { name: string; open: (page: Page) => Promise<void> }[] = [
  { name: 'home', open: async (page) => void (await page.goto('/'), await page.getByRole('button', { name: /^First lesson: Malbrook/ }).waitFor()) },
  { name: 'nowhere', open: async (page) => void (await page.goto('/no/such/page'), await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()) },
  { name: 'no such sheet', open: async (page) => void (await page.goto('/sheet/none'), await page.getByText('there is no such scenario').waitFor()) },
  { name: 'sheet', open: async (page) => void (await page.goto('/sheet/blenheim'), await page.locator('.unit').first().waitFor()) },
  {
    name: 'rulebook with examples',
    open: async (page) => {
      await page.goto('/rules/malbrook');
      await page.getByLabel('Search the clauses').fill('MB-MOV-31');
      await page.locator('#MB-MOV-31 summary').click();
      await page.locator('#MB-MOV-31 li').first().waitFor();
    },
  },
];
PAGES.push(
  {
    name: 'a new battle is settled',
    open: async (page) => {
      await page.goto('/sheet/the-crossroads');
      await page.getByRole('button', { name: 'Fight this battle' }).click();
      await page.getByText('Numbers of the book').click();
      await page.getByLabel('Search the numbers by clause or word').waitFor();
    },
  },
  { name: 'exercises', open: async (page) => void (await page.goto('/exercises/malbrook'), await page.locator('.page ol li').first().waitFor()) },
  { name: 'my battles, none yet', open: async (page) => void (await page.goto('/mine'), await page.getByText('No battle yet').waitFor()) },
  {
    name: 'the workshop with a battle in it',
    open: async (page) => {
      await page.goto('/workshop');
      await page.getByRole('button', { name: 'Maida', exact: true }).first().click();
      await page.locator('.unit').first().waitFor();
      await page.getByRole('tab', { name: /Armies/ }).click();
    },
  },
  { name: 'at the table', open: async (page) => void (await page.goto('/companion/batteries/rout'), await page.getByRole('button', { name: 'Throw the dice' }).waitFor()) },
  { name: 'a book on one page', open: async (page) => void (await page.goto('/rules/malbrook/quick'), await page.locator('.columns li').first().waitFor()) },
  {
    name: 'after the battle',
    open: async (page) => {
      const { id } = await sitAt(page, 'meeting');
      await page.goto(`/battle/${id}/after`);
      await page.locator('.line').first().waitFor({ state: 'attached' });
    },
  },
);
for (const { book, scenario } of BOOKS) {
  PAGES.push({
    name: `the table, everything open: ${book}`,
    open: async (page) => {
      await sitAt(page, scenario, { enforcement: 'sandbox' }, ['a', 'b', 'umpire']);
      for (const name of ['All choices in words', 'Story']) await page.getByRole('button', { name, exact: true }).click();
      await page.keyboard.press('n');
      await page.locator('.offers').first().waitFor();
    },
  });
}

for (const { name, open } of PAGES) {
  test(`nothing is wider than a phone, and axe finds nothing serious by either light: ${name}`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ colorScheme: 'light', baseURL: baseURL ?? '', viewport: { width: 390, height: 844 }, bypassCSP: true, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await open(page);
    expect(await widest(page)).toBeLessThanOrEqual(390);
    // Only what is meant to scrolls: the window has no bar of its own beside that of the page.
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThanOrEqual(0);
    expect(await faults(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(page.locator('html')).toHaveAttribute('data-light', 'dark');
    expect(await faults(page)).toEqual([]);
    await context.close();
  });
}

/** The pages of a PDF: Chromium writes them in plain words. */
const pagesOf = (pdf: Buffer) => (pdf.toString('latin1').match(/\/Type \/Page\b/g) ?? []).length;

for (const { book, scenario } of BOOKS) {
  test(`a battle is printed as a map and a roster a side, a book on one page: ${book}`, async ({ page }) => {
    await sitAt(page, scenario);
    const units = await page.locator('.unit[data-token^="#"]').count();
    // What is laid on the paper is there only while it is printed.
    await page.evaluate(() => addEventListener('beforeprint', () => (document.documentElement.dataset.laid = ['.map-page .unit[data-token^="#"]', '.roster-page'].map((one) => document.querySelectorAll(`.paper-sheets ${one}`).length).join(' '))));
    expect(pagesOf(await page.pdf({ preferCSSPageSize: true }))).toBe(3);
    await expect(page.locator('html')).toHaveAttribute('data-laid', `${units} 2`);
    // So is what has not begun yet.
    await page.goto(`/sheet/${scenario}`);
    await page.locator('.unit').first().waitFor();
    await page.evaluate(() => addEventListener('beforeprint', () => (document.documentElement.dataset.laid = String(document.querySelectorAll('.paper-sheets .map-page .unit[data-token^="#"]').length))));
    expect(pagesOf(await page.pdf({ preferCSSPageSize: true }))).toBeGreaterThan(0);
    await expect(page.locator('html')).toHaveAttribute('data-laid', String(units));
    await page.goto(`/rules/${book}/quick`);
    await page.locator('.columns h3').first().waitFor();
    expect(pagesOf(await page.pdf({ preferCSSPageSize: true }))).toBeLessThanOrEqual(2);
  });
}

test('no link of the first page is without a name', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: /^Otherwise…/ }).first().waitFor();
  const names = await page.getByRole('link').evaluateAll((all) => all.map((one) => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim()));
  expect(names.length).toBeGreaterThan(14);
  expect(names.filter((name) => name === '')).toEqual([]);
});

test('every page that the head of a page leads to can be asked for by its address', async ({ page }) => {
  await page.goto('/');
  const paths = await page.getByRole('navigation').getByRole('link').evaluateAll((all) => all.map((one) => new URL((one as HTMLAnchorElement).href).pathname));
  expect(paths.length).toBeGreaterThan(5);
  for (const path of paths) expect((await page.request.get(path)).status(), path).toBe(200);
});

test('the first page shows the scenarios with their maps', async ({ page }) => {
  await page.goto('/');
  const card = page.locator('.cards svg').first();
  await card.waitFor();
  const [paint, useful] = await page.evaluate(() => [performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0, performance.now()]);
  console.log(`first paint after ${paint?.toFixed(0)} ms, the scenarios with their maps after ${useful?.toFixed(0)} ms at most`);
  await expect(card).toBeVisible();
});

test('a finger does what a mouse does', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ hasTouch: true, baseURL: baseURL ?? '', viewport: { width: 1024, height: 768 } });
  const page = await context.newPage();
  await begin(page);
  await page.locator('[data-token="#1"]').tap();
  await page.locator('.offers').getByRole('button', { name: /Advance/ }).tap();
  await page.getByRole('button', { name: 'Do it' }).tap();
  await atMoment(page, 2);
});

/** The times between the next frames, in order. */
const frames = (page: Page, count: number) =>
  page.evaluate(
    (count) =>
      new Promise<number[]>((done) => {
        const times: number[] = [];
        let last = performance.now();
        const frame = (now: number) => {
          times.push(now - last);
          last = now;
          if (times.length < count) requestAnimationFrame(frame);
          else done(times.slice(5).sort((a, b) => a - b));
        };
        requestAnimationFrame(frame);
      }),
    count,
  );

const told = (times: number[]) => {
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  return `median frame ${at(0.5)} ms, 95th percentile ${at(0.95)} ms`;
};

/** A sheet of four hundred units with the mouse over it. */
async function crowded(page: Page) {
  await page.route('**/api/scenarios/fixture', (route) => route.fulfill({ json: fixture(200) }));
  await page.goto('/sheet/fixture');
  await expect(page.locator('.unit')).toHaveCount(404);
  const box = await page.getByRole('application').boundingBox();
  if (!box) throw new Error('no table');
  const [x, y] = [box.x + 500, box.y + 300];
  await page.mouse.move(x, y);
  return { x, y, first: () => page.locator('.unit').first().boundingBox() };
}

test('four hundred units are panned', async ({ page }) => {
  const { x, y, first } = await crowded(page);
  for (let n = 0; n < 4; n++) await page.mouse.wheel(0, -200);
  await page.waitForTimeout(800);
  const before = await first();
  const collecting = frames(page, 120);
  await page.mouse.down();
  for (let n = 1; n <= 60; n++) await page.mouse.move(x + n * 3, y);
  await page.mouse.up();
  console.log(`400 units, panned: ${told(await collecting)}`);
  expect((await first())?.x).not.toBe(before?.x);
});

test('four hundred units are zoomed', async ({ page }) => {
  const { first } = await crowded(page);
  const before = await first();
  const collecting = frames(page, 120);
  for (let n = 0; n < 40; n++) await page.mouse.wheel(0, n < 20 ? -60 : 60);
  for (let n = 0; n < 12; n++) await page.mouse.wheel(0, -100);
  console.log(`400 units, zoomed: ${told(await collecting)}`);
  await expect.poll(async () => (await first())?.width).toBeGreaterThan((before?.width ?? 0) * 1.2);
});
