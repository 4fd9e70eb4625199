//! Events in words.

use super::*;
use crate::event::Set;
use crate::phases::messages;
use crate::phases::options;

/// A length as one says it: quarters of an inch as they are, anything else to a tenth.
pub(crate) fn inches(length: Length) -> String {
    let exact = f64::from(length.to_um()) / 25_400.0;
    let quarters = (exact * 4.0).round() / 4.0;
    let said = if (exact - quarters).abs() < 0.01 { quarters } else { (exact * 10.0).round() / 10.0 };
    format!("{said} {}", if (said - 1.0).abs() < 1e-9 { "inch" } else { "inches" })
}

pub(crate) fn tell(battle: &Battle, event: &Event) -> Telling {
    let mut telling = told(battle, event);
    // A sentence that begins with a part of a brigade begins with a capital letter.
    if let Some(rest) = telling.text.strip_prefix("part ") {
        telling.text = format!("Part {rest}");
    }
    telling
}

fn told(battle: &Battle, event: &Event) -> Telling {
    let name = |unit: &UnitId| battle.name_of(*unit);
    let who = |leader: &OfficerId| battle.leader_name(*leader).to_owned();
    let of = |unit: &UnitId, text: String, clause: Clause| Telling::new(text, Some((*unit).into()), clause);
    let by = |leader: &OfficerId, text: String, clause: Clause| Telling::new(text, Some((*leader).into()), clause);
    let plain = |text: String, clause: Clause| Telling::new(text, None, clause);
    match event {
        Event::InitiativeRolled { totals } => plain(format!("Initiative: {} to {}.", totals[0], totals[1]), MB_SEQ_04),
        Event::GoesFirst { side } => plain(format!("First this turn: {}.", battle.side_name(*side)), MB_SEQ_04),
        Event::PhaseBegan { phase: Phase::Morale, .. } => plain("The morale phase of both armies.".into(), MB_SEQ_08),
        Event::PhaseBegan { phase, side } => {
            plain(format!("{}: {}.", battle.side_name(*side), phase_word(*phase)), MB_SEQ_01)
        }
        Event::TurnBegan { turn } => plain(format!("Turn {turn} begins."), MB_SEQ_01),
        Event::SetDown { unit, what: Set::Turned, .. } => of(unit, format!("{} turned.", name(unit)), MB_FRM_05),
        Event::SetDown { unit, .. } => of(unit, format!("Set down: {}.", name(unit)), MB_ORG_06),
        Event::Deployed => plain("Both armies are set down.".into(), MB_ORG_06),
        Event::Entered { unit } => of(unit, format!("{} came up.", name(unit)), MB_SEQ_09),
        Event::Floor { player, .. } => {
            plain(format!("The floor is with {}.", options::player_name(battle, *player)), MB_UMP_02)
        }
        Event::Challenged { leader } => {
            by(leader, format!("The wing of {} is challenged for sitting still.", who(leader)), MB_UMP_01)
        }
        Event::Seen { unit } => of(unit, format!("In sight: {}.", name(unit)), MB_UMP_03),
        Event::Hidden { unit } => of(unit, format!("Lost from sight: {}.", name(unit)), MB_UMP_03),
        Event::Searched { ground, .. } => plain(format!("Searched: {}.", battle.ground_name(*ground)), MB_UMP_03),
        Event::Succeeded { leader, .. } => {
            let entry = &battle.fixed.scenario.body.leaders[leader.index()];
            let next = entry.successor.clone().unwrap_or_default();
            by(leader, format!("{next} steps into the place of {}.", entry.name), MB_RSK_05)
        }
        Event::GunsTaken { leader } => by(leader, format!("The wing of {} has a gun to show.", who(leader)), MB_VIC_05),
        Event::Ended => plain("The battle is over.".into(), MB_VIC_01),
        Event::Fired { unit, at, range, .. } => {
            of(unit, format!("{} fired at {} over {}.", name(unit), name(at), inches(*range)), MB_ART_08)
        }
        Event::ShellFell { unit, at, on_target, .. } => {
            let falls = if *on_target { "on target" } else { "wide" };
            of(unit, format!("{} threw a shell at {}: it fell {falls}.", name(unit), name(at)), MB_ART_20)
        }
        Event::UnderFire { unit } => of(unit, format!("{} came under fire.", name(unit)), MB_GEN_15),
        Event::Suffered { unit, dps, casualties, cause, converted, .. } => {
            suffered(battle, unit, [*dps, *casualties, *converted], *cause)
        }
        Event::Became { unit, status } => became(battle, unit, *status),
        Event::CrewFled { unit, to: Some(to) } => {
            of(unit, format!("The crew of {} ran to {}.", name(unit), name(to)), MB_GUN_01)
        }
        Event::CrewFled { unit, to: None } => of(unit, format!("Lost, and the crew too: {}.", name(unit)), MB_GUN_01),
        Event::Recrewed { unit } => of(unit, format!("The crew of {} returned.", name(unit)), MB_GUN_04),
        Event::Noted { blow } => {
            let (what, clause) = match (blow.what, blow.leader) {
                (BlowKind::GeneralLost, Some(leader)) => (format!("loss of {}", who(&leader)), MB_MOR_14),
                (BlowKind::GeneralLost, None) => ("loss of a general".to_owned(), MB_MOR_14),
                (BlowKind::Routs, _) => (format!("rout of {}", name(&blow.unit)), MB_MOR_12),
                (BlowKind::Destroyed, _) => (format!("end of {}", name(&blow.unit)), MB_MOR_12),
                (BlowKind::Retires, _) => (format!("retirement of {}", name(&blow.unit)), MB_MOR_13),
            };
            of(&blow.unit, format!("Friends will feel the {what}."), clause)
        }
        Event::Rode { leader, .. } => by(leader, format!("{} rides.", who(leader)), MB_LEA_04),
        Event::Attached { leader, unit } => by(leader, format!("{} joins {}.", who(leader), name(unit)), MB_LEA_07),
        Event::StayedWith { leader, unit, .. } => {
            by(leader, format!("{} stays with {}.", who(leader), name(unit)), MB_LEA_07)
        }
        Event::Detached { leader } => by(leader, format!("{} leaves his brigade.", who(leader)), MB_LEA_06),
        Event::Steadied { leader, unit } => {
            by(leader, format!("{} steadies {}: 1 DP less, and a halt.", who(leader), name(unit)), MB_LEA_09)
        }
        Event::Inspired { leader, unit } => by(leader, format!("{} inspires {}.", who(leader), name(unit)), MB_LEA_10),
        Event::LeaderRisked { leader, fate } => by(leader, format!("{}: {}.", who(leader), fate.word()), MB_RSK_02),
        Event::Risked { unit, .. } => of(unit, format!("At risk: the leaders with {}.", name(unit)), MB_RSK_01),
        Event::Ordered { leader, order } => {
            by(leader, format!("{} orders his army to {}.", who(leader), battle.order_words(*order)), MB_ORD_05)
        }
        Event::Dispatched { dispatch } => {
            let (does, clause) = match (&dispatch.word, dispatch.rider) {
                (Word::Orders(_), Some(_)) => ("sends new orders to", MB_ORD_06),
                (Word::Orders(_), None) => ("gives new orders to", MB_ORD_05),
                (_, Some(_)) => ("sends to have troops given up by", MB_ORD_09),
                (_, None) => ("has troops given up by", MB_ORD_09),
            };
            by(&dispatch.by, format!("{} {does} {}.", who(&dispatch.by), who(&dispatch.to)), clause)
        }
        Event::RiderMoved { rider, arrived, .. } => {
            let to = messages::dispatch(battle, *rider).map_or_else(|| "nobody".into(), |one| who(&one.to));
            let does = if *arrived { "reaches him" } else { "rides on" };
            plain(format!("The messenger to {to} {does}."), MB_ORD_07)
        }
        Event::Heard { rider } => {
            let to = messages::dispatch(battle, *rider).map_or_else(|| "Nobody".into(), |one| who(&one.to));
            plain(format!("{to} listens to what he is told."), MB_ORD_08)
        }
        Event::RiderLost { rider } => match messages::dispatch(battle, *rider) {
            Some(one) if one.heard => plain(format!("What {} was told is done.", who(&one.to)), MB_ORD_09),
            Some(one) if one.rider.is_some() => plain(format!("The messenger to {} is lost.", who(&one.to)), MB_ORD_11),
            _ => plain("What was said goes unheard.".into(), MB_ORD_08),
        },
        Event::Reassigned { unit, to } => of(unit, format!("Now under {}: {}.", who(to), name(unit)), MB_ORD_09),
        Event::CommandMoved { leader, to } => {
            by(leader, format!("The command of {} is now under {}.", who(leader), who(to)), MB_ORD_09)
        }
        Event::LedAlong { leader, .. } => by(leader, format!("{} goes along.", who(leader)), MB_LEA_07),
        Event::Left { unit, .. } => of(unit, format!("{} stands with fewer bases.", name(unit)), MB_MOR_04),
        Event::EndLost { unit, .. } => of(unit, format!("{} has turned about.", name(unit)), MB_MOR_04),
        Event::Refreshed { .. } => plain("A new turn is made ready.".into(), MB_MOV_24),
        Event::GaveWay { unit, .. } => of(unit, format!("{} has given way.", name(unit)), MB_RES_10),
        Event::CrewsGo { to, .. } => of(to, format!("A crew is with {}.", name(to)), MB_GUN_09),
        Event::Inclined { unit, .. } => {
            of(unit, format!("The incline may be copied by brigades that conform to {}.", name(unit)), MB_CTL_06)
        }
        Event::Mixed { unit, .. } => of(unit, format!("{} is of one grade.", name(unit)), MB_UNI_08),
        Event::Based { unit, .. } => of(unit, format!("{} stands on other bases.", name(unit)), MB_MAN_16),
        Event::Displaced { leader, .. } => by(leader, format!("{} gets behind his friends.", who(leader)), MB_RSK_07),
        Event::HorsesLed { unit, .. } => of(unit, format!("Led away: the horses of {}.", name(unit)), MB_MAN_17),
        Event::HorsesLost { unit } => of(unit, format!("Lost: the horses of {}.", name(unit)), MB_MAN_17),
        Event::LeaderTaken { leader } => by(leader, format!("{} is taken.", who(leader)), MB_RSK_07),
        Event::Control { unit, control } => controlled(battle, unit, *control),
        Event::ControlRolled { unit, die } => of(unit, format!("Control test of {}: {die}.", name(unit)), MB_CTL_09),
        Event::ControlTested { unit, total, result } => {
            of(unit, format!("Control test of {}, {total} in all: {}.", name(unit), result.words()), MB_CTL_09)
        }
        Event::MoveRolled { roll } => {
            let dice = crate::situations::MoveDice::new(roll.average, roll.d6);
            let faces: Vec<String> = roll.faces[..usize::from(dice.count()).min(3)].iter().map(u8::to_string).collect();
            of(
                &roll.of,
                format!("{} and group rolled {}: {}.", name(&roll.of), dice.words(), faces.join(", ")),
                MB_MOV_11,
            )
        }
        Event::Moved { unit, to, .. } => {
            let far = battle.brigade(*unit).pose.at.distance(to.at);
            of(unit, format!("{} moved {}.", name(unit), inches(far)), MB_MOV_04)
        }
        Event::Crowded { unit, files, .. } => {
            of(unit, format!("{} crowded together {files} abreast.", name(unit)), MB_MOV_29)
        }
        Event::Scatters { unit } => {
            of(unit, format!("The bases of {} parted, each to be sent where it is wanted.", name(unit)), MB_MOV_29)
        }
        Event::BaseSent { base, .. } => plain(format!("Base {} is told where to go.", base + 1), MB_MOV_29),
        Event::Gathered { unit } => of(unit, format!("Called back: the bases of {}.", name(unit)), MB_MOV_29),
        Event::Scattered { unit, .. } => of(unit, format!("{} moved base by base.", name(unit)), MB_MOV_29),
        Event::WentApart { unit, bodies, .. } => {
            let brigades = counted(bodies.len() as u32, "brigade", "brigades");
            of(unit, format!("The bases of {} parted: {brigades} now.", name(unit)), MB_MOV_32)
        }
        Event::BasesTurned { unit, .. } => of(unit, format!("{} turned.", name(unit)), MB_FRM_05),
        Event::CameApart { unit, stays, .. } => {
            let bases = counted(stays.len() as u32, "base", "bases");
            of(unit, format!("{bases} of {} parted from the others.", name(unit)), MB_MOV_32)
        }
        Event::Rough { unit } => of(unit, format!("Rough going in the way of {}.", name(unit)), MB_MOV_26),
        Event::Bears { unit, bearing } => {
            of(unit, format!("{} bore {:.1}° off.", name(unit), f64::from(*bearing) / 100.0), MB_MOV_10)
        }
        Event::Manoeuvred { unit, manoeuvre, formation, .. } => {
            let (does, clause) = manoeuvred(*manoeuvre, formation.word());
            of(unit, format!("{} {does}.", name(unit)), clause)
        }
        Event::Changed { unit, kind, .. } => {
            let does = if *kind == Kind::Dragoons { "mounted" } else { "dismounted" };
            of(unit, format!("{} {does}.", name(unit)), MB_MAN_16)
        }
        Event::Bent { unit, refused: Some(one), moved, .. } => {
            let flank = if one.left { "left" } else { "right" };
            let clause = match one {
                _ if !moved => MB_CHG_16,
                one if one.swung > 0 => MB_MAN_04,
                _ => MB_MAN_15,
            };
            of(unit, format!("{} refused the {flank} flank.", name(unit)), clause)
        }
        Event::Bent { unit, refused: None, .. } => {
            of(unit, format!("{} straightened the line.", name(unit)), MB_MAN_24)
        }
        Event::Marched { unit, spent, .. } => {
            of(unit, format!("{} marched {} along the road.", name(unit), inches(*spent)), MB_MOV_21)
        }
        Event::Aimed { unit, at } => {
            let place = match at {
                HaltAt::Ground(ground) => format!("at {}", battle.ground_name(*ground)),
                HaltAt::Level(with) => format!("level with {}", name(with)),
            };
            of(unit, format!("To halt {place}: {}.", name(unit)), MB_MOV_05)
        }
        Event::LetAhead { unit } => of(unit, format!("{} went first, being in the way.", name(unit)), MB_SEQ_05),
        Event::PassedThrough { unit } => {
            of(unit, format!("{} stood while friends passed through.", name(unit)), MB_MAN_18)
        }
        Event::Passes { passing } => of(
            &passing.mover,
            format!("{} came across the front of {}.", name(&passing.mover), name(&passing.foot)),
            MB_FOO_04,
        ),
        Event::PassesOver => plain("The passage is answered.".into(), MB_FOO_04),
        Event::Volley { unit, at } => {
            of(unit, format!("{} fired into the flank of {}: a halt.", name(unit), name(at)), MB_FOO_04)
        }
        Event::GunTaken { unit, gun } => {
            of(unit, format!("{} gave up a base to take over {}.", name(unit), name(gun)), MB_GUN_06)
        }
        Event::ClosedUp { unit, end, .. } => {
            of(unit, format!("{} closed up: the base on the {} is gone.", name(unit), end.word()), MB_MOR_04)
        }
        Event::Sheltered { falling } => {
            of(&falling.unit, format!("{} could halt behind friends or cover.", name(&falling.unit)), MB_RES_17)
        }
        Event::ShelterOver => plain("That is settled.".into(), MB_RES_17),
        Event::Met { met } => {
            let clause = if met.pursuit.is_some() { MB_RES_27 } else { MB_CHG_08 };
            of(&met.charger, format!("{} came upon {}.", name(&met.charger), name(&met.target)), clause)
        }
        Event::MetOver => plain("They have answered.".into(), MB_CHG_08),
        Event::Done { unit } => of(unit, format!("Done: {}.", name(unit)), MB_SEQ_05),
        Event::Approached { approach } => of(
            &approach.mover,
            format!("{} came within 2 inches of {}.", name(&approach.mover), name(&approach.skirmisher)),
            MB_MOV_30,
        ),
        Event::ApproachOver => plain("The approach is answered.".into(), MB_MOV_30),
        Event::Withdrew { unit, .. } => of(unit, format!("{} fell back to keep at a distance.", name(unit)), MB_MOV_30),
        Event::ShotAtLeader { unit } => of(unit, format!("{} shot at a lone horseman.", name(unit)), MB_RSK_06),
        Event::GroupDone => plain("The group has moved.".into(), MB_MOV_11),
        Event::Declared { unit, at, outrance, .. } => {
            let (how, clause) = if *outrance { (" à l'outrance", MB_CHG_10) } else { ("", MB_CHG_02) };
            // A brigade that must charge again and has nobody to charge names itself.
            let whom = if at == unit { "straight ahead".into() } else { format!("at {}", name(at)) };
            of(unit, format!("{} declared a charge {whom}{how}.", name(unit)), clause)
        }
        Event::Responded { unit, response } => {
            let (does, clause) = match response {
                Response::Stands | Response::None => ("stood to receive", MB_CHG_16),
                Response::CounterCharges(_) => ("rode to meet them", MB_CHG_12),
                Response::Evades(_) => ("evaded", MB_CHG_15),
            };
            of(unit, format!("{} {does}.", name(unit)), clause)
        }
        Event::Charged { unit, roll, touched, .. } => {
            let (does, clause) = if *touched { ("and struck home", MB_CHG_06) } else { ("and fell short", MB_CHG_09) };
            of(unit, format!("{} rode with {} {does}.", name(unit), roll.words()), clause)
        }
        Event::Fell { unit, action, roll, .. } => {
            let (does, clause) = fast(*action);
            let dice = if roll.dice.count() > 0 { format!(" ({})", roll.words()) } else { String::new() };
            of(unit, format!("{} {does}{dice}.", name(unit)), clause)
        }
        Event::Barred { unit } => {
            of(unit, format!("The way back is barred: {} stayed where it was.", name(unit)), MB_RES_19)
        }
        Event::Flanked { unit } => of(unit, format!("Struck in flank or rear: {}.", name(unit)), MB_CBT_16),
        Event::Engaged { fights } => {
            let many = match fights.len() {
                0 => "There is no combat.".into(),
                1 => "There is one combat.".into(),
                many => format!("There are {many} combats."),
            };
            plain(many, MB_CBT_01)
        }
        Event::Fought { hits, .. } => {
            plain(format!("{} to {}.", counted(hits[0].into(), "hit", "hits"), hits[1]), MB_RES_01)
        }
        Event::Acted { unit, action, .. } => of(unit, format!("{}: {}.", name(unit), action.word()), action.clause()),
        Event::Hacked { unit, at, casualties } => {
            let bases = if *casualties == 1 { "1 base".into() } else { format!("{casualties} bases") };
            of(unit, format!("{} hacked at {}: {bases}.", name(unit), name(at)), MB_RES_26)
        }
        Event::PursuedInto { unit } => of(unit, format!("{} ran into fresh enemy.", name(unit)), MB_RES_27),
        Event::Split { unit, stays, .. } => {
            let bases = counted((*stays).into(), "base", "bases");
            of(unit, format!("{bases} of {} stayed behind.", name(unit)), MB_RES_11)
        }
        Event::MergedInto { unit, into, .. } => of(unit, format!("{} joined {}.", name(unit), name(into)), MB_MOV_31),
        Event::Felt { blow, unit } => {
            let whose = battle.blows.get(*blow).map_or_else(String::new, |blow| name(&blow.unit));
            of(unit, format!("{} felt what befell {whose}.", name(unit)), MB_MOR_15)
        }
        Event::Redressed { unit, removed } => {
            of(unit, format!("{} re-dressed ranks: {} less.", name(unit), dps_in_words(*removed)), MB_MOR_06)
        }
        Event::Held { objective, by, .. } => {
            let place = battle
                .fixed
                .scenario
                .body
                .objectives
                .get(usize::from(*objective))
                .map_or("a place", |one| one.name.as_str());
            plain(format!("Taken by {}: {place}.", battle.side_name(*by)), MB_VIC_02)
        }
    }
}

