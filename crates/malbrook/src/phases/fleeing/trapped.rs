//! No way out: those who are blocked, and who give themselves up (MB-RES-19, MB-RES-24).

use super::*;

/// No way out: a casualty, and routers give themselves up to enemy at hand (MB-RES-19, 24).
pub(super) fn blocked(play: &mut Play<'_>, unit: UnitId, routs: bool) -> Result<(), Halt> {
    if routs && must_surrender(play.battle(), unit) {
        return surrender(play, unit);
    }
    play.happen(Event::Barred { unit });
    harm(play, unit, 0, 1, Cause::Morale)?;
    if routs && play.battle().brigade(unit).is_unit() {
        let loose = loose_fits(play.battle(), unit);
        if loose {
            play.happen(Event::Became { unit, status: Status::Routing });
        }
        for blow in play.battle().rout_of(unit) {
            play.happen(Event::Noted { blow });
        }
    }
    Ok(())
}

pub(super) fn surrender(play: &mut Play<'_>, unit: UnitId) -> Result<(), Halt> {
    let blow = play.battle().blow(unit, BlowKind::Destroyed, None);
    destroy(play, unit, Status::Surrendered)?;
    play.happen(Event::Noted { blow });
    Ok(())
}

/// Routers who are blocked still give themselves up to enemy who come near, at the end of any phase (MB-RES-24).
pub(crate) fn surrender_the_trapped(play: &mut Play<'_>) -> Result<(), Halt> {
    let battle = play.battle();
    let trapped = |unit: &UnitId| {
        battle.brigade(*unit).is_routing() && must_surrender(battle, *unit) && {
            let barred = splitting::barred(battle, *unit, rearward(battle, *unit));
            barred.iter().all(|one| *one)
        }
    };
    let trapped: Vec<UnitId> = battle.all().filter(trapped).collect();
    for unit in trapped {
        surrender(play, unit)?;
    }
    Ok(())
}

/// Enemy brigades within 2 inches.
pub(super) fn must_surrender(battle: &Battle, unit: UnitId) -> bool {
    let near_by = battle.fixed.numbers.surrender.length();
    let figure = battle.figure(unit);
    battle
        .enemies_around(battle.brigade(unit).side, figure.bounds(), near_by)
        .any(|enemy| battle.brigade(enemy).is_brigade() && near(figure, battle.figure(enemy), near_by))
}

/// Whether a brigade could spread into a crowd where it stands.
pub(super) fn loose_fits(battle: &Battle, unit: UnitId) -> bool {
    let crowd = battle.brigade(unit).loosened();
    battle.stands(unit, &Figure::of(&crowd, crowd.pose))
}
