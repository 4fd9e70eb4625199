//! What is done with move dice: they are rolled, and brigades march, wheel, halt or stand.

use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{GroundId, Named, OfficerId, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;

use crate::battle::Battle;
use crate::brigade::{Charge, HaltAt, Status};
use crate::clauses::{
    MB_CTL_06, MB_CTL_14, MB_MAN_02, MB_MAN_14, MB_MAN_20, MB_MOV_03, MB_MOV_04, MB_MOV_05, MB_MOV_08, MB_MOV_10,
    MB_MOV_21, MB_MOV_22, MB_SEQ_05,
};
use crate::phases::command::offers::Command;
use crate::phases::despite::shut;
use crate::phases::handles::{about_centre, ahead, road, slide, wheels};
use crate::phases::harm::Play;
use crate::phases::manoeuvre::offers::Manoeuvres;
use crate::phases::movement::{
    acting, closed_dice, group_of, may_go, may_move, may_stand, members, repeats, roll_offers, rolls_for,
};
use crate::phases::{advance, command, halting, manoeuvre, merging, movement, passing, pursuit, roads, wheel};
use crate::situations::MoveDice;
use crate::words::labelled;
use crate::{Malbrook, Offer};

/// Moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Movement {
    /// A group rolls its move dice.
    Roll { of: UnitId, dice: MoveDice, double: bool },
    /// A brigade stands.
    Stand(UnitId),
    /// A brigade moves straight on.
    Advance(UnitId),
    /// A brigade moves straight on and stops short of friends.
    HaltShort(UnitId),
    /// A brigade bears off straight ahead.
    Bear(UnitId),
    /// A brigade wheels.
    Wheel(UnitId),
    /// Foot incline.
    Incline { unit: UnitId, right: bool },
    /// A brigade is told where it may halt.
    HaltAt { unit: UnitId, at: HaltAt },
    /// It halts level with the brigade named.
    HaltLevel(UnitId),
    /// A friend in the way moves first.
    LetAhead { unit: UnitId, friend: UnitId },
    /// A unit marches along a road.
    Road { unit: UnitId, double: bool },
    /// A line narrows its front to pass a gap.
    PassGap(UnitId),
    /// A brigade copies its neighbour.
    Conform(UnitId),
    /// A brigade repeats its last move.
    Repeat(UnitId),
    /// A brigade runs on.
    GoOn(UnitId),
}

