//! The numbers of the book, each under the clause it belongs to.
//!
//! A scenario or a laboratory run changes any of them by name, such as `HZ-ZON-01.infantry.line = "20cm"` or
//! `HZ-THR-12 = 2`. Distances are those of the standard scale; [`Distance::on`] gives them for a table's own band.

mod basing;
mod distance;
mod ratings;
mod reach;
mod shifts;

use crate::clauses::{HZ_GEN_04, HZ_GEN_05};
use sabretache_engine::decides;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

pub use basing::{Basing, Stands};
pub use distance::{Distance, STANDARD_BAND};
pub use ratings::{
    AbilityRatings, AbilityTable, EarlierMilitiaA, Morale, MoraleRatings, QualityRow, QualityTable, quality_at, rung,
};
pub use reach::{
    ArtilleryZones, BounceThrough, CavalryMoves, CavalryZones, CommandRadius, FootMoves, HeavyFootMoves, HorseMoves,
    InfantryMoves, InfantryZones, Moves, RangeEnds, Ranges, ZoneDepths,
};
pub use shifts::{
    AppointShifts, CheckShifts, EngagementShifts, OrderShifts, RallyShifts, RearmShifts, ReorganiseShifts, SizeShifts,
    SkirmishShifts, ThreatShifts,
};

/// Smoke that clears in a rally phase (HZ-SMK-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmokeCleared {
    /// Markers off an unlimbered battery.
    pub unlimbered: u8,
    /// Markers off a limbered battery.
    pub limbered: u8,
}

impl SmokeCleared {
    /// The markers that a battery has left.
    #[must_use]
    pub const fn left(&self, markers: u8, limbered: bool) -> u8 {
        markers.saturating_sub(if limbered { self.limbered } else { self.unlimbered })
    }
}

/// How far a unit wheels, in degrees (HZ-MAN-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wheels {
    /// In column.
    pub column: u16,
    /// In line, open order or march column.
    pub other: u16,
}

/// Tolerances (HZ-GEO-02).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gaps {
    /// The largest gap at which units still touch.
    pub touching: Distance,
    /// The gap that is left where a unit is just out of contact.
    pub clear: Distance,
}

/// Near and alike (HZ-GEO-25).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Near {
    /// The largest gap at which a unit is next to a feature.
    pub adjacent: Distance,
    /// The largest angle between facings that are the same, in degrees.
    pub same_direction: u16,
}

/// How wide units usually are in line (HZ-SCL-12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frontages {
    /// The least for battalions and regiments.
    pub line_least: Distance,
    /// The most for battalions and regiments.
    pub line_most: Distance,
    /// The least for batteries.
    pub battery_least: Distance,
    /// The most for batteries.
    pub battery_most: Distance,
}

impl Default for Frontages {
    fn default() -> Self {
        let bands = Distance::bands;
        Self { line_least: bands(2), line_most: bands(4), battery_least: bands(1), battery_most: bands(2) }
    }
}

/// The largest game that one player a side fights in about four hours (HZ-SCL-15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameSize {
    /// Units a side.
    pub units: u16,
    /// Brigades a side.
    pub groups: u16,
    /// How many bands deep the usual table is (HZ-SCL-02).
    pub bands_deep: u16,
}

/// How far apart armies start (HZ-SCL-14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartingDistances {
    /// At most this in an encounter.
    pub encounter: Distance,
    /// About this in an assault.
    pub assault: Distance,
}

