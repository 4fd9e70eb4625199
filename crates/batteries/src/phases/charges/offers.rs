//! Charges: plotted, called off and made; and what is asked while one is carried out.

use sabretache_engine::handle::{Group, Handle, Handling};
use sabretache_engine::ids::{Named, UnitId};
use sabretache_engine::offer::{Halt, Input, Refusal, Value};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Label;
use sabretache_kit::Part;
use sabretache_table::{Angle, Direction, Length};

use super::answers::{self, fire_first};
use crate::Batteries;
use crate::battle::{Battle, Pending};
use crate::clauses::*;
use crate::event::Event;
use crate::offer::Offer;
use crate::phases::handles::{about_centre, along, answer, furthest};
use crate::phases::movement::LEAST;
use crate::troops::{Arm, Shot};
use crate::words::terms::shot_word;
use crate::words::{about, asked};

/// Charges, and the answers to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the documentation of the variants says it")]
pub enum Charges {
    /// Plot a charge from here on: with the longer move, if it has one, and to end in contact.
    Launch(UnitId),
    /// Give a plotted charge up, as if it had not been begun.
    CallOff(UnitId),
    /// Charge straight ahead.
    Charge(UnitId),
    /// Stand the charge.
    Stand,
    /// Shoot before evading.
    FireFirst,
    /// Set another way to evade.
    EvadeWay,
    /// Evade, so many hundredths of a degree to the right of the line of the charge, onto the nth clear stretch.
    Evade { way: i16, stretch: u8 },
    /// A charger halts.
    Halt,
    /// A charger goes on over open ground.
    GoOn,
    /// A charger goes on into the next enemy.
    ChargeOn,
    /// Shoot at a charger that has come up late, with what there is to choose from.
    FireAtOnce(Option<Shot>),
    /// Let it come.
    HoldFire,
}

/// What a charged unit may do.
pub(crate) fn when_charged(battle: &Battle, out: &mut Vec<Offer>) {
    let Some(Pending::Evade { charger, target, way }) = battle.pending else { return };
    out.push(Charges::Stand.into());
    if fire_first(battle, charger, target).is_ok() {
        out.push(Charges::FireFirst.into());
    }
    let ways = battle.evade_ways();
    let set = Some(way).filter(|way| !ways.contains(way));
    for way in ways.into_iter().chain(set) {
        let open = battle.evade_stretches(target, charger, way).len() as u8;
        out.extend((0..open).map(|stretch| Offer::from(Charges::Evade { way, stretch })));
    }
    out.push(Charges::EvadeWay.into());
}

/// Why a charged unit may not shoot before it evades.
pub(crate) fn closed_when_charged(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    let Some(Pending::Evade { charger, target, .. }) = battle.pending else { return };
    let refusal = fire_first(battle, charger, target).err();
    out.extend(refusal.map(|refusal| (Charges::FireFirst.into(), refusal)));
}

/// What a charger may do whose targets have gone, or were run over.
pub(crate) fn when_clear(battle: &Battle, out: &mut Vec<Offer>) {
    let Some(Pending::Onward { charger } | Pending::Overrun { charger }) = battle.pending else { return };
    out.push(Charges::Halt.into());
    if battle.onward_reach(charger) >= LEAST {
        out.push(Charges::GoOn.into());
    }
    if battle.straight_run(charger).is_ok() {
        out.push(Charges::ChargeOn.into());
    }
}

/// What a unit may do that a charger has reached late.
pub(crate) fn when_reached_late(battle: &Battle, out: &mut Vec<Offer>) {
    let Some(Pending::AtOnce { unit, charger }) = battle.pending else { return };
    let shots = battle.ammunition(unit).iter().filter(|shot| battle.aim(unit, charger, **shot).is_ok());
    out.extend(shots.map(|shot| Offer::from(Charges::FireAtOnce(*shot))));
    out.push(Charges::HoldFire.into());
}

/// A way to evade, in hundredths of a degree; where friends stand in it, the clear stretches are counted.
pub(crate) fn evade_word(way: i16, stretch: u8) -> String {
    let degrees = f64::from(way).abs() / 100.0;
    let way = match way {
        0 => "evade straight".into(),
        left if left < 0 => format!("evade left {degrees}"),
        _ => format!("evade right {degrees}"),
    };
    if stretch == 0 { way } else { format!("{way} {}", stretch + 1) }
}