impl Part<Malbrook> for Movement {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Roll { of, .. } => Some(of.into()),
            Self::Stand(unit)
            | Self::Advance(unit)
            | Self::HaltShort(unit)
            | Self::Bear(unit)
            | Self::Wheel(unit)
            | Self::Incline { unit, .. }
            | Self::HaltAt { unit, .. }
            | Self::HaltLevel(unit)
            | Self::LetAhead { unit, .. }
            | Self::Road { unit, .. }
            | Self::PassGap(unit)
            | Self::Conform(unit)
            | Self::Repeat(unit)
            | Self::GoOn(unit) => Some(unit.into()),
        }
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        match self {
            Self::Advance(unit) => advance::straight_on(battle, unit).map(|(input, _)| input),
            Self::HaltShort(unit) => advance::short_of_friends_input(battle, unit),
            Self::Bear(unit) => advance::bearing(battle, unit),
            Self::Wheel(unit) => wheel::wheel_input(battle, unit),
            Self::Incline { unit, right } => wheel::incline_input(battle, unit, right),
            Self::Road { unit, double } => roads::road_input(battle, unit, double),
            Self::PassGap(unit) => passing::gap_input(battle, unit),
            Self::Roll { .. }
            | Self::Stand(_)
            | Self::HaltAt { .. }
            | Self::HaltLevel(_)
            | Self::LetAhead { .. }
            | Self::Conform(_)
            | Self::Repeat(_)
            | Self::GoOn(_) => Ok(Input::None),
        }
    }

    fn carry_out(self, play: &mut Play<'_>, value: &Value) -> Result<(), Halt> {
        match self {
            Self::Roll { of, dice, double } => movement::roll(play, of, dice, double),
            Self::Stand(unit) => movement::stand(play, unit),
            Self::Advance(unit) => advance::advance(play, unit, value.distance()),
            Self::HaltShort(unit) => advance::halt_short(play, unit, value.distance()),
            Self::Bear(unit) => advance::bear(play, unit, value.wheel()),
            Self::Wheel(unit) => wheel::wheel(play, unit, value.wheel()),
            Self::Incline { unit, right } => wheel::incline(play, unit, right, value.distance()),
            Self::HaltAt { unit, at } => halting::halt_at(play, unit, at),
            Self::HaltLevel(unit) => halting::halt_level(play, unit),
            Self::LetAhead { unit, friend } => halting::let_ahead(play, unit, friend),
            Self::Road { unit, double } => roads::march(play, unit, double, value.distance()),
            Self::PassGap(unit) => passing::pass_gap(play, unit, value.distance()),
            Self::Conform(unit) => advance::conform(play, unit),
            Self::Repeat(unit) => advance::repeat(play, unit),
            Self::GoOn(unit) => pursuit::go_on(play, unit),
        }
    }

    fn key(self, battle: &Battle) -> String {
        let id = |unit: UnitId| battle.id_of(unit);
        let side = |right: bool| if right { "right" } else { "left" };
        match self {
            Self::Roll { of, dice, double } => {
                format!("roll {} {}{}", id(of), dice.key(), if double { " double" } else { "" })
            }
            Self::Stand(unit) => format!("stand {}", id(unit)),
            Self::Advance(unit) => format!("advance {}", id(unit)),
            Self::HaltShort(unit) => format!("halt short {}", id(unit)),
            Self::Bear(unit) => format!("bear {}", id(unit)),
            Self::Wheel(unit) => format!("wheel {}", id(unit)),
            Self::Incline { unit, right } => format!("incline {} {}", id(unit), side(right)),
            Self::HaltAt { unit, at: HaltAt::Ground(ground) } => {
                format!("halt {} at {}", id(unit), battle.ground_key(ground))
            }
            Self::HaltAt { unit, at: HaltAt::Level(with) } => format!("halt {} level with {}", id(unit), id(with)),
            Self::HaltLevel(unit) => format!("line up {}", id(unit)),
            Self::LetAhead { unit, friend } => format!("let {} go before {}", id(friend), id(unit)),
            Self::Road { unit, double } => format!("march {}{}", id(unit), if double { " double" } else { "" }),
            Self::PassGap(unit) => format!("pass gap {}", id(unit)),
            Self::Conform(unit) => format!("conform {}", id(unit)),
            Self::Repeat(unit) => format!("repeat {}", id(unit)),
            Self::GoOn(unit) => format!("go on {}", id(unit)),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| battle.name_of(unit);
        let (text, unit, clause) = match self {
            Self::Roll { of, dice, double } => {
                let double = if double { ", those far from enemy doubled" } else { "" };
                (format!("Roll {} for {} and group{double}", dice.words(), name(of)), Some(of), MB_MOV_03)
            }
            Self::Stand(unit) => (format!("Let {} stand", name(unit)), Some(unit), MB_MOV_04),
            Self::Advance(unit) => (format!("Advance {}", name(unit)), Some(unit), MB_MOV_04),
            Self::HaltShort(unit) => (format!("Advance {} short of friends", name(unit)), Some(unit), MB_MOV_08),
            Self::Bear(unit) => (format!("Bear off straight ahead with {}", name(unit)), Some(unit), MB_MOV_10),
            Self::Wheel(unit) => (format!("Wheel {}", name(unit)), Some(unit), MB_MAN_02),
            Self::Incline { unit, right } => (
                format!("Incline {} to the {}", name(unit), if right { "right" } else { "left" }),
                Some(unit),
                MB_MAN_14,
            ),
            Self::HaltAt { unit, at } => {
                let place = match at {
                    HaltAt::Ground(ground) => format!("at {}", battle.ground_name(ground)),
                    HaltAt::Level(with) => format!("level with {}", name(with)),
                };
                (format!("{} may halt {place}", name(unit)), Some(unit), MB_MOV_05)
            }
            Self::HaltLevel(unit) => (format!("Line up and halt {}", name(unit)), Some(unit), MB_MOV_05),
            Self::LetAhead { unit, friend } => {
                (format!("Let {} go before {}", name(friend), name(unit)), Some(friend), MB_SEQ_05)
            }
            Self::Road { unit, double } => {
                let how = if double { ", double" } else { "" };
                (format!("March {} along the road{how}", name(unit)), Some(unit), MB_MOV_21)
            }
            Self::PassGap(unit) => {
                (format!("Narrow the front of {} to pass the gap", name(unit)), Some(unit), MB_MAN_20)
            }
            Self::Conform(unit) => (format!("Let {} copy the neighbour", name(unit)), Some(unit), MB_CTL_06),
            Self::Repeat(unit) => (format!("Let {} repeat the last move", name(unit)), Some(unit), MB_CTL_14),
            Self::GoOn(unit) => (format!("Let {} run on", name(unit)), Some(unit), MB_MOV_22),
        };
        labelled(battle, text, unit, clause)
    }

    fn handling(self, battle: &Battle) -> Handling {
        match self {
            Self::Roll { of, .. } => Handling::act("roll", of).leading_to("advance"),
            Self::Stand(unit) => Handling::act("stand", unit),
            Self::Advance(unit) | Self::HaltShort(unit) | Self::PassGap(unit) => {
                ahead(battle, self, "advance", unit, advance::course(battle, unit))
            }
            Self::Bear(unit) => about_centre(battle, self, "bear", unit),
            Self::Wheel(unit) => wheels(battle, self, unit),
            Self::Incline { unit, right } => {
                // The distance is sideways; the brigade goes as far ahead.
                slide(battle, "incline", unit, if right { 90 } else { -90 })
            }
            Self::HaltAt { unit, at: HaltAt::Ground(ground) } => {
                Handling::at("halt_at", [unit], Named::Ground(GroundId(ground)))
            }
            Self::HaltAt { unit, at: HaltAt::Level(with) } => Handling::at("halt_at", [unit], with),
            Self::HaltLevel(unit) => Handling::act("line_up", unit),
            Self::LetAhead { unit, friend } => Handling::at("let_ahead", [unit], friend),
            Self::Road { unit, .. } => road(battle, self, unit),
            Self::Conform(unit) => Handling::act("conform", unit),
            Self::Repeat(unit) => Handling::act("repeat", unit),
            Self::GoOn(unit) => Handling::act("go_on", unit),
        }
    }
}

