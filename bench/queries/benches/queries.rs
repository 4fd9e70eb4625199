//! One benchmark for each query, on a battle of 100 units with some ground.

use std::sync::LazyLock;

use divan::{Bencher, black_box};
use sabretache_table::*;

fn main() {
    divan::main();
}

struct Scene {
    index: Index,
    ground: Ground,
    table: Tabletop,
    footprint: Footprint,
    us: Placed,
    them: Placed,
    friend: Placed,
    beside: Placed,
}

static SCENE: LazyLock<Scene> = LazyLock::new(|| {
    let table = Tabletop::new(Length::cm(400), Length::cm(270));
    let footprint = Footprint::block(4, 1, Length::cm(4), Length::cm(2));
    let mut index = Index::new(&table);
    for i in 0..100 {
        let pose = Pose::cm(30 + 37 * (i % 10) + i / 10, 20 + 25 * (i / 10), if i % 2 == 0 { 3 } else { 178 });
        index.place(i as u16, Placed::new(&footprint, pose));
    }
    let at = |x, y, h| Placed::new(&footprint, Pose::cm(x, y, h));
    let mut features = Vec::new();
    for i in 0..24i32 {
        let (x, y) = (20 + 60 * (i % 6), 20 + 60 * (i / 6));
        let outer = vec![
            Point::cm(x, y),
            Point::cm(x + 30, y + 4),
            Point::cm(x + 18, y + 15),
            Point::cm(x + 32, y + 34),
            Point::cm(x + 5, y + 28),
        ];
        let shape = if i % 4 == 3 {
            FeatureShape::Line { points: outer, width: Length::cm(2) }
        } else {
            FeatureShape::Area { outer, holes: Vec::new() }
        };
        let kind = FeatureKind::new(if i % 3 == 0 { "contour" } else { "wood" });
        features.push(Feature { id: FeatureId(i as u16), kind, name: None, shape, level: 1 });
    }
    let ground = Ground::new(features).unwrap_or_default();
    let beside = Placed::new(&footprint, Pose::cm(200, 100, 10).sideways(Length::cm(16)));
    Scene {
        index,
        ground,
        table,
        beside,
        us: at(200, 100, 10),
        them: at(210, 130, 185),
        friend: at(205, 114, 355),
        footprint,
    }
});

