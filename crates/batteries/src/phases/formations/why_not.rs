//! Why a formation that was named is closed to a unit.

use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::Refusal;

use crate::battle::{Battle, Kind};
use crate::clauses::*;
use crate::offer::Offer;
use crate::phases::formations::command_points::needs_no_point;
use crate::phases::formations::offers::Formations;
use crate::phases::towns::offers::Towns;
use crate::troops::{Arm, Formation};

/// Why the formation named in a choice is not open; nothing for a name that means none, or one that is open.
pub(crate) fn why_not(battle: &Battle, offer: &Offer, name: &str) -> Option<Refusal> {
    match *offer {
        Offer::Formations(Formations::Form(unit)) => may_form(battle, unit, name).err(),
        Offer::Towns(Towns::Emerge { unit, side }) => {
            let known = battle.emerging_shapes(unit).iter().any(|(held, ..)| held == name);
            if known {
                let room = battle.emerging(unit, side, name).is_some();
                return (!room).then(|| Refusal::new(BB_TWN_09, "there is no room for it on that side"));
            }
            never(battle, unit, name.split(" facing ").next().unwrap_or(name))
        }
        _ => None,
    }
}

fn may_form(battle: &Battle, unit: UnitId, name: &str) -> Result<(), Refusal> {
    let Some(shape) = battle.shape_named(unit, name) else {
        let form = name.split(',').next().unwrap_or(name);
        return never(battle, unit, form).map_or(Ok(()), Err);
    };
    battle.may_form(unit, &shape)?;
    battle.who_pays(unit).map(|_| ()).or_else(|unpaid| if needs_no_point(name, &unpaid) { Ok(()) } else { Err(unpaid) })
}

/// Why a unit can never take up a form, or has it already.
fn never(battle: &Battle, unit: UnitId, form: &str) -> Option<Refusal> {
    let (state, facts, numbers) = (battle.unit(unit), battle.facts(unit), battle.numbers());
    let (foot, horse) = (battle.arm(unit) == Arm::Foot, battle.arm(unit) == Arm::Horse);
    let no = |clause: Clause, why: &str| Some(Refusal::new(clause, why));
    let front = form.split(' ').find_map(|word| word.parse::<u16>().ok());
    let so_already = || no(BB_MOV_04, "it is so formed already");
    decides!(BB_UNI_13, BB_UNI_14);
    match form {
        "square" if !foot => no(BB_UNI_13, "only infantry forms square"),
        "square" if battle.skirmishing(unit) => no(BB_UNI_13, "skirmishers must reform before they form square"),
        "square" if state.figures < numbers.square.least => {
            no(BB_UNI_13, &format!("a square needs {} figures", numbers.square.least))
        }
        "skirmish order" if !matches!(facts.kind, Kind::Foot { light: true, .. }) => {
            no(BB_UNI_14, "only light infantry takes skirmish order")
        }
        "column masse" if facts.masse(state.figures, numbers).is_none() => {
            no(BB_OPT_73, "only Austrian infantry of 8 figures or more forms column masse")
        }
        "square" | "skirmish order" | "column masse" => so_already(),
        "face left" | "face right" | "about face" if state.formation == Formation::Square => {
            no(BB_UNI_13, "a square faces every way")
        }
        "face left" | "face right" | "about face" if battle.skirmishing(unit) => {
            no(BB_MOV_23, "skirmishers turn freely, without a change of facing")
        }
        _ if form == "unlimber" || form.starts_with("limber") => {
            decides!(BB_UNI_16);
            if foot || horse {
                no(BB_UNI_16, "only guns are limbered and unlimbered")
            } else if front.is_some_and(|front| front == 0 || front > state.models()) {
                no(BB_UNI_26, "it has not so many models")
            } else {
                so_already()
            }
        }
        _ if form.starts_with("bent line") => no(BB_UNI_18, "it cannot bend its line like that"),
        _ if form.ends_with(" wide") && front.is_some() => {
            decides!(BB_UNI_15);
            if horse { by_stands(battle, unit, front, BB_UNI_15) } else { no(BB_UNI_15, "only cavalry forms so") }
        }
        _ if form == "extended line" || form.starts_with("column of ") || form.starts_with("line of ") => {
            let wide = match form.split(' ').next() {
                Some("column") => 1..=numbers.widths.column,
                Some("line") => numbers.widths.column + 1..=numbers.widths.line,
                _ => numbers.widths.line + 1..=u16::MAX,
            };
            let clause = match form.split(' ').next() {
                Some("column") => BB_UNI_10,
                Some("line") => BB_UNI_11,
                _ => BB_UNI_12,
            };
            if !foot {
                no(clause, "only infantry forms so")
            } else if !wide.contains(&front.unwrap_or(state.figures)) {
                no(clause, "a front of that width is not called so")
            } else {
                by_stands(battle, unit, front, clause)
            }
        }
        _ => None,
    }
}

/// A front is made of whole stands, and no wider than all of them.
fn by_stands(battle: &Battle, unit: UnitId, front: Option<u16>, clause: Clause) -> Option<Refusal> {
    let (figures, each) = (battle.unit(unit).figures, u16::from(battle.facts(unit).per_stand.max(1)));
    let front = front.unwrap_or(figures);
    if front > figures {
        return Some(Refusal::new(clause, format!("it has {figures} figures and no more")));
    }
    if front == 0 || (front != figures && !front.is_multiple_of(each)) {
        return Some(Refusal::new(BB_UNI_23, format!("its stands have {each} figures, and it forms up by stands")));
    }
    Some(Refusal::new(BB_MOV_04, "it is so formed already"))
}
