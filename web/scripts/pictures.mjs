// @ts-check
/**
 * Takes the pictures of `docs/pictures`, all of them: `make pictures` builds the client and the program first.
 *
 * Battles are begun over HTTP with fixed seeds and fought by computer players up to the moment that is shown; then persons take
 * over and the page is looked at as they see it. `node scripts/pictures.mjs NAME…` takes only these pictures, or where there is none of
 * that name all whose names begin so; only the battles are fought that they need.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { launch } from './browser.mjs';
import { fixture } from './fixture.mjs';
import { freshFolder, startServer } from './server.mjs';

const folder = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/pictures');
mkdirSync(folder, { recursive: true });
const wishes = process.argv.slice(2);
const names = new Set(['sheet', 'sheet-dark', 'table', 'table-dark', 'table-tablet', 'move', 'advice', 'roll', 'home', 'batteries', 'malbrook', 'after', 'laboratory', 'report', 'rulebook']);
/** @param {string} name */
const wanted = (name) => wishes.length === 0 || wishes.some((wish) => (names.has(wish) ? wish === name : name.startsWith(wish)));
/** No picture is larger than this, in bytes: it is pressed harder until it fits. */
const LARGEST = 262_000;
/** No battle is fought longer than this for a picture, in milliseconds. */
const PATIENCE = 45_000;
const browser = await chromium.launch(launch);
const server = await startServer('127.0.0.1:0', freshFolder());
const wide = { width: 1600, height: 1000 };
const tablet = { width: 1024, height: 768 };

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {{ id: string, secrets: { a: string, b: string, umpire: string, spectator: string } }} Made */

/** @param {{ width: number, height: number }} viewport @param {'light' | 'dark'} colorScheme */
async function open(viewport = wide, colorScheme = 'light') {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(error.message));
  return page;
}

/** @param {Page} page @param {string} name */
async function shoot(page, name) {
  if (!wanted(name)) return;
  await page.waitForTimeout(700);
  for (const quality of [80, 74, 68, 62, 56, 50]) {
    const picture = await page.screenshot({ type: 'jpeg', quality });
    if (picture.length > LARGEST && quality > 50) continue;
    writeFileSync(`${folder}/${name}.jpg`, picture);
    console.log(`${name}.jpg, ${Math.round(picture.length / 1000)} kB`);
    return;
  }
}

/** @param {string} path @param {string} secret @param {unknown} [body] */
async function ask(path, secret, body) {
  const headers = { Authorization: `Seat ${secret}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${server.url}/api${path}`, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : null;
}

/**
 * A battle fought by computer players until it is far enough, then handed to persons.
 * @param {string} scenario @param {(now: { moment: number, deciding: string | null }) => boolean} enough
 * @param {string} players @param {number} seed
 * @returns {Promise<Made>}
 */
async function fought(scenario, enough, players = 'drill-master', seed = 1815) {
  /** @type {Made} */
  const made = await ask('/battles', '', { scenario, seed, players: { a: players, b: players } });
  // What has been fought by then is shown: a picture of an earlier moment is better than none.
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    const { now } = await ask(`/battles/${made.id}`, made.secrets.umpire);
    if (!now.deciding || enough(now)) break;
    await new Promise((done) => setTimeout(done, 150));
  }
  await ask(`/battles/${made.id}/players`, made.secrets.umpire, { a: 'person', b: 'person' });
  return made;
}

/** Both seats of a battle in one browser. @param {Page} page @param {Made} made */
async function sit(page, { id, secrets }) {
  for (const secret of [secrets.a, secrets.b]) {
    await page.goto(`${server.url}/battle/${id}#seat=${secret}`);
    await page.locator('.sheet').waitFor();
  }
  await page.reload();
  await page.locator('.strip[data-moment]').waitFor();
}

/** Chooses somebody who may act; then draws him forward by his knob, where he has one. @param {Page} page @param {boolean} offer */
async function consider(page, offer) {
  const dice = page.getByRole('button', { name: 'Put the dice away' });
  if (await dice.isVisible()) await dice.click();
  await page.locator('body').press('n');
  await page.waitForTimeout(400);
  if (!offer) return;
  const knobs = page.locator('[data-knob^="along"]');
  for (let n = 0; n < 40 && (await knobs.count()) === 0; n++) {
    await page.locator('body').press('n');
    await page.waitForTimeout(60);
  }
  // Nobody may move at this moment: whoever may act is shown instead.
  if ((await knobs.count()) === 0) return;
  const knob = await page.locator('[data-knob^="along"] .knob-face').first().boundingBox();
  const unit = await page.locator('.unit:has(.chosen) .stand').first().boundingBox();
  if (!knob || !unit) return;
  const [from, by] = [{ x: knob.x + knob.width / 2, y: knob.y + knob.height / 2 }, { x: knob.x - unit.x - unit.width / 2, y: knob.y - unit.y - unit.height / 2 }];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let n = 1; n <= 5; n++) await page.mouse.move(from.x + by.x * n * 0.6, from.y + by.y * n * 0.6);
  await page.mouse.up();
  await page.waitForTimeout(600);
}

/** The last roll of the story, on the table and in words. @param {Page} page */
async function lastRoll(page) {
  await page.getByRole('button', { name: 'Story', exact: true }).click();
  const line = page.locator('.story > li', { has: page.locator('.roll') }).last();
  await line.locator('.head').click();
  await page.waitForTimeout(400);
  await line.scrollIntoViewIfNeeded();
}

