//! The offers while units act on an order: what they may do is told in the file of each kind of move.

use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Refusal, Value};
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;
use smallvec::SmallVec;

use super::{must_act, waiting};
use crate::Huzzah;
use crate::battle::Battle;
use crate::clauses::{HZ_BLO_09, HZ_BOM_20, HZ_FOR_04, HZ_ORD_28};
use crate::offer::Offer;
use crate::phases::advance::offers::{self as advance, Advance};
use crate::phases::deploy::offers::{self as deploy, Deploy};
use crate::phases::manoeuvre::offers::{self as manoeuvre, Manoeuvre};
use crate::phases::siege::offers as siege;
use crate::phases::{Play, orders};
use crate::state::{Acting, Addressee, Way};
use crate::table::Field;
use crate::troops::{Forced, Formation, Order};
use crate::words::labels::{of_unit, plain};
use crate::words::names::{unit_id, unit_name};

/// What is done about an order in hand, apart from the moves themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acts {
    /// Obey the recall.
    Recall(UnitId),
    /// Everybody has acted who is to act.
    Done,
    /// Go on with the move.
    GoOn,
    /// Stop here.
    Halt,
}

/// What the units may do on the order in hand.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    let field = Field::of(battle);
    let must = battle.doing.acting.and_then(|acting| must_act(&field, &acting));
    if must.is_none() {
        out.push(Acts::Done.into());
    }
    let Some(acting) = battle.doing.acting else { return };
    for unit in waiting(&field, &acting) {
        unit_offers(&field, unit, &acting, out);
    }
}

/// What one of them may do.
fn unit_offers(field: &Field<'_>, unit: UnitId, acting: &Acting, out: &mut Vec<Offer>) {
    if !field.battle.is_present(unit) {
        return advance::enter_offers(field, unit, acting, out);
    }
    match acting.order {
        Order::Advance | Order::Retire => advance::offers(field, unit, acting, out),
        Order::Manoeuvre => manoeuvre::offers(field, unit, out),
        Order::Deploy => deploy::offers(field, unit, out),
        Order::Recall => out.push(Acts::Recall(unit).into()),
        Order::Appoint | Order::Rearm => {}
    }
}

/// Those that might act on the order in hand.
pub(crate) fn might_act(battle: &Battle, out: &mut Vec<Option<Named>>) {
    out.push(None);
    if let Some(acting) = battle.doing.acting {
        out.extend(waiting(&Field::of(battle), &acting).into_iter().map(|unit| Some(unit.into())));
    }
}

/// What one of them may do; that the order is done, where nobody in particular is asked for.
pub(crate) fn offers_of(battle: &Battle, actor: Option<Named>, out: &mut Vec<Offer>) {
    let field = Field::of(battle);
    match (actor, battle.doing.acting) {
        (None, acting) if acting.and_then(|acting| must_act(&field, &acting)).is_none() => out.push(Acts::Done.into()),
        (Some(Named::Unit(unit)), Some(acting)) if waiting(&field, &acting).contains(&unit) => {
            unit_offers(&field, unit, &acting, out);
        }
        _ => {}
    }
}

/// What a unit under fire may do.
pub(crate) fn go_on_offers(_battle: &Battle, out: &mut Vec<Offer>) {
    out.extend([Acts::GoOn, Acts::Halt].map(Offer::from));
}

/// What the units ordered may not do on the order in hand, and why.
pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    let Some(acting) = battle.doing.acting else { return };
    let field = Field::of(battle);
    if let Some(unit) = must_act(&field, &acting) {
        let says = format!("{} must first obey its forced order", unit_name(battle, unit));
        out.push((Acts::Done.into(), Refusal::new(HZ_FOR_04, says)));
    }
    let ordered = orders::units_ordered(battle, acting.officer, acting.to);
    if let Addressee::Group(id) = acting.to {
        for unit in battle.units_of(id).filter(|&unit| battle.is_present(unit) && !ordered.contains(&unit)) {
            let (clause, says) = orders::why_not_ordered(battle, unit);
            out.extend(would(battle, unit, acting.order).into_iter().map(|one| (one, Refusal::new(clause, says))));
        }
    }
    for unit in ordered.into_iter().filter(|&unit| battle.is_present(unit)) {
        if let Err((clause, says)) = orders::may_act(&field, unit, acting.order) {
            out.extend(would(battle, unit, acting.order).into_iter().map(|one| (one, Refusal::new(clause, says))));
            continue;
        }
        match acting.order {
            Order::Advance => advance::closed(&field, unit, Way::Ahead, &acting, out),
            Order::Retire => advance::closed(&field, unit, Way::Back, &acting, out),
            Order::Manoeuvre => manoeuvre::closed(battle, unit, out),
            Order::Deploy => deploy::closed(&field, unit, out),
            Order::Appoint | Order::Rearm | Order::Recall => {}
        }
        if battle.unit(unit).acted != battle.doing.orders {
            ground_closes(&field, unit, &acting, out);
        }
    }
}

