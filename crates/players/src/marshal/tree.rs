//! One tree of a search.

use sabretache_engine::dice::{Dice, NoDice, Reading, Roll, Seeded, Throw};
use sabretache_engine::ids::Side;
use sabretache_engine::offer::Choice;
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::Ruleset;
use smallvec::SmallVec;

use super::Measure;
use super::playout::play_on;
use crate::judge::{Care, Judged, judge};

/// How much an untried choice is worth trying.
const CURIOSITY: f64 = 1.4;
/// How sharply a glance tells good from bad: the width, in the measure's units, of a factor e.
const GLANCE_WIDTH: f64 = 0.12;
/// No line is followed further than this.
const DEEPEST: usize = 48;

pub(super) struct Tree<R: Ruleset> {
    nodes: Vec<Node<R>>,
    measure: Measure,
    random: Seeded,
    lowest: f64,
    highest: f64,
}

/// A decision.
struct Node<R: Ruleset> {
    battle: R::Battle,
    side: Option<Side>,
    visits: u32,
    edges: Vec<Edge<R>>,
}

/// A choice, and the chance node behind it.
struct Edge<R: Ruleset> {
    choice: Choice<R::Offer>,
    prior: f64,
    visits: u32,
    total: f64,
    fallen: Vec<Fallen>,
    /// The rules refused it after all.
    closed: bool,
}

/// One way the dice fell.
struct Fallen {
    readings: Readings,
    node: usize,
    count: u32,
}

type Readings = SmallVec<[i32; 8]>;

/// Dice that note what fell, so that the same outcome is found again.
struct Noted<'a> {
    random: &'a mut Seeded,
    readings: Readings,
}

impl Dice for Noted<'_> {
    fn throw(&mut self, throw: &Throw) -> Result<Roll, NoDice> {
        let roll = self.random.throw(throw)?;
        match &roll.reading {
            Reading::Total(total) => self.readings.push(*total),
            Reading::Classes(classes) => self.readings.extend(classes.iter().map(|count| i32::from(*count))),
        }
        Ok(roll)
    }

    fn throw_in(&mut self, throw: &Throw, cuts: &[i32]) -> Result<Roll, NoDice> {
        let roll = self.random.throw(throw)?;
        // Totals that the rules do not tell apart lead to the same node.
        self.readings.push(cuts.iter().filter(|cut| roll.total() >= **cut).count() as i32);
        Ok(roll)
    }
}

impl<R: Ruleset> Tree<R> {
    pub(super) fn new(battle: R::Battle, judged: &[Judged<R::Offer>], measure: Measure, random: Seeded) -> Self {
        let mut root = Node::new(battle);
        root.edges = edges(judged, measure, false);
        Self { nodes: vec![root], measure, random, lowest: f64::MAX, highest: f64::MIN }
    }

    /// How often the `n`th choice was tried, and what it came to in all.
    pub(super) fn root_edge(&self, n: usize) -> (u32, f64) {
        self.nodes[0].edges.get(n).map_or((0, 0.0), |edge| (edge.visits, edge.total))
    }

    pub(super) fn grow(&mut self, iterations: u32) {
        for _ in 0..iterations {
            self.iterate();
        }
    }

    fn iterate(&mut self) {
        let mut path: SmallVec<[(usize, usize); 16]> = SmallVec::new();
        let mut at = 0;
        let value = loop {
            let node = &self.nodes[at];
            if node.side.is_none() || path.len() >= DEEPEST {
                break self.measure.of_battle::<R>(&node.battle);
            }
            if node.edges.is_empty() {
                break self.expand(at);
            }
            let Some(edge) = self.select(at) else { break self.measure.of_battle::<R>(&self.nodes[at].battle) };
            path.push((at, edge));
            match self.follow(at, edge) {
                Some(next) => at = next,
                None => {
                    self.nodes[at].edges[edge].closed = true;
                    path.pop();
                }
            }
        };
        self.lowest = self.lowest.min(value);
        self.highest = self.highest.max(value);
        self.nodes[at].visits += 1;
        for (node, edge) in path {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.edges[edge].visits += 1;
            node.edges[edge].total += value;
        }
    }

