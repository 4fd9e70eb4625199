//! The Drill-master's eye: every candidate weighed by what it is expected to come to.

use sabretache_engine::dice::Seeded;
use sabretache_engine::handle::Group;
use sabretache_engine::ids::Side;
use sabretache_engine::offer::Choice;
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::{Judgement, Ruleset};

use crate::candidates::{candidates, candidates_among};
use crate::expect::{Eye, Spread, expectation, let_pass, mean_of, standing};
use crate::plan::Plan;

/// How closely choices are looked at. All numbers of ways are 1 or a prime.
#[derive(Clone, Copy, Debug)]
pub struct Care<'a> {
    /// No more candidates than this are weighed.
    pub most: usize,
    /// Of more candidates than this, all are looked at once, with middling dice, and only the best so many as below.
    pub few: usize,
    /// In how many ways the dice of every candidate are looked at.
    pub first: u32,
    /// How many of the best are looked at again,
    pub again: usize,
    /// in so many ways.
    pub closer: u32,
    /// How many candidates that show nothing are followed one choice further, and how many follow-ups of each.
    pub further: (usize, usize),
    /// How many choices that only lead to others (an order, a charge that is plotted) are followed to what they lead to,
    /// while they seem the best.
    pub led: usize,
    /// By which judgement of the ruleset's they are weighed.
    pub by: Judgement,
    /// By which plan; nothing where everybody does as he sees fit.
    pub plan: Option<&'a Plan>,
}

impl<'a> Care<'a> {
    /// As the Drill-master looks.
    pub const DRILLED: Self = Self {
        most: 160,
        few: 12,
        first: 3,
        again: 4,
        closer: 13,
        further: (6, 6),
        led: 8,
        by: Judgement::Present,
        plan: None,
    };
    /// At the enemy's answers.
    pub const GLANCE: Self = Self {
        most: 160,
        few: 16,
        first: 3,
        again: 0,
        closer: 0,
        further: (6, 6),
        led: 8,
        by: Judgement::Present,
        plan: None,
    };
    /// As the first Marshal's tries are fought on; and what fast hands go by.
    pub const HASTY: Self = Self {
        most: 12,
        few: 12,
        first: 1,
        again: 0,
        closer: 0,
        further: (2, 2),
        led: 0,
        by: Judgement::Present,
        plan: None,
    };

    /// The same by a judgement. Those who went by the first looked no further than the order.
    #[must_use]
    pub const fn by(self, by: Judgement) -> Self {
        let led = if matches!(by, Judgement::First) { 0 } else { self.led };
        Self { by, led, ..self }
    }

    /// The same with a plan in mind.
    #[must_use]
    pub fn with(self, plan: &'a Plan) -> Self {
        Self { plan: Some(plan).filter(|plan| !plan.is_free()), ..self }
    }

    /// How a side looks so: a plan is nobody's but its own side's.
    #[must_use]
    pub fn eye(self, side: Side) -> Eye<'a> {
        Eye { side, by: self.by, plan: self.plan.filter(|plan| plan.side == side) }
    }
}

/// A choice and what it is expected to come to for the side that decides.
#[derive(Clone, Debug)]
pub struct Judged<O> {
    /// The choice.
    pub choice: Choice<O>,
    /// In the ruleset's points.
    pub value: f64,
    /// How far apart the ways were in which the dice were looked at.
    pub spread: f64,
    /// Dice have no say in it.
    pub certain: bool,
}

impl<O> Judged<O> {
    /// Looks again, more closely, where there is more to be seen.
    fn again<R: Ruleset<Offer = O>>(&mut self, battle: &R::Battle, eye: Eye<'_>, ways: u32, dice: &mut Spread) {
        if self.certain {
            return;
        }
        if let Some(seen) = expectation::<R>(battle, &[], &self.choice, eye, ways, dice) {
            (self.value, self.spread) = (seen.value, seen.spread);
        }
    }
}

/// Every candidate, the best first, but for those that lead back to where the battle stood `before`. Equals come in random order, so that a player does
/// not favour its first unit.
pub fn judge<R: Ruleset>(
    battle: &R::Battle,
    before: &[R::Battle],
    care: Care<'_>,
    random: &mut Seeded,
) -> Vec<Judged<R::Offer>> {
    judge_among::<R>(battle, before, care, |_| true, random)
}

