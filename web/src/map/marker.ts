/** Markers: each its own shape, so that colour is never alone. Drawn in a box of 10 about the origin. */

import type { MarkerStyle } from '../protocol/MarkerStyle';

export interface Shape {
  d: string;
  fill: string;
  stroke: string;
  /** The colour of the numeral and how far it sits below the middle. */
  ink: string;
  drop: number;
}

const INK = '#1d1812';

export const SHAPES: Record<MarkerStyle, Shape> = {
  yellow_diamond: { d: 'M0-5 5 0 0 5-5 0z', fill: '#f1c232', stroke: INK, ink: INK, drop: 0 },
  red_square: { d: 'M-4.2-4.2h8.4v8.4h-8.4z', fill: '#b3261e', stroke: INK, ink: '#fff', drop: 0 },
  grey_puff: {
    d: 'M-5.2 3.4a2.5 2.5 0 0 1-.9-4.7a2.7 2.7 0 0 1 3.1-2.9a3.3 3.3 0 0 1 5.6-.5a2.8 2.8 0 0 1 3.6 3a2.6 2.6 0 0 1-.6 5.1q-2.7 1.4-5.4.1q-2.7 1.3-5.4-.1z',
    fill: '#c4c0b7',
    stroke: '#4d4a43',
    ink: INK,
    drop: -0.4,
  },
  green_ring: { d: 'M-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0-9.2 0z', fill: '#f3eee2', stroke: '#2f7d3b', ink: INK, drop: 0 },
  blue_flag: { d: 'M-4.4 5.2v-10.2h8.8l-2.4 3 2.4 3h-7.6v4.2z', fill: '#2b62b5', stroke: INK, ink: '#fff', drop: -2 },
  stone: { d: 'M-4.4 1.4C-4.6-2-1.6-4.4 1-4c2.6.3 4 2.4 3.6 4.8C4.3 3.4 2 4.2-.6 4.1-2.8 4-4.3 3.2-4.4 1.4z', fill: '#8d857a', stroke: INK, ink: '#fff', drop: 0 },
  white_disc: { d: 'M-4.4 0a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0-8.8 0z', fill: '#fff', stroke: INK, ink: INK, drop: 0 },
  black_chevron: { d: 'M-5 0 0-5 5 0v4.6L0-.4l-5 5z', fill: '#1d1812', stroke: '#f7f1e1', ink: '#fff', drop: -1.6 },
};

/** Pennants by rank: the higher, the more there is of it. The foot of the staff is at the origin. */
export function pennant(grade: number): string {
  switch (true) {
    case grade <= 1:
      return 'M0-13 9-10.4 0-7.8z';
    case grade === 2:
      return 'M0-14.5h10l-3.2 3.2 3.2 3.2H0z';
    case grade === 3:
      return 'M0-16h11v8H0z';
    default:
      return 'M0-18h12v8.6q-3 1.8-6 0T0-9.4z';
  }
}

export const staff = (grade: number) => `M0 0V${grade >= 4 ? -19.5 : grade === 3 ? -17.5 : grade === 2 ? -16 : -14.5}`;
