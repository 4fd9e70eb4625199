//! A battle of any book, as light as it can be: no log is kept on the way, only the choices. A log is made of them when it is asked
//! for, since the same choices with the same seed meet the same dice.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use sabretache_engine::dice::Seeded;
use sabretache_engine::erased::AnySession;
use sabretache_engine::eyes::Eyes;
use sabretache_engine::handle::Group;
use sabretache_engine::ids::{Named, Side, UnitId};
use sabretache_engine::log::Entry;
use sabretache_engine::odds::{Chance, NoOdds};
use sabretache_engine::offer::{Choice, Halt, Value};
use sabretache_engine::playout::random_choice;
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::session::{Declined, Order, Seat, Session, odds_of_choice};
use sabretache_engine::stance::Stance;
use sabretache_engine::view::{Verdict, View};
use sabretache_players::fight::own_chance;

use crate::paths::{Followed, Fork};

/// Going back starts from the nearest of the battles kept every so many choices.
const KEPT_EVERY: usize = 16;
/// How often a computer player whose choice the rules refuse may choose again, at random, as in the laboratory.
const TRIES: u32 = 32;

/// A battle of any book.
pub(crate) trait Fight: Send + Sync {
    fn copied(&self) -> Box<dyn Fight>;
    /// The battle as it began, with other dice.
    fn anew(&self, seed: u64) -> Box<dyn Fight>;
    fn seed(&self) -> u64;
    /// How many choices were made, those before it was taken up included.
    fn made(&self) -> u64;
    /// How many of them can be taken back.
    fn depth(&self) -> usize;
    fn deciding(&self) -> Option<Side>;
    fn verdict(&self) -> Option<Verdict>;
    /// The eyes of a seat; they see everything where nothing is hidden.
    fn eyes(&self, seat: Seat) -> Eyes;
    fn view(&self, eyes: Eyes) -> View;
    /// The battle as a scenario, in TOML.
    fn saved(&self) -> Result<String, String>;
    fn stances(&self) -> Vec<Stance>;
    fn is_interrupt(&self) -> bool;
    fn worth(&self, side: Side) -> i32;
    fn points(&self, unit: UnitId) -> i32;
    /// How many actions there are.
    fn count(&self) -> usize;
    /// Of all actions those on a menu of no more than so many: each offer's first proposal before any second.
    fn menu(&self, most: usize) -> Vec<u32>;
    /// An action as the key of its offer and a value.
    fn action(&self, n: usize) -> Option<(String, Value)>;
    /// What an action is made of.
    fn said(&self, n: usize) -> Option<Said>;
    /// The number of the action that is this offer with this value.
    fn find(&self, key: &str, value: &Value) -> Option<usize>;
    fn odds(&self, what: &What) -> Result<Vec<(String, Chance)>, NoOdds<Halt>>;
    fn choose(&mut self, what: &What) -> Result<(), Halt>;
    /// What is thrown after these readings; nothing where the choice is done.
    fn forks(&self, what: &What, path: &[u32]) -> Result<Option<Vec<Fork>>, Halt>;
    fn choose_by(&mut self, what: &What, path: &[u32]) -> Result<(), Halt>;
    /// A choice at random, as a Recruit makes it; nothing when the battle is over.
    fn stumble(&mut self, own: Option<&mut Seeded>) -> Result<bool, Halt>;
    fn undo(&mut self, count: usize);
    /// The choices since the battle began or was taken up.
    fn choices(&self) -> Vec<Made>;
    /// The battle with its log.
    fn with_session(&self, look: &mut dyn FnMut(&mut dyn AnySession)) -> Result<(), Declined>;
}

/// A choice, by the number of an action or by an offer's key and value.
#[derive(Clone, Debug)]
pub(crate) enum What {
    Action(usize),
    Offer(String, Value),
}

/// A choice that was made.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Made {
    pub(crate) offer: String,
    pub(crate) value: Value,
    /// The readings of its dice, where these were told.
    pub(crate) path: Option<Vec<u32>>,
}

