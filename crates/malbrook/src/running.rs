//! Fast moves: skirmishers falling back, evading, retiring, routing, pursuing, and what comes of them.

use sabretache_engine::clause::Clause;
use sabretache_engine::dice::Throw;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_engine::resolution::{Purpose, Wanted};
use sabretache_table::{Edge, Heading, Length, Pose};

use crate::advance::{capture, pay_for_way};
use crate::battle::Battle;
use crate::brigade::{Charge, Status};
use crate::clauses::{MB_MOV_30, MB_RES_18, MB_RES_22, MB_RES_29, MB_SEQ_02};
use crate::event::{Approach, BlowKind, Event, FastMove};
use crate::harm::{Play, destroy, harm};
use crate::lay::{Figure, near};
use crate::movement::throw_dice;
use crate::path::Going;
use crate::situations::{Cause, FreeHack, MoveDice, MoveRoll, Pace};
use crate::troops::{Kind, Rank};

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// Hussars fall back before a formed enemy of themselves, dismounted dragoons if they like; whether somebody did (MB-MOV-30).
pub(crate) fn press(play: &mut Play<'_>, mover: UnitId, heading: Heading, left: Length) -> Result<bool, Halt> {
    let battle = play.battle();
    if !battle.brigade(mover).is_formed() {
        return Ok(false);
    }
    let side = battle.brigade(mover).side;
    let keep = battle.fixed.numbers.skirmish.length();
    let pressed: Vec<UnitId> = battle
        .enemies(side)
        .filter(|enemy| {
            let brigade = battle.brigade(*enemy);
            let close = near(&battle.figure(*enemy), &battle.figure(mover), keep - crate::lay::HAIR * 2);
            brigade.skirmishes() && close && brigade.status == Status::Steady && battle.sees(*enemy, mover)
        })
        .collect();
    let mut fell_back = false;
    for skirmisher in pressed {
        if play.battle().brigade(skirmisher).kind == Kind::Hussars {
            fell_back |= withdraw(play, skirmisher, mover);
        } else if withdrawal(play.battle(), skirmisher, mover).is_some() {
            let heading = i32::from(heading.to_hundredths());
            play.happen(Event::Approached { approach: Approach { mover, skirmisher, left, heading } });
            return Ok(false);
        }
    }
    Ok(fell_back)
}

/// Where a skirmisher would fall back to: straight away, just far enough.
fn withdrawal(battle: &Battle, skirmisher: UnitId, from: UnitId) -> Option<Pose> {
    let keep = battle.fixed.numbers.skirmish.length();
    let (here, there) = (battle.figure(skirmisher), battle.figure(from));
    let away = Heading::toward(there.centre(), here.centre());
    let reach =
        battle.reach(skirmisher, away, battle.ride(false), Going { passes_friends: false, ..Going::headlong() });
    let pose = battle.brigade(skirmisher).pose;
    let brigade = battle.brigade(skirmisher);
    let clear = |by: Length| !near(&Figure::of(brigade, pose.moved(away, by)), &there, keep - crate::lay::HAIR);
    if reach.distance < Length::inch_fraction(1, 20) {
        return None;
    }
    let (mut low, mut high) = (Length::ZERO, reach.distance);
    if clear(high) {
        while high - low > Length::um(100) {
            let middle = low + (high - low).half();
            if clear(middle) { high = middle } else { low = middle }
        }
    }
    Some(pose.moved(away, high))
}

fn withdraw(play: &mut Play<'_>, skirmisher: UnitId, from: UnitId) -> bool {
    let Some(to) = withdrawal(play.battle(), skirmisher, from) else { return false };
    play.happen(Event::Withdrew { unit: skirmisher, to });
    true
}

