//! Falling back: retirement, rout and evasion, how they end, and what bars the way (MB-RES-16 to 24, MB-CHG-15).

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal, Stop, Value, WrongValue};
use sabretache_table::{Contact, Edge, Heading, Length, Outline, Point, Pose, contact};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::advance::pay_for_way;
use crate::battle::Battle;
use crate::brigade::{Brigade, Status};
use crate::clauses::{MB_GEN_17, MB_RES_17};
use crate::event::{BlowKind, Event, FastMove, Fight};
use crate::harm::{Play, destroy, harm};
use crate::lay::{Figure, HAIR, near};
use crate::movement::throw_dice;
use crate::path::{Going, Reach};
use crate::situations::{Cause, MoveDice, MoveRoll, Pace};
use crate::splitting::divide;

/// How finely a way back is looked at.
const STEP: Length = Length::inch_fraction(1, 8);
/// What cannot move this far is blocked (MB-RES-19).
pub(crate) const LEAST: Length = Length::inch_fraction(1, 2);

/// A retirement that may be cut short behind friends or cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Falling {
    /// Who falls back.
    pub unit: UnitId,
    /// How.
    pub action: FastMove,
    /// The heading of the move, in hundredths of a degree.
    pub heading: u16,
    /// The dice.
    pub roll: MoveRoll,
    /// How far it goes if it does not halt.
    pub full: Length,
    /// Where it is first behind something.
    pub least: Length,
    /// Up to where it stays so.
    pub most: Length,
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

    /// The enemy that a brigade pursues, or the nearest part of it that routs or retired (MB-RES-25); where nobody in
    /// particular is known, the nearest enemy that does.
    pub(crate) fn quarry(&self, unit: UnitId) -> Option<UnitId> {
        let chased = self.brigade(unit).pursues.map(|enemy| self.brigade(enemy).entry);
        self.nearest_runner(unit, |entry| chased.is_none_or(|chased| chased == entry))
    }

    /// Of those a brigade fought who gave way, the nearest that is on the run.
    pub(crate) fn chased(&self, fight: &Fight, unit: UnitId) -> Option<UnitId> {
        let fought = |entry: u16| fight.gave_way.iter().any(|enemy| self.brigade(*enemy).entry == entry);
        self.nearest_runner(unit, fought)
    }

    fn nearest_runner(&self, unit: UnitId, of: impl Fn(u16) -> bool) -> Option<UnitId> {
        let figure = self.figure(unit);
        let runs = |enemy: &UnitId| {
            let brigade = self.brigade(*enemy);
            brigade.is_brigade() && matches!(brigade.status, Status::Routing | Status::Retired) && of(brigade.entry)
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
                // Behind it, not astride it.
                (land.obstacle || land.lined) && contact(figure, lie) != Contact::Overlapping
            },
            &mut crossed,
        );
        !crossed.is_empty()
    }

    /// Whether routers have reached a place where they stop (MB-RES-21).
    pub(crate) fn rout_ends(&self, unit: UnitId, figure: &Figure) -> bool {
        let clear = self.fixed.numbers.rout_clear.length() - HAIR * 2;
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
pub(crate) fn fast(play: &mut Play<'_>, unit: UnitId, first: bool) -> Result<(MoveRoll, Length), Halt> {
    let dice = MoveDice::most_of(play.battle().brigade(unit).kind);
    let roll = throw_dice(play, unit, dice)?;
    let battle = play.battle();
    let pace = if first { Pace::FirstFast } else { Pace::Fast };
    let distance = roll.distance(pace, battle.inspires(unit) > 0, false, &battle.fixed.numbers);
    Ok((roll, distance))
}

/// A brigade retires, routs or evades: straight back until it must or may stop.
pub(crate) fn fall_back(
    play: &mut Play<'_>,
    unit: UnitId,
    action: FastMove,
    away: Option<Heading>,
) -> Result<(), Halt> {
    let first = matches!(action, FastMove::Retire | FastMove::Rout | FastMove::Evade);
    let (roll, distance) = fast(play, unit, first)?;
    let heading = away.unwrap_or_else(|| play.battle().rearward(unit));
    if action == FastMove::Evade {
        return fall(play, unit, action, heading, roll, distance);
    }
    // What is blocked stays behind; the rest goes (MB-RES-19, 24).
    let barred = play.battle().barred(unit, heading);
    if barred.iter().all(|one| *one) {
        return blocked(play, unit, action.is_rout());
    }
    for (part, barred) in divide(play, unit, &barred) {
        if barred {
            blocked(play, part, action.is_rout())?;
        } else {
            fall(play, part, action, heading, roll, distance)?;
        }
    }
    Ok(())
}

impl FastMove {
    pub(crate) fn is_rout(self) -> bool {
        matches!(self, Self::Rout | Self::RoutOn)
    }
}

impl Battle {
    /// Where a crowd that falls back is behind friends or cover, from its first place on (MB-RES-17).
    fn shelter_on_the_way(&self, unit: UnitId, crowd: &Brigade, heading: Heading, full: Length) -> Option<[Length; 2]> {
        let there = |by: Length| Figure::of(crowd, crowd.pose.moved(heading, by));
        let good = |by: Length| {
            let figure = there(by);
            self.stands(unit, &figure) && self.sheltered(unit, &figure)
        };
        let steps = full.to_um() / STEP.to_um();
        let least = (1..=steps).map(|step| STEP * step).find(|by| *by < full && good(*by))?;
        let more = (1..).map(|step| least + STEP * step).take_while(|by| *by < full && good(*by));
        Some([least, more.last().unwrap_or(least)])
    }
}

/// One body falls back by dice already thrown.
fn fall(
    play: &mut Play<'_>,
    unit: UnitId,
    action: FastMove,
    heading: Heading,
    roll: MoveRoll,
    distance: Length,
) -> Result<(), Halt> {
    let routs = action.is_rout();
    let battle = play.battle();
    let brigade = battle.brigade(unit);
    // It goes as a crowd: the shape it will have is what must find room.
    let crowd = brigade.loosened();
    let spread = Figure::of(&crowd, crowd.pose);
    let reach = battle.reach_as(unit, &crowd, &spread, heading, distance, Going::headlong());
    let edge = battle.own_edge(unit);
    let to_edge = heading.turn_to(edge.heading()).abs().to_hundredths() <= 4_500;
    let at_edge = reach.clause == MB_GEN_17;
    if at_edge && routs {
        let blow = battle.blow(unit, BlowKind::Destroyed, None);
        destroy(play, unit, Status::Destroyed)?;
        play.happen(Event::Noted { blow });
        return Ok(());
    }
    if at_edge && to_edge && action != FastMove::Evade && reach.distance < LEAST {
        return destroy(play, unit, Status::Left);
    }
    if reach.distance < LEAST && !at_edge && action != FastMove::Evade {
        return blocked(play, unit, routs);
    }
    let mut by = reach.distance;
    if routs {
        let mut at = if action == FastMove::Rout { STEP } else { Length::ZERO };
        while at < reach.distance {
            let there = Figure::of(&crowd, crowd.pose.moved(heading, at));
            if battle.rout_ends(unit, &there) && battle.stands(unit, &there) {
                by = at;
                break;
            }
            at += STEP;
        }
    } else if matches!(action, FastMove::Retire | FastMove::RetireOn)
        && battle.falling.is_none()
        && let Some([least, most]) = battle.shelter_on_the_way(unit, &crowd, heading, by)
    {
        let heading = heading.to_hundredths();
        play.happen(Event::Sheltered { falling: Falling { unit, action, heading, roll, full: by, least, most } });
        return Ok(());
    }
    finish(play, unit, action, heading, roll, by)
}

/// The end of the way: where it goes, what it passes, and what friends will feel (MB-MOR-15).
fn finish(
    play: &mut Play<'_>,
    unit: UnitId,
    action: FastMove,
    heading: Heading,
    roll: MoveRoll,
    by: Length,
) -> Result<(), Halt> {
    let routs = action.is_rout();
    let battle = play.battle();
    let brigade = battle.brigade(unit);
    let crowd = brigade.loosened();
    let spread = Figure::of(&crowd, crowd.pose);
    let reach = battle.reach_as(unit, &crowd, &spread, heading, by, Going::headlong());
    let blows = if routs { battle.rout_of(unit) } else { vec![battle.blow(unit, BlowKind::Retires, None)] };
    let to = battle.drawn_in(&crowd, Pose::new(crowd.pose.moved(heading, by).at, brigade.pose.heading));
    play.happen(Event::Fell { unit, to, action, roll });
    if action == FastMove::Evade {
        return harm(play, unit, 1, 0, Cause::Move);
    }
    pay_for_way(play, unit, &Reach { distance: by, crossed: SmallVec::new(), ..reach })?;
    let first = matches!(action, FastMove::Retire | FastMove::Rout);
    if first && play.battle().brigade(unit).is_unit() {
        for blow in blows {
            play.happen(Event::Noted { blow });
        }
    }
    Ok(())
}

impl Battle {
    /// A crowd takes more room than a line: one that would spread over the edge of the table draws in from it.
    fn drawn_in(&self, crowd: &Brigade, pose: Pose) -> Pose {
        let (table, bounds) = (&self.fixed.table, Figure::of(crowd, pose).bounds());
        let over = |low: f64, high: f64, end: f64| (-low).max(0.0) - (high - end).max(0.0);
        let by = |over: f64| if over < 0.0 { Length::floored(over) } else { -Length::floored(-over) };
        let x = by(over(bounds.min.x, bounds.max.x, table.width.f()));
        let y = by(over(bounds.min.y, bounds.max.y, table.depth.f()));
        Pose::new(Point::new(pose.at.x + x, pose.at.y + y), pose.heading)
    }

    /// How far retirers may go who halt behind something.
    pub(crate) fn shelter_input(&self) -> Result<Input, Refusal> {
        let Some(falling) = self.falling else { return Err(Refusal::new(MB_RES_17, "nobody falls back")) };
        let stop = Stop { at: falling.most, why: "behind friends or cover".into(), clause: MB_RES_17 };
        Ok(Input::Distance { least: falling.least, most: falling.most, stops: vec![stop] })
    }
}

/// Retirers halt behind friends or cover, or go the whole way (MB-RES-17).
pub(crate) fn answer_shelter(play: &mut Play<'_>, halts: bool, by: Option<Length>) -> Result<(), Halt> {
    let input = play.battle().shelter_input()?;
    let Some(falling) = play.battle().falling else { return Ok(()) };
    let mut way = falling.full;
    if halts {
        let by = by.ok_or(WrongValue("how far?".into()))?;
        input.check(&Value::Distance(by))?;
        let crowd = play.battle().brigade(falling.unit).loosened();
        let heading = Heading::hundredths(falling.heading.into());
        let fits =
            |by: &Length| play.battle().stands(falling.unit, &Figure::of(&crowd, crowd.pose.moved(heading, *by)));
        // Between two looks at the way it may graze somebody: then where it was last seen to be clear.
        let whole = Length::um(by.to_um() / STEP.to_um() * STEP.to_um()).max(falling.least);
        way = [by, whole].into_iter().find(fits).unwrap_or(falling.least);
    }
    play.happen(Event::ShelterOver);
    let Falling { unit, action, heading, roll, .. } = falling;
    finish(play, unit, action, Heading::hundredths(heading.into()), roll, way)
}

/// No way out: a casualty, and routers give themselves up to enemy at hand (MB-RES-19, 24).
fn blocked(play: &mut Play<'_>, unit: UnitId, routs: bool) -> Result<(), Halt> {
    if routs && play.battle().must_surrender(unit) {
        return surrender(play, unit);
    }
    harm(play, unit, 0, 1, Cause::Morale)?;
    if routs && play.battle().brigade(unit).is_unit() {
        let loose = play.battle().loose_fits(unit);
        if loose {
            play.happen(Event::Became { unit, status: Status::Routing });
        }
        for blow in play.battle().rout_of(unit) {
            play.happen(Event::Noted { blow });
        }
    }
    Ok(())
}

fn surrender(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let blow = play.battle().blow(unit, BlowKind::Destroyed, None);
    destroy(play, unit, Status::Surrendered)?;
    play.happen(Event::Noted { blow });
    Ok(())
}

/// Routers who are blocked still give themselves up to enemy who come near, at the end of any phase (MB-RES-24).
pub(crate) fn surrender_the_trapped(play: &mut Play<'_>) -> Result<(), Halt> {
    let battle = play.battle();
    let trapped = |unit: &UnitId| {
        battle.brigade(*unit).is_routing() && battle.must_surrender(*unit) && {
            let barred = battle.barred(*unit, battle.rearward(*unit));
            barred.iter().all(|one| *one)
        }
    };
    let trapped: Vec<UnitId> = battle.all().filter(trapped).collect();
    for unit in trapped {
        surrender(play, unit)?;
    }
    Ok(())
}

impl Battle {
    /// Enemy brigades within 2 inches.
    fn must_surrender(&self, unit: UnitId) -> bool {
        let near_by = self.fixed.numbers.surrender.length();
        let figure = self.figure(unit);
        self.enemies_around(self.brigade(unit).side, figure.bounds(), near_by)
            .any(|enemy| self.brigade(enemy).is_brigade() && near(figure, self.figure(enemy), near_by))
    }

    /// Whether a brigade could spread into a crowd where it stands.
    fn loose_fits(&self, unit: UnitId) -> bool {
        let crowd = self.brigade(unit).loosened();
        self.stands(unit, &Figure::of(&crowd, crowd.pose))
    }
}
