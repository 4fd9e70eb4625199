//! What is worked out once and kept until something near it changes: outlines, and what each unit may do.
//!
//! Nothing here is part of the battle: a battle with an empty memo is the same battle. Whatever `apply` changes is found by
//! comparing units with what they were, so no event has to say what it makes stale.

use sabretache_engine::decides;
use std::sync::{Arc, Mutex, OnceLock};

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::Input;
use sabretache_kit::{Kept, Looked};
use sabretache_table::{Bounds, Length, Outline, Placed, Pose};

use crate::battle::{Battle, Contact, Facts, Fixed, General, Kind, Order, Pending, Place, Step, Unit};
use crate::clauses::*;
use crate::offer::Offer;
use crate::troops::Pace;
use crate::worth::prospects::Promise;

/// What ordered shots promise.
type Promises = Vec<(Order, Promise)>;

/// The memo of a battle.
#[derive(Clone, Default)]
pub(crate) struct Memo {
    /// Units as they were when their outlines were laid.
    seen: Vec<Unit>,
    outlines: Vec<Placed>,
    /// What each unit may do; whether it may plot a charge; where each general may ride.
    offers: Kept<Offer>,
    launches: Kept<Offer>,
    rides: Kept<Offer>,
    /// All that may be done at a moment that is not for moving or aiming.
    asked: OnceLock<Arc<[Offer]>>,
    /// The ground that disorders a unit where each unit stands.
    broken_ground: Vec<OnceLock<Option<Clause>>>,
    /// Whether each unit is divided by an obstacle where it stands.
    divided: Vec<OnceLock<bool>>,
    /// What offers were asked to be told at this moment; shared by the copies of a battle until one of them changes.
    inputs: Arc<Mutex<Vec<(Offer, Input)>>>,
    /// What ordered shots promise; shared by the copies of a battle until something else changes in one of them than that a shot is ordered.
    promises: Arc<Mutex<Promises>>,
    generals: Vec<General>,
    contacts: Vec<Contact>,
    breaks: usize,
    shots: usize,
    moment: Option<(u32, Step, Option<UnitId>, Option<Pending>)>,
}

/// Whatever is remembered, the battle is the same.
impl PartialEq for Memo {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl std::fmt::Debug for Memo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memo")
    }
}

/// Whether two states of a unit cover the same ground.
fn same_ground(a: &Unit, b: &Unit) -> bool {
    a.pose == b.pose
        && (a.formation, a.stands, a.figures, a.out, a.bend) == (b.formation, b.stands, b.figures, b.out, b.bend)
        && (a.guns, a.limbered, a.away, a.inside) == (b.guns, b.limbered, b.away, b.inside)
}

impl Fixed {
    /// The ground that a unit covers: its footprint, or the block that it holds.
    pub(crate) fn outline(&self, unit: &Unit, facts: &Facts) -> Placed {
        let block = unit.inside.and_then(|ground| self.blocks.iter().find(|block| block.ground == ground));
        block.map_or_else(|| unit.placed(facts, &self.numbers), |block| block.placed.clone())
    }
}

impl Memo {
    fn lay(units: &[Unit], fixed: &Fixed) -> Self {
        Self {
            seen: units.to_vec(),
            outlines: units.iter().zip(&fixed.facts).map(|(unit, facts)| fixed.outline(unit, facts)).collect(),
            offers: Kept::of(units.len()),
            launches: Kept::of(units.len()),
            broken_ground: vec![OnceLock::new(); units.len()],
            divided: vec![OnceLock::new(); units.len()],
            ..Self::default()
        }
    }
}

impl Battle {
    /// The outline of a unit where it stands.
    pub(crate) fn placed(&self, unit: UnitId) -> Placed {
        match self.memo.seen.get(unit.index()) {
            Some(seen) if same_ground(seen, self.unit(unit)) => self.memo.outlines[unit.index()].clone(),
            _ => self.fixed.outline(self.unit(unit), self.facts(unit)),
        }
    }

