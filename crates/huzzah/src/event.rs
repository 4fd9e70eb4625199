//! What happens: the battle changes only by these.

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{CommandId, OfficerId, Side, UnitId};
use sabretache_table::{Length, Point, Pose};
use serde::{Deserialize, Serialize};

use crate::body::{OfficerStatus, Presence};
use crate::state::{Addressee, Ended, Fight, ForcedMove, Gap, Moving, Phase, Stage, Then, Threat};
use crate::troops::{Ability, Forced, Formation, Order, Quality};

/// One thing that happened.
///
/// The last ones follow from others by the rules alone ([`follows`](crate::phases::follows)): they are written down and not told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Event {
    // ------------------------------------------------------------ before the battle
    /// A unit's quality was rolled.
    QualityRolled { unit: UnitId, quality: Quality },
    /// An officer's ability was rolled.
    OfficerRolled { officer: OfficerId, ability: Ability },
    /// An army's skirmish rating was rolled.
    SkirmishRolled { side: Side, ability: Ability },
    /// A side goes first each turn.
    GoesFirst { side: Side },

    // ------------------------------------------------------------ the sequence of play
    /// A turn begins.
    TurnBegins { turn: u16 },
    /// A phase begins.
    PhaseBegins { side: Side, phase: Phase },
    /// What is to be decided next.
    Now { stage: Stage },
    /// The battle is over.
    BattleEnds { ended: Ended },

    // ------------------------------------------------------------ skirmishers
    /// The skirmishers have fought it out.
    Skirmished { winner: Option<Side>, failed: [bool; 2] },
    /// A side's skirmish rating goes down for good.
    SkirmishersWorn { side: Side, by: u8 },
    /// A battalion joins the skirmish line.
    JoinsSkirmishers { unit: UnitId },

    // ------------------------------------------------------------ losses and markers
    /// Who must test, and because of whom.
    Threatened { threats: Vec<Threat> },
    /// A unit reads its disadvantaged morale in the test that follows.
    Disadvantaged { unit: UnitId, clause: Clause },
    /// The Huzzah! of a unit that it threatens makes a unit test at once.
    Shaken { unit: UnitId, by: UnitId },
    /// A unit has taken its threat test.
    Tested { unit: UnitId, passed: bool },
    /// A unit is disordered.
    Staggered { unit: UnitId, by: u8, clause: Clause },
    /// A unit takes losses.
    Killed { unit: UnitId, by: u8, clause: Clause },
    /// A unit restores order.
    Recovered { unit: UnitId, by: u8 },
    /// A unit is off the table.
    Broken { unit: UnitId, how: Presence, clause: Clause },
    /// A forced order is given, or is done with.
    Forced { unit: UnitId, order: Option<Forced>, clause: Clause },
    /// Smoke gathers before a battery.
    Smoke { unit: UnitId, by: u8 },
    /// Smoke clears.
    SmokeClears { unit: UnitId, by: u8 },
    /// Cavalry is blown, or is so no longer.
    Blown { unit: UnitId, blown: bool },
    /// A command is broken: the last of it has left the table.
    CommandBroken { command: CommandId },

    // ------------------------------------------------------------ orders and movement
    /// An officer issues an order.
    Ordered { officer: OfficerId, to: Addressee, order: Order, free: bool },
    /// The order is obeyed: units may act on it.
    Obeyed { officer: OfficerId, to: Addressee, order: Order, huzzah: bool, free: bool },
    /// The order fails: nobody in the command acts on orders any more this phase.
    OrderFailed { officer: OfficerId, command: Option<CommandId>, clause: Clause },
    /// The order has been carried out.
    OrderDone { huzzah: bool },
    /// The commander in chief has had his say: the orders phase of his side is over.
    OrdersOver { clause: Clause },
    /// The phasing side wants no more orders.
    OrdersEnding,
    /// A unit sets about acting on the order.
    Acts { moving: Moving },
    /// A unit has moved.
    Moved { unit: UnitId, pose: Pose, done: i32 },
    /// A unit takes up a formation.
    Formed { unit: UnitId, formation: Formation, pose: Pose },
    /// Infantry posts itself round a sector of buildings.
    Garrisons { unit: UnitId, sector: u16, sides: u8 },
    /// The unit has done with its order.
    Finished { unit: UnitId },
    /// The move is cut short where the unit is now.
    Halted { unit: UnitId },
    /// It goes on after having been fired at.
    GoesOn { unit: UnitId },
    /// The unit acts on no further orders this phase.
    Spent { unit: UnitId, clause: Clause },
    /// A unit engages an enemy across an obstacle.
    Across { unit: UnitId, enemy: Option<UnitId> },
    /// A unit comes on to the table.
    Enters { unit: UnitId, pose: Pose },
    /// A command is to come on first at its entry point.
    ChosenFirst { command: CommandId },
    /// Its player has named the command that is to come on first at its entry point.
    NamedFirst { command: CommandId },
    /// A command is held back another turn.
    HeldBack { command: CommandId },

    // ------------------------------------------------------------ bombardment
    /// The other side lets a mover come on so far before it wants to be asked again.
    Awaits { unit: UnitId, at: i32 },
    /// A battery sights its guns.
    Sighted { battery: UnitId, pose: Pose },
    /// A battery bombards.
    Bombarded { battery: UnitId, target: UnitId },
    /// A stretch of hedge is shot away.
    HedgeGone { gap: Gap },
    /// The mine under a breach goes up.
    Explodes { breach: u16 },

    // ------------------------------------------------------------ fortress walls
    /// A unit has scaled a fortress wall and stands on the outer edge of its top.
    Scales { unit: UnitId, wall: u16, pose: Pose },

    // ------------------------------------------------------------ officers
    /// An officer is somewhere else.
    OfficerMoves { officer: OfficerId, at: Point, ride: Length },
    /// He is put somewhere without using his move.
    OfficerShifted { officer: OfficerId, at: Point },
    /// He was run into, or the place he should take is the enemy's: he makes for the nearest unit of his own.
    Flees { officer: OfficerId, returns: Option<Point> },
    /// Several units are equally near him: his owner is asked before anything else goes on.
    SeeksRefuge { then: Then },
    /// He joins a unit.
    Attaches { officer: OfficerId, unit: UnitId },
    /// He leaves the unit he was with.
    Detaches { officer: OfficerId, at: Point },
    /// He is lost, or off the table.
    OfficerGone { officer: OfficerId, status: OfficerStatus, clause: Clause },
    /// He comes, or comes back, on to the table.
    OfficerComes { officer: OfficerId, at: Point },
    /// The commander in chief takes over a command.
    Supersedes { officer: OfficerId, command: CommandId },
    /// He gives it back.
    Relinquishes { officer: OfficerId },
    /// A vacant post is filled.
    Appointed { officer: OfficerId, ability: Ability, at: Point, orders_from: u16 },
    /// The commander in chief has tried to appoint an officer.
    Appointing { side: Side },
    /// The commander in chief has tried to bring up ammunition.
    Rearming { side: Side },
    /// The guns of a contingent are supplied.
    Rearmed { contingent: u16, factor: u8 },

    // ------------------------------------------------------------ engagements
    /// Who fights whom.
    Engaged { fights: Vec<Fight> },
    /// The dice of an engagement, while odd staggers are still to be placed.
    FightRolled { fight: u16, totals: Vec<i32> },
    /// Its owner has said which unit takes an odd stagger first.
    OddPlaced { fight: u16, unit: u8 },
    /// An engagement is over.
    Fought { fight: u16, winner: Option<Side> },
    /// A unit begins to rout.
    Routs { unit: UnitId, pose: Pose },
    /// A unit must move, or has done so.
    MustMove { unit: UnitId, forced: Option<ForcedMove> },

    // ------------------------------------------------------------ rally, reform and rout
    /// A command check was taken.
    Checked { command: CommandId, passed: bool, excused: bool },
    /// The commands below pass their checks this phase.
    PassGranted { command: CommandId },
    /// A unit has rolled to rally or reform.
    Rolled { unit: UnitId },
    /// A routing unit rallies; it has still to take a formation.
    Rallied { unit: UnitId },
    /// An attempt to reorganise a command.
    Reorganising { command: CommandId },
    /// A command comes back.
    Reorganised { command: CommandId },
    /// A unit of a reorganised command is ready to return.
    Returns { unit: UnitId, kills: u8 },
    /// A unit fell back because its command failed a check.
    FellBack { unit: UnitId },

    // ------------------------------------------------------------ what follows by itself
    /// Staggers and kills have reached what a unit can bear.
    Off { unit: UnitId, how: Presence },
    /// These commands must check.
    MustCheck { commands: Vec<CommandId> },
    /// These commands receive no further orders in this phase.
    Silenced { commands: Vec<CommandId> },
    /// These officers have given up the free order that they had.
    FreeOrdersLapse { officers: Vec<OfficerId> },
    /// The unit that moves has been hit on its way.
    MoverHit,
    /// An officer goes where the unit goes that he is with.
    GoesAlong { officer: OfficerId, at: Point },
}
