//! Words for single things.

use sabretache_engine::ids::{Side, UnitId};
use sabretache_kit::in_a_sentence;
use sabretache_table::Length;

use crate::battle::{Battle, Place, Step};
use crate::troops::{Formation, Shot};

/// Inches as they are read off a ruler: in eighths where it comes out in eighths, else to a hundredth.
pub(crate) fn inches(length: Length) -> String {
    let hundredths = (length.to_inches() * 100.0).round() as i64;
    let (whole, rest) = (hundredths / 100, hundredths % 100);
    let part = match rest {
        0 => return format!("{whole} in"),
        12 | 13 => "1/8",
        25 => "1/4",
        37 | 38 => "3/8",
        50 => "1/2",
        62 | 63 => "5/8",
        75 => "3/4",
        87 | 88 => "7/8",
        _ => return format!("{whole}.{rest:02} in"),
    };
    if whole == 0 { format!("{part} in") } else { format!("{whole} {part} in") }
}

/// A text as a sentence, with names within it: it begins with a capital.
pub(crate) fn sentence(text: &str) -> String {
    let said = in_a_sentence(text);
    let mut letters = said.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

pub(crate) fn shot_word(shot: Option<Shot>) -> &'static str {
    match shot {
        Some(Shot::Canister) => " with canister",
        Some(Shot::Ball) => " with ballshot",
        None => "",
    }
}

pub(crate) fn formation_word(formation: Formation) -> &'static str {
    match formation {
        Formation::Column => "column",
        Formation::Line => "line",
        Formation::Extended => "extended line",
        Formation::Bent => "bent line",
        Formation::Square => "square",
        Formation::Skirmish => "skirmish order",
        Formation::Masse => "column masse",
    }
}

/// The phase, as the book calls it.
pub(crate) fn phase(battle: &Battle, step: Step) -> String {
    let side = match step {
        Step::MoveA => battle.first,
        Step::MoveB => battle.first.other(),
        _ => return still_phase(step).to_owned(),
    };
    format!("The move of {}", side_within(battle, side))
}

/// The phase of a step in which nobody moves.
fn still_phase(step: Step) -> &'static str {
    match step {
        Step::Initiative | Step::Choice => "Initiative",
        Step::MoveA | Step::MoveB => "Movement",
        Step::AimA | Step::AimB => "Shooting",
        Step::ChargeTests => "Chargers test",
        Step::Overruns => "Overruns",
        Step::PanicTests => "The charged test",
        Step::HitTests => "Tests of those hit",
        Step::Combat => "Combat",
        Step::LoserTests => "Losers test",
        Step::Pursuits => "Pursuits",
        Step::Over => "The battle is over",
    }
}

pub(crate) fn side_name(battle: &Battle, side: Side) -> &str {
    &battle.fixed.scenario.sides[side.index()].name
}

/// The name of a side within a sentence. Sentences are so made that no verb has to agree with it: it may be one or many.
pub(crate) fn side_within(battle: &Battle, side: Side) -> String {
    let name = side_name(battle, side);
    name.strip_prefix("The ").map_or_else(|| name.to_owned(), |rest| format!("the {rest}"))
}

impl Battle {
    /// The id of a piece of ground, made up where the scenario gives none.
    pub(crate) fn ground_id(&self, ground: u16) -> String {
        let given = self.fixed.scenario.ground.get(usize::from(ground)).and_then(|piece| piece.id.clone());
        given.unwrap_or_else(|| format!("ground-{ground}"))
    }

    /// The quarter that a side of a unit's block looks to.
    pub(crate) fn side_word(&self, unit: UnitId, side: u8) -> &'static str {
        let out = self.block_of(unit).and_then(|block| block.sides.get(usize::from(side))).map(|(_, out)| *out);
        let Some(out) = out else { return "outer" };
        let heading = sabretache_table::Heading::toward(sabretache_table::Vec2::default(), out);
        let eighth = (u32::from(heading.to_hundredths()) + 2_250) / 4_500 % 8;
        ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"][eighth as usize]
    }

    pub(crate) fn ground_name(&self, ground: u16) -> String {
        let piece = self.fixed.scenario.ground.get(usize::from(ground));
        let word = || format!("the {}", self.fixed.terrain[usize::from(ground)].word);
        piece.and_then(|piece| piece.name.clone()).unwrap_or_else(word)
    }
}

/// Why a unit is not on the table.
pub(crate) fn absence(place: Place) -> Option<String> {
    match place {
        Place::Table => None,
        Place::Away => Some("off the table, and may return".into()),
        Place::Shattered => Some("shattered".into()),
        Place::Fled => Some("routed off the table".into()),
        Place::Surrendered => Some("surrendered".into()),
        Place::Pursuing => Some("off the table in pursuit, and may return".into()),
        Place::Ranks => Some("in the ranks".into()),
        Place::Whole => Some("with its unit".into()),
        Place::Awaited => Some("still to come".into()),
        Place::Exited => Some("off the table in good order".into()),
    }
}