/// What an action is made of, for machines.
pub(crate) struct Said {
    /// The number of the offer among the offers.
    pub(crate) offer: u32,
    pub(crate) label: String,
    pub(crate) act: &'static str,
    pub(crate) group: u8,
    pub(crate) unit: Option<UnitId>,
    pub(crate) target: Option<Named>,
    pub(crate) value: Value,
}

struct Actions<O> {
    offers: Vec<O>,
    /// Each the number of an offer and a value.
    list: Vec<(u32, Value)>,
}

struct Step<O> {
    choice: Choice<O>,
    path: Option<Vec<u32>>,
}

impl<O: Clone> Clone for Step<O> {
    fn clone(&self) -> Self {
        Self { choice: self.choice.clone(), path: self.path.clone() }
    }
}

/// Makes the session with which a battle with a seed begins, once its log is asked for.
pub(crate) type Beginning = Arc<dyn Fn(u64) -> Option<Box<dyn AnySession>> + Send + Sync>;

/// A session that follows the battle, and how many of the choices it has made.
type Following = Option<(Box<dyn AnySession>, usize)>;

/// A battle of one book.
pub(crate) struct Engaged<R: Ruleset> {
    battle: R::Battle,
    seed: u64,
    /// Choices made before it was taken up.
    before: u64,
    steps: Vec<Step<R::Offer>>,
    /// The battle before every [`KEPT_EVERY`]th choice.
    kept: Vec<R::Battle>,
    actions: OnceLock<Actions<R::Offer>>,
    beginning: Beginning,
    following: Mutex<Following>,
}

/// A session of any book as a light battle; nothing when it is of no book that is known.
pub(crate) fn engage(session: &dyn AnySession, seed: u64, beginning: Beginning) -> Option<Box<dyn Fight>> {
    use sabretache_batteries::Batteries;
    use sabretache_huzzah::Huzzah;
    use sabretache_malbrook::Malbrook;
    let any = session.as_any();
    if any.is::<Session<Huzzah>>() {
        Engaged::<Huzzah>::of(session, seed, beginning)
    } else if any.is::<Session<Batteries>>() {
        Engaged::<Batteries>::of(session, seed, beginning)
    } else {
        Engaged::<Malbrook>::of(session, seed, beginning)
    }
}

impl<R: Ruleset> Engaged<R> {
    fn of(session: &dyn AnySession, seed: u64, beginning: Beginning) -> Option<Box<dyn Fight>> {
        let known = session.as_any().downcast_ref::<Session<R>>()?;
        let battle = known.battle().clone();
        let log = known.log();
        let before = log.standing().iter().filter(|n| matches!(log.entries[**n], Entry::Chosen(_))).count() as u64;
        Some(Box::new(Self {
            kept: Vec::new(),
            battle,
            seed,
            before,
            steps: Vec::new(),
            actions: OnceLock::new(),
            beginning,
            following: Mutex::new(None),
        }))
    }

    fn actions(&self) -> &Actions<R::Offer> {
        self.actions.get_or_init(|| {
            let (mut offers, mut list) = (Vec::new(), Vec::new());
            if R::deciding(&self.battle).is_some() {
                R::offers(&self.battle, &mut offers);
            }
            let mut values = Vec::new();
            for (n, offer) in offers.iter().enumerate() {
                values.clear();
                R::proposals(&self.battle, offer, &mut values);
                if values.iter().any(|value| *value != Value::None) {
                    let input = R::input(&self.battle, offer);
                    values.retain(|value| input.fits(value));
                    values.dedup();
                }
                list.extend(values.drain(..).map(|value| (n as u32, value)));
            }
            // What nobody proposes is taken only where nothing is proposed at all.
            if list.is_empty() {
                let mut random = Seeded::new(0);
                let any = |(n, offer)| Some((n as u32, R::input(&self.battle, offer).any(&mut random)?));
                list = offers.iter().enumerate().filter_map(any).collect();
            }
            Actions { offers, list }
        })
    }

