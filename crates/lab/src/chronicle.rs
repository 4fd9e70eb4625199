//! Watches one battle and notes what the laboratory wants to know of it.

use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Choice;
use sabretache_engine::resolution::Happening;
use sabretache_engine::ruleset::Ruleset;
use sabretache_engine::view::UnitView;
use sabretache_table::Point;

use crate::record::Loss;
use sabretache_players::chance::Chances;

pub(crate) struct Chronicle<R: Ruleset> {
    /// Who is watched: whoever is there from the start. Parts that split off later are nobody's loss of their own.
    roster: Vec<UnitId>,
    /// Where everybody stood after the last choice,
    places: Vec<Option<Point>>,
    /// and which turn it was.
    turn: u32,
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
    chances: &'static Chances,
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
    pub(crate) fn new(battle: &R::Battle, by: Option<&'static Chances>) -> Self {
        let roster: Vec<UnitId> = counted::<R>(battle).map(|unit| unit.id).collect();
        let places = look::<R>(battle, &roster);
        let turn = R::clock(battle).turn.unwrap_or(0);
        Self {
            came: places.iter().map(Option::is_some).collect(),
            touched: vec![false; roster.len()],
            swing: by.map(|chances| Swing { chances, before: battle.clone(), sum: 0.0 }),
            left: vec![None; roster.len()],
            roster,
            places,
            turn,
            last_turn: turn,
            luck: [0.0; 2],
        }
    }

    pub(crate) fn note(&mut self, choice: &Choice<R::Offer>, after: &R::Battle, happened: &[Happening<R::Event>]) {
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
                swing.sum += swing.chances.luck_of::<R>(&swing.before, choice, after).unwrap_or_default();
            }
            swing.before.clone_from(after);
        }
        let places = look::<R>(after, &self.roster);
        for (unit, (now, then)) in places.iter().zip(&self.places).enumerate() {
            match (now, then) {
                (None, Some(at)) => {
                    self.left[unit] = Some(Loss { unit, turn: self.turn, at: [at.x.to_um(), at.y.to_um()] });
                }
                (Some(_), _) => (self.left[unit], self.came[unit]) = (None, true),
                (None, None) => {}
            }
        }
        // The last choice may have turned the page to a turn that is not fought any more.
        self.last_turn = self.turn;
        (self.places, self.turn) = (places, R::clock(after).turn.unwrap_or(0));
    }

    /// What is known once the battle is over.
    pub(crate) fn finish(self) -> Noted {
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

/// Where every unit of the roster stands.
fn look<R: Ruleset>(battle: &R::Battle, roster: &[UnitId]) -> Vec<Option<Point>> {
    roster.iter().map(|unit| R::pose(battle, *unit).map(|pose| pose.at)).collect()
}
