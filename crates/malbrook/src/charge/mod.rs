//! Charges: declared, answered, ridden.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::{Side, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal};
use sabretache_table::{Angle, Convex, Corner, Heading, Length, Segment, first_contact};

use crate::Offer;
use crate::advance::{capture_on_way, pay_for_way};
use crate::battle::Battle;
use crate::brigade::{Assault, Charge, Response, Status};
use crate::clauses::{
    MB_CHG_01, MB_CHG_02, MB_CHG_03, MB_CHG_04, MB_CHG_06, MB_CHG_09, MB_CHG_10, MB_CHG_11, MB_CHG_12, MB_CHG_13,
    MB_CHG_15, MB_CHG_16, MB_CHG_17, MB_CTL_15, MB_FOO_03, MB_MOV_24, MB_RES_30, MB_UNI_03, MB_VIS_01,
};
use crate::event::{Event, FastMove, GroupRoll, Phase};
use crate::fleeing::fall_back;
use crate::harm::{Play, harm};
use crate::lay::{HAIR, near};
use crate::meeting::Met;
use crate::movement::throw_dice;
use crate::path::Going;
use crate::pursuing::hack;
use crate::situations::{Cause, MoveDice, MoveRoll, Pace, may_roll};
use crate::troops::Formation;

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// As far as anybody can see across a table.
const FAR: f64 = 5_000_000.0;
/// How finely the bearings of a charge are looked through, in hundredths of a degree.
const BEARINGS: usize = 125;

mod riding;

pub(crate) use riding::{arrive, distance_of, finish_ride, name_dice, ride_both};

impl Battle {
    /// Whether a brigade may declare a charge at all.
    pub(crate) fn may_declare(&self, unit: UnitId) -> Result<(), Refusal> {
        decides!(MB_CHG_01, MB_CHG_02, MB_CHG_03);
        let brigade = self.brigade(unit);
        if self.phase != Phase::Charges || brigade.side != self.active {
            return no(MB_CHG_02, "charges are declared at the start of the combat phase");
        }
        if !brigade.kind.is_cavalry() {
            self.forbid(MB_CHG_01, "only cavalry charge")?;
            if !brigade.is_brigade() {
                return no(MB_CHG_01, "only cavalry charge");
            }
        }
        if brigade.marks.attack != Assault::None {
            return no(MB_CHG_02, "it has declared");
        }
        let running = brigade.status != Status::Steady;
        let formed = brigade.formation != Formation::MarchColumn && (brigade.is_formed() || brigade.skirmishes());
        let touching = self.enemies(brigade.side).any(|enemy| self.fights(unit, enemy) && self.touch(unit, enemy));
        if brigade.marks.halted || running || !formed || touching {
            self.forbid(MB_CHG_03, "it is halted, runs, is not formed for it, or is in contact")?;
        }
        let led = |lead: UnitId| {
            matches!(self.brigade(lead).marks.attack, Assault::Declared { .. }) && self.in_line_with(unit, lead)
        };
        match brigade.marks.control {
            Charge::By(_) | Charge::Attached | Charge::Free => Ok(()),
            Charge::GoesOn if brigade.failed_charge => Ok(()),
            Charge::Conforms(lead) if led(lead) => Ok(()),
            _ => self.forbid(MB_CHG_03, "nobody controls it"),
        }
    }

    /// The bearing of a charge at a target: the one that reaches it soonest, to a tenth of an inch, and of those the
    /// straightest (MB-CHG-04, 06).
    fn charge_bearing(&self, unit: UnitId, at: UnitId) -> Option<i32> {
        let (figure, target) = (self.figure(unit), self.figure(at));
        let ahead = self.brigade(unit).pose.heading;
        let most = self.fixed.numbers.off_centre;
        let (from, to) = sabretache_table::nearest_places(&figure, &target);
        let straight = ahead.turn_to(Heading::toward(from, to)).to_hundredths().clamp(-most, most);
        let centre =
            ahead.turn_to(Heading::toward(figure.centre(), target.centre())).to_hundredths().clamp(-most, most);
        let tenth = Length::inch_fraction(1, 10).f();
        let soon = |bearing: i32| {
            let way = (ahead + Angle::hundredths(bearing)).unit();
            let by = first_contact(&figure, way, FAR, &target)?;
            Some(((by / tenth) as i64, bearing.abs(), bearing))
        };
        let all = (-most..=most).step_by(BEARINGS).chain([0, straight, centre, most]);
        all.filter_map(soon).min().map(|(_, _, bearing)| bearing)
    }