    /// The outline of a unit if it stood at some pose; a garrison is its block wherever it stands.
    pub(crate) fn placed_at(&self, unit: UnitId, pose: Pose) -> Placed {
        let state = Unit { pose, ..*self.unit(unit) };
        self.fixed.outline(&state, self.facts(unit))
    }

    /// The same, borrowed: for use between events, when every outline is laid.
    pub(crate) fn outline(&self, unit: UnitId) -> &Placed {
        debug_assert!(same_ground(&self.memo.seen[unit.index()], self.unit(unit)), "an outline is stale");
        &self.memo.outlines[unit.index()]
    }

    /// The box round a unit.
    pub(crate) fn bounds(&self, unit: UnitId) -> Bounds {
        self.outline(unit).bounds()
    }

    /// What one unit may do now, worked out once; it goes with the ground that was looked at.
    pub(crate) fn remembered(&self, unit: UnitId, find: impl FnOnce() -> (Looked, Vec<Offer>), out: &mut Vec<Offer>) {
        kept(&self.memo.offers, unit.index(), find, out);
    }

    /// The same of plotting a charge: nobody matters to it but the enemy, wherever he is.
    pub(crate) fn remembered_launch(
        &self,
        unit: UnitId,
        find: impl FnOnce() -> (Looked, Vec<Offer>),
        out: &mut Vec<Offer>,
    ) {
        kept(&self.memo.launches, unit.index(), find, out);
    }

    /// The same of the rides of a general.
    pub(crate) fn remembered_rides(
        &self,
        general: OfficerId,
        find: impl FnOnce() -> (Looked, Vec<Offer>),
        out: &mut Vec<Offer>,
    ) {
        kept(&self.memo.rides, general.index(), find, out);
    }

    /// Whether a unit is known to have nothing that it may do.
    pub(crate) fn known_idle(&self, unit: UnitId) -> bool {
        let idle = |cells: &Kept<Offer>| cells.known(unit.index()).is_some_and(<[Offer]>::is_empty);
        idle(&self.memo.offers) && (!matches!(self.step, Step::MoveA | Step::MoveB) || idle(&self.memo.launches))
    }

    /// All that may be done now, worked out once for each decision.
    pub(crate) fn asked(&self, find: impl FnOnce() -> Vec<Offer>) -> &[Offer] {
        self.memo.asked.get_or_init(|| find().into())
    }

    /// The clause of the ground that disorders a unit where it stands, worked out once (BB-STA-01, BB-TER-01).
    pub(crate) fn disordered_here(&self, unit: UnitId) -> Option<Clause> {
        decides!(BB_STA_01, BB_TER_01);
        let find = || self.disordering(self.unit(unit), self.facts(unit), self.outline(unit));
        match self.memo.broken_ground.get(unit.index()) {
            Some(cell) => *cell.get_or_init(find),
            None => find(),
        }
    }

    /// Whether a unit is divided by an obstacle where it stands, worked out once (BB-OBS-03).
    pub(crate) fn divided_here(&self, unit: UnitId) -> bool {
        decides!(BB_OBS_03);
        let fresh = self.memo.seen.get(unit.index()).is_some_and(|seen| same_ground(seen, self.unit(unit)));
        match self.memo.divided.get(unit.index()).filter(|_| fresh) {
            Some(cell) => *cell.get_or_init(|| self.divided(self.outline(unit))),
            None => self.divided(&self.placed(unit)),
        }
    }

    /// What an offer needs to be told, if that was asked at this moment before.
    pub(crate) fn known_input(&self, offer: &Offer) -> Option<Input> {
        let known = self.memo.inputs.lock().ok()?;
        known.iter().find(|(one, _)| one == offer).map(|(_, input)| input.clone())
    }

