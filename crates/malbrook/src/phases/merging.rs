//! Merging and splitting brigades (MB-MOV-31, 32, MB-FOO-07, MB-CHG-05), and guns taken over (MB-GUN-06).

use crate::phases::aims;
use crate::phases::charge;
use crate::phases::command;
use crate::phases::control;
use crate::phases::movement;
use crate::phases::splitting;
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value, WrongValue};
use sabretache_table::{Heading, Length, OnTable, Outline, Point, Pose, Unit, Vec2, overlapping};

use crate::battle::Battle;
use crate::brigade::{Assault, Brigade, Status};
use crate::clauses::{MB_CHG_05, MB_FOO_07, MB_GEN_10, MB_GUN_05, MB_GUN_06, MB_LEA_07, MB_MOV_31, MB_MOV_32};
use crate::event::{Event, Phase};
use crate::phases::harm::Play;
use crate::table::crowds::{is_chain, stand_apart};
use crate::table::lay::{Figure, HAIR, near};
use crate::troops::Formation;

pub(crate) mod offers;

pub(crate) use offers::{closed, each_offer, offers, offers_of};

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

/// Whether two brigades are of one arm and command, steady, and not too many together (MB-MOV-31).
fn may_join(battle: &Battle, unit: UnitId, into: UnitId) -> Result<(), Refusal> {
    decides!(MB_GEN_10, MB_MOV_31);
    let (one, other) = (battle.brigade(unit), battle.brigade(into));
    let arm = (one.kind.is_infantry() && other.kind.is_infantry())
        || (one.is_formed() && one.kind.is_cavalry() && other.kind.is_cavalry())
        || one.kind == other.kind;
    let same = one.under == other.under && one.side == other.side && arm && one.width == other.width;
    let steady = one.status == Status::Steady && other.status == Status::Steady;
    if !same || !steady || one.bases + other.bases > battle.fixed.numbers.sizes.most {
        return no(MB_MOV_31, "only steady brigades of one arm and command merge, to 12 bases at the most");
    }
    let gap = battle.fixed.numbers.contact_gap.length();
    if unit == into || !near(battle.figure(unit), battle.figure(into), gap) {
        return no(MB_MOV_31, "they are not in contact");
    }
    if one.refused.is_some() || other.refused.is_some() {
        return no(crate::clauses::MB_MAN_24, "a refused flank must be straightened first");
    }
    Ok(())
}

/// Whether a figure has room where two brigades stand that become one.
fn room_for_both(battle: &Battle, figure: &Figure, both: [UnitId; 2]) -> bool {
    let free = |other: UnitId| both.contains(&other) || !overlapping(figure, battle.figure(other));
    battle.around(figure.bounds(), Length::ZERO).all(free)
        && battle.fixed.table.on_table(figure) == OnTable::Wholly
        && !battle.fixed.ground.near(&figure.bounds()).any(|lie| battle.stops_on(both[0], figure, &lie))
}