    /// The bearings on which a charge reaches its target (MB-CHG-06): no gap in a target is as wide as a charger, so they lie side by side.
    pub(crate) fn charge_input(&self, unit: UnitId, at: UnitId, outrance: bool) -> Result<Input, Refusal> {
        let soonest = self.may_charge(unit, at, outrance)?;
        let (figure, target) = (self.figure(unit), self.figure(at));
        let ahead = self.brigade(unit).pose.heading;
        let hits =
            |bearing: i32| first_contact(&figure, (ahead + Angle::hundredths(bearing)).unit(), FAR, &target).is_some();
        let furthest = |end: i32| {
            let (mut hit, mut miss) = (soonest, end);
            if hits(end) {
                return Angle::hundredths(end);
            }
            while (hit - miss).abs() > 1 {
                let middle = hit.midpoint(miss);
                *(if hits(middle) { &mut hit } else { &mut miss }) = middle;
            }
            Angle::hundredths(hit)
        };
        let most = self.fixed.numbers.off_centre;
        Ok(Input::Wheel { most_left: furthest(-most), most_right: furthest(most) })
    }

    /// Whether a brigade may charge a target, and on what bearing it reaches it soonest.
    pub(crate) fn may_charge(&self, unit: UnitId, at: UnitId, outrance: bool) -> Result<i32, Refusal> {
        decides!(MB_UNI_03, MB_VIS_01, MB_CHG_04, MB_CHG_10);
        self.may_declare(unit)?;
        if outrance && !self.brigade(unit).outrance {
            self.forbid(MB_UNI_03, "it may not charge with the sword alone")?;
        }
        let Some(bearing) = self.charge_bearing(unit, at) else {
            return no(MB_CHG_04, "no straight move within 22.5 degrees reaches it");
        };
        if !self.sees(unit, at) {
            self.forbid(MB_VIS_01, "it does not see the target")?;
        }
        if let Err(refusal) = self.may_attack(unit, at) {
            self.forbid(refusal.clause, refusal.sentence)?;
        }
        // Those who must charge again charge the nearest they can (MB-CTL-15).
        if self.charges_again(unit) {
            let figure = self.figure(unit);
            let off = |enemy: UnitId| sabretache_table::distance(figure, self.figure(enemy));
            let nearer = |enemy: &UnitId| off(*enemy) < off(at) && self.charge_bearing(unit, *enemy).is_some();
            if self.enemies(self.active).filter(nearer).any(|enemy| self.sees(unit, enemy)) {
                self.forbid(MB_CTL_15, "it must charge the nearest enemy to its front")?;
            }
        }
        Ok(bearing)
    }

    /// Brigades that must declare before the half can end (MB-CTL-15).
    pub(crate) fn must_declare(&self) -> bool {
        self.of(self.active).any(|unit| self.charges_again(unit) && self.may_declare(unit).is_ok())
    }

    /// Whether a brigade must attempt its charge again.
    fn charges_again(&self, unit: UnitId) -> bool {
        decides!(MB_CTL_15, MB_CHG_09);
        let brigade = self.brigade(unit);
        brigade.failed_charge && brigade.marks.control == Charge::GoesOn
    }

    /// Whether a brigade that must charge again has nobody to charge, and rides straight ahead (MB-CTL-15).
    pub(crate) fn may_charge_ahead(&self, unit: UnitId) -> Result<(), Refusal> {
        self.may_declare(unit)?;
        let target = |at: UnitId| self.may_charge(unit, at, false).is_ok();
        if !self.charges_again(unit) || self.enemies(self.active).any(target) {
            return no(MB_CTL_15, "it has an enemy to charge, or need not");
        }
        Ok(())
    }

    /// The enemies that have declared a charge at a brigade.
    pub(crate) fn chargers(&self, unit: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        let at = move |enemy: &UnitId| matches!(self.brigade(*enemy).marks.attack, Assault::Declared { at, .. } if at == unit);
        self.enemies(self.brigade(unit).side).filter(at)
    }

    /// Whether a brigade still has to answer a charge.
    pub(crate) fn must_answer(&self, unit: UnitId) -> bool {
        let brigade = self.brigade(unit);
        // Guns, wagons and civilians can do nothing else but stand, and are not asked.
        if !brigade.kind.is_brigade() {
            return false;
        }
        let free =
            brigade.marks.response == Response::None && !matches!(brigade.marks.attack, Assault::Declared { .. });
        let evades = || brigade.kind.is_cavalry() && brigade.is_unformed() && self.shot_at_close(unit);
        free && !brigade.is_routing() && brigade.is_unit() && (self.chargers(unit).next().is_some() || evades())
    }

    /// Unformed cavalry that foot have come within an inch of may evade uncharged (MB-FOO-03).
    fn shot_at_close(&self, unit: UnitId) -> bool {
        decides!(MB_FOO_03);
        let reach = self.fixed.numbers.musketry.length();
        self.enemies(self.brigade(unit).side).any(|enemy| {
            let foe = self.brigade(enemy);
            foe.kind.is_foot() && !foe.is_routing() && foe.marks.moved && self.faces(enemy, unit, reach)
        })
    }

