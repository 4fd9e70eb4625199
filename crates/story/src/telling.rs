//! The battle in prose: what was done in each turn, who distinguished himself, who was fortunate, what was lost.

use std::collections::BTreeMap;

use sabretache_engine::ids::{Named, Side};
use sabretache_engine::session::StoryLine;
use sabretache_engine::view::{Verdict, View};

use crate::deeds::{Came, Cast, Deeds, Fate};
use crate::prose;

/// A turn.
pub struct Passage {
    /// Its number; 0 before the first.
    pub turn: u32,
    /// What happened, in order, a sentence each.
    pub sentences: Vec<String>,
    /// Whether nothing happened but marching.
    pub quiet: bool,
    /// How much happened.
    pub weight: u32,
    /// The moment at its end.
    pub moment: usize,
}

/// How the dice fell for a unit, an officer or a side.
pub struct Fortune {
    /// Who.
    pub name: String,
    /// Whose.
    pub side: Side,
    /// How many rolls.
    pub rolls: u32,
    /// How much better than expected they went, in rolls.
    pub luck: f64,
}

/// Somebody before whom enemies gave way.
pub struct Distinguished {
    /// Who.
    pub name: String,
    /// Whose.
    pub side: Side,
    /// Those who ran from it or were broken by it, in the order in which they were.
    pub over: Vec<String>,
}

/// Everything that is told.
pub struct Account {
    /// What each side had to fight with, a sentence each.
    pub armies: Vec<String>,
    /// Turn by turn.
    pub passages: Vec<Passage>,
    /// Who put most of the enemy to flight, most first.
    pub distinguished: Vec<Distinguished>,
    /// Who did better than the dice promised, best first.
    pub fortunes: Vec<Fortune>,
    /// The same for the two sides.
    pub sides: Vec<Fortune>,
    /// Who left the table, with the reason.
    pub lost: Vec<(Side, String, String)>,
    /// How it ended.
    pub verdict: Option<Verdict>,
}

/// So many are named as having distinguished themselves, of a side.
const BEST: usize = 3;

/// Tells a battle from its story and from the table as it stood at the end of each turn, which is asked for by its moment.
pub fn tell(
    story: &[StoryLine],
    first: &View,
    last: &View,
    verdict: Option<Verdict>,
    table: &mut dyn FnMut(usize) -> Result<View, String>,
) -> Result<Account, String> {
    let cast = Cast::of(last);
    let mut turns: Vec<(u32, usize, Deeds)> = Vec::new();
    for line in story {
        let turn = line.turn.unwrap_or_default();
        if turns.last().is_none_or(|(number, ..)| *number != turn) {
            turns.push((turn, line.moment, Deeds::default()));
        }
        let Some((_, moment, deeds)) = turns.last_mut() else { continue };
        *moment = line.moment;
        deeds.read(line, &cast, &mut || table(line.moment.saturating_sub(1).max(1)))?;
    }
    let mut passages = Vec::new();
    let mut before = first.clone();
    let mut over: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (number, moment, deeds) in turns {
        let after = table(moment)?;
        if number > 0 {
            passages.push(Passage {
                turn: number,
                sentences: prose::turn(number, &deeds, &cast, &before, &after),
                quiet: deeds.is_quiet(),
                weight: deeds.weight(),
                moment,
            });
            credit(&deeds, &mut over);
        }
        before = after;
    }
    let (fortunes, sides) = fortunes(story, last);
    let distinguished = distinguished(over, &cast);
    Ok(Account {
        armies: prose::armies(first),
        passages,
        distinguished,
        fortunes,
        sides,
        lost: lost(first, last),
        verdict,
    })
}

/// Who ran or was broken before whom: hand to hand if they met so, and under fire otherwise.
fn credit(deeds: &Deeds, over: &mut BTreeMap<String, Vec<String>>) {
    let beaten = |who: &str| deeds.fates.get(who).is_some_and(|fate| *fate >= Fate::Ran);
    for loser in deeds.fates.keys().filter(|who| beaten(who)) {
        let home = deeds.charges.iter().filter(|charge| charge.came == Came::Home);
        let charged = home.filter_map(|charge| Some((charge.who.clone(), charge.whom.clone()?)));
        let met: Vec<String> = deeds
            .fights
            .iter()
            .cloned()
            .chain(charged)
            .filter_map(|(a, b)| match (a == *loser, b == *loser) {
                (true, false) => Some(b),
                (false, true) => Some(a),
                _ => None,
            })
            .collect();
        let by = if met.is_empty() {
            deeds.shots.iter().filter(|(_, at)| at == loser).map(|(by, _)| by.clone()).collect()
        } else {
            met
        };
        for winner in by.into_iter().filter(|who| !beaten(who)) {
            let list = over.entry(winner).or_default();
            if !list.contains(loser) {
                list.push(loser.clone());
            }
        }
    }
}

fn distinguished(over: BTreeMap<String, Vec<String>>, cast: &Cast) -> Vec<Distinguished> {
    let mut all: Vec<Distinguished> = over
        .into_iter()
        .filter_map(|(name, over)| Some(Distinguished { side: cast.side(&name)?, name, over }))
        .collect();
    all.sort_by_key(|one| (one.side, std::cmp::Reverse(one.over.len())));
    let mut kept = Vec::new();
    for side in [Side::A, Side::B] {
        let of: Vec<usize> = (0..all.len()).filter(|n| all[*n].side == side).take(BEST).collect();
        kept.extend(of);
    }
    let mut n = 0;
    all.retain(|_| {
        n += 1;
        kept.contains(&(n - 1))
    });
    all
}

fn fortunes(story: &[StoryLine], view: &View) -> (Vec<Fortune>, Vec<Fortune>) {
    let mut of: BTreeMap<String, (Side, u32, f64)> = BTreeMap::new();
    let mut sides = [(0, 0.0), (0, 0.0)];
    for roll in story.iter().flat_map(|line| &line.parts).filter_map(|part| part.roll.as_ref()) {
        if roll.luck == 0.0 && roll.chance.is_none() {
            continue;
        }
        let side = &mut sides[roll.side.index()];
        *side = (side.0 + 1, side.1 + roll.luck);
        let name = roll.of.as_deref().and_then(Named::parse).and_then(|named| match named {
            Named::Unit(id) => view.units.iter().find(|unit| unit.id == id).map(|unit| unit.name.clone()),
            Named::Officer(id) => {
                view.officers.iter().find(|officer| officer.id == id).map(|officer| officer.name.clone())
            }
            Named::Command(_) | Named::Ground(_) => None,
        });
        if let Some(name) = name {
            let known = of.entry(name).or_insert((roll.side, 0, 0.0));
            *known = (known.0, known.1 + 1, known.2 + roll.luck);
        }
    }
    let mut all: Vec<Fortune> =
        of.into_iter().map(|(name, (side, rolls, luck))| Fortune { name, side, rolls, luck }).collect();
    all.sort_by(|a, b| b.luck.total_cmp(&a.luck));
    let names = view.setting.sides.iter().map(|side| {
        let (rolls, luck) = sides[side.side.index()];
        Fortune { name: side.name.clone(), side: side.side, rolls, luck }
    });
    (all, names.collect())
}

/// Those who are lost to their side, and were not before.
fn lost(first: &View, last: &View) -> Vec<(Side, String, String)> {
    let gone = last.units.iter().filter_map(|unit| {
        let before = first.units.iter().find(|one| one.key == unit.key)?;
        let why = unit.absent.clone().filter(|_| unit.lost && !before.lost)?;
        Some((unit.side, unit.name.clone(), why))
    });
    gone.collect()
}