/** A hundred battles from the moment that is looked at, and the report on them. @param {Page} page */
async function laboratory(page) {
  await page.getByLabel('Battles', { exact: true }).fill('100');
  for (const select of await page.locator('section select').all()) await select.selectOption('recruit');
  await page.getByRole('button', { name: 'Fight them' }).click();
  await page.locator('.shares').waitFor({ timeout: 120_000 });
  await page.locator('.shares').scrollIntoViewIfNeeded();
  await shoot(page, 'laboratory');
  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open the whole report' }).click();
  const report = await opening;
  await report.setViewportSize({ width: 1200, height: 1500 });
  await report.locator('svg').first().waitFor();
  await shoot(report, 'report');
}

for (const [name, scheme] of /** @type {['sheet' | 'sheet-dark', 'light' | 'dark'][]} */ ([['sheet', 'light'], ['sheet-dark', 'dark']])) {
  if (!wanted(name)) continue;
  const page = await open(wide, scheme);
  await page.route('**/api/scenarios/fixture', (route) => route.fulfill({ json: fixture(13) }));
  await page.goto(`${server.url}/sheet/fixture`);
  await page.locator('.sheet').waitFor();
  await shoot(page, name);
  await page.context().close();
}

/** Picket is not shipped, though the program may have been built with it. @param {{ ruleset: string }} one */
const shipped = ({ ruleset }) => ruleset !== 'picket';
/** @type {{ name: string, ruleset: string }[]} */
const scenarios = await (await fetch(`${server.url}/api/scenarios`)).json();
for (const { name, ruleset } of scenarios.filter(shipped)) {
  const picture = `scenario-${ruleset}-${name.replaceAll('/', '-')}`;
  if (!wanted(picture)) continue;
  const page = await open({ width: 1440, height: 900 });
  await page.goto(`${server.url}/sheet/${encodeURIComponent(name)}`);
  await page.locator('.sheet').waitFor();
  await shoot(page, picture);
  await page.context().close();
}

/** The battle of Maida that several pictures show, fought when the first of them is taken. @type {Promise<Made> | null} */
let maida = null;
for (const [name, size, scheme, further] of /** @type {[string, typeof wide, 'light' | 'dark', string[]][]} */ ([
  ['table', wide, 'light', ['move', 'advice', 'roll']],
  ['table-dark', wide, 'dark', []],
  ['table-tablet', tablet, 'light', []],
])) {
  if (![name, ...further].some(wanted)) continue;
  maida ??= fought('maida', ({ moment }) => moment >= 90);
  const page = await open(size, scheme);
  await sit(page, await maida);
  await consider(page, false);
  await shoot(page, name);
  if (further.includes('move') && wanted('move')) {
    await consider(page, true);
    await shoot(page, 'move');
    await page.keyboard.press('Escape');
  }
  if (further.includes('advice') && wanted('advice')) {
    await page.getByRole('button', { name: 'Advice', exact: true }).click();
    await page.getByRole('button', { name: 'What would it do?' }).click();
    await page.locator('.advice').waitFor({ timeout: 120_000 });
    await shoot(page, 'advice');
  }
  if (further.includes('roll') && wanted('roll')) {
    await lastRoll(page);
    await shoot(page, 'roll');
  }
  await page.context().close();
}

if (wanted('home')) {
  const page = await open();
  await page.route('**/api/scenarios', (route) => route.fulfill({ json: scenarios.filter(shipped) }));
  await page.goto(server.url);
  await page.locator('.cards svg').nth(2).waitFor();
  await shoot(page, 'home');
  await page.context().close();
}

for (const [name, scenario] of [['batteries', 'barrosa'], ['malbrook', 'ramillies']]) {
  if (!name || !scenario || !wanted(name)) continue;
  // At random: in a development build the better players would take too long over so many units.
  const made = await fought(scenario, ({ moment }) => moment >= 64, 'recruit');
  const page = await open();
  await sit(page, made);
  await consider(page, false);
  await shoot(page, name);
  await page.context().close();
}

if (['after', 'laboratory', 'report'].some(wanted)) {
  const made = await fought('maida', () => false, 'recruit', 3);
  const page = await open({ width: 1200, height: 1500 });
  await sit(page, made);
  await page.goto(`${server.url}/battle/${made.id}/after`);
  await page.locator('.line[d^=M]').first().waitFor({ state: 'attached' });
  await page.getByLabel('points', { exact: true }).check();
  await shoot(page, 'after');
  if (['laboratory', 'report'].some(wanted)) await laboratory(page);
  await page.context().close();
}

if (wanted('rulebook')) {
  const page = await open();
  await page.goto(`${server.url}/rules/huzzah#HZ-THR-03`);
  await page.locator('article').first().waitFor();
  await shoot(page, 'rulebook');
  await page.context().close();
}
const known = [...names, ...scenarios.filter(shipped).map(({ name, ruleset }) => `scenario-${ruleset}-${name.replaceAll('/', '-')}`)];
for (const wish of wishes) if (!known.some((name) => name.startsWith(wish))) console.error(`there is no picture of that name: ${wish}`);
await browser.close();
await server.stop();
process.exit(0);
