//! Headlines and what each unit has to fear, gathered from every way the dice can fall.

use std::collections::{BTreeMap, BTreeSet};

use super::{Fate, Headline, HeadlineOdds, MOST_HEADLINES, UnitOdds};
use crate::ids::{Named, UnitId};
use crate::odds::{Chance, MOST_BRANCHES, NoOdds, Odds, odds_of};
use crate::offer::{Choice, Halt};
use crate::resolution::Resolution;
use crate::ruleset::Ruleset;

/// One way it can go, as far as a player tells ways apart.
type Way = (Headline, String, Vec<Fate>);

/// What comes of a choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// Every outcome with its chance, as [`Ruleset::outcome`] has it.
    pub outcomes: Vec<(String, Chance)>,
    /// The headlines in the order in which a player wants to read them, five at the most.
    pub headlines: Vec<(Headline, Chance)>,
    /// What each unit has to fear that anything may happen to.
    pub units: Vec<UnitOdds>,
    /// The chance that it goes well for the side that chooses; nothing where good and bad do not come into it.
    pub chance: Option<Chance>,
    /// What the events under each outcome and each headline speak of; only where something is hidden from somebody.
    about: BTreeMap<String, BTreeSet<Named>>,
}

/// What comes of a choice, up to the next decision.
pub fn forecast<R: Ruleset>(battle: &R::Battle, choice: &Choice<R::Offer>) -> Result<Forecast, NoOdds<Halt>> {
    let mut happened = Vec::new();
    let mut trial = battle.clone();
    let (conceals, mut about) = (R::conceals(battle), BTreeMap::<String, BTreeSet<Named>>::new());
    let odds: Odds<Way> = odds_of(MOST_BRANCHES, |dice| {
        happened.clear();
        trial.clone_from(battle);
        R::foresee(&mut Resolution::new(&mut trial, dice).events_only(&mut happened), choice)?;
        let mut fates = R::fates(battle, &trial, &happened);
        fates.sort_unstable();
        let (headline, outcome) = (R::headline(battle, &happened), R::outcome(battle, &happened));
        if conceals {
            let named: BTreeSet<Named> = happened.iter().flat_map(R::speaks_of).collect();
            about.entry(headline.text.clone()).or_default().extend(&named);
            about.entry(outcome.clone()).or_default().extend(named);
        }
        Ok((headline, outcome, fates))
    })?;
    let too_many = || NoOdds::TooMany { most: MOST_BRANCHES };
    let outcomes = gathered(odds.iter().map(|((_, outcome, _), chance)| (outcome.clone(), chance)));
    let headlines = gathered(odds.iter().map(|((headline, ..), chance)| (headline.clone(), chance)));
    let headlines = headlines.ok_or_else(too_many)?;
    let chance = match R::deciding(battle) {
        Some(side) if headlines.iter().any(|(one, _)| one.good_for.is_some()) => {
            let good = headlines.iter().filter(|(one, _)| one.good_for == Some(side)).map(|(_, chance)| *chance);
            good.into_iter().try_fold(Chance::NEVER, Chance::plus)
        }
        _ => None,
    };
    let headlines = at_most_five(headlines).ok_or_else(too_many)?;
    let units = units_of::<R>(battle, &odds);
    Ok(Forecast { outcomes: outcomes.ok_or_else(too_many)?, headlines, units, chance, about })
}

/// The chances of what is the same, added up.
fn gathered<T: Ord>(ways: impl Iterator<Item = (T, Chance)>) -> Option<Vec<(T, Chance)>> {
    let mut all: BTreeMap<T, Chance> = BTreeMap::new();
    for (what, chance) in ways {
        let sum = all.entry(what).or_insert(Chance::NEVER);
        *sum = sum.plus(chance)?;
    }
    Some(all.into_iter().collect())
}

/// The likeliest headlines in their order; what is left over becomes one, in the last place.
fn at_most_five(mut headlines: Vec<(Headline, Chance)>) -> Option<Vec<(Headline, Chance)>> {
    if headlines.len() <= MOST_HEADLINES {
        return Some(headlines);
    }
    headlines.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let rest = headlines.split_off(MOST_HEADLINES - 1);
    let sum = rest.iter().try_fold(Chance::NEVER, |sum, (_, chance)| sum.plus(*chance))?;
    let first = rest.first().and_then(|(headline, _)| headline.good_for);
    let good_for = first.filter(|side| rest.iter().all(|(headline, _)| headline.good_for == Some(*side)));
    headlines.sort_by(|a, b| a.0.cmp(&b.0));
    headlines.push((Headline::new(u8::MAX, "anything else", good_for), sum));
    Some(headlines)
}

fn units_of<R: Ruleset>(battle: &R::Battle, odds: &Odds<Way>) -> Vec<UnitOdds> {
    let mut units: BTreeMap<UnitId, UnitOdds> = BTreeMap::new();
    for ((_, _, fates), chance) in odds.iter() {
        for fate in fates {
            let one = units.entry(fate.unit).or_insert_with(|| UnitOdds {
                unit: fate.unit,
                routs: 0.0,
                lost: 0.0,
                loss: 0.0,
                measure: R::loss_measure(battle, fate.unit).to_owned(),
            });
            let p = chance.value();
            one.routs += if fate.routs { p } else { 0.0 };
            one.lost += if fate.lost { p } else { 0.0 };
            one.loss += p * f64::from(fate.loss);
        }
    }
    units.into_values().collect()
}

impl Forecast {
    /// What the events speak of that come to an outcome, where that matters.
    #[must_use]
    pub fn about_outcome(&self, outcome: &str) -> Option<&BTreeSet<Named>> {
        self.about.get(outcome)
    }

    /// What the events speak of that come under a headline, where that matters.
    #[must_use]
    pub fn about_headline(&self, text: &str) -> Option<&BTreeSet<Named>> {
        self.about.get(text)
    }

    /// The headlines as messages have them.
    #[must_use]
    pub fn told(&self) -> Vec<HeadlineOdds> {
        let one = |(headline, chance): &(Headline, Chance)| HeadlineOdds {
            text: headline.text.clone(),
            p: chance.to_string(),
            probability: chance.value(),
            good_for: headline.good_for,
        };
        self.headlines.iter().map(one).collect()
    }
}
