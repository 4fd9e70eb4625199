//! The battle as a scenario again, and what of a scenario never changes.

use super::*;

/// The scenario without what changes in a battle, so that two moments of one battle share it.
pub(super) fn without_state(scenario: &Scenario<Body>) -> Scenario<Body> {
    let mut scenario = scenario.clone();
    let body = &mut scenario.body;
    body.state = State::default();
    body.units.retain(|entry| entry.split_from.is_none());
    for entry in &mut body.units {
        *entry = UnitEntry {
            id: std::mem::take(&mut entry.id),
            name: std::mem::take(&mut entry.name),
            coat: entry.coat.take(),
            facings: entry.facings.take(),
            arrives: entry.arrives,
            acts_as_cavalry: entry.acts_as_cavalry,
            ..blank()
        };
    }
    for leader in &mut body.leaders {
        (leader.at, leader.idle, leader.challenge, leader.guns, leader.started) = (None, 0, None, 0, None);
        leader.succeeded = false;
        (leader.attached, leader.order, leader.above) = (None, None, None);
        (leader.wounded, leader.lost, leader.rode) = (false, false, false);
        (leader.used, leader.inspires) = (0, 0);
    }
    for objective in &mut body.objectives {
        // Whose it is goes; that an older file says so with the older word is kept.
        objective.held = objective.held.as_ref().map(|_| String::new());
        objective.held_by = None;
    }
    scenario
}

/// An entry with nothing in it.
pub(super) fn blank() -> UnitEntry {
    UnitEntry {
        id: String::new(),
        name: String::new(),
        side: String::new(),
        kind: Kind::default(),
        style: None,
        grade: None,
        mix: Vec::new(),
        acts_as_cavalry: false,
        bases: None,
        under: String::new(),
        at: None,
        facing: None,
        arrives: None,
        known: false,
        formation: None,
        ranks: None,
        files: None,
        refused: None,
        places: Vec::new(),
        coat: None,
        facings: None,
        mixed: None,
        outrance: None,
        base: None,
        dps: 0,
        status: Status::default(),
        speed: 0,
        last_move: None,
        last_road: false,
        last_retired: false,
        spared: None,
        pursues: None,
        lost_end: None,
        failed_charge: false,
        aim: None,
        horses: None,
        crew_with: None,
        split_from: None,
        marks: crate::brigade::Marks::default(),
    }
}

/// The battle as a scenario, so that mustering it again gives the same battle.
pub(crate) fn save(battle: &Battle) -> Scenario<Body> {
    let mut scenario = battle.fixed.scenario.clone();
    let measure = scenario.measure;
    let side_id = |side: Side| battle.fixed.scenario.sides[side.index()].id.clone();
    let body = &mut scenario.body;
    let statics = std::mem::take(&mut body.units);
    for (n, brigade) in battle.units.iter().enumerate() {
        let fixed = &statics[usize::from(brigade.entry)];
        let crew_with = battle.crews.iter().find(|(gun, _)| gun.index() == n).map(|(_, with)| battle.id_of(*with));
        body.units.push(UnitEntry {
            id: battle.id_of(UnitId(n as u16)),
            name: fixed.name.clone(),
            side: side_id(brigade.side),
            kind: brigade.kind,
            style: Some(brigade.style),
            grade: brigade.grade,
            acts_as_cavalry: fixed.acts_as_cavalry,
            bases: Some(brigade.bases),
            under: battle.fixed.scenario.body.leaders[brigade.under.index()].id.clone(),
            at: Some(measure.pair(brigade.pose.at)),
            facing: Some(brigade.pose.heading.into()),
            arrives: fixed.arrives,
            known: brigade.known,
            formation: Some(brigade.formation),
            files: Some(brigade.files),
            refused: brigade.refused,
            places: brigade.places.map_or_else(Vec::new, |places| {
                places.on_table(brigade.pose.at).map(|place| measure.pair(place)).collect()
            }),
            coat: fixed.coat.clone(),
            facings: fixed.facings.clone(),
            mixed: Some(brigade.mixed),
            outrance: Some(brigade.outrance),
            base: Some([brigade.width, brigade.depth]),
            dps: brigade.dps,
            status: brigade.status,
            speed: brigade.speed,
            last_move: match brigade.last_move {
                LastMove::None | LastMove::Road | LastMove::Retired => None,
                LastMove::Dice(dice) => Some(dice),
            },
            last_road: brigade.last_move == LastMove::Road,
            last_retired: brigade.last_move == LastMove::Retired,
            spared: brigade.spared.map(|foot| battle.id_of(foot)),
            pursues: brigade.pursues.map(|enemy| battle.id_of(enemy)),
            lost_end: brigade.lost_end,
            failed_charge: brigade.failed_charge,
            aim: brigade.aim,
            horses: brigade.horses.map(|at| measure.pair(at)),
            crew_with,
            split_from: (brigade.part > 0)
                .then(|| crate::body::SplitEntry { of: fixed.id.clone(), part: brigade.part }),
            marks: brigade.marks,
            ..blank()
        });
    }
    let ids: Vec<String> = body.leaders.iter().map(|entry| entry.id.clone()).collect();
    for (entry, leader) in body.leaders.iter_mut().zip(&battle.leaders) {
        entry.at = Some(measure.pair(leader.at));
        (entry.idle, entry.challenge, entry.guns) = (leader.idle, leader.challenge, leader.guns);
        (entry.started, entry.succeeded) = (Some(leader.started), leader.succeeded);
        entry.above = leader.above.map(|above| ids[above.index()].clone());
        entry.attached = leader.attached.map(|unit| battle.id_of(unit));
        entry.order = leader.order.map(|order| crate::body::OrderEntry {
            kind: order.kind,
            position: order.position.and_then(|n| body.positions.get(usize::from(n))).map(|one| one.id.clone()),
        });
        (entry.wounded, entry.lost, entry.rode) = (leader.wounded, leader.lost, leader.rode);
        (entry.used, entry.inspires) = (leader.used, leader.inspires);
    }
    for (entry, held) in body.objectives.iter_mut().zip(&battle.held) {
        let holder = held.map(side_id);
        match entry.held {
            Some(_) => entry.held = holder,
            None => entry.held_by = holder,
        }
    }
    body.state = State {
        turn: battle.turn,
        phase: battle.phase,
        active: Some(side_id(battle.active)),
        first: Some(side_id(battle.first)),
        chooser: battle.chooser,
        die: battle.die(),
        group: battle.group,
        approach: battle.approach(),
        passing: battle.passing().cloned(),
        falling: battle.falling(),
        met: battle.met(),
        closing: battle.closing.clone(),
        scattering: battle.scattering().cloned(),
        ahead: battle.ahead,
        fights: battle.fights.clone(),
        blows: battle.blows.clone(),
        dispatches: battle.dispatches.clone(),
        taken: battle.taken.clone(),
        searched: battle.searched.clone(),
        floor: battle.floor,
        finished: battle.finished,
        started: Some(battle.fixed.started),
        guns_started: Some(battle.fixed.guns_started),
    };
    scenario
}

/// Where an army's own edge is.
pub(crate) fn edge_of(scenario: &Scenario<Body>, side: Side) -> Edge {
    let id = &scenario.sides[side.index()].id;
    scenario.body.armies.iter().find(|army| army.side == *id).map_or(Edge::South, |army| army.edge)
}
