//! What follows from a battle and is asked for again and again: where everything lies, who is near whom, whose turn it is.
//!
//! Figures are laid out anew when an event moves or changes a brigade; everything else is found when it is first asked
//! for, and forgotten when an event may have changed it.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_kit::{Kept, Looked};
use sabretache_table::Bounds;

use crate::Offer;
use crate::battle::Battle;
use crate::brigade::{Brigade, Charge, Leader};
use crate::event::Phase;
use crate::phases::movement::Group;
use crate::table::lay::Figure;

/// A fact about one unit that depends on where everybody stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// Enemy are within 6 inches.
    EnemyNear = 0,
    /// It is held by close combat.
    Pinned = 1,
    /// It is in close combat.
    InCombat = 2,
    /// Enemy foot within an inch face it.
    Faced = 3,
}

/// Of what half of what phase something was found out; nothing where nothing is kept.
type Moment = Option<(u32, Phase, Side, u8, usize)>;

/// Where everything lies, and what has been found out about it.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    figures: Vec<Arc<Figure>>,
    /// The boxes round those that are on the table as units; the others have empty ones.
    bounds: Vec<Bounds>,
    /// Two bits for each [`Fact`]: known, and so.
    facts: Vec<AtomicU8>,
    order: [OnceLock<Arc<[UnitId]>>; 2],
    acting: OnceLock<Option<Group>>,
    members: OnceLock<Arc<[UnitId]>>,
    offers: OnceLock<Arc<[Offer]>>,
    /// What each unit may do in a phase in which nobody moves, and what each leader may do in the command phase.
    by_unit: Kept<Offer>,
    by_leader: Kept<Offer>,
    /// What each leader may say to others then.
    words: Kept<Offer>,
    /// When that was found, and the leaders as they were then.
    moment: Moment,
    leaders: Vec<Leader>,
    /// Units that the event being applied has touched, as they were before.
    touched: Vec<(UnitId, Brigade)>,
    /// What the rules forbid is looked at as if they did not: a player who is only advised does it all the same.
    waives: AtomicBool,
}

impl Clone for Memo {
    fn clone(&self) -> Self {
        let facts = self.facts.iter().map(|fact| AtomicU8::new(fact.load(Ordering::Relaxed))).collect();
        Self {
            figures: self.figures.clone(),
            bounds: self.bounds.clone(),
            facts,
            order: self.order.clone(),
            acting: self.acting.clone(),
            members: self.members.clone(),
            offers: self.offers.clone(),
            by_unit: self.by_unit.clone(),
            by_leader: self.by_leader.clone(),
            words: self.words.clone(),
            moment: self.moment,
            leaders: self.leaders.clone(),
            touched: Vec::new(),
            waives: AtomicBool::new(false),
        }
    }
}

impl PartialEq for Memo {
    fn eq(&self, _: &Self) -> bool {
        // It follows from the rest of the battle, which is compared.
        true
    }
}

impl Memo {
    /// Lays everything out.
    pub(crate) fn of(units: &[Brigade]) -> Self {
        let mut memo = Self::default();
        for brigade in units {
            memo.add(brigade);
        }
        memo
    }

    fn add(&mut self, brigade: &Brigade) {
        self.figures.push(Arc::new(Figure::of(brigade, brigade.pose)));
        self.bounds.push(bounds_of(brigade, &self.figures[self.figures.len() - 1]));
        self.facts.push(AtomicU8::new(0));
    }

    pub(crate) fn figure(&self, unit: UnitId) -> &Figure {
        &self.figures[unit.index()]
    }

