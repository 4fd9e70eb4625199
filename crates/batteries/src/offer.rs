//! The things a side may do.

use sabretache_engine::ids::{OfficerId, UnitId};

use crate::phases::shooting::battering::Batter;
use crate::troops::Shot;

/// A straight move, by which a unit may go through friends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// Straight ahead.
    Ahead,
    /// Straight back, facing kept.
    Back,
    /// Slantwise to the left front.
    SlantLeft,
    /// Slantwise to the right front.
    SlantRight,
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// The way that is set for troops that may go any way.
    SetWay,
}

impl Stride {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Ahead, Self::Back, Self::SlantLeft, Self::SlantRight, Self::Left, Self::Right, Self::SetWay];

    /// The same move with nobody in the way.
    #[must_use]
    pub fn alone(self, unit: UnitId) -> Offer {
        match self {
            Self::Ahead => Offer::Advance(unit),
            Self::Back => Offer::Retire(unit),
            Self::SlantLeft => Offer::Oblique { unit, right: false },
            Self::SlantRight => Offer::Oblique { unit, right: true },
            Self::Left => Offer::Sidestep { unit, right: false },
            Self::Right => Offer::Sidestep { unit, right: true },
            Self::SetWay => Offer::March(unit),
        }
    }
}

/// One thing the deciding side may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are units and generals")]
pub enum Offer {
    /// Roll for the initiative.
    Roll,
    /// Be Side A this turn.
    BeFirst,
    /// Be Side B this turn.
    BeSecond,
    /// Straight ahead.
    Advance(UnitId),
    /// Straight on through friends, to the nth clear stretch beyond.
    Pass { unit: UnitId, by: Stride, nth: u8 },
    /// Slantwise to the front.
    Oblique { unit: UnitId, right: bool },
    /// To the side.
    Sidestep { unit: UnitId, right: bool },
    /// Straight back, facing kept.
    Retire(UnitId),
    /// About a front corner.
    Wheel(UnitId),
    /// Set the way of troops that may go any way.
    Head(UnitId),
    /// Go that way.
    March(UnitId),
    /// Push skirmishers forward with the columns behind them.
    Push(UnitId),
    /// Turn skirmishers where they are.
    Face(UnitId),
    /// Turn skirmishers to the rear.
    TurnAbout(UnitId),
    /// Change formation, facing or frontage.
    Form(UnitId),
    /// Charge straight ahead.
    Charge(UnitId),
    /// Plot a charge from here on: with the longer move, if it has one, and to end in contact.
    Launch(UnitId),
    /// Give a plotted charge up, as if it had not been begun.
    CallOff(UnitId),
    /// Rout on purpose.
    RoutOnPurpose(UnitId),
    /// Leave the gun model at one end of a battery behind.
    Abandon { unit: UnitId, right: bool },
    /// Work at the hedgerow or abatis before it.
    Clear(UnitId),
    /// A general rides.
    Ride(OfficerId),
    /// A general joins a unit.
    Join { general: OfficerId, unit: UnitId },
    /// Enough moved.
    EndMoves,
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
    /// Shoot.
    Shoot { unit: UnitId, at: UnitId, shot: Option<Shot> },
    /// Go into a town block.
    Enter { unit: UnitId, block: u16 },
    /// Leave so many stands in a town block.
    Detach { unit: UnitId, block: u16, stands: u8 },
    /// Go over to an adjacent block.
    Shift { unit: UnitId, block: u16 },
    /// Come out of a block by one of its sides.
    Emerge { unit: UnitId, side: u8 },
    /// Shoot out of one side of a block.
    ShootFrom { unit: UnitId, side: u8, at: UnitId, shot: Option<Shot> },
    /// A garrison routs into a block farther back.
    RoutInto(u16),
    /// Batter works or a wall.
    Batter(Batter),
    /// Enough aimed.
    EndAiming,
    /// A unit takes its test.
    Test(UnitId),
    /// A router goes back, onto the nth stretch where it may end, and faces what it fled from.
    RoutFacing(u8),
    /// The same, and faces away.
    RoutAway(u8),
    /// Shoot at a charger that has come up late, with what there is to choose from.
    FireAtOnce(Option<Shot>),
    /// Let it come.
    HoldFire,
    /// Set an odd die or figure of a unit against one of several equal enemies.
    Favour { unit: UnitId, enemy: UnitId },
    /// Let one of several equal units of a garrison bear an odd hit.
    Bear { garrison: UnitId, unit: UnitId },
    /// Fight all combats.
    Fight,
    /// Go after an enemy who has fallen back.
    Pursue { unit: UnitId, quarry: UnitId },
    /// Stay, if it can be held back.
    HoldBack(UnitId),
    /// A pursuer goes round ground that it cannot pass.
    GoRound,
    /// A pursuer halts before it.
    HaltThere,
    /// Throw out a screen of so many stands.
    Screen { unit: UnitId, stands: u8 },
    /// Call the screen in.
    Recall(UnitId),
    /// Fill up a screen that was hit.
    Refill,
    /// Nobody has anything to decide here.
    CarryOn,
}
