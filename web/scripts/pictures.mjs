// @ts-check
/**
 * Takes the pictures of `docs/pictures`. Build the client and the example first.
 *
 * `node scripts/pictures.mjs` takes all but the maps of the scenarios; `node scripts/pictures.mjs URL` takes those, from a server
 * that has them.
 */

import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { launch } from './browser.mjs';
import { fixture } from './fixture.mjs';
import { startServer } from './server.mjs';

const folder = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/pictures');
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch(launch);
const running = process.argv[2];
if (running) {
  await scenarios(running);
  await browser.close();
  process.exit(0);
}
const server = await startServer();

/** The map of every scenario of a running server. @param {string} url */
async function scenarios(url) {
  const list = /** @type {{ name: string, ruleset: string }[]} */ (await (await fetch(`${url}/api/scenarios`)).json());
  for (const { name, ruleset } of list) {
    const page = await open({ width: 1600, height: 1100 });
    await page.goto(`${url}/sheet/${encodeURIComponent(name)}`);
    await page.locator('.sheet').waitFor();
    await shoot(page, `scenario-${ruleset}-${name.replaceAll('/', '-')}`);
    await page.close();
  }
}

/** @param {{ width: number, height: number }} viewport @param {'light' | 'dark'} colorScheme */
async function open(viewport, colorScheme = 'light') {
  const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
  page.on('pageerror', (error) => console.error(error.message));
  await page.route('**/api/scenarios/fixture', (route) => route.fulfill({ json: { ...fixture(13), entry: { ...fixture(13).entry, name: 'fixture' } } }));
  return page;
}

/** @param {import('@playwright/test').Page} page @param {string} name */
async function shoot(page, name) {
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${folder}/${name}.jpg`, type: 'jpeg', quality: 86 });
  console.log(`${name}.jpg`);
}

/** Begins a battle from the first page, with this seed. @param {import('@playwright/test').Page} page */
async function begin(page, seed = '7') {
  await page.goto(server.url);
  await page.getByRole('button', { name: /Fight this battle: The ford/ }).click();
  await page.getByLabel(/Seed/).fill(seed);
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('button', { name: /1 Advance/ }).or(page.locator('.acting button').first()).first().waitFor();
}

/** Advances a unit as far as it goes. @param {import('@playwright/test').Page} page @param {string} unit */
async function advance(page, unit) {
  await page.locator('.acting').getByRole('button', { name: unit }).click();
  await page.locator('.offers').getByRole('button', { name: /advance/i }).click();
  await page.getByRole('button', { name: 'Do it' }).click();
  await page.waitForTimeout(200);
}

/**
 * Advances and fires with whoever can, until it is enough.
 * @param {import('@playwright/test').Page} page @param {() => Promise<boolean>} enough
 */
async function fightOn(page, enough) {
  for (let n = 0; n < 120 && !(await enough()); n++) {
    await page.keyboard.press('Escape');
    const acting = page.locator('.acting').getByRole('button');
    if ((await acting.count()) > 0) await acting.nth(n % (await acting.count())).click();
    const forward = page.locator('.offers').getByRole('button', { name: /Advance|fires/ }).first();
    const last = page.locator('.offers').getByRole('button').last();
    await ((await forward.isVisible()) ? forward : last).click();
    await page.getByRole('button', { name: 'Do it' }).click();
    await page.waitForTimeout(250);
  }
}

const wide = { width: 1600, height: 1000 };
for (const [name, scheme] of /** @type {['sheet' | 'sheet-dark', 'light' | 'dark'][]} */ ([['sheet', 'light'], ['sheet-dark', 'dark']])) {
  const page = await open(wide, scheme);
  await page.goto(`${server.url}/sheet/fixture`);
  await page.locator('.sheet').waitFor();
  await shoot(page, name);
  await page.close();
}

const home = await open(wide);
await home.route('**/api/scenarios', (route) =>
  route.fulfill({ json: [{ ...fixture(1).entry, name: 'fixture' }, { name: 'ford', ruleset: 'picket', title: 'The ford', date: null, place: null, summary: 'Two pickets a side meet at a ford at dawn.', length: null }] }),
);
await begin(home);
await home.goto(server.url);
await home.locator('.cards svg').nth(1).waitFor();
await shoot(home, 'home');
await home.close();

for (const [name, size, scheme] of /** @type {[string, { width: number, height: number }, 'light' | 'dark'][]} */ ([
  ['table', wide, 'light'], ['table-dark', wide, 'dark'], ['table-tablet', { width: 1024, height: 768 }, 'light'],
])) {
  const page = await open(size, scheme);
  await begin(page);
  await advance(page, 'Red left');
  await page.locator('.acting').getByRole('button', { name: 'Red right' }).click();
  await page.locator('.offers').getByRole('button', { name: /wheel/i }).click();
  await page.locator('.draft input[type=number]').fill('40');
  await page.locator('.draft input[type=number]').blur();
  await shoot(page, name);
  if (name === 'table') {
    await page.keyboard.press('Escape');
    await page.locator('.offers').getByRole('button', { name: /advance/i }).click();
    await shoot(page, 'move');
    await fightOn(page, async () => (await page.locator('.roll').count()) > 0);
    await shoot(page, 'roll');
    const over = page.getByRole('link', { name: 'After the battle' });
    await fightOn(page, () => over.isVisible());
    await over.click();
    await page.locator('.line[d^=M]').first().waitFor({ state: 'attached' });
    await page.setViewportSize({ width: 1200, height: 1150 });
    await shoot(page, 'after');
  }
  await page.close();
}

const rules = await open(wide);
await rules.goto(`${server.url}/rules/picket#PK-STE-02`);
await rules.locator('article').first().waitFor();
await shoot(rules, 'rulebook');
await rules.close();

await browser.close();
await server.stop();
