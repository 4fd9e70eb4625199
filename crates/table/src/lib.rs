//! The tabletop: lengths, poses, footprints, ground, sweeps, zones and sight. It knows no rules.

mod arc;
mod convex;
mod crossed;
mod field;
mod footprint;
mod ground;
mod heading;
mod home;
mod index;
mod length;
mod outline;
mod patch;
mod path;
mod placed;
mod pose;
mod relation;
mod shadow;
mod share;
mod sight;
mod stretch;
mod sweep;
mod tabletop;
mod touch;
mod vec2;
mod wheel;
mod zone;

pub use convex::{Convex, Corners};
pub use footprint::{Corner, Face, Footprint, Reach, Stand};
pub use heading::{Angle, Heading};
pub use length::{Length, LengthError, Unit};
pub use outline::{Bounds, Outline, Part, SLOP};
pub use placed::{Placed, Quad};
pub use pose::{Point, Pose};
pub use vec2::{Segment, Vec2};
pub use ground::{Feature, FeatureId, FeatureKind, FeatureShape, Ground, GroundError, KindId, Lie};
pub use patch::Patch;
pub use path::{Followed, Leg, along, follow, step};
pub use sweep::{
    Crossing, Direction, Meeting, Passing, Swept, crossings, first_contact, meetings, sweep, sweep_outline,
};
pub use touch::{Contact, contact, distance, exact_distance, holds, nearest_places, overlapping, touching, within};
pub use wheel::{
    Wheeled, first_turn_contact, inner_corner, wheel, wheel_angle, wheel_arc, wheel_forward, wheeled_pose,
};
pub use shadow::{Seen, Shadowed};
pub use sight::{all_lines_clear, any_line_clear, clear_line, line_clear};
pub use zone::Zone;
pub use arc::{Arc, InArc};
pub use crossed::Crossed;
pub use share::{Share, Shares, WHOLE, area_share};
pub use stretch::{Cost, Reached, Reckoning, Stretch, how_far};
pub use home::{Way, way_home, way_to};
pub use index::{Index, Near, UnitId};
pub use relation::{ByLine, BySector, Diagonals, Line, Sector, by_diagonals, by_frontage_line, line_of, sector};
pub use tabletop::{Edge, Homeward, OnTable, Tabletop};
