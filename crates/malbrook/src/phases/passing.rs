//! Passing across the front of enemy foot, who fire (MB-FOO-04 to 06), and through gaps (MB-MAN-20).

use crate::phases::ambush;
use crate::phases::manoeuvre;
use crate::phases::movement;
use crate::phases::{orders, roads, wheel};
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal, Stop, Value, WrongValue};
use sabretache_engine::resolution::{Purpose, Wanted};
use sabretache_table::{Contact, Convex, Heading, Length, Outline, SLOP, Unit, contact, first_contact, meetings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::battle::Battle;
use crate::brigade::{Brigade, Status};
use crate::clauses::{MB_FOO_04, MB_FOO_05, MB_FOO_06, MB_MAN_20, MB_MOV_03};
use crate::event::{Course, Event};
use crate::phases::advance::{capture_on_way, go, tire};
use crate::phases::harm::{Play, harm, harm_by};
use crate::situations::{Cause, FlankingMusketry, Manoeuvre, ManoeuvreKind};
use crate::table::lay::{Figure, HAIR, base_zone, zone_of};
use crate::table::path::Going;

mod gap;

pub(crate) use gap::{gap_input, pass_gap};

/// A move that enemy foot may fire into.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Passing {
    /// Who moves.
    pub mover: UnitId,
    /// The foot that may fire.
    pub foot: UnitId,
    /// The heading of the move, in hundredths of a degree.
    pub heading: u16,
    /// How far it is to go.
    pub wanted: Length,
    /// From where on it is before them.
    pub from: Length,
    /// Up to where.
    pub to: Length,
    /// Who has let it pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub let_pass: Vec<UnitId>,
    /// What kind of move it is.
    #[serde(default, skip_serializing_if = "Course::is_straight")]
    pub course: Course,
}

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// Whether a mover has a flank that others could fire into.
fn is_passed_by(mover: &Brigade) -> bool {
    !mover.is_unformed() && !mover.kind.is_model()
}

/// How near to foot a move must come for them to fire into it: just an inch is near enough (MB-GEN-08).
fn musket_shot(battle: &Battle) -> Length {
    decides!(MB_FOO_04);
    battle.fixed.numbers.musketry.length() + HAIR
}

/// Whether foot are free to fire into somebody's move (MB-FOO-04, MB-FOO-06).
fn could_fire_into(battle: &Battle, mover: UnitId, foot: UnitId, let_pass: &[UnitId]) -> bool {
    decides!(MB_FOO_06);
    let one = battle.brigade(foot);
    let able = one.kind.is_foot() && one.status == Status::Steady && !one.marks.fire.gave_fire;
    able && !let_pass.contains(&foot) && battle.brigade(mover).spared != Some(foot) && !battle.in_combat(foot)
}

/// The foot across whose front a march along a road leads, and on which stretch of it (MB-FOO-04). The column is told by
/// where it stands after so far.
fn passes_by_road(
    battle: &Battle,
    mover: UnitId,
    wanted: Length,
    let_pass: &[UnitId],
    at: &dyn Fn(Length) -> Option<Figure>,
) -> Option<(UnitId, [Length; 2])> {
    let brigade = battle.brigade(mover);
    if !is_passed_by(brigade) {
        return None;
    }
    let inch = musket_shot(battle);
    let looks: Vec<(Length, Figure)> = roads::looks(wanted).filter_map(|by| Some((by, at(by)?))).collect();
    let all = looks.iter().fold(battle.figure(mover).bounds(), |all, (_, figure)| all.join(figure.bounds()));
    let mut found: Option<(UnitId, [Length; 2])> = None;
    for foot in battle.enemies_around(brigade.side, all, inch) {
        if !could_fire_into(battle, mover, foot, let_pass) {
            continue;
        }
        let zone = zone_of(battle.brigade(foot), battle.figure(foot), inch);
        let before = |figure: &Figure| contact(figure, &zone) != Contact::Apart;
        let Some(first) = looks.iter().position(|(_, figure)| before(figure)) else { continue };
        let last = looks[first..].iter().take_while(|(_, figure)| before(figure)).count() + first - 1;
        // A mover that has them in its own front comes at them, and does not pass.
        let comes_at_them = looks[..=last]
            .iter()
            .any(|(_, figure)| contact(&zone_of(brigade, figure, inch), battle.figure(foot)) != Contact::Apart);
        if comes_at_them {
            continue;
        }
        // Between two looks, to a hair.
        let edge = |inside: Length, outside: Length| {
            let (mut inside, mut outside) = (inside, outside);
            while (inside - outside).abs() > Length::um(1) {
                let middle = Length::um(inside.to_um().midpoint(outside.to_um()));
                let within = at(middle).is_some_and(|figure| before(&figure));
                *(if within { &mut inside } else { &mut outside }) = middle;
            }
            inside
        };
        let from = if first == 0 { looks[0].0 } else { edge(looks[first].0, looks[first - 1].0) };
        let to = looks.get(last + 1).map_or(looks[last].0, |next| edge(looks[last].0, next.0));
        if to > from && found.is_none_or(|(_, [earliest, _])| from < earliest) {
            found = Some((foot, [from, to]));
        }
    }
    found
}

