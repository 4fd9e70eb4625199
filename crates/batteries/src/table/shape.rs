//! How units stand: stands, ranks, footprints, places of single figures.

use sabretache_engine::decides;
use sabretache_table::{Angle, Footprint, Heading, Length, Placed, Pose, Stand, Vec2};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::battle::{Facts, Kind, Unit};
use crate::clauses::*;
use crate::numbers::Numbers;
use crate::troops::{Formation, by_width};

/// Stands that so many figures need (BB-UNI-22).
#[must_use]
pub(crate) fn stands_for(figures: u16, per_stand: u8) -> u16 {
    decides!(BB_UNI_22);
    figures.div_ceil(u16::from(per_stand.max(1)))
}

/// Figures of the four faces of a square: front, rear, right, left (BB-UNI-24).
#[must_use]
pub(crate) fn faces(figures: u16) -> [u16; 4] {
    decides!(BB_UNI_24);
    let mut faces = [figures / 4; 4];
    for face in faces.iter_mut().take(usize::from(figures % 4)) {
        *face += 1;
    }
    faces
}

/// The wings of a bent line, from its left: stands of each, and how far each is turned from the one before it, to the right
/// (BB-UNI-18).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bend {
    /// Stands of each wing; 0 where there is no further wing.
    pub wings: [u8; 4],
    /// Hundredths of a degree.
    pub turns: [i16; 3],
}

impl Bend {
    /// The wings that so many stands still fill: losses come off the right end.
    pub(crate) fn filled(&self, stands: u16) -> SmallVec<[(u8, i16); 4]> {
        let mut wings: SmallVec<[(u8, i16); 4]> = SmallVec::new();
        for (n, stands) in self.wings.iter().enumerate().filter(|(_, stands)| **stands > 0) {
            wings.push((*stands, if n == 0 { 0 } else { self.turns[n - 1] }));
        }
        let count = |wings: &[(u8, i16)]| wings.iter().map(|wing| u16::from(wing.0)).sum::<u16>();
        // From the right end, so that nobody else has to shift.
        while count(&wings) > stands.max(1) {
            match wings.last_mut() {
                Some(last) if last.0 > 1 => last.0 -= 1,
                _ => {
                    wings.pop();
                }
            }
        }
        wings
    }

    /// The wings as single stands relative to the middle of the first one's front.
    pub(crate) fn stands(&self, stands: u16, width: Length, depth: Length) -> SmallVec<[Stand; 4]> {
        let mut found = SmallVec::new();
        let (mut corner, mut heading) = (Vec2::default(), Heading::NORTH);
        for (n, (count, turn)) in self.filled(stands).into_iter().enumerate() {
            let before = heading.unit();
            heading += Angle::hundredths(turn.into());
            let long = width * i32::from(count);
            let along = heading.unit().right();
            // Two wings share a corner: the front one where the line bends forward, the rear one where it bends back, so
            // that no stand lies on another.
            let from = match n {
                0 => along * (-long.f() / 2.0),
                _ if turn > 0 => corner + (heading.unit() - before) * depth.f(),
                _ => corner,
            };
            found.push(Stand {
                at: Pose::new(sabretache_table::Point::rounded(from + along * (long.f() / 2.0)), heading),
                width: long,
                depth,
            });
            corner = from + along * long.f();
        }
        found
    }
}

/// The measures of a unit's stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Basing {
    pub(crate) per_stand: u8,
    pub(crate) frontage: Length,
    pub(crate) depth: Length,
}

impl Facts {
    /// How its figures are mounted (BB-UNI-21, BB-OPT-58).
    pub(crate) fn basing(&self, numbers: &Numbers) -> Basing {
        decides!(BB_UNI_21, BB_OPT_09, BB_OPT_58);
        let stands = &numbers.stands;
        match self.kind {
            Kind::Foot { .. } => Basing {
                per_stand: self.per_stand,
                frontage: if self.two_rank { stands.two_rank.0 } else { stands.foot.0 },
                depth: stands.foot_depth.0,
            },
            Kind::Horse { .. } => {
                Basing { per_stand: self.per_stand, frontage: stands.horse.0, depth: stands.horse_depth.0 }
            }
            Kind::Guns { .. } => Basing { per_stand: 1, frontage: stands.gun.0, depth: stands.gun_depth.0 },
        }
    }
}