    pub(crate) fn keep_input(&self, offer: &Offer, input: &Input) {
        if let Ok(mut known) = self.memo.inputs.lock() {
            known.push((*offer, input.clone()));
        }
    }

    /// What an ordered shot promises, worked out once as long as nothing happens but that shots are ordered.
    pub(crate) fn promised(&self, order: &Order, work_out: impl Fn() -> Promise) -> Promise {
        let known = |promises: &Promises| promises.iter().find(|(one, _)| one == order).map(|(_, promise)| *promise);
        if let Some(promise) = self.memo.promises.lock().ok().and_then(|promises| known(&promises)) {
            return promise;
        }
        let promise = work_out();
        if let Ok(mut promises) = self.memo.promises.lock() {
            promises.push((order.clone(), promise));
        }
        promise
    }

    /// Nothing is remembered but the outlines.
    #[cfg(test)]
    pub(crate) fn forgetful(&self) -> Self {
        let mut battle = self.clone();
        battle.memo = Memo::lay(&battle.units, &battle.fixed);
        battle
    }

    /// Outlines are laid anew where units have changed, and what depended on them is forgotten.
    pub(crate) fn refresh(&mut self) {
        if self.memo.seen.len() != self.units.len() {
            self.memo = Memo::lay(&self.units, &self.fixed);
        }
        self.memo.asked.take();
        match Arc::get_mut(&mut self.memo.inputs) {
            Some(own) => own.get_mut().map(Vec::clear).unwrap_or_default(),
            None => self.memo.inputs = Arc::default(),
        }
        let moment = Some((self.turn, self.step, self.moving, self.pending));
        let (was_moving, is_moving) = (self.memo.moment.and_then(|moment| moment.2), self.moving);
        let same_step = self
            .memo
            .moment
            .is_some_and(|held| (held.0, held.1, held.3.is_some()) == (self.turn, self.step, self.pending.is_some()));
        let mut all = !same_step || self.memo.contacts != self.contacts;
        let aiming = |step: Step| matches!(step, Step::AimA | Step::AimB);
        let still_aiming =
            self.memo.moment.is_some_and(|held| held.0 == self.turn && aiming(held.1) && aiming(self.step));
        let mut only_orders =
            still_aiming && self.memo.contacts == self.contacts && self.memo.generals == self.generals;
        let options = self.fixed.options;
        // Where points or purposeful routs hang on generals, their doings touch everybody.
        if self.memo.generals != self.generals {
            all |=
                options.command_initiative || options.voluntary_rout || !matches!(self.step, Step::MoveA | Step::MoveB);
            if self.memo.rides.len() == self.generals.len() {
                for n in (0..self.generals.len()).filter(|n| self.memo.generals.get(*n) != self.generals.get(*n)) {
                    self.memo.rides.forget(n);
                }
            } else {
                self.memo.rides = Kept::of(self.generals.len());
            }
            self.memo.generals.clone_from(&self.generals);
        }
        if std::mem::replace(&mut self.memo.breaks, self.breaks.len()) != self.breaks.len() {
            (all, only_orders) = (true, false);
            self.memo.divided.fill(OnceLock::new());
        }
        // A garrison that has fired from one side may fire from another.
        if std::mem::replace(&mut self.memo.shots, self.shots.len()) != self.shots.len() {
            for order in &self.shots {
                self.memo.offers.forget(order.unit.index());
            }
        }
        self.memo.moment = moment;
        if self.memo.contacts != self.contacts {
            self.memo.contacts.clone_from(&self.contacts);
        }
        for unit in [was_moving, is_moving].into_iter().flatten().filter(|_| was_moving != is_moving) {
            self.memo.offers.forget(unit.index());
            self.memo.launches.forget(unit.index());
        }
        for n in 0..self.units.len() {
            if self.memo.seen[n] == self.units[n] {
                continue;
            }
            let (was, is) = (self.memo.seen[n], self.units[n]);
            only_orders &= only_ordered(&was, &is);
            let before = self.memo.outlines[n].bounds();
            if !same_ground(&was, &is) {
                self.memo.outlines[n] = self.fixed.outline(&is, &self.fixed.facts[n]);
                self.memo.broken_ground[n] = OnceLock::new();
                self.memo.divided[n] = OnceLock::new();
            }
            self.memo.seen[n] = is;
            self.memo.offers.forget(n);
            self.memo.launches.forget(n);
            if all {
                continue;
            }
            if !matches!(self.step, Step::MoveA | Step::MoveB) || options.elbow_room {
                all |= !only_ordered(&was, &is);
            } else {
                let places = [before, self.memo.outlines[n].bounds()];
                let shows = !same_ground(&was, &is) || was.now.moved != is.now.moved;
                let comes_or_goes = was.place != Place::Table || is.place != Place::Table;
                self.forget_near(n, places, comes_or_goes, shows);
            }
        }
        if all {
            self.memo.offers.forget_all();
            self.memo.launches.forget_all();
            self.memo.rides.forget_all();
        }
        if !only_orders {
            self.memo.promises = Arc::default();
        }
    }

