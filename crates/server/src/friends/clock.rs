//! The clock of a battle over days: a bank for each side, and something back for each decision.
//!
//! It is a plain value. Whether somebody has run out is judged when it is read, and by a sweep that may come as often as it
//! likes: neither changes what the other finds.

use sabretache_engine::ids::Side;
use serde::{Deserialize, Serialize};

use super::messages::{ClockNow, ClockSetting};

/// A decision that was on its way when the time ran out still counts.
const GRACE: i64 = 2_000;
/// Between a minute and a quarter of a year.
const SHORTEST: i64 = 60;
const LONGEST: i64 = 90 * 24 * 3600;

/// A clock. Times are in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Clock {
    setting: ClockSetting,
    left: [i64; 2],
    /// Whose time runs, since when.
    running: Option<(Side, i64)>,
    paused: bool,
    pause_asked: Option<Side>,
    /// Whether a side was told that its time runs out.
    reminded: [bool; 2],
    /// What comes back to a side for its decision once the other side has decided too: until then it may be taken back.
    #[serde(default)]
    owed: Option<(Side, i64)>,
}

impl Clock {
    /// A clock that does not run yet; nothing for a setting that is out of bounds.
    pub(crate) fn new(setting: ClockSetting) -> Option<Self> {
        let fits = (SHORTEST..=LONGEST).contains(&setting.bank) && (0..=setting.bank).contains(&setting.increment);
        let left = setting.bank * 1_000;
        fits.then_some(Self {
            setting,
            left: [left; 2],
            running: None,
            paused: false,
            pause_asked: None,
            reminded: [false; 2],
            owed: None,
        })
    }

    pub(crate) fn setting(&self) -> ClockSetting {
        self.setting
    }

    /// What a side has left at a time, with what will come back to it.
    pub(crate) fn left(&self, side: Side, now: i64) -> i64 {
        let spent = match self.running {
            Some((running, since)) if running == side && !self.paused => (now - since).max(0),
            _ => 0,
        };
        let owed = self.owed.filter(|(whose, _)| *whose == side).map_or(0, |(_, owed)| owed);
        (self.left[side.index()] + owed).min(self.setting.bank * 1_000) - spent
    }

    /// It is for this side to act from now on; for nobody, once the battle is over. `decided` is the side whose decision
    /// brought it about; nobody's, where something was taken back.
    pub(crate) fn turn(&mut self, decided: Option<Side>, awaited: Option<Side>, now: i64) {
        if let Some((side, owed)) = self.owed
            && decided.is_some()
            && decided != Some(side)
        {
            self.left[side.index()] = (self.left[side.index()] + owed).min(self.setting.bank * 1_000);
            self.owed = None;
        }
        if decided.is_none() {
            // What was taken back is paid for when it is decided again.
            self.owed.take_if(|(side, _)| awaited == Some(*side));
        }
        let before = self.running.map(|(side, _)| side);
        if before != awaited {
            if let Some(side) = before {
                self.left[side.index()] = self.left(side, now);
                self.reminded[side.index()] = false;
            }
            self.running = awaited.map(|side| (side, now));
        }
        // What came too late gains nothing.
        if let Some(side) = decided.filter(|side| awaited != Some(*side) && self.left[side.index()] >= 0) {
            self.owed = Some((side, self.setting.increment * 1_000));
        }
    }

    /// The side whose time has run out.
    pub(crate) fn flagged(&self, now: i64) -> Option<Side> {
        let over = |side: &Side| self.left(*side, now) < if self.runs(*side) { -GRACE } else { 0 };
        Side::BOTH.into_iter().find(over)
    }

    fn runs(&self, side: Side) -> bool {
        !self.paused && self.running.is_some_and(|(running, _)| running == side)
    }

    /// The side that is to be reminded now that three quarters of its time are gone. Telling it once is enough.
    pub(crate) fn remind(&mut self, now: i64) -> Option<Side> {
        let side = self.running?.0;
        let due = self.runs(side) && !self.reminded[side.index()] && self.left(side, now) <= self.quarter();
        due.then(|| self.reminded[side.index()] = true)?;
        Some(side)
    }

    const fn quarter(&self) -> i64 {
        self.setting.bank * 250
    }

    /// When it has to be looked at next, in milliseconds since 1970.
    pub(crate) fn next(&self, now: i64) -> Option<i64> {
        let side = self.running?.0;
        if self.paused {
            return None;
        }
        let left = self.left(side, now);
        let reminder = left - self.quarter();
        let wait = if !self.reminded[side.index()] && reminder > 0 { reminder } else { left + GRACE + 1 };
        Some(now + wait)
    }

    /// A side wants a pause, or no pause. A pause needs both; either may end it.
    pub(crate) fn pause(&mut self, side: Side, pause: bool, now: i64) {
        match (pause, self.paused) {
            (true, true) => {}
            (true, false) if self.pause_asked == Some(side.other()) => {
                if let Some((running, _)) = self.running {
                    self.left[running.index()] = self.left(running, now);
                    self.running = Some((running, now));
                }
                (self.paused, self.pause_asked) = (true, None);
            }
            (true, false) => self.pause_asked = Some(side),
            (false, _) => {
                if self.paused {
                    self.running = self.running.map(|(running, _)| (running, now));
                }
                (self.paused, self.pause_asked) = (false, None);
            }
        }
    }

