//! Whether obstacles bar every way from one place to another, however long and winding.
//!
//! A mover that keeps some room clear of each obstacle cannot pass between two that stand closer than the room it needs beside both. Where such pairs
//! join up in a ring round one of the two places and not round the other, no way leads from one to the other; where no ring does, there is a way. A ring
//! is known by how often it winds round each of the two places, so nothing is searched for, and widths are exact.

use core::f64::consts::PI;

use crate::convex::{Convex, shared};
use crate::outline::Part;
use crate::touch::{exact_distance, nearest_apart, parted};
use crate::vec2::Vec2;

/// An obstacle, and how near its edge the middle of the mover may come.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The obstacle.
    pub shape: Convex,
    /// The room to keep, in micrometres.
    pub room: f64,
}

impl Kept {
    /// An obstacle with some room round it.
    pub fn new(shape: Convex, room: f64) -> Self {
        Self { shape, room }
    }
}

/// Whether obstacles bar every way between two places. A gap exactly as wide as the room on both sides of it lets the mover through. An obstacle that
/// holds either place is none; one that lies closer to either of them than its room leaves the room that there is.
pub fn all_barred(from: Vec2, to: Vec2, obstacles: &[Kept]) -> bool {
    let mut kept: Vec<(Part<'_>, f64, Vec2)> = Vec::new();
    for one in obstacles {
        let near = [from, to].map(|end| exact_distance(&one.shape, &Convex::place(end)));
        let least = near[0].min(near[1]);
        if least > 0.0 && !one.shape.corners().is_empty() {
            kept.push((one.shape.as_part(), one.room.min(least), middle(one.shape.corners())));
        }
    }
    // Obstacles that touch hang together in groups. Each remembers how far the way to it from the first of its group winds round the two places.
    let mut group: Vec<usize> = (0..kept.len()).collect();
    let mut turned: Vec<f64> = vec![0.0; kept.len()];
    for i in 0..kept.len() {
        for j in i + 1..kept.len() {
            let ((a, room_a, middle_a), (b, room_b, middle_b)) = (kept[i], kept[j]);
            let (apart, on_a, on_b) = nearest(a, b);
            if apart >= room_a + room_b {
                continue;
            }
            let way = [middle_a, on_a, on_b, middle_b];
            let turn = way.windows(2).map(|leg| turn_about(from, leg) - turn_about(to, leg)).sum::<f64>();
            let (first, second) = (group[i], group[j]);
            let differs = turned[i] + turn - turned[j];
            if first == second {
                // A closed ring: it winds round one of the places and not round the other, or it does not matter.
                if differs.abs() > PI {
                    return true;
                }
                continue;
            }
            for n in (0..kept.len()).filter(|n| group[*n] == second).collect::<Vec<_>>() {
                group[n] = first;
                turned[n] += differs;
            }
        }
    }
    false
}

/// How far two obstacles are apart, and the place of each that is nearest to the other; less than nothing, and a place of both, where they meet.
fn nearest(a: Part<'_>, b: Part<'_>) -> (f64, Vec2, Vec2) {
    let (gap2, on_a, on_b) = nearest_apart(a, b);
    if parted(a, b, f64::MIN_POSITIVE) {
        return (gap2.sqrt(), on_a, on_b);
    }
    let both = shared(a, b);
    let place = if both.is_empty() { on_a } else { middle(&both) };
    (-1.0, place, place)
}

fn middle(corners: &[Vec2]) -> Vec2 {
    corners.iter().fold(Vec2::default(), |sum, corner| sum + *corner) * (1.0 / corners.len() as f64)
}

/// The angle by which a straight leg turns about a place that it does not touch.
fn turn_about(place: Vec2, leg: &[Vec2]) -> f64 {
    let (a, b) = (leg[0] - place, leg[1] - place);
    libm::atan2(a.cross(b), a.dot(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(x: f64, y: f64, wide: f64, deep: f64) -> Convex {
        let (w, d) = (wide / 2.0, deep / 2.0);
        Convex::hull(&[
            Vec2::new(x - w, y - d),
            Vec2::new(x + w, y - d),
            Vec2::new(x + w, y + d),
            Vec2::new(x - w, y + d),
        ])
    }

    /// A ring of four walls round (50, 50), open on its right by a gap.
    fn ring(gap: f64, room: f64) -> Vec<Kept> {
        let shut = 20.0 - gap / 2.0;
        let walls = [
            block(50.0, 72.0, 44.0, 4.0),
            block(50.0, 28.0, 44.0, 4.0),
            block(28.0, 50.0, 4.0, 48.0),
            block(72.0, 30.0 + shut / 2.0, 4.0, shut),
            block(72.0, 70.0 - shut / 2.0, 4.0, shut),
        ];
        walls.into_iter().map(|wall| Kept::new(wall, room)).collect()
    }

    #[test]
    fn a_gap_exactly_wide_enough_lets_the_mover_out_and_one_a_hair_narrower_does_not() {
        let (inside, outside) = (Vec2::new(50.0, 50.0), Vec2::new(200.0, 55.0));
        assert!(!all_barred(inside, outside, &ring(8.0, 4.0)));
        assert!(all_barred(inside, outside, &ring(7.99, 4.0)));
        assert!(!all_barred(inside, outside, &ring(8.01, 4.0)));
    }

    #[test]
    fn a_ring_bars_nobody_who_is_inside_with_his_goal_or_outside_with_it() {
        let ring = ring(0.0, 1.0);
        let (one, other) = (Vec2::new(40.0, 50.0), Vec2::new(60.0, 60.0));
        assert!(!all_barred(one, other, &ring));
        assert!(!all_barred(Vec2::new(0.0, 0.0), Vec2::new(150.0, 100.0), &ring));
        assert!(all_barred(one, Vec2::new(0.0, 0.0), &ring));
        assert!(all_barred(Vec2::new(0.0, 0.0), one, &ring));
    }

    #[test]
    fn an_open_row_of_walls_is_gone_round() {
        let row: Vec<Kept> = (0..9).map(|n| Kept::new(block(10.0 * f64::from(n), 50.0, 10.0, 2.0), 1.0)).collect();
        assert!(!all_barred(Vec2::new(40.0, 0.0), Vec2::new(40.0, 100.0), &row));
    }

    #[test]
    fn walls_that_cross_hang_together() {
        let (inside, outside) = (Vec2::new(50.0, 50.0), Vec2::new(200.0, 50.0));
        let walls = [
            block(50.0, 70.0, 80.0, 2.0),
            block(50.0, 30.0, 80.0, 2.0),
            block(30.0, 50.0, 2.0, 80.0),
            block(70.0, 50.0, 2.0, 80.0),
        ];
        let walls: Vec<Kept> = walls.into_iter().map(|wall| Kept::new(wall, 0.0)).collect();
        assert!(all_barred(inside, outside, &walls));
        assert!(!all_barred(inside, outside, &walls[..3]));
    }
}