    pub(crate) fn may_counter(&self, unit: UnitId, charger: UnitId) -> Result<(), Refusal> {
        let brigade = self.brigade(unit);
        if !self.must_answer(unit) || !self.chargers(unit).any(|one| one == charger) {
            return no(MB_CHG_11, "it has no such charge to answer");
        }
        let touching = self.enemies(brigade.side).any(|enemy| self.touch(unit, enemy));
        if !brigade.kind.is_cavalry() || touching || brigade.formation == Formation::MarchColumn {
            self.forbid(MB_CHG_12, "only cavalry counter-charge, and not from march column or contact")?;
        }
        if !self.faces(unit, charger, Length::inches(60)) || !self.sees(unit, charger) {
            self.forbid(MB_CHG_12, "the chargers are not to its front")?;
        }
        Ok(())
    }

    pub(crate) fn may_evade(&self, unit: UnitId) -> Result<UnitId, Refusal> {
        decides!(MB_RES_30);
        let brigade = self.brigade(unit);
        if !self.must_answer(unit) {
            return no(MB_CHG_11, "it has no charge to answer");
        }
        if !brigade.kind.is_cavalry() || !brigade.is_unformed() {
            self.forbid(MB_CHG_15, "only unformed cavalry evade")?;
        }
        let figure = self.figure(unit);
        let off = |enemy: &UnitId| sabretache_table::distance(&figure, &self.figure(*enemy));
        let charger = self.chargers(unit).min_by_key(|enemy| (off(enemy), *enemy)).or_else(|| self.nearest_enemy(unit));
        charger.ok_or_else(|| Refusal::new(MB_CHG_11, "nobody charges it"))
    }

    /// Foot may turn about to meet a charge from over 2 inches away (MB-CHG-16).
    pub(crate) fn may_turn(&self, unit: UnitId) -> Result<(), Refusal> {
        decides!(MB_CHG_16);
        let brigade = self.brigade(unit);
        if !self.must_answer(unit) {
            return no(MB_CHG_11, "it has no charge to answer");
        }
        let figure = self.figure(unit);
        let close = self.chargers(unit).any(|enemy| near(&figure, &self.figure(enemy), Length::inches(2)));
        let room = self.stands(unit, &crate::lay::Figure::of(brigade, self.turned_about(unit)));
        let why = "only formed foot turn about, when the charge began more than 2 inches off";
        if !brigade.is_formed() || brigade.refused.is_some() || !room {
            return no(MB_CHG_16, why);
        }
        if !brigade.kind.is_foot() || close || self.in_combat(unit) {
            self.forbid(MB_CHG_16, why)?;
        }
        Ok(())
    }

    /// The charge to be ridden next: the first player's from right to left, then the other's (MB-CHG-17).
    pub(crate) fn next_charge(&self) -> Option<UnitId> {
        decides!(MB_CHG_17);
        [self.first, self.second()].into_iter().find_map(|side| {
            let declared = |unit: &UnitId| matches!(self.brigade(*unit).marks.attack, Assault::Declared { .. });
            self.right_to_left(side).iter().copied().find(declared)
        })
    }

    /// Who rides to meet a charger.
    pub(super) fn rides_against(&self, charger: UnitId) -> Option<UnitId> {
        let Assault::Declared { at, .. } = self.brigade(charger).marks.attack else { return None };
        if at == charger {
            return None;
        }
        let target = self.brigade(at);
        if !target.is_unit() {
            return None;
        }
        let counters = target.marks.response == Response::CounterCharges(charger);
        let charges = matches!(target.marks.attack, Assault::Declared { at, .. } if at == charger);
        (counters || charges).then_some(at)
    }

    /// Who names charge dice now.
    pub(crate) fn names_dice(&self) -> Option<UnitId> {
        let charger = self.next_charge()?;
        match self.group {
            Some(_) => self.rides_against(charger),
            None => Some(charger),
        }
    }

    /// The dice open to a charge (MB-MOV-24).
    pub(crate) fn charge_dice(&self, unit: UnitId) -> Vec<MoveDice> {
        let brigade = self.brigade(unit);
        let moved = brigade.marks.dice.map_or(0, MoveDice::count);
        let (least, most) = may_roll(brigade.speed, Some(moved), &self.fixed.numbers);
        let open = MoveDice::open_to(brigade.kind, brigade.formation, false);
        open.iter().copied().filter(|dice| (least..=most).contains(&dice.count())).collect()
    }
}

pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    for unit in battle.right_to_left(battle.active).iter().copied() {
        if battle.may_declare(unit).is_err() {
            continue;
        }
        for at in battle.enemies(battle.active) {
            for outrance in [false, true] {
                if battle.may_charge(unit, at, outrance).is_ok() {
                    out.push(Offer::Charge { unit, at, outrance });
                    out.push(Offer::ChargeBearing { unit, at, outrance });
                }
            }
        }
        if battle.may_charge_ahead(unit).is_ok() {
            out.push(Offer::ChargeAhead(unit));
        }
    }
    crate::merging::offers(battle, out);
}

pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    for unit in battle.of(battle.active) {
        for at in battle.enemies(battle.active) {
            for outrance in [false, true] {
                let refusal = battle.may_charge(unit, at, outrance).err();
                out.extend(refusal.map(|refusal| (Offer::Charge { unit, at, outrance }, refusal)));
            }
        }
    }
}

pub(crate) fn response_offers(battle: &Battle, out: &mut Vec<Offer>) {
    for unit in battle.right_to_left(battle.active).iter().copied().filter(|unit| battle.must_answer(*unit)) {
        out.push(Offer::Receive(unit));
        for charger in battle.chargers(unit) {
            if battle.may_counter(unit, charger).is_ok() {
                out.push(Offer::CounterCharge { unit, charger });
            }
        }
        if battle.may_evade(unit).is_ok() {
            out.push(Offer::Evade(unit));
        }
        if battle.may_turn(unit).is_ok() {
            out.push(Offer::TurnToMeet(unit));
        }
        for left in [true, false] {
            if battle.may_guard_flank(unit, left).is_ok() {
                out.push(Offer::GuardFlank { unit, left });
            }
        }
    }
}

pub(crate) fn response_closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    for unit in battle.of(battle.active).filter(|unit| battle.must_answer(*unit)) {
        for charger in battle.chargers(unit) {
            let refusal = battle.may_counter(unit, charger).err();
            out.extend(refusal.map(|refusal| (Offer::CounterCharge { unit, charger }, refusal)));
        }
        out.extend(battle.may_evade(unit).err().map(|refusal| (Offer::Evade(unit), refusal)));
        out.extend(battle.may_turn(unit).err().map(|refusal| (Offer::TurnToMeet(unit), refusal)));
        for left in [true, false] {
            let refusal = battle.may_guard_flank(unit, left).err();
            out.extend(refusal.map(|refusal| (Offer::GuardFlank { unit, left }, refusal)));
        }
    }
}

/// Whether anybody of a side has a charge to answer.
pub(crate) fn answers_left(battle: &Battle, side: Side) -> bool {
    battle.of(side).any(|unit| battle.must_answer(unit))
}

/// A charge is declared, on a bearing of the player's or the one that reaches the enemy soonest (MB-CHG-02, 06).
pub(crate) fn declare(
    play: &mut Play<'_>,
    unit: UnitId,
    at: UnitId,
    outrance: bool,
    bearing: Option<Angle>,
) -> Result<(), Halt> {
    let soonest = play.battle().may_charge(unit, at, outrance)?;
    let bearing = bearing.map_or(soonest, Angle::to_hundredths);
    play.happen(Event::Declared { unit, at, outrance, bearing });
    Ok(())
}

/// A brigade that must charge again rides straight ahead, since there is nobody to charge (MB-CTL-15).
pub(crate) fn charge_ahead(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    play.battle().may_charge_ahead(unit)?;
    play.happen(Event::Declared { unit, at: unit, outrance: false, bearing: 0 });
    Ok(())
}

pub(crate) fn receive(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let open = play.battle().must_answer(unit) && play.battle().brigade(unit).side == play.battle().active;
    play.require(open, MB_CHG_11, || "it has no charge to answer".into())?;
    play.happen(Event::Responded { unit, response: Response::Stands });
    Ok(())
}

pub(crate) fn counter(play: &mut Play<'_>, unit: UnitId, charger: UnitId) -> Result<(), Halt> {
    decides!(MB_CHG_13);
    play.battle().may_counter(unit, charger)?;
    play.happen(Event::Responded { unit, response: Response::CounterCharges(charger) });
    Ok(())
}

pub(crate) fn evade(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let from = play.battle().may_evade(unit)?;
    let away = Heading::toward(play.battle().figure(from).centre(), play.battle().figure(unit).centre());
    play.happen(Event::Responded { unit, response: Response::Evades(from) });
    fall_back(play, unit, FastMove::Evade, Some(away))
}

pub(crate) fn turn_to_meet(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    play.battle().may_turn(unit)?;
    let to = play.battle().turned_about(unit);
    let brigade = *play.battle().brigade(unit);
    let price = u8::from(play.battle().under_fire(unit));
    play.happen(Event::Responded { unit, response: Response::Stands });
    play.happen(Event::Manoeuvred {
        unit,
        manoeuvre: crate::situations::ManoeuvreKind::AboutFace,
        to,
        formation: brigade.formation,
        files: brigade.files,
        half: false,
        spent: Length::ZERO,
    });
    harm(play, unit, price, 0, Cause::Move)
}
