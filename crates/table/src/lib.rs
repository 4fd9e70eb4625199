//! The tabletop: lengths, poses, footprints, ground, sweeps, zones and sight. It knows no rules.
//!
//! Everything is measured in whole micrometres and hundredths of a degree, x to the east and y to the north, headings clockwise
//! from north. Geometry is computed from those whole numbers as `f64` with a pure-Rust `libm` and rounded back, so that
//! the same question has the same answer on every machine. One tolerance, [`SLOP`], says when things touch.
//!
//! # What can be asked
//!
//! | question | answer |
//! |---|---|
//! | do they touch, overlap; how far apart | [`contact`], [`touching`], [`overlapping`], [`distance`], [`within`], [`nearest_places`] |
//! | how far straight ahead, back, sideways, any way, and what is met | [`sweep`], [`sweep_outline`], [`first_contact`], [`Index::sweep`] |
//! | where something is entered and left along the way | [`crossings`], [`wheel_crossings`], [`meetings`], [`Index::crossings`] |
//! | the same against the ground | [`Ground::sweep`], [`Ground::wheel`], [`Ground::crossings`], [`Ground::nearest`] |
//! | how far round a corner | [`wheel`], [`wheel_forward`], [`wheel_arc`], [`wheel_angle`], [`Index::wheel`] |
//! | how far along a path or road | [`follow`], [`along`], [`step`], [`Index::follow`] |
//! | the zone before a face, cut by friends, shadowed by enemies | [`Zone`], [`Zone::cut`], [`Zone::look`], [`Zone::shadowed`], [`Index::cut`], [`Index::seen_in`] |
//! | is any line clear, are all | [`any_line_clear`], [`all_lines_clear`], [`clear_line`], [`line_clear`], [`Index::any_line_clear`] |
//! | what ground a line crosses, at what levels, over which crests | [`Ground::crossed`], [`Ground::length_within`], [`Ground::level`], [`Ground::levels_along`] |
//! | who is in an arc of fire, and how far off | [`Arc`] |
//! | what fire reaches past those who stand in its way | [`fan`] |
//! | which part of a footprint lies in which ground | [`Ground::shares`], [`Ground::wholly_in`], [`area_share`] |
//! | how far a move gets over ground that costs differently | [`Ground::stretches`], [`Ground::how_far`], [`how_far`] |
//! | before, beside or behind, by diagonals or by the line of the front | [`by_diagonals`], [`sector`], [`by_frontage_line`], [`line_of`] |
//! | the nearest of a kind, the nearest few, all within a range | [`Index::nearest`], [`Index::k_nearest`], [`Index::within`], [`Index::in_contact`] |
//! | do obstacles bar every way between two places | [`all_barred`] |
//! | the way home round obstacles, or straight until something is met | [`way_home`], [`way_to`], [`Tabletop::straight_home`] |
//! | is it on the table, how far from an edge | [`Tabletop::on_table`], [`Tabletop::distance_to`], [`Tabletop::leaves_after`] |
//!
//! Queries take anything with an [`Outline`]: a [`Placed`] footprint, a stretch of ground ([`Lie`]), a [`Zone::outline`], any
//! [`Convex`] polygon. The [`Index`] asks them of all units on the table without looking at every one.

mod arc;
mod barred;
mod convex;
mod crossed;
mod fan;
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
mod strait;
mod stretch;
mod sweep;
mod tabletop;
mod terrain;
mod touch;
mod vec2;
mod wheel;
mod zone;

pub use arc::{Arc, InArc};
pub use barred::{Kept, all_barred};
pub use convex::{Convex, Corners};
pub use crossed::Crossed;
pub use fan::{circle, fan, rays};
pub use footprint::{Corner, Face, Footprint, Reach, Stand};
pub use ground::{Feature, FeatureId, FeatureKind, FeatureShape, Ground, GroundError, KindId, Lie};
pub use heading::{Angle, Heading};
pub use home::{Way, way_home, way_to};
pub use index::{Index, Near, UnitId};
pub use length::{Length, LengthError, Unit};
pub use outline::{Bounds, Outline, Part, SLOP};
pub use patch::Patch;
pub use path::{Followed, Leg, along, follow, step};
pub use placed::{Placed, Quad};
pub use pose::{Point, Pose};
pub use relation::{ByLine, BySector, Diagonals, Line, Sector, by_diagonals, by_frontage_line, line_of, sector};
pub use shadow::{Seen, Shadowed};
pub use share::{Share, Shares, WHOLE, area_share};
pub use sight::{all_lines_clear, any_line_clear, clear_line, line_clear};
pub use strait::{reaches_any, way_between};
pub use stretch::{Cost, Reached, Reckoning, Stretch, how_far};
pub use sweep::{
    Crossing, Direction, Meeting, Passing, Swept, crossings, first_contact, meetings, sweep, sweep_outline,
};
pub use tabletop::{Edge, Homeward, OnTable, Tabletop};
pub use touch::{
    Contact, contact, distance, exact_distance, holds, nearer, nearest_places, overlap, overlapping, touching, within,
};
pub use vec2::{Segment, Vec2};
pub use wheel::{
    Wheeled, first_turn_contact, inner_corner, wheel, wheel_angle, wheel_arc, wheel_crossings, wheel_forward,
    wheeled_pose,
};
pub use zone::Zone;