/// What the ground closes to a unit that may act on the order in hand.
fn ground_closes(field: &Field<'_>, unit: UnitId, acting: &Acting, out: &mut Vec<(Offer, Refusal)>) {
    if field.battle.lay.terrain.is_empty() {
        return;
    }
    match acting.order {
        Order::Manoeuvre if !field.battle.is_unlimbered(unit) => {
            for way in [Way::Left, Way::Right] {
                advance::closed(field, unit, way, acting, out);
            }
        }
        Order::Advance => {
            siege::closed(field, unit, out);
            advance::across_closed(field, unit, out);
        }
        Order::Deploy => deploy::sectors_closed(field, unit, out),
        Order::Retire | Order::Manoeuvre | Order::Appoint | Order::Rearm | Order::Recall => {}
    }
}

/// What a unit would do on an order, were it allowed to.
fn would(battle: &Battle, unit: UnitId, order: Order) -> SmallVec<[Offer; 6]> {
    let go = |way: Way| Advance::Go { unit, way, stretch: 0 }.into();
    let one: Offer = match order {
        Order::Manoeuvre => Manoeuvre::Wheel(unit).into(),
        Order::Recall => Acts::Recall(unit).into(),
        Order::Retire => go(Way::Back),
        Order::Advance | Order::Appoint | Order::Rearm => go(Way::Ahead),
        Order::Deploy => {
            let mut formations = crate::phases::deploy::formations(battle, unit);
            formations.retain(|formation| *formation != Formation::Line);
            let all = [Formation::Line].into_iter().chain(formations);
            return all.map(|formation| Deploy::Change { unit, formation }.into()).collect();
        }
    };
    SmallVec::from_iter([one])
}

impl Acts {
    /// Whether it could be carried out at all, were the rules that close it left aside.
    pub(crate) fn is_possible(self, battle: &Battle) -> bool {
        match self {
            Self::Recall(unit) => battle.unit(unit).forced == Some(Forced::Recall),
            Self::Done | Self::GoOn | Self::Halt => true,
        }
    }
}

impl Part<Huzzah> for Acts {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Recall(unit) => Some(unit.into()),
            Self::Done | Self::GoOn | Self::Halt => None,
        }
    }

    fn carry_out(self, play: &mut Play<'_>, _value: &Value) -> Result<(), Halt> {
        match self {
            Self::Recall(unit) => super::recall(play, unit),
            Self::Done => orders::done(play),
            Self::GoOn => super::go_on(play, false),
            Self::Halt => super::go_on(play, true),
        }
    }

    fn key(self, battle: &Battle) -> String {
        match self {
            Self::Recall(unit) => format!("recall {}", unit_id(battle, unit)),
            Self::Done => "done".into(),
            Self::GoOn => "go on".into(),
            Self::Halt => "halt".into(),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        match self {
            Self::Recall(unit) => {
                of_unit(battle, unit, format!("{} obeys the recall", unit_name(battle, unit)), HZ_BLO_09)
            }
            Self::Done => plain("Enough of this order", HZ_ORD_28),
            Self::GoOn => plain("Go on", HZ_BOM_20),
            Self::Halt => plain("Halt here", HZ_BOM_20),
        }
    }

    fn handling(self, battle: &Battle) -> Handling {
        let moving = |act: &'static str| match battle.doing.moving {
            Some(moving) => Handling::act(act, moving.unit),
            None => Handling::end(act),
        };
        match self {
            Self::Recall(unit) => Handling::act("recall", unit),
            Self::Done => Handling::end("end"),
            Self::GoOn => moving("go_on"),
            Self::Halt => moving("halt"),
        }
    }
}
