//! What each side sees of a battle with hidden movement, and who may write to whom (MB-UMP-03, 04).

use crate::phases::messages;
use crate::phases::options;
use sabretache_engine::decides;
pub(crate) use sabretache_engine::eyes::Eyes;
use sabretache_engine::ids::{CommandId, Named, OfficerId, Side, UnitId};
use sabretache_engine::offer::Refusal;
use sabretache_engine::view::View;
use sabretache_table::Point;

use crate::battle::Battle;
use crate::brigade::Assault;
use crate::clauses::MB_UMP_04;
use crate::event::{Event, Phase};
use crate::table::lay::near;

impl Battle {
    /// Whether the sides see different things: with hidden movement, until the battle is over.
    pub(crate) fn conceals(&self) -> bool {
        decides!(MB_UMP_04);
        options::hides(self) && self.phase != Phase::Over
    }

    /// Whether a unit has shown itself this turn: it fired, charged or fought (MB-UMP-03).
    pub(crate) fn shows_itself(&self, unit: UnitId) -> bool {
        let marks = &self.brigade(unit).marks;
        let acts = marks.fire.bombarded.is_some() || marks.fire.fired_close || marks.fire.gave_fire || marks.fought;
        acts || matches!(marks.carried.attack, Assault::Charged { .. })
    }

    /// Whether these eyes see a unit: it is theirs, or the other side knows of it.
    pub(crate) fn unit_seen(&self, eyes: Eyes, unit: UnitId) -> bool {
        let side = self.brigade(unit).side;
        let known = options::is_known(self, unit) || self.shows_itself(unit);
        eyes.share(side) || (known && self.seen_by_the_player(eyes, unit))
    }

    /// Where players know only what their own wings see, the one who has the floor sees no more than that (MB-UMP-04).
    fn seen_by_the_player(&self, eyes: Eyes, unit: UnitId) -> bool {
        let Eyes::Side(side) = eyes else { return true };
        if !self.fixed.scenario.body.options.limited
            || side != self.active
            || options::players_of(self, side).next().is_none()
        {
            return true;
        }
        let close = self.fixed.numbers.sight_in_cover.length();
        let plays = |leader: OfficerId| options::player_over(self, leader) == Some(self.floor);
        let by_unit = |own: UnitId| {
            plays(self.brigade(own).under) && (self.sees(own, unit) || near(self.figure(own), self.figure(unit), close))
        };
        let by_leader = |own: OfficerId| plays(own) && self.seen_from(&[self.leader(own).at.v()], None, unit);
        self.brigade(unit).status.is_gone() || self.of(side).any(by_unit) || self.leaders_of(side).any(by_leader)
    }

    /// Whether a side's enemy has sight of a place: sight goes both ways.
    fn place_seen(&self, eyes: Eyes, side: Side, at: Point) -> bool {
        eyes.share(side) || self.enemies(side).any(|enemy| self.seen_from(&[at.v()], None, enemy))
    }

    /// Whether these eyes see a leader: with a brigade they see, or in sight himself.
    pub(crate) fn leader_seen(&self, eyes: Eyes, leader: OfficerId) -> bool {
        let one = self.leader(leader);
        let there = match one.attached {
            _ if one.lost => return true,
            Some(unit) => self.unit_seen(eyes, unit),
            None => self.place_seen(eyes, one.side, one.at),
        };
        eyes.share(one.side) || there
    }

    /// Whether these eyes see something.
    pub(crate) fn named_seen(&self, eyes: Eyes, what: Named) -> bool {
        if eyes == Eyes::All || !self.conceals() {
            return true;
        }
        match what {
            Named::Unit(unit) => unit.index() < self.units.len() && self.unit_seen(eyes, unit),
            Named::Officer(leader) => leader.index() < self.leaders.len() && self.leader_seen(eyes, leader),
            Named::Command(command) => command.index() < self.leaders.len() && self.command_seen(eyes, command),
            Named::Ground(_) => true,
        }
    }