/// A unit's figures in their ranks, and the room they take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ranks {
    /// Stands (or models) across.
    pub(crate) files: u16,
    /// Rows of them.
    pub(crate) rows: u16,
    /// Figures of the first rank.
    pub(crate) first: u16,
    /// Figures of the second.
    pub(crate) second: u16,
}

impl Unit {
    /// Gun models on the table (BB-GUN-10).
    pub(crate) fn models(&self) -> u16 {
        decides!(BB_GUN_10);
        u16::from(self.guns).div_ceil(2)
    }

    /// A battery whose gunners stand by their guns.
    pub(crate) fn serves_guns(&self, facts: &Facts) -> bool {
        matches!(facts.kind, Kind::Guns { .. }) && !self.away
    }

    /// Ranks and files (BB-UNI-23, BB-UNI-26, BB-UNI-29).
    pub(crate) fn ranks(&self, facts: &Facts) -> Ranks {
        decides!(BB_UNI_27, BB_UNI_23, BB_UNI_26, BB_UNI_29);
        if self.serves_guns(facts) {
            let models = self.models();
            let files = if self.limbered { u16::from(self.stands).clamp(1, models.max(1)) } else { models };
            let rows = models.div_ceil(files.max(1));
            return Ranks { files, rows, first: files, second: models.saturating_sub(files).min(files) };
        }
        // Gunners away from their guns are one rank of figures on infantry stands.
        let per_stand = if matches!(facts.kind, Kind::Guns { .. }) { 4 } else { facts.per_stand };
        let stands = stands_for(self.figures, per_stand);
        if self.formation == Formation::Bent && matches!(facts.kind, Kind::Foot { .. }) {
            return Ranks { files: stands.max(1), rows: 1, first: self.figures, second: 0 };
        }
        let wide = if matches!(facts.kind, Kind::Guns { .. }) { stands } else { u16::from(self.stands) };
        let files = stands.min(wide).max(1);
        let across = files * u16::from(per_stand);
        let first = self.figures.min(across);
        Ranks { files, rows: stands.div_ceil(files).max(1), first, second: (self.figures - first).min(across) }
    }

    /// The formation it counts as now: losses make an extended line a line, but no line a column (BB-UNI-17).
    pub(crate) fn formation_now(&self, facts: &Facts, numbers: &Numbers) -> Formation {
        decides!(BB_UNI_17);
        let width = self.ranks(facts).first;
        if self.formation == Formation::Extended && width <= numbers.widths.line {
            Formation::Line
        } else {
            self.formation
        }
    }

    /// Ranks of figures deep.
    pub(crate) fn deep(&self, facts: &Facts) -> u16 {
        self.ranks(facts).rows
    }

    /// The ground it covers (BB-UNI-23, BB-UNI-24, BB-UNI-25, BB-UNI-26).
    pub(crate) fn footprint(&self, facts: &Facts, numbers: &Numbers) -> Footprint {
        decides!(BB_UNI_23, BB_UNI_24, BB_UNI_25, BB_UNI_26);
        let basing = facts.basing(numbers);
        // The places of those out in its screen are kept (BB-OPT-63).
        let whole = Self { figures: self.figures + self.out, ..*self };
        let ranks = whole.ranks(facts);
        if let Kind::Guns { .. } = facts.kind {
            if self.away {
                let stands = &numbers.stands;
                let width = stands.foot.0 * i32::from(stands.foot_figures);
                return Footprint::block(ranks.files, 1, width, stands.foot_depth.0);
            }
            return Footprint::block(ranks.files, ranks.rows, basing.frontage, basing.depth);
        }
        let stand = basing.frontage * i32::from(basing.per_stand);
        match self.formation {
            Formation::Square => {
                let largest = faces(whole.figures)[0];
                let side = (basing.frontage * i32::from(largest)).max(stand);
                Footprint::single(side, side)
            }
            Formation::Bent => {
                let stands = stands_for(whole.figures, facts.per_stand);
                self.bend.map_or_else(
                    || Footprint::block(stands, 1, stand, basing.depth),
                    |bend| Footprint::of(&bend.stands(stands, stand, basing.depth)),
                )
            }
            Formation::Skirmish => Footprint::block(ranks.files, ranks.rows, stand * 2, basing.depth),
            _ => Footprint::block(ranks.files, ranks.rows, stand, basing.depth),
        }
    }

