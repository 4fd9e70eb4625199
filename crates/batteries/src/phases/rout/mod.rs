//! Routs: how far, how many fall, and where the unit ends.

pub(crate) mod offers;
pub(crate) mod ways;

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal, Stop};
use sabretache_engine::resolution::{Purpose, Resolution, Wanted};
use sabretache_table::Length;

use crate::Batteries;
use crate::battle::{Baseline, Battle, Pending, Step};
use crate::clauses::*;
use crate::event::Event;
use crate::phases::screens;
use crate::situations::RoutRoll;
use crate::table::NEAR;
use ways::Look;

/// The rout table, its hits, and whether there is anywhere to go (BB-MOR-25, BB-MOR-26, BB-MOR-42, BB-MOR-43, BB-MOR-44).
pub(crate) fn rout(play: &mut Resolution<'_, Batteries>, unit: UnitId, cause: Option<UnitId>) -> Result<(), Halt> {
    decides!(BB_MOR_25, BB_MOR_26, BB_MOR_43, BB_MOR_44);
    screens::call_in(play, unit);
    let battle = play.battle();
    let (state, facts, numbers) = (*battle.unit(unit), *battle.facts(unit), battle.numbers().clone());
    let (_, to_centre) = battle.homeward(unit, battle.centre(unit));
    let facts_of = RoutRoll {
        grade: facts.grade,
        start: state.start,
        figures: state.figures,
        general: battle.charisma(unit),
        out_of_command: !battle.in_command(unit),
        to_centre: to_centre.map(|um| um / Length::inches(1).f()),
    };
    let purpose = Purpose { what: "rout", of: Some(unit.into()), side: facts.side };
    let (test, read) = (facts_of.test(&numbers), |_: &Battle, total| facts_of.row(total, &numbers));
    let Some((least, hits)) = play.roll_for(purpose, &test, &RoutRoll::throw(), Wanted::High, read)? else {
        play.happen(Event::Shattered { unit });
        return Ok(());
    };
    decides!(BB_MOR_42);
    let past = to_centre.is_some_and(|to_centre| least.f() > to_centre + NEAR);
    let hits = hits + if past { u16::from(numbers.past_centre.hits) } else { 0 };
    if hits > 0 {
        play.happen(Event::RoutHits { unit, hits: hits.min(state.figures) });
    }
    if play.battle().broken(unit) {
        play.happen(Event::Shattered { unit });
        return Ok(());
    }
    let battle = play.battle();
    let anywhere = battle.may_rout_outside(unit, least, cause) || !battle.rout_blocks(unit, least).is_empty();
    if !anywhere {
        let surrounded = matches!(battle.fixed.brigades[facts.brigade.index()].baseline, Baseline::Centre(_));
        play.happen(if surrounded && past { Event::Surrendered { unit } } else { Event::Shattered { unit } });
        return Ok(());
    }
    play.happen(Event::Asked { pending: Pending::Rout { unit, least, cause } });
    Ok(())
}

