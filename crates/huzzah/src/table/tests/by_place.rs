//! Units found by where they lie.

use sabretache_table::{Bounds, Outline, Placed, Vec2};

use super::*;
use crate::table::Field;

#[test]
fn units_that_meet_a_box_are_found_and_no_others() {
    // Some forty a side, so that they are looked up and not looked through, one of them thought of as lying elsewhere.
    let id = |n: i32| -> &'static str { format!("{}{n}", if n % 2 == 0 { 'a' } else { 'b' }).leak() };
    let at = |n: i32| (f64::from(n % 10) * 22.0 - 100.0, f64::from(n / 10) * 21.0 - 80.0);
    let one = |n: i32| {
        infantry(id(n), ["line", "column", "square"][n as usize % 3], at(n).0, at(n).1, f64::from(n * 37 % 360))
    };
    let pieces: Vec<Piece> = (0..80).map(one).collect();
    let battle = battle(&pieces);
    let there: Placed = battle.laid.get(UnitId(79)).unwrap().clone();
    for field in [Field::of(&battle), Field::with(&battle, FIRST, there)] {
        for n in 0..400_i32 {
            let corner = Vec2::new(f64::from(n * 7_919 % 460 - 30) * 1e4, f64::from(n * 1_299 % 460 - 30) * 1e4);
            let size = Vec2::new(f64::from(n % 90) * 1e4, f64::from(n * 31 % 70) * 1e4);
            let bounds = Bounds::of(&[corner, corner + size]);
            let meets = |(_, placed): &(UnitId, &Placed)| placed.bounds().meets(&bounds);
            let ids = |found: Vec<(UnitId, &Placed)>| found.into_iter().map(|(id, _)| id).collect::<Vec<_>>();
            assert_eq!(ids(field.meeting(bounds).collect()), ids(field.all().filter(meets).collect()), "{bounds:?}");
            let enemies = field.enemies_meeting(SECOND, bounds).collect();
            assert_eq!(ids(enemies), ids(field.enemies(SECOND).filter(meets).collect()), "enemies in {bounds:?}");
            let friends = field.friends_meeting(FIRST, bounds).collect();
            assert_eq!(ids(friends), ids(field.friends(FIRST).filter(meets).collect()), "friends in {bounds:?}");
        }
    }
}