impl Movement {
    /// Whether it could be taken up, for those that are told of as closed.
    pub(crate) fn may(self, battle: &Battle) -> Result<(), Refusal> {
        match self {
            Self::Stand(unit) => may_stand(battle, unit),
            Self::Advance(unit) => advance::straight_on(battle, unit).map(drop),
            Self::Wheel(unit) => wheel::wheel_input(battle, unit).map(drop),
            Self::Incline { unit, right } => wheel::incline_input(battle, unit, right).map(drop),
            Self::Road { unit, double } => roads::road_input(battle, unit, double).map(drop),
            Self::PassGap(unit) => passing::gap_input(battle, unit).map(drop),
            Self::Conform(unit) => advance::may_conform(battle, unit).map(drop),
            Self::Roll { .. }
            | Self::HaltShort(_)
            | Self::Bear(_)
            | Self::HaltAt { .. }
            | Self::HaltLevel(_)
            | Self::LetAhead { .. }
            | Self::Repeat(_)
            | Self::GoOn(_) => Ok(()),
        }
    }
}

/// What a leader may do in the movement phase.
pub(crate) fn rides_of(battle: &Battle, leader: OfficerId, out: &mut Vec<Offer>) {
    let open = [false, true].into_iter().filter(|double| command::may_ride(battle, leader, *double).is_ok());
    out.extend(open.map(|double| Offer::from(Command::Ride { leader, double })));
}

/// What a unit may do in the movement phase, in the order in which it is listed.
pub(crate) fn offers_of(battle: &Battle, unit: UnitId, out: &mut Vec<Offer>) {
    let from = out.len();
    if let Some(group) = acting(battle).filter(|group| group_of(battle, unit) == *group) {
        if rolls_for(battle, group) == Some(unit) {
            roll_offers(battle, group, unit, out);
        }
        if !battle.brigade(unit).marks.share.done && members(battle, group).contains(&unit) {
            unit_offers(battle, unit, out);
        }
    }
    let changed = battle.brigade(unit).marks.share.whole && manoeuvre::may_form(battle, unit).is_ok();
    let form = Offer::from(Manoeuvres::Form(unit));
    if changed && !out[from..].contains(&form) {
        out.push(form);
    }
}

pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    for leader in battle.leaders_of(battle.active) {
        rides_of(battle, leader, out);
    }
    let Some(group) = acting(battle) else { return };
    if let Some(of) = rolls_for(battle, group) {
        roll_offers(battle, group, of, out);
    }
    for unit in members(battle, group).iter().copied().filter(|unit| !battle.brigade(*unit).marks.share.done) {
        unit_offers(battle, unit, out);
    }
}

