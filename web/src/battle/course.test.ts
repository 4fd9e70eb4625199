import { describe, expect, test } from 'vitest';
import type { Course } from '../protocol/Course';
import type { CourseMoment } from '../protocol/CourseMoment';
import { luckInChances } from './course';

const moment = (n: number, luck: number | null): CourseMoment => ({ moment: n, turn: 1, worth: 0, chance: 0.5, luck, units: [1, 1], stands: [1, 1], points: [0, 0] });
const course = (...luck: (number | null)[]): Course => ({ moments: luck.map((one, n) => moment(n + 1, one)), commands: [], turning: null });

describe('luck in chances of winning', () => {
  test('is the sum over the choices whose dice were weighed', () => {
    expect(luckInChances(course(null, 0.25, null, -0.125))).toBeCloseTo(0.125);
  });

  test('is not told where nothing was weighed', () => {
    expect(luckInChances(course(null, null))).toBeNull();
  });
});