    fn choice(&self, what: &What) -> Result<Choice<R::Offer>, Halt> {
        let missing = |text: String| Halt::Value(sabretache_engine::offer::WrongValue(text));
        match what {
            What::Action(n) => {
                let actions = self.actions();
                let (offer, value) = actions
                    .list
                    .get(*n)
                    .ok_or_else(|| missing(format!("there is no action {n}: there are {}", actions.list.len())))?;
                Ok(Choice { offer: actions.offers[*offer as usize].clone(), value: value.clone() })
            }
            What::Offer(key, value) => {
                let mut offers = Vec::new();
                R::offers(&self.battle, &mut offers);
                let found = offers.into_iter().find(|offer| R::key(&self.battle, offer) == *key);
                let Some(offer) = found else {
                    let mut closed = Vec::new();
                    R::closed(&self.battle, &mut closed);
                    let why = closed.into_iter().find(|(offer, _)| R::key(&self.battle, offer) == *key);
                    return Err(match why {
                        Some((_, refusal)) => Halt::Refused(refusal),
                        None => missing(format!("there is nothing called '{key}' to choose now")),
                    });
                };
                R::input(&self.battle, &offer).check(value, R::measure(&self.battle).unit())?;
                Ok(Choice { offer, value: value.clone() })
            }
        }
    }

    fn carry_out(&mut self, choice: Choice<R::Offer>, path: Option<&[u32]>) -> Result<(), Halt> {
        // A refusal comes before anything has happened, so the battle stays as it was; dice that are told may give out midway.
        match path {
            None => {
                let keep = self.steps.len().is_multiple_of(KEPT_EVERY).then(|| self.battle.clone());
                let mut dice = Seeded::for_choice(self.seed, self.made());
                R::resolve(&mut Resolution::new(&mut self.battle, &mut dice), &choice)?;
                self.kept.extend(keep);
            }
            Some(path) => {
                let mut after = self.battle.clone();
                let mut dice = Followed::new(path);
                R::resolve(&mut Resolution::new(&mut after, &mut dice), &choice)?;
                if dice.used() != path.len() {
                    let text = format!("{} of {} readings were used", dice.used(), path.len());
                    return Err(Halt::Value(sabretache_engine::offer::WrongValue(text)));
                }
                let before = std::mem::replace(&mut self.battle, after);
                if self.steps.len().is_multiple_of(KEPT_EVERY) {
                    self.kept.push(before);
                }
            }
        }
        self.steps.push(Step { choice, path: path.map(<[u32]>::to_vec) });
        self.actions = OnceLock::new();
        Ok(())
    }

    fn following(&self) -> MutexGuard<'_, Following> {
        self.following.lock().unwrap_or_else(|broken| broken.into_inner())
    }

    /// Walks the choices from one to before another again, with the battle before each; the battle after them.
    fn walk(&self, from: usize, to: usize, mut each: impl FnMut(&R::Battle, &Step<R::Offer>)) -> Option<R::Battle> {
        let part = from / KEPT_EVERY;
        let mut battle = self.kept.get(part).unwrap_or(&self.battle).clone();
        for n in part * KEPT_EVERY..to {
            let step = &self.steps[n];
            if n >= from {
                each(&battle, step);
            }
            let mut seeded = Seeded::for_choice(self.seed, self.before + n as u64);
            let done = match &step.path {
                None => R::resolve(&mut Resolution::new(&mut battle, &mut seeded), &step.choice),
                Some(path) => R::resolve(&mut Resolution::new(&mut battle, &mut Followed::new(path)), &step.choice),
            };
            done.ok()?;
        }
        Some(battle)
    }

    fn choices_from(&self, from: usize) -> Vec<Made> {
        let mut made = Vec::with_capacity(self.steps.len() - from);
        self.walk(from, self.steps.len(), |battle, Step { choice, path }| {
            made.push(Made { offer: R::key(battle, &choice.offer), value: choice.value.clone(), path: path.clone() });
        });
        made
    }
}