    /// The units whose boxes are within a distance of a box.
    pub(crate) fn near(&self, bounds: Bounds, distance: f64) -> impl Iterator<Item = UnitId> + '_ {
        let reach = distance * distance;
        let close = move |(_, other): &(usize, &Bounds)| bounds.distance2(other) <= reach;
        self.bounds.iter().enumerate().filter(close).map(|(n, _)| UnitId(n as u16))
    }

    /// A fact about a unit, found out if it is not known.
    pub(crate) fn fact(&self, unit: UnitId, fact: Fact, find: impl FnOnce() -> bool) -> bool {
        let cell = &self.facts[unit.index()];
        let shift = fact as u8 * 2;
        let known = cell.load(Ordering::Relaxed) >> shift;
        if known & 1 == 1 {
            return known & 2 == 2;
        }
        let so = find();
        cell.fetch_or((1 | u8::from(so) << 1) << shift, Ordering::Relaxed);
        so
    }

    pub(crate) fn order(&self, side: Side, find: impl FnOnce() -> Vec<UnitId>) -> Arc<[UnitId]> {
        self.order[side.index()].get_or_init(|| find().into()).clone()
    }

    pub(crate) fn acting(&self, find: impl FnOnce() -> Option<Group>) -> Option<Group> {
        *self.acting.get_or_init(find)
    }

    /// The members of the acting group.
    pub(crate) fn members(&self, find: impl FnOnce() -> Vec<UnitId>) -> Arc<[UnitId]> {
        self.members.get_or_init(|| find().into()).clone()
    }

    pub(crate) fn offers(&self, find: impl FnOnce() -> Vec<Offer>) -> &Arc<[Offer]> {
        self.offers.get_or_init(|| find().into())
    }

    /// Whether what is forbidden is looked at as if it were not.
    pub(crate) fn waives(&self) -> bool {
        self.waives.load(Ordering::Relaxed)
    }

    /// From here on what is forbidden is looked at as if it were not.
    pub(crate) fn waive(&self) {
        self.waives.store(true, Ordering::Relaxed);
    }

    /// The rules are in force again.
    pub(crate) fn enforce(&self) {
        self.waives.store(false, Ordering::Relaxed);
    }

    /// An event is about to change a unit.
    pub(crate) fn touch(&mut self, unit: UnitId, was: &Brigade) {
        if !self.touched.iter().any(|(one, _)| *one == unit) {
            self.touched.push((unit, *was));
        }
    }

    /// What is known of who fights whom depends on more than where they stand, and has changed.
    pub(crate) fn forget(&mut self) {
        for fact in &mut self.facts {
            *fact.get_mut() = 0;
        }
        self.by_unit.forget_all();
    }

    /// An event has been applied: what it may have changed is laid out anew, or forgotten.
    pub(crate) fn settle(&mut self, units: &[Brigade], leaders: &[Leader], moment: Moment) {
        self.acting.take();
        self.members.take();
        self.offers.take();
        let mut moved = false;
        while self.figures.len() < units.len() {
            self.add(&units[self.figures.len()]);
            moved = true;
        }
        let mut touched = std::mem::take(&mut self.touched);
        self.forget_stale(units, leaders, moment, &touched);
        for (unit, _) in touched.drain(..) {
            let brigade = &units[unit.index()];
            let figure = &mut self.figures[unit.index()];
            if !figure.is_of(brigade) {
                *figure = Arc::new(Figure::of(brigade, brigade.pose));
                moved = true;
            }
            let bounds = bounds_of(brigade, figure);
            moved |= bounds != self.bounds[unit.index()];
            self.bounds[unit.index()] = bounds;
        }
        self.touched = touched;
        if moved {
            self.order = Default::default();
            self.forget();
        }
    }

    /// What each may do is forgotten where it may have changed. Figures are still as they were before the event.
    fn forget_stale(&mut self, units: &[Brigade], leaders: &[Leader], moment: Moment, touched: &[(UnitId, Brigade)]) {
        if moment.is_none() || moment != self.moment || self.by_unit.len() != units.len() {
            let kept = self.moment.is_some();
            self.moment = moment;
            if moment.is_none() && !kept {
                return;
            }
            if self.by_unit.len() == units.len() {
                self.by_unit.forget_all();
                self.by_leader.forget_all();
                self.words.forget_all();
            } else {
                (self.by_unit, self.by_leader) = (Kept::of(units.len()), Kept::of(leaders.len()));
                self.words = Kept::of(leaders.len());
            }
            if moment.is_some() {
                self.leaders.clear();
                self.leaders.extend_from_slice(leaders);
            }
            return;
        }
        for (n, leader) in leaders.iter().enumerate() {
            let was = self.leaders[n];
            if was == *leader {
                continue;
            }
            self.leaders[n] = *leader;
            self.by_unit.forget_all();
            // Who is under whom concerns those above as well.
            if (was.above, was.lost, was.side) == (leader.above, leader.lost, leader.side) {
                self.by_leader.forget(n);
            } else {
                self.by_leader.forget_all();
                self.words.forget_all();
            }
            // New orders concern everybody who might give others.
            if was.order == leader.order {
                self.words.forget(n);
            } else {
                self.words.forget_all();
            }
        }
        for (unit, was) in touched {
            let is = &units[unit.index()];
            if shows(was, is) {
                self.by_unit.forget_all();
                self.by_leader.forget_all();
                self.words.forget_all();
                return;
            }
            if was == is {
                continue;
            }
            for (n, _) in leaders.iter().enumerate().filter(|(_, leader)| leader.attached == Some(*unit)) {
                self.by_leader.forget(n);
            }
            let follows = |one: &Brigade| matches!(one.marks.control.by, Charge::Conforms(lead) if lead == *unit);
            let followers = units.iter().enumerate().filter(|(_, one)| follows(one)).map(|(n, _)| n);
            for n in followers.chain([unit.index()]) {
                let place = self.bounds[n];
                self.by_unit.forget_where(|one, looked, _| one == n || looked.meets(&place));
            }
        }
    }

    /// Whether every figure was laid out from its brigade as it stands.
    pub(crate) fn agrees(&self, units: &[Brigade]) -> bool {
        let same = |(n, brigade): (usize, &Brigade)| {
            self.figures[n].is_of(brigade) && self.bounds[n] == bounds_of(brigade, &self.figures[n])
        };
        self.figures.len() == units.len() && units.iter().enumerate().all(same)
    }
}