    /// Units that looked at ground where somebody has stood or stands now forget what they may do. What does not show from without
    /// (that a move is over, order, morale) concerns nobody but skirmishers, who are pushed on by columns that can still move.
    fn forget_near(&mut self, but: usize, places: [Bounds; 2], all: bool, shows: bool) {
        let mut offers = std::mem::take(&mut self.memo.offers);
        offers.forget_where(|n, looked, found| {
            // A unit that has made its move has nothing to forget.
            if n == but || (found.is_empty() && self.units[n].now.done) {
                return false;
            }
            let heeds = shows || self.skirmishing(UnitId(n as u16));
            all || (heeds && places.iter().any(|place| looked.meets(place)))
        });
        self.memo.offers = offers;
        let facts = &self.fixed.facts;
        // Enemies hardly ever move in a movement phase, so whoever might strike at them looks again wherever he is.
        self.memo.launches.forget_where(|n, _, _| facts[n].side != facts[but].side);
        self.memo.rides.forget_where(|_, looked, _| all || places.iter().any(|place| looked.meets(place)));
    }

    /// How far away another unit can matter to the next move of one that goes any way or comes out of a house: its longest move or
    /// the room its widest shape takes up, and the distance that is kept from enemies.
    pub(crate) fn concern(&self, unit: UnitId) -> Length {
        let (numbers, facts) = (self.numbers(), self.facts(unit));
        let moves = &numbers.moves;
        let run = match facts.kind {
            Kind::Horse { weight, .. } => moves.horse(weight, Pace::Charge).0.max(moves.horse(weight, Pace::March).0),
            _ => self.allowance(unit) + if self.fixed.terrain.is_empty() { Length::ZERO } else { numbers.road.bonus.0 },
        };
        // Skirmishers hang on the columns behind them, and these on what they meet.
        let push = if self.skirmishing(unit) { numbers.push.most.0 * 2 + Length::inches(4) } else { Length::ZERO };
        let open = if matches!(facts.kind, Kind::Foot { light: true, .. }) { 2 } else { 1 };
        let width = facts.basing(numbers).frontage * i32::from(self.unit(unit).figures.clamp(1, 400)) * open;
        run.max(push).max(width.half() + Length::inches(2)) + numbers.approach.stand_off.0 * 2 + Length::inches(1)
    }
}

/// What was kept of one, or is found now.
fn kept(cells: &Kept<Offer>, one: usize, find: impl FnOnce() -> (Looked, Vec<Offer>), out: &mut Vec<Offer>) {
    if one < cells.len() { out.extend_from_slice(cells.get(one, find)) } else { out.extend(find().1) }
}

