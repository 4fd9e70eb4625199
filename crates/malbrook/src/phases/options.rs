//! Rules that a battle may be fought with or without: an umpire, several players a side, hidden movement, looting,
//! personal aims (MB-UMP, MB-VIC-05).

use crate::phases::messages;
use crate::phases::messages::offers::Messages;
use crate::phases::turn;
use sabretache_engine::clause::Clause;
use sabretache_engine::decides;
use sabretache_engine::ids::{Named, OfficerId, Side, UnitId};
use sabretache_engine::offer::{Halt, Refusal};
use sabretache_kit::Part;
use sabretache_table::{Length, Outline, first_contact};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Offer;
use crate::battle::Battle;
use crate::brigade::{Charge, Status};
use crate::clauses::{MB_UMP_01, MB_UMP_02, MB_UMP_03, MB_UMP_06};
use crate::event::{Event, Phase};
use crate::phases::harm::Play;
use crate::table::lay::near;
use crate::troops::OrderKind;

pub(crate) mod offers;

use offers::Optional;

/// Which of them are in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// There is an umpire, who answers challenges.
    pub umpire: bool,
    /// Brigades that nobody sees are hidden.
    pub hidden: bool,
    /// A wing's player knows only what his own wing sees.
    pub limited: bool,
    /// Brigades may loot camps.
    pub looting: bool,
    /// Leaders have aims of their own.
    pub personal: bool,
}

/// One of several players of a side (MB-UMP-02).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayerEntry {
    /// His name.
    pub name: String,
    /// The id of his side.
    pub side: String,
    /// The ids of the leaders whose troops he controls.
    #[schemars(length(min = 1, max = 50))]
    pub leaders: Vec<String>,
}

/// What became of a challenge to a wing that sits still (MB-UMP-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Challenge {
    /// The umpire has yet to answer.
    Made,
    /// He upholds it: the wing must move.
    Upheld,
    /// He refuses it.
    Refused,
}

fn no<T>(clause: Clause, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::new(clause, why))
}

// ---------------------------------------------------------------- several players a side

fn players(battle: &Battle) -> &[PlayerEntry] {
    &battle.fixed.scenario.body.players
}

/// Whether sides are shared by several players.
pub(crate) fn has_players(battle: &Battle) -> bool {
    !players(battle).is_empty()
}

fn plays_for(battle: &Battle, player: usize, side: Side) -> bool {
    let id = &battle.fixed.scenario.sides[side.index()].id;
    players(battle).get(player).is_some_and(|one| one.side == *id)
}

/// The players of a side, by number.
pub(crate) fn players_of(battle: &Battle, side: Side) -> impl Iterator<Item = u8> + '_ {
    (0..players(battle).len()).filter(move |player| plays_for(battle, *player, side)).map(|player| player as u8)
}

/// Who controls what is under a leader: the player of the nearest leader up the chain.
pub(crate) fn player_over(battle: &Battle, leader: OfficerId) -> Option<u8> {
    let mut above = Some(leader);
    while let Some(one) = above {
        let id = &battle.fixed.scenario.body.leaders[one.index()].id;
        let player = players(battle).iter().position(|player| player.leaders.contains(id));
        if let Some(player) = player {
            return Some(player as u8);
        }
        above = battle.leader(one).above;
    }
    players_of(battle, battle.leader(leader).side).next()
}

/// Whether the player who has the floor controls what is under a leader; everybody does where a side has one player.
pub(crate) fn has_floor(battle: &Battle, leader: OfficerId) -> bool {
    let side = battle.leader(leader).side;
    if players(battle).is_empty() || side != battle.active || players_of(battle, side).next().is_none() {
        return true;
    }
    player_over(battle, leader) == Some(battle.floor)
}

/// Whether a unit is for the player who has the floor (MB-UMP-02).
pub(crate) fn mine(battle: &Battle, unit: UnitId) -> Result<(), Refusal> {
    if has_floor(battle, battle.brigade(unit).under) {
        return Ok(());
    }
    no(MB_UMP_02, "another player of the side has that wing")
}

/// The first player of a side.
pub(crate) fn first_player(battle: &Battle, side: Side) -> u8 {
    players_of(battle, side).next().unwrap_or(0)
}

/// The other players of the active side who are not done with this phase.
fn waiting_players(battle: &Battle) -> impl Iterator<Item = u8> + '_ {
    let waits = |player: &u8| *player != battle.floor && battle.finished & (1 << (*player).min(15)) == 0;
    players_of(battle, battle.active).filter(waits)
}

/// The phases in which a side's players act each for himself.
fn shared_phase(battle: &Battle) -> bool {
    matches!(
        battle.phase,
        Phase::Bombardment
            | Phase::Command
            | Phase::Control
            | Phase::Movement
            | Phase::CloseFire
            | Phase::LoneShots
            | Phase::Charges
            | Phase::Responses
    )
}

