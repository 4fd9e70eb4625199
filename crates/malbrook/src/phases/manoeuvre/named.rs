//! Formations by their names, and why one that is named is closed to a unit.

use super::*;
use crate::clauses::{
    MB_FRM_01, MB_FRM_02, MB_FRM_03, MB_FRM_04, MB_FRM_07, MB_MAN_05, MB_MAN_06, MB_MAN_21, MB_MAN_23, MB_MOV_29,
    MB_ORG_06,
};
use crate::phases::manoeuvre::crowd::may_crowd;
use crate::{Deployment, Manoeuvres, Offer};
use sabretache_engine::decides;

/// Every formation a brigade can be told to take up, by name, and whether it is two ranks deep.
const FORMATIONS: [(&str, Formation, bool); 4] = [
    ("line", Formation::Line, false),
    ("two ranks", Formation::Line, true),
    ("field column", Formation::FieldColumn, false),
    ("march column", Formation::MarchColumn, false),
];

/// The ways it can be turned as it takes it up, in hundredths of a degree.
const TURNS: [(&str, i32); 3] = [("", 0), (" to the left", -9_000), (" to the right", 9_000)];

/// What a name means for a brigade.
pub(super) struct Named {
    pub(super) formation: Formation,
    pub(super) files: u8,
    pub(super) turn: Angle,
}

/// All the names.
pub(super) fn every_name() -> impl Iterator<Item = String> {
    FORMATIONS.iter().flat_map(|(name, ..)| TURNS.map(|(turn, _)| format!("{name}{turn}")))
}

/// What a name means for a brigade, or why that is closed to it wherever it stands; nothing for a name that means nothing.
pub(super) fn named(brigade: &Brigade, name: &str) -> Option<Result<Named, (Clause, &'static str)>> {
    decides!(MB_FRM_01, MB_FRM_02, MB_FRM_03, MB_MAN_23, MB_MAN_21);
    let (base, turn) = TURNS[1..]
        .iter()
        .find_map(|(ends, turn)| name.strip_suffix(ends).map(|base| (base, *turn)))
        .unwrap_or((name, 0));
    if name == "unformed" {
        return Some(Err((MB_FRM_04, "nobody chooses to be unformed")));
    }
    if matches!(name, "limbered" | "unlimbered") {
        return Some(Err((MB_FRM_07, "only guns are limbered and unlimbered")));
    }
    let (_, formation, two) = *FORMATIONS.iter().find(|(known, ..)| *known == base)?;
    let files = match formation {
        Formation::Line if two => brigade.bases.div_ceil(2),
        Formation::Line => brigade.bases,
        Formation::FieldColumn => 2,
        _ => 1,
    };
    let no = |clause: Clause, why: &'static str| Some(Err((clause, why)));
    if formation == Formation::FieldColumn && brigade.bases < 3 {
        return no(MB_FRM_03, "a field column needs three bases or more");
    }
    if two && files < 2 {
        return no(MB_FRM_01, "a line of two ranks is two bases wide or more");
    }
    if two && brigade.depth * 2 > brigade.width * i32::from(files) {
        return no(MB_FRM_01, "a line is no deeper than it is wide");
    }
    if turn != 0 && brigade.is_unformed() {
        return no(MB_MAN_05, "unformed troops turn by themselves before they re-form");
    }
    if turn != 0 && !formation.is_column() && !brigade.formation.is_column() {
        return no(MB_MAN_06, "a turn is made only into column or out of it");
    }
    if formation == brigade.formation && files == brigade.files && turn == 0 && brigade.refused.is_none() {
        return no(MB_MAN_06, "it is so formed already");
    }
    Some(Ok(Named { formation, files, turn: Angle::hundredths(turn) }))
}

/// Why the formation named in a choice is not open; nothing for a name that means none, or one that is open.
pub(crate) fn why_not(battle: &Battle, offer: &Offer, name: &str) -> Option<Refusal> {
    match *offer {
        Offer::Manoeuvres(Manoeuvres::Form(unit)) => {
            let clause = if battle.brigade(unit).is_unformed() { MB_MAN_05 } else { MB_MAN_06 };
            closed_here(battle, unit, name, clause)
        }
        Offer::Deployment(Deployment::DeployIn(unit)) => {
            let brigade = battle.brigade(unit);
            if brigade.kind.is_gun() {
                let as_it_is = if brigade.formation == Formation::Limbered { "limbered" } else { "unlimbered" };
                let known = name == "unformed" || every_name().any(|one| one == name);
                return match () {
                    () if name == as_it_is => Some(Refusal::new(MB_ORG_06, "it stands so already")),
                    () if known => Some(Refusal::new(MB_FRM_07, "a gun has no formation")),
                    () => None,
                };
            }
            if every_name().any(|one| one == name) && name.contains(" to the ") {
                return Some(Refusal::new(MB_ORG_06, "it is formed first, and turned by itself"));
            }
            closed_here(battle, unit, name, MB_ORG_06)
        }
        Offer::Manoeuvres(Manoeuvres::Crowd(unit)) => {
            let files: u8 = name.strip_suffix(" abreast")?.parse().ok()?;
            may_crowd(battle, unit, files).err().map(|why| Refusal::new(MB_MOV_29, why))
        }
        _ => None,
    }
}

/// Why a brigade cannot take up a formation where it stands.
fn closed_here(battle: &Battle, unit: UnitId, name: &str, no_room: Clause) -> Option<Refusal> {
    match named(battle.brigade(unit), name)? {
        Err((clause, why)) => Some(Refusal::new(clause, why)),
        Ok(_) if in_formation(battle, unit, name).is_none() => {
            Some(Refusal::new(no_room, format!("there is no room to form {name}")))
        }
        Ok(_) => None,
    }
}