    pub(crate) fn now(&self, now: i64) -> ClockNow {
        ClockNow {
            setting: self.setting,
            left: Side::BOTH.map(|side| self.left(side, now)),
            running: self.running.map(|(side, _)| side),
            paused: self.paused,
            pause_asked: self.pause_asked,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A day, and an hour back for each decision.
    fn clock() -> Clock {
        let mut clock = Clock::new(ClockSetting { bank: 86_400, increment: 3_600 }).unwrap();
        clock.turn(None, Some(Side::A), 0);
        clock
    }

    const HOUR: i64 = 3_600_000;

    #[test]
    fn time_runs_for_the_side_that_decides_and_something_comes_back() {
        let mut clock = clock();
        assert_eq!((clock.left(Side::A, 5 * HOUR), clock.left(Side::B, 5 * HOUR)), (19 * HOUR, 24 * HOUR));
        clock.turn(Some(Side::A), Some(Side::B), 5 * HOUR);
        assert_eq!(clock.left(Side::A, 9 * HOUR), 20 * HOUR);
        clock.turn(Some(Side::B), Some(Side::A), 5 * HOUR);
        assert_eq!(clock.left(Side::B, 9 * HOUR), 24 * HOUR, "never more than the bank");
        assert_eq!(clock.left(Side::A, 6 * HOUR), 19 * HOUR, "it stays when the other has decided");
    }

    #[test]
    fn deciding_and_taking_back_gains_nothing_however_often() {
        let mut clock = clock();
        clock.turn(Some(Side::A), Some(Side::B), 20 * HOUR);
        for _ in 0..10 {
            clock.turn(None, Some(Side::A), 20 * HOUR);
            assert_eq!((clock.left(Side::A, 20 * HOUR), clock.left(Side::B, 20 * HOUR)), (4 * HOUR, 24 * HOUR));
            clock.turn(Some(Side::A), Some(Side::B), 20 * HOUR);
        }
        assert_eq!(clock.left(Side::A, 20 * HOUR), 5 * HOUR, "once");
        assert_eq!(clock.left(Side::B, 21 * HOUR), 23 * HOUR);
    }

    #[test]
    fn several_decisions_in_a_row_bring_back_what_one_does() {
        let mut clock = clock();
        for hour in 1..4 {
            clock.turn(Some(Side::A), Some(Side::A), hour * HOUR);
        }
        assert_eq!(clock.left(Side::A, 4 * HOUR), 20 * HOUR);
        clock.turn(Some(Side::A), Some(Side::B), 4 * HOUR);
        assert_eq!(clock.left(Side::A, 4 * HOUR), 21 * HOUR);
    }

    #[test]
    fn whoever_runs_out_is_found_again_and_again_and_nobody_else() {
        let clock = clock();
        assert_eq!(clock.flagged(24 * HOUR + GRACE), None, "what was on its way still counts");
        for later in [1, 2, 1_000_000_000] {
            assert_eq!(clock.flagged(24 * HOUR + GRACE + later), Some(Side::A));
        }
        let mut late = clock.clone();
        late.turn(Some(Side::A), Some(Side::B), 25 * HOUR);
        assert_eq!(late.flagged(25 * HOUR), Some(Side::A), "what came too late gains nothing");
    }

    #[test]
    fn a_side_is_reminded_once_when_three_quarters_are_gone() {
        let mut clock = clock();
        assert_eq!(clock.next(0), Some(18 * HOUR));
        assert_eq!((clock.remind(18 * HOUR - 1), clock.remind(18 * HOUR)), (None, Some(Side::A)));
        assert_eq!(clock.remind(19 * HOUR), None);
        assert_eq!(clock.next(19 * HOUR), Some(24 * HOUR + GRACE + 1));
    }

    #[test]
    fn a_pause_needs_both_and_either_ends_it() {
        let mut clock = clock();
        clock.pause(Side::A, true, HOUR);
        assert_eq!(clock.left(Side::A, 2 * HOUR), 22 * HOUR, "one alone stops nothing");
        clock.pause(Side::A, true, HOUR);
        clock.pause(Side::B, true, 2 * HOUR);
        assert_eq!((clock.left(Side::A, 90 * HOUR), clock.next(90 * HOUR)), (22 * HOUR, None));
        assert_eq!((clock.flagged(90 * HOUR), clock.remind(90 * HOUR)), (None, None));
        clock.pause(Side::B, false, 90 * HOUR);
        assert_eq!(clock.left(Side::A, 91 * HOUR), 21 * HOUR);
    }

    #[test]
    fn a_clock_has_bounds() {
        for (bank, increment) in [(59, 0), (LONGEST + 1, 0), (100, 101), (100, -1)] {
            assert_eq!(Clock::new(ClockSetting { bank, increment }), None, "{bank} {increment}");
        }
    }
}
