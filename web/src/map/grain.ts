/** The grain of the paper: a small tile, drawn once. */

import { Hand } from './random';

let tile: string | null = null;

export function grain(): string {
  if (tile !== null) return tile;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 160;
  const pen = canvas.getContext('2d');
  tile = '';
  if (!pen) return tile;
  const hand = new Hand('paper');
  for (let n = 0; n < 1500; n++) {
    const dark = hand.next() < 0.6;
    pen.fillStyle = dark ? `rgba(90,65,25,${hand.between(0.02, 0.09)})` : `rgba(255,250,235,${hand.between(0.04, 0.14)})`;
    pen.fillRect(hand.between(0, 160), hand.between(0, 160), hand.between(0.6, dark ? 5 : 2), hand.between(0.5, 1.4));
  }
  tile = canvas.toDataURL('image/png');
  return tile;
}
