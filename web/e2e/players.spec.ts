import { expect, test } from '@playwright/test';
import { after, atMoment, begin, choose, decision, inWords, links, momentOf, offers, say, sitAt } from './fight';
import { ask, decisionOf, someValue } from './line';

test('a computer player advises, with its reasons, and its advice is taken', async ({ page }) => {
  await begin(page, { seed: '7' });
  await page.getByRole('button', { name: 'Advice', exact: true }).click();
  await page.getByLabel('Adviser').selectOption('drill-master');
  await page.getByRole('button', { name: 'What would it do?' }).click();
  const advice = page.getByRole('region', { name: 'Advice' });
  await expect(advice).toContainText('Drill-master: ');
  await expect(advice.locator('p').nth(1)).toContainText(/[.]$/);
  await advice.getByRole('button', { name: 'Take this advice' }).click();
  await expect(page.locator('.drafted .what')).toBeVisible();
  await page.getByRole('button', { name: 'Do it' }).click();
  await atMoment(page, 2);
  await expect(advice.getByRole('button', { name: 'Take this advice' })).toHaveCount(0);
});

test('the plan behind an advice is told, and lies on the map as arrows as long as it is', async ({ page }) => {
  // Whether an adviser has a plan depends on the player: here one is put beside what it really said.
  const arrow = (task: string, x: number, y: number) => ({ command: '%0', who: 'The 66e', task, from: { x, y }, by: null, to: { x, y: y + 300_000 } });
  const plan = { name: 'pin and turn', text: 'The foot pins, the horse turns their left.', serves: null, arrows: [arrow('pin', 500_000, 250_000), arrow('turn', 900_000, 250_000)] };
  await page.route('**/advice', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...((await answer.json()) as object), plan } });
  });
  await sitAt(page, 'the-crossroads');
  await page.getByRole('button', { name: 'Advice', exact: true }).click();
  await page.getByRole('button', { name: 'What would it do?' }).click();
  await expect(page.getByRole('region', { name: 'Advice' })).toContainText('The plan: pin and turn');
  await expect(page.locator('.plan .plan-line')).toHaveCount(2);
  await expect(page.locator('.plan')).toContainText('The 66e: turn the flank');
  await page.getByRole('button', { name: 'Advice', exact: true }).click();
  await expect(page.locator('.plan')).toHaveCount(0);
});

