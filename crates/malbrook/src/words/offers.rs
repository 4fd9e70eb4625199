//! Offers in words.

use super::*;
use crate::phases::messages;
use crate::phases::options;

pub(super) fn step_word(step: Step) -> &'static str {
    match step {
        Step::Left => "left",
        Step::Right => "right",
        Step::Back => "back",
    }
}

pub(crate) fn key(battle: &Battle, offer: &Offer) -> String {
    let id = |unit: &UnitId| battle.id_of(*unit);
    let who = |leader: &OfficerId| battle.leader_key(*leader);
    let side = |right: &bool| if *right { "right" } else { "left" };
    match offer {
        Offer::RollInitiative => "roll initiative".into(),
        Offer::GoFirst => "go first".into(),
        Offer::GoSecond => "go second".into(),
        Offer::End => "end".into(),
        Offer::SetDown(unit) => format!("set down {}", id(unit)),
        Offer::Face(unit) => format!("face {}", id(unit)),
        Offer::DeployIn(unit) => format!("deploy {}", id(unit)),
        Offer::SetDownLeader(leader) => format!("set down {}", who(leader)),
        Offer::Enter(unit) => format!("enter {}", id(unit)),
        Offer::HandOver(to) => format!("hand over to {}", options::player_name(battle, *to)),
        Offer::Challenge(leader) => format!("challenge {}", who(leader)),
        Offer::Fire { gun, at } => format!("fire {} at {}", id(gun), id(at)),
        Offer::Shell { gun, at } => format!("shell {} at {}", id(gun), id(at)),
        Offer::Ride { leader, double } => format!("ride {}{}", who(leader), if *double { " double" } else { "" }),
        Offer::Attach { leader, unit } => format!("attach {} to {}", who(leader), id(unit)),
        Offer::Steady(leader) => format!("steady {}", who(leader)),
        Offer::Inspire(leader) => format!("inspire {}", who(leader)),
        Offer::Order { by, to, order } => {
            format!("order {} by {} to {}", who(to), who(by), battle.order_key(*order))
        }
        Offer::Reassign { by, from, to } => format!("reassign from {} to {} by {}", who(from), who(to), who(by)),
        Offer::MoveCommand { by, leader, to } => format!("move {} to {} by {}", who(leader), who(to), who(by)),
        Offer::RideMessenger { rider, double } => {
            format!("messenger {rider} rides{}", if *double { " double" } else { "" })
        }
        Offer::Listen { leader, rider } => format!("listen {} to {rider}", who(leader)),
        Offer::Test(unit) => format!("test {}", id(unit)),
        Offer::Shift(by) => format!("shift {by:+}"),
        Offer::NameLeader { unit, leader } => format!("control {} by {}", id(unit), who(leader)),
        Offer::Roll { of, dice, double } => {
            format!("roll {} {}{}", id(of), dice.key(), if *double { " double" } else { "" })
        }
        Offer::Stand(unit) => format!("stand {}", id(unit)),
        Offer::Advance(unit) => format!("advance {}", id(unit)),
        Offer::HaltShort(unit) => format!("halt short {}", id(unit)),
        Offer::Bear(unit) => format!("bear {}", id(unit)),
        Offer::Wheel(unit) => format!("wheel {}", id(unit)),
        Offer::Incline { unit, right } => format!("incline {} {}", id(unit), side(right)),
        Offer::HaltAt { unit, at: HaltAt::Ground(ground) } => {
            format!("halt {} at {}", id(unit), battle.ground_key(*ground))
        }
        Offer::HaltAt { unit, at: HaltAt::Level(with) } => format!("halt {} level with {}", id(unit), id(with)),
        Offer::HaltLevel(unit) => format!("line up {}", id(unit)),
        Offer::LetAhead { unit, friend } => format!("let {} go before {}", id(friend), id(unit)),
        Offer::Road { unit, double } => format!("march {}{}", id(unit), if *double { " double" } else { "" }),
        Offer::PassGap(unit) => format!("pass gap {}", id(unit)),
        Offer::GiveFire => "give fire".into(),
        Offer::HoldFire => "let pass".into(),
        Offer::SwingBack { unit, left, bases } => format!("swing back {} {bases} {}", id(unit), side(&!left)),
        Offer::StepEnd { unit, left, bases } => format!("step back {} {bases} {}", id(unit), side(&!left)),
        Offer::SwingForward(unit) => format!("swing forward {}", id(unit)),
        Offer::Merge { unit, into } => format!("merge {} into {}", id(unit), id(into)),
        Offer::Split(unit) => format!("split {}", id(unit)),
        Offer::SplitLeaving { unit, leader } => format!("split {} leaving {}", id(unit), who(leader)),
        Offer::TakeGun { unit, gun } => format!("take over {} by {}", id(gun), id(unit)),
        Offer::LoseEnd { unit, end } => format!("lose end {} {}", id(unit), end.word()),
        Offer::HaltBehind => "halt behind".into(),
        Offer::FallOn => "go the whole way".into(),
        Offer::ChargeAhead(unit) => format!("charge {} ahead", id(unit)),
        Offer::GuardFlank { unit, left } => format!("draw back {} {}", id(unit), side(&!left)),
        Offer::Conform(unit) => format!("conform {}", id(unit)),
        Offer::Repeat(unit) => format!("repeat {}", id(unit)),
        Offer::GoOn(unit) => format!("go on {}", id(unit)),
        Offer::Form(unit) => format!("form {}", id(unit)),
        Offer::Crowd(unit) => format!("crowd {}", id(unit)),
        Offer::Scatter(unit) => format!("scatter {}", id(unit)),
        Offer::SendBase { unit, base } => format!("send base {} of {}", base + 1, id(unit)),
        Offer::Scattered(unit) => format!("scattered {}", id(unit)),
        Offer::GoApart(unit) => format!("go apart {}", id(unit)),
        Offer::Gather(unit) => format!("gather {}", id(unit)),
        Offer::AboutFace(unit) => format!("about face {}", id(unit)),
        Offer::Pivot(unit) => format!("pivot {}", id(unit)),
        Offer::Push(unit) => format!("push {}", id(unit)),
        Offer::Step { unit, step } => format!("step {} {}", id(unit), step_word(*step)),
        Offer::Unlimber(unit) => format!("unlimber {}", id(unit)),
        Offer::UnlimberTurned { unit, back } => {
            format!("unlimber {} {}", id(unit), if *back { "to the rear" } else { "turned" })
        }
        Offer::LeadHorses(unit) => format!("lead away the horses of {}", id(unit)),
        Offer::Remount(unit) => format!("remount {}", id(unit)),
        Offer::Recrew(unit) => format!("recrew {}", id(unit)),
        Offer::Reinforce { unit, into } => format!("reinforce {} with {}", id(into), id(unit)),
        Offer::Withdraw => "withdraw".into(),
        Offer::LetCome => "stand fast".into(),
        Offer::ShootAt { unit, leader } => format!("shoot {} at {}", id(unit), who(leader)),
        Offer::ShootAtMessenger { unit, rider } => format!("shoot {} at messenger {rider}", id(unit)),
        Offer::Charge { unit, at, outrance } => {
            format!("charge {} at {}{}", id(unit), id(at), if *outrance { " outrance" } else { "" })
        }
        Offer::ChargeBearing { unit, at, outrance } => {
            format!("charge {} at {}{} bearing", id(unit), id(at), if *outrance { " outrance" } else { "" })
        }
        Offer::Receive(unit) => format!("receive {}", id(unit)),
        Offer::CounterCharge { unit, charger } => format!("counter {} at {}", id(unit), id(charger)),
        Offer::Evade(unit) => format!("evade {}", id(unit)),
        Offer::TurnToMeet(unit) => format!("turn {} to meet it", id(unit)),
        Offer::ChargeDice { unit, dice } => format!("charge dice {} {}", id(unit), dice.key()),
        Offer::Fight => "fight".into(),
        Offer::Act { unit, action } => format!("{} {}", action.word(), id(unit)),
        Offer::Pursue { unit, after } => format!("pursue {} after {}", id(unit), id(after)),
        Offer::RideThrough { unit, dice } => format!("ride through {} {}", id(unit), dice.key()),
    }
}