/// The same among some of the offers only.
pub fn judge_among<R: Ruleset>(
    battle: &R::Battle,
    before: &[R::Battle],
    care: Care<'_>,
    among: impl FnMut(&R::Offer) -> bool,
    random: &mut Seeded,
) -> Vec<Judged<R::Offer>> {
    let Some(side) = R::deciding(battle) else { return Vec::new() };
    let mut untried = candidates_among::<R>(battle, care.by, care.most, among, random);
    if let [_] = untried.as_slice() {
        let value = standing::<R>(battle, care.eye(side));
        return untried.drain(..).map(|choice| Judged { choice, value, spread: 0.0, certain: false }).collect();
    }
    weighed::<R>(battle, before, side, untried, care, random)
}

/// The best candidate alone. Most decisions of a battle leave nothing to weigh, and nothing is weighed then.
pub fn best<R: Ruleset>(
    battle: &R::Battle,
    before: &[R::Battle],
    care: Care<'_>,
    random: &mut Seeded,
) -> Option<Choice<R::Offer>> {
    let side = R::deciding(battle)?;
    let mut untried = candidates::<R>(battle, care.by, care.most, random);
    if untried.len() < 2 {
        return untried.pop();
    }
    weighed::<R>(battle, before, side, untried, care, random).into_iter().next().map(|one| one.choice)
}

fn weighed<R: Ruleset>(
    battle: &R::Battle,
    before: &[R::Battle],
    side: Side,
    mut untried: Vec<Choice<R::Offer>>,
    care: Care<'_>,
    random: &mut Seeded,
) -> Vec<Judged<R::Offer>> {
    let mut dice = Spread::default();
    let mut judged: Vec<Judged<R::Offer>> = Vec::new();
    shuffle(&mut untried, random);
    let many = untried.len() > care.few;
    for choice in untried {
        let ways = if many { 1 } else { care.first };
        if let Some(seen) = expectation::<R>(battle, before, &choice, care.eye(side), ways, &mut dice) {
            judged.push(Judged { choice, value: seen.value, spread: seen.spread, certain: seen.certain });
        }
    }
    sort(&mut judged);
    if many && care.first > 1 {
        let best = care.few.min(judged.len());
        judged[..best].iter_mut().for_each(|one| one.again::<R>(battle, care.eye(side), care.first, &mut dice));
        sort(&mut judged[..best]);
    }
    let promised = look_on::<R>(battle, side, &mut judged, care, &mut dice, random);
    sort(&mut judged);
    let closer = contenders(&judged[..care.again.min(judged.len())]);
    if closer > 1 {
        let unpromised = judged[..closer].iter_mut().filter(|one| !promised.contains(&one.choice));
        unpromised.for_each(|one| one.again::<R>(battle, care.eye(side), care.closer, &mut dice));
        // Only those looked at again change places: the rest stay behind the glance that put them there.
        sort(&mut judged[..closer]);
    }
    follow::<R>(battle, side, &mut judged, care, &mut dice, random);
    // Who is asked for a reaction and sees nothing in it does not let it pass for that.
    if care.by.is_present() && R::lets_pass(battle).is_none() {
        rest::<R>(battle, &mut judged);
    }
    judged
}

/// What gains nothing on letting things be is not done: an officer does not ride to and fro because all places are alike.
fn rest<R: Ruleset>(battle: &R::Battle, judged: &mut [Judged<R::Offer>]) {
    let Some(best) = judged.first().map(|one| one.value) else { return };
    let alike = judged.iter().take_while(|one| best - one.value < NOTHING);
    let rests = |one: &Judged<R::Offer>| R::handling(battle, &one.choice.offer).group == Group::End;
    if let Some(at) = alike.take(ALIKE).position(rests) {
        judged[..=at].rotate_right(1);
    }
}

/// How many that are as good as the best are asked whether they let things be.
const ALIKE: usize = 40;

