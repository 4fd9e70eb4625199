//! Who is hidden from guns that are being sighted, whatever the angle (HZ-BOM-10, HZ-BLD-07, HZ-WOO-12).

use std::cell::OnceCell;

use sabretache_engine::ids::UnitId;
use sabretache_table::{Bounds, Face, Length, Lie, Outline, Placed, Segment, Vec2, all_lines_clear};

use super::hidden_inside;
use crate::table::ground::{self, Lies};
use crate::table::swing::{self, Turn};
use crate::table::{Field, shape};
use crate::terrain::Kind;
use crate::troops::Pieces;

/// Who is hidden from a battery however far it wheels: the pivot stays in its front, so whatever comes between the pivot and a unit comes into
/// the lines to it at every angle.
pub(super) struct Hidden<'a> {
    field: &'a Field<'a>,
    battery: UnitId,
    pivot: Vec2,
    /// The ground that the battery can come to lie on.
    swept: Bounds,
    /// The highest level it can come to lie at. From a hill guns may fire over friends (HZ-BOM-10).
    level: i8,
}

impl<'a> Hidden<'a> {
    pub(super) fn new(field: &'a Field<'a>, battery: UnitId, placed: &Placed, turn: Turn) -> Self {
        let battle = field.battle;
        let swept = placed.bounds().grown(placed.face(Face::Front).length());
        let terrain = |lie: &Lie<'_>| &battle.lay.terrain[usize::from(lie.feature.id.0)];
        let level = if battle.lay.terrain.is_empty() {
            0
        } else {
            let hills = battle.lay.ground.near(&swept).filter(|lie| matches!(terrain(lie).kind, Kind::Hill { .. }));
            hills.map(|lie| terrain(&lie).level).max().unwrap_or(0).max(0)
        };
        Self { field, battery, pivot: swing::pivot(placed, turn), swept, level }
    }

    /// Whether a unit is hidden at every angle.
    pub(super) fn always(&self, unit: UnitId) -> bool {
        let Some(there) = self.field.get(unit) else { return false };
        self.inside(unit, there) || self.by_units(unit, there) || self.by_ground(unit, there)
    }

    /// Only howitzers and rockets reach into woods and buildings (HZ-WOO-12, HZ-BLD-07).
    fn inside(&self, unit: UnitId, there: &Placed) -> bool {
        self.field.facts(self.battery).pieces == Pieces::Cannon && hidden_inside(self.field, unit, there)
    }

    fn by_units(&self, unit: UnitId, there: &Placed) -> bool {
        let (field, from) = (self.field, Segment::new(self.pivot, self.pivot));
        let around = Bounds::of(&[self.pivot]).join(there.bounds());
        let side = field.facts(self.battery).side;
        let mut others = field.meeting(around).filter(|(id, _)| {
            let counts = self.level == 0 || field.facts(*id).side != side;
            *id != self.battery && *id != unit && counts
        });
        // Poses are whole micrometres, so the pivot moves by less than one of those: a unit that hides another at every angle stands well in the way.
        others.any(|(_, between)| {
            !all_lines_clear(from, there, [between])
                && !all_lines_clear(from, there, [&shape::shrink(between, Length::mm(1))])
        })
    }

    /// Woods, buildings and broken ground too far off for the battery to come to stand in, and high enough whatever it comes to stand on.
    fn by_ground(&self, unit: UnitId, there: &Placed) -> bool {
        let (battle, from) = (self.field.battle, Segment::new(self.pivot, self.pivot));
        if battle.lay.terrain.is_empty() {
            return false;
        }
        let around = Bounds::of(&[self.pivot]).join(there.bounds());
        let small = OnceCell::new();
        battle.lay.ground.near(&around).any(|lie| {
            let n = lie.feature.id.0;
            let terrain = &battle.lay.terrain[usize::from(n)];
            let covers = matches!(terrain.kind, Kind::Wood { .. } | Kind::Buildings { .. } | Kind::Broken);
            let high = || {
                terrain.level > self.level
                    || (terrain.level == self.level && ground::elevation(battle, there) <= terrain.level)
            };
            covers
                && battle.unit(unit).sector != Some(n)
                && !lie.bounds().meets(&self.swept)
                && !all_lines_clear(from, small.get_or_init(|| shape::shrink(there, Length::mm(1))), [&lie])
                && !Lies::under(battle, there).is_in(n)
                && high()
        })
    }
}
