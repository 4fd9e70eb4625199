//! Who fights whom with what (MB-CBT-01 to MB-CBT-04).

use std::cell::RefCell;
use std::rc::Rc;

use super::ground::{Engaged, has_ground};
use super::*;
use sabretache_engine::decides;

/// Which bases of a brigade fight an enemy, front rank bases by their number (MB-CBT-02 to 04).
pub(super) fn bases_against(battle: &Battle, unit: UnitId, enemy: UnitId) -> Vec<usize> {
    decides!(MB_CBT_02, MB_CBT_03, MB_CBT_04, MB_FOO_02, MB_FOO_08);
    let (brigade, figure, foe) = (battle.brigade(unit), battle.figure(unit), battle.figure(enemy));
    let reach = battle.fixed.numbers.musketry.length() + HAIR;
    // Over a gun those fight who are within an inch of it.
    let gun = battle.gun_between(unit, enemy).or_else(|| battle.gun_between(enemy, unit));
    let foe = gun.map_or(foe, |gun| battle.figure(gun));
    let beyond = (reach + HAIR).f();
    let mut fighting = Vec::new();
    let mut zones = None;
    for (n, base) in figure.bases.iter().enumerate() {
        // Neither its zone nor the base itself reaches further.
        if base.bounds().distance2(&foe.bounds()) > beyond * beyond {
            continue;
        }
        let counts = if brigade.formation == Formation::Unformed {
            near(base, &foe, reach - HAIR)
        } else if n < figure.front {
            contact(&zones.get_or_insert_with(|| figure.base_zones(reach)).0[n], foe) != Contact::Apart
        } else {
            false
        };
        // A base touched on its side or rear fights as if turned.
        let turned = !counts && near(base, &foe, Length::ZERO) && battle.brigade(enemy).kind.is_cavalry();
        if counts || turned {
            fighting.push(n);
        }
    }
    fighting
}

/// Who fights whom with which bases, found once for all that is asked about a moment.
pub(super) struct Faced<'a> {
    pub(super) battle: &'a Battle,
    known: RefCell<Vec<Against>>,
}

/// A brigade, an enemy, and which of its bases fight him.
type Against = (UnitId, UnitId, Rc<[usize]>);

impl<'a> Faced<'a> {
    fn of(battle: &'a Battle) -> Self {
        Self { battle, known: RefCell::default() }
    }

    pub(super) fn bases(&self, unit: UnitId, enemy: UnitId) -> Rc<[usize]> {
        let known = self.known.borrow().iter().find(|one| (one.0, one.1) == (unit, enemy)).map(|one| one.2.clone());
        known.unwrap_or_else(|| {
            let found: Rc<[usize]> = bases_against(self.battle, unit, enemy).into();
            self.known.borrow_mut().push((unit, enemy, found.clone()));
            found
        })
    }
}

/// How a brigade came into the combat.
pub(super) fn attack_of(battle: &Battle, unit: UnitId) -> Attack {
    match battle.brigade(unit).marks.carried.attack {
        Assault::Charged { outrance: true } => Attack::Outrance,
        Assault::Charged { outrance: false } => Attack::Charge,
        Assault::Pursued => Attack::Pursuit,
        _ => Attack::None,
    }
}

fn combatant(faced: &Faced<'_>, unit: UnitId, enemies: &[UnitId]) -> Combatant {
    let battle = faced.battle;
    let brigade = battle.brigade(unit);
    let mut fighting: Vec<usize> = enemies.iter().flat_map(|enemy| faced.bases(unit, *enemy).to_vec()).collect();
    fighting.sort_unstable();
    fighting.dedup();
    let main = main_opponent(faced, unit, enemies);
    // The files that fight, and those to the left and right of them.
    let mut files: Vec<u8> = fighting.iter().map(|base| brigade.file_of(*base) as u8).collect();
    files.sort_unstable();
    let (left, right) = match (files.first(), files.last()) {
        (Some(first), Some(last)) if brigade.splits() => (*first, brigade.files - last - 1),
        _ => (0, 0),
    };
    let came_from = |enemy: UnitId| Engaged::of(faced, unit, enemy).rear;
    let fighter = Fighter {
        bases: fighting.len() as u8,
        grade: brigade.grade(),
        kind: brigade.kind,
        style: brigade.style,
        formation: brigade.formation,
        front_rank: Some(brigade.files),
        second_rank: if brigade.is_unformed() { 0 } else { brigade.second_rank() },
        dps: brigade.dps,
        inspires: battle.inspires(unit),
        attack: attack_of(battle, unit),
        ground: main.is_some_and(|enemy| has_ground(faced, unit, enemy)),
        against: main.map_or(crate::situations::Cover::None, |enemy| gunnery::cover(battle, came_from(enemy), enemy)),
        moved: brigade.has_moved(),
        flank: brigade.marks.carried.flanked,
    };
    let gap =
        main.map_or(Length::ZERO, |enemy| sabretache_table::distance(&battle.figure(unit), &battle.figure(enemy)));
    Combatant { unit, fighter, gap, left, right }
}