/// Whether the floor may pass to another player.
fn may_hand_over(battle: &Battle, to: u8) -> Result<(), Refusal> {
    if !shared_phase(battle) || !waiting_players(battle).any(|player| player == to) {
        return no(MB_UMP_02, "no such player of the side waits");
    }
    if battle.group.is_some() || battle.die().is_some() {
        return no(MB_UMP_02, "what was begun is finished first");
    }
    Ok(())
}

/// The player who acts next when this one is done; nobody where all are.
pub(crate) fn next_player(battle: &Battle) -> Option<u8> {
    if shared_phase(battle) { waiting_players(battle).next() } else { None }
}

/// The leader whose troops an offer concerns.
fn concerns(battle: &Battle, offer: &Offer) -> Option<OfficerId> {
    match (*offer, offer.actor()) {
        (Offer::Messages(Messages::RideMessenger { rider, .. }), _) => {
            messages::dispatch(battle, rider).map(|one| one.by)
        }
        (_, Some(Named::Officer(leader))) => Some(leader),
        _ => crate::words::unit_of(battle, offer).map(|unit| battle.brigade(unit).under),
    }
}

/// Leaves only the offers of the player who has the floor, and those that pass it on.
pub(crate) fn for_the_floor(battle: &Battle, out: &mut Vec<Offer>) {
    if players(battle).is_empty() || !shared_phase(battle) || turn::interrupted(battle) {
        return;
    }
    out.retain(|offer| concerns(battle, offer).is_none_or(|leader| has_floor(battle, leader)));
    for to in waiting_players(battle).filter(|to| may_hand_over(battle, *to).is_ok()) {
        out.push(Optional::HandOver(to).into());
    }
}

/// An offer of another player is refused.
pub(crate) fn floor_allows(battle: &Battle, offer: &Offer) -> Result<(), Refusal> {
    decides!(MB_UMP_02);
    let others = !players(battle).is_empty() && shared_phase(battle) && !turn::interrupted(battle);
    match concerns(battle, offer) {
        Some(leader) if others && !has_floor(battle, leader) => {
            no(MB_UMP_02, "another player of the side has that wing")
        }
        _ => Ok(()),
    }
}

pub(crate) fn player_name(battle: &Battle, player: u8) -> &str {
    players(battle).get(usize::from(player)).map_or("nobody", |one| one.name.as_str())
}

/// The floor passes to another player of the side.
pub(crate) fn hand_over(play: &mut Play<'_>, to: u8) -> Result<(), Halt> {
    may_hand_over(play.battle(), to)?;
    let finished = play.battle().finished;
    play.happen(Event::Floor { player: to, finished });
    Ok(())
}

// ---------------------------------------------------------------- the umpire

/// Whether an attacking wing of the enemy has sat still long enough to be challenged (MB-UMP-01).
pub(crate) fn may_challenge(battle: &Battle, leader: OfficerId) -> Result<(), Refusal> {
    decides!(MB_UMP_01);
    let one = battle.leader(leader);
    if !battle.fixed.scenario.body.options.umpire {
        return no(MB_UMP_01, "there is no umpire to answer");
    }
    if battle.phase != Phase::Command || one.side == battle.active || one.lost {
        return no(MB_UMP_01, "a wing of the enemy is challenged in one's own command phase");
    }
    let attacks = one.order.is_some_and(|order| order.kind == OrderKind::Attack);
    if !attacks || one.idle < battle.fixed.numbers.idle_turns || one.challenge.is_some() {
        return no(MB_UMP_01, "only a wing ordered to attack that has sat still for three turns is challenged");
    }
    Ok(())
}

/// Whether the umpire has told a brigade's wing to move.
pub(crate) fn told_to_move(battle: &Battle, unit: UnitId) -> bool {
    let mut above = Some(battle.brigade(unit).under);
    while let Some(one) = above {
        if battle.leader(one).challenge == Some(Challenge::Upheld) {
            return true;
        }
        above = battle.leader(one).above;
    }
    false
}

pub(crate) fn challenges(battle: &Battle) -> impl Iterator<Item = OfficerId> + '_ {
    battle.leaders_of(battle.active.other()).filter(|leader| may_challenge(battle, *leader).is_ok())
}

pub(crate) fn challenge(play: &mut Play<'_>, leader: OfficerId) -> Result<(), Halt> {
    may_challenge(play.battle(), leader)?;
    play.happen(Event::Challenged { leader });
    Ok(())
}

// ---------------------------------------------------------------- hidden movement

pub(crate) fn hides(battle: &Battle) -> bool {
    battle.fixed.scenario.body.options.hidden
}

/// Whether the enemy knows of a unit (MB-GEN-14).
pub(crate) fn is_known(battle: &Battle, unit: UnitId) -> bool {
    !hides(battle) || battle.brigade(unit).known
}

