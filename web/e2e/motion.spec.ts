/** What is seen to happen, in each book: marches, smoke, the pace of the enemy's turn; and nothing of it where less motion is wished for. */
import { expect, test, type Page } from '@playwright/test';
import type { BattleMade } from '../src/protocol/BattleMade';
import { BOOKS, decision as strip, sitAt } from './fight';
import { Eager, decisionOf } from './line';

interface Frame {
  time: number;
  /** Who is on his way since when, for how long, and where he is drawn, in pixels. */
  moving: { way: string; long: number; x: number; y: number }[];
  flashes: number;
  puffs: number;
}

interface Watched {
  frames: Frame[];
}

/** From now on every frame is looked at. */
const watch = (page: Page) =>
  page.evaluate(() => {
    const seen = ((window as unknown as Watched).frames = [] as Frame[]);
    const look = (time: number) => {
      const under = [...document.querySelectorAll<SVGGElement>('.sheet .unit[data-token^="#"]')];
      const moving = under.flatMap((one) => {
        const running = one.getAnimations().find(({ playState }) => playState === 'running');
        const box = one.querySelector('.stand')?.getBoundingClientRect();
        if (!running || !box) return [];
        const way = `${one.dataset.token} ${running.startTime}`;
        return [{ way, long: Number(running.effect?.getComputedTiming().duration), x: box.x + box.width / 2, y: box.y + box.height / 2 }];
      });
      const seenNow = (what: string) => [...document.querySelectorAll(`.shots .${what}`)].filter((one) => Number(getComputedStyle(one).opacity) > 0.3).length;
      seen.push({ time, moving, flashes: seenNow('flash'), puffs: seenNow('puff') });
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });

const framesOf = (page: Page) => page.evaluate(() => (window as unknown as Watched).frames.splice(0));

/** Each way that somebody was seen to go, place by place. */
function ways(frames: Frame[]) {
  const all = new Map<string, Frame['moving']>();
  for (const { moving } of frames) for (const one of moving) all.set(one.way, [...(all.get(one.way) ?? []), one]);
  return [...all.values()];
}

/** One choice, as somebody would make it who wants to get at the enemy; the page has shown what was before it. */
async function step(page: Page, made: BattleMade, eager: Eager): Promise<boolean> {
  const now = await decisionOf(page, made);
  if (!now.side) return false;
  await expect(strip(page)).toHaveAttribute('data-moment', String(now.moment));
  await eager.step(page, made, now);
  return true;
}

for (const { book, scenario } of BOOKS) {
  test(`units march from where they stood to where they stand, and who shoots is seen to: ${book}`, async ({ page }) => {
    test.setTimeout(90_000);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.addInitScript(() => localStorage.setItem('sabretache.pace', 'once'));
    const made = await sitAt(page, scenario);
    const eager = new Eager();
    await watch(page);
    let [marched, shot] = [false, false];
    for (let n = 0; n < 200 && !(marched && shot) && (await step(page, made, eager)); n++) {
      await page.waitForTimeout(60);
      const frames = await framesOf(page);
      shot ||= frames.some(({ flashes, puffs }) => flashes + puffs > 0);
      for (const way of ways(frames)) {
        const [first, last] = [way[0], way.at(-1)];
        if (!first || !last) continue;
        expect(first.long).toBeGreaterThanOrEqual(200);
        expect(first.long).toBeLessThanOrEqual(600);
        if (way.length < 4) continue;
        const [dx, dy] = [last.x - first.x, last.y - first.y];
        const long = Math.hypot(dx, dy);
        if (long < 6) continue;
        marched = true;
        // Never back again, and never beside its way by more than a wheel takes it.
        const along = way.map(({ x, y }) => ((x - first.x) * dx + (y - first.y) * dy) / long);
        const beside = way.map(({ x, y }) => Math.abs((x - first.x) * dy - (y - first.y) * dx) / long);
        expect(along.every((far, i) => i === 0 || far >= (along[i - 1] ?? 0) - 2 - long * 0.2), along.join(' ')).toBe(true);
        expect(Math.max(...beside), beside.join(' ')).toBeLessThan(4 + long * 0.5);
      }
    }
    expect({ marched, shot }).toEqual({ marched: true, shot: true });
    // It stops by itself.
    await page.waitForTimeout(750);
    await framesOf(page);
    await page.waitForTimeout(100);
    expect((await framesOf(page)).filter(({ moving, flashes, puffs }) => moving.length + flashes + puffs > 0)).toEqual([]);
    // Where less is wished for, whoever moves is there at once, and there is no smoke.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const stands = () => page.locator('.unit[data-token^="#"] .stand').evaluateAll((all) => all.map((one) => one.getAttribute('d')).join(' '));
    const before = await stands();
    for (let n = 0; n < 60 && (n < 6 || (await stands()) === before) && (await step(page, made, eager)); n++);
    expect(await stands()).not.toBe(before);
    expect((await framesOf(page)).filter(({ moving, flashes, puffs }) => moving.length + flashes + puffs > 0)).toEqual([]);
  });

  test(`the enemy’s turn comes at the pace one likes, and can be skipped: ${book}`, async ({ page }) => {
    test.setTimeout(90_000);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.addInitScript(() => localStorage.getItem('sabretache.pace') ?? localStorage.setItem('sabretache.pace', 'slow'));
    const made = await sitAt(page, scenario, {}, ['a']);
    const play = (who: string) => page.request.post(`/api/battles/${made.id}/players`, { headers: { Authorization: `Seat ${made.secrets.umpire}` }, data: { a: who, b: who } });
    await play('recruit');
    const pace = strip(page).getByLabel('Shown');
    await expect(pace).toHaveValue('slow');
    await page.getByRole('button', { name: 'Story', exact: true }).click();
    await expect(strip(page).getByRole('button', { name: 'Skip' })).toBeVisible();
    /** When each line was shown, in milliseconds. */
    await page.evaluate(() => {
      const shown = ((window as unknown as { shown: number[] }).shown = [] as number[]);
      const lines = () => document.querySelectorAll('.story > li .head').length;
      let told = lines();
      new MutationObserver(() => {
        if (lines() > told) shown.push(performance.now());
        told = lines();
      }).observe(document.body, { childList: true, subtree: true });
    });
    const shown = () => page.evaluate(() => (window as unknown as { shown: number[] }).shown);
    /** The least time between two lines that come from now on. */
    const apart = async (many: number) => {
      const before = (await shown()).length;
      await expect.poll(async () => (await shown()).length, { timeout: 20_000 }).toBeGreaterThan(before + many);
      const times = (await shown()).slice(before);
      return Math.min(...times.slice(1).map((time, i) => time - (times[i] ?? 0)));
    };
    expect(await apart(1)).toBeGreaterThan(1_300);
    await pace.selectOption('quick');
    expect(await apart(2)).toBeLessThan(1_300);
    const lines = () => page.locator('.story > li .head').count();
    const behind = await lines();
    await strip(page).getByRole('button', { name: 'Skip' }).click();
    await expect.poll(lines).toBeGreaterThan(behind + 2);
    await play('person');
  });
}
