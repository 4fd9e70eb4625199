import { describe, expect, test } from 'vitest';
import { pageOf } from '../address';
import { Camera } from './camera.svelte';
import { distance } from './geometry';

function camera(): Camera {
  const one = new Camera();
  one.resize({ width: 1000, height: 600 }, { width: 1800, height: 1200 });
  return one;
}

describe('the camera', () => {
  test('shows the whole sheet at first, in the middle', () => {
    const one = camera();
    const [low, high] = [one.toWindow({ x: 0, y: 0 }), one.toWindow({ x: 1800, y: 1200 })];
    expect(low.x).toBeGreaterThanOrEqual(0);
    expect(high.y).toBeLessThanOrEqual(600);
    expect((low.x + high.x) / 2).toBeCloseTo(500);
  });

  test('finds the way from the window to the sheet and back, however it is turned', () => {
    const one = camera();
    one.rotate(37);
    one.zoom(3, { x: 200, y: 100 });
    const p = { x: 321, y: 123 };
    expect(distance(one.toWindow(one.toSheet(p)), p)).toBeLessThan(1e-9);
  });

  test('keeps the place under the finger when it comes closer', () => {
    const one = camera();
    const finger = { x: 200, y: 100 };
    const place = one.toSheet(finger);
    one.zoom(2.5, finger);
    expect(distance(one.toWindow(place), finger)).toBeLessThan(1e-9);
  });

  test('turns about the middle of the window', () => {
    const one = camera();
    const middle = one.toSheet({ x: 500, y: 300 });
    one.rotate(90);
    expect(distance(one.toWindow(middle), { x: 500, y: 300 })).toBeLessThan(1e-9);
    one.rotate(-105);
    expect(one.turn).toBe(345);
  });

  test('goes neither too close nor too far', () => {
    const one = camera();
    for (let n = 0; n < 50; n++) one.zoom(2);
    expect(one.scale).toBe(12);
    for (let n = 0; n < 50; n++) one.zoom(0.5);
    expect(one.scale).toBeCloseTo(0.25);
  });

  test('stays with the reader once it was moved', () => {
    const one = camera();
    one.pan(30, 0);
    const x = one.x;
    one.resize({ width: 900, height: 600 }, { width: 1800, height: 1200 });
    expect(one.x).toBe(x);
    one.show({ x: 100_000, y: 0 });
    expect(one.toWindow({ x: 100_000, y: 0 }).x).toBeCloseTo(450);
  });
});

describe('addresses', () => {
  test('lead to pages', () => {
    expect(pageOf('/', '')).toEqual({ page: 'home' });
    expect(pageOf('/battle/ab12', '#seat=1')).toEqual({ page: 'battle', id: 'ab12' });
    expect(pageOf('/battle/ab12/after', '')).toEqual({ page: 'after', id: 'ab12' });
    expect(pageOf('/rules/huzzah', '#HZ-THR-03')).toEqual({ page: 'rules', ruleset: 'huzzah', clause: 'HZ-THR-03' });
    expect(pageOf('/rules', '')).toEqual({ page: 'rules', ruleset: null, clause: null });
    expect(pageOf('/sheet/maida', '')).toEqual({ page: 'sheet', scenario: 'maida' });
    expect(pageOf('/', '')).toEqual({ page: 'home' });
    expect(pageOf('/nowhere', '')).toEqual({ page: 'nowhere' });
  });
});