test('it plays on for a person, who takes over again, and finishes the battle', async ({ page }) => {
  await begin(page, { blue: 'drill-master' });
  await page.getByRole('button', { name: 'Advice', exact: true }).click();
  await page.getByLabel('Adviser').selectOption('drill-master');
  await page.getByRole('button', { name: 'Let it finish' }).click();
  await expect(page.getByText('Drill-master plays for you.')).toBeVisible();
  await expect(offers(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Take over again' }).click();
  await expect(page.getByText('Drill-master plays for you.')).toBeHidden();
  await expect(offers(page).or(after(page)).first()).toBeVisible({ timeout: 20_000 });
  if (!(await after(page).isVisible())) await page.getByRole('button', { name: 'Let it finish' }).click();
  await expect(after(page)).toBeVisible({ timeout: 45_000 });
});

test('only whoever sits there may let somebody else play', async ({ page, request }) => {
  await begin(page);
  const { a, spectator } = await links(page);
  const id = page.url().split('/').at(-1);
  const as = (link: string, players: object) =>
    request.post(`/api/battles/${id}/players`, { headers: { Authorization: `Seat ${link.split('seat=')[1]}` }, data: players });
  expect((await as(spectator, { a: 'recruit', b: 'person' })).status()).toBe(422);
  expect((await as(a, { a: 'person', b: 'recruit' })).status()).toBe(422);
  expect((await as(a, { a: 'napoleon', b: 'person' })).status()).toBe(422);
  expect((await as(a, { a: 'recruit', b: 'person' })).status()).toBe(204);
});

test('a thousand battles are fought from a moment, and the report opens', async ({ page }) => {
  await begin(page, { red: 'recruit', blue: 'recruit' });
  await expect(after(page)).toBeVisible({ timeout: 45_000 });
  await after(page).click();
  await expect(page.getByRole('heading', { name: 'Fight a thousand from here' })).toBeVisible();
  await page.getByLabel('From moment').fill('1');
  await page.getByLabel('Battles', { exact: true }).fill('200');
  await page.getByLabel('Red').selectOption('recruit');
  await page.getByLabel('Blue').selectOption('recruit');
  await page.getByRole('button', { name: 'Fight them' }).click();
  await expect(page.getByText('What came of 200 battles')).toBeVisible({ timeout: 60_000 });
  await expect(page.locator('.shares li')).toHaveCount(3);
  await page.getByText('The summary in words').click();
  await expect(page.locator('pre')).toContainText('200 battles, recruit against recruit');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open the whole report' }).click();
  const report = await opened;
  await expect(report.locator('svg').first()).toBeVisible();
  await expect(report.getByText('How the result settled')).toBeVisible();
});

test('the after-action page tells losses by command and turn, and the turning point', async ({ page }) => {
  await begin(page, { red: 'recruit', blue: 'drill-master', set: { 'PK-VOL-02.dice': '6', turns: '12' } });
  await expect(after(page)).toBeVisible({ timeout: 45_000 });
  await after(page).click();
  await expect(page.getByRole('img', { name: 'What was left' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'How it stood' })).toBeVisible();
  await expect(page.getByText(/^Turn \d+, moment \d+/)).toBeVisible();
  // Counted in stands at first; in points a picket is worth its steadiness too.
  const all = page.locator('.sum');
  await expect(all).toHaveText([/of 2$/, /of 2$/]);
  await page.getByLabel('points', { exact: true }).check();
  await expect(all).toHaveText([/of 2,\d{3}$/, /of 2,\d{3}$/]);
  await page.getByRole('button', { name: 'Show it on the table' }).click();
  await expect(page.getByText(/You look back: moment \d+/).or(decision(page)).first()).toBeVisible();
  // The story tells the turns, and a thousand can be fought from any moment looked at.
  await page.getByRole('button', { name: 'Story', exact: true }).click();
  await expect(page.locator('.story .turn').first()).toHaveText(/^Turn 1/);
  await page.getByLabel('Moment of the battle').fill('2');
  await page.getByRole('button', { name: 'Fight a thousand from here' }).click();
  await expect(page.getByRole('dialog').getByLabel('From moment')).toHaveValue('2');
});

test('options and numbers are changed for a battle, and what is wrong is explained', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Otherwise…: The ford' }).click();
  // Nobody but us plays.
  await page.getByRole('dialog').getByLabel('Blue').selectOption('person');
  await page.getByText('Options of the scenario').click();
  await page.getByLabel('turns', { exact: true }).fill('2');
  await page.getByText('Numbers of the book').click();
  await page.getByLabel('Search the numbers by clause or word').fill('vol');
  await page.getByLabel('PK-VOL-02.dice', { exact: true }).fill('lots');
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(page.getByRole('alert')).toContainText('PK-VOL-02.dice');
  await page.getByLabel('PK-VOL-02.dice', { exact: true }).fill('5');
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(decision(page)).toBeVisible();
  await inWords(page);
  for (let turn = 0; turn < 4; turn++) await choose(page, null, /End the turn/).catch(() => undefined);
  await expect(after(page)).toBeVisible();
  expect(await momentOf(page)).toBe(5);
});

test('standing instructions are given one by one, kept over a reload, and taken back', async ({ page }) => {
  // Nobody sits there: it stays Blue's turn, in which one thinks about what to let pass.
  await sitAt(page, 'ford', { players: { a: 'person', b: 'person' } }, ['a']);
  const instructions = page.getByRole('button', { name: /^Standing instructions/ });
  await say(page, /End the turn/);
  await instructions.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('You are asked every time.');
  await dialog.getByLabel('Only when this one moves').selectOption({ label: 'Blue left' });
  await dialog.getByLabel(/Ask all the same within/).fill('10');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog.locator('.instructions')).toContainText('Let everything pass when Blue left moves unless within 10 cm.');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Standing instructions (1)' })).toBeVisible();
  await page.getByRole('button', { name: 'Ask me again' }).click();
  await expect(page.getByRole('button', { name: 'Ask me again' })).toBeHidden();
});

test('an instruction for a turn is gone with the turn, without a reload', async ({ page }) => {
  const made = await sitAt(page, 'teaching', { players: { a: 'person', b: 'person' }, set: ['options.first=fr'] }, ['a', 'b']);
  const step = async () => {
    const { offers, moment } = await decisionOf(page, made);
    for (const offer of offers.toSorted((a, b) => Number(b.group === 'end') - Number(a.group === 'end'))) {
      const value = someValue(offer);
      if (value === null) continue;
      if ((await ask(page, made.id, made.secrets.umpire, { type: 'choose', offer: offer.key, value, moment, dice: [], reveals: {}, despite: false, whole: true })).type === 'moment') return;
    }
  };
  await step();
  const instructions = [{ kind: 'bombard', reactor: null, mover: null, unless_within: null, unless_touched: null, until: 'turn' as const }];
  expect((await ask(page, made.id, made.secrets.a, { type: 'instruct', side: 'A', instructions })).type).not.toBe('refused');
  await page.reload();
  const again = page.getByRole('button', { name: 'Ask me again' });
  await expect(again).toBeVisible();
  const turn = page.locator('.strip .when');
  await expect(turn).toContainText('Turn 1');
  for (let n = 0; n < 60 && !(await turn.textContent())?.includes('Turn 2'); n++) await step();
  await expect(turn).toContainText('Turn 2');
  await expect(again).toBeHidden();
});
