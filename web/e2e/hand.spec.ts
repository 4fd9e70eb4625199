/** The hand over the table, in each book: every kind of gesture comes off, by mouse and by touch. */
import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import type { Decision } from '../src/protocol/Decision';
import type { OfferView } from '../src/protocol/OfferView';
import { BOOKS, decision as strip, doIt, sitAt } from './fight';
import { Eager, decisionOf } from './line';

type Pt = { x: number; y: number };

/** How things are taken hold of and let go, with a mouse or with a finger. */
interface Fingers {
  tap(at: Pt): Promise<void>;
  draw(from: Pt, to: Pt): Promise<void>;
}

const mouse = (page: Page): Fingers => ({
  tap: ({ x, y }) => page.mouse.click(x, y),
  async draw(from, to) {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    for (let n = 1; n <= 4; n++) await page.mouse.move(from.x + ((to.x - from.x) * n) / 4, from.y + ((to.y - from.y) * n) / 4);
    await page.mouse.up();
  },
});

async function finger(page: Page, context: BrowserContext): Promise<Fingers> {
  const line = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: Pt) => line.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
  return {
    tap: ({ x, y }) => page.touchscreen.tap(x, y),
    async draw(from, to) {
      await touch('touchStart', from);
      for (let n = 1; n <= 4; n++) await touch('touchMove', { x: from.x + ((to.x - from.x) * n) / 4, y: from.y + ((to.y - from.y) * n) / 4 });
      await touch('touchEnd');
    },
  };
}

/** The middle of something drawn, if it is in the window. */
async function middle(page: Page, selector: string): Promise<Pt | null> {
  const box = await page.locator(selector).first().boundingBox({ timeout: 1_000 }).catch(() => null);
  return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const figure = (token: string) => (token.startsWith('#') ? `.unit[data-token="${token}"] .stand` : `[data-token="${token}"]`);

/** Chooses somebody by pointing at him; false where something lies over him. */
async function choose(page: Page, hands: Fingers, token: string): Promise<boolean> {
  for (let n = 0; n < 3; n++) await page.keyboard.press('Escape');
  const at = await middle(page, figure(token));
  if (!at) return false;
  const under = await page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest('[data-token]')?.getAttribute('data-token'), at);
  if (under !== token) return false;
  await hands.tap(at);
  return true;
}

/** Whether what is drafted now is this, and can be done. */
async function drafted(page: Page, label: RegExp | string): Promise<boolean> {
  const what = page.locator('.drafted .what');
  return (await what.filter({ hasText: label }).count().catch(() => 0)) > 0 && (await doIt(page).isEnabled());
}

const soon = (test: () => Promise<boolean>) => expect.poll(test, { timeout: 1_500, intervals: [40, 80, 160] }).toBe(true).then(() => true, () => false);

/** Each kind of gesture: which offers it is for, and how it is made. It tells whether it came to a draft. */
const GESTURES: Record<string, { fits: (offer: OfferView) => boolean; make: (page: Page, hands: Fingers, offer: OfferView) => Promise<boolean> }> = {
  drag: {
    fits: ({ handle, act, input }) => handle.by === 'along' && act === 'advance' && input.kind === 'distance' && input.most > 30_000,
    async make(page, hands, { handle }) {
      if (handle.by !== 'along' || !(await choose(page, hands, handle.unit))) return false;
      const [from, knob] = [await middle(page, figure(handle.unit)), await middle(page, '[data-knob^="along"] .knob-face')];
      if (!from || !knob) return false;
      const long = Math.hypot(knob.x - from.x, knob.y - from.y) || 1;
      await hands.draw(from, { x: from.x + ((knob.x - from.x) / long) * 40, y: from.y + ((knob.y - from.y) / long) * 40 });
      return soon(async () => (await page.locator('.ghost').count()) > 0 && doIt(page).isEnabled());
    },
  },
  wheel: {
    fits: ({ handle, act, input }) => handle.by === 'wheel' && /^wheel/.test(act) && input.kind === 'wheel' && input.most_right - input.most_left > 1_500,
    async make(page, hands, { handle, key, label }) {
      if (handle.by !== 'wheel' || !(await choose(page, hands, handle.unit))) return false;
      for (const side of ['left', 'right']) {
        const [from, knob] = [await middle(page, figure(handle.unit)), await middle(page, `[data-knob="${side} ${key}"] .knob-face`)];
        if (!from || !knob) continue;
        // A corner goes round the other one: forward, whichever way that is on the screen.
        for (const way of [1, -1]) {
          await hands.draw(knob, { x: knob.x - (knob.y - from.y) * way, y: knob.y + (knob.x - from.x) * way });
          const round = async () => (await page.locator('.drafted .figures').first().textContent({ timeout: 500 }).catch(() => null)) ?? '0°';
          if ((await soon(() => drafted(page, label))) && !/^0°?$/.test(await round())) return true;
        }
      }
      return false;
    },
  },
  formation: {
    fits: ({ handle }) => handle.by === 'formation',
    async make(page, hands, offer) {
      if (offer.handle.by !== 'formation' || !(await choose(page, hands, offer.handle.unit))) return false;
      const words = offer.handle.into ?? (offer.input.kind === 'formation' ? offer.input.of[0] : null) ?? offer.label;
      const chip = await middle(page, `.chips li:has-text(${JSON.stringify(words)}) button`);
      if (!chip) return false;
      await hands.tap(chip);
      return soon(() => drafted(page, offer.label));
    },
  },
  shot: { fits: ({ handle, act }) => handle.by === 'target' && act === 'shoot', make: point },
  charge: { fits: ({ handle, act }) => handle.by === 'target' && (act === 'charge' || act === 'fight'), make: point },
  ride: {
    fits: ({ handle, act }) => handle.by === 'point' && act === 'ride',
    async make(page, hands, { handle, label }) {
      if (handle.by !== 'point' || !(await choose(page, hands, handle.who))) return false;
      // Where he may go is shaded before he is taken hold of.
      await expect(page.locator('.area-open').first()).toBeAttached();
      for (const by of [{ x: 30, y: 0 }, { x: -30, y: 12 }]) {
        const from = await middle(page, figure(handle.who));
        if (!from) return false;
        await hands.draw(from, { x: from.x + by.x, y: from.y + by.y });
        if (!(await soon(() => drafted(page, label)))) continue;
        // And a pale pennant stands where he would.
        await expect(page.locator('.rider')).toBeVisible();
        return true;
      }
      return false;
    },
  },
};