/// Dismounted dragoons fall back or stand, and the interrupted move goes on.
pub(crate) fn answer_approach(play: &mut Play<'_>, falls_back: bool) -> Result<(), Halt> {
    let Some(approach) = play.battle().approach else {
        return Err(Refusal::new(MB_MOV_30, "nobody approaches").into());
    };
    let mut moved = false;
    if falls_back {
        moved = withdraw(play, approach.skirmisher, approach.mover);
    }
    play.happen(Event::ApproachOver);
    if moved && approach.left > Length::ZERO {
        return crate::advance::march(play, approach.mover, Heading::hundredths(approach.heading), approach.left);
    }
    play.happen(Event::Done { unit: approach.mover });
    Ok(())
}

impl Battle {
    /// The nearest enemy that a brigade flees from, or that is there at all.
    pub(crate) fn nearest_enemy(&self, unit: UnitId) -> Option<UnitId> {
        let figure = self.figure(unit);
        let off = |enemy: &UnitId| sabretache_table::distance(&figure, &self.figure(*enemy));
        self.enemies(self.brigade(unit).side)
            .filter(|enemy| self.brigade(*enemy).is_brigade())
            .min_by_key(|enemy| (off(enemy), *enemy))
    }

    /// The enemy that a brigade pursues: the nearest that routs or retired.
    pub(crate) fn quarry(&self, unit: UnitId) -> Option<UnitId> {
        let figure = self.figure(unit);
        let runs = |enemy: &UnitId| {
            let brigade = self.brigade(*enemy);
            brigade.is_brigade() && matches!(brigade.status, Status::Routing | Status::Retired)
        };
        let off = |enemy: &UnitId| sabretache_table::distance(&figure, &self.figure(*enemy));
        self.enemies(self.brigade(unit).side).filter(runs).min_by_key(|enemy| (off(enemy), *enemy))
    }

    /// Whether an enemy pursues a brigade.
    pub(crate) fn is_pursued(&self, unit: UnitId) -> bool {
        let pursues =
            |enemy: UnitId| self.brigade(enemy).status == Status::Pursuing && self.quarry(enemy) == Some(unit);
        self.enemies(self.brigade(unit).side).any(pursues)
    }

    /// Which way a brigade falls back (MB-RES-16).
    pub(crate) fn rearward(&self, unit: UnitId) -> Heading {
        let brigade = self.brigade(unit);
        let enemy = self.nearest_enemy(unit);
        match enemy {
            Some(enemy) if brigade.is_unformed() => {
                Heading::toward(self.figure(enemy).centre(), self.figure(unit).centre())
            }
            Some(enemy) if brigade.marks.flanked => self.brigade(enemy).pose.heading,
            _ => brigade.pose.heading.reversed(),
        }
    }

    /// Behind formed friends or an obstacle as seen from the nearest enemy (MB-GEN-12).
    fn sheltered(&self, unit: UnitId, figure: &Figure) -> bool {
        let Some(enemy) = self.nearest_enemy(unit) else { return true };
        let (from, to) = (figure.centre(), self.figure(enemy).centre());
        let side = self.brigade(unit).side;
        let blocks = |friend: UnitId| {
            let brigade = self.brigade(friend);
            friend != unit && brigade.is_formed() && !sabretache_table::line_clear(from, to, [&self.figure(friend)])
        };
        if self.of(side).any(blocks) {
            return true;
        }
        let mut crossed = Vec::new();
        self.fixed.ground.crossed_if(
            from,
            to,
            |lie| {
                let land = self.fixed.lands[usize::from(lie.feature.id.0)];
                land.obstacle || land.lined
            },
            &mut crossed,
        );
        !crossed.is_empty()
    }

    /// Whether routers have reached a place where they stop (MB-RES-21).
    fn rout_ends(&self, unit: UnitId, figure: &Figure) -> bool {
        let clear = self.fixed.numbers.rout_clear.length() - crate::lay::HAIR * 2;
        let side = self.brigade(unit).side;
        let chased = self
            .enemies(side)
            .any(|enemy| self.brigade(enemy).is_brigade() && near(figure, &self.figure(enemy), clear));
        !chased || self.sheltered(unit, figure)
    }