impl<R: Ruleset> Fight for Engaged<R> {
    fn copied(&self) -> Box<dyn Fight> {
        Box::new(Self {
            battle: self.battle.clone(),
            seed: self.seed,
            before: self.before,
            steps: self.steps.clone(),
            kept: self.kept.clone(),
            actions: OnceLock::new(),
            beginning: self.beginning.clone(),
            following: Mutex::new(None),
        })
    }

    fn anew(&self, seed: u64) -> Box<dyn Fight> {
        Box::new(Self {
            battle: self.kept.first().unwrap_or(&self.battle).clone(),
            seed,
            before: self.before,
            steps: Vec::new(),
            kept: Vec::new(),
            actions: OnceLock::new(),
            beginning: self.beginning.clone(),
            following: Mutex::new(None),
        })
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn made(&self) -> u64 {
        self.before + self.steps.len() as u64
    }

    fn depth(&self) -> usize {
        self.steps.len()
    }

    fn deciding(&self) -> Option<Side> {
        R::deciding(&self.battle)
    }

    fn verdict(&self) -> Option<Verdict> {
        R::deciding(&self.battle).is_none().then(|| R::verdict(&self.battle)).flatten()
    }

    fn eyes(&self, seat: Seat) -> Eyes {
        let open = self.deciding().is_none() || !R::conceals(&self.battle);
        match seat {
            _ if open => Eyes::All,
            Seat::Umpire => Eyes::All,
            Seat::Player(side) => Eyes::Side(side),
            Seat::Spectator => Eyes::Common,
        }
    }

    fn saved(&self) -> Result<String, String> {
        R::save(&self.battle).to_toml().map_err(|error| error.to_string())
    }

    fn view(&self, eyes: Eyes) -> View {
        R::view_for(&self.battle, eyes)
    }

    fn stances(&self) -> Vec<Stance> {
        let mut stances = Vec::new();
        R::stances(&self.battle, &mut stances);
        stances
    }

    fn is_interrupt(&self) -> bool {
        R::interrupt(&self.battle).is_some()
    }

    fn worth(&self, side: Side) -> i32 {
        R::worth(&self.battle, side)
    }

    fn points(&self, unit: UnitId) -> i32 {
        R::points(&self.battle, unit)
    }

    fn count(&self) -> usize {
        self.actions().list.len()
    }

    fn menu(&self, most: usize) -> Vec<u32> {
        let Actions { offers, list } = self.actions();
        if list.len() <= most {
            return (0..list.len() as u32).collect();
        }
        // What ends a phase or lets something pass must never be left out.
        let ends: Vec<bool> = offers.iter().map(|offer| R::handling(&self.battle, offer).group == Group::End).collect();
        let mut rank = 0;
        let ranked = list.iter().enumerate().map(|(n, (offer, _))| {
            rank = if n > 0 && list[n - 1].0 == *offer { rank + 1 } else { 0 };
            (if ends[*offer as usize] { 0 } else { rank + 1 }, n as u32)
        });
        let mut ranked: Vec<(u32, u32)> = ranked.collect();
        ranked.sort_unstable();
        let mut menu: Vec<u32> = ranked.into_iter().take(most).map(|(_, n)| n).collect();
        menu.sort_unstable();
        menu
    }

    fn action(&self, n: usize) -> Option<(String, Value)> {
        let actions = self.actions();
        let (offer, value) = actions.list.get(n)?;
        Some((R::key(&self.battle, &actions.offers[*offer as usize]), value.clone()))
    }

    fn said(&self, n: usize) -> Option<Said> {
        let actions = self.actions();
        let (number, value) = actions.list.get(n)?;
        let offer = &actions.offers[*number as usize];
        let (label, handling) = (R::label(&self.battle, offer), R::handling(&self.battle, offer));
        Some(Said {
            offer: *number,
            act: handling.act,
            group: handling.group as u8,
            unit: label.unit,
            label: label.text,
            target: handling.target,
            value: value.clone(),
        })
    }

    fn find(&self, key: &str, value: &Value) -> Option<usize> {
        let Actions { offers, list } = self.actions();
        let offer = offers.iter().position(|offer| R::key(&self.battle, offer) == key)? as u32;
        list.iter().position(|(of, other)| *of == offer && other == value)
    }

    fn odds(&self, what: &What) -> Result<Vec<(String, Chance)>, NoOdds<Halt>> {
        let choice = self.choice(what).map_err(NoOdds::Stopped)?;
        let odds = odds_of_choice::<R>(&self.battle, &choice)?;
        Ok(odds.iter().map(|(outcome, chance)| (outcome.clone(), chance)).collect())
    }

    fn choose(&mut self, what: &What) -> Result<(), Halt> {
        let choice = self.choice(what)?;
        self.carry_out(choice, None)
    }

    fn forks(&self, what: &What, path: &[u32]) -> Result<Option<Vec<Fork>>, Halt> {
        let choice = self.choice(what)?;
        let mut trial = self.battle.clone();
        let mut dice = Followed::new(path);
        match R::resolve(&mut Resolution::new(&mut trial, &mut dice), &choice) {
            Ok(()) => Ok(None),
            Err(halt) => dice.into_forks().map(Some).ok_or(halt),
        }
    }

    fn choose_by(&mut self, what: &What, path: &[u32]) -> Result<(), Halt> {
        let choice = self.choice(what)?;
        self.carry_out(choice, Some(path))
    }

    fn stumble(&mut self, own: Option<&mut Seeded>) -> Result<bool, Halt> {
        let Some(side) = self.deciding() else { return Ok(false) };
        let mut chance = own_chance(self.seed, side, self.made());
        let random = own.unwrap_or(&mut chance);
        let mut offers = Vec::new();
        for _ in 1..TRIES {
            let Some(choice) = random_choice::<R>(&self.battle, &mut offers, random) else { break };
            if self.carry_out(choice, None).is_ok() {
                return Ok(true);
            }
        }
        let choice = random_choice::<R>(&self.battle, &mut offers, random);
        let none =
            || Halt::Value(sabretache_engine::offer::WrongValue("nothing that the rules allow was found".into()));
        self.carry_out(choice.ok_or_else(none)?, None)?;
        Ok(true)
    }

    fn undo(&mut self, count: usize) {
        let left = self.steps.len().saturating_sub(count);
        if let Some(battle) = self.walk(left, left, |_, _| {}) {
            self.battle = battle;
            self.steps.truncate(left);
            self.kept.truncate(left.div_ceil(KEPT_EVERY));
            self.actions = OnceLock::new();
            *self.following() = None;
        }
    }

    fn choices(&self) -> Vec<Made> {
        self.choices_from(0)
    }

    fn with_session(&self, look: &mut dyn FnMut(&mut dyn AnySession)) -> Result<(), Declined> {
        if self.steps.iter().any(|step| step.path.is_some()) {
            return Err(Declined::NoUndo("its dice were told reading by reading: there is no log of it"));
        }
        let mut following = self.following();
        let (mut session, done) = match following.take() {
            Some(known) => known,
            None => {
                let unwritten = || Declined::Unwritten("the battle cannot be begun again".into());
                ((self.beginning)(self.seed).ok_or_else(unwritten)?, 0)
            }
        };
        for made in self.choices_from(done) {
            let order = Order { offer: made.offer, value: made.value, ..Order::default() };
            session.choose(Seat::Umpire, &order)?;
        }
        look(&mut *session);
        *following = Some((session, self.steps.len()));
        Ok(())
    }
}
