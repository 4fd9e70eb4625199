/** Two friends, two browsers: an invitation, words, taking back, a draw, giving up, and what can be read without the network. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { decision, momentOf, now, say, widest } from './fight';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');
const SLOW = { timeout: 30_000 };

interface Fault {
  id: string;
  impact: string | null;
  nodes: { html: string }[];
}

async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(() => (window as unknown as { axe: { run(what: object): Promise<{ violations: Fault[] }> } }).axe.run({ exclude: [['.sheet'], ['.cards svg']] }));
  const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

const panel = (page: Page) => page.getByRole('region', { name: 'The other side: words, draw, giving up' });
const unfold = async (page: Page) => {
  const plate = page.getByRole('button', { name: /The other side/ });
  await expect(plate).toBeVisible(SLOW);
  if ((await plate.getAttribute('aria-expanded')) === 'false') await plate.click();
  await expect(panel(page)).toBeVisible();
};

async function fresh(browser: Browser, width = 1400, height = 900): Promise<Page> {
  return (await browser.newContext({ viewport: { width, height } })).newPage();
}

/** Anna invites, Ben opens the link and sits down. */
async function friends(browser: Browser, clock?: string): Promise<{ anna: Page; ben: Page; link: string }> {
  const [anna, ben] = [await fresh(browser), await fresh(browser)];
  await anna.goto('/');
  await anna.getByRole('button', { name: 'Play a friend', exact: true }).click();
  const dialog = anna.getByRole('dialog', { name: 'Play a friend' });
  await expect(dialog.getByLabel('Which battle?')).toHaveValue('teaching');
  await dialog.getByRole('radio').first().check();
  await dialog.getByLabel('Your name').fill('Anna');
  if (clock) await dialog.getByLabel('Time').selectOption(clock);
  await dialog.getByRole('button', { name: 'Make the link' }).click();
  const link = await dialog.getByLabel('The link', { exact: true }).inputValue();
  await expect(dialog.getByRole('img', { name: 'The link as a code for a telephone' })).toBeVisible();
  expect(await faults(anna)).toEqual([]);
  await dialog.getByRole('button', { name: 'To the battle' }).click();
  await expect(decision(anna)).toBeVisible(SLOW);
  await ben.goto(link);
  await expect(ben.getByText('Anna invites you to fight this battle. Your side: Prussians.')).toBeVisible();
  expect(await faults(ben)).toEqual([]);
  await ben.getByLabel('Your name').fill('Ben');
  await ben.getByRole('button', { name: 'Sit down' }).click();
  await expect(ben).toHaveURL(/\/battle\/[0-9a-f]+$/);
  await expect(decision(ben)).toBeVisible(SLOW);
  return { anna, ben, link };
}

test('a friend is invited, sits down, speaks, and the link works once', async ({ browser }) => {
  test.slow();
  const { anna, ben, link } = await friends(browser, 'days7');
  for (const one of [anna, ben]) await unfold(one);
  await expect(panel(anna)).toContainText('Ben');
  await expect(panel(anna).getByText(/Ben .*\)/).locator('..')).toContainText('here', SLOW);
  await panel(ben).getByLabel('A word to the other side').fill('Good evening!');
  await panel(ben).getByRole('button', { name: 'Say it' }).click();
  await expect(panel(anna).getByRole('log')).toContainText('Good evening!', SLOW);
  await expect(anna.getByRole('button', { name: /The other side/ })).toContainText(/6 d(ays)? 23 h/);
  expect(await faults(anna)).toEqual([]);
  const third = await fresh(browser);
  await third.goto(link);
  await expect(third.getByRole('alert')).toContainText('somebody has come by it already');
  // Whoever sits there finds his battle by the same link, and so does the one who wrote it.
  for (const one of [anna, ben]) {
    await one.goto(link);
    await expect(one).toHaveURL(/\/battle\/[0-9a-f]+$/);
  }
  await unfold(anna);
  // A page that is left says so.
  await ben.goto('/rules');
  await expect(panel(anna)).toContainText('last here', SLOW);
});

test('what dice have answered is taken back only if the other side agrees', async ({ browser }) => {
  test.slow();
  const { anna, ben } = await friends(browser);
  const first = await momentOf(anna);
  const mover = (await decision(anna).getByText(/^To decide:/).isVisible()) ? ben : anna;
  const other = mover === anna ? ben : anna;
  await say(mover, /^Roll/);
  for (const one of [anna, ben]) await unfold(one);
  await panel(mover).getByRole('button', { name: 'Ask to take back' }).click();
  await expect(panel(other).getByText(/asks to take back this, and all that came after it: Roll/)).toBeVisible(SLOW);
  await panel(other).getByRole('button', { name: 'Refuse' }).click();
  await expect(panel(mover).getByRole('log')).toContainText('refuses', SLOW);
  expect(await now(mover)).toBeGreaterThan(first);
  await panel(mover).getByRole('button', { name: 'Ask to take back' }).click();
  await panel(other).getByRole('button', { name: 'Agree' }).click();
  await expect(decision(mover)).toHaveAttribute('data-moment', String(first), SLOW);
  await expect(decision(other)).toHaveAttribute('data-moment', String(first), SLOW);
});

