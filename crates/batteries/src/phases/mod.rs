//! The phases of a turn in the order of play, and what a side may do in each.

pub(crate) mod aftermath;
pub(crate) mod allowed;
pub(crate) mod arrivals;
pub(crate) mod charges;
pub(crate) mod clearing;
pub(crate) mod combat;
pub(crate) mod despite;
pub(crate) mod follows;
pub(crate) mod formations;
pub(crate) mod generals;
pub(crate) mod handles;
pub(crate) mod morale;
pub(crate) mod movement;
pub(crate) mod pursuit;
pub(crate) mod returns;
pub(crate) mod rout;
pub(crate) mod screens;
pub(crate) mod shooting;
pub(crate) mod towns;
pub(crate) mod turn;
pub(crate) mod victory;

use sabretache_engine::decides;
use sabretache_engine::ids::Named;
use sabretache_engine::offer::{Choice, Halt, Input, Refusal};
use sabretache_engine::resolution::Resolution;
use sabretache_kit::Part;
use sabretache_kit::in_a_sentence;

use crate::Batteries;
use crate::battle::{Battle, Pending, Step};
use crate::clauses::BB_SEQ_01;
use crate::offer::Offer;
use charges::offers::Charges;
use combat::offers::Combats;
use morale::offers::Tests;
use pursuit::offers::Pursuits;
use rout::offers::Routs;
use screens::offers::Screens;
use shooting::offers::Aiming;
use turn::offers::Turn;

/// What belongs to a moment, and how what is open in it is found.
struct Moment {
    admits: fn(Offer) -> bool,
    open: fn(&Battle, &mut Vec<Offer>),
}

/// What is asked, else what the step of the turn is for (BB-SEQ-01): the one place that says which offers belong to which moment.
fn moment(battle: &Battle) -> Moment {
    decides!(BB_SEQ_01);
    match (battle.pending, battle.step) {
        (Some(Pending::Evade { .. }), _) => Moment {
            admits: |offer| {
                use Charges::{Evade, EvadeWay, FireFirst, Stand};
                matches!(offer, Offer::Charges(Stand | FireFirst | EvadeWay | Evade { .. }))
            },
            open: charges::offers::when_charged,
        },
        (Some(Pending::Onward { .. } | Pending::Overrun { .. }), _) => Moment {
            admits: |offer| matches!(offer, Offer::Charges(Charges::Halt | Charges::GoOn | Charges::ChargeOn)),
            open: charges::offers::when_clear,
        },
        (Some(Pending::AtOnce { .. }), _) => Moment {
            admits: |offer| matches!(offer, Offer::Charges(Charges::FireAtOnce(_) | Charges::HoldFire)),
            open: charges::offers::when_reached_late,
        },
        (Some(Pending::Rout { .. }), _) => Moment {
            admits: |offer| {
                use Routs::{RoutAway, RoutFacing, RoutInto};
                matches!(offer, Offer::Routs(RoutFacing(_) | RoutAway(_) | RoutInto(_)))
            },
            open: rout::offers::offers,
        },
        (Some(Pending::Detour { .. }), _) => Moment {
            admits: |offer| matches!(offer, Offer::Pursuits(Pursuits::GoRound | Pursuits::HaltThere)),
            open: |_, out| out.extend([Pursuits::GoRound, Pursuits::HaltThere].map(Offer::from)),
        },
        (Some(Pending::Refill { .. }), _) => Moment {
            admits: |offer| offer == Offer::Screens(Screens::Refill),
            open: |_, out| out.push(Screens::Refill.into()),
        },
        (Some(Pending::Aim { .. }), _) => Moment {
            admits: |offer| matches!(offer, Offer::Aiming(Aiming::Favour { .. })),
            open: shooting::offers::equals,
        },
        (Some(Pending::Toll { .. }), _) => Moment {
            admits: |offer| matches!(offer, Offer::Combats(Combats::Bear { .. })),
            open: combat::offers::bearers,
        },
        (None, Step::Initiative) => {
            Moment { admits: |offer| offer == Offer::Turn(Turn::Roll), open: |_, out| out.push(Turn::Roll.into()) }
        }
        (None, Step::Choice) => Moment {
            admits: |offer| matches!(offer, Offer::Turn(Turn::BeFirst | Turn::BeSecond)),
            open: |_, out| out.extend([Turn::BeFirst, Turn::BeSecond].map(Offer::from)),
        },
        (None, Step::MoveA | Step::MoveB) => Moment { admits: movement::open::admits, open: movement::open::offers },
        (None, Step::AimA | Step::AimB) => Moment {
            admits: |offer| {
                use Aiming::{Batter, EndAiming, Shoot, ShootFrom};
                matches!(offer, Offer::Aiming(Shoot { .. } | ShootFrom { .. } | Batter(_) | EndAiming))
            },
            open: shooting::orders::offers,
        },
        (None, Step::ChargeTests | Step::Overruns | Step::PanicTests | Step::HitTests | Step::LoserTests) => Moment {
            admits: |offer| matches!(offer, Offer::Tests(Tests::Test(_)) | Offer::Turn(Turn::CarryOn)),
            open: morale::offers::offers,
        },
        (None, Step::Combat) => Moment {
            admits: |offer| matches!(offer, Offer::Combats(Combats::Favour { .. } | Combats::Fight)),
            open: combat::offers::offers,
        },
        (None, Step::Pursuits) => Moment {
            admits: |offer| {
                use Pursuits::{HoldBack, Pursue};
                matches!(offer, Offer::Pursuits(Pursue { .. } | HoldBack(_)) | Offer::Turn(Turn::CarryOn))
            },
            open: pursuit::offers::offers,
        },
        (None, Step::Over) => Moment { admits: |_| false, open: |_, _| {} },
    }
}