/// The rout move itself, as far as its owner wants and facing as he likes.
pub(crate) fn run(
    play: &mut Resolution<'_, Batteries>,
    unit: UnitId,
    least: Length,
    wish: Length,
    look: Look,
    cause: Option<UnitId>,
) -> Result<(), Halt> {
    let battle = play.battle();
    let from = battle.unit(unit).pose;
    let (_, to_centre) = battle.homeward(unit, battle.centre(unit));
    let Some((depth, _)) = battle.rout_to(unit, least, wish, look, cause) else {
        play.happen(Event::Shattered { unit });
        return Ok(());
    };
    // What was rolled did not take it past the centre of its position, but its owner does (BB-MOR-42).
    decides!(BB_MOR_42);
    let past = |depth: Length| to_centre.is_some_and(|to_centre| depth.f() > to_centre + NEAR);
    if past(depth) && !past(least) {
        let hits = u16::from(battle.numbers().past_centre.hits).min(battle.unit(unit).figures);
        play.happen(Event::RoutHits { unit, hits });
        if play.battle().broken(unit) {
            play.happen(Event::Shattered { unit });
            return Ok(());
        }
    }
    let battle = play.battle();
    match battle.rout_to(unit, least, depth, look, cause).map(|(_, end)| end) {
        None => play.happen(Event::Shattered { unit }),
        Some(Err(())) => {
            decides!(BB_OPT_13, BB_MOR_39, BB_OPT_92);
            let returns = battle.fixed.options.first_rout_off_table && !battle.unit(unit).fled_once;
            let leaves_guns = returns && battle.must_leave_guns(unit);
            play.happen(Event::LeftTable { unit, returns, leaves_guns });
        }
        Some(Ok(to)) => {
            let state = battle.routing(unit);
            let (formation, stands) = (state.formation, state.stands);
            let leaves_guns = battle.must_leave_guns(unit);
            play.happen(Event::Routed { unit, to, formation, stands, leaves_guns });
            crate::phases::aftermath::disorder_where_it_ends(play, unit, from);
        }
    }
    Ok(())
}

impl Battle {
    /// How far back a router may end, facing the enemy or away from him.
    pub(crate) fn rout_input(&self, look: Look, stretch: u8) -> Result<Input, Refusal> {
        let Some(Pending::Rout { unit, least, cause }) = self.pending else {
            return Err(Refusal::new(BB_MOR_25, "nobody routs"));
        };
        let open = self.rout_stretches(unit, least, look, cause).get(usize::from(stretch)).copied();
        let (least, most) = open.ok_or_else(|| Refusal::new(BB_MOR_35, "there is nowhere for it to end like that"))?;
        let mut stops = Vec::new();
        let (_, to_centre) = self.homeward(unit, self.centre(unit));
        if let Some(at) = to_centre.map(Length::floored).filter(|at| (least..most).contains(at)) {
            let why = "beyond the centre of its position two more figures are lost".into();
            stops.push(Stop { at, why, clause: BB_MOR_42 });
        }
        let from = self.centre(unit);
        let at = Length::floored((self.way_out(unit, from) - from).length());
        if (least..most).contains(&at) {
            stops.push(Stop { at, why: "beyond this it leaves the table".into(), clause: BB_MOR_39 });
        }
        stops.sort_by_key(|stop| stop.at);
        let farthest = most >= self.numbers().rout.farthest.0;
        let why = if farthest { "nobody routs farther" } else { "there is no room for it farther back" };
        stops.push(Stop { at: most, why: why.into(), clause: if farthest { BB_MOR_34 } else { BB_MOR_32 } });
        Ok(Input::Distance { least, most, stops })
    }
}

/// A rout on purpose: before it has moved, with a general near (BB-OPT-54).
pub(crate) fn may_rout_on_purpose(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    decides!(BB_OPT_54, BB_OPT_07);
    if !battle.fixed.options.voluntary_rout {
        return Err(Refusal::new(BB_OPT_07, "the rule for voluntary routs is not used"));
    }
    decides!(BB_OPT_65);
    if battle.is_screen(unit) {
        return Err(Refusal::new(BB_OPT_65, "a screen goes where its battalion goes"));
    }
    let now = &battle.unit(unit).now;
    if !matches!(battle.step, Step::MoveA | Step::MoveB) || battle.side(unit) != battle.phasing() {
        return Err(Refusal::new(BB_OPT_54, "only in its own movement phase"));
    }
    if now.moved || now.done || now.routed || now.stands {
        return Err(Refusal::new(BB_OPT_54, "only instead of any other move"));
    }
    let within = battle.numbers().voluntary.within.0.f() + NEAR;
    let near = battle.generals_of(battle.side(unit)).any(|general| {
        let leader = battle.general(general);
        battle.may_influence(general, unit)
            && (leader.with == Some(unit) || battle.distance_from(leader.at, unit) <= within)
    });
    if near { Ok(()) } else { Err(Refusal::new(BB_OPT_54, "no general who may influence it is within 2 in")) }
}