test('a draw is offered and agreed to, and the battle lies among those that are over, without the network too', async ({ browser }) => {
  test.slow();
  const { anna, ben } = await friends(browser);
  for (const one of [anna, ben]) await unfold(one);
  await anna.goto('/mine');
  const yours = anna.getByRole('region', { name: 'Your turn', exact: true });
  await expect(yours.or(anna.getByRole('region', { name: 'Not your turn' })).getByRole('link', { name: 'The Farm at Wiesenbach' })).toBeVisible(SLOW);
  expect(await faults(anna)).toEqual([]);
  await anna.getByRole('link', { name: 'The Farm at Wiesenbach' }).click();
  await unfold(anna);
  await panel(anna).getByRole('button', { name: 'Offer a draw' }).click();
  await expect(panel(ben).getByText('Anna offers a draw.')).toBeVisible(SLOW);
  await panel(ben).getByRole('button', { name: 'Agree' }).click();
  await expect(panel(anna).getByRole('button', { name: 'Offer a draw' })).toBeHidden(SLOW);
  // What is over is kept by the page that sees it end.
  await expect.poll(() => ben.evaluate(async () => (await (await caches.open('sabretache-battles')).keys()).length), SLOW).toBe(1);
  await ben.goto('/mine');
  await expect(ben.getByRole('region', { name: 'Over' })).toContainText('Drawn by agreement.', SLOW);
  // The worker has the pages by now; the rulebook is read once, and then there is no network.
  await ben.goto('/rules/huzzah');
  await expect(ben.locator('article').first()).toBeVisible(SLOW);
  await ben.evaluate(() => navigator.serviceWorker.ready);
  await ben.reload();
  await expect(ben.locator('article').first()).toBeVisible(SLOW);
  await ben.waitForLoadState('networkidle');
  const address = anna.url();
  await ben.context().setOffline(true);
  await ben.reload();
  await expect(ben.locator('article').first()).toBeVisible(SLOW);
  await ben.goto(address);
  await expect(ben.getByText('Read from what this browser kept.')).toBeVisible(SLOW);
  await expect(ben.getByText('Drawn by agreement.')).toBeVisible();
  // Nobody is told that his battles are gone, for want of a network.
  await ben.goto('/');
  await expect(ben.getByText('The server cannot be reached.')).toBeVisible(SLOW);
  await expect(ben.getByText('not to be found any more')).toBeHidden();
});

test('giving up ends it, and a telephone has room for all of it', async ({ browser }) => {
  test.slow();
  const { anna, ben } = await friends(browser);
  await ben.setViewportSize({ width: 390, height: 844 });
  await unfold(ben);
  expect(await widest(ben)).toBeLessThanOrEqual(390);
  const box = await panel(ben).boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true);
  expect(await faults(ben)).toEqual([]);
  await panel(ben).getByRole('button', { name: 'Give up' }).click();
  await panel(ben).getByRole('button', { name: 'Yes, give the battle up' }).click();
  await unfold(anna);
  await expect(panel(anna).getByRole('log')).toContainText('gives the battle up', SLOW);
  // What was said last is seen.
  const log = panel(ben).getByRole('log');
  await expect.poll(() => log.evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop)).toBeLessThan(2);
  await expect(anna.getByRole('link', { name: 'After the battle' })).toBeVisible(SLOW);
  await ben.goto('/mine');
  expect(await widest(ben)).toBeLessThanOrEqual(390);
  await expect(ben.getByRole('region', { name: 'Over' })).toContainText('Ben gave the battle up.', SLOW);
});

test('the dialog that makes the link fits a telephone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Play a friend', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('combobox').first()).toBeVisible();
  expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0);
});

test('a friend is invited to the battle of a card, and to that of a sheet', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Play a friend: Maida', exact: true }).click();
  await expect(page.getByRole('dialog').getByLabel('Which battle?')).toHaveValue('maida');
  await page.goto('/sheet/meeting');
  await page.getByRole('button', { name: 'Play a friend' }).click();
  await expect(page.getByRole('dialog').getByLabel('Which battle?')).toHaveValue('meeting');
});

test('it can be installed: a manifest with icons that are there', async ({ page, request }) => {
  await page.goto('/');
  const href = await page.locator('link[rel=manifest]').getAttribute('href');
  const manifest = (await (await request.get(href ?? '')).json()) as { icons: { src: string; type: string }[]; start_url: string };
  for (const { src, type } of manifest.icons) {
    const icon = await request.get(src);
    expect(icon.headers()['content-type']).toBe(type);
  }
  expect((await request.get(manifest.start_url)).status()).toBe(200);
});

test('one visit is enough: without the network the pages open, with the rulebook in them', async ({ browser }) => {
  test.slow();
  const page = await (await browser.newContext()).newPage();
  await page.goto('/');
  await expect(page.locator('article').first()).toBeVisible(SLOW);
  await page.evaluate(() => navigator.serviceWorker.ready);
  // Something else of the server's is opened in a tab of its own: it is not taken for the first page.
  const report = await page.context().newPage();
  await report.goto('/api/rulesets');
  await page.context().setOffline(true);
  await page.goto('/');
  await expect(page.locator('article').first()).toBeVisible(SLOW);
  await page.goto('/rules/huzzah');
  await expect(page.getByText('HZ-', { exact: false }).first()).toBeVisible(SLOW);
});

test('a friend whose answer was lost on its way has his seat all the same', async ({ browser }) => {
  test.slow();
  const [anna, ben] = [await (await browser.newContext()).newPage(), await (await browser.newContext()).newPage()];
  await anna.goto('/');
  await anna.getByRole('button', { name: 'Play a friend', exact: true }).click();
  await anna.getByRole('button', { name: 'Make the link' }).click();
  const link = await anna.getByLabel('The link', { exact: true }).inputValue();
  await ben.goto(link);
  // The server hears him, and he never hears the server.
  await ben.route('**/sit', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await ben.getByRole('button', { name: 'Sit down' }).click();
  await expect(ben.getByRole('alert')).toBeVisible(SLOW);
  await ben.unroute('**/sit');
  await ben.goto(link);
  await ben.reload();
  await expect(ben).toHaveURL(/\/battle\//, SLOW);
});
