//! Messages: new orders and re-assigned troops, in person or by messenger.

use crate::phases::command;
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value, WrongValue};
use sabretache_table::{Convex, Point, Unit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::battle::Battle;
use crate::brigade::Order;
use crate::clauses::{MB_LEA_12, MB_ORD_05, MB_ORD_06, MB_ORD_07, MB_ORD_08, MB_ORD_09, MB_ORD_11, MB_ORG_02};
use crate::event::{Event, Phase};
use crate::phases::harm::Play;
use crate::table::lay::near;
use crate::troops::{Kind, OrderKind, Rank};

pub(crate) mod offers;
mod riders;

pub(crate) use offers::{closed, listened_to, offers, rides_of, said_by};
pub(crate) use riders::{is_alone, lone_riders, may_ride_rider, ride, rider_at, rider_input, riders};

/// What a leader has to say to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Word {
    /// New orders for his wing.
    Orders(Order),
    /// He gives up these brigades to another leader.
    Troops {
        /// Which.
        units: Vec<UnitId>,
        /// To whom.
        to: OfficerId,
    },
    /// He gives up a command to another wing.
    Command {
        /// Whose command.
        leader: OfficerId,
        /// To which Lieutenant General.
        to: OfficerId,
    },
}

/// A message under way, or said and not yet listened to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dispatch {
    /// Its number, counted from 1.
    pub id: u16,
    /// From whom.
    pub by: OfficerId,
    /// To whom.
    pub to: OfficerId,
    /// What it says.
    pub word: Word,
    /// Where its messenger is; nothing where it was said in person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rider: Option<Point>,
    /// The messenger has ridden this turn.
    #[serde(default)]
    pub rode: bool,
    /// The messenger has reached the recipient and waits.
    #[serde(default)]
    pub arrived: bool,
    /// It was listened to, and takes effect at the end of the phase.
    #[serde(default)]
    pub heard: bool,
    /// In which turn it was given.
    pub turn: u32,
}

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

pub(crate) fn dispatch(battle: &Battle, id: u16) -> Option<&Dispatch> {
    battle.dispatches.iter().find(|one| one.id == id)
}

/// Two leaders, or a messenger and a leader, touch.
fn bases_touch(battle: &Battle, a: Point, b: Point) -> bool {
    let radius = battle.fixed.numbers.bases.leader.length();
    near(&Convex::place(a.v()), &Convex::place(b.v()), radius * 2)
}

pub(crate) fn leaders_touch(battle: &Battle, a: OfficerId, b: OfficerId) -> bool {
    bases_touch(battle, battle.leader(a).at, battle.leader(b).at)
}

/// Whether a leader may give orders now at all (MB-LEA-12).
fn may_give_orders(battle: &Battle, by: OfficerId) -> Result<(), Refusal> {
    decides!(MB_LEA_12);
    command::may_act(battle, by)?;
    let one = battle.leader(by);
    if one.rank == Rank::MajorGeneral || one.attached.is_some() {
        battle.forbid(MB_LEA_12, "only a detached Lieutenant General or Marshal gives orders")?;
    }
    Ok(())
}

/// Whether a leader may give another's wing new orders (MB-ORD-05).
pub(crate) fn may_order(battle: &Battle, by: OfficerId, to: OfficerId, order: Order) -> Result<(), Refusal> {
    decides!(MB_ORD_05);
    may_give_orders(battle, by)?;
    let (giver, holder) = (battle.leader(by), battle.leader(to));
    let his_own = by == to && giver.rank == Rank::Marshal;
    if giver.rank != Rank::Marshal || !(holder.above == Some(by) || his_own) || holder.lost {
        battle.forbid(MB_ORD_05, "only the Marshal over a wing changes its orders")?;
    }
    if holder.order.is_none() {
        return no(MB_ORD_05, "he holds no orders for a wing");
    }
    let placed = order.position.is_some_and(|n| usize::from(n) < battle.fixed.scenario.body.positions.len());
    if placed != (order.kind != OrderKind::Attack) || holder.order == Some(order) {
        return no(MB_ORD_05, "these are no new orders");
    }
    Ok(())
}

