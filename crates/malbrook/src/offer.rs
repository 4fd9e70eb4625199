//! What may be done, in its cheapest form.

use sabretache_engine::ids::{OfficerId, UnitId};

use crate::brigade::{HaltAt, Order};
use crate::phases::closing::End;
use crate::phases::manoeuvre::Step;
use crate::situations::{Action, MoveDice};

/// One thing the deciding side may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Offer {
    /// Both sides roll.
    RollInitiative,
    /// The winner goes first.
    GoFirst,
    /// The winner goes second.
    GoSecond,
    /// A side has done enough in this phase.
    End,
    /// A unit is set down in its zone.
    SetDown(UnitId),
    /// It is turned as it is set down.
    Face(UnitId),
    /// It is set down in another formation.
    DeployIn(UnitId),
    /// A leader is set down.
    SetDownLeader(OfficerId),
    /// Reinforcements come up.
    Enter(UnitId),
    /// Another player of the side has the floor.
    HandOver(u8),
    /// A wing that sits still is challenged.
    Challenge(OfficerId),
    /// A gun fires direct.
    Fire { gun: UnitId, at: UnitId },
    /// A gun fires over others.
    Shell { gun: UnitId, at: UnitId },
    /// A leader rides.
    Ride { leader: OfficerId, double: bool },
    /// A leader joins a brigade.
    Attach { leader: OfficerId, unit: UnitId },
    /// A leader steadies his brigade.
    Steady(OfficerId),
    /// A leader inspires his brigade.
    Inspire(OfficerId),
    /// The Marshal gives a wing new orders.
    Order { by: OfficerId, to: OfficerId, order: Order },
    /// A leader has brigades given up to another.
    Reassign { by: OfficerId, from: OfficerId, to: OfficerId },
    /// The Marshal moves a command to another wing.
    MoveCommand { by: OfficerId, leader: OfficerId, to: OfficerId },
    /// A messenger rides.
    RideMessenger { rider: u16, double: bool },
    /// A leader listens.
    Listen { leader: OfficerId, rider: u16 },
    /// A brigade takes its control test.
    Test(UnitId),
    /// The player shifts a control die.
    Shift(i8),
    /// The player names who controls a brigade.
    NameLeader { unit: UnitId, leader: OfficerId },
    /// A group rolls its move dice.
    Roll { of: UnitId, dice: MoveDice, double: bool },
    /// A brigade stands.
    Stand(UnitId),
    /// A brigade moves straight on.
    Advance(UnitId),
    /// A brigade moves straight on and stops short of friends.
    HaltShort(UnitId),
    /// A brigade bears off straight ahead.
    Bear(UnitId),
    /// A brigade wheels.
    Wheel(UnitId),
    /// Foot incline.
    Incline { unit: UnitId, right: bool },
    /// A brigade is told where it may halt.
    HaltAt { unit: UnitId, at: HaltAt },
    /// It halts level with the brigade named.
    HaltLevel(UnitId),
    /// A friend in the way moves first.
    LetAhead { unit: UnitId, friend: UnitId },
    /// A unit marches along a road.
    Road { unit: UnitId, double: bool },
    /// A line narrows its front to pass a gap.
    PassGap(UnitId),
    /// Foot fire into a move across their front.
    GiveFire,
    /// They let it pass.
    HoldFire,
    /// End bases swing back.
    SwingBack { unit: UnitId, left: bool, bases: u8 },
    /// End bases step back.
    StepEnd { unit: UnitId, left: bool, bases: u8 },
    /// A part that was swung back comes forward.
    SwingForward(UnitId),
    /// Two brigades side by side become one.
    Merge { unit: UnitId, into: UnitId },
    /// A brigade splits.
    Split(UnitId),
    /// It splits, and a leader who is with it stays with the part on the right or behind.
    SplitLeaving { unit: UnitId, leader: OfficerId },
    /// A brigade takes over a gun.
    TakeGun { unit: UnitId, gun: UnitId },
    /// Retirers halt behind friends or cover.
    HaltBehind,
    /// They go the whole way.
    FallOn,
    /// A brigade copies its neighbour.
    Conform(UnitId),
    /// A brigade repeats its last move.
    Repeat(UnitId),
    /// A brigade runs on.
    GoOn(UnitId),
    /// A brigade takes up a formation.
    Form(UnitId),
    /// Unformed troops draw together or spread out.
    Crowd(UnitId),
    /// The bases of unformed troops move one by one.
    Scatter(UnitId),
    /// One of them is told where to go.
    SendBase { unit: UnitId, base: u8 },
    /// They go where they were told.
    Scattered(UnitId),
    /// They go so far apart that they are brigades of their own.
    GoApart(UnitId),
    /// They are called back.
    Gather(UnitId),
    /// A brigade turns about.
    AboutFace(UnitId),
    /// A gun pivots.
    Pivot(UnitId),
    /// A gun is pushed.
    Push(UnitId),
    /// Foot step aside or back.
    Step { unit: UnitId, step: Step },
    /// A gun comes off its limber.
    Unlimber(UnitId),
    /// A gun comes off its limber facing another way: about its front, or its rear.
    UnlimberTurned { unit: UnitId, back: bool },
    /// The horses of dragoons who have just dismounted are led away.
    LeadHorses(UnitId),
    /// Dragoons dismount or mount again.
    Remount(UnitId),
    /// A crew returns to its gun.
    Recrew(UnitId),
    /// A brigade joins one before it.
    Reinforce { unit: UnitId, into: UnitId },
    /// A line that lost a base lost it from this end.
    LoseEnd { unit: UnitId, end: End },
    /// Skirmishers fall back.
    Withdraw,
    /// Skirmishers stand.
    LetCome,
    /// Foot shoot at a lone leader.
    ShootAt { unit: UnitId, leader: OfficerId },
    /// Foot shoot at a lone messenger.
    ShootAtMessenger { unit: UnitId, rider: u16 },
    /// Cavalry declare a charge, on the bearing that reaches the enemy soonest.
    Charge { unit: UnitId, at: UnitId, outrance: bool },
    /// Cavalry declare a charge on a bearing of the player's choice.
    ChargeBearing { unit: UnitId, at: UnitId, outrance: bool },
    /// Cavalry that must charge again and have nobody to charge.
    ChargeAhead(UnitId),
    /// Foot draw back an end base to meet a charge.
    GuardFlank { unit: UnitId, left: bool },
    /// The charged stand.
    Receive(UnitId),
    /// The charged ride to meet the charge.
    CounterCharge { unit: UnitId, charger: UnitId },
    /// The charged get away.
    Evade(UnitId),
    /// Foot turn about to meet a charge.
    TurnToMeet(UnitId),
    /// The dice of a charge.
    ChargeDice { unit: UnitId, dice: MoveDice },
    /// A combat is rolled.
    Fight,
    /// A brigade takes its action after combat.
    Act { unit: UnitId, action: Action },
    /// A brigade goes after one of several who gave way.
    Pursue { unit: UnitId, after: UnitId },
    /// Cavalry ride through.
    RideThrough { unit: UnitId, dice: MoveDice },
}