/// An order is worth what the best act brings that it allows, and a plotted charge what it comes to when it is made: whatever seems the best
/// is followed there, until the best is something that needs no following. What nobody would act on is not ordered.
fn follow<R: Ruleset>(
    battle: &R::Battle,
    side: Side,
    judged: &mut [Judged<R::Offer>],
    care: Care<'_>,
    dice: &mut Spread,
    random: &mut Seeded,
) {
    let now = standing::<R>(battle, care.eye(side));
    if care.led > 0 {
        promise::<R>(battle, side, judged, care, dice, random);
    }
    let mut followed: Vec<Choice<R::Offer>> = Vec::new();
    for _ in 0..care.led {
        let Some(best) = judged.first_mut() else { return };
        let leads_to = R::handling(battle, &best.choice.offer).leads_to;
        if followed.contains(&best.choice) || leads_to.is_none() {
            return;
        }
        followed.push(best.choice.clone());
        let mut inner = Spread::default();
        // What is begun without dice is begun for the sake of one act: a charge that is plotted is worth nothing until it is made.
        let until = leads_to.filter(|_| !throws::<R>(battle, &best.choice, &mut inner));
        let led_to = |trial: &R::Battle| {
            let led = Led { deep: ACTS_DEEP, until };
            // Straight on there is no need to plot anything.
            let less = if until.is_some() { PROMISE } else { 0.0 };
            best_act::<R>(trial, care.eye(side), led, &mut inner, random).map_or(now, |value| value - less)
        };
        if let Some(seen) = mean_of::<R>(battle, &[], &best.choice, (care.by, care.first), dice, led_to) {
            (best.value, best.spread, best.certain) = (seen.value, seen.spread, seen.certain);
            // What is sure to lead nowhere is begun by nobody.
            if seen.certain && dice.thrown() == 0 && seen.value < now + NOTHING {
                best.value -= NOWHERE;
            }
        }
        sort(judged);
    }
}

/// Every order is looked at for the best act that it allows, before the best of them are followed further: what an order to form square is
/// worth is not to be seen until it is obeyed.
fn promise<R: Ruleset>(
    battle: &R::Battle,
    side: Side,
    judged: &mut [Judged<R::Offer>],
    care: Care<'_>,
    dice: &mut Spread,
    random: &mut Seeded,
) {
    let mut inner = Spread::default();
    let orders =
        judged.iter_mut().filter(|one| !one.certain && R::handling(battle, &one.choice.offer).leads_to.is_some());
    for one in orders.take(ORDERS) {
        let led_to = |trial: &R::Battle| {
            let led = Led { deep: 1, until: None };
            best_act::<R>(trial, care.eye(side), led, &mut inner, random).unwrap_or(f64::MIN)
        };
        if let Some(seen) = mean_of::<R>(battle, &[], &one.choice, (care.by, care.first), dice, led_to) {
            (one.value, one.spread) = (seen.value, seen.spread);
        }
    }
    sort(judged);
}

/// How many orders are looked at so.
const ORDERS: usize = 40;

/// How many acts are followed one after the other (a charge is turned to its target before it is made), how many of them at
/// each step, and how many are weighed.
const ACTS_DEEP: u32 = 2;
const ACTS_ON: usize = 2;
const WAYS_ON: usize = 5;
const ACTS: usize = 14;

/// How far a choice is followed: so many acts, until this one where only it counts.
#[derive(Clone, Copy)]
struct Led {
    deep: u32,
    until: Option<&'static str>,
}

/// Whether dice are thrown for a choice.
fn throws<R: Ruleset>(battle: &R::Battle, choice: &Choice<R::Offer>, dice: &mut Spread) -> bool {
    let mut trial = battle.clone();
    dice.begin(0, 1);
    R::resolve(&mut Resolution::new(&mut trial, dice), choice).is_err() || dice.thrown() > 0
}

