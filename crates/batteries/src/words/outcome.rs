//! What a run of events comes to, in a phrase.

use sabretache_engine::ids::UnitId;
use sabretache_kit::in_a_sentence;

use crate::battle::{Battle, Pending};
use crate::event::Event;
use crate::words::terms::{inches, side_within};

/// What a run of events comes to.
pub(crate) fn outcome(battle: &Battle, events: &[Event]) -> String {
    let name = |unit: UnitId| battle.name_of(unit);
    let said = events.iter().filter_map(|event| match *event {
        Event::CharismaRolled { general, charisma } => {
            Some(format!("{} +{charisma}", battle.fixed.scenario.body.generals[general.index()].name))
        }
        Event::PointsRolled { general, points } => {
            Some(format!("{} {points}", battle.fixed.scenario.body.generals[general.index()].name))
        }
        Event::InitiativeRolled { first, second } if first == second => Some("a tie".into()),
        Event::Won { side } => Some(format!("the choice is with {}", side_within(battle, side))),
        Event::Tested { unit, passed, .. } => {
            Some(format!("{} {}", name(unit), if passed { "holds" } else { "breaks" }))
        }
        Event::Asked { pending: Pending::Rout { unit, .. } } => Some(format!("{} routs", name(unit))),
        Event::Shattered { unit } => Some(format!("{} is shattered", name(unit))),
        Event::Disordered { unit, .. } => Some(format!("{} is disordered", name(unit))),
        Event::Battered { ground, section, hits, .. } => {
            Some(format!("{hits} on {} {}", battle.ground_id(ground), section + 1))
        }
        Event::Cleared { unit, from, .. } => Some(format!("{} clears at {}", name(unit), inches(from))),
        Event::Returned { unit, .. } => Some(format!("{} returns", name(unit))),
        Event::Arrived { unit, .. } => Some(format!("{} arrives", name(unit))),
        Event::Exited { unit } => Some(format!("{} marches off", name(unit))),
        Event::Pursues { chase, .. } => Some(format!("{} pursues", name(chase.pursuer))),
        Event::Stays { unit } => Some(format!("{} stays", name(unit))),
        Event::Recoiled { unit, .. } => Some(format!("{} recoils", name(unit))),
        Event::GeneralLost { general } => {
            Some(format!("{} is lost", battle.fixed.scenario.body.generals[general.index()].name))
        }
        Event::Shaken { unit, .. } => Some(format!("{} is shaken", name(unit))),
        Event::RoutsAgain { unit } => Some(format!("{} breaks again", name(unit))),
        Event::Breaks { unit } => Some(format!("{} breaks with its garrison", name(unit))),
        Event::LeftTable { unit, .. } => Some(format!("{} is off the table", name(unit))),
        Event::Surrendered { unit } => Some(format!("{} surrenders", name(unit))),
        Event::Overran { over, .. } => Some(format!("{} is run over", name(over))),
        Event::RunsWild { unit } => Some(format!("{} cannot be held", name(unit))),
        Event::Straggled { unit, .. } => Some(format!("{} loses stragglers", name(unit))),
        Event::Scaled { unit } => Some(format!("{} may climb the wall", name(unit))),
        Event::Captured { unit } => Some(format!("the guns of {} are taken", name(unit))),
        // Losses are told in one phrase, if nothing else comes of them.
        Event::Fired { .. } | Event::Struck { .. } | Event::GunsHit { .. } | Event::Lost { .. } => None,
        // A rout is told when it is to be made.
        Event::RoutHits { .. } | Event::Routed { .. } | Event::RoutedInto { .. } | Event::RoutsOnPurpose { .. } => None,
        // What comes of the choice itself, however the dice fall.
        Event::InitiativeRolled { .. }
        | Event::Chose { .. }
        | Event::Began { .. }
        | Event::Asked { .. }
        | Event::Settled
        | Event::Moved { .. }
        | Event::HeldUp { .. }
        | Event::Headed { .. }
        | Event::Faced { .. }
        | Event::Formed { .. }
        | Event::Pushed { .. }
        | Event::Reforming { .. }
        | Event::PassedThrough { .. }
        | Event::WentThrough { .. }
        | Event::MoveOver { .. }
        | Event::Rode { .. }
        | Event::Joined { .. }
        | Event::PointSpent { .. }
        | Event::Charges { .. }
        | Event::Launched { .. }
        | Event::Nears { .. }
        | Event::CalledOff { .. }
        | Event::Cramped { .. }
        | Event::Touched { .. }
        | Event::Stood { .. }
        | Event::Favoured { .. }
        | Event::Bears { .. }
        | Event::Evaded { .. }
        | Event::Ordered { .. }
        | Event::BatterOrdered { .. }
        | Event::Entered { .. }
        | Event::Detached { .. }
        | Event::Rejoined { .. }
        | Event::Shifted { .. }
        | Event::Emerged { .. }
        | Event::Bends { .. }
        | Event::Abandons { .. }
        | Event::Works { .. }
        | Event::Spotted { .. }
        | Event::HoldsFire { .. }
        | Event::RodeUp { .. }
        | Event::Parted { .. }
        | Event::Fought { .. }
        | Event::Faces { .. }
        | Event::Chased { .. }
        | Event::ChasedOff { .. }
        | Event::ChaseOver { .. }
        | Event::Screened { .. }
        | Event::ScreenMoved { .. }
        | Event::Recalled { .. }
        | Event::ScreenBack { .. }
        | Event::Refilled { .. }
        | Event::Recovered { .. }
        | Event::Manned { .. }
        | Event::TurnOver { .. }
        | Event::SetsOut { .. }
        | Event::Spent { .. }
        | Event::FellBack { .. }
        | Event::Tells { .. }
        | Event::NotFlanked { .. }
        | Event::Held { .. }
        | Event::Refitted { .. }
        | Event::GoesAlong { .. } => None,
    });
    let said: Vec<String> = said.collect();
    let bled = events.iter().any(|event| matches!(event, Event::Lost { .. }));
    match (said.is_empty(), bled) {
        (true, true) => "losses, and nobody breaks".into(),
        (true, false) => "nothing happens".into(),
        _ => in_a_sentence(&said.join(", ")),
    }
}