pub(super) fn suffered(battle: &Battle, unit: &UnitId, [dps, casualties, converted]: [u8; 3], cause: Cause) -> Telling {
    let (from, clause) = match cause {
        Cause::Move => ("by moving", MB_MOR_03),
        Cause::Fire => ("by fire", MB_MOR_02),
        Cause::Combat => ("in combat", MB_MOR_17),
        Cause::Morale => ("at heart", MB_MOR_15),
    };
    let mut parts = Vec::new();
    if dps > 0 {
        parts.push(format!("took {}", dps_in_words(dps)));
    }
    if casualties > 0 {
        parts.push(format!("lost {casualties} {}", if casualties == 1 { "base" } else { "bases" }));
    }
    if parts.is_empty() {
        parts.push("suffered".into());
    }
    // More DPs than it can bear are bases (MB-MOR-02).
    let beyond = match converted {
        0 => String::new(),
        1 => ": 1 DP more than it can bear is a base lost".into(),
        many => format!(": {many} DPs more than it can bear are bases lost"),
    };
    let clause = if converted > 0 { MB_MOR_02 } else { clause };
    let text = format!("{} {} {from}{beyond}.", battle.name_of(*unit), parts.join(" and "));
    Telling::new(text, Some((*unit).into()), clause)
}

pub(super) fn became(battle: &Battle, unit: &UnitId, status: Status) -> Telling {
    let name = battle.name_of(*unit);
    let (text, clause) = match status {
        Status::Steady => (format!("In hand again: {name}."), MB_MAN_05),
        Status::Retired => (format!("{name} left off running."), MB_RES_29),
        Status::Routing => (format!("{name} routed."), MB_RES_20),
        Status::Pursuing => (format!("{name} pursued."), MB_RES_25),
        Status::Looting => (format!("{name} began to loot."), MB_UMP_06),
        Status::Expected => (format!("Yet to come up: {name}."), MB_SEQ_09),
        Status::Abandoned => (format!("Abandoned: {name}."), MB_GUN_01),
        Status::Captured => (format!("Captured: {name}."), MB_GUN_05),
        Status::Destroyed => (format!("Destroyed: {name}."), MB_MOR_05),
        Status::Surrendered => (format!("{name} surrendered."), MB_RES_24),
        Status::Left => (format!("{name} left the table."), MB_GEN_17),
        Status::Merged => (format!("{name} joined another brigade."), MB_MOV_31),
    };
    Telling::new(text, Some((*unit).into()), clause)
}