/** Points at an enemy with a ring; where several things can be done to it, they lie beside it. */
async function point(page: Page, hands: Fingers, offer: OfferView): Promise<boolean> {
  const { handle } = offer;
  if (handle.by !== 'target' || !handle.of[0] || !(await choose(page, hands, handle.of[0]))) return false;
  const ring = await middle(page, `.ring[data-token="${handle.target}"] .ring-line`);
  if (!ring) return false;
  await hands.tap(ring);
  if (await soon(() => drafted(page, offer.label))) return true;
  const chip = await middle(page, `.chips li:has-text(${JSON.stringify(offer.label)}) button`);
  if (chip) await hands.tap(chip);
  return soon(() => drafted(page, offer.label));
}

/** The few lines of the odds are the whole list, added up: each fraction stands in its title. Tells how many lines they are. */
async function oddsAddUp(page: Page): Promise<number> {
  const button = strip(page).getByRole('button', { name: 'Odds' });
  await expect(button).toBeVisible();
  if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
  const sum = (selector: string) =>
    page.locator(selector).evaluateAll((all) =>
      all.reduce((total, one) => {
        const [a = 0, b = 1] = (one.getAttribute('title') ?? '').split('/').map(Number);
        return total + a / b;
      }, 0),
    );
  await expect(page.locator('.headlines li').first()).toBeVisible();
  const lines = await page.locator('.headlines li').count();
  expect(lines).toBeLessThanOrEqual(5);
  expect(await sum('.headlines .figures')).toBeCloseTo(1, 9);
  expect(await sum('.odds .all .figures')).toBeCloseTo(1, 9);
  return lines;
}

/** Fights on until each gesture has been made once. */
async function everyGesture(page: Page, scenario: string, seed: number, hands: Fingers) {
  // On a machine that does other work beside it a gesture takes its time.
  test.setTimeout(120_000);
  const made = await sitAt(page, scenario, { seed });
  const left = new Set(Object.keys(GESTURES));
  const eager = new Eager();
  const refused = new Map<string, number>();
  /** A shot may be sure to miss: the longest of the odds that were seen. */
  let lines = 0;
  for (let n = 0; n < 320 && left.size > 0; n++) {
    const now: Decision = await decisionOf(page, made);
    if (!now.side) break;
    let gone = false;
    for (const name of left) {
      const gesture = GESTURES[name];
      const offers = gesture ? now.offers.filter(gesture.fits).slice(0, 3) : [];
      if (!gesture || offers.length === 0 || (refused.get(name) ?? 0) > 6) continue;
      await expect(strip(page)).toHaveAttribute('data-moment', String(now.moment));
      for (const offer of offers) {
        if (!(await gesture.make(page, hands, offer))) continue;
        if (name === 'shot' || name === 'charge') lines = Math.max(lines, await oddsAddUp(page));
        await doIt(page).click();
        await expect.poll(async () => Number(await strip(page).getAttribute('data-moment')), { intervals: [30, 60, 120] }).toBeGreaterThan(now.moment);
        left.delete(name);
        gone = true;
        break;
      }
      if (gone) break;
      refused.set(name, (refused.get(name) ?? 0) + 1);
      for (let k = 0; k < 3; k++) await page.keyboard.press('Escape');
    }
    if (!gone) await eager.step(page, made, now);
  }
  expect([...left], 'gestures that did not come off').toEqual([]);
  expect(lines).toBeGreaterThan(1);
}

for (const { book, scenario } of BOOKS) {
  test(`drag, wheel, formation, shot, charge and ride by mouse: ${book}`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await everyGesture(page, scenario, 7, mouse(page));
  });

  test(`drag, wheel, formation, shot, charge and ride by touch: ${book}`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ hasTouch: true, baseURL: baseURL ?? '', viewport: { width: 1024, height: 768 }, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await everyGesture(page, scenario, 7, await finger(page, context));
    await context.close();
  });
}