/// The line that two brigades side by side make: its files and where it stands (MB-MOV-31).
pub(crate) fn may_merge(battle: &Battle, unit: UnitId, into: UnitId) -> Result<(u8, Pose, Vec<Point>), Refusal> {
    decides!(MB_CHG_05);
    may_join(battle, unit, into)?;
    let (one, other) = (battle.brigade(unit), battle.brigade(into));
    let declared = |brigade: &Brigade| brigade.marks.carried.attack != Assault::None;
    match battle.phase {
        Phase::Movement => {
            movement::may_go(battle, unit)
                .or_else(|refusal| if one.marks.share.done { Ok(()) } else { Err(refusal) })?;
        }
        Phase::Charges if one.kind.is_cavalry() && !declared(one) && !declared(other) => {
            charge::may_declare(battle, unit)?;
            charge::may_declare(battle, into)?;
        }
        Phase::Charges => return no(MB_CHG_05, "only cavalry that have not declared charge as one body"),
        _ => return no(MB_MOV_31, "brigades merge in their own movement phase, or to charge as one body"),
    }
    if one.side != battle.active || battle.pinned(unit) || battle.pinned(into) {
        return no(MB_MOV_31, "it is not their half of the phase, or they are in close combat");
    }
    if one.is_unformed() && other.is_unformed() && (one.places.is_some() || other.places.is_some()) {
        return one_crowd(battle, unit, into);
    }
    let alike = one.formation == other.formation && one.rows() == other.rows();
    let line = matches!(one.formation, Formation::Line | Formation::Unformed);
    if !alike || !line || !control::in_line_with(battle, unit, into) {
        return no(MB_MOV_31, "side by side they must be in line, as many ranks deep");
    }
    let files = one.files + other.files;
    let right = other.pose.heading.unit().right();
    let on_the_right = (battle.figure(unit).centre() - battle.figure(into).centre()).dot(right) > 0.0;
    let by = pitch(one) * i32::from(one.files);
    let to = other.pose.sideways(if on_the_right { by.half() } else { -by.half() });
    let merged = Brigade { bases: one.bases + other.bases, files, pose: to, ..*other };
    if !room_for_both(battle, &Figure::of(&merged, to), [unit, into]) {
        return no(MB_MOV_31, "there is no room for them as one line");
    }
    Ok((files, to, Vec::new()))
}

/// The crowd that two crowds make where they stand, each base turned the way of the one they join (MB-FRM-06). Bases that
/// touch are in contact (MB-MOV-31), while those of one crowd stand apart: the ones that join then give way by a hair.
fn one_crowd(battle: &Battle, unit: UnitId, into: UnitId) -> Result<(u8, Pose, Vec<Point>), Refusal> {
    let [theirs, ours] = [into, unit].map(|one| battle.figure(one).middles());
    let made = |off: Vec2| {
        let shifted = ours.iter().map(|middle| Point::rounded(middle.v() + off));
        let places: Vec<Point> = theirs.iter().copied().chain(shifted).collect();
        let merged = battle.brigade(into).scattered(&places);
        let figure = Figure::of(&merged, merged.pose);
        let hang_together = stand_apart(&figure.bases) && is_chain(&figure.bases, battle.loose_gap());
        let fits = merged.places.is_some() && hang_together && room_for_both(battle, &figure, [unit, into]);
        fits.then_some((merged.files, merged.pose, places))
    };
    let aside = (0..8).map(|eighth| Heading::degrees(eighth * 45).unit() * HAIR.f());
    match std::iter::once(Vec2::new(0.0, 0.0)).chain(aside).find_map(made) {
        Some(crowd) => Ok(crowd),
        None => no(MB_MOV_31, "there is no room for them as one crowd"),
    }
}

/// From one file to the next.
fn pitch(brigade: &Brigade) -> Length {
    brigade.width + if brigade.is_unformed() { crate::table::lay::LOOSE } else { Length::ZERO }
}

/// Whether a brigade may join the one before it and become its rear (MB-FOO-07).
pub(crate) fn may_reinforce(battle: &Battle, unit: UnitId, into: UnitId) -> Result<(), Refusal> {
    decides!(MB_FOO_07);
    let (rear, front) = (battle.brigade(unit), battle.brigade(into));
    let brigades = rear.is_brigade() && front.is_brigade();
    if battle.phase != Phase::Movement || rear.side != battle.active || !brigades {
        return no(MB_FOO_07, "brigades reinforce others in their own movement phase");
    }
    may_join(battle, unit, into)?;
    // A line has two ranks at the most; a column grows deeper by those who come up in its breadth.
    let room_behind = match front.formation {
        Formation::Line => front.bases + rear.bases <= front.files * 2,
        _ => front.is_formed() && rear.files <= front.files,
    };
    if !room_behind || !rear.is_formed() || !control::behind(battle, unit, into) || rear.marks.control.halted {
        let why =
            "it must stand behind a line whose second rank has room for it, or behind a column no narrower than it";
        return no(MB_FOO_07, why);
    }
    let merged = Brigade { bases: front.bases + rear.bases, ..*front };
    if !room_for_both(battle, &Figure::of(&merged, merged.pose), [unit, into]) {
        return no(MB_FOO_07, "there is no room behind it");
    }
    Ok(())
}

