//! The moment at which a scenario begins.

use super::*;

impl Reader<'_> {
    pub(super) fn contacts(&mut self) -> Vec<Contact> {
        let mut contacts = Vec::new();
        for (n, entry) in self.scenario.body.state.contacts.iter().enumerate() {
            let at = Path::root().key("state").key("contacts").item(n);
            let charger = self.unit_named(&entry.charger, at.clone().key("charger"));
            let target = self.unit_named(&entry.target, at.key("target"));
            contacts.extend(charger.zip(target).map(|(charger, target)| Contact {
                charger,
                target,
                flank: entry.flank,
                cover: entry.cover,
                obstacle: entry.obstacle,
                into_obstacle: entry.into_obstacle,
                uphill: entry.uphill,
                fresh: entry.fresh,
                steady: entry.steady,
                overrun: entry.overrun,
                follows: entry.follows,
                pursuit: entry.pursuit,
                as_square: entry.as_square,
            }));
        }
        contacts
    }

    /// Pairs of enemies: those who have parted, or those who have an odd die set against them.
    pub(super) fn pairs(&mut self, key: &str) -> Vec<(UnitId, UnitId)> {
        let state = &self.scenario.body.state;
        let entries = if key == "parted" { &state.parted } else { &state.favours };
        let mut pairs = Vec::new();
        for (n, entry) in entries.iter().enumerate() {
            let at = Path::root().key("state").key(key).item(n);
            let (one, other) = (self.unit_named(&entry.one, at.clone()), self.unit_named(&entry.other, at));
            pairs.extend(one.zip(other));
        }
        pairs
    }

    pub(super) fn volleys(&mut self) -> Vec<(UnitId, UnitId, u16)> {
        let mut volleys = Vec::new();
        for (n, entry) in self.scenario.body.state.volleys.iter().enumerate() {
            let at = Path::root().key("state").key("volleys").item(n);
            let by = self.unit_named(&entry.unit, at.clone().key("unit"));
            let target = self.unit_named(&entry.at, at.key("at"));
            volleys.extend(by.zip(target).map(|(by, target)| (by, target, entry.hits)));
        }
        volleys
    }

    pub(super) fn chases(&mut self) -> Vec<Chase> {
        let mut chases = Vec::new();
        for (n, entry) in self.scenario.body.state.chases.iter().enumerate() {
            let at = Path::root().key("state").key("chases").item(n);
            let pursuer = self.unit_named(&entry.pursuer, at.clone().key("pursuer"));
            let quarry = self.unit_named(&entry.quarry, at.key("quarry"));
            let from = self.scenario.measure.point(entry.from);
            chases.extend(pursuer.zip(quarry).map(|(pursuer, quarry)| Chase {
                pursuer,
                quarry,
                from,
                recoiled: entry.recoiled,
            }));
        }
        chases
    }

    /// A piece of ground by its id, or by the name that a save gives it.
    pub(super) fn ground_named(&mut self, id: &str, at: Path) -> Option<u16> {
        let named = |n: usize| self.scenario.ground[n].id.as_deref() == Some(id) || format!("ground-{n}") == id;
        let found = (0..self.scenario.ground.len()).find(|n| named(*n));
        if found.is_none() {
            self.report.error(at, format!("there is no ground '{id}'"));
        }
        found.map(|n| n as u16)
    }

    /// What is broken, and what is being battered.
    pub(super) fn broken(&mut self) -> (Vec<Break>, Vec<Battered>, Vec<Batter>) {
        let (state, measure) = (&self.scenario.body.state, self.scenario.measure);
        let at = Path::root().key("state");
        let mut breaks = Vec::new();
        for (n, gap) in state.breaks.iter().enumerate() {
            let ground = self.ground_named(&gap.ground, at.clone().key("breaks").item(n));
            let (from, to) = (measure.length(gap.from), measure.length(gap.to));
            breaks.extend(ground.map(|ground| Break { ground, from, to }));
        }
        let mut battered = Vec::new();
        for (n, one) in state.battered.iter().enumerate() {
            let ground = self.ground_named(&one.ground, at.clone().key("battered").item(n));
            let section = one.section.saturating_sub(1);
            battered.extend(ground.map(|ground| Battered { ground, section, hits: one.hits }));
        }
        let mut batters = Vec::new();
        for (n, one) in state.batters.iter().enumerate() {
            let at = at.clone().key("batters").item(n);
            let (unit, ground) = (self.unit_named(&one.unit, at.clone()), self.ground_named(&one.ground, at));
            let section = one.section.saturating_sub(1);
            batters.extend(unit.zip(ground).map(|(unit, ground)| Batter { unit, ground, section, onward: !one.back }));
        }
        (breaks, battered, batters)
    }

    pub(super) fn pending(&mut self) -> Option<Pending> {
        let at = Path::root().key("state").key("pending");
        let measure = self.scenario.measure;
        match self.scenario.body.state.pending.as_ref()? {
            PendingEntry::Evade { charger, target, way } => {
                if !(-45.0..=45.0).contains(way) {
                    let help = "from -45 to 45 degrees to the right of the line of the charge";
                    self.report.against(BB_CHG_13, at.key("evade").key("way"), "nobody evades that way", help);
                    return None;
                }
                let way = (way * 100.0).round() as i16;
                let charger = self.unit_named(charger, at.clone());
                let target = self.unit_named(target, at);
                charger.zip(target).map(|(charger, target)| Pending::Evade { charger, target, way })
            }
            PendingEntry::Onward { charger } => self.unit_named(charger, at).map(|charger| Pending::Onward { charger }),
            PendingEntry::Overrun { charger } => {
                self.unit_named(charger, at).map(|charger| Pending::Overrun { charger })
            }
            PendingEntry::Detour { unit } => self.unit_named(unit, at).map(|unit| Pending::Detour { unit }),
            PendingEntry::Refill { screen } => self.unit_named(screen, at).map(|screen| Pending::Refill { screen }),
            PendingEntry::AtOnce { unit, charger } => {
                let (unit, charger) = (self.unit_named(unit, at.clone()), self.unit_named(charger, at));
                unit.zip(charger).map(|(unit, charger)| Pending::AtOnce { unit, charger })
            }
            PendingEntry::Aim { unit } => self.unit_named(unit, at).map(|unit| Pending::Aim { unit }),
            PendingEntry::Toll { garrison } => self.unit_named(garrison, at).map(|garrison| Pending::Toll { garrison }),
            PendingEntry::Rout { unit, least, cause } => {
                let cause = cause.as_ref().and_then(|id| self.unit_named(id, at.clone()));
                let unit = self.unit_named(unit, at)?;
                Some(Pending::Rout { unit, least: measure.length(*least), cause })
            }
        }
    }

    /// The charge that is being plotted.
    pub(super) fn launch(&mut self, units: &[Unit]) -> Option<Launch> {
        let at = Path::root().key("state").key("launch");
        let scenario = self.scenario;
        let entry = scenario.body.state.launch.as_ref()?;
        let unit = self.unit_named(&entry.unit, at.clone().key("unit"))?;
        let before = entry.before.as_ref().and_then(|id| self.unit_named(id, at.clone().key("before")));
        let near = entry.near.iter().filter_map(|id| self.unit_named(id, at.clone().key("near"))).collect();
        let paid = entry.paid.as_ref().and_then(|id| {
            let found = scenario.body.generals.iter().position(|general| general.id == *id);
            if found.is_none() {
                self.report.error(at.clone().key("paid"), format!("there is no general '{id}'"));
            }
            found.map(|n| OfficerId(n as u16))
        });
        let mut was = *units.get(unit.index())?;
        was.pose = Pose::new(scenario.measure.point(entry.at), entry.facing.heading());
        was.formation = entry
            .formation
            .filter(|_| self.scenario.body.units[unit.index()].arm == Arm::Foot)
            .unwrap_or(was.formation);
        (was.stands, was.now) = (entry.width.max(1), entry.now);
        (was.shaken, was.disordered, was.spotted) = (entry.shaken, entry.disordered, entry.spotted);
        (was.reforming, was.advanced) = (entry.reforming, entry.advanced);
        Some(Launch { unit, was, before, tracks: entry.tracks, paid, near })
    }

    /// A unit that plots a charge is on the move, and has a place to come back to.
    fn launched_from(&mut self, battle: &Battle) {
        let Some(launch) = &battle.launch else { return };
        let at = Path::root().key("state").key("launch");
        let on_move = matches!(battle.step, Step::MoveA | Step::MoveB)
            && battle.side(launch.unit) == battle.phasing()
            && battle.moving == Some(launch.unit)
            && battle.unit(launch.unit).place == Place::Table;
        if !on_move {
            let help = "name it as the unit that is moving, in its own side's movement phase";
            self.report.against(BB_CHG_09, at, "only a unit in the middle of its move launches a charge", help);
            return;
        }
        let there = launch.was.placed(battle.facts(launch.unit), battle.numbers());
        let taken = battle.others(launch.unit).any(|other| overlapping(&there, &battle.placed(other)));
        if taken || battle.fixed.table.on_table(&there) != OnTable::Wholly {
            self.report.against(BB_MOV_27, at.key("at"), "it could not stand there", "move it to where it set out");
        }
    }

    /// Where units cannot stand.
    pub(super) fn places(&mut self, battle: &Battle) {
        let placed: Vec<_> = battle.all().map(|unit| (unit, battle.placed(unit))).collect();
        for (i, (unit, here)) in placed.iter().enumerate() {
            let n = unit.index();
            if battle.fixed.table.on_table(here) != OnTable::Wholly {
                self.against(BB_MOV_27, n, "at", "it stands over the edge of the table", "move it inwards");
            }
            let inside = battle.unit(*unit).inside;
            let upon =
                |(other, there): &&(UnitId, sabretache_table::Placed)| battle.lies_upon((*unit, here), (*other, there));
            if let Some((other, there)) = placed[..i].iter().find(upon) {
                let name = &self.scenario.body.units[other.index()].id;
                let deep = self.scenario.measure.tell(overlap(here, there).f());
                self.against(
                    BB_MOV_27,
                    n,
                    "at",
                    format!("it stands on top of '{name}', by {deep}"),
                    "move one of them",
                );
            }
            let bars = || battle.barred(battle.unit(*unit), battle.facts(*unit), here);
            if let Some(clause) = inside.is_none().then(bars).flatten() {
                self.against(clause, n, "at", "it cannot stand on that ground", "move it off");
            }
        }
        self.launched_from(battle);
        let state = &self.scenario.body.state;
        if state.step != Step::Over && state.turn > self.scenario.body.turns {
            self.report.error(Path::root().key("state").key("turn"), "the battle has no such turn");
        }
        for (n, contact) in battle.contacts.iter().enumerate() {
            let at = Path::root().key("state").key("contacts").item(n);
            if battle.side(contact.charger) == battle.side(contact.target) {
                self.report.against(BB_COM_01, at, "two friends do not fight", "name an enemy");
            } else if [contact.charger, contact.target].iter().any(|unit| battle.unit(*unit).place != Place::Table) {
                self.report.against(BB_COM_01, at, "a unit that is not on the table does not fight", "leave it out");
            }
        }
    }
}
