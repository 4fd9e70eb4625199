//! Falling back: retirement, rout and evasion, how they end, and what bars the way (MB-RES-16 to 24, MB-CHG-15).

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal, Stop, Value, WrongValue};
use sabretache_table::{
    Contact, Edge, FeatureId, Heading, Length, Lie, Outline, Point, Pose, SLOP, contact, exact_distance, meetings,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::advance::pay_for_way;
use crate::battle::Battle;
use crate::brigade::{Brigade, Status};
use crate::clauses::{MB_GEN_12, MB_GEN_17, MB_RES_16, MB_RES_17, MB_RES_19, MB_RES_21, MB_RES_23, MB_RES_24};
use crate::event::{BlowKind, Event, FastMove};
use crate::flight::Flight;
use crate::harm::{Play, destroy, harm};
use crate::lay::{Figure, HAIR, near};
use crate::movement::throw_dice;
use crate::path::Reach;
use crate::situations::{Cause, MoveDice, MoveRoll, Pace};
use crate::splitting::divide;

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

    /// The enemy that a brigade pursues: the nearest that routs or retired, or has rallied before its eyes (MB-RES-23).
    pub(crate) fn quarry(&self, unit: UnitId) -> Option<UnitId> {
        let figure = self.figure(unit);
        decides!(MB_RES_23);
        let runs = |enemy: &UnitId| {
            let brigade = self.brigade(*enemy);
            brigade.is_brigade() && (brigade.runs() || brigade.has_just_rallied())
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

    /// The enemies of a brigade's combat, while it is being settled; nobody where it is in none.
    fn opponents(&self, unit: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        let side = self.brigade(unit).side;
        let mine = move |fight: &&crate::event::Fight| fight.of(side).iter().any(|one| one.unit == unit);
        let foes = self.fights.iter().filter(mine).flat_map(move |fight| fight.of(side.other()));
        foes.map(|one| one.unit).filter(|foe| self.brigade(*foe).is_brigade())
    }

    /// The enemy that a brigade flees from: the nearest of those it fought, or the nearest there is.
    pub(crate) fn flees_from(&self, unit: UnitId) -> Option<UnitId> {
        let fought = self.opponents(unit).min_by_key(|enemy| (self.apart(unit, *enemy), *enemy));
        fought.or_else(|| self.nearest_enemy(unit))
    }

    /// The nearest of those it fights who struck it in flank or rear, or stand behind it (MB-RES-16).
    fn enemy_behind(&self, unit: UnitId) -> Option<UnitId> {
        let brigade = self.brigade(unit);
        let back = brigade.pose.heading.reversed().unit();
        let figure = self.figure(unit);
        let corners = figure.bases.iter().flat_map(|base| base.as_part().corners.to_vec());
        let rear = corners.map(|corner| corner.dot(back)).fold(f64::NEG_INFINITY, f64::max);
        let inch = self.fixed.numbers.musketry.length();
        let mut foes: Vec<UnitId> = self.opponents(unit).collect();
        if foes.is_empty() {
            foes.extend(self.nearest_enemy(unit));
        }
        let nearest = |of: &dyn Fn(UnitId) -> bool| {
            let those = foes.iter().copied().filter(|foe| of(*foe));
            those.min_by_key(|foe| (self.apart(unit, *foe), *foe))
        };
        let unseen = |foe: UnitId| !self.faces(unit, foe, inch);
        let behind = |foe: UnitId| unseen(foe) && self.figure(foe).centre().dot(back) > rear;
        let struck = || nearest(&unseen).or_else(|| nearest(&|_| true));
        if brigade.marks.flanked { struck() } else { nearest(&behind) }
    }

    /// Which way a brigade falls back: to its own rear, unless that is where the enemy came from (MB-RES-16).
    pub(crate) fn rearward(&self, unit: UnitId) -> Heading {
        decides!(MB_RES_16);
        let brigade = self.brigade(unit);
        let off = |enemy: UnitId| Heading::toward(self.figure(enemy).centre(), self.figure(unit).centre());
        if brigade.is_unformed() {
            return self.flees_from(unit).map_or(brigade.pose.heading.reversed(), off);
        }
        let Some(enemy) = self.enemy_behind(unit) else { return brigade.pose.heading.reversed() };
        // The way he faces, if that leads away from him.
        let facing = self.brigade(enemy).pose.heading;
        if self.brigade(enemy).is_formed() && facing.unit().dot(off(enemy).unit()) > 0.0 { facing } else { off(enemy) }
    }

    /// The obstacles that lie between a brigade and those it flees from as it begins to run: the works it has lost are no
    /// shelter (MB-GEN-12).
    fn lost_works(&self, unit: UnitId) -> Vec<FeatureId> {
        let Some(enemy) = self.flees_from(unit) else { return Vec::new() };
        let mut crossed = Vec::new();
        let (from, to) = (self.figure(unit).centre(), self.figure(enemy).centre());
        self.fixed.ground.crossed_if(from, to, |lie| self.is_shelter(lie), &mut crossed);
        crossed.into_iter().map(|one| one.feature).collect()
    }

    /// Whether a piece of ground is one that those who run get behind.
    fn is_shelter(&self, lie: &Lie<'_>) -> bool {
        let land = self.fixed.lands[usize::from(lie.feature.id.0)];
        land.obstacle || land.lined
    }

    /// Behind formed friends or an obstacle as seen from the enemy it flees from (MB-GEN-12).
    fn sheltered(&self, unit: UnitId, figure: &Figure, lost: &[FeatureId]) -> bool {
        decides!(MB_GEN_12);
        let Some(enemy) = self.flees_from(unit) else { return true };
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
                // Behind it, not astride it.
                self.is_shelter(lie) && !lost.contains(&lie.feature.id) && contact(figure, lie) != Contact::Overlapping
            },
            &mut crossed,
        );
        !crossed.is_empty()
    }

    /// Whether routers have reached a place where they stop (MB-RES-21).
    fn rout_ends(&self, unit: UnitId, figure: &Figure, slack: Length, lost: &[FeatureId]) -> bool {
        decides!(MB_RES_21);
        let clear = (self.fixed.numbers.rout_clear.length() - slack).f();
        let near_by =
            self.enemies_around(self.brigade(unit).side, figure.bounds(), self.fixed.numbers.rout_clear.length());
        let chased = near_by
            .filter(|enemy| self.brigade(*enemy).is_brigade())
            .any(|enemy| exact_distance(figure, self.figure(enemy)) < clear);
        !chased || self.sheltered(unit, figure, lost)
    }

    /// Whether routers need run no further from where they are (MB-RES-22).
    pub(crate) fn is_out_of_reach(&self, unit: UnitId) -> bool {
        self.rout_ends(unit, self.figure(unit), HAIR, &[])
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
    fn shelter_on_the_way(&self, unit: UnitId, way: &Way, full: Length) -> Option<[Length; 2]> {
        decides!(MB_RES_17);
        let points = self.turning_points(unit, &way.crowd, way.heading, full);
        let [least, most] = self.first_stretch(&points, Length::ZERO, full, |by| {
            let figure = Figure::of(&way.crowd, self.ran_to(&way.crowd, way.heading, by));
            self.stands(unit, &figure) && self.sheltered(unit, &figure, &way.lost)
        })?;
        (least < full).then_some([least, most])
    }

    /// Where on their way routers stop (MB-RES-21).
    fn rout_end(&self, unit: UnitId, way: &Way, full: Length) -> Option<Length> {
        let points = self.turning_points(unit, &way.crowd, way.heading, full);
        let stretch = self.first_stretch(&points, Length::ZERO, full, |by| {
            let figure = Figure::of(&way.crowd, self.ran_to(&way.crowd, way.heading, by));
            self.stands(unit, &figure) && self.rout_ends(unit, &figure, Length::um(3), &way.lost)
        });
        stretch.map(|[least, _]| least)
    }
}

/// The way of a body that runs.
struct Way {
    heading: Heading,
    crowd: Brigade,
    /// What it leaves to the enemy, and does not find shelter behind.
    lost: Vec<FeatureId>,
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
    decides!(MB_GEN_17, MB_RES_24, MB_RES_19);
    let routs = action.is_rout();
    let evades = action == FastMove::Evade;
    let battle = play.battle();
    let Flight { reach, crowd, end } = battle.flight(unit, heading, distance);
    let at_edge = reach.clause == MB_GEN_17;
    let to_edge = heading.turn_to(battle.own_edge(unit).heading()).abs().to_hundredths() <= 4_500;
    let first = matches!(action, FastMove::Retire | FastMove::Rout);
    let lost = if first { battle.lost_works(unit) } else { Vec::new() };
    let way = Way { heading, crowd, lost };
    let stops = if routs { battle.rout_end(unit, &way, end.unwrap_or(Length::ZERO)) } else { None };
    if at_edge && routs && stops.is_none() {
        let blow = battle.blow(unit, BlowKind::Destroyed, None);
        destroy(play, unit, Status::Destroyed)?;
        play.happen(Event::Noted { blow });
        return Ok(());
    }
    if at_edge && to_edge && !evades && reach.distance < LEAST {
        return destroy(play, unit, Status::Left);
    }
    if reach.distance < LEAST && !at_edge && !evades {
        return blocked(play, unit, routs);
    }
    // Friends make room for those who retire; routers who cannot get past them are caught (MB-RES-24).
    let held = end.is_none_or(|end| end < LEAST) && !at_edge;
    if routs && held && stops.is_none() {
        return blocked(play, unit, routs);
    }
    let Some(end) = end else {
        play.happen(Event::Barred { unit });
        return Ok(());
    };
    if matches!(action, FastMove::Retire | FastMove::RetireOn)
        && battle.falling.is_none()
        && let Some([least, most]) = battle.shelter_on_the_way(unit, &way, end)
    {
        let heading = heading.to_hundredths();
        play.happen(Event::Sheltered { falling: Falling { unit, action, heading, roll, full: end, least, most } });
        return Ok(());
    }
    finish(play, unit, action, heading, roll, stops.unwrap_or(end))
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
    let crowd = battle.crowd_of(unit, heading, by);
    let passed = battle.run_through(unit, heading, by);
    let blows = if routs { battle.rout_of(unit) } else { vec![battle.blow(unit, BlowKind::Retires, None)] };
    let to = battle.ran_to(&crowd, heading, by);
    let places = battle.new_places(unit, &crowd, to);
    play.happen(Event::Fell { unit, to, action, roll, places });
    pay_for_way(play, unit, &Reach::through(by, passed))?;
    if action == FastMove::Evade {
        return harm(play, unit, 1, 0, Cause::Move);
    }
    let first = matches!(action, FastMove::Retire | FastMove::Rout);
    if first && play.battle().brigade(unit).is_unit() {
        for blow in blows {
            play.happen(Event::Noted { blow });
        }
    }
    Ok(())
}

impl Battle {
    /// The friends through whom a body runs that goes so far (MB-MAN-19).
    pub(crate) fn run_through(&self, unit: UnitId, heading: Heading, by: Length) -> SmallVec<[UnitId; 4]> {
        let (figure, way) = (self.figure(unit), heading.unit());
        let corridor = figure.bounds().swept(way * by.f());
        let mut stretches = SmallVec::new();
        let friends = self.friends_around(self.brigade(unit).side, corridor, HAIR).filter(|friend| *friend != unit);
        friends
            .filter(|friend| {
                meetings(figure, way, by.f(), self.figure(*friend), &mut stretches);
                stretches.iter().any(|met| !met.deep && met.to > SLOP && met.from < by.f() - SLOP)
            })
            .collect()
    }

    /// Where the bases of a crowd stand, if it is one that a formed body has become without room to spread evenly.
    pub(crate) fn new_places(&self, unit: UnitId, crowd: &Brigade, to: Pose) -> Vec<Point> {
        let uneven = crowd.places.filter(|_| !self.brigade(unit).is_unformed());
        uneven.map_or_else(Vec::new, |places| places.on_table(to.at).collect())
    }
}

impl Battle {
    /// A crowd takes more room than a line: one that would spread over the edge of the table draws in from it.
    pub(crate) fn drawn_in(&self, crowd: &Brigade, pose: Pose) -> Pose {
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
        way = by;
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
    play.happen(Event::Barred { unit });
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