/// The foot across whose front a straight move leads, and on which stretch of it (MB-FOO-04).
fn passes(
    battle: &Battle,
    mover: UnitId,
    heading: Heading,
    wanted: Length,
    let_pass: &[UnitId],
) -> Option<(UnitId, [Length; 2])> {
    let brigade = battle.brigade(mover);
    if !is_passed_by(brigade) {
        return None;
    }
    let (figure, way) = (battle.figure(mover), heading.unit());
    let inch = musket_shot(battle);
    let corridor = figure.bounds().swept(way * wanted.f());
    let mut stretches = SmallVec::new();
    for foot in battle.enemies_around(brigade.side, corridor, inch) {
        let one = battle.brigade(foot);
        if !could_fire_into(battle, mover, foot, let_pass) {
            continue;
        }
        meetings(figure, way, wanted.f(), &zone_of(one, battle.figure(foot), inch), &mut stretches);
        let Some(first) = stretches.first() else { continue };
        let (from, to) = (first.from.max(0.0), first.to.min(wanted.f()));
        // A mover that has them in its own front comes at them, and does not pass.
        let ahead = zone_of(brigade, figure, inch);
        let comes_at_them = first_contact(&ahead, way, to, battle.figure(foot)).is_some();
        if !comes_at_them && to > from {
            return Some((foot, [Length::ceiled(from), Length::floored(to)]));
        }
    }
    None
}

/// The bases of foot that have somebody within an inch of their front (MB-FOO-05).
pub(crate) fn bases_bearing_on(battle: &Battle, foot: UnitId, at: UnitId) -> u8 {
    let reach = battle.fixed.numbers.musketry.length() + HAIR;
    let target = battle.figure(at);
    let bears = |base: &&sabretache_table::Quad| contact(&base_zone(base, reach), target) != Contact::Apart;
    battle.figure(foot).front_rank().iter().filter(bears).count() as u8
}

/// Where a mover halts that is fired at while it passes through friends: before it came on to them (MB-FOO-04).
fn short_of_friends(battle: &Battle, mover: UnitId, heading: Heading, at: Length) -> Length {
    let (figure, way) = (battle.figure(mover), heading.unit());
    let corridor = figure.bounds().swept(way * at.f());
    let friends: SmallVec<[UnitId; 8]> = battle.friends_around(battle.brigade(mover).side, corridor, HAIR).collect();
    let mut halts = at.f();
    let mut stretches = SmallVec::new();
    // A mover that halts short of one friend may thereby come to stand on another.
    while let Some(shorter) = friends.iter().filter(|friend| **friend != mover).find_map(|friend| {
        meetings(figure, way, halts, battle.figure(*friend), &mut stretches);
        let inside = |from: f64, to: f64| from < halts - SLOP && to > halts + SLOP;
        stretches.iter().find(|one| inside(one.from, one.to)).map(|one| one.from.max(0.0))
    }) {
        halts = shorter;
    }
    if halts < at.f() { Length::floored(halts) } else { at }
}

pub(crate) fn volley_input(battle: &Battle) -> Result<Input, Refusal> {
    let Some(passing) = battle.passing() else { return no(MB_FOO_04, "nobody passes") };
    let stop = Stop { at: passing.to, why: "there it has passed".into(), clause: MB_FOO_04 };
    Ok(Input::Distance { least: passing.from, most: passing.to, stops: vec![stop] })
}

