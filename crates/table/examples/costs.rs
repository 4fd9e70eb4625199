//! Prints `docs/table-costs.md`: what sweeps and zone queries cost at 20, 100, 400 and 1,600 units.
//!
//! `cargo run --release -p sabretache-table --example costs > docs/table-costs.md`

use std::hint::black_box;
use std::time::Instant;

use sabretache_table::{
    Angle, Corner, Direction, Face, Footprint, Heading, Index, Length, Placed, Point, Pose, Tabletop, Zone, sweep,
};

const SIZES: [usize; 4] = [20, 100, 400, 1_600];

/// A small repeatable source of numbers, so that every run measures the same battle.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: i32) -> i32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as i32
    }
}

/// A battle: units in rough rows over the whole table, even numbers facing north and odd ones south, none overlapping.
fn battle(table: Tabletop, units: usize, unit: &Footprint) -> Index {
    let mut numbers = Numbers(1806);
    let mut index = Index::new(&table);
    let aspect = table.width.f() / table.depth.f();
    let cols = (units as f64 * aspect / 3.0).sqrt().ceil() as i32;
    let rows = (units as i32 + cols - 1) / cols;
    let (cell_w, cell_d) = (table.width / cols, table.depth / rows);
    let (spare_w, spare_d) = (cell_w - unit.frontage() - Length::mm(12), cell_d - unit.depth() - Length::mm(12));
    for i in 0..units as i32 {
        let jitter = |n: i32, spare: Length| Length::um(n % spare.to_um().max(1));
        let x = cell_w * (i % cols) + unit.frontage().half() + Length::mm(6) + jitter(numbers.below(1 << 30), spare_w);
        let south = i % 2 == 1;
        let y = cell_d * (i / cols) + Length::mm(6) + jitter(numbers.below(1 << 30), spare_d);
        let y = if south { y } else { y + unit.depth() };
        let wobble = Angle::hundredths(numbers.below(600) - 300);
        let heading = if south { Heading::SOUTH } else { Heading::NORTH };
        index.place(i as u16, Placed::new(unit, Pose::new(Point::new(x, y), heading + wobble)));
    }
    index
}

/// Nanoseconds for one call, the best of several rounds over all units.
fn measure(index: &Index, mut query: impl FnMut(u16, &Placed)) -> f64 {
    let units: Vec<(u16, Placed)> = index.iter().map(|(id, p)| (id, p.clone())).collect();
    let rounds = (20_000 / units.len()).max(1);
    let mut best = f64::INFINITY;
    for _ in 0..9 {
        let start = Instant::now();
        for _ in 0..rounds {
            for (id, unit) in &units {
                query(*id, unit);
            }
        }
        best = best.min(start.elapsed().as_nanos() as f64 / (rounds * units.len()) as f64);
    }
    best
}

