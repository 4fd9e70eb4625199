//! What is open to the side that moves, and what is closed.

use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::Refusal;
use sabretache_kit::Looked;
use sabretache_table::Direction;

use crate::battle::Battle;
use crate::offer::Offer;
use crate::phases::charges::offers::Charges;
use crate::phases::formations::offers::Formations;
use crate::phases::movement::oblique;
use crate::phases::movement::offers::Movement;
use crate::phases::rout::may_rout_on_purpose;
use crate::phases::rout::offers::Routs;
use crate::phases::screens::offers::Screens;
use crate::phases::towns::offers::Towns;
use crate::phases::{generals, screens, towns, work_out};
use crate::troops::Arm;

/// What belongs to a movement phase.
pub(crate) fn admits(offer: Offer) -> bool {
    match offer {
        Offer::Movement(_) | Offer::Formations(_) | Offer::Towns(_) | Offer::Generals(_) => true,
        Offer::Charges(part) => matches!(part, Charges::Launch(_) | Charges::CallOff(_) | Charges::Charge(_)),
        Offer::Screens(part) => part != Screens::Refill,
        Offer::Routs(part) => matches!(part, Routs::RoutOnPurpose(_)),
        Offer::Turn(_) | Offer::Aiming(_) | Offer::Tests(_) | Offer::Combats(_) | Offer::Pursuits(_) => false,
    }
}

/// All that the phasing side may do while it moves.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    if let Some(unit) = battle.launch.as_ref().map(|launch| launch.unit) {
        out.extend(moves_of(battle, unit).1);
        out.push(Charges::CallOff(unit).into());
        return;
    }
    for unit in battle.of(battle.phasing()) {
        battle.remembered(unit, || moves_of(battle, unit), out);
    }
    for unit in battle.of(battle.phasing()) {
        battle.remembered_launch(unit, || launch_of(battle, unit), out);
    }
    for general in battle.generals_of(battle.phasing()) {
        generals::offers(battle, general, out);
    }
    if battle.may_end_moves().is_ok() {
        out.push(Movement::EndMoves.into());
    }
}

/// Who might act while his side moves: all whom nobody knows to have nothing to do.
pub(crate) fn might_act(battle: &Battle, out: &mut Vec<Option<Named>>) {
    if let Some(launch) = &battle.launch {
        return out.push(Some(launch.unit.into()));
    }
    let open = battle.of(battle.phasing()).filter(|unit| !battle.known_idle(*unit));
    out.extend(open.map(|unit| Some(unit.into())));
    let riders = battle.generals_of(battle.phasing()).filter(|general| battle.may_ride(*general).is_ok());
    out.extend(riders.map(|general| Some(general.into())));
    if battle.may_end_moves().is_ok() {
        out.push(None);
    }
}

/// What one of them may do.
pub(crate) fn offers_of(battle: &Battle, actor: Option<Named>, out: &mut Vec<Offer>) {
    match (actor, battle.launch.as_ref().map(|launch| launch.unit)) {
        (Some(Named::Unit(unit)), Some(launcher)) if unit == launcher => offers(battle, out),
        (_, Some(_)) => {}
        (Some(Named::Unit(unit)), None) if battle.of(battle.phasing()).any(|one| one == unit) => {
            battle.remembered(unit, || moves_of(battle, unit), out);
            battle.remembered_launch(unit, || launch_of(battle, unit), out);
        }
        (Some(Named::Officer(general)), None) if battle.generals_of(battle.phasing()).any(|one| one == general) => {
            generals::offers(battle, general, out);
        }
        (None, None) if battle.may_end_moves().is_ok() => out.push(Movement::EndMoves.into()),
        _ => {}
    }
}

/// Whether a unit may plot a charge.
fn launch_of(battle: &Battle, unit: UnitId) -> (Looked, Vec<Offer>) {
    let fresh = !battle.unit(unit).now.done && battle.may_launch(unit).is_ok();
    (Looked::NOTHING, fresh.then_some(Charges::Launch(unit).into()).into_iter().collect())
}