/// Whether a brigade may split, and how many bases may leave it (MB-MOV-32).
pub(crate) fn split_input(battle: &Battle, unit: UnitId) -> Result<Input, Refusal> {
    decides!(MB_MOV_32);
    movement::may_go(battle, unit)?;
    let brigade = battle.brigade(unit);
    if !brigade.kind.is_brigade() || brigade.bases < 2 || brigade.refused.is_some() {
        return no(MB_MOV_32, "a brigade of two bases or more may split");
    }
    if brigade.marks.share.spent > Length::ZERO || brigade.marks.share.half || brigade.marks.share.dice.is_some() {
        battle.forbid(MB_MOV_32, "it splits before it moves")?;
    }
    if battle.units.len() >= 4_000 || parts_of(battle, brigade.entry) >= 200 {
        return no(MB_MOV_32, "it has split often enough");
    }
    if brigade.places.is_some() {
        return battle.crowd_split(unit).map(|(least, most)| Input::Number { least, most });
    }
    let single = brigade.files == brigade.bases || brigade.files == 1;
    let most = i32::from(brigade.bases) - 1;
    match brigade.formation {
        Formation::Line | Formation::MarchColumn | Formation::Unformed if single => {
            Ok(Input::Number { least: 1, most })
        }
        // Of a field column the first two ranks stay one, and so do those behind them.
        Formation::FieldColumn if brigade.bases >= 7 => Ok(Input::Number { least: most - 3, most: most - 3 }),
        _ => no(MB_MOV_32, "a body two deep changes its formation before it splits"),
    }
}

/// Whether a brigade may split and leave a leader who is with it with the part that stays: how many bases may leave it
/// (MB-LEA-07).
pub(crate) fn split_leaving_input(battle: &Battle, unit: UnitId, leader: OfficerId) -> Result<Input, Refusal> {
    decides!(MB_LEA_07);
    if battle.leader(leader).attached != Some(unit) || battle.leader(leader).lost {
        return no(MB_LEA_07, "he is not with that brigade");
    }
    split_input(battle, unit)
}

/// How many parts a brigade of the scenario has become.
pub(crate) fn parts_of(battle: &Battle, entry: u16) -> u8 {
    battle.units.iter().filter(|one| one.entry == entry).map(|one| one.part).max().unwrap_or(0)
}

/// Whether a brigade may take over a gun left on its limber (MB-GUN-06).
pub(crate) fn may_take_gun(battle: &Battle, unit: UnitId, gun: UnitId) -> Result<(), Refusal> {
    decides!(MB_GUN_05, MB_GUN_06);
    movement::may_go(battle, unit)?;
    let (brigade, model) = (battle.brigade(unit), battle.brigade(gun));
    let left = matches!(model.status, Status::Abandoned | Status::Captured);
    if !left || model.formation != Formation::Limbered || !model.kind.is_gun() {
        return no(MB_GUN_06, "only a gun left on its limber can be taken over");
    }
    let inch = battle.fixed.numbers.musketry.length();
    if !brigade.is_brigade() || brigade.bases < 2 || !near(battle.figure(unit), battle.figure(gun), inch) {
        return no(MB_GUN_06, "a brigade within an inch gives up one base, and keeps one at least");
    }
    if model.side == brigade.side || battle.in_combat(unit) || brigade.marks.share.dice.is_some() {
        return no(MB_GUN_06, "it takes over enemy guns, out of close combat and before it moves");
    }
    let in_the_way = |other: UnitId| overlapping(battle.figure(gun), battle.figure(other));
    if battle.around(battle.figure(gun).bounds(), Length::ZERO).any(in_the_way) {
        return no(MB_GUN_06, "somebody stands where the gun is");
    }
    Ok(())
}

