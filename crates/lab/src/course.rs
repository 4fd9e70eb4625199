//! How one battle went, moment by moment: what the turn was, how it stood, what was left.

use std::collections::BTreeMap;

use sabretache_engine::ids::{CommandId, Side};
use sabretache_engine::log::Entry;
use sabretache_engine::offer::Choice;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::session::Session;
use sabretache_engine::view::{UnitView, View};
use serde::{Deserialize, Serialize};

use sabretache_players::chance::Chances;

use crate::results::LabError;

/// The course of a battle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub struct Course {
    /// Every moment, in order.
    pub moments: Vec<CourseMoment>,
    /// What each command lost, in the order of the scenario; units without a command together, by side.
    pub commands: Vec<CourseCommand>,
    /// The moment at which the battle tipped most; nothing where it never did.
    pub turning: Option<usize>,
}

/// How a battle stood at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub struct CourseMoment {
    /// Which: how many entries counted by then.
    pub moment: usize,
    /// The turn.
    pub turn: Option<u32>,
    /// How it stood for side A, in the points of the computer players.
    pub worth: i32,
    /// The chance of winning of side A; nothing where the book has no chances that were held against battles.
    pub chance: Option<f64>,
    /// How much luckier than its dice deserved the choice that led here went for side A, in chances of winning; nothing where no dice fell, where
    /// they could fall in too many ways to be weighed, and where the book has no chances.
    pub luck: Option<f64>,
    /// The units on the table, of A and of B.
    pub units: [u32; 2],
    /// The stands on the table, of A and of B.
    pub stands: [u32; 2],
    /// What the units that are not lost are worth, of A and of B: the ruleset's points, whatever their order and place.
    pub points: [i32; 2],
}

/// What a command had and lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub struct CourseCommand {
    /// Its name; nothing for units without a command.
    pub name: Option<String>,
    /// Whose it is.
    pub side: Side,
    /// Its units at the start.
    pub units: u32,
    /// Its stands at the start.
    pub stands: u32,
    /// What they were worth; nothing where the ruleset does not weigh its units.
    pub points: i32,
    /// What it lost in each turn in which it lost anything.
    pub lost: Vec<CourseLoss>,
}

/// What was lost in a turn; below nothing for what came back.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ts_rs::TS)]
pub struct CourseLoss {
    /// The turn.
    pub turn: Option<u32>,
    /// Units.
    pub units: i32,
    /// Stands.
    pub stands: i32,
    /// Points: what was lost with them, and what those left are worth less.
    pub points: i32,
}

/// Units, stands and points.
type Strength = [i32; 3];
type Group = (Side, Option<CommandId>);

/// What each command has: on the table, and in points.
fn strengths<R: Ruleset>(battle: &R::Battle, view: &View) -> BTreeMap<Group, Strength> {
    let mut all: BTreeMap<Group, Strength> = BTreeMap::new();
    for unit in &view.units {
        let group = all.entry((unit.side, unit.command)).or_default();
        let there = if on_table(unit) { [1, unit.stands.len() as i32] } else { [0, 0] };
        // Whoever is off the table is not lost for that: skirmishers, a pursuit.
        *group = sum(group, &[there[0], there[1], R::points(battle, unit.id)]);
    }
    all
}

fn sum(a: &Strength, b: &Strength) -> Strength {
    std::array::from_fn(|n| a[n] + b[n])
}

fn on_table(unit: &UnitView) -> bool {
    unit.absent.is_none() && unit.pose.is_some()
}

pub(crate) fn course<R: Ruleset>(session: &Session<R>) -> Result<Course, LabError> {
    course_by(session, Chances::of::<R>())
}