/// The moves that might be expected and are closed.
pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    for unit in battle.all() {
        let plots = [Charges::Launch(unit).into(), Charges::CallOff(unit).into()];
        for offer in moves(unit).into_iter().chain(plots).chain(other_moves(battle, unit)) {
            out.extend(work_out(battle, &offer).err().map(|refusal| (offer, refusal)));
        }
        if battle.fixed.options.skirmish_screens && battle.arm(unit) == Arm::Foot {
            let stands = battle.most_stands(unit);
            for stands in [stands, stands + 1] {
                let offer = Screens::Screen { unit, stands }.into();
                out.extend(work_out(battle, &offer).err().map(|refusal| (offer, refusal)));
            }
            let offer = Screens::Recall(unit).into();
            out.extend(work_out(battle, &offer).err().map(|refusal| (offer, refusal)));
        }
        if battle.fixed.options.voluntary_rout {
            let offer = Routs::RoutOnPurpose(unit).into();
            out.extend(work_out(battle, &offer).err().map(|refusal| (offer, refusal)));
        }
    }
    out.extend(battle.may_end_moves().err().map(|refusal| (Movement::EndMoves.into(), refusal)));
    generals::closed(battle, out);
}

/// The moves open to a unit, and the ground that was looked at: whatever happens elsewhere does not change them.
fn moves_of(battle: &Battle, unit: UnitId) -> (Looked, Vec<Offer>) {
    let mut open = Vec::with_capacity(24);
    let mut looked = Looked::round(battle.bounds(unit));
    if battle.may_move(unit).is_ok() {
        looked = battle.looked_at(unit);
        let near = battle.close_by(unit);
        for offer in moves(unit) {
            let is_open = match offer {
                Offer::Movement(Movement::Advance(_)) => battle.may_go(unit, Direction::Ahead, &near),
                Offer::Movement(Movement::Oblique { right, .. }) => {
                    battle.may_go(unit, oblique(battle, unit, right), &near)
                }
                Offer::Movement(Movement::Sidestep { right: true, .. }) => battle.may_go(unit, Direction::Right, &near),
                Offer::Movement(Movement::Sidestep { right: false, .. }) => battle.may_go(unit, Direction::Left, &near),
                Offer::Movement(Movement::Retire(_)) => battle.may_go(unit, Direction::Back, &near),
                Offer::Formations(Formations::Form(_)) => {
                    battle.keeps_to_launch(&offer).is_ok() && battle.may_form_something(unit, &mut looked.round)
                }
                _ => is_open(battle, &offer),
            };
            open.extend(is_open.then_some(offer));
        }
        open.extend(other_moves(battle, unit).into_iter().filter(|offer| is_open(battle, offer)));
        if battle.launched(unit) {
            return (looked, open);
        }
        open.extend(battle.ways_through(unit));
    }
    let rout = Offer::from(Routs::RoutOnPurpose(unit));
    open.extend(may_rout_on_purpose(battle, unit).is_ok().then_some(rout));
    screens::offers(battle, unit, &mut looked.round, &mut open);
    (looked, open)
}

/// Whether there is any input for an offer, without working all of it out.
fn is_open(battle: &Battle, offer: &Offer) -> bool {
    use Movement::{Face, Head, March, Push, TurnAbout, Wheel};
    match *offer {
        Offer::Movement(Wheel(unit)) => battle.may_wheel(unit).is_ok(),
        Offer::Movement(Face(unit)) => battle.may_face(unit),
        Offer::Movement(Head(unit) | March(unit)) if !battle.goes_any_way(unit) => false,
        Offer::Movement(Push(unit) | TurnAbout(unit)) if !battle.skirmishing(unit) && !battle.unit(unit).away => false,
        Offer::Towns(Towns::Emerge { unit, side }) => battle.may_emerge(unit, side),
        _ => work_out(battle, offer).is_ok(),
    }
}

