//! What can be done although a rule forbids it, where the players are only advised: the limits that are left are those of the table itself.

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Input;
use sabretache_engine::resolution::Resolution;
use sabretache_table::{
    Angle, Direction, Heading, Length, OnTable, Placed, Pose, Vec2, exact_distance, first_contact, overlapping, wheel,
};

use crate::Batteries;
use crate::battle::{Battle, Pending, Step};
use crate::event::Event;
use crate::offer::Offer;
use crate::phases::charges::Run;
use crate::phases::charges::offers::Charges;
use crate::phases::movement::LEAST;
use crate::table::NEAR;
use crate::terrain::going::pieces;
use crate::troops::Arm;

impl Battle {
    /// What an offer that the rules close would need to be told to be done all the same; nothing where it is impossible.
    pub(crate) fn despite(&self, offer: &Offer) -> Option<Input> {
        if let Some(Pending::Evade { .. }) = self.pending {
            return if let Offer::Charges(part @ Charges::FireFirst) = offer { part.despite(self) } else { None };
        }
        // One thing at a time: an answer that is due, or a charge that is plotted, comes first.
        if self.pending.is_some() || self.keeps_to_launch(offer).is_err() {
            return None;
        }
        let moving = matches!(self.step, Step::MoveA | Step::MoveB);
        let aiming = matches!(self.step, Step::AimA | Step::AimB);
        match *offer {
            Offer::Aiming(part) if aiming => part.despite(self),
            Offer::Movement(part) if moving => part.despite(self),
            Offer::Formations(part) if moving => part.despite(self),
            Offer::Towns(part) if moving => part.despite(self),
            Offer::Screens(part) if moving => part.despite(self),
            Offer::Generals(part) if moving => part.despite(self),
            Offer::Charges(part) if moving => part.despite(self),
            Offer::Routs(part) if moving => part.despite(self),
            // In another phase it is impossible.
            Offer::Aiming(_) | Offer::Movement(_) | Offer::Formations(_) | Offer::Towns(_) => None,
            Offer::Screens(_) | Offer::Generals(_) | Offer::Charges(_) | Offer::Routs(_) => None,
            Offer::Turn(_) | Offer::Tests(_) | Offer::Combats(_) | Offer::Pursuits(_) => None,
        }
    }

    /// The other side's units are nobody's to move.
    pub(crate) fn own_to_move(&self, unit: UnitId) -> bool {
        self.side(unit) == self.phasing() && !self.is_screen(unit)
    }

    /// A unit of the side that moves, and in no block.
    pub(crate) fn free_to_move(&self, unit: UnitId) -> bool {
        self.own_to_move(unit) && self.unit(unit).inside.is_none()
    }

    /// Muskets, or guns that stand ready.
    pub(crate) fn can_fire(&self, unit: UnitId) -> bool {
        let state = self.unit(unit);
        self.arm(unit) != Arm::Horse && !state.away && !(self.battery(unit) && state.limbered)
    }

    /// The ways that a unit may be set on anew: not that on which it is set already, which would change nothing. It is the wider
    /// of the two turns that end short of it.
    pub(crate) fn another_way(&self, unit: UnitId) -> Input {
        let turn = |hundredths: i32| Angle::hundredths(hundredths);
        let here = i32::from(self.unit(unit).pose.heading.to_hundredths());
        let (most_left, most_right) = match self.unit(unit).now.way {
            None => (turn(-18_000), turn(18_000)),
            Some(way) => match (i32::from(way) - here).rem_euclid(36_000) {
                right @ 0..=18_000 => (turn(-17_998), turn(right - 2)),
                left => (turn(left - 36_000 + 2), turn(18_000)),
            },
        };
        Input::Wheel { most_left, most_right }
    }

    /// Whether a unit can lie somewhere: on the table, on nobody else, on ground that bears it.
    pub(crate) fn fits_at(&self, unit: UnitId, pose: Pose) -> bool {
        let state = self.unit(unit);
        let there = Placed::new(&state.footprint(self.facts(unit), self.numbers()), pose);
        self.fits(unit, state, &there)
    }

    fn fits(&self, unit: UnitId, state: &crate::battle::Unit, there: &Placed) -> bool {
        self.fixed.table.on_table(there) == OnTable::Wholly
            && self.others(unit).all(|other| !overlapping(there, self.outline(other)))
            && self.barred(state, self.facts(unit), there).is_none()
    }