/// The enemy faced by most of a brigade's bases; then the nearer; then the further right (MB-CBT-01).
fn main_opponent(faced: &Faced<'_>, unit: UnitId, enemies: &[UnitId]) -> Option<UnitId> {
    // Who has no choice need not be measured.
    if let [] | [_] = enemies {
        return enemies.first().copied();
    }
    let battle = faced.battle;
    let side = battle.brigade(unit).side;
    let figure = battle.figure(unit);
    enemies.iter().copied().min_by_key(|enemy| {
        let bases = faced.bases(unit, *enemy).len();
        let there = battle.figure(*enemy);
        let off = exact_distance(&figure, &there) as i64;
        (std::cmp::Reverse(bases), off, battle.off_right(side, there.centre()), *enemy)
    })
}

/// Every combat on the table, from the first player's right to his left.
pub(crate) fn find_fights(battle: &Battle) -> Vec<Fight> {
    decides!(MB_CBT_01);
    let brigades: Vec<UnitId> = battle.all().filter(|unit| battle.brigade(*unit).is_brigade()).collect();
    // Civilians scatter and wagons are taken without a fight (MB-CBT-25, MB-UNI-13).
    let fights_back = |enemy: UnitId| {
        let enemy = battle.brigade(enemy);
        enemy.is_brigade() || enemy.kind.is_gun()
    };
    let opponents = |unit: UnitId| -> Vec<UnitId> {
        let bounds = battle.figure(unit).bounds();
        battle
            .enemies_around(battle.brigade(unit).side, bounds, Length::inches(4))
            .filter(|enemy| fights_back(*enemy) && battle.meets(unit, *enemy))
            .collect()
    };
    let foes: Vec<(UnitId, Vec<UnitId>)> =
        brigades.into_iter().map(|unit| (unit, opponents(unit))).filter(|(_, foes)| !foes.is_empty()).collect();
    // Brigades linked by their main opponents are one combat.
    let faced = Faced::of(battle);
    let mut links: Vec<(UnitId, UnitId)> = Vec::new();
    for (unit, enemies) in &foes {
        let men: Vec<UnitId> = enemies.iter().copied().filter(|enemy| battle.brigade(*enemy).is_brigade()).collect();
        let main = main_opponent(&faced, *unit, if men.is_empty() { enemies } else { &men });
        links.extend(main.map(|main| (*unit, main)));
    }
    let mut fights: Vec<Vec<UnitId>> = Vec::new();
    for (unit, main) in links {
        let of = |who: UnitId| fights.iter().position(|fight| fight.contains(&who));
        match (of(unit), of(main)) {
            (Some(a), Some(b)) if a != b => {
                let (low, high) = (a.min(b), a.max(b));
                let joined = fights.remove(high);
                fights[low].extend(joined);
            }
            (Some(a), None) => fights[a].push(main),
            (None, Some(b)) => fights[b].push(unit),
            (None, None) => fights.push(vec![unit, main]),
            _ => {}
        }
    }
    let mut made: Vec<(i64, Fight)> = fights.into_iter().map(|members| fight_of(&faced, members)).collect();
    made.sort_by_key(|(right, fight)| (*right, fight.a.first().map(|one| one.unit)));
    made.into_iter().map(|(_, fight)| fight).collect()
}

fn fight_of(faced: &Faced<'_>, mut members: Vec<UnitId>) -> (i64, Fight) {
    let battle = faced.battle;
    members.sort_unstable();
    members.dedup();
    let of = |side: Side| -> Vec<Combatant> {
        let ours = members
            .iter()
            .copied()
            .filter(|unit| battle.brigade(*unit).side == side && battle.brigade(*unit).is_brigade());
        let theirs: Vec<UnitId> = members.iter().copied().filter(|unit| battle.brigade(*unit).side != side).collect();
        let mut made: Vec<Combatant> = ours
            .map(|unit| {
                let foes: Vec<UnitId> = theirs.iter().copied().filter(|enemy| battle.meets(unit, *enemy)).collect();
                combatant(faced, unit, &foes)
            })
            .collect();
        // Casualties begin with the brigade that has most bases in combat, then further right (MB-CBT-28).
        made.sort_by_key(|one| {
            (std::cmp::Reverse(one.fighter.bases), battle.off_right(side, battle.figure(one.unit).centre()))
        });
        made
    };
    // Guns that foot stand behind are part of it too, though the foot are the main opponent (MB-GUN-03, MB-GUN-07).
    let is_model = |unit: &UnitId| !battle.brigade(*unit).kind.is_brigade();
    let beside = |unit: &UnitId| {
        let (side, bounds) = (battle.brigade(*unit).side, battle.figure(*unit).bounds());
        let met = |enemy: &UnitId| is_model(enemy) && battle.fights(*unit, *enemy);
        battle.enemies_around(side, bounds, Length::inches(4)).filter(met).collect::<Vec<_>>()
    };
    let mut guns: Vec<UnitId> = members.iter().copied().filter(is_model).collect();
    guns.extend(members.iter().filter(|unit| !is_model(unit)).flat_map(beside));
    guns.sort_unstable();
    guns.dedup();
    let first: Vec<i64> = members
        .iter()
        .filter(|unit| battle.brigade(**unit).side == battle.first)
        .map(|unit| battle.off_right(battle.first, battle.figure(*unit).centre()))
        .collect();
    let right = first.into_iter().min().unwrap_or(i64::MAX);
    (right, Fight { a: of(Side::A), b: of(Side::B), guns, hits: None, acted: Vec::new(), gave_way: Vec::new() })
}
