/** The workshop: a person with a mouse makes a battle from nothing, and fights it. */
import { readFileSync } from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import { widest } from './fight';

const findings = (page: Page) => page.getByRole('banner').or(page.locator('.bench header')).getByRole('button', { name: /Nothing wrong|error|remark/ });
const map = (page: Page) => page.getByRole('application');

/** A place on the map, in parts of its window. */
async function spot(page: Page, x: number, y: number) {
  const box = await map(page).boundingBox();
  if (!box) throw new Error('there is no map');
  return { x: box.x + box.width * x, y: box.y + box.height * y };
}

async function draw(page: Page, points: [number, number][]) {
  const [first, ...rest] = await Promise.all(points.map(([x, y]) => spot(page, x, y)));
  if (!first) return;
  await page.mouse.move(first.x, first.y);
  await page.mouse.down();
  for (const { x, y } of rest) await page.mouse.move(x, y, { steps: 6 });
  await page.mouse.up();
}

const ground = (page: Page, kind: string) => page.getByRole('group', { name: 'Ground', exact: true }).getByRole('button', { name: kind, exact: true });
const text = async (page: Page) => {
  await page.getByRole('tab', { name: 'Text' }).click();
  return page.getByLabel('Text', { exact: true }).inputValue();
};

test('from nothing to a battle of ten units a side, with a mouse', async ({ page }) => {
  test.setTimeout(150_000);
  await page.goto('/');
  await page.getByRole('link', { name: 'Workshop' }).first().click();
  await page.getByRole('region', { name: 'Workshop' }).getByRole('button', { name: 'Huzzah!' }).click();
  await expect(map(page)).toBeVisible();
  await page.getByLabel('Title').fill('The mill on the heath');
  await page.getByLabel('Title').press('Tab');

  // Ground: a wood by its shape, a road by the pen, a stream point by point, a bridge where they meet.
  await ground(page, 'wood').click();
  await draw(page, [[0.2, 0.42], [0.36, 0.56]]);
  await expect(page.locator('[data-ground]').first()).toBeVisible();
  await ground(page, 'road').click();
  await draw(page, [[0.52, 0.95], [0.52, 0.7], [0.52, 0.4], [0.52, 0.06]]);
  await ground(page, 'stream').click();
  await page.getByRole('button', { name: 'point by point' }).click();
  for (const [x, y] of [[0.07, 0.5], [0.5, 0.5], [0.92, 0.5]] as const) {
    const { x: px, y: py } = await spot(page, x, y);
    await page.mouse.click(px, py);
  }
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(findings(page)).toContainText('remark');
  await page.getByRole('tab', { name: /Checks/ }).click();
  await expect(page.getByRole('region', { name: 'What is wrong or unusual' })).toContainText('there is no bridge and no ford');
  await page.getByRole('tab', { name: 'Ground' }).click();
  await ground(page, 'bridge').click();
  await draw(page, [[0.5, 0.47], [0.54, 0.53]]);
  await page.getByRole('group', { name: 'Places' }).getByRole('button', { name: 'objective' }).click();
  const place = await spot(page, 0.7, 0.5);
  await page.mouse.click(place.x, place.y);

  // Armies: ten units a side from the templates.
  await page.getByRole('tab', { name: 'Armies' }).click();
  const raise = page.getByRole('form', { name: 'Raise units' });
  for (const command of ['First Red brigade', 'First Blue brigade']) {
    await raise.getByLabel('Nation').selectOption(command.includes('Red') ? 'British' : 'French');
    await raise.getByLabel(/^Arm/).selectOption('infantry');
    await raise.getByLabel('Into the command').selectOption({ label: command });
    await raise.getByLabel('How many').fill('10');
    await raise.getByRole('button', { name: 'Add' }).click();
    await expect(page.getByText('10 units chosen')).toBeVisible();
  }
  await expect(findings(page)).not.toContainText('error');
  await expect(page.locator('.unit .stand')).toHaveCount(20);

  // One is drawn elsewhere by hand, that is undone, and done again.
  await page.getByRole('tab', { name: 'Ground' }).click();
  await page.getByRole('button', { name: 'Choose and move' }).click();
  const before = await text(page);
  const box = await page.locator('.unit .stand').first().boundingBox();
  if (!box) throw new Error('there is no unit');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  const free = await spot(page, 0.85, 0.4);
  await page.mouse.move(free.x, free.y, { steps: 8 });
  await page.mouse.up();
  await expect.poll(() => text(page)).not.toBe(before);
  const after = await text(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => text(page)).toBe(before);
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect.poll(() => text(page)).toBe(after);

  // What is downloaded is the file, and the draft is still there after a reload.
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()]);
  expect(download.suggestedFilename()).toBe('the-mill-on-the-heath.toml');
  const file = readFileSync(await download.path(), 'utf8');
  expect(file).toBe(after);
  expect(file.match(/formation = /g)?.length).toBe(20);
  await page.reload();
  await expect(page.locator('.unit .stand')).toHaveCount(20);
  await expect(findings(page)).not.toContainText('error');

  await page.getByRole('button', { name: 'Fight it' }).click();
  await page.getByRole('button', { name: 'As Red' }).click();
  await expect(page).toHaveURL(/\/battle\//);
  await expect(page.locator('.unit .stand')).toHaveCount(20);
});