/// Whether nothing has changed but that a shot was ordered.
fn only_ordered(was: &Unit, is: &Unit) -> bool {
    let mut same = *was;
    (same.now.fired, same.reforming) = (is.now.fired, is.reforming);
    same == *is
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]
mod tests {
    use sabretache_engine::dice::Seeded;
    use sabretache_engine::ids::{Side, UnitId};
    use sabretache_engine::playout::random_choice;
    use sabretache_engine::resolution::Resolution;
    use sabretache_engine::ruleset::{Judgement, Ruleset};
    use sabretache_engine::scenario::{Diagnostics, Document, Scenario};
    use serde_json::json;

    use crate::Batteries;
    use crate::battle::Order;
    use crate::clauses::BB_OPT_26;
    use crate::event::Event;

    /// Fights every scenario at random with some options, and at every decision asks once with and once without a memory.
    fn remembers_what_is_true(options: &[&str], seed: u64, most: usize) {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/batteries");
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let mut document = Document::parse("scenario", std::fs::read_to_string(&path).unwrap()).unwrap();
            for option in options {
                document.json["options"][*option] = json!(true);
            }
            let mut battle =
                Batteries::muster(&Scenario::read(&document.json).unwrap(), &mut Diagnostics::new()).unwrap();
            let (mut random, mut dice) = (Seeded::new(seed), Seeded::new(seed + 1));
            let mut offers = Vec::new();
            for n in 0..most {
                if n % 5 == 0 {
                    let (mut kept, mut afresh) = (Vec::new(), Vec::new());
                    Batteries::offers(&battle, &mut kept);
                    Batteries::offers(&battle.forgetful(), &mut afresh);
                    assert_eq!(kept, afresh, "{}: decision {n} of seed {seed}", path.display());
                }
                let Some(choice) = random_choice::<Batteries>(&battle, &mut offers, &mut random) else { break };
                Batteries::resolve(&mut Resolution::new(&mut battle, &mut dice), &choice).unwrap();
            }
        }
    }

    /// Two copies of a battle, one of which is shaken, order the same shot: what it promises one of them never reaches the other.
    #[test]
    fn what_one_copy_of_a_battle_remembers_never_reaches_another_that_differs() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../drills/batteries/positions/field.toml");
        let mut document = Document::parse("field", std::fs::read_to_string(path).unwrap()).unwrap();
        document.json["state"]["step"] = json!("aim_a");
        document.json["units"][5]["at"] = json!([10, 13]);
        let calm = Batteries::muster(&Scenario::read(&document.json).unwrap(), &mut Diagnostics::new()).unwrap();
        let mut shaken = calm.clone();
        let mut calm = calm;
        shaken.apply(&Event::Shaken { unit: UnitId(0), by: BB_OPT_26 });
        let order = Order { unit: UnitId(0), at: UnitId(5), side: None, shot: None, favours: Vec::new() };
        let mut promised = Vec::new();
        for battle in [&mut calm, &mut shaken] {
            battle.apply(&Event::Ordered { order: order.clone() });
            let afresh = crate::worth::prospects::shots(&battle.forgetful(), Side::A, Judgement::Present);
            assert_eq!(crate::worth::prospects::shots(battle, Side::A, Judgement::Present), afresh);
            promised.push(afresh);
        }
        assert!(promised[0] > promised[1], "the shaken shoot worse: {promised:?}");
    }

    #[test]
    fn what_is_remembered_is_what_would_be_worked_out_afresh() {
        remembers_what_is_true(&[], 1, 400);
        remembers_what_is_true(&["pinning", "pass_through_fire", "cavalry_bounce", "pursuit"], 2, 200);
        remembers_what_is_true(&["elbow_room", "command_initiative", "voluntary_rout"], 3, 200);
        remembers_what_is_true(&["skirmish_screens", "national_modifiers", "pursuit", "cavalry_bounce"], 4, 200);
        remembers_what_is_true(&["skirmish_screens", "pursuit", "national_modifiers"], 4, 200);
    }
}