/// A brigade becomes the rear rank of the one before it.
pub(crate) fn reinforce(play: &mut Play<'_>, unit: UnitId, into: UnitId) -> Result<(), Halt> {
    may_reinforce(play.battle(), unit, into)?;
    let front = *play.battle().brigade(into);
    play.happen(Event::MergedInto { unit, into, files: front.files, to: front.pose, places: Vec::new() });
    Ok(())
}

/// Two brigades side by side become one line.
pub(crate) fn merge(play: &mut Play<'_>, unit: UnitId, into: UnitId) -> Result<(), Halt> {
    let (files, to, places) = may_merge(play.battle(), unit, into)?;
    play.happen(Event::MergedInto { unit, into, files, to, places });
    Ok(())
}

/// A brigade splits: so many bases leave it from the right, or from the rear of a column.
pub(crate) fn split(play: &mut Play<'_>, unit: UnitId, number: Option<i32>) -> Result<(), Halt> {
    let input = split_input(play.battle(), unit)?;
    let number = number.ok_or(WrongValue("how many bases?".into()))?;
    input.check(&Value::Number(number), Unit::Inch)?;
    let battle = play.battle();
    let brigade = *battle.brigade(unit);
    let (part, stays) = (parts_of(battle, brigade.entry) + 1, number as u8);
    if brigade.places.is_some() {
        let stays = battle.rightmost(unit).into_iter().take(usize::from(stays)).collect();
        play.happen(Event::CameApart { unit, part, stays });
        return Ok(());
    }
    let bases = brigade.bases - stays;
    let [files, stays_files] =
        if brigade.files == brigade.bases { [bases, stays] } else { [brigade.files, brigade.files.min(stays)] };
    let [to, stays_at] = if brigade.files == brigade.bases {
        let pitch = pitch(&brigade);
        let half = |bases: u8| (pitch * i32::from(bases)).half();
        [brigade.pose.sideways(-half(stays)), brigade.pose.sideways(half(bases))]
    } else {
        let gap = if brigade.is_unformed() { crate::table::lay::LOOSE } else { Length::ZERO };
        let depth = (brigade.depth + gap) * i32::from(bases.div_ceil(files));
        [brigade.pose, brigade.pose.ahead(-depth)]
    };
    let [goes, remains] =
        [(bases, files), (stays, stays_files)].map(|(bases, files)| Brigade { bases, files, ..brigade });
    let [to, stays_at] = splitting::parted(battle, unit, [&goes, &remains], [to, stays_at]);
    play.happen(Event::Split { unit, part, bases, files, to, stays, stays_files, stays_at });
    Ok(())
}

/// A brigade splits, and one of the leaders with it stays with the other part (MB-LEA-07).
pub(crate) fn split_leaving(
    play: &mut Play<'_>,
    unit: UnitId,
    leader: OfficerId,
    number: Option<i32>,
) -> Result<(), Halt> {
    split_leaving_input(play.battle(), unit, leader)?;
    split(play, unit, number)?;
    let part = UnitId(play.battle().units.len() as u16 - 1);
    let to = command::beside(play.battle(), leader, part);
    play.happen(Event::StayedWith { leader, unit: part, to });
    Ok(())
}

/// A brigade gives up a base to take over a gun.
pub(crate) fn take_gun(play: &mut Play<'_>, unit: UnitId, gun: UnitId) -> Result<(), Halt> {
    may_take_gun(play.battle(), unit, gun)?;
    let credit = play.battle().brigade(gun).status == Status::Abandoned;
    let leader = aims::wing_of(play.battle(), unit);
    play.happen(Event::GunTaken { unit, gun });
    if credit {
        play.happen(Event::GunsTaken { leader });
    }
    Ok(())
}