type Row = (&'static str, fn(&Index) -> f64);

const ROWS: [Row; 8] = [
    ("sweep ahead 30 cm", |index| {
        measure(index, |id, unit| {
            black_box(index.sweep(unit, Direction::Ahead, Length::cm(30), |other| other != id));
        })
    }),
    ("sweep at 45° 30 cm", |index| {
        measure(index, |id, unit| {
            let way = Direction::Toward(unit.pose().heading + Angle::degrees(45));
            black_box(index.sweep(unit, way, Length::cm(30), |other| other != id));
        })
    }),
    ("wheel 90° on a front corner", |index| {
        measure(index, |id, unit| {
            let pivot = unit.corner(Corner::FrontRight);
            black_box(index.wheel(unit, pivot, Angle::QUARTER, |other| other != id));
        })
    }),
    ("zone 20 cm: cut by friends, enemies seen in it", |index| {
        let mut seen = Vec::new();
        measure(index, |id, unit| {
            let zone = Zone::before(unit, Face::Front, Length::cm(20));
            let zone = index.cut(zone, |other| other != id && other % 2 == id % 2);
            index.seen_in(&zone, |other| other % 2 != id % 2, &mut seen);
            black_box(&seen);
        })
    }),
    ("nearest enemy", |index| {
        measure(index, |id, unit| {
            black_box(index.nearest(unit, |other| other % 2 != id % 2));
        })
    }),
    ("any line to the nearest enemy", |index| {
        let nearest: Vec<Option<u16>> =
            index.iter().map(|(id, u)| index.nearest(u, |o| o % 2 != id % 2).map(|n| n.0)).collect();
        measure(index, |id, unit| {
            if let Some((target, enemy)) = nearest[usize::from(id)].and_then(|t| index.get(t).map(|e| (t, e))) {
                let face = unit.face(Face::Front);
                black_box(index.any_line_clear(face, enemy, |o| o != id && o != target));
            }
        })
    }),
    ("*for comparison:* sweep ahead, every unit looked at", |index| {
        measure(index, |id, unit| {
            let all = index.iter().filter(|(other, _)| *other != id);
            black_box(sweep(unit, Direction::Ahead, Length::cm(30), all));
        })
    }),
    ("*for comparison:* zone, every unit looked at", |index| {
        measure(index, |id, unit| {
            let zone = Zone::before(unit, Face::Front, Length::cm(20));
            let friends = index.iter().filter(|(other, _)| *other != id && other % 2 == id % 2);
            let zone = zone.cut(friends.map(|(_, u)| u));
            let enemies = || index.iter().filter(|(other, _)| other % 2 != id % 2);
            for (enemy, target) in enemies() {
                if zone.nearest(target).is_some() {
                    black_box(zone.look(target, enemies().filter(|(other, _)| *other != enemy).map(|(_, u)| u)));
                }
            }
        })
    }),
];

fn table(title: &str, battles: &[Index]) {
    println!("## {title}\n");
    println!("| query | 20 units | 100 units | 400 units | 1,600 units |");
    println!("|---|---:|---:|---:|---:|");
    for (name, cost) in ROWS {
        let costs: Vec<f64> = battles.iter().map(cost).collect();
        let cells: Vec<String> = costs.iter().map(|c| format!("{c:.0} ns (×{:.2})", c / costs[0])).collect();
        println!("| {name} | {} |", cells.join(" | "));
    }
    println!();
}

fn main() {
    println!("# What the table costs\n");
    println!(
        "Made by `cargo run --release -p sabretache-table --example costs > docs/table-costs.md`. Each cell is the mean time of one query \
         over all units of a battle, the best of nine rounds, and in brackets its ratio to the 20-unit battle of the same \
         row in the same run. Times depend on the machine; the ratios are what matters. From 20 to 1,600 units is ×80.\n"
    );
    let unit = Footprint::block(4, 1, Length::cm(4), Length::cm(2));
    let even: Vec<Index> = SIZES
        .iter()
        .map(|&n| {
            let scale = (n as f64 / 20.0).sqrt();
            let side = |cm: f64| Length::rounded(cm * 1e4 * scale);
            battle(Tabletop::new(side(180.0), side(120.0)), n, &unit)
        })
        .collect();
    table("The table grows with the battle", &even);
    println!("Units of 16 × 2 cm at the same density throughout: 20 on 180 × 120 cm, 1,600 on 16.1 × 10.7 m.\n");
    let unit = Footprint::block(2, 1, Length::cm(4), Length::cm(2));
    let crowd: Vec<Index> =
        SIZES.iter().map(|&n| battle(Tabletop::new(Length::cm(480), Length::cm(360)), n, &unit)).collect();
    table("The same table, ever more crowded", &crowd);
    println!(
        "Units of 8 × 2 cm, all on 480 × 360 cm. Here the answers themselves grow: eighty times as many units stand within \
         reach of each query.\n"
    );
    println!("## Cloning the index\n\n| units | 20 | 32 | 100 | 400 | 1,600 |\n|---|---:|---:|---:|---:|---:|");
    let unit = Footprint::block(4, 1, Length::cm(4), Length::cm(2));
    let cells: Vec<String> = [20usize, 32, 100, 400, 1_600]
        .iter()
        .map(|&n| {
            let scale = (n as f64 / 20.0).sqrt();
            let side = |cm: f64| Length::rounded(cm * 1e4 * scale);
            let index = battle(Tabletop::new(side(180.0), side(120.0)), n, &unit);
            let one = measure(&index, |_, _| {
                black_box(index.clone());
            });
            format!("{one:.0} ns")
        })
        .collect();
    println!("| one clone | {} |", cells.join(" | "));
}
