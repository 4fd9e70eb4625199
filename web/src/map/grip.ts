/** What takes hold of things on the table, in place of the sheet itself. Places are in micrometres of the table. */

import type { Pt } from './geometry';

export interface Hold {
  place: Pt;
  /** The unit or officer under the hand, and the knob. */
  token: string | null;
  knob: string | null;
  /** Whether it is added to what is in the hand already. */
  more: boolean;
}

export interface Grip {
  /** Takes hold of something; false where there is nothing to hold, and the sheet is moved instead. */
  grab(hold: Hold): boolean;
  drag(place: Pt): void;
  /** Puts down what is held: `done` when it was drawn somewhere, not when it was given up. */
  drop(done: boolean): void;
  /** A loop was drawn round these. */
  gather(tokens: string[]): void;
}
