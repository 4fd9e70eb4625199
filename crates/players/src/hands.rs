//! Fast hands: the Ensign, who chooses by task and cheap geometry.
//!
//! Where the Drill-master carries out every candidate, he first thinks of who should act (whoever is nearest to the enemy), looks at a few things that
//! this one could do and takes the first that gains anything, or in battles of his own the best of three. Orders he picks by where the troops stand and where they are wanted, and tries only the
//! best few of them. He fights the tries of a Marshal, and whole battles where many are wanted soon.
//!
//! ```text
//! who might act, the nearest to the enemy first ─→ a few of his offers ─→ carried out once, with middling dice ─→ the first gain is taken
//! ```

use sabretache_engine::dice::Seeded;
use sabretache_engine::handle::{Group, Handling};
use sabretache_engine::ids::Named;
use sabretache_engine::offer::{Choice, Value};
use sabretache_engine::playout::random_choice;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::stance::{Branch, Stance};
use sabretache_table::Vec2;

use crate::expect::{Eye, Spread, expectation, mean_of, standing};

/// How many things that one could do are tried.
const LOOKS: usize = 6;
/// How many orders are tried, the best by where the troops stand, and how many acts of each.
const ORDERS: usize = 3;
const ACTS: usize = 4;
/// What gains less than this gains nothing.
const NOTHING: f64 = 1.0;
/// How near, in moves, an enemy is to whom one turns.
const NEAR: f64 = 3.0;
/// A unit looks past where it is wanted when it is turned away by more than this, from 0 to 1.
const TURNED: f64 = 0.15;

/// How many of those who gain something the Ensign weighs against each other in a battle of his own. In the tries of a Marshal the first acts.
pub const OWN: usize = 3;
/// In a try.
pub(crate) const FIRST: usize = 1;

/// What fast hands choose by this eye, of so many who gain something; nothing when nobody decides.
pub fn quick<R: Ruleset>(
    battle: &R::Battle,
    before: &[R::Battle],
    (eye, of): (Eye<'_>, usize),
    random: &mut Seeded,
) -> Option<Choice<R::Offer>> {
    R::deciding(battle)?;
    let mut look = Look::<R> { battle, before, eye, dice: Spread::default(), stances: Vec::new() };
    let mut who = Vec::new();
    R::might_act(battle, &mut who);
    let mut offers = Vec::new();
    // Who is asked for a reaction weighs all of them against letting it pass.
    if who.len() < 2 || R::lets_pass(battle).is_some() {
        R::offers(battle, &mut offers);
        if offers.len() == 1 {
            let few = few::<R>(battle, eye, &mut offers, 2, random);
            if few.len() == 1 {
                return few.into_iter().next();
            }
        }
        let found = look.best(&mut offers, LOOKS, random);
        return found.map(|(choice, _)| choice).or_else(|| random_choice::<R>(battle, &mut offers, random));
    }
    R::stances(battle, &mut look.stances);
    look.rank(&mut who);
    let now = standing::<R>(battle, eye);
    let mut best: Option<(Choice<R::Offer>, f64)> = None;
    let mut gain: Option<(Choice<R::Offer>, f64)> = None;
    let mut gains = 0;
    for actor in who {
        offers.clear();
        R::offers_of(battle, actor, &mut offers);
        let found = match actor {
            Some(Named::Unit(_)) => look.best(&mut offers, LOOKS, random),
            _ => look.best_order(&mut offers, random),
        };
        let Some((choice, value)) = found else { continue };
        if actor.is_some() && value >= now + NOTHING {
            gains += 1;
            if gain.as_ref().is_none_or(|(_, held)| value > *held) {
                gain = Some((choice, value));
            }
            if gains >= of {
                break;
            }
            continue;
        }
        // Whoever sees no gain lets things be.
        if actor.is_none() || best.as_ref().is_none_or(|(_, held)| value > *held) {
            best = Some((choice, value));
        }
    }
    gain.or(best).map(|(choice, _)| choice).or_else(|| random_choice::<R>(battle, &mut offers, random))
}

struct Look<'a, R: Ruleset> {
    battle: &'a R::Battle,
    before: &'a [R::Battle],
    eye: Eye<'a>,
    dice: Spread,
    stances: Vec<Stance>,
}