/// Orders that could be given to the holder of others.
fn orders_for(battle: &Battle, to: OfficerId) -> impl Iterator<Item = Order> + '_ {
    let positions = 0..battle.fixed.scenario.body.positions.len() as u16;
    let placed = [OrderKind::Defend, OrderKind::AdvanceAndDefend]
        .into_iter()
        .flat_map(move |kind| positions.clone().map(move |position| Order { kind, position: Some(position) }));
    let held = battle.leader(to).order;
    std::iter::once(Order { kind: OrderKind::Attack, position: None })
        .chain(placed)
        .filter(move |order| held.is_some() && held != Some(*order))
}

/// The brigades that a leader could order another to give up to a third (MB-ORD-09).
pub(crate) fn may_reassign(
    battle: &Battle,
    by: OfficerId,
    from: OfficerId,
    to: OfficerId,
) -> Result<Vec<UnitId>, Refusal> {
    decides!(MB_ORD_09);
    may_give_orders(battle, by)?;
    let (giver, gainer) = (battle.leader(by), battle.leader(to));
    if battle.leader(from).above != Some(by) || gainer.rank != Rank::MajorGeneral || gainer.lost || from == to {
        if from == to || gainer.lost {
            return no(MB_ORD_09, "there is nobody to give them up to");
        }
        battle.forbid(MB_ORD_09, "a leader orders one directly under him to give up brigades to a Major General")?;
    }
    let in_reach = gainer.above == Some(by)
        || (giver.rank == Rank::Marshal && gainer.above.is_some_and(|above| battle.leader(above).above == Some(by)));
    if !in_reach {
        battle.forbid(MB_ORD_09, "only the Marshal moves troops from one wing to another")?;
    }
    let gives = |unit: &UnitId| {
        let brigade = battle.brigade(*unit);
        brigade.kind.is_brigade() && brigade.under != to && battle.in_chain(from, *unit)
    };
    let units: Vec<UnitId> = battle.of(giver.side).filter(|unit| gives(unit)).collect();
    let fitting: Vec<UnitId> = units.into_iter().filter(|unit| arm_fits(battle, to, *unit)).collect();
    if fitting.is_empty() {
        return no(MB_ORG_02, "no brigade of his would fit that command: it is all foot or all cavalry");
    }
    Ok(fitting)
}

/// Whether a brigade fits a command, which is all foot or all cavalry (MB-ORG-02).
fn arm_fits(battle: &Battle, leader: OfficerId, unit: UnitId) -> bool {
    let of = |kind: Kind| (kind.is_infantry(), matches!(kind, Kind::Horse | Kind::Hussars));
    let (foot, horse) = of(battle.brigade(unit).kind);
    let clashes = |other: &UnitId| {
        let (their_foot, their_horse) = of(battle.brigade(*other).kind);
        (foot && their_horse) || (horse && their_foot)
    };
    let waived = battle.fixed.scenario.body.leaders[leader.index()].mixed_command;
    let side = battle.leader(leader).side;
    waived || !battle.of(side).filter(|other| battle.brigade(*other).under == leader).any(|other| clashes(&other))
}

/// Whether the Marshal may move a whole command from one wing to another (MB-ORD-09).
pub(crate) fn may_move_command(
    battle: &Battle,
    by: OfficerId,
    leader: OfficerId,
    to: OfficerId,
) -> Result<(), Refusal> {
    may_give_orders(battle, by)?;
    let (one, gainer) = (battle.leader(leader), battle.leader(to));
    let wings = one.above.is_some_and(|from| from != to && battle.leader(from).above == Some(by));
    let fits = one.rank == Rank::MajorGeneral && gainer.rank == Rank::LieutenantGeneral && !gainer.lost;
    if battle.leader(by).rank != Rank::Marshal || !wings || !fits || gainer.above != Some(by) || one.lost {
        return no(MB_ORD_09, "only the Marshal moves a command from one of his wings to another");
    }
    Ok(())
}

/// Whether a leader may listen to what he is told (MB-ORD-08).
pub(crate) fn may_listen(battle: &Battle, leader: OfficerId, id: u16) -> Result<(), Refusal> {
    decides!(MB_ORD_08);
    let Some(dispatch) = dispatch(battle, id).filter(|one| one.to == leader && !one.heard) else {
        return no(MB_ORD_08, "nobody has anything to tell him");
    };
    let there = match dispatch.rider {
        Some(_) => dispatch.arrived,
        None => !battle.leader(dispatch.by).lost && leaders_touch(battle, dispatch.by, leader),
    };
    if !there {
        battle.forbid(MB_ORD_08, "the messenger is not in contact with him")?;
    }
    command::may_act(battle, leader)
}