impl Charges {
    /// Why it is closed now, where its input does not say so.
    pub(crate) fn may(self, battle: &Battle) -> Result<(), Refusal> {
        match self {
            Self::FireFirst => match battle.pending {
                Some(Pending::Evade { charger, target, .. }) => fire_first(battle, charger, target).map(|_| ()),
                _ => Ok(()),
            },
            Self::FireAtOnce(shot) => match battle.pending {
                Some(Pending::AtOnce { unit, charger }) => battle.aim(unit, charger, shot).map(|_| ()),
                _ => Ok(()),
            },
            Self::ChargeOn => match battle.pending {
                Some(Pending::Onward { charger } | Pending::Overrun { charger }) => {
                    battle.straight_run(charger).map(|_| ())
                }
                _ => Ok(()),
            },
            Self::Launch(_) | Self::CallOff(_) | Self::Charge(_) | Self::Stand | Self::EvadeWay => Ok(()),
            Self::Evade { .. } | Self::Halt | Self::GoOn | Self::HoldFire => Ok(()),
        }
    }

    /// What it would need to be told to be done although the rules close it; nothing where it is impossible.
    pub(crate) fn despite(self, battle: &Battle) -> Option<Input> {
        let possible = match self {
            Self::Launch(unit) => battle.free_to_move(unit) && battle.launch.is_none() && !battle.in_contact(unit),
            Self::Charge(unit) => battle.free_to_move(unit) && battle.charge_despite(unit).is_some(),
            Self::FireFirst => match battle.pending {
                Some(Pending::Evade { charger, target, .. }) => {
                    let closed = battle.arm(target) == Arm::Foot && fire_first(battle, charger, target).is_err();
                    closed && battle.aim(target, charger, None).is_ok()
                }
                _ => false,
            },
            Self::CallOff(_) | Self::Stand | Self::EvadeWay | Self::Evade { .. } => false,
            Self::Halt | Self::GoOn | Self::ChargeOn | Self::FireAtOnce(_) | Self::HoldFire => false,
        };
        possible.then_some(Input::None)
    }
}

impl Part<Batteries> for Charges {
    fn actor(self) -> Option<Named> {
        match self {
            Self::Launch(unit) | Self::CallOff(unit) | Self::Charge(unit) => Some(unit.into()),
            Self::Stand | Self::FireFirst | Self::EvadeWay | Self::Evade { .. } => None,
            Self::Halt | Self::GoOn | Self::ChargeOn | Self::FireAtOnce(_) | Self::HoldFire => None,
        }
    }

    fn input(self, battle: &Battle) -> Result<Input, Refusal> {
        match self {
            Self::Launch(unit) => battle.may_launch(unit).map(|()| Input::None),
            Self::Charge(unit) => {
                battle.run(unit)?;
                battle.who_pays(unit)?;
                Ok(Input::None)
            }
            Self::EvadeWay => {
                let most = Angle::hundredths(battle.farthest_aside().into());
                Ok(Input::Wheel { most_left: -most, most_right: most })
            }
            Self::Evade { way, stretch } => answers::evade_input(battle, way, stretch),
            Self::GoOn => answers::go_on_input(battle),
            Self::CallOff(_) | Self::Stand | Self::FireFirst | Self::Halt => Ok(Input::None),
            Self::ChargeOn | Self::FireAtOnce(_) | Self::HoldFire => Ok(Input::None),
        }
    }

    fn carry_out(self, play: &mut Resolution<'_, Batteries>, value: &Value) -> Result<(), Halt> {
        let distance = value.distance().unwrap_or(Length::ZERO);
        match self {
            Self::Launch(unit) => play.happen(Event::Launched { unit }),
            Self::CallOff(unit) => play.happen(Event::CalledOff { unit }),
            Self::Charge(unit) => super::contact::set_off(play, unit)?,
            Self::Stand => answers::stand(play)?,
            Self::FireFirst => answers::shoot_first(play)?,
            Self::EvadeWay => answers::set_way(play, value.wheel().unwrap_or(Angle::ZERO)),
            Self::Evade { way, .. } => answers::evade(play, way, distance)?,
            Self::Halt => answers::go_on(play, None)?,
            Self::GoOn => answers::go_on(play, Some(distance))?,
            Self::ChargeOn => answers::charge_on(play)?,
            Self::FireAtOnce(shot) => answers::at_once(play, Some(shot))?,
            Self::HoldFire => answers::at_once(play, None)?,
        }
        Ok(())
    }