/// Second changes of formation, by those who have just made a first and done nothing but that (MB-MAN-07).
pub(crate) fn second_changes(battle: &Battle, out: &mut Vec<Offer>) {
    let changed = |unit: &UnitId| battle.brigade(*unit).marks.share.whole && manoeuvre::may_form(battle, *unit).is_ok();
    let open = battle.of(battle.active).filter(changed).map(|unit| Offer::from(Manoeuvres::Form(unit)));
    let new: Vec<Offer> = open.filter(|offer| !out.contains(offer)).collect();
    out.extend(new);
}

/// Tells of each thing a unit may do, until the listener has heard enough; whether it has.
fn each_offer(battle: &Battle, unit: UnitId, enough: &mut dyn FnMut(Offer) -> bool) -> bool {
    let mut say = |open: bool, offer: Movement| open && enough(offer.into());
    if may_go(battle, unit).is_ok() {
        let advance = advance::straight_on(battle, unit);
        for at in halting::halting_places(battle, unit) {
            if say(true, Movement::HaltAt { unit, at }) {
                return true;
            }
        }
        for friend in halting::in_the_way(battle, unit) {
            if say(true, Movement::LetAhead { unit, friend }) {
                return true;
            }
        }
        let road = |double: bool| roads::road_input(battle, unit, double).is_ok();
        if say(halting::level_halt(battle, unit).is_ok(), Movement::HaltLevel(unit))
            || say(passing::gap_input(battle, unit).is_ok(), Movement::PassGap(unit))
            || say(road(false), Movement::Road { unit, double: false })
            || say(road(true), Movement::Road { unit, double: true })
        {
            return true;
        }
        let short = || advance::short_of_friends_input(battle, unit).is_ok();
        let incline = |right: bool| wheel::incline_input(battle, unit, right).is_ok();
        if say(advance.is_ok(), Movement::Advance(unit))
            || say(advance.is_ok() && short(), Movement::HaltShort(unit))
            || say(advance::bearing(battle, unit).is_ok(), Movement::Bear(unit))
            || say(wheel::has_room_to_wheel(battle, unit), Movement::Wheel(unit))
            || say(incline(false), Movement::Incline { unit, right: false })
            || say(incline(true), Movement::Incline { unit, right: true })
        {
            return true;
        }
    }
    let repeats = may_move(battle, unit).is_ok() && repeats(battle, unit);
    say(advance::may_conform(battle, unit).is_ok(), Movement::Conform(unit))
        || say(repeats, Movement::Repeat(unit))
        || say(pursuit::may_go_on(battle, unit).is_ok(), Movement::GoOn(unit))
        || manoeuvre::each_offer(battle, unit, enough)
}

fn unit_offers(battle: &Battle, unit: UnitId, out: &mut Vec<Offer>) {
    each_offer(battle, unit, &mut |offer| {
        out.push(offer);
        false
    });
    if may_stand(battle, unit).is_ok() {
        out.push(Movement::Stand(unit).into());
    }
}

/// Whether a unit can do nothing but stand, if that.
pub(crate) fn only_stands(battle: &Battle, unit: UnitId) -> bool {
    // Most can go on, and then nothing else need be looked at.
    let goes_on = may_go(battle, unit).is_ok() && advance::straight_on(battle, unit).is_ok();
    !goes_on && !each_offer(battle, unit, &mut |_| true)
}

pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    closed_dice(battle, out);
    merging::closed(battle, out);
    for (n, gun) in battle.units.iter().enumerate() {
        if gun.kind.is_gun() && gun.side == battle.active && gun.status == Status::Abandoned {
            shut(battle, Manoeuvres::Recrew(UnitId(n as u16)), out);
        }
    }
    for unit in battle.of(battle.active) {
        shut(battle, Movement::Advance(unit), out);
        shut(battle, Movement::Wheel(unit), out);
        shut(battle, Movement::PassGap(unit), out);
        for double in [false, true] {
            shut(battle, Movement::Road { unit, double }, out);
        }
        for right in [false, true] {
            shut(battle, Movement::Incline { unit, right }, out);
        }
        if matches!(battle.brigade(unit).marks.control.by, Charge::Conforms(_)) {
            shut(battle, Movement::Conform(unit), out);
        }
        if !battle.brigade(unit).marks.share.done && may_move(battle, unit).is_ok() {
            shut(battle, Movement::Stand(unit), out);
        }
        manoeuvre::closed(battle, unit, out);
    }
    for leader in battle.leaders_of(battle.active) {
        for double in [false, true] {
            shut(battle, Command::Ride { leader, double }, out);
        }
    }
}