for (const [book, command, nation] of [['Brigades and Batteries', 'brigade', 'France'], ['Malbrook', 'command', 'French']] as const) {
  test(`ten units a side of ${book} are raised, stand in lines before their officer, and are fought`, async ({ page }) => {
    test.setTimeout(90_000);
    await page.goto('/workshop');
    await page.getByRole('button', { name: book, exact: true }).click();
    await expect(map(page)).toBeVisible();
    await expect(findings(page)).toContainText('Nothing wrong');
    await page.getByRole('tab', { name: 'Armies' }).click();
    const raise = page.getByRole('form', { name: 'Raise units' });
    const there = await page.locator('.unit .stand').count();
    for (const side of ['Red', 'Blue']) {
      await raise.getByLabel('Nation').selectOption(nation);
      await raise.getByLabel(/^Arm/).selectOption('foot');
      await raise.getByLabel('Into the command').selectOption({ label: `First ${side} ${command}` });
      await raise.getByLabel('How many').fill('10');
      await raise.getByRole('button', { name: 'Add' }).click();
      await expect(page.getByText('10 units chosen')).toBeVisible();
    }
    await expect(page.locator('.unit .stand')).toHaveCount(there + 20);
    await expect(findings(page)).not.toContainText('error');
    const file = await text(page);
    const raised = file.split('\n').filter((line) => /name = "\w+ foot \d+"/.test(line));
    expect(raised).toHaveLength(20);
    // Two lines a side: two places deep on the table, five units on each.
    const depths = raised.map((line) => /at = \[[-\d.]+, ([-\d.]+)\]/.exec(line)?.[1] ?? '');
    const lines = [...new Set(depths)].map((depth) => depths.filter((one) => one === depth).length);
    expect(lines).toEqual([5, 5, 5, 5]);
    await page.getByRole('button', { name: 'Fight it' }).click();
    await page.getByRole('button', { name: 'As Red' }).click();
    await expect(page).toHaveURL(/\/battle\//);
    await expect(page.locator('.unit .stand')).toHaveCount(there + 20);
  });
}

for (const [book, name, title] of [['huzzah', 'Huzzah!', 'Maida'], ['batteries', 'Brigades and Batteries', 'The crossroads'], ['malbrook', 'Malbrook', 'Ramillies']] as const) {
  test(`a shipped scenario of ${book} opens as it is, and what is wrong is found, shown and mended`, async ({ page }) => {
    await page.goto('/workshop');
    // An army list may have the same title.
    await page.getByRole('listitem').filter({ hasText: name }).getByRole('button', { name: title, exact: true }).click();
    await expect(page.locator('.unit').first()).toBeVisible();
    await expect(findings(page)).not.toContainText('error');
    const whole = await text(page);
    const shipped = await (await page.request.get(`/api/workshop/files/${title === 'The crossroads' ? 'the-crossroads' : title.toLowerCase()}`)).text();
    expect(whole).toBe(shipped);
    // A misspelt kind of ground and a unit on top of another, in one pass.
    const wrong = whole.replace(/kind = "(hill|wood|town)"/, 'kind = "$1x"').replace(/facing = (\d+)/, 'facng = $1');
    await page.getByLabel('Text', { exact: true }).fill(wrong);
    const list = page.getByRole('region', { name: 'What is wrong or unusual' });
    await expect(list).toContainText('did you mean `facing`?');
    await expect(list).toContainText(/did you mean "(hill|wood|town)"\?/);
    await list.getByRole('button', { name: /Mend all/ }).click();
    await expect(findings(page)).not.toContainText('error');
    await expect.poll(async () => (await page.getByLabel('Text', { exact: true }).inputValue()).includes('facng')).toBe(false);
  });
}

test('a roster is pasted from a spreadsheet, and what its columns mean is remembered', async ({ page }) => {
  await page.goto('/workshop');
  await page.getByRole('button', { name: 'Brigades and Batteries' }).click();
  await page.getByRole('tab', { name: 'Armies' }).click();
  const paste = async () => {
    await page.getByRole('button', { name: 'Table (CSV)' }).click();
    await page.getByRole('textbox', { name: 'The table' }).fill('Brigade,Battalion,Arm,Grade,Men\nFirst Red brigade,1st Foot,foot,B,24\nFirst Blue brigade,2e Ligne,foot,C,24');
  };
  await paste();
  await expect(page.getByLabel('Battalion is')).toHaveValue('');
  await page.getByLabel('Battalion is').selectOption('name');
  await page.getByRole('button', { name: 'Add 2 units' }).click();
  // The table begins with a unit a side: the book knows no army without one.
  await expect(page.locator('.unit .stand')).toHaveCount(4);
  await expect(page.getByRole('textbox', { name: 'name: 2e Ligne' })).toHaveValue('2e Ligne');
  await paste();
  await expect(page.getByLabel('Battalion is')).toHaveValue('name');
});

test('a table with commands that are not there yet makes them, each on its side', async ({ page }) => {
  await page.goto('/workshop');
  await page.getByRole('button', { name: 'Huzzah!', exact: true }).click();
  await page.getByRole('tab', { name: 'Armies' }).click();
  await page.getByRole('button', { name: 'Table (CSV)' }).click();
  await page.getByRole('textbox', { name: 'The table' }).fill('command;unit;arm;quality\nFane;1/50th;infantry;experienced\nFane;5/60th;infantry;experienced\nCharlot;II/32e;infantry;trained');
  await page.getByLabel('“Fane” is a new command of').selectOption({ label: 'Red' });
  await page.getByLabel('“Charlot” is a new command of').selectOption({ label: 'Blue' });
  await page.getByRole('button', { name: 'Add 3 units' }).click();
  const [red, blue] = [page.locator('section', { has: page.getByRole('heading', { name: /^Red/ }) }), page.locator('section', { has: page.getByRole('heading', { name: /^Blue/ }) })];
  await expect(red.getByRole('button', { name: 'Fane', exact: true })).toBeVisible();
  await expect(red.getByRole('textbox', { name: 'name: 5/60th' })).toBeVisible();
  await expect(blue.getByRole('button', { name: 'Charlot', exact: true })).toBeVisible();
  await expect(blue.getByRole('textbox', { name: 'name: II/32e' })).toBeVisible();
  await expect(findings(page)).not.toContainText('error');
});

test('a piece of ground is drawn elsewhere as a whole', async ({ page }) => {
  await page.goto('/workshop');
  await page.getByRole('button', { name: 'Huzzah!', exact: true }).click();
  await ground(page, 'wood').click();
  await draw(page, [[0.2, 0.42], [0.36, 0.56]]);
  await expect(page.locator('[data-ground]').first()).toBeVisible();
  await page.getByRole('button', { name: 'Choose and move' }).click();
  const corners = async () => [...(await text(page)).matchAll(/\[(-?[\d.]+), (-?[\d.]+)\]/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
  const wood = async () => {
    const all = /kind = "wood"[^\n]*area = (\[\[.*?\]\])/.exec(await text(page))?.[1] ?? '[]';
    return JSON.parse(all) as [number, number][];
  };
  const before = await wood();
  expect(before.length).toBeGreaterThan(8);
  const others = (await corners()).length;
  await page.getByRole('tab', { name: 'Ground' }).click();
  const on = await spot(page, 0.28, 0.49);
  await page.mouse.click(on.x, on.y);
  await draw(page, [[0.28, 0.49], [0.48, 0.49]]);
  await expect.poll(async () => (await wood())[0]?.[0]).not.toBe(before[0]?.[0]);
  const after = await wood();
  const by = (after[0]?.[0] ?? 0) - (before[0]?.[0] ?? 0);
  expect(by).toBeGreaterThan(20);
  for (const [n, [x, y]] of before.entries()) {
    expect(after[n]?.[0]).toBeCloseTo(x + by, 2);
    expect(after[n]?.[1]).toBeCloseTo(y, 2);
  }
  expect((await corners()).length).toBe(others);
});

test('a battle of one book is fought under another: by way of an army list', async ({ page }) => {
  test.setTimeout(90_000);
  await page.goto('/workshop');
  await page.getByRole('listitem').filter({ hasText: 'Huzzah!' }).getByRole('button', { name: 'Maida', exact: true }).click();
  await expect(page.locator('.unit').first()).toBeVisible();
  const troops = await page.locator('.unit').count();
  await page.getByRole('button', { name: 'Another book' }).click();
  await page.getByRole('tab', { name: /Brigades and Batteries/ }).click();
  await expect(page.locator('.unit').first()).toBeVisible();
  expect(await page.locator('.unit').count()).toBe(troops);
  await page.getByRole('button', { name: 'Open as a scenario of Brigades and Batteries' }).click();
  await expect(findings(page)).not.toContainText('error');
  await page.getByRole('button', { name: 'Fight it' }).click();
  await page.getByRole('button', { name: 'As French' }).click();
  await expect(page).toHaveURL(/\/battle\//);
  await expect(page.locator('.unit').first()).toBeVisible();
});

test('on a telephone the workshop is no wider than the screen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/workshop');
  await page.getByRole('button', { name: 'Malbrook' }).click();
  await expect(map(page)).toBeVisible();
  for (const tab of ['Ground', 'Armies', 'Battle', 'Text', 'Checks']) {
    await page.getByRole('tab', { name: new RegExp(tab) }).click();
    expect(await widest(page), tab).toBeLessThanOrEqual(390);
  }
});
