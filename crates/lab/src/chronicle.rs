//! Watches one battle and notes what the laboratory wants to know of it.

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Choice;
use sabretache_engine::resolution::{Happening, Resolution};
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::view::UnitView;
use sabretache_players::{BattleDice, Keyed};
use sabretache_table::Point;

use crate::record::Loss;
use sabretache_players::chance::{Chances, luck_of};

/// A view is dear, so one is taken only after so many choices; where something has left the table since, the choices
/// are gone through again one by one, to find when and where.
const STRIDE: usize = 24;

pub(crate) struct Chronicle<R: Ruleset> {
    /// The dice of the battle as they lay when it was last looked at.
    dice: BattleDice,
    keyed: Keyed,
    /// Who is watched: whoever is there from the start. Parts that split off later are nobody's loss of their own.
    roster: Vec<UnitId>,
    /// The battle when it was last looked at,
    seen: R::Battle,
    /// where everything stood then,
    places: Vec<Option<Point>>,
    /// which turn it was,
    turn: u32,
    /// and what was chosen since.
    since: Vec<(u64, Choice<R::Offer>)>,
    left: Vec<Option<Loss>>,
    /// The turn in which the last choice was made.
    last_turn: u32,
    pub(crate) luck: [f64; 2],
    swing: Option<Swing<R>>,
    came: Vec<bool>,
    touched: Vec<bool>,
}

/// The luck of a battle in chances of winning.
struct Swing<R: Ruleset> {
    chances: Chances,
    turns: Option<u32>,
    before: R::Battle,
    sum: f64,
}

/// What is known of a battle when it is over.
pub(crate) struct Noted {
    /// Units that left the table and did not come back, in the order of the roster.
    pub(crate) losses: Vec<Loss>,
    /// The turn in which it ended.
    pub(crate) turns: u32,
    /// How much luckier than deserved it went for A.
    pub(crate) swing: Option<f64>,
    /// Units that never came.
    pub(crate) waited: Vec<usize>,
    /// Units that came and were never shot at or charged.
    pub(crate) spared: Vec<usize>,
}

/// The units that are counted: those that are there from the start or still to come, and no parts of others.
pub(crate) fn counted<R: Ruleset>(battle: &R::Battle) -> impl Iterator<Item = UnitView> {
    R::view(battle).units.into_iter().filter(|unit| !R::is_part(battle, unit.id))
}

impl<R: Ruleset> Chronicle<R> {
    /// With chances of winning, luck is reckoned by them.
    pub(crate) fn new(battle: &R::Battle, (seed, keyed): (u64, Keyed), by: Option<(Chances, Option<u32>)>) -> Self {
        let roster: Vec<UnitId> = counted::<R>(battle).map(|unit| unit.id).collect();
        let (places, turn) = look::<R>(battle, &roster);
        let left = vec![None; roster.len()];
        let swing = by.map(|(chances, turns)| Swing { chances, turns, before: battle.clone(), sum: 0.0 });
        Self {
            came: places.iter().map(Option::is_some).collect(),
            touched: vec![false; roster.len()],
            swing,
            dice: BattleDice::new(seed, keyed),
            keyed,
            roster,
            seen: battle.clone(),
            places,
            turn,
            since: Vec::new(),
            left,
            last_turn: turn,
            luck: [0.0; 2],
        }
    }

    pub(crate) fn note(
        &mut self,
        n: u64,
        choice: &Choice<R::Offer>,
        after: &R::Battle,
        happened: &[Happening<R::Event>],
    ) {
        let mut rolled = false;
        for one in happened {
            match one {
                Happening::Roll(roll) => {
                    rolled = true;
                    self.luck[roll.side.index()] += roll.luck;
                }
                Happening::Event(event) => {
                    for unit in R::touched(after, event) {
                        if let Ok(n) = self.roster.binary_search(&unit) {
                            self.touched[n] = true;
                        }
                    }
                }
                Happening::Follows(_) => {}
            }
        }
        if let Some(swing) = &mut self.swing {
            if rolled {
                swing.sum +=
                    luck_of::<R>(&swing.chances, swing.turns, &swing.before, choice, after).unwrap_or_default();
            }
            swing.before = after.clone();
        }
        self.since.push((n, choice.clone()));
        if self.since.len() < STRIDE {
            return;
        }
        let (places, turn) = look::<R>(after, &self.roster);
        let changed = places.iter().zip(&self.places).any(|(now, then)| now.is_some() != then.is_some());
        // The last choice may have turned the page to a turn that is not fought any more.
        if changed || R::deciding(after).is_none() {
            self.step_through();
        } else {
            self.came.iter_mut().zip(&places).for_each(|(came, place)| *came |= place.is_some());
            (self.places, self.turn, self.last_turn) = (places, turn, turn);
            if self.keyed == Keyed::ByTest {
                // Dice that remember what was thrown before must have thrown it.
                let mut battle = self.seen.clone();
                for (_, choice) in &self.since {
                    let _ = R::resolve(&mut Resolution::new(&mut battle, &mut self.dice), choice);
                }
            }
            self.since.clear();
        }
        self.seen = after.clone();
    }

    /// Goes through the choices since the last look one by one.
    fn step_through(&mut self) {
        let mut battle = self.seen.clone();
        for (n, choice) in std::mem::take(&mut self.since) {
            self.dice.turn_to(n);
            if R::resolve(&mut Resolution::new(&mut battle, &mut self.dice), &choice).is_err() {
                break;
            }
            let (places, turn) = look::<R>(&battle, &self.roster);
            self.last_turn = self.turn;
            for (unit, (now, then)) in places.iter().zip(&self.places).enumerate() {
                match (now, then) {
                    (None, Some(at)) => {
                        let at = [at.x.to_um(), at.y.to_um()];
                        self.left[unit] = Some(Loss { unit, turn: self.turn, at });
                    }
                    (Some(_), _) => self.left[unit] = None,
                    (None, None) => {}
                }
            }
            self.came.iter_mut().zip(&places).for_each(|(came, place)| *came |= place.is_some());
            (self.places, self.turn) = (places, turn);
        }
    }

    /// What is known once the battle is over.
    pub(crate) fn finish(mut self) -> Noted {
        self.step_through();
        let all = 0..self.roster.len();
        Noted {
            waited: all.clone().filter(|n| !self.came[*n]).collect(),
            spared: all.filter(|n| self.came[*n] && !self.touched[*n]).collect(),
            losses: self.left.into_iter().flatten().collect(),
            turns: self.last_turn,
            swing: self.swing.map(|swing| swing.sum),
        }
    }
}

/// Where every unit of the roster stands, and the turn.
fn look<R: Ruleset>(battle: &R::Battle, roster: &[UnitId]) -> (Vec<Option<Point>>, u32) {
    let view = R::view(battle);
    let mut places = vec![None; roster.len()];
    for unit in &view.units {
        // Views come in the order of the ids, with whoever is new or hidden between them.
        if let Ok(n) = roster.binary_search(&unit.id) {
            places[n] = unit.pose.map(|pose| pose.at);
        }
    }
    (places, view.turn.unwrap_or(0))
}