    /// Sees what may be done at a leaf, and plays on from it for a while.
    fn expand(&mut self, at: usize) -> f64 {
        let node = &mut self.nodes[at];
        let judged = judge::<R>(&node.battle, &[], Care::GLANCE, &mut self.random);
        let enemy = node.side != Some(self.measure.side);
        node.edges = edges(&judged, self.measure, enemy);
        play_on::<R>(node.battle.clone(), self.measure, &mut self.random)
    }

    /// The choice to try next: what did well, and what was not tried much for what it promises. Only the best few are
    /// open at first, and more of them the more often the node is visited.
    fn select(&self, at: usize) -> Option<usize> {
        let node = &self.nodes[at];
        let sign = if node.side == Some(self.measure.side) { 1.0 } else { -1.0 };
        let width = 3 + libm::sqrt(f64::from(node.visits)) as usize;
        let range = (self.highest - self.lowest).max(1e-6);
        let all = libm::sqrt(f64::from(node.visits + 1));
        let open = node.edges.iter().enumerate().filter(|(_, edge)| !edge.closed).take(width);
        let score = |edge: &Edge<R>| {
            let mean = match edge.visits {
                // An untried choice is thought as good as the worst tried: its prior must speak for it.
                0 => 0.0,
                visits => {
                    let place = (edge.total / f64::from(visits) - self.lowest) / range;
                    if sign > 0.0 { place } else { 1.0 - place }
                }
            };
            mean + CURIOSITY * edge.prior * all / f64::from(1 + edge.visits)
        };
        open.max_by(|(n, a), (m, b)| score(a).total_cmp(&score(b)).then(m.cmp(n))).map(|(n, _)| n)
    }

    /// Lets the dice fall for a choice and goes to the decision they lead to.
    fn follow(&mut self, at: usize, edge: usize) -> Option<usize> {
        let taken = &self.nodes[at].edges[edge];
        let certain = taken.fallen.first().is_some_and(|fallen| fallen.readings.is_empty());
        let enough = taken.fallen.len() as f64 > 2.0 + 1.5 * libm::sqrt(f64::from(taken.visits));
        if certain || enough {
            let all: u32 = taken.fallen.iter().map(|fallen| fallen.count).sum();
            let mut left = self.random.below(all.max(1));
            let found = taken.fallen.iter().position(|fallen| {
                let here = left < fallen.count;
                left = left.saturating_sub(fallen.count);
                here
            });
            return taken.fallen.get(found.unwrap_or(0)).map(|fallen| fallen.node);
        }
        let mut battle = self.nodes[at].battle.clone();
        let mut dice = Noted { random: &mut self.random, readings: Readings::new() };
        R::resolve(&mut Resolution::new(&mut battle, &mut dice), &taken.choice).ok()?;
        let readings = dice.readings;
        let next = self.nodes.len();
        let fallen = &mut self.nodes[at].edges[edge].fallen;
        if let Some(known) = fallen.iter_mut().find(|fallen| fallen.readings == readings) {
            known.count += 1;
            return Some(known.node);
        }
        fallen.push(Fallen { readings, node: next, count: 1 });
        self.nodes.push(Node::new(battle));
        Some(next)
    }
}

impl<R: Ruleset> Node<R> {
    fn new(battle: R::Battle) -> Self {
        Self { side: R::deciding(&battle), battle, visits: 0, edges: Vec::new() }
    }
}

/// The choices of a node, the best at a glance first, each with the weight that the glance gives it.
fn edges<R: Ruleset>(judged: &[Judged<R::Offer>], measure: Measure, enemy: bool) -> Vec<Edge<R>> {
    // What stands well for the enemy stands badly for us.
    let places = judged.iter().map(|one| {
        let ours = measure.of_points(if enemy { -one.value } else { one.value });
        if enemy { -ours } else { ours }
    });
    let places: Vec<f64> = places.collect();
    let best = places.iter().copied().fold(f64::MIN, f64::max);
    let weights: Vec<f64> = places.iter().map(|place| libm::exp((place - best) / GLANCE_WIDTH)).collect();
    let all: f64 = weights.iter().sum();
    let edge = |(one, weight): (&Judged<R::Offer>, f64)| Edge {
        choice: one.choice.clone(),
        prior: weight / all,
        visits: 0,
        total: 0.0,
        fallen: Vec::new(),
        closed: false,
    };
    judged.iter().zip(weights).map(edge).collect()
}
