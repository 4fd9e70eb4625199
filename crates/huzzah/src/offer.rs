//! What a side may do: small typed values; keys and labels are made on request.

use sabretache_engine::ids::{CommandId, OfficerId, Side, UnitId};

use crate::state::{Addressee, Way};
use crate::troops::{Formation, Order};

/// One thing the deciding side may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Roll what is still to be rolled, and begin.
    Begin,
    /// Choose who goes first.
    GoesFirst(Side),
    /// Roll for skirmisher superiority.
    Skirmish,
    /// Take a threat test.
    Test(UnitId),

    /// Let it pass: no bombardment now.
    Pass,
    /// Bombard the nearest target straight ahead.
    Bombard {
        /// The battery.
        battery: UnitId,
        /// The target.
        target: UnitId,
    },
    /// Bombard through the hedge the guns stand at, and shoot it away.
    Through {
        /// The battery.
        battery: UnitId,
        /// The target.
        target: UnitId,
    },
    /// Fire the mine under a breach.
    Explode(u16),
    /// Sight the guns and bombard: the input is the angle.
    Sight {
        /// The battery.
        battery: UnitId,
        /// The target.
        target: UnitId,
        /// Wheeling to the right; to the left otherwise.
        right: bool,
        /// Wheeling backward, by the older playsheet.
        back: bool,
        /// Through the hedge the guns stand at then, which is shot away.
        through: bool,
        /// Which of the runs of angles that bring the target before the guns.
        run: u8,
    },
    /// Let the mover come on so far, and be asked again there.
    Await,

    /// Give an order.
    Order {
        /// Who gives it.
        officer: OfficerId,
        /// To whom.
        to: Addressee,
        /// What for.
        order: Order,
    },
    /// Give the free order after a Huzzah!.
    FreeOrder {
        /// Whose order was the Huzzah!.
        officer: OfficerId,
        /// What for.
        order: Order,
    },
    /// Appoint an officer to a vacant post.
    Appoint(OfficerId),
    /// Appoint a second one for free, which ends the phase.
    AppointToo(OfficerId),
    /// Name the command that is to come on first of those due at one point.
    NameFirst(CommandId),
    /// Bring up ammunition.
    Rearm,
    /// No more orders this phase; or no second appointment.
    EndOrders,

    /// Move straight: an advance (a square any way), a retirement or a side-step, as ordered. Where friends part the
    /// places it may end at, each stretch is an offer of its own.
    Go {
        /// Who.
        unit: UnitId,
        /// Which way.
        way: Way,
        /// Which of the stretches.
        stretch: u8,
    },
    /// Follow a road.
    Road {
        /// Who.
        unit: UnitId,
        /// Which road.
        road: u16,
        /// With the order of its points.
        forth: bool,
        /// Which of the stretches that friends on the road leave.
        stretch: u8,
    },
    /// Wheel forward; guns only ever do this.
    Wheel(UnitId),
    /// Wheel backward.
    WheelBack(UnitId),
    /// Wheel through friends, to end beyond them.
    WheelThrough {
        /// Who.
        unit: UnitId,
        /// To the right; to the left otherwise.
        right: bool,
        /// Backward.
        back: bool,
        /// Which of the stretches beyond the first.
        stretch: u8,
    },
    /// Turn about.
    AboutFace(UnitId),
    /// Change formation: the input picks one of the ways to place it, nearest to where it stands first.
    Deploy {
        /// Who.
        unit: UnitId,
        /// Into what.
        formation: Formation,
    },
    /// Deploy into a sector of buildings.
    Garrison {
        /// Who.
        unit: UnitId,
        /// Where.
        sector: u16,
        /// Which sides it lines.
        sides: u8,
    },
    /// Join the skirmish line.
    JoinSkirmishers(UnitId),
    /// Engage an enemy across an obstacle.
    Across {
        /// Who.
        unit: UnitId,
        /// Whom.
        enemy: UnitId,
    },
    /// Obey the recall.
    Recall(UnitId),
    /// Scale a fortress wall.
    Escalade {
        /// Who.
        unit: UnitId,
        /// Which wall.
        wall: u16,
    },
    /// Step over the battlements.
    ClimbOver(UnitId),
    /// Form a march column along the wall.
    AlongWall {
        /// Who.
        unit: UnitId,
        /// Facing to the right of somebody who looks out over the wall; to the left otherwise.
        right: bool,
    },
    /// Come on to the table: the input is how far along the edge, from its left end looking in.
    Enter {
        /// Who.
        unit: UnitId,
        /// Which of the stretches of the edge that are open to it.
        front: u8,
    },
    /// Everybody has acted who is to act.
    Done,
    /// Go on with the move.
    GoOn,
    /// Stop here.
    Halt,
    /// Leave the guns as they are.
    NoSwing,
    /// An officer who was run into escapes to this unit.
    Refuge(UnitId),

    /// Move an officer.
    MoveOfficer(OfficerId),
    /// Attach an officer to a unit.
    Attach {
        /// Who.
        officer: OfficerId,
        /// To whom.
        unit: UnitId,
    },
    /// Detach an officer.
    Detach(OfficerId),
    /// The commander in chief takes over a command.
    Supersede(CommandId),
    /// He gives it back; the officer he had relieved stands on this side of him, in eighths of the compass from the south.
    Relinquish(u8),
    /// An officer comes on.
    BringOn(OfficerId),
    /// Officers stay where they are.
    EndOfficers,

    /// Pair contacts off in this of several equal ways.
    Pairing(u8),
    /// Fight an engagement.
    Fight(u16),
    /// Place an odd stagger on this unit.
    OddStagger(UnitId),
    /// Make the move that is forced on a unit.
    FallBack(UnitId),
    /// Make it in this formation: a garrison that comes out.
    FallBackIn {
        /// Who.
        unit: UnitId,
        /// In what.
        formation: Formation,
    },
    /// The garrison of a strong point stays.
    Stay(UnitId),

    /// Take a command check.
    Check {
        /// Of which command.
        command: CommandId,
        /// Who takes it; nobody where it fails of itself.
        by: Option<OfficerId>,
        /// Seizing the flag.
        flag: bool,
    },
    /// Try to reorganise a command.
    Reorganise(CommandId),
    /// No more of that.
    EndReorganise,
    /// Try to rally.
    Rally(UnitId),
    /// Take a formation after rallying.
    Form(Formation),
    /// Rout on.
    Rout(UnitId),
    /// Try to reform.
    Reform(UnitId),
}