    fn own_edge(&self, unit: UnitId) -> Edge {
        crate::muster::edge_of(&self.fixed.scenario, self.brigade(unit).side)
    }
}

/// Throws the dice of a fast move; its distance.
fn fast(play: &mut Play<'_>, unit: UnitId, first: bool) -> Result<(MoveRoll, Length), Halt> {
    let dice = MoveDice::most_of(play.battle().brigade(unit).kind);
    let roll = throw_dice(play, unit, dice)?;
    let battle = play.battle();
    let pace = if first { Pace::FirstFast } else { Pace::Fast };
    let distance = roll.distance(pace, battle.inspires(unit) > 0, false, &battle.fixed.numbers);
    Ok((roll, distance))
}

/// A brigade retires, routs or evades: straight back until it must or may stop (MB-RES-16 to 24, MB-CHG-15).
pub(crate) fn fall_back(
    play: &mut Play<'_>,
    unit: UnitId,
    action: FastMove,
    away: Option<Heading>,
) -> Result<(), Halt> {
    let first = matches!(action, FastMove::Retire | FastMove::Rout | FastMove::Evade);
    let routs = matches!(action, FastMove::Rout | FastMove::RoutOn);
    let (roll, distance) = fast(play, unit, first)?;
    let battle = play.battle();
    let brigade = battle.brigade(unit);
    let heading = away.unwrap_or_else(|| battle.rearward(unit));
    // It goes as a crowd: the shape it will have is what must find room.
    let crowd = brigade.loosened();
    let spread = Figure::of(&crowd, crowd.pose);
    let reach = battle.reach_as(unit, &crowd, &spread, heading, distance, Going::headlong());
    let half_inch = Length::inch_fraction(1, 2);
    let edge = battle.own_edge(unit);
    let to_edge = heading.turn_to(edge.heading()).abs().to_hundredths() <= 4_500;
    let at_edge = reach.clause == crate::clauses::MB_GEN_17;
    if at_edge && routs {
        let blow = battle.blow(unit, BlowKind::Destroyed, None);
        destroy(play, unit, Status::Destroyed)?;
        play.happen(Event::Noted { blow });
        return Ok(());
    }
    if at_edge && to_edge && !matches!(action, FastMove::Evade) && reach.distance < half_inch {
        return destroy(play, unit, Status::Left);
    }
    if reach.distance < half_inch && !at_edge && action != FastMove::Evade {
        return blocked(play, unit, routs);
    }
    let start = crowd.pose;
    let mut by = reach.distance;
    if routs {
        let step = Length::inch_fraction(1, 8);
        let mut at = if first { step } else { Length::ZERO };
        while at < reach.distance {
            let there = Figure::of(&crowd, start.moved(heading, at));
            if battle.rout_ends(unit, &there) && battle.stands(unit, &there) {
                by = at;
                break;
            }
            at += step;
        }
    }
    // Friends feel it where it stood, and where it ends (MB-MOR-15).
    let what = if routs { BlowKind::Routs } else { BlowKind::Retires };
    let blow = battle.blow(unit, what, None);
    let seniors: Vec<_> =
        battle.attached_to(unit).filter(|leader| battle.leader(*leader).rank > Rank::MajorGeneral).collect();
    let facing = brigade.pose.heading;
    let to = Pose::new(start.moved(heading, by).at, facing);
    let way = crate::path::Reach { distance: by, ..reach };
    let passed = way.passed.clone();
    play.happen(Event::Fell { unit, to, action, roll });
    if action != FastMove::Evade {
        let way = crate::path::Reach { crossed: smallvec::SmallVec::new(), passed, ..way };
        pay_for_way(play, unit, &way)?;
    }
    if first && !matches!(action, FastMove::Evade) && play.battle().brigade(unit).is_unit() {
        // A general swept away in a rout is felt besides (MB-MOR-14).
        let swept = seniors
            .iter()
            .filter(|_| routs)
            .map(|leader| play.battle().blow(unit, BlowKind::GeneralLost, Some(*leader)));
        let swept: Vec<_> = swept.collect();
        play.happen(Event::Noted { blow });
        for blow in swept {
            play.happen(Event::Noted { blow });
        }
    }
    if action == FastMove::Evade {
        harm(play, unit, 1, 0, Cause::Move)?;
    }
    Ok(())
}