fn free_number(battle: &Battle) -> u16 {
    battle.dispatches.iter().map(|one| one.id).max().unwrap_or(0) + 1
}

/// Says something: in person where the two touch, by a messenger otherwise (MB-ORD-05, 06).
fn say(play: &mut Play<'_>, by: OfficerId, to: OfficerId, word: Word) {
    decides!(MB_ORD_06);
    let battle = play.battle();
    let (id, turn, at) = (free_number(battle), battle.turn, battle.leader(by).at);
    let rider = (!leaders_touch(battle, by, to)).then_some(at);
    let dispatch = Dispatch { id, by, to, word, rider, rode: false, arrived: false, heard: false, turn };
    play.happen(Event::Dispatched { dispatch });
}

pub(crate) fn order(play: &mut Play<'_>, by: OfficerId, to: OfficerId, order: Order) -> Result<(), Halt> {
    may_order(play.battle(), by, to, order)?;
    if by == to {
        // An army without wings is one wing, under the Marshal himself (MB-ORG-04).
        play.happen(Event::Ordered { leader: to, order });
        return Ok(());
    }
    say(play, by, to, Word::Orders(order));
    Ok(())
}

pub(crate) fn reassign(
    play: &mut Play<'_>,
    by: OfficerId,
    from: OfficerId,
    to: OfficerId,
    units: Option<&[UnitId]>,
) -> Result<(), Halt> {
    let of = may_reassign(play.battle(), by, from, to)?;
    let units = units.ok_or(WrongValue("which brigades?".into()))?.to_vec();
    let most = of.len() as u16;
    Input::Units { of, least: 1, most }.check(&Value::Units(units.clone()), Unit::Inch)?;
    say(play, by, from, Word::Troops { units, to });
    Ok(())
}

pub(crate) fn move_command(play: &mut Play<'_>, by: OfficerId, leader: OfficerId, to: OfficerId) -> Result<(), Halt> {
    may_move_command(play.battle(), by, leader, to)?;
    let Some(from) = play.battle().leader(leader).above else { return Ok(()) };
    say(play, by, from, Word::Command { leader, to });
    Ok(())
}

pub(crate) fn listen(play: &mut Play<'_>, leader: OfficerId, rider: u16) -> Result<(), Halt> {
    may_listen(play.battle(), leader, rider)?;
    play.happen(Event::Heard { rider });
    Ok(())
}

/// The end of a side's command phase: troops that were given up change their superior, and words that nobody stayed to
/// hear are gone.
pub(crate) fn conclude(play: &mut Play<'_>, side: Side) {
    let heard: Vec<Dispatch> =
        play.battle().dispatches.iter().filter(|one| play.battle().leader(one.by).side == side).cloned().collect();
    for dispatch in heard {
        let rider = dispatch.id;
        if !dispatch.heard {
            let battle = play.battle();
            let stale = battle.turn > dispatch.turn || !leaders_touch(battle, dispatch.by, dispatch.to);
            if dispatch.rider.is_none() && stale {
                play.happen(Event::RiderLost { rider });
            }
            continue;
        }
        match dispatch.word {
            Word::Orders(_) => {}
            Word::Troops { units, to } => {
                for unit in units {
                    if play.battle().brigade(unit).is_unit() && !play.battle().leader(to).lost {
                        moves_under(play, Event::Reassigned { unit, to });
                    }
                }
            }
            Word::Command { leader, to } => {
                if !play.battle().leader(leader).lost && !play.battle().leader(to).lost {
                    moves_under(play, Event::CommandMoved { leader, to });
                }
            }
        }
        play.happen(Event::RiderLost { rider });
    }
}

/// Troops change their superior: leaders who are with brigades that are no longer under them then leave those brigades first
/// (MB-LEA-13).
fn moves_under(play: &mut Play<'_>, event: Event) {
    let battle = play.battle();
    let mut then = battle.clone();
    then.apply(&event);
    let strange = |leader: &OfficerId| {
        let attached = battle.leader(*leader).attached;
        attached.is_some_and(|unit| battle.in_chain(*leader, unit) && !then.in_chain(*leader, unit))
    };
    let leaders: Vec<OfficerId> = (0..battle.leaders.len() as u16).map(OfficerId).filter(strange).collect();
    for leader in leaders {
        play.happen(Event::Detached { leader });
    }
    play.happen(event);
}