/// The course by chances of winning; those of version 0 are a guess and are not told.
fn course_by<R: Ruleset>(session: &Session<R>, chances: &Chances) -> Result<Course, LabError> {
    let mut moments = Vec::new();
    let chances = Some(chances).filter(|chances| chances.version > 0);
    let standing_entries = session.log().standing();
    let mut stood: Option<R::Battle> = None;
    let mut before: Option<(Option<u32>, BTreeMap<Group, Strength>)> = None;
    let mut lost: BTreeMap<Group, BTreeMap<Option<u32>, Strength>> = BTreeMap::new();
    let mut had: BTreeMap<Group, Strength> = BTreeMap::new();
    let mut names: Vec<(Group, Option<String>)> = Vec::new();
    for moment in 1..=session.now() {
        let battle = session.battle_at(moment).map_err(|error| LabError::Log(error.to_string()))?;
        let view = R::view(&battle);
        let now = strengths::<R>(&battle, &view);
        if before.is_none() {
            names.extend(view.commands.iter().map(|one| ((one.side, Some(one.id)), Some(one.name.clone()))));
            names.extend(Side::BOTH.map(|side| ((side, None), None)));
        }
        let (turn, then) = before.unwrap_or_else(|| (view.turn, now.clone()));
        for (group, _) in &names {
            let (then, now) = (then.get(group).copied(), now.get(group).copied());
            let (then, now) = (then.unwrap_or_default(), now.unwrap_or_default());
            let most = had.entry(*group).or_default();
            *most = std::array::from_fn(|n| most[n].max(now[n]));
            // What was lost in a choice was lost in the turn in which it was made.
            let by_turn = lost.entry(*group).or_default();
            let before = by_turn.values().fold([0; 3], |all, one| sum(&all, one));
            let delta: Strength = std::array::from_fn(|n| counted(then[n] - now[n], before[n]));
            if delta != [0; 3] {
                let here = by_turn.entry(turn).or_default();
                *here = sum(here, &delta);
            }
        }
        let chance = chances.map(|chances| chances.of_battle::<R>(&battle));
        let entry = &session.log().entries[standing_entries[moment - 1]];
        let luck =
            chances.zip(stood.as_ref()).and_then(|(chances, stood)| luck_of::<R>(chances, stood, entry, &battle));
        moments.push(CourseMoment { chance, luck, ..standing::<R>(&battle, &view, moment, &now) });
        before = Some((view.turn, now));
        stood = Some(battle);
    }
    let command = |(group, name): (Group, Option<String>)| {
        let [units, stands, points] = had.get(&group).copied().filter(|had| *had != [0; 3])?;
        let by_turn = lost.get(&group).into_iter().flatten();
        let lost = by_turn.filter(|(_, lost)| **lost != [0; 3]);
        Some(CourseCommand {
            name,
            side: group.0,
            units: units as u32,
            stands: stands as u32,
            points,
            lost: lost
                .map(|(turn, &[units, stands, points])| CourseLoss { turn: *turn, units, stands, points })
                .collect(),
        })
    };
    let turning = turning(&moments);
    Ok(Course { commands: names.into_iter().filter_map(command).collect(), moments, turning })
}

/// How much luckier than deserved an entry went for side A: a choice whose dice fell by the rules.
fn luck_of<R: Ruleset>(
    chances: &Chances,
    before: &R::Battle,
    entry: &Entry<R::Event>,
    after: &R::Battle,
) -> Option<f64> {
    let Entry::Chosen(chosen) = entry else { return None };
    if !chosen.rolled() || !chosen.breaches.is_empty() {
        return None;
    }
    let mut offers = Vec::new();
    R::offers(before, &mut offers);
    let offer = offers.into_iter().find(|offer| R::key(before, offer) == chosen.offer)?;
    chances.luck_of::<R>(before, &Choice { offer, value: chosen.value.clone() }, after)
}

/// What a change counts as lost: whatever comes back makes good what was lost before, and the rest has only now arrived.
fn counted(change: i32, before: i32) -> i32 {
    change.max(-before)
}

fn standing<R: Ruleset>(
    battle: &R::Battle,
    view: &View,
    moment: usize,
    strengths: &BTreeMap<Group, Strength>,
) -> CourseMoment {
    let of = |side: Side| {
        let mine = strengths.iter().filter(|((other, _), _)| *other == side);
        mine.fold([0; 3], |all, (_, one)| sum(&all, one))
    };
    let both = Side::BOTH.map(of);
    // What urges a side on is left out: half the difference is the same for both, with the sign turned.
    let worth = (R::worth(battle, Side::A) - R::worth(battle, Side::B)) / 2;
    let [units, stands] = [0, 1].map(|n| both.map(|strength| strength[n] as u32));
    CourseMoment {
        moment,
        turn: view.turn,
        worth,
        chance: None,
        luck: None,
        units,
        stands,
        points: both.map(|strength| strength[2]),
    }
}

/// The moment whose choice tipped the battle most, for good: by the chances of winning, by how it stands where the ruleset can tell only that, otherwise
/// by what was left. A swing counts as far as the other side never made it good; the first of equals.
fn turning(moments: &[CourseMoment]) -> Option<usize> {
    let first = moments.first()?;
    let told = moments.iter().any(|one| one.worth != first.worth);
    let share = |now: u32, then: u32| f64::from(now) / f64::from(then.max(1));
    let balance = |one: &CourseMoment| match (one.chance, told) {
        (Some(chance), _) => chance,
        (None, true) => f64::from(one.worth),
        (None, false) => share(one.stands[0], first.stands[0]) - share(one.stands[1], first.stands[1]),
    };
    let stood: Vec<f64> = moments.iter().map(balance).collect();
    // From the end backwards: the least and the most that it stood at from each moment on.
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut lasting: Option<(usize, f64)> = None;
    for n in (1..stood.len()).rev() {
        (least, most) = (least.min(stood[n]), most.max(stood[n]));
        let before = stood[n - 1];
        let kept = if stood[n] > before { least - before } else { before - most };
        if kept > 0.0 && lasting.is_none_or(|(_, most)| kept >= most) {
            lasting = Some((moments[n].moment, kept));
        }
    }
    lasting.map(|(moment, _)| moment)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]