    /// How far a unit can go along a way until it meets somebody, ground that it cannot pass or the edge of the table: up to a whole move of it.
    pub(crate) fn run_despite(&self, unit: UnitId, way: Heading) -> Option<Input> {
        if !self.free_to_move(unit) {
            return None;
        }
        let placed = self.outline(unit);
        let mut most = self.allowance(unit).max(Length::inches(1));
        for piece in pieces(self, self.unit(unit), self.facts(unit), placed, way, most) {
            if piece.barred.is_some() {
                most = most.min(Length::floored(piece.from));
            }
        }
        for other in self.others(unit) {
            if let Some(at) = first_contact(placed, way.unit(), most.f(), self.outline(other)) {
                most = most.min(Length::floored(at - NEAR));
            }
        }
        if let Some((edge, _)) = self.fixed.table.leaves_after(placed, Direction::Toward(way), most) {
            most = most.min(edge - Length::um(5));
        }
        let fits = || self.fits_at(unit, self.unit(unit).pose.moved(way, most));
        (most >= LEAST && fits()).then(|| Input::Distance { least: LEAST, most, stops: Vec::new() })
    }

    /// How far a unit can turn either way, up to a right angle, until it meets somebody or the edge of the table; the ground is looked
    /// at in whole degrees.
    pub(crate) fn turn_despite(
        &self,
        unit: UnitId,
        pivot: impl Fn(Angle) -> Vec2,
        at: impl Fn(Angle) -> Pose,
    ) -> Option<Input> {
        let (placed, edges) = (self.outline(unit), self.fixed.table.walls());
        let free = |sign: i32| {
            let most = Angle::degrees(90 * sign);
            let others = self.others(unit).map(|other| (other, self.outline(other)));
            let met = wheel(placed, pivot(most), most, others).free.abs();
            let met = met.min(wheel(placed, pivot(most), most, edges.iter().enumerate()).free.abs());
            let whole = met.to_hundredths() / 100;
            let fits = |n: &i32| self.fits_at(unit, at(Angle::degrees(n * sign)));
            match (1..=whole).take_while(fits).count() as i32 {
                all if all == whole => met,
                some => Angle::degrees(some),
            }
        };
        let (left, right) = (free(-1), free(1));
        let input = Input::Wheel { most_left: -left, most_right: right };
        (left + right > Angle::ZERO).then_some(input)
    }

    /// The changes for which there is room.
    pub(crate) fn forms_despite(&self, unit: UnitId) -> Option<Input> {
        let mut of: Vec<String> = Vec::new();
        for shape in self.shapes(unit) {
            let (state, pose) = self.as_shape(unit, &shape);
            let there = Placed::new(&state.footprint(self.facts(unit), self.numbers()), pose);
            let name = self.shape_name(unit, &shape);
            if !of.contains(&name) && self.fits(unit, &state, &there) {
                of.push(name);
            }
        }
        (!of.is_empty()).then_some(Input::Formation { of })
    }

    /// The shape of a name that can be taken up here.
    pub(crate) fn shape_that_fits(&self, unit: UnitId, name: &str) -> Option<crate::phases::formations::Shape> {
        self.shapes(unit).into_iter().filter(|shape| self.shape_name(unit, shape) == name).find(|shape| {
            let (state, pose) = self.as_shape(unit, shape);
            let there = Placed::new(&state.footprint(self.facts(unit), self.numbers()), pose);
            self.fits(unit, &state, &there)
        })
    }

    /// A charge straight ahead on the first enemy there is, however far, whatever the rules say of it.
    pub(crate) fn charge_despite(&self, unit: UnitId) -> Option<Run> {
        if self.in_contact(unit) {
            return None;
        }
        let placed = self.outline(unit);
        let way = placed.pose().heading;
        let far = Length::inches(40);
        let enemies = || self.enemies(unit).filter(|enemy| self.leads(*enemy) && !self.is_screen(*enemy));
        let met = enemies().filter_map(|enemy| first_contact(placed, way.unit(), far.f(), self.outline(enemy)));
        let length = Length::floored(met.reduce(f64::min)?);
        let there =
            Placed::new(&self.unit(unit).footprint(self.facts(unit), self.numbers()), placed.pose().ahead(length));
        let barred = pieces(self, self.unit(unit), self.facts(unit), placed, way, length);
        // The screen of a unit that is charged is back in its ranks (BB-OPT-68).
        let clear = |other: UnitId| {
            let screen = self.is_screen(other) && self.side(other) != self.side(unit);
            screen || !overlapping(&there, self.outline(other))
        };
        let fits = self.fixed.table.on_table(&there) == OnTable::Wholly
            && self.others(unit).all(clear)
            && self.barred(self.unit(unit), self.facts(unit), &there).is_none();
        if barred.iter().any(|piece| piece.barred.is_some()) || !fits {
            return None;
        }
        let targets: Vec<UnitId> =
            enemies().filter(|enemy| exact_distance(&there, self.outline(*enemy)) <= NEAR / 2.0).collect();
        (!targets.is_empty()).then_some(Run { length, cost: length, targets, onto_screen: false })
    }
}

/// A unit that moves although it is in contact leaves its fights.
pub(crate) fn break_off(play: &mut Resolution<'_, Batteries>, unit: UnitId) {
    let held = play.battle().contacts.iter().filter(|contact| contact.other(unit).is_some()).copied();
    for contact in held.collect::<Vec<_>>() {
        play.happen(Event::Parted { charger: contact.charger, target: contact.target });
    }
}