/// What is said of an offer that belongs to another moment.
pub(crate) fn not_now() -> Refusal {
    Refusal::new(BB_SEQ_01, "that does not belong to this phase")
}

/// All that the deciding side may do.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    (moment(battle).open)(battle, out);
}

/// Who might act now.
pub(crate) fn might_act(battle: &Battle, out: &mut Vec<Option<Named>>) {
    match (battle.pending, battle.step) {
        (None, Step::MoveA | Step::MoveB) => movement::open::might_act(battle, out),
        (None, Step::AimA | Step::AimB) => shooting::orders::might_act(battle, out),
        _ => {
            for offer in all_asked(battle) {
                let actor = actor(battle, offer);
                if !out.contains(&actor) {
                    out.push(actor);
                }
            }
        }
    }
}

/// What one of them may do.
pub(crate) fn offers_of(battle: &Battle, who: Option<Named>, out: &mut Vec<Offer>) {
    match (battle.pending, battle.step) {
        (None, Step::MoveA | Step::MoveB) => movement::open::offers_of(battle, who, out),
        (None, Step::AimA | Step::AimB) => shooting::orders::offers_of(battle, who, out),
        _ => out.extend(all_asked(battle).iter().filter(|offer| actor(battle, offer) == who)),
    }
}

/// All that the deciding side may do, worked out once for each decision.
pub(crate) fn all_asked(battle: &Battle) -> &[Offer] {
    battle.asked(|| {
        let mut all = Vec::new();
        offers(battle, &mut all);
        all
    })
}

/// Who would act by an offer: the general who rides, the unit that does it or of which something is asked.
pub(crate) fn actor(battle: &Battle, offer: &Offer) -> Option<Named> {
    offer.actor().or_else(|| battle.asked_of().map(Named::from))
}

/// What might be expected and is not allowed; what cannot be done at all is told from what is only forbidden.
pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    let before = out.len();
    match (battle.pending, battle.step) {
        (Some(Pending::Evade { .. }), _) => charges::offers::closed_when_charged(battle, out),
        (Some(_), _) => {}
        (None, Step::MoveA | Step::MoveB) => movement::open::closed(battle, out),
        (None, Step::AimA | Step::AimB) => shooting::orders::closed(battle, out),
        _ => {}
    }
    for (offer, refusal) in &mut out[before..] {
        refusal.impossible |= battle.despite(offer).is_none();
        refusal.sentence = in_a_sentence(&refusal.sentence);
    }
}

/// What an offer needs to be told, or why it is closed; asked twice at the same moment, it is worked out once.
pub(crate) fn input(battle: &Battle, offer: &Offer) -> Result<Input, Refusal> {
    if let Some(known) = battle.known_input(offer) {
        return Ok(known);
    }
    let input = work_out(battle, offer)?;
    battle.keep_input(offer, &input);
    Ok(input)
}

/// The same, worked out afresh.
pub(crate) fn work_out(battle: &Battle, offer: &Offer) -> Result<Input, Refusal> {
    battle.keeps_to_launch(offer)?;
    offer.input(battle)
}

/// Carries out a choice up to the next decision, and sets right what lies beside its way.
pub(crate) fn resolve(play: &mut Resolution<'_, Batteries>, choice: &Choice<Offer>) -> Result<(), Halt> {
    allowed::allowed(play, choice)?;
    let mut gaps = play.battle().screen_gaps();
    let plots = play.battle().launch.as_ref().map(|launch| launch.unit);
    choice.offer.carry_out(play, &choice.value)?;
    towns::detach::rejoin_all(play);
    // A screen stays where it is until a plotted charge is made or called off.
    gaps.retain(|(unit, ..)| Some(*unit) != plots || play.battle().unit(*unit).now.charging);
    screens::settle(play, &gaps);
    aftermath::escort_generals(play);
    aftermath::settle_in_ground(play);
    Ok(())
}
