//! What a client is told so that it needs to know no rules: how offers are handled, what they come to, what they invite.

use sabretache_engine::forecast::{Fate, Headline, Invitation};
use sabretache_engine::handle::{Group, Handle, Handling, Pivots};
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Input;
use sabretache_table::{Angle, Contact, Corner, Length, Point, contact};

use crate::battle::{Battle, Event};
use crate::clauses::PK_VOL_01;
use crate::{Offer, moving};

pub(crate) fn handling(battle: &Battle, offer: &Offer) -> Handling {
    match *offer {
        Offer::Advance(unit) => {
            let most = match moving::advance_input(battle, unit) {
                Ok(Input::Distance { most, .. }) => most,
                _ => Length::ZERO,
            };
            let pose = battle.picket(unit).pose;
            let track = vec![pose.at, pose.ahead(most).at];
            Handling::act("advance", unit).by(Handle::Along { unit, track, back: false })
        }
        Offer::Wheel(unit) => {
            let (left, right) = match moving::wheel_input(battle, unit) {
                Ok(Input::Wheel { most_left, most_right }) => (most_left < Angle::ZERO, most_right > Angle::ZERO),
                _ => (false, false),
            };
            let placed = battle.placed(unit);
            let at = |corner: Corner| Some(Point::rounded(placed.corner(corner)));
            let pivots = Pivots {
                left: at(Corner::FrontLeft).filter(|_| left),
                right: at(Corner::FrontRight).filter(|_| right),
            };
            Handling::act("wheel", unit).by(Handle::Wheel { unit, pivots })
        }
        Offer::EndTurn => Handling::end("end"),
        Offer::Fire => match &battle.halted {
            Some(halted) => Handling::at("shoot", [halted.firer], halted.mover),
            None => Handling::end("shoot").of(Group::Act),
        },
        Offer::HoldFire => match &battle.halted {
            Some(halted) => Handling::act("pass", halted.firer).of(Group::End),
            None => Handling::end("pass"),
        },
    }
}

pub(crate) fn headline(battle: &Battle, events: &[Event]) -> Headline {
    let name = |unit: UnitId| &battle.fixed.entry(unit).name;
    let foe = |unit: UnitId| Some(battle.picket(unit).side.other());
    let found = events.iter().find_map(|event| match event {
        Event::FellBack { unit } => Some(Headline::new(0, format!("{} falls back", name(*unit)), foe(*unit))),
        Event::Stood { unit } => {
            let side = foe(*unit).map(sabretache_engine::ids::Side::other);
            Some(Headline::new(1, format!("{} stands", name(*unit)), side))
        }
        Event::Fired { at, hits: 0, .. } => {
            let side = foe(*at).map(sabretache_engine::ids::Side::other);
            Some(Headline::new(1, format!("{} stands", name(*at)), side))
        }
        _ => None,
    });
    found.unwrap_or_else(|| Headline::new(1, "nothing to roll for", None))
}

pub(crate) fn fates(before: &Battle, after: &Battle) -> Vec<Fate> {
    let all = sabretache_kit::unit_ids(before.pickets.len());
    let lost = all.filter(|unit| after.picket(*unit).gone && !before.picket(*unit).gone);
    lost.map(|unit| Fate { unit, routs: false, lost: true, loss: 1 }).collect()
}

pub(crate) fn invites(before: &Battle, after: &Battle, offer: &Offer) -> Vec<Invitation> {
    let (Offer::Advance(unit) | Offer::Wheel(unit)) = *offer else { return Vec::new() };
    let there = after.placed(unit);
    let foes = after.of(before.picket(unit).side.other());
    let zoned = foes.filter(|foe| contact(&moving::zone(after, *foe), &there) != Contact::Apart);
    let one = |by: UnitId| Invitation {
        text: format!("in the zone of {}", after.fixed.entry(by).name),
        by: by.into(),
        clause: PK_VOL_01,
    };
    zoned.map(one).collect()
}

pub(crate) fn touched(event: &Event) -> Vec<UnitId> {
    match event {
        Event::Fired { at, .. } => vec![*at],
        _ => Vec::new(),
    }
}