/// The unit that an offer concerns.
pub(crate) fn unit_of(battle: &Battle, offer: &Offer) -> Option<UnitId> {
    label(battle, offer).unit
}

pub(crate) fn label(battle: &Battle, offer: &Offer) -> Label {
    let name = |unit: &UnitId| battle.name_of(*unit);
    let who = |leader: &OfficerId| battle.leader_name(*leader);
    let (text, unit, clause): (String, Option<UnitId>, Clause) = match offer {
        Offer::RollInitiative => ("Roll for initiative".into(), None, MB_SEQ_04),
        Offer::GoFirst => ("Go first this turn".into(), None, MB_SEQ_04),
        Offer::GoSecond => ("Go second this turn".into(), None, MB_SEQ_04),
        Offer::End => (format!("Enough of {}", phase_word(battle.phase)), None, MB_SEQ_02),
        Offer::SetDown(unit) => (format!("Set down {}", name(unit)), Some(*unit), MB_ORG_06),
        Offer::Face(unit) if battle.phase == Phase::Movement => {
            (format!("Turn {} freely", name(unit)), Some(*unit), MB_FRM_05)
        }
        Offer::Face(unit) => (format!("Turn {} to face", name(unit)), Some(*unit), MB_ORG_06),
        Offer::DeployIn(unit) => (format!("Begin in another formation: {}", name(unit)), Some(*unit), MB_ORG_06),
        Offer::SetDownLeader(leader) => (format!("Set down {}", who(leader)), None, MB_ORG_06),
        Offer::Enter(unit) => (format!("Bring up {}", name(unit)), Some(*unit), MB_SEQ_09),
        Offer::HandOver(to) => (format!("Give the floor to {}", options::player_name(battle, *to)), None, MB_UMP_02),
        Offer::Challenge(leader) => {
            (format!("Challenge the wing of {} for sitting still", who(leader)), None, MB_UMP_01)
        }
        Offer::Fire { gun, at } => (format!("Fire {} at {}", name(gun), name(at)), Some(*gun), MB_ART_08),
        Offer::Shell { gun, at } => (format!("Fire {} over others at {}", name(gun), name(at)), Some(*gun), MB_ART_19),
        Offer::Ride { leader, double } => {
            (format!("{} rides{}", who(leader), if *double { ", double" } else { "" }), None, MB_LEA_04)
        }
        Offer::Attach { leader, unit } => (format!("{} joins {}", who(leader), name(unit)), Some(*unit), MB_LEA_06),
        Offer::Steady(leader) => {
            (format!("{} steadies his brigade", who(leader)), battle.leader(*leader).attached, MB_LEA_09)
        }
        Offer::Inspire(leader) => {
            (format!("{} inspires his brigade", who(leader)), battle.leader(*leader).attached, MB_LEA_10)
        }
        Offer::Order { by, to, order } => {
            (format!("{} orders {} to {}", who(by), who(to), battle.order_words(*order)), None, MB_ORD_05)
        }
        Offer::Reassign { by, from, to } => {
            (format!("{} has {} give up brigades to {}", who(by), who(from), who(to)), None, MB_ORD_09)
        }
        Offer::MoveCommand { by, leader, to } => {
            (format!("{} puts the command of {} under {}", who(by), who(leader), who(to)), None, MB_ORD_09)
        }
        Offer::RideMessenger { rider, double } => {
            let to = messages::dispatch(battle, *rider).map_or("nobody", |one| battle.leader_name(one.to));
            let how = if *double { ", double" } else { "" };
            (format!("The messenger to {to} rides{how}"), None, MB_ORD_07)
        }
        Offer::Listen { leader, .. } => (format!("{} listens to what he is told", who(leader)), None, MB_ORD_08),
        Offer::Test(unit) => (format!("Test the control of {}", name(unit)), Some(*unit), MB_CTL_09),
        Offer::Shift(0) => ("Leave the die as it fell".into(), None, MB_CTL_11),
        Offer::Shift(by) => (format!("Shift the die by {by:+}"), None, MB_CTL_11),
        Offer::NameLeader { unit, leader } => {
            (format!("{} controls {}", who(leader), name(unit)), Some(*unit), MB_CTL_16)
        }
        Offer::Roll { of, dice, double } => {
            let double = if *double { ", those far from enemy doubled" } else { "" };
            (format!("Roll {} for {} and group{double}", dice.words(), name(of)), Some(*of), MB_MOV_03)
        }
        Offer::Stand(unit) => (format!("Let {} stand", name(unit)), Some(*unit), MB_MOV_04),
        Offer::Advance(unit) => (format!("Advance {}", name(unit)), Some(*unit), MB_MOV_04),
        Offer::HaltShort(unit) => (format!("Advance {} short of friends", name(unit)), Some(*unit), MB_MOV_08),
        Offer::Bear(unit) => (format!("Bear off straight ahead with {}", name(unit)), Some(*unit), MB_MOV_10),
        Offer::Wheel(unit) => (format!("Wheel {}", name(unit)), Some(*unit), MB_MAN_02),
        Offer::Incline { unit, right } => {
            (format!("Incline {} to the {}", name(unit), if *right { "right" } else { "left" }), Some(*unit), MB_MAN_14)
        }
        Offer::HaltAt { unit, at } => {
            let place = match at {
                HaltAt::Ground(ground) => format!("at {}", battle.ground_name(*ground)),
                HaltAt::Level(with) => format!("level with {}", name(with)),
            };
            (format!("{} may halt {place}", name(unit)), Some(*unit), MB_MOV_05)
        }
        Offer::HaltLevel(unit) => (format!("Line up and halt {}", name(unit)), Some(*unit), MB_MOV_05),
        Offer::LetAhead { unit, friend } => {
            (format!("Let {} go before {}", name(friend), name(unit)), Some(*friend), MB_SEQ_05)
        }
        Offer::Road { unit, double } => {
            let how = if *double { ", double" } else { "" };
            (format!("March {} along the road{how}", name(unit)), Some(*unit), MB_MOV_21)
        }
        Offer::PassGap(unit) => (format!("Narrow the front of {} to pass the gap", name(unit)), Some(*unit), MB_MAN_20),
        Offer::GiveFire => ("Fire into their flank as they pass".into(), battle.passing().map(|p| p.foot), MB_FOO_04),
        Offer::HoldFire => ("Let them pass".into(), battle.passing().map(|p| p.foot), MB_FOO_04),
        Offer::SwingBack { unit, left, bases } | Offer::StepEnd { unit, left, bases } => {
            let (does, clause) = match offer {
                Offer::SwingBack { .. } => ("Swing back", MB_MAN_04),
                _ => ("Step back", MB_MAN_15),
            };
            let flank = if *left { "left" } else { "right" };
            (
                format!("{does} {} of {} on the {flank}", counted((*bases).into(), "base", "bases"), name(unit)),
                Some(*unit),
                clause,
            )
        }
        Offer::SwingForward(unit) => (format!("Wheel the flank of {} forward", name(unit)), Some(*unit), MB_MAN_24),
        Offer::Merge { unit, into } => {
            let clause = if battle.phase == Phase::Charges { MB_CHG_05 } else { MB_MOV_31 };
            (format!("Merge {} with {}", name(unit), name(into)), Some(*unit), clause)
        }
        Offer::Split(unit) => (format!("Split {}", name(unit)), Some(*unit), MB_MOV_32),
        Offer::SplitLeaving { unit, leader } => {
            let part =
                if battle.brigade(*unit).files == battle.brigade(*unit).bases { "on the right" } else { "behind" };
            (format!("Split {}, {} with the part {part}", name(unit), who(leader)), Some(*unit), MB_LEA_07)
        }
        Offer::TakeGun { unit, gun } => {
            (format!("Take over {} with a base of {}", name(gun), name(unit)), Some(*unit), MB_GUN_06)
        }
        Offer::LoseEnd { unit, end } => {
            (format!("Lose the base on the {} of {}", end.word(), name(unit)), Some(*unit), MB_MOR_04)
        }
        Offer::HaltBehind => ("Halt behind friends or cover".into(), battle.falling().map(|one| one.unit), MB_RES_17),
        Offer::FallOn => ("Go back the whole way".into(), battle.falling().map(|one| one.unit), MB_RES_16),
        Offer::ChargeAhead(unit) => (format!("Charge straight ahead with {}", name(unit)), Some(*unit), MB_CTL_15),
        Offer::GuardFlank { unit, left } => {
            let flank = if *left { "left" } else { "right" };
            (format!("Draw back the base of {} on the {flank}", name(unit)), Some(*unit), MB_CHG_16)
        }
        Offer::Conform(unit) => (format!("Let {} copy the neighbour", name(unit)), Some(*unit), MB_CTL_06),
        Offer::Repeat(unit) => (format!("Let {} repeat the last move", name(unit)), Some(*unit), MB_CTL_14),
        Offer::GoOn(unit) => (format!("Let {} run on", name(unit)), Some(*unit), MB_MOV_22),
        Offer::Form(unit) => (format!("Change the formation of {}", name(unit)), Some(*unit), MB_MAN_06),
        Offer::Crowd(unit) => (format!("Let {} draw together or spread out", name(unit)), Some(*unit), MB_MOV_29),
        Offer::Scatter(unit) => (format!("Move {} base by base", name(unit)), Some(*unit), MB_MOV_29),
        Offer::SendBase { unit, base } => {
            (format!("Send base {} of {} towards a place", base + 1, name(unit)), Some(*unit), MB_MOV_29)
        }
        Offer::Scattered(unit) => (format!("Let the bases of {} go", name(unit)), Some(*unit), MB_MOV_29),
        Offer::GoApart(unit) => {
            (format!("Let the bases of {} go apart as separate brigades", name(unit)), Some(*unit), MB_MOV_32)
        }
        Offer::Gather(unit) => (format!("Call the bases of {} back", name(unit)), Some(*unit), MB_MOV_29),
        Offer::AboutFace(unit) => (format!("Turn {} about", name(unit)), Some(*unit), MB_MAN_12),
        Offer::Pivot(unit) => (format!("Pivot {}", name(unit)), Some(*unit), MB_MOV_17),
        Offer::Push(unit) => (format!("Push {} forward", name(unit)), Some(*unit), MB_MOV_17),
        Offer::Step { unit, step } => (format!("Let {} step {}", name(unit), step_word(*step)), Some(*unit), MB_MAN_15),
        Offer::Unlimber(unit) => (format!("Unlimber {}", name(unit)), Some(*unit), MB_MAN_08),
        Offer::UnlimberTurned { unit, back } => {
            let way = if *back { "facing to the rear" } else { "facing another way" };
            (format!("Unlimber {} {way}", name(unit)), Some(*unit), MB_MAN_08)
        }
        Offer::LeadHorses(unit) => (format!("Lead away the horses of {}", name(unit)), Some(*unit), MB_MAN_17),
        Offer::Remount(unit) => {
            let does = if battle.brigade(*unit).kind == Kind::Dragoons { "Dismount" } else { "Mount" };
            (format!("{does} {}", name(unit)), Some(*unit), MB_MAN_16)
        }
        Offer::Recrew(unit) => (format!("Let the crew of {} return", name(unit)), Some(*unit), MB_GUN_04),
        Offer::Reinforce { unit, into } => {
            (format!("Reinforce {} with {}", name(into), name(unit)), Some(*unit), MB_FOO_07)
        }
        Offer::Withdraw => ("Fall back before them".into(), battle.approach().map(|one| one.skirmisher), MB_MOV_30),
        Offer::LetCome => ("Stand and let them come".into(), battle.approach().map(|one| one.skirmisher), MB_MOV_30),
        Offer::ShootAt { unit, leader } => {
            (format!("Shoot at {} with {}", who(leader), name(unit)), Some(*unit), MB_RSK_06)
        }
        Offer::ShootAtMessenger { unit, .. } => {
            (format!("Shoot at a messenger with {}", name(unit)), Some(*unit), MB_ORD_11)
        }
        Offer::Charge { unit, at, outrance } => {
            let how = if *outrance { " à l'outrance" } else { "" };
            (format!("Charge {} with {}{how}", name(at), name(unit)), Some(*unit), MB_CHG_02)
        }
        Offer::ChargeBearing { unit, at, outrance } => {
            let how = if *outrance { " à l'outrance" } else { "" };
            (format!("Charge {} with {}{how} on another bearing", name(at), name(unit)), Some(*unit), MB_CHG_06)
        }
        Offer::Receive(unit) => (format!("Let {} stand to receive", name(unit)), Some(*unit), MB_CHG_16),
        Offer::CounterCharge { unit, charger } => {
            (format!("Ride to meet {} with {}", name(charger), name(unit)), Some(*unit), MB_CHG_12)
        }
        Offer::Evade(unit) => (format!("Let {} evade", name(unit)), Some(*unit), MB_CHG_15),
        Offer::TurnToMeet(unit) => (format!("Turn {} about to meet the charge", name(unit)), Some(*unit), MB_CHG_16),
        Offer::ChargeDice { unit, dice } => {
            (format!("Ride with {}: {}", dice.words(), name(unit)), Some(*unit), MB_CHG_06)
        }
        Offer::Fight => ("Fight the next combat".into(), None, MB_CBT_05),
        Offer::Act { unit, action } => {
            (format!("{}: {}", name(unit), action.word()), Some(*unit), action_clause(*action))
        }
        Offer::Pursue { unit, after } => (format!("{}: pursue {}", name(unit), name(after)), Some(*unit), MB_RES_25),
        Offer::RideThrough { unit, dice } => {
            (format!("Ride through with {}: {}", dice.words(), name(unit)), Some(*unit), MB_RES_14)
        }
    };
    let command = unit.map(|unit| sabretache_engine::ids::CommandId(battle.brigade(unit).under.0));
    Label { text, unit, command, clauses: vec![clause] }
}

pub(super) fn action_clause(action: Action) -> Clause {
    match action {
        Action::Remain => MB_RES_12,
        Action::TakePosition => MB_RES_13,
        Action::RideThrough => MB_RES_14,
        Action::Retire => MB_RES_16,
        Action::Rout => MB_RES_21,
        Action::Pursue => MB_RES_25,
    }
}
