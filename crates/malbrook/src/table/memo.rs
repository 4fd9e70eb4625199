//! What follows from a battle and is asked for again and again: where everything lies, who is near whom, whose turn it is.
//!
//! Figures are laid out anew when an event moves or changes a brigade; everything else is found when it is first asked
//! for, and forgotten when an event may have changed it.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

use sabretache_engine::ids::{Side, UnitId};
use sabretache_table::Bounds;
use smallvec::SmallVec;

use crate::Offer;
use crate::brigade::Brigade;
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
    /// Units that the event being applied has touched.
    touched: SmallVec<[UnitId; 8]>,
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
            touched: SmallVec::new(),
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
    pub(crate) fn touch(&mut self, unit: UnitId) {
        if !self.touched.contains(&unit) {
            self.touched.push(unit);
        }
    }

    /// What is known of who fights whom depends on more than where they stand, and has changed.
    pub(crate) fn forget(&mut self) {
        for fact in &mut self.facts {
            *fact.get_mut() = 0;
        }
    }

    /// An event has been applied: what it may have changed is laid out anew, or forgotten.
    pub(crate) fn settle(&mut self, units: &[Brigade]) {
        self.acting.take();
        self.members.take();
        self.offers.take();
        let mut moved = false;
        while self.figures.len() < units.len() {
            self.add(&units[self.figures.len()]);
            moved = true;
        }
        for unit in std::mem::take(&mut self.touched) {
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
        if moved {
            self.order = Default::default();
            self.forget();
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

fn bounds_of(brigade: &Brigade, figure: &Figure) -> Bounds {
    if brigade.is_unit() { sabretache_table::Outline::bounds(figure) } else { Bounds::EMPTY }
}