/// No way out: a casualty, and routers give themselves up to enemy at hand (MB-RES-19, 24).
fn blocked(play: &mut Play<'_>, unit: UnitId, routs: bool) -> Result<(), Halt> {
    let near = play.battle().fixed.numbers.surrender.length();
    let side = play.battle().brigade(unit).side;
    let figure = play.battle().figure(unit);
    let surrenders = routs
        && play.battle().enemies(side).any(|enemy| {
            play.battle().brigade(enemy).is_brigade() && crate::lay::near(&figure, &play.battle().figure(enemy), near)
        });
    if surrenders {
        let blow = play.battle().blow(unit, BlowKind::Destroyed, None);
        destroy(play, unit, Status::Surrendered)?;
        play.happen(Event::Noted { blow });
        return Ok(());
    }
    harm(play, unit, 0, 1, Cause::Morale)?;
    if routs && play.battle().brigade(unit).is_unit() {
        let loose = play.battle().loose_fits(unit);
        if loose {
            play.happen(Event::Became { unit, status: Status::Routing });
        }
        let blow = play.battle().blow(unit, BlowKind::Routs, None);
        play.happen(Event::Noted { blow });
    }
    Ok(())
}

impl Battle {
    /// Whether a brigade could spread into a crowd where it stands.
    fn loose_fits(&self, unit: UnitId) -> bool {
        let crowd = self.brigade(unit).loosened();
        self.stands(unit, &Figure::of(&crowd, crowd.pose))
    }
}

/// A brigade pursues: a fast move straight at the quarry, until contact (MB-RES-25 to 27).
pub(crate) fn pursue(play: &mut Play<'_>, unit: UnitId, action: FastMove) -> Result<(), Halt> {
    let Some(quarry) = play.battle().quarry(unit) else {
        if play.battle().brigade(unit).status == Status::Pursuing {
            play.happen(Event::Became { unit, status: Status::Retired });
        }
        return Ok(());
    };
    let (roll, distance) = fast(play, unit, false)?;
    let battle = play.battle();
    let crowd = battle.brigade(unit).loosened();
    let from = Figure::of(&crowd, crowd.pose);
    let (a, b) = sabretache_table::nearest_places(&from, battle.figure(quarry));
    let heading = Heading::toward(if (b - a).length() < 1.0 { from.centre() } else { a }, b);
    let foot = battle.brigade(unit).kind.is_foot();
    let going = Going { heeds_enemy: foot, ..Going::headlong() };
    let reach = battle.reach_as(unit, &crowd, &from, heading, distance, going);
    let to = crowd.pose.moved(heading, reach.distance);
    if !battle.stands(unit, &Figure::of(&crowd, to)) {
        // There is no room to spread out: it halts where it is, formed (MB-RES-28).
        return Ok(());
    }
    play.happen(Event::Fell { unit, to, action, roll });
    pay_for_way(play, unit, &reach)?;
    if !play.battle().brigade(unit).is_unit() {
        return Ok(());
    }
    capture(play, unit);
    catch(play, unit)
}

/// Pursuers hack at those they caught, and charge whoever else they meet (MB-RES-20, 26, 27).
fn catch(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let battle = play.battle();
    let side = battle.brigade(unit).side;
    let reach = if battle.brigade(unit).kind.is_foot() { battle.fixed.numbers.musketry.length() } else { Length::ZERO };
    let met: Vec<UnitId> =
        battle.enemies(side).filter(|enemy| near(&battle.figure(unit), &battle.figure(*enemy), reach)).collect();
    let mut fresh = false;
    for enemy in met {
        let brigade = play.battle().brigade(enemy);
        if matches!(brigade.status, Status::Routing | Status::Retired) && brigade.is_brigade() {
            hack(play, unit, enemy)?;
        } else {
            fresh = true;
        }
    }
    if fresh && play.battle().brigade(unit).is_unit() {
        play.happen(Event::PursuedInto { unit });
    }
    Ok(())
}

