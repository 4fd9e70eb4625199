//! What happens.

use sabretache_engine::clause::Clause;
use sabretache_engine::ids::{OfficerId, Side, UnitId};
use sabretache_table::{Heading, Length, Point, Pose};
use serde::{Deserialize, Serialize};

use crate::battle::{Chase, Contact, Order, Pending, Step};
use crate::phases::shooting::battering::Batter;
use crate::table::shape::Bend;
use crate::terrain::barriers::Break;
use crate::troops::Formation;

/// A way of moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// Straight ahead.
    Advance,
    /// About a front corner.
    Wheel,
    /// To the side, facing kept.
    Sidestep,
    /// Slantwise, facing kept.
    Oblique,
    /// Straight back, facing kept.
    Retire,
    /// Any way, facing kept: skirmishers and squares.
    March,
    /// The last run of a charge.
    Charge,
}

/// How a unit stands in a town block: where and in what shape does not matter there, but it is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inside {
    /// Where.
    pub to: Pose,
    /// Its formation, once it comes out again.
    pub formation: Formation,
    /// How many stands wide.
    pub stands: u8,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are what they are called")]
pub enum Event {
    /// A general's charisma is found.
    CharismaRolled { general: OfficerId, charisma: u8 },
    /// A general has command points this turn.
    PointsRolled { general: OfficerId, points: u8 },
    /// Both sides have rolled for the initiative.
    InitiativeRolled { first: u8, second: u8 },
    /// A side may choose.
    Won { side: Side },
    /// The sides for this turn are settled.
    Chose { first: Side },
    /// The next step of the turn begins.
    Began { step: Step },
    /// A unit moves; it has advanced if it has gone far enough straight ahead not to be caught standing.
    Moved { unit: UnitId, to: Pose, cost: Length, how: How, advanced: bool },
    /// A mover was stopped by nothing but the nearness of the enemy.
    HeldUp { unit: UnitId },
    /// A unit that may go any way turns its steps.
    Headed { unit: UnitId, way: Heading },
    /// Skirmishers turn where they are.
    Faced { unit: UnitId, to: Pose, cost: Length },
    /// A unit changes formation, facing or frontage, or limbers or unlimbers.
    Formed { unit: UnitId, formation: Formation, stands: u8, limbered: bool, to: Pose, share: u32 },
    /// A column has advanced behind the skirmishers it pushes, and may go on.
    Pushed { unit: UnitId },
    /// A unit begins a change that takes two turns.
    Reforming { unit: UnitId },
    /// A friend has passed through a unit, which stands still this turn.
    PassedThrough { unit: UnitId },
    /// A unit's move is over.
    MoveOver { unit: UnitId },
    /// A general rides.
    Rode { general: OfficerId, to: Point },
    /// A general joins a unit.
    Joined { general: OfficerId, unit: UnitId },
    /// A general spends a command point.
    PointSpent { general: OfficerId },
    /// A general is out of the battle.
    GeneralLost { general: OfficerId },
    /// A unit charges.
    Charges { unit: UnitId },
    /// A unit sets out to charge: its way is plotted, and ends in contact.
    Launched { unit: UnitId },
    /// On its way to charge somebody it comes nearer to an enemy than anybody else may.
    Nears { unit: UnitId, enemy: UnitId },
    /// A plotted charge is given up, as if it had not been begun.
    CalledOff { unit: UnitId },
    /// A unit that goes through friends will not charge.
    WentThrough { unit: UnitId },
    /// A unit is disordered.
    Disordered { unit: UnitId, by: Clause },
    /// A unit is shaken.
    Shaken { unit: UnitId, by: Clause },
    /// A unit is unsteady for the rest of the turn.
    Cramped { unit: UnitId },
    /// A charger is in contact.
    Touched { contact: Contact },
    /// The charged unit stands.
    Stood { unit: UnitId },
    /// The owner of a unit sets its odd die or figure against one of several equal enemies.
    Favoured { unit: UnitId, enemy: UnitId },
    /// The owner of a garrison lets one of several equal units bear an odd hit.
    Bears { garrison: UnitId, unit: UnitId },
    /// The charged unit evades.
    Evaded { unit: UnitId, to: Pose, leaves_guns: bool },
    /// Something is to be decided.
    Asked { pending: Pending },
    /// It is decided.
    Settled,
    /// A shot is ordered.
    Ordered { order: Order },
    /// A battery is ordered to batter works or a wall.
    BatterOrdered { order: Batter },
    /// A battery batters a section of works or wall.
    Battered {
        unit: UnitId,
        ground: u16,
        section: u16,
        dice: u16,
        hits: u16,
        onward: bool,
        /// The hits that each section it touches has now, and those that are down.
        sections: Vec<(u16, u16)>,
        down: Vec<Break>,
    },
    /// A battery leaves the gun model at one of its ends behind, and stands like this.
    Abandons { unit: UnitId, guns: u8, to: Pose },
    /// A unit sets to work at a hedgerow or abatis.
    Works { unit: UnitId },
    /// A stretch of hedgerow or abatis is down.
    Cleared { unit: UnitId, ground: u16, from: Length, to: Length },
    /// A unit goes into a town block.
    Entered { unit: UnitId, block: u16, inside: Inside },
    /// Part of a unit goes into a town block; the rest stays outside.
    Detached { unit: UnitId, part: UnitId, block: u16, inside: Inside, figures: u16, start: u16 },
    /// A detached part is back with its unit.
    Rejoined { unit: UnitId, part: UnitId },
    /// A unit goes over to an adjacent block.
    Shifted { unit: UnitId, block: u16, inside: Inside },
    /// A unit comes out of its block.
    Emerged { unit: UnitId, to: Pose, formation: Formation, stands: u8 },
    /// The garrison that a unit belongs to has failed its test.
    Breaks { unit: UnitId },
    /// A garrison routs into a block farther back.
    RoutedInto { unit: UnitId, block: u16, inside: Inside },
    /// A line is to be bent like this.
    Bends { unit: UnitId, bend: Bend },
    /// A ladder party has driven the defenders from a wall and may climb over.
    Scaled { unit: UnitId },
    /// A unit has given itself away by firing.
    Spotted { unit: UnitId },
    /// A unit fires.
    Fired { unit: UnitId, at: UnitId, dice: u16, hits: u16 },
    /// Hits on guns are looked into.
    GunsHit { unit: UnitId, gunners: u16, guns: u16 },
    /// A unit lets a charger come that has reached it late.
    HoldsFire { unit: UnitId },
    /// Losses of fire or combat come off.
    Lost { unit: UnitId, figures: u16, guns: u16 },
    /// A unit takes its morale test.
    Tested { unit: UnitId, passed: bool, why: Clause },
    /// A unit loses figures in its rout.
    RoutHits { unit: UnitId, hits: u16 },
    /// A unit routs to a new place.
    Routed { unit: UnitId, to: Pose, formation: Formation, stands: u8, leaves_guns: bool },
    /// A unit leaves the table, and may come back; gunners then leave their guns where they are.
    LeftTable {
        unit: UnitId,
        returns: bool,
        #[serde(default)]
        leaves_guns: bool,
    },
    /// A unit is shattered and removed.
    Shattered { unit: UnitId },
    /// A surrounded unit surrenders.
    Surrendered { unit: UnitId },
    /// A unit comes back to the table.
    Returned { unit: UnitId, to: Pose },
    /// A unit of a brigade that was still to come is there.
    Arrived { unit: UnitId, to: Pose },
    /// A unit marches off the table as the scenario asks.
    Exited { unit: UnitId },
    /// A general comes up with his brigade.
    RodeUp { general: OfficerId, at: Point },
    /// Figures are ridden or trodden down.
    Overran { unit: UnitId, over: UnitId, figures: u16, models: u16, to: Pose },
    /// A contact is over.
    Parted { charger: UnitId, target: UnitId },
    /// A unit strikes.
    Struck { unit: UnitId, at: UnitId, dice: u16, hits: u16 },
    /// A unit has fought a round.
    Fought { unit: UnitId, lost: bool, won: bool },
    /// A unit routs because it wants to.
    RoutsOnPurpose { unit: UnitId },
    /// A pursued unit has lost again and routs without a test.
    RoutsAgain { unit: UnitId },
    /// Cavalry recoils from a fight it has not won.
    Recoiled { unit: UnitId, to: Pose },
    /// A unit stays where it is instead of pursuing.
    Stays { unit: UnitId },
    /// Cavalry could not be held back.
    RunsWild { unit: UnitId },
    /// A unit turns after an enemy, disordered.
    Pursues { chase: Chase, to: Pose },
    /// A renewed pursuit costs a figure.
    Straggled { unit: UnitId, figures: u16 },
    /// A unit turns to face the unit that comes up with it.
    Faces { unit: UnitId, to: Pose },
    /// A pursuer moves, after its quarry or into a fresh enemy.
    Chased { unit: UnitId, to: Pose, crash: bool },
    /// A pursuer leaves the table after its quarry.
    ChasedOff { unit: UnitId, to: Pose },
    /// A pursuit is over.
    ChaseOver { unit: UnitId },
    /// A battalion throws out its screen.
    Screened { unit: UnitId, screen: UnitId, stands: u8, figures: u16, to: Pose },
    /// A screen goes along with its battalion.
    ScreenMoved { screen: UnitId, to: Pose },
    /// A battalion calls its screen in.
    Recalled { unit: UnitId, screen: UnitId },
    /// A screen is back in the ranks.
    ScreenBack { unit: UnitId, screen: UnitId },
    /// A screen is filled up from its battalion.
    Refilled { screen: UnitId, figures: u16 },
    /// A unit has stood still and is itself again.
    Recovered { unit: UnitId, shaken: bool, disordered: bool },
    /// Gunners are back at their guns.
    Manned { unit: UnitId },
    /// Guns without gunners are taken.
    Captured { unit: UnitId },
    /// The turn is over; these have come away from the wall that they had won, and may not climb it any more.
    TurnOver { turn: u32, off_the_wall: Vec<UnitId> },

    // ------------------------------------------------------------ what follows by itself
    /// A unit begins to move, steady or not.
    SetsOut { unit: UnitId, steady: bool },
    /// So much of its move a unit has spent before its present rate.
    Spent { unit: UnitId, share: u32 },
    /// Where a unit was before it fell back.
    FellBack { unit: UnitId, from: Point },
    /// A volley tells on those it was fired at.
    Tells { unit: UnitId, at: UnitId, hits: u16 },
    /// Units whose flanks were threatened, and not struck.
    NotFlanked { units: Vec<UnitId> },
    /// Units that are locked in a fight through their own movement phase, in which they have not advanced.
    Held { units: Vec<UnitId> },
    /// A bent line with more or fewer stands than before.
    Refitted { unit: UnitId, to: Pose, formation: Formation, stands: u8, bend: Option<Bend> },
    /// A general goes where his unit goes, or is left where it was.
    GoesAlong { general: OfficerId, to: Point },
}