/// Whether a change can be seen from without, or concerns where a unit belongs: more than its marks, its DPs and what it aims at.
/// Of its marks those can be seen that tell that it has fired or fought: its smoke bars sight, and it no longer hides in cover
/// (MB-VIS-05, MB-VIS-07).
fn shows(was: &Brigade, is: &Brigade) -> bool {
    let shot = |one: &Brigade| {
        let marks = &one.marks;
        (marks.fire.bombarded.is_some(), marks.fire.fired_close, marks.fire.gave_fire, marks.fought)
    };
    let mut same = *was;
    (same.marks, same.dps, same.aim) = (is.marks, is.dps, is.aim);
    same != *is || shot(was) != shot(is)
}

impl Battle {
    /// The half of a phase in which nobody moves, so that what each may do can be kept; nothing in the middle of something else.
    pub(crate) fn moment(&self) -> Moment {
        let still = matches!(
            self.phase,
            Phase::Bombardment | Phase::Command | Phase::CloseFire | Phase::LoneShots | Phase::Charges
        );
        let quiet = self.pending.is_none() && self.closing.is_empty() && self.group.is_none();
        (still && quiet).then_some((self.turn, self.phase, self.active, self.floor, self.dispatches.len()))
    }

    /// What a unit may do, worked out once as long as it holds.
    pub(crate) fn kept_of(&self, unit: UnitId, out: &mut Vec<Offer>, find: impl FnOnce() -> (Looked, Vec<Offer>)) {
        self.memo.kept(&self.memo.by_unit, unit.index(), out, find);
    }

    /// What a leader may do himself, likewise.
    pub(crate) fn kept_of_leader(&self, leader: OfficerId, out: &mut Vec<Offer>, find: impl FnOnce() -> Vec<Offer>) {
        self.memo.kept(&self.memo.by_leader, leader.index(), out, || (Looked::NOTHING, find()));
    }

    /// What he may say to others, likewise.
    pub(crate) fn kept_words(&self, leader: OfficerId, out: &mut Vec<Offer>, find: impl FnOnce() -> Vec<Offer>) {
        self.memo.kept(&self.memo.words, leader.index(), out, || (Looked::NOTHING, find()));
    }

    /// Whether a unit is known to have nothing that it may do.
    pub(crate) fn known_idle(&self, unit: UnitId) -> bool {
        self.memo.moment.is_some() && self.memo.by_unit.known(unit.index()).is_some_and(<[Offer]>::is_empty)
    }
}

impl Memo {
    fn kept(&self, cells: &Kept<Offer>, one: usize, out: &mut Vec<Offer>, find: impl FnOnce() -> (Looked, Vec<Offer>)) {
        // What is only looked at as if it were allowed is not kept.
        if self.moment.is_none() || one >= cells.len() || self.waives() {
            out.extend(find().1);
        } else {
            out.extend_from_slice(cells.get(one, find));
        }
    }
}

fn bounds_of(brigade: &Brigade, figure: &Figure) -> Bounds {
    if brigade.is_unit() { sabretache_table::Outline::bounds(figure) } else { Bounds::EMPTY }
}