/// The free hack (MB-RES-26); those caught retiring are routed (MB-RES-20).
pub(crate) fn hack(play: &mut Play<'_>, unit: UnitId, at: UnitId) -> Result<(), Halt> {
    let battle = play.battle();
    let side = battle.brigade(unit).side;
    let reach = if battle.brigade(unit).kind.is_foot() { battle.fixed.numbers.musketry.length() } else { Length::ZERO };
    let caught = battle.figure(at);
    let touching = battle.figure(unit).bases.iter().filter(|base| near(*base, &caught, reach)).count() as u8;
    if touching == 0 {
        return Ok(());
    }
    let throw: Throw = FreeHack { bases: touching }.throw(&battle.fixed.numbers);
    let purpose = Purpose { what: "free hack", of: Some(unit.into()), side };
    let casualties = play.throw(purpose, &throw, Wanted::High)?.total() as u8;
    play.happen(Event::Hacked { unit, at, casualties });
    let was_retiring = play.battle().brigade(at).status == Status::Retired;
    harm(play, at, 0, casualties, Cause::Morale)?;
    if was_retiring && play.battle().brigade(at).is_unit() {
        play.happen(Event::Became { unit: at, status: Status::Routing });
        let blow = play.battle().blow(at, BlowKind::Routs, None);
        play.happen(Event::Noted { blow });
    }
    Ok(())
}

/// Whether a brigade that runs goes on now: routers nobody pursues, pursuers, and those who retire further.
pub(crate) fn may_go_on(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    let brigade = battle.brigade(unit);
    if battle.phase != crate::event::Phase::Movement || brigade.side != battle.active || brigade.marks.done {
        return no(MB_SEQ_02, "it is not its half of the movement phase");
    }
    if battle.acting() != Some(battle.group_of(unit)) || battle.group.is_some() {
        return no(MB_SEQ_02, "others move first");
    }
    match brigade.status {
        Status::Routing if battle.is_pursued(unit) => no(MB_RES_22, "it runs when its pursuers move"),
        Status::Routing => Ok(()),
        Status::Pursuing if brigade.marks.control == Charge::GoesOn && !battle.pinned(unit) => Ok(()),
        Status::Pursuing => no(MB_RES_29, "it has left off, or is in combat"),
        Status::Retired if !battle.pinned(unit) && !brigade.marks.halted => Ok(()),
        _ => no(MB_RES_18, "it is not running"),
    }
}

/// A brigade runs on.
pub(crate) fn go_on(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    may_go_on(play.battle(), unit)?;
    match play.battle().brigade(unit).status {
        Status::Routing => {
            let figure = play.battle().figure(unit);
            if !play.battle().rout_ends(unit, &figure) {
                fall_back(play, unit, FastMove::RoutOn, None)?;
            }
        }
        Status::Pursuing => {
            // The routers move just before their pursuers, and lose a base for it (MB-RES-22).
            if let Some(quarry) =
                play.battle().quarry(unit).filter(|quarry| play.battle().brigade(*quarry).is_routing())
            {
                harm(play, quarry, 0, 1, Cause::Morale)?;
                if play.battle().brigade(quarry).is_unit() {
                    fall_back(play, quarry, FastMove::RoutOn, None)?;
                }
            }
            pursue(play, unit, FastMove::PursueOn)?;
        }
        _ => fall_back(play, unit, FastMove::RetireOn, None)?,
    }
    if play.battle().brigade(unit).is_unit() {
        play.happen(Event::Done { unit });
    }
    Ok(())
}