/// Whether a wood or town that nobody has looked into lies within 6 inches: it may hide enemy (MB-UMP-03).
pub(crate) fn may_hide_enemy_near(battle: &Battle, unit: UnitId) -> bool {
    decides!(MB_UMP_03);
    if !hides(battle) || !battle.fixed.screens {
        return false;
    }
    let six = battle.fixed.numbers.near.length();
    let side = battle.brigade(unit).side;
    let figure = battle.figure(unit);
    battle.fixed.ground.near(&figure.bounds().grown(six.f())).any(|lie| {
        let ground = lie.feature.id.0;
        battle.fixed.lands[usize::from(ground)].screens
            && !battle.searched[side.index()].contains(&ground)
            && near(&lie, figure, six)
    })
}

/// Whether anybody of the other side sees a unit.
pub(crate) fn is_seen(battle: &Battle, unit: UnitId) -> bool {
    let side = battle.brigade(unit).side.other();
    let by_leader = |leader: OfficerId| battle.seen_from(&[battle.leader(leader).at.v()], None, unit);
    battle.of(side).any(|enemy| battle.sees(enemy, unit)) || battle.leaders_of(side).any(by_leader)
}

/// What a wing sees of the enemy (MB-UMP-04).
pub(crate) fn seen_by_wing(battle: &Battle, leader: OfficerId) -> Vec<UnitId> {
    let side = battle.leader(leader).side;
    let eyes: Vec<UnitId> = battle.of(side).filter(|unit| battle.in_chain(leader, *unit)).collect();
    battle.enemies(side).filter(|enemy| eyes.iter().any(|unit| battle.sees(*unit, *enemy))).collect()
}

/// Everybody looks about: what is seen is known, and woods and towns are searched (MB-UMP-03).
pub(crate) fn look_about(play: &mut Play<'_>) {
    decides!(MB_UMP_03);
    if !hides(play.battle()) {
        return;
    }
    let battle = play.battle();
    let two = battle.fixed.numbers.sight_in_cover.length();
    let shows = |unit: &UnitId| battle.shows_itself(*unit) || enemy_close(battle, *unit, two) || is_seen(battle, *unit);
    let seen: Vec<UnitId> =
        battle.all().filter(|unit| !battle.brigade(*unit).marks.suffered.seen && shows(unit)).collect();
    let mut searched = Vec::new();
    for lie in battle.fixed.ground.all().filter(|lie| battle.fixed.lands[usize::from(lie.feature.id.0)].screens) {
        for side in Side::BOTH {
            let ground = lie.feature.id.0;
            let looks = |unit: UnitId| near(&lie, battle.figure(unit), two);
            if !battle.searched[side.index()].contains(&ground) && battle.of(side).any(looks) {
                searched.push((side, ground));
            }
        }
    }
    for unit in seen {
        play.happen(Event::Seen { unit });
    }
    for (side, ground) in searched {
        play.happen(Event::Searched { side, ground });
    }
}

/// Whether any enemy, known or not, is within a distance.
fn enemy_close(battle: &Battle, unit: UnitId, distance: Length) -> bool {
    let figure = battle.figure(unit);
    battle
        .enemies_around(battle.brigade(unit).side, figure.bounds(), distance)
        .any(|enemy| near(figure, battle.figure(enemy), distance))
}

/// At the end of a turn those whom nobody saw all through it are hidden again.
pub(crate) fn hide_the_unseen(play: &mut Play<'_>) {
    if !hides(play.battle()) {
        return;
    }
    let battle = play.battle();
    let lost: Vec<UnitId> =
        battle.all().filter(|unit| battle.brigade(*unit).known && !battle.brigade(*unit).marks.suffered.seen).collect();
    for unit in lost {
        play.happen(Event::Hidden { unit });
    }
}

// ---------------------------------------------------------------- looting

/// A brigade that pursues, rides through or is out of hand and ends its move at a camp begins to loot (MB-UMP-06).
pub(crate) fn begin_looting(play: &mut Play<'_>, unit: UnitId) {
    decides!(MB_UMP_06);
    let battle = play.battle();
    let brigade = battle.brigade(unit);
    if !battle.fixed.scenario.body.options.looting || !brigade.is_brigade() || battle.in_combat(unit) {
        return;
    }
    let out_of_hand = !matches!(brigade.marks.control.by, Charge::By(_) | Charge::Attached | Charge::Conforms(_));
    let wild = brigade.status == Status::Pursuing || brigade.marks.onset.rode_through || out_of_hand;
    let figure = battle.figure(unit);
    let at_camp = battle.fixed.ground.near(&figure.bounds()).any(|lie| {
        battle.fixed.lands[usize::from(lie.feature.id.0)].camp
            && first_contact(figure, brigade.pose.heading.unit(), 1.0, &lie).is_some()
    });
    let crowd = brigade.loosened();
    let room = battle.stands(unit, &crate::table::lay::Figure::of(&crowd, crowd.pose));
    if wild && at_camp && room && matches!(brigade.status, Status::Steady | Status::Pursuing) {
        play.happen(Event::Became { unit, status: Status::Looting });
    }
}