    fn key(self, battle: &Battle) -> String {
        match self {
            Self::Launch(unit) => format!("launch {}", battle.id_of(unit)),
            Self::CallOff(unit) => format!("call off {}", battle.id_of(unit)),
            Self::Charge(unit) => format!("charge {}", battle.id_of(unit)),
            Self::Stand => "stand".into(),
            Self::FireFirst => "fire first".into(),
            Self::EvadeWay => "evade way".into(),
            Self::Evade { way, stretch } => evade_word(way, stretch),
            Self::Halt => "halt".into(),
            Self::GoOn => "go on".into(),
            Self::ChargeOn => "charge on".into(),
            Self::FireAtOnce(shot) => format!("fire at once{}", shot_word(shot)),
            Self::HoldFire => "hold fire".into(),
        }
    }

    fn label(self, battle: &Battle) -> Label {
        let name = |unit: UnitId| battle.name_of(unit);
        match self {
            Self::Launch(unit) => about(battle, unit, &format!("Plot a charge with {}", name(unit)), BB_CHG_09),
            Self::CallOff(unit) => about(battle, unit, &format!("Call off the charge of {}", name(unit)), BB_CHG_09),
            Self::Charge(unit) => {
                let targets = battle.run(unit).map(|run| run.targets).unwrap_or_default();
                let whom: Vec<&str> = targets.iter().map(|target| battle.name_of(*target)).collect();
                about(battle, unit, &format!("Charge {} with {}", whom.join(" and "), name(unit)), BB_CHG_01)
            }
            Self::Stand => asked(battle, BB_CHG_12, |unit| format!("{unit} stands the charge")),
            Self::FireFirst => asked(battle, BB_CHG_17, |unit| format!("{unit} shoots before it evades")),
            Self::EvadeWay => asked(battle, BB_CHG_13, |unit| format!("{unit}: set another way to evade")),
            Self::Evade { way, stretch } => {
                asked(battle, BB_CHG_13, |unit| format!("{unit}: {}", evade_word(way, stretch)))
            }
            Self::Halt => asked(battle, BB_CHG_15, |unit| format!("{unit} halts")),
            Self::GoOn => asked(battle, BB_CHG_15, |unit| format!("{unit} goes on")),
            Self::ChargeOn => asked(battle, BB_CHG_24, |unit| format!("{unit} charges on into the next enemy")),
            Self::FireAtOnce(shot) => {
                asked(battle, BB_CHG_24, |unit| format!("{unit} shoots at once{}", shot_word(shot)))
            }
            Self::HoldFire => asked(battle, BB_SHO_50, |unit| format!("{unit} holds its fire")),
        }
    }

    fn handling(self, battle: &Battle) -> Handling {
        match self {
            Self::Launch(unit) => Handling::act("launch", unit).leading_to("charge"),
            Self::CallOff(unit) => Handling::act("call_off", unit),
            Self::Charge(unit) => {
                let target = battle.run(unit).ok().and_then(|run| run.targets.first().copied());
                target.map_or_else(|| Handling::act("charge", unit), |target| Handling::at("charge", [unit], target))
            }
            Self::Stand => answer(battle, "stand").of(Group::End),
            Self::HoldFire => answer(battle, "pass").of(Group::End),
            Self::FireFirst | Self::FireAtOnce(_) => match battle.pending {
                Some(Pending::Evade { charger, target: unit, .. } | Pending::AtOnce { unit, charger }) => {
                    Handling::at("shoot", [unit], charger)
                }
                _ => Handling::end("shoot").of(Group::Act),
            },
            Self::EvadeWay => match battle.pending {
                Some(Pending::Evade { target, .. }) => about_centre(battle, self.into(), "evade_way", target),
                _ => Handling::end("evade_way").of(Group::Act),
            },
            Self::Evade { way, .. } => match battle.pending {
                Some(Pending::Evade { charger, target: unit, .. }) => {
                    let to = battle.evade_pose(unit, charger, way, furthest(battle, self.into()));
                    let track = vec![battle.unit(unit).pose.at, to.at];
                    Handling::act("evade", unit).by(Handle::Along { unit, track, back: true })
                }
                _ => Handling::end("evade").of(Group::Act),
            },
            Self::GoOn => match battle.pending {
                Some(Pending::Onward { charger } | Pending::Overrun { charger }) => {
                    along(battle, self.into(), "go_on", charger, Direction::Ahead, false)
                }
                _ => Handling::end("go_on"),
            },
            Self::ChargeOn => answer(battle, "charge"),
            Self::Halt => answer(battle, "halt"),
        }
    }
}