pub(super) fn controlled(battle: &Battle, unit: &UnitId, control: Charge) -> Telling {
    let (what, clause) = match control {
        Charge::Unset => ("Standing".to_owned(), MB_CTL_04),
        Charge::By(leader) => (format!("Under the control of {}", battle.leader_name(leader)), MB_CTL_01),
        Charge::Attached => ("Under the leader on the spot".to_owned(), MB_CTL_05),
        Charge::Conforms(lead) => (format!("Conforming to {}", battle.name_of(lead)), MB_CTL_06),
        Charge::Tests => ("Out of control, and to be tested".to_owned(), MB_CTL_04),
        Charge::Free => ("Free to act as the player wishes".to_owned(), MB_CTL_09),
        Charge::Halts => ("Halted".to_owned(), MB_CTL_13),
        Charge::Repeats => ("Bound to repeat the last move".to_owned(), MB_CTL_14),
        Charge::GoesOn => ("Running on".to_owned(), MB_CTL_08),
    };
    Telling::new(format!("{what}: {}.", battle.name_of(*unit)), Some((*unit).into()), clause)
}

pub(super) fn manoeuvred(manoeuvre: ManoeuvreKind, formation: &str) -> (String, Clause) {
    match manoeuvre {
        ManoeuvreKind::Wheel => ("wheeled".into(), MB_MAN_02),
        ManoeuvreKind::RefuseFlank => ("refused a flank".into(), MB_MAN_04),
        ManoeuvreKind::ChangeFormation => (format!("formed {formation}"), MB_MAN_06),
        ManoeuvreKind::DoubleChange => (format!("formed {formation} by two changes"), MB_MAN_07),
        ManoeuvreKind::ReForm => (format!("re-formed in {formation}"), MB_MAN_05),
        ManoeuvreKind::Unlimber => ("unlimbered".into(), MB_MAN_08),
        ManoeuvreKind::CrossObstacle => ("crossed an obstacle".into(), MB_MAN_09),
        ManoeuvreKind::AboutFace => ("turned about".into(), MB_MAN_12),
        ManoeuvreKind::TurnToFlank => ("pivoted".into(), MB_MOV_17),
        ManoeuvreKind::Incline => ("inclined".into(), MB_MAN_14),
        ManoeuvreKind::SideStep => ("stepped aside".into(), MB_MAN_15),
        ManoeuvreKind::StepBack => ("stepped back".into(), MB_MAN_15),
        ManoeuvreKind::Mount => ("mounted".into(), MB_MAN_16),
        ManoeuvreKind::Dismount => ("dismounted".into(), MB_MAN_16),
        ManoeuvreKind::PassGap => ("passed a gap".into(), MB_MAN_20),
    }
}

pub(super) fn fast(action: FastMove) -> (&'static str, Clause) {
    match action {
        FastMove::Evade => ("got away", MB_CHG_15),
        FastMove::Retire => ("retired", MB_RES_16),
        FastMove::RetireOn => ("went on retiring", MB_RES_18),
        FastMove::Rout => ("routed", MB_RES_21),
        FastMove::RoutOn => ("routed on", MB_RES_22),
        FastMove::Pursue => ("pursued", MB_RES_25),
        FastMove::PursueOn => ("pursued on", MB_RES_29),
        FastMove::RideThrough => ("rode through", MB_RES_14),
        FastMove::TakePosition => ("took the position", MB_RES_13),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_told_as_one_says_them() {
        let told = |hundredths: i32| inches(Length::um(hundredths * 254));
        assert_eq!(told(175), "1.75 inches");
        assert_eq!(told(100), "1 inch");
        assert_eq!(told(1137), "11.4 inches");
        assert_eq!(told(350), "3.5 inches");
        assert_eq!(told(0), "0 inches");
    }
}