impl<R: Ruleset> Look<'_, R> {
    /// Units first, the nearest to the enemy before the others, then officers and commands, then the side as a whole.
    fn rank(&self, who: &mut [Option<Named>]) {
        let off = |actor: &Option<Named>| match actor {
            Some(Named::Unit(unit)) => {
                let own = self.stances.iter().find(|stance| stance.unit == *unit);
                own.and_then(|own| self.nearest(own)).map_or(1e12, |(off, _)| off)
            }
            Some(_) => 1e13,
            None => 1e14,
        };
        who.sort_by(|a, b| off(a).total_cmp(&off(b)));
    }

    /// The nearest enemy who stands, and how far he is.
    fn nearest(&self, own: &Stance) -> Option<(f64, &Stance)> {
        let enemies = self.stances.iter().filter(|other| other.side != own.side && other.ready);
        let off = enemies.map(|enemy| ((enemy.at - own.at).length(), enemy));
        off.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The best of a few of these, each carried out once with middling dice.
    fn best(
        &mut self,
        offers: &mut Vec<R::Offer>,
        most: usize,
        random: &mut Seeded,
    ) -> Option<(Choice<R::Offer>, f64)> {
        let mut best: Option<(Choice<R::Offer>, f64)> = None;
        let few = few::<R>(self.battle, self.eye, offers, most, random);
        for choice in few {
            let Some(seen) = expectation::<R>(self.battle, self.before, &choice, self.eye, 1, &mut self.dice) else {
                continue;
            };
            if best.as_ref().is_none_or(|(_, held)| seen.value > *held) {
                best = Some((choice, seen.value));
            }
        }
        best
    }

    /// The same where some of them are orders: those that promise most by where everybody stands are carried out, and the best act that they allow
    /// tells what they are worth.
    fn best_order(&mut self, offers: &mut Vec<R::Offer>, random: &mut Seeded) -> Option<(Choice<R::Offer>, f64)> {
        let (mut orders, mut others) = (Vec::new(), Vec::new());
        for offer in offers.drain(..) {
            let handling = R::handling(self.battle, &offer);
            if handling.group == Group::Order && handling.leads_to.is_some() {
                orders.push((self.promise(&handling), offer));
            } else {
                others.push(offer);
            }
        }
        let mut best = self.best(&mut others, LOOKS, random);
        orders.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, offer) in orders.into_iter().take(ORDERS).filter(|(promise, _)| *promise > 0.0) {
            let mut values = Vec::new();
            R::proposals_by(self.battle, &offer, self.eye.by, &mut values);
            let Some(value) = values.into_iter().next() else { continue };
            let choice = Choice { offer, value };
            let (eye, mut inner) = (self.eye, Spread::default());
            let led_to = |trial: &R::Battle| {
                let here = standing::<R>(trial, eye);
                if R::deciding(trial) != Some(eye.side) || R::lets_pass(trial).is_some() {
                    return here;
                }
                let mut offers = Vec::new();
                R::offers(trial, &mut offers);
                let acts = few::<R>(trial, eye, &mut offers, ACTS, random);
                let values = acts.iter().filter_map(|act| expectation::<R>(trial, &[], act, eye, 1, &mut inner));
                values.map(|seen| seen.value).fold(here, f64::max)
            };
            let Some(seen) = mean_of::<R>(self.battle, &[], &choice, (eye.by, 1), &mut self.dice, led_to) else {
                continue;
            };
            if best.as_ref().is_none_or(|(_, held)| seen.value > *held) {
                best = Some((choice, seen.value));
            }
        }
        best
    }

    /// What an order promises by where those stand to whom it is given.
    fn promise(&self, order: &Handling) -> f64 {
        let side = self.eye.side;
        let to = |stance: &&Stance| match order.target {
            Some(Named::Unit(unit)) => stance.unit == unit,
            Some(Named::Command(command)) => stance.command == command && stance.side == side,
            _ => stance.side == side,
        };
        self.stances.iter().filter(to).map(|stance| stance.points * self.wants(stance, order.leads_to)).sum()
    }

    /// How much a unit wants to do something, from 0 to 1.
    fn wants(&self, own: &Stance, act: Option<&str>) -> f64 {
        let Some((off, enemy)) = self.nearest(own) else { return 0.1 };
        let pace = own.pace.max(1.0);
        let (to, left) = match self.eye.plan.and_then(|plan| plan.wanted(own)) {
            Some((to, left)) => (to, left),
            None => (enemy.at, (off / pace - 0.5).max(0.0)),
        };
        let way = (to - own.at).unit();
        let faces = if way == Vec2::default() { 1.0 } else { own.facing.dot(way) };
        let turned = (1.0 - own.facing.dot((enemy.at - own.at).unit())) / 2.0;
        let near = off < NEAR * pace.max(enemy.pace);
        match act {
            Some("advance") if own.ready => left.min(1.0) * faces.max(0.1),
            Some("wheel") if near && turned > TURNED => turned.min(0.6),
            Some("wheel") if left > 0.5 && faces < 0.7 => (1.0 - faces) / 4.0,
            Some("form") if near && enemy.branch == Branch::Horse && own.branch == Branch::Foot => 0.5,
            Some("form") if own.branch == Branch::Guns || near => 0.2,
            Some("form") => 0.1,
            Some("retire") if !own.ready => 0.3,
            Some("retire" | "wheel") => 0.02,
            Some("advance") => 0.0,
            _ => 0.2,
        }
    }
}

/// A few of these offers, each with what its ruleset proposes first; where there is room, with what it proposes next.
fn few<R: Ruleset>(
    battle: &R::Battle,
    eye: Eye<'_>,
    offers: &mut Vec<R::Offer>,
    most: usize,
    random: &mut Seeded,
) -> Vec<Choice<R::Offer>> {
    while offers.len() > most {
        offers.remove(random.below(offers.len() as u32) as usize);
    }
    let mut values: Vec<Value> = Vec::new();
    let mut ranked: Vec<(usize, Choice<R::Offer>)> = Vec::new();
    for offer in offers.iter() {
        values.clear();
        R::proposals_by(battle, offer, eye.by, &mut values);
        let both = values.drain(..).take(2).enumerate();
        ranked.extend(both.map(|(rank, value)| (rank, Choice { offer: offer.clone(), value })));
    }
    if ranked.is_empty() {
        let any = offers.iter().filter_map(|offer| Some((offer, R::input(battle, offer).any(random)?)));
        ranked.extend(any.map(|(offer, value)| (0, Choice { offer: offer.clone(), value })));
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.truncate(most);
    ranked.into_iter().map(|(_, choice)| choice).collect()
}