    /// A command is known by its leader or by any of its brigades.
    fn command_seen(&self, eyes: Eyes, command: CommandId) -> bool {
        let leader = OfficerId(command.0);
        let units = (0..self.units.len()).map(|n| UnitId(n as u16));
        self.leader_seen(eyes, leader)
            || units.filter(|unit| self.in_chain(leader, *unit)).any(|unit| self.unit_seen(eyes, unit))
    }

    /// Whether these eyes learn of an event that is a matter of one side: orders, messengers, searches.
    pub(crate) fn learned(&self, eyes: Eyes, event: &Event) -> bool {
        let of_leader = |leader: &OfficerId| eyes.share(self.leader(*leader).side);
        match event {
            Event::Ordered { leader, .. } => of_leader(leader),
            Event::Dispatched { dispatch } => of_leader(&dispatch.by),
            Event::RiderMoved { rider, .. } | Event::Heard { rider } | Event::RiderLost { rider } => {
                messages::dispatch(self, *rider).is_none_or(|one| of_leader(&one.by))
            }
            Event::Reassigned { to, .. } | Event::CommandMoved { to, .. } => of_leader(to),
            Event::Searched { side, .. } => eyes.share(*side),
            Event::Floor { .. } => eyes.share(self.active),
            Event::Felt { blow, .. } => self.blows.get(*blow).is_none_or(|blow| self.unit_seen(eyes, blow.unit)),
            _ => true,
        }
    }

    /// The players of a side by name.
    pub(crate) fn player_names(&self, side: Side) -> Vec<String> {
        options::players_of(self, side).map(|player| options::player_name(self, player).to_owned()).collect()
    }

    /// Players who know only what their own wings see write by messenger, or when their leaders touch (MB-UMP-04).
    pub(crate) fn may_write(&self, side: Side, from: &str, to: &str) -> Result<(), Refusal> {
        if !self.fixed.scenario.body.options.limited {
            return Ok(());
        }
        let of = |name: &str| -> Vec<OfficerId> {
            let plays = |leader: &OfficerId| {
                options::player_over(self, *leader).is_some_and(|player| options::player_name(self, player) == name)
            };
            self.leaders_of(side).filter(plays).collect()
        };
        let (writers, readers) = (of(from), of(to));
        let touch = writers.iter().any(|one| readers.iter().any(|other| messages::leaders_touch(self, *one, *other)));
        let brought = self.dispatches.iter().any(|one| {
            let there = one.rider.is_none() || one.arrived || one.heard;
            there && writers.contains(&one.by) && readers.contains(&one.to)
        });
        if touch || brought {
            return Ok(());
        }
        let why = "players of a side write by a messenger who has arrived, or when their leaders touch";
        Err(Refusal::new(MB_UMP_04, why))
    }
}

/// The table as these eyes see it.
pub(crate) fn view_for(battle: &Battle, eyes: Eyes) -> View {
    let mut view = crate::view::view_without_tokens(battle);
    let hides = eyes != Eyes::All && battle.conceals();
    let sees = |side: Side, at: Point| !hides || battle.place_seen(eyes, side, at);
    view.tokens = crate::view::tokens(battle, sees);
    if !hides {
        return view;
    }
    view.units.retain(|unit| battle.unit_seen(eyes, unit.id));
    view.officers.retain(|officer| battle.leader_seen(eyes, officer.id));
    view.commands.retain(|command| battle.command_seen(eyes, command.id));
    // Orders are for those who have them.
    view.commands.iter_mut().filter(|command| !eyes.share(command.side)).for_each(|command| command.lines.clear());
    for line in view.score.iter_mut().filter(|line| line.name == crate::view::IN_HAND) {
        for (side, value) in [(Side::A, &mut line.values.0), (Side::B, &mut line.values.1)] {
            if !eyes.share(side) {
                *value = "not known".into();
            }
        }
    }
    view
}