/// How the battle stands after the best that the side can do next, with middling dice; as it is where that is not its to decide. Nothing where
/// only one act counts and it is not come to.
fn best_act<R: Ruleset>(
    battle: &R::Battle,
    eye: Eye<'_>,
    Led { deep, until }: Led,
    dice: &mut Spread,
    random: &mut Seeded,
) -> Option<f64> {
    let here = standing::<R>(battle, eye);
    if R::deciding(battle) != Some(eye.side) || R::lets_pass(battle).is_some() {
        return Some(here).filter(|_| until.is_none());
    }
    let mut ends: Vec<(f64, bool, Option<R::Battle>)> = Vec::new();
    for choice in candidates::<R>(battle, eye.by, ACTS, random) {
        let mut trial = battle.clone();
        dice.begin(0, 1);
        if R::resolve(&mut Resolution::new(&mut trial, dice), &choice).is_ok() {
            // Only those who follow go by the present judgement.
            let_pass::<R>(&mut trial, Some(eye.side), dice);
            let value = standing::<R>(&trial, eye);
            // Whatever needs dice or ends the matter is not followed any further.
            // Nor is what ends it: what comes after is another matter, which could be had without it.
            let handling = R::handling(battle, &choice.offer);
            let done = until.is_none_or(|until| handling.act == until);
            let goes_on = handling.group != Group::End
                && dice.thrown() == 0
                && trial != *battle
                && (until.is_some() && !done || (value - here).abs() < LEADS_ON);
            ends.push((value, done, goes_on.then_some(trial)));
        }
    }
    ends.sort_by(|a, b| b.0.total_cmp(&a.0));
    let best = ends.iter().find(|(_, done, _)| *done).map(|(value, ..)| *value);
    let best = best.or_else(|| Some(here).filter(|_| until.is_none()));
    if deep < 2 {
        return best;
    }
    let led = Led { deep: deep - 1, until };
    let most = if until.is_some() { WAYS_ON } else { ACTS_ON };
    let on = ends.iter().filter_map(|(.., trial)| trial.as_ref()).take(most);
    on.fold(best, |best, trial| {
        let then = best_act::<R>(trial, eye, led, dice, random);
        best.map_or(then, |best| Some(then.map_or(best, |then| then.max(best))))
    })
}

/// What puts a choice behind all others, short of a lost battle.
const NOWHERE: f64 = 1e5;

/// A step on the way to an act changes less than this.
const LEADS_ON: f64 = 6.0;

/// What three ways of the dice may not have shown: a unit lost or gained, at a chance of one in three.
const DOUBT: f64 = 33.0;

/// How many of these, the best first, could turn out to be the best: the ways they were looked at in overlap with those of the first.
fn contenders<O>(judged: &[Judged<O>]) -> usize {
    let Some(first) = judged.first() else { return 0 };
    let doubt = |one: &Judged<O>| if one.certain { 0.0 } else { DOUBT + one.spread / 2.0 };
    let could = |one: &Judged<O>| first.value - one.value <= doubt(first) + doubt(one);
    judged.iter().rposition(could).map_or(0, |last| last + 1)
}

fn sort<O>(judged: &mut [Judged<O>]) {
    judged.sort_by(|a, b| b.value.total_cmp(&a.value));
}

/// A choice that changes the standing by less than this has shown nothing yet.
const NOTHING: f64 = 1.0;
/// What is promised counts a little less than what is there, or a player would prepare for ever.
const PROMISE: f64 = 0.5;
/// By the present judgement a choice that only leads on gives way to what could be done at once and is as good.
const AT_ONCE: f64 = 2.0;

/// Where choices only open further ones (an order, then what the unit does with it), the best of those tells what they
/// are worth. Which choices were judged so.
fn look_on<R: Ruleset>(
    battle: &R::Battle,
    side: Side,
    judged: &mut [Judged<R::Offer>],
    care: Care<'_>,
    dice: &mut Spread,
    random: &mut Seeded,
) -> Vec<Choice<R::Offer>> {
    let now = standing::<R>(battle, care.eye(side));
    let mut promised = Vec::new();
    let promise = if care.by.is_present() { AT_ONCE } else { PROMISE };
    let unseen = judged.iter_mut().filter(|one| (one.value - now).abs() < NOTHING);
    for one in unseen.take(care.further.0) {
        let mut trial = battle.clone();
        dice.begin(0, 1);
        let resolved = R::resolve(&mut Resolution::new(&mut trial, dice), &one.choice);
        if resolved.is_err() || R::deciding(&trial) != Some(side) || R::lets_pass(&trial).is_some() {
            continue;
        }
        let next = candidates::<R>(&trial, care.by, care.further.1, random);
        let values = next.iter().filter_map(|next| expectation::<R>(&trial, &[], next, care.eye(side), 1, dice));
        if let Some(best) = values.map(|seen| seen.value).max_by(f64::total_cmp).map(|best| best - promise)
            && best > one.value
        {
            one.value = best;
            promised.push(one.choice.clone());
        }
    }
    promised
}

/// A random order.
pub fn shuffle<T>(list: &mut [T], random: &mut Seeded) {
    for n in (1..list.len()).rev() {
        list.swap(n, random.below(n as u32 + 1) as usize);
    }
}