/// Every number of the book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each field is the number of the clause it is named after")]
pub struct Numbers {
    #[serde(rename = "HZ-GEN-04")]
    pub huzzah: i32,
    #[serde(rename = "HZ-GEN-05")]
    pub always_fails_from: i32,
    #[serde(rename = "HZ-GEN-08")]
    pub white_marker_less: i32,
    #[serde(rename = "HZ-SCL-05")]
    pub universal: Basing,
    #[serde(rename = "HZ-SCL-06")]
    pub metre15: Basing,
    #[serde(rename = "HZ-SCL-07")]
    pub pace15: Basing,
    #[serde(rename = "HZ-SCL-08")]
    pub pace25: Basing,
    #[serde(rename = "HZ-SCL-09")]
    pub inch: Basing,
    #[serde(rename = "HZ-SCL-12")]
    pub frontages: Frontages,
    #[serde(rename = "HZ-SCL-14")]
    pub start: StartingDistances,
    #[serde(rename = "HZ-SCL-15")]
    pub game_size: GameSize,
    #[serde(rename = "HZ-GEO-02")]
    pub gaps: Gaps,
    #[serde(rename = "HZ-GEO-18")]
    pub flank_strip: Distance,
    #[serde(rename = "HZ-GEO-25")]
    pub near: Near,
    #[serde(rename = "HZ-CMD-02")]
    pub command_radius: CommandRadius,
    #[serde(rename = "HZ-CMD-03")]
    pub command_rating: AbilityRatings,
    #[serde(rename = "HZ-CMD-04")]
    pub cinc_steps: u8,
    #[serde(rename = "HZ-QUA-01")]
    pub morale: MoraleRatings,
    #[serde(rename = "HZ-QUA-08")]
    pub quality: QualityTable,
    #[serde(rename = "HZ-VAR-01")]
    pub quality_high: QualityTable,
    #[serde(rename = "HZ-VAR-02")]
    pub earlier_militia_a: EarlierMilitiaA,
    #[serde(rename = "HZ-SKI-01")]
    pub skirmish_rating: AbilityRatings,
    #[serde(flatten)]
    pub skirmish: SkirmishShifts,
    #[serde(rename = "HZ-SKI-09")]
    pub superiority: Distance,
    #[serde(rename = "HZ-SKI-11")]
    pub skirmish_huzzah: u8,
    #[serde(rename = "HZ-ZON-01")]
    pub zones: ZoneDepths,
    #[serde(flatten)]
    pub threat: ThreatShifts,
    #[serde(rename = "HZ-THR-34")]
    pub stream: Distance,
    #[serde(rename = "HZ-TER-02")]
    pub slow_going: u8,
    #[serde(rename = "HZ-TER-13")]
    pub covered_within: Distance,
    #[serde(rename = "HZ-TER-14")]
    pub faces_obstacle: u16,
    #[serde(rename = "HZ-FOR-05")]
    pub forced_failed: u8,
    #[serde(rename = "HZ-FOR-06")]
    pub forced_disobeyed: u8,
    #[serde(flatten)]
    pub order: OrderShifts,
    #[serde(rename = "HZ-ORD-25")]
    pub no_order_at: i32,
    #[serde(rename = "HZ-ADV-01")]
    pub moves: Moves,
    #[serde(rename = "HZ-ADV-14")]
    pub engage_within: Distance,
    #[serde(rename = "HZ-ADV-16")]
    pub brushing_staggers: u8,
    #[serde(rename = "HZ-ADV-17")]
    pub touching_staggers: u8,
    #[serde(rename = "HZ-ADV-22")]
    pub along_road: u16,
    #[serde(rename = "HZ-RET-01")]
    pub retire_part: u8,
    #[serde(rename = "HZ-RET-06")]
    pub drives_off: u16,
    #[serde(rename = "HZ-MAN-01")]
    pub wheels: Wheels,
    #[serde(rename = "HZ-MAN-03")]
    pub side_step: Distance,
    #[serde(rename = "HZ-APP-05")]
    pub officer_table: AbilityTable,
    #[serde(flatten)]
    pub appoint: AppointShifts,
    #[serde(flatten)]
    pub rearm: RearmShifts,
    #[serde(rename = "HZ-REA-08")]
    pub rearm_huzzah: u8,
    #[serde(rename = "HZ-BOM-10")]
    pub over_friends: Distance,
    #[serde(rename = "HZ-BOM-12")]
    pub ranges: Ranges,
    #[serde(rename = "HZ-BOM-16")]
    pub bounce_through: BounceThrough,
    #[serde(rename = "HZ-BOM-23")]
    pub sighting: u16,
    #[serde(rename = "HZ-OFF-02")]
    pub officer_move: Distance,
    #[serde(flatten)]
    pub engagement: EngagementShifts,
    #[serde(rename = "HZ-ENG-31")]
    pub failure_kills: u8,
    #[serde(rename = "HZ-ENG-43")]
    pub huzzah_kills: u8,
    #[serde(flatten)]
    pub check: CheckShifts,
    #[serde(flatten)]
    pub reorganise: ReorganiseShifts,
    #[serde(rename = "HZ-REO-05")]
    pub reorganise_size: SizeShifts,
    #[serde(rename = "HZ-REO-11")]
    pub attempt_kills: u8,
    #[serde(rename = "HZ-SMK-01")]
    pub smoke_cleared: SmokeCleared,
    #[serde(flatten)]
    pub rally: RallyShifts,
    #[serde(rename = "HZ-ROU-06")]
    pub rout_staggers: u8,
    #[serde(rename = "HZ-ROU-10")]
    pub detour_staggers: u8,
    #[serde(rename = "HZ-CAS-01")]
    pub casualty_kills: u8,
    #[serde(rename = "HZ-HIL-08")]
    pub dead_ground: Distance,
    #[serde(rename = "HZ-WOO-08")]
    pub zone_in_woods: Distance,
    #[serde(rename = "HZ-WOO-12")]
    pub howitzers_into_woods: Distance,
    #[serde(rename = "HZ-BLD-05")]
    pub zone_in_buildings: Distance,
    #[serde(rename = "HZ-BLD-07")]
    pub howitzers_into_buildings: Distance,
    #[serde(rename = "HZ-BLD-08")]
    pub garrison_zone: Distance,
    #[serde(rename = "HZ-BLD-12")]
    pub close_order_garrison_zone: Distance,
    #[serde(rename = "HZ-STR-04")]
    pub strong_point_zone: Distance,
    #[serde(rename = "HZ-FTW-07")]
    pub wall_dead_ground: Distance,
    #[serde(rename = "HZ-BRE-04")]
    pub breach_dead_ground: Distance,
    #[serde(rename = "HZ-VIC-02")]
    pub held_within: Distance,
}