/// The moves that a unit might make.
pub(crate) fn moves(unit: UnitId) -> [Offer; 14] {
    [
        Charges::Charge(unit).into(),
        Movement::Advance(unit).into(),
        Movement::Wheel(unit).into(),
        Formations::Form(unit).into(),
        Movement::Oblique { unit, right: false }.into(),
        Movement::Oblique { unit, right: true }.into(),
        Movement::Sidestep { unit, right: false }.into(),
        Movement::Sidestep { unit, right: true }.into(),
        Movement::Retire(unit).into(),
        Movement::Head(unit).into(),
        Movement::March(unit).into(),
        Movement::Push(unit).into(),
        Movement::Face(unit).into(),
        Movement::TurnAbout(unit).into(),
    ]
}

/// What else a unit might do in its move: with houses, with guns that are too many for their gunners, with what bars its way.
pub(crate) fn other_moves(battle: &Battle, unit: UnitId) -> Vec<Offer> {
    let mut found = towns::offers::moves(battle, unit);
    if battle.battery(unit) && !battle.limbered(unit) {
        found.extend([false, true].map(|right| Offer::from(Movement::Abandon { unit, right })));
    }
    if !battle.fixed.barriers.is_empty() && battle.arm(unit) != Arm::Horse {
        found.push(Movement::Clear(unit).into());
    }
    found
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says so")]
mod tests {
    use sabretache_engine::dice::Seeded;
    use sabretache_engine::playout::random_choice;
    use sabretache_engine::resolution::Resolution;
    use sabretache_engine::ruleset::Ruleset;
    use sabretache_engine::scenario::{Diagnostics, Document, Scenario};

    use super::{moves, moves_of, other_moves};
    use crate::Batteries;
    use crate::battle::Step;
    use crate::phases::screens::offers::Screens;
    use crate::phases::work_out;

    /// What is tested cheaply for a list of offers is open exactly where its input can be worked out.
    #[test]
    fn a_move_is_offered_where_it_has_an_input_and_nowhere_else() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/batteries");
        for (n, name) in ["the-crossroads", "smolensk-royal-bastion", "bussaco-sula", "barrosa"].iter().enumerate() {
            let text = std::fs::read_to_string(format!("{folder}/{name}.toml")).unwrap();
            let document = Document::parse("scenario", text).unwrap();
            let mut battle =
                Batteries::muster(&Scenario::read(&document.json).unwrap(), &mut Diagnostics::new()).unwrap();
            let (mut random, mut dice) = (Seeded::new(n as u64), Seeded::new(9));
            let mut offers = Vec::new();
            let mut decisions = 0;
            while let Some(choice) = random_choice::<Batteries>(&battle, &mut offers, &mut random) {
                decisions += 1;
                if matches!(battle.step, Step::MoveA | Step::MoveB) && battle.pending.is_none() && decisions % 3 == 0 {
                    for unit in battle.of(battle.phasing()).filter(|unit| battle.may_move(*unit).is_ok()) {
                        let (_, open) = moves_of(&battle, unit);
                        for offer in moves(unit).into_iter().chain(other_moves(&battle, unit)) {
                            let whole = work_out(&battle, &offer);
                            assert_eq!(
                                open.contains(&offer),
                                whole.is_ok(),
                                "{name}, {decisions}: {offer:?} {whole:?}"
                            );
                        }
                        for stands in 1..=battle.most_stands(unit) {
                            let offer = Screens::Screen { unit, stands }.into();
                            assert_eq!(open.contains(&offer), work_out(&battle, &offer).is_ok(), "{name}: {offer:?}");
                        }
                    }
                }
                Batteries::resolve(&mut Resolution::new(&mut battle, &mut dice), &choice).unwrap();
            }
        }
    }
}