mod tests {
    use super::*;
    use crate::chronicle::Chronicle;
    use sabretache_engine::log::{DiceSource, Enforcement};
    use sabretache_engine::scenario::{Document, Scenario};
    use sabretache_engine::session::{Order, Seat, Setup};
    use sabretache_picket::Picket;
    use sabretache_players::chance::{Part, names};
    use sabretache_players::fight::own_chance;
    use sabretache_players::{Skill, choose};

    const VOLLEY: &str = include_str!("../scenarios/volley.toml");

    #[test]
    fn the_course_tells_the_luck_that_a_run_takes_out() {
        let part = |name: &str, weight| Part { name: name.into(), weights: [weight; 3] };
        let chances: &'static Chances = Box::leak(Box::new(Chances {
            version: 1,
            parts: names::<Picket>().map(|name| part(name, if name == "to act" { 0.0 } else { 5.0 })).collect(),
            ..Chances::of::<Picket>().clone()
        }));
        let scenario = Scenario::read(&Document::parse("volley.toml", VOLLEY).unwrap().json).unwrap();
        let setup = Setup { enforcement: Enforcement::Referee, dice: DiceSource::Seeded(4) };
        let (mut session, _) = Session::<Picket>::begin(&scenario, setup).unwrap();
        let mut run = Chronicle::<Picket>::new(session.battle(), Some(chances));
        for n in 0..200 {
            let Some(side) = session.deciding() else { break };
            let choice =
                choose::<Picket>(Skill::DrillMaster, session.battle(), &[], &mut own_chance(4, side, n)).unwrap();
            let offer = Picket::key(session.battle(), &choice.offer);
            session.choose(Seat::Umpire, &Order { offer, value: choice.value.clone(), ..Order::default() }).unwrap();
            let Some(Entry::Chosen(chosen)) = session.log().entries.last() else { panic!("nothing was chosen") };
            run.note(&choice, session.battle(), &chosen.happened);
        }
        let course = course_by(&session, chances).unwrap();
        assert_eq!(course.moments.len(), session.now());
        let told: Vec<f64> = course.moments.iter().filter_map(|one| one.luck).collect();
        assert!(
            told.iter().filter(|luck| luck.abs() > 1e-6).count() > 0,
            "nothing is weighed: {told:?} of {:?}",
            session.log().entries
        );
        let swing = run.finish().swing.unwrap();
        assert!(swing.abs() > 1e-6 && (told.iter().sum::<f64>() - swing).abs() < 1e-9, "{swing} and {told:?}");
        // Without chances that were held against battles nothing is told.
        let guessed = course_by(&session, Chances::of::<Picket>()).unwrap();
        assert!(guessed.moments.iter().all(|one| one.luck.is_none() && one.chance.is_none()));
    }

    fn moment(moment: usize, worth: i32, stands: [u32; 2]) -> CourseMoment {
        CourseMoment { moment, turn: Some(1), worth, chance: None, luck: None, units: [1, 1], stands, points: [0, 0] }
    }

    #[test]
    fn reinforcements_are_no_negative_loss() {
        assert_eq!(counted(-4, 0), 0, "four stands arrive");
        assert_eq!(counted(3, 0), 3, "three are lost");
        assert_eq!(counted(-4, 3), -3, "three come back, and one with them");
    }

    #[test]
    fn the_turning_point_is_where_it_tipped_most() {
        let by_worth = [moment(1, 0, [4, 4]), moment(2, 10, [4, 1]), moment(3, -30, [4, 1]), moment(4, -29, [4, 1])];
        assert_eq!(turning(&by_worth), Some(3));
        let made_good = [moment(1, 0, [4, 4]), moment(2, 50, [4, 4]), moment(3, -10, [4, 4]), moment(4, -40, [4, 4])];
        assert_eq!(turning(&made_good), Some(3), "what the second gained is lost at once, and more");
        let in_part = [moment(1, 0, [4, 4]), moment(2, 50, [4, 4]), moment(3, 20, [4, 4]), moment(4, 45, [4, 4])];
        assert_eq!(turning(&in_part), Some(4), "of the 50 gained only 20 were never made good");
        let by_stands = [moment(1, 0, [4, 4]), moment(2, 0, [4, 1]), moment(3, 0, [3, 1])];
        assert_eq!(turning(&by_stands), Some(2));
        assert_eq!(turning(&by_stands[..1]), None);
        // Forty points tell little where the battle is won already, and much where it stands even.
        let chances = [(1, 0, 0.5), (2, 30, 0.7), (3, 200, 0.97), (4, 400, 0.99)];
        let by_chance =
            chances.map(|(n, worth, chance)| CourseMoment { chance: Some(chance), ..moment(n, worth, [4, 4]) });
        assert_eq!(turning(&by_chance), Some(3));
        assert_eq!(turning(&by_chance.map(|one| CourseMoment { chance: None, ..one })), Some(4));
        assert_eq!(turning(&[moment(1, 0, [4, 4]), moment(2, 0, [4, 4])]), None);
    }
}