fn scene(bencher: Bencher, query: impl Fn(&'static Scene) + Sync) {
    let scene: &'static Scene = &SCENE;
    bencher.bench(|| query(scene));
}

macro_rules! queries {
    ($($name:ident => $query:expr;)*) => {
        $(#[divan::bench]
        fn $name(bencher: Bencher) {
            scene(bencher, |s| {
                let query: fn(&'static Scene) -> _ = $query;
                black_box(query(black_box(s)));
            });
        })*
    };
}

queries! {
    lay_a_footprint => |s| Placed::new(&s.footprint, s.us.pose());
    touching_two_units => |s| contact(&s.us, &s.beside);
    distance_between_two_units => |s| distance(&s.us, &s.them);
    overlap_of_two_units => |s| overlapping(&s.us, &s.beside);
    sweep_straight => |s| s.index.sweep(&s.us, Direction::Ahead, Length::cm(30), |_| true);
    sweep_sideways => |s| s.index.sweep(&s.us, Direction::Right, Length::cm(30), |_| true);
    sweep_backwards => |s| s.index.sweep(&s.us, Direction::Back, Length::cm(30), |_| true);
    sweep_round_a_corner => |s| s.index.wheel(&s.us, s.us.corner(Corner::FrontRight), Angle::QUARTER, |_| true);
    sweep_along_a_path => |s| {
        let path = [Leg::Ahead(Length::cm(10)), Leg::Wheel(Angle::degrees(30)), Leg::Ahead(Length::cm(10))];
        s.index.follow(&s.footprint, s.us.pose(), &path, |_| true)
    };
    sweep_until_ground_is_met => |s| s.ground.sweep(&s.us, Direction::Ahead, Length::cm(30), |_| true);
    crossings_of_a_zone => |s| {
        let zone = Zone::before(&s.them, Face::Front, Length::cm(20)).outline();
        let mut out = Vec::new();
        crossings(&s.us, s.us.forward(), Length::cm(30), [(1, &zone)], &mut out);
        out
    };
    crossings_of_a_wheel => |s| {
        let zone = Zone::before(&s.them, Face::Front, Length::cm(20)).outline();
        let mut out = Vec::new();
        wheel_crossings(&s.us, s.us.corner(Corner::FrontRight), Angle::QUARTER, [(1, &zone)], &mut out);
        out
    };
    zone_cut_by_friends => |s| s.index.cut(Zone::before(&s.us, Face::Front, Length::cm(20)), |id| id % 2 == 0);
    zone_enemies_seen => |s| {
        let mut out = Vec::new();
        s.index.seen_in(&Zone::before(&s.us, Face::Front, Length::cm(40)), |id| id % 2 == 1, &mut out);
        out
    };
    zone_look_at_one_target => |s| Zone::before(&s.us, Face::Front, Length::cm(40)).look(&s.them, [&s.friend]);
    zone_shadowed_outline => |s| Zone::before(&s.us, Face::Front, Length::cm(40)).shadowed([&s.friend]);
    any_line_clear_past_one_blocker => |s| any_line_clear(s.us.face(Face::Front), &s.them, [&s.friend]);
    any_line_clear_in_a_battle => |s| s.index.any_line_clear(s.us.face(Face::Front), &s.them, |_| true);
    all_lines_clear_in_a_battle => |s| s.index.all_lines_clear(s.us.face(Face::Front), &s.them, |_| true);
    line_between_two_places => |s| line_clear(s.us.centre(), s.them.centre(), [&s.friend]);
    ground_crossed_by_a_line => |s| {
        let mut out = Vec::new();
        s.ground.crossed(s.us.centre(), Vec2::new(3e6, 2e6), &mut out);
        out
    };
    level_at_a_place => |s| s.ground.level(KindId(0), s.us.centre());
    arc_of_fire => |s| Arc::before(&s.us, Face::Front, Angle::degrees(45)).look(&s.them);
    shares_of_ground => |s| s.ground.shares(&s.us);
    how_far_a_move_gets => |s| {
        let cost = |ids: &[FeatureId]| if ids.is_empty() { Cost::OPEN } else { Cost::Rate { num: 2, den: 1 } };
        s.ground.how_far(&s.us, Direction::Ahead, Length::cm(30), Reckoning::FirstTouch, Length::cm(20), cost)
    };
    behind_or_beside_by_diagonals => |s| by_diagonals(&s.us, Diagonals::At45, &s.them);
    behind_or_beside_by_frontage_line => |s| by_frontage_line(&s.us, &s.them);
    nearest_of_a_kind => |s| s.index.nearest(&s.us, |id| id % 7 == 0);
    five_nearest => |s| {
        let mut out = Vec::new();
        s.index.k_nearest(&s.us, 5, |_| true, &mut out);
        out
    };
    within_a_range => |s| {
        let mut out = Vec::new();
        s.index.within(&s.us, Length::cm(40), |_| true, &mut out);
        out
    };
    way_home_round_obstacles => |s| way_home(s.us.pose().at, &s.table, Edge::South, Length::cm(4), s.index.iter().map(|u| u.1));
    straight_home => |s| s.table.straight_home(&s.us, Edge::South, s.index.iter());
    clone_the_index => |s| s.index.clone();
}

#[divan::bench]
fn move_a_unit_in_the_index(bencher: Bencher) {
    bencher.with_inputs(|| SCENE.index.clone()).bench_values(|mut index| {
        index.place(5, SCENE.us.clone());
        index
    });
}

/// The same question put to the physics library, for the record of why it is not used: see `docs/decisions/0002-geometry.md`.
mod physics_library {
    use super::*;
    use parry2d_f64::math::{Pose as Iso, Vector};
    use parry2d_f64::query::{self, ShapeCastOptions};
    use parry2d_f64::shape::Cuboid;

    fn iso(p: &Placed) -> Iso {
        let c = p.centre();
        Iso::new(Vector::new(c.x, c.y), -p.pose().heading.as_turn().to_radians())
    }

    #[divan::bench]
    fn sweep_one_unit_physics(bencher: Bencher) {
        let cuboid = Cuboid::new(Vector::new(80_000.0, 10_000.0));
        bencher.bench(|| {
            let way = SCENE.us.forward() * 3e5;
            let options = ShapeCastOptions { max_time_of_impact: 1.0, ..ShapeCastOptions::default() };
            let (a, b) = (iso(black_box(&SCENE.us)), iso(black_box(&SCENE.them)));
            query::cast_shapes(&a, Vector::new(way.x, way.y), &cuboid, &b, Vector::new(0.0, 0.0), &cuboid, options)
                .map(|hit| hit.map(|h| h.time_of_impact))
        });
    }

    #[divan::bench]
    fn sweep_one_unit_ours(bencher: Bencher) {
        bencher.bench(|| sweep(black_box(&SCENE.us), Direction::Ahead, Length::cm(30), [(1, black_box(&SCENE.them))]));
    }
}