impl Default for Numbers {
    fn default() -> Self {
        let cm = Distance::cm;
        Self {
            huzzah: 2,
            always_fails_from: 11,
            white_marker_less: 4,
            universal: Basing::UNIVERSAL,
            metre15: Basing::METRE_15,
            pace15: Basing::PACE_15,
            pace25: Basing::PACE_25,
            inch: Basing::INCH,
            frontages: Frontages::default(),
            start: StartingDistances { encounter: cm(120), assault: cm(80) },
            game_size: GameSize { units: 16, groups: 4, bands_deep: 40 },
            gaps: Gaps { touching: Distance::mm(1), clear: Distance::mm(5) },
            flank_strip: cm(10),
            near: Near { adjacent: cm(1), same_direction: 5 },
            command_radius: CommandRadius::default(),
            command_rating: AbilityRatings::default(),
            cinc_steps: 2,
            morale: MoraleRatings::BOOK,
            quality: QualityTable::LOW_IS_GOOD,
            quality_high: QualityTable::HIGH_IS_GOOD,
            earlier_militia_a: EarlierMilitiaA::default(),
            skirmish_rating: AbilityRatings::default(),
            skirmish: SkirmishShifts::default(),
            superiority: cm(5),
            skirmish_huzzah: 1,
            zones: ZoneDepths::default(),
            threat: ThreatShifts::default(),
            stream: cm(5),
            slow_going: 2,
            covered_within: cm(15),
            faces_obstacle: 45,
            forced_failed: 1,
            forced_disobeyed: 1,
            order: OrderShifts::default(),
            no_order_at: 1,
            moves: Moves::default(),
            engage_within: cm(5),
            brushing_staggers: 1,
            touching_staggers: 1,
            along_road: 45,
            retire_part: 2,
            drives_off: 45,
            wheels: Wheels { column: 90, other: 45 },
            side_step: cm(10),
            officer_table: AbilityTable::default(),
            appoint: AppointShifts::default(),
            rearm: RearmShifts::default(),
            rearm_huzzah: 1,
            over_friends: cm(5),
            ranges: Ranges::default(),
            bounce_through: BounceThrough::default(),
            sighting: 45,
            officer_move: cm(60),
            engagement: EngagementShifts::default(),
            failure_kills: 1,
            huzzah_kills: 1,
            check: CheckShifts::default(),
            reorganise: ReorganiseShifts::default(),
            reorganise_size: SizeShifts::default(),
            attempt_kills: 1,
            smoke_cleared: SmokeCleared { unlimbered: 1, limbered: 2 },
            rally: RallyShifts::default(),
            rout_staggers: 1,
            detour_staggers: 1,
            casualty_kills: 1,
            dead_ground: cm(5),
            zone_in_woods: cm(5),
            howitzers_into_woods: cm(5),
            zone_in_buildings: cm(5),
            howitzers_into_buildings: cm(5),
            garrison_zone: cm(10),
            close_order_garrison_zone: cm(10),
            strong_point_zone: cm(10),
            wall_dead_ground: cm(5),
            breach_dead_ground: cm(5),
            held_within: cm(10),
        }
    }
}

impl Numbers {
    /// The numbers as the book prints them.
    #[must_use]
    pub fn book() -> &'static Self {
        static BOOK: LazyLock<Numbers> = LazyLock::new(Numbers::default);
        &BOOK
    }

    /// How much allowance a centimetre of half-rate ground uses up (HZ-TER-02).
    #[must_use]
    pub const fn slow(&self) -> u8 {
        if self.slow_going == 0 { 1 } else { self.slow_going }
    }

    /// Whether two dice are a Huzzah! (HZ-GEN-04).
    #[must_use]
    pub fn is_huzzah(&self, total: i32) -> bool {
        decides!(HZ_GEN_04);
        total == self.huzzah
    }

    /// Whether a roll succeeds against a target: not above it, and never on 11 or 12 (HZ-GEN-03, HZ-GEN-05).
    #[must_use]
    pub fn succeeds(&self, total: i32, target: i32) -> bool {
        decides!(HZ_GEN_05);
        total <= target && total < self.always_fails_from
    }

    /// By how much a roll succeeds, if it does.
    #[must_use]
    pub fn margin(&self, total: i32, target: i32) -> Option<i32> {
        if self.succeeds(total, target) { Some(target - total) } else { None }
    }

    /// The totals of two dice from which on a roll tells something else than the total below: by how much it succeeds,
    /// that it fails, that it is a Huzzah!.
    #[must_use]
    pub fn told_apart(&self, target: i32) -> smallvec::SmallVec<[i32; 12]> {
        let tells = |total: i32| (self.is_huzzah(total), self.margin(total, target));
        (3..=12).filter(|total| tells(*total) != tells(total - 1)).collect()
    }
}

#[cfg(test)]
mod tests;