    /// The footprint where it lies.
    pub(crate) fn placed(&self, facts: &Facts, numbers: &Numbers) -> Placed {
        Placed::new(&self.footprint(facts, numbers), self.pose)
    }
}

/// A pose with another footprint about the same centre.
pub(crate) fn about_centre(centre: Vec2, heading: Heading, footprint: &Footprint) -> Pose {
    let back = footprint.depth().f() / 2.0;
    Pose::new(sabretache_table::Point::rounded(centre + heading.unit() * back), heading)
}

/// The formation of a front of so many figures (BB-UNI-10, BB-UNI-11, BB-UNI-12).
pub(crate) fn named_by_width(figures: u16, numbers: &Numbers) -> Formation {
    decides!(BB_UNI_10, BB_UNI_11, BB_UNI_12);
    by_width(figures, numbers.widths.column, numbers.widths.line)
}

/// A figure or model that shoots: where its front centre is and which way it looks (BB-UNI-32).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Post {
    pub(crate) at: Vec2,
    pub(crate) out: Vec2,
}

/// The posts of the rank that shoots; for a square those of all faces, face by face.
pub(crate) fn posts(unit: &Unit, facts: &Facts, numbers: &Numbers) -> Vec<Post> {
    decides!(BB_UNI_32, BB_SHO_08, BB_SHO_49);
    use sabretache_table::Face;
    let placed = unit.placed(facts, numbers);
    let basing = facts.basing(numbers);
    let row = |face: Face, figures: u16, frontage: Length| {
        let edge = placed.face(face);
        let (middle, out) = (edge.middle(), placed.outward(face));
        let along = (edge.b - edge.a).unit();
        (0..figures).map(move |i| {
            let off = (f64::from(i) + 0.5 - f64::from(figures) / 2.0) * frontage.f();
            Post { at: middle + along * off, out }
        })
    };
    let frontage = match unit.formation {
        Formation::Skirmish => basing.frontage * 2,
        _ => basing.frontage,
    };
    if unit.formation == Formation::Square && matches!(facts.kind, Kind::Foot { .. }) {
        let [front, rear, right, left] = faces(unit.figures);
        let faces = [(Face::Front, front), (Face::Rear, rear), (Face::Right, right), (Face::Left, left)];
        return faces.into_iter().flat_map(|(face, figures)| row(face, figures, frontage)).collect();
    }
    if unit.formation == Formation::Bent
        && let Some(bend) = unit.bend
    {
        return bent_posts(unit, facts, numbers, &bend);
    }
    row(Face::Front, unit.ranks(facts).first, frontage).collect()
}

/// The posts of a bent line, wing by wing, each looking the way its wing faces.
fn bent_posts(unit: &Unit, facts: &Facts, numbers: &Numbers, bend: &Bend) -> Vec<Post> {
    let basing = facts.basing(numbers);
    let stand = basing.frontage * i32::from(basing.per_stand);
    let (ahead, at) = (unit.pose.heading.unit(), unit.pose.at.v());
    let mut left = unit.figures;
    let mut posts = Vec::new();
    for wing in bend.stands(stands_for(unit.figures, facts.per_stand), stand, basing.depth) {
        let room = (wing.width.to_um() / basing.frontage.to_um().max(1)).max(1) as u16;
        let figures = left.min(room);
        left -= figures;
        let middle = at + ahead.right() * wing.at.at.x.f() + ahead * wing.at.at.y.f();
        let out = (unit.pose.heading + wing.at.heading.as_turn()).unit();
        posts.extend((0..figures).map(|i| {
            let off = (f64::from(i) + 0.5 - f64::from(room) / 2.0) * basing.frontage.f();
            Post { at: middle + out.right() * off, out }
        }));
    }
    posts
}