/// Asks enemy foot, one after another, whether they fire into a move; whether somebody is asked.
pub(crate) fn ask(play: &mut Play<'_>, mover: UnitId, heading: Heading, wanted: Length, let_pass: Vec<UnitId>) -> bool {
    let Some((foot, [from, to])) = passes(play.battle(), mover, heading, wanted, &let_pass) else { return false };
    let (heading, course) = (heading.to_hundredths(), Course::Straight);
    play.happen(Event::Passes { passing: Passing { mover, foot, heading, wanted, from, to, let_pass, course } });
    true
}

/// Asks enemy foot whether they fire into a march along a road; whether somebody is asked.
pub(crate) fn ask_by_road(
    play: &mut Play<'_>,
    mover: UnitId,
    course: Course,
    wanted: Length,
    let_pass: Vec<UnitId>,
) -> bool {
    let battle = play.battle();
    let at = roads::places(battle, mover, wanted);
    let Some((foot, [from, to])) = passes_by_road(battle, mover, wanted, &let_pass, &at) else { return false };
    let heading = battle.brigade(mover).pose.heading.to_hundredths();
    drop(at);
    play.happen(Event::Passes { passing: Passing { mover, foot, heading, wanted, from, to, let_pass, course } });
    true
}

/// The foot let the move pass: others may still fire into it.
pub(crate) fn hold_fire(play: &mut Play<'_>) -> Result<(), Halt> {
    volley_input(play.battle())?;
    let Some(passing) = play.battle().passing().cloned() else { return Ok(()) };
    let heading = Heading::hundredths(passing.heading.into());
    let mut let_pass = passing.let_pass;
    let_pass.push(passing.foot);
    play.happen(Event::PassesOver);
    if !passing.course.is_straight() {
        if ask_by_road(play, passing.mover, passing.course, passing.wanted, let_pass) {
            return Ok(());
        }
        return roads::go(play, passing.mover, passing.course, passing.wanted);
    }
    if ask(play, passing.mover, heading, passing.wanted, let_pass) {
        return Ok(());
    }
    go(play, passing.mover, heading, passing.wanted)
}

/// The foot fire at a point of the move, where it then halts.
pub(crate) fn give_fire(play: &mut Play<'_>, at: Option<Length>) -> Result<(), Halt> {
    let input = volley_input(play.battle())?;
    let Some(passing) = play.battle().passing().cloned() else { return Ok(()) };
    let heading = Heading::hundredths(passing.heading.into());
    let at = at.ok_or(WrongValue("where?".into()))?;
    input.check(&Value::Distance(at), Unit::Inch)?;
    play.happen(Event::PassesOver);
    play.happen(Event::Volley { unit: passing.foot, at: passing.mover });
    if !passing.course.is_straight() {
        roads::go(play, passing.mover, passing.course, at)?;
    } else {
        let at = short_of_friends(play.battle(), passing.mover, heading, at);
        if at > Length::ZERO {
            go(play, passing.mover, heading, at)?;
        }
    }
    if play.battle().approach().is_none() && !play.battle().brigade(passing.mover).marks.share.done {
        play.happen(Event::Done { unit: passing.mover });
    }
    Ok(())
}

/// The volleys of the turn are rolled, after the charges and before the combats (MB-FOO-05).
pub(crate) fn volleys(play: &mut Play<'_>) -> Result<(), Halt> {
    decides!(MB_FOO_05);
    let fired_at: Vec<(UnitId, UnitId)> = play
        .battle()
        .all()
        .filter_map(|unit| Some((unit, play.battle().brigade(unit).marks.suffered.volley?)))
        .collect();
    for (unit, foot) in fired_at {
        let battle = play.battle();
        let bases = bases_bearing_on(battle, foot, unit);
        if !battle.brigade(foot).is_unit() || !battle.brigade(unit).is_unit() || bases == 0 {
            continue;
        }
        let side = battle.brigade(foot).side;
        let throw = FlankingMusketry { bases }.throw(&battle.fixed.numbers);
        let purpose = Purpose { what: "flanking musketry", of: Some(foot.into()), side };
        let dps = play.throw(purpose, &throw, Wanted::High)?.total() as u8;
        play.happen(Event::UnderFire { unit });
        harm_by(play, unit, dps, 0, Cause::Fire, Some(foot))?;
    }
    Ok(())
}
