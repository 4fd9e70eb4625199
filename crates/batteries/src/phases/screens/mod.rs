//! Option 7.10: skirmish screens. A screen is part of its battalion, but is shot at and shoots on its own.

pub(crate) mod offers;
pub(crate) mod placing;

use std::borrow::Cow;

use sabretache_engine::decides;
use sabretache_engine::ids::UnitId;
use sabretache_engine::offer::{Halt, Input, Refusal};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::scenario::Scenario;
use sabretache_kit::in_a_sentence;
use sabretache_table::{Bounds, Length, Pose, first_contact};

use crate::Batteries;
use crate::battle::{Battle, Pending, Place, ThisTurn};
use crate::body::options::Options;
use crate::body::{Body, UnitEntry};
use crate::clauses::*;
use crate::event::Event;
use crate::offer::Offer;
use crate::phases::screens::offers::Screens;
use crate::table::NEAR;
use crate::troops::{Arm, Formation, Grade, Nation};

/// Whether a battalion can screen: by the scenario, or by its nation (BB-OPT-63, BB-OPT-81, BB-OPT-85).
fn capable(entry: &UnitEntry, options: &Options) -> bool {
    decides!(BB_OPT_63, BB_OPT_81, BB_OPT_85);
    let national = options.national_modifiers
        && entry.grade != Grade::F
        && matches!(entry.nation, Some(Nation::France | Nation::LaterPrussia));
    options.skirmish_screens
        && entry.arm == Arm::Foot
        && entry.screen_of.is_none()
        && entry.part_of.is_none()
        && (entry.screen_capable || national)
}

/// The scenario with a screen in the ranks of every battalion that can have one and has none yet.
pub(crate) fn with_screens(scenario: &Scenario<Body>) -> Cow<'_, Scenario<Body>> {
    let body = &scenario.body;
    let has = |id: &str| body.units.iter().any(|entry| entry.screen_of.as_deref() == Some(id));
    let new: Vec<UnitEntry> = body
        .units
        .iter()
        .filter(|entry| capable(entry, &body.options) && !has(&entry.id))
        .map(|entry| UnitEntry {
            id: format!("{}-screen", entry.id),
            name: in_a_sentence(&format!("the screen of {}", entry.name)),
            light: true,
            screen_capable: false,
            screen_of: Some(entry.id.clone()),
            formation: Some(Formation::Skirmish),
            width: Some(1),
            figures: Some(0),
            place: Some(Place::Ranks),
            shaken: false,
            disordered: false,
            fought: false,
            spotted: false,
            reforming: false,
            fled_once: false,
            rounds: 0,
            advanced: false,
            chases: 0,
            now: ThisTurn::default(),
            ..entry.clone()
        })
        .collect();
    if new.is_empty() {
        return Cow::Borrowed(scenario);
    }
    let mut scenario = scenario.clone();
    scenario.body.units.extend(new);
    Cow::Owned(scenario)
}

impl Battle {
    /// The screen of a battalion, if it is out.
    pub(crate) fn screen_out(&self, unit: UnitId) -> Option<UnitId> {
        self.facts(unit).screen.filter(|screen| self.unit(*screen).place == Place::Table)
    }

    pub(crate) fn is_screen(&self, unit: UnitId) -> bool {
        self.facts(unit).screen_of.is_some()
    }

    pub(crate) fn recall_input(&self, unit: UnitId) -> Result<Input, Refusal> {
        self.may_handle_screen(unit)?;
        match self.screen_out(unit) {
            Some(_) => Ok(Input::None),
            None => Err(Refusal::new(BB_OPT_63, "its screen is not out")),
        }
    }

    /// How many figures a screen that was hit may be given from its battalion (BB-OPT-66).
    pub(crate) fn refill_most(&self, screen: UnitId) -> u16 {
        decides!(BB_OPT_66);
        let (state, facts) = (self.unit(screen), self.facts(screen));
        let size = u16::from(state.stands) * u16::from(facts.per_stand);
        let spare = facts.screen_of.map_or(0, |parent| self.unit(parent).figures.saturating_sub(1));
        size.saturating_sub(state.figures).min(spare)
    }

    /// How far each screen is before its battalion.
    pub(crate) fn screen_gaps(&self) -> Vec<(UnitId, Pose, Length)> {
        if !self.fixed.options.skirmish_screens {
            return Vec::new();
        }
        let out = self.all().filter_map(|unit| Some((unit, self.screen_out(unit)?)));
        out.map(|(unit, screen)| {
            let ahead = self.unit(unit).pose.relative(self.unit(screen).pose.at.v()).y;
            let depth = self.unit(screen).footprint(self.facts(screen), self.numbers()).depth();
            (unit, self.unit(unit).pose, (Length::rounded(ahead) - depth).max(Length::ZERO))
        })
        .collect()
    }

    /// Screens have the morale of their battalion, and their losses are its losses (BB-OPT-66, BB-OPT-67).
    pub(crate) fn count_screen(&mut self, unit: UnitId) {
        decides!(BB_OPT_66, BB_OPT_67);
        let facts = *self.facts(unit);
        let pair = facts.screen.map(|screen| (unit, screen)).or(facts.screen_of.map(|parent| (parent, unit)));
        let Some((parent, screen)) = pair else { return };
        if self.unit(screen).place == Place::Table {
            self.change(screen).shaken = self.unit(parent).shaken;
            self.change(parent).out = self.unit(screen).figures;
        }
    }

    pub(crate) fn apply_screen(&mut self, event: &Event) {
        match *event {
            Event::Screened { unit, screen, stands, figures, to } => {
                let parent = self.change(unit);
                parent.figures = parent.figures.saturating_sub(figures);
                parent.now.screened = true;
                let moved = parent.now.moved;
                let state = self.change(screen);
                (state.figures, state.stands, state.pose) = (figures, stands, to);
                (state.place, state.formation) = (Place::Table, Formation::Skirmish);
                (state.disordered, state.spotted) = (false, false);
                state.now = ThisTurn { moved, ..ThisTurn::default() };
                self.count_screen(unit);
            }
            Event::ScreenMoved { screen, to } => {
                let state = self.change(screen);
                (state.pose, state.now.moved, state.spotted) = (to, true, false);
            }
            Event::ScreenBack { unit, screen } => self.take_in(unit, screen),
            Event::Recalled { unit, screen } => {
                self.take_in(unit, screen);
                self.change(unit).now.screened = true;
            }
            Event::Refilled { screen, figures } => {
                self.pending = None;
                if let Some(parent) = self.facts(screen).screen_of {
                    self.change(parent).figures = self.unit(parent).figures.saturating_sub(figures);
                }
                let state = self.change(screen);
                state.figures += figures;
                state.now.tested = true;
                self.count_screen(screen);
            }
            _ => {}
        }
    }

    /// A screen is in the ranks again, with what it has.
    pub(crate) fn take_in(&mut self, unit: UnitId, screen: UnitId) {
        let state = *self.unit(screen);
        let parent = self.change(unit);
        parent.figures += state.figures;
        parent.toll += state.toll;
        parent.out = 0;
        let state = self.change(screen);
        (state.figures, state.toll, state.place) = (0, 0, Place::Ranks);
    }
}

/// A battalion's screen rejoins it, if it is out (BB-OPT-68).
pub(crate) fn call_in(play: &mut Resolution<'_, Batteries>, unit: UnitId) {
    decides!(BB_OPT_68);
    if let Some(screen) = play.battle().screen_out(unit) {
        play.happen(Event::ScreenBack { unit, screen });
    }
}

/// Before a charger runs on: its own screen is in, and so is every screen that it would touch (BB-OPT-68).
pub(crate) fn make_way(play: &mut Resolution<'_, Batteries>, charger: UnitId, length: Length) {
    decides!(BB_OPT_68);
    call_in(play, charger);
    let battle = play.battle();
    if !battle.fixed.options.skirmish_screens {
        return;
    }
    let placed = battle.placed(charger);
    let way = placed.pose().heading.unit();
    let met = |unit: UnitId| first_contact(&placed, way, length.f() + NEAR, &battle.placed(unit)).is_some();
    let behind: Vec<UnitId> = battle
        .enemies(charger)
        .filter(|unit| battle.screen_out(*unit).is_some_and(|screen| met(screen) || met(*unit)))
        .collect();
    for unit in behind {
        call_in(play, unit);
    }
}

/// A battalion throws out its screen.
pub(crate) fn deploy(play: &mut Resolution<'_, Batteries>, unit: UnitId, stands: u8, gap: Length) -> Result<(), Halt> {
    let battle = play.battle();
    let place = battle.facts(unit).screen.zip(battle.screen_near(unit, stands, gap));
    let (screen, to) =
        place.ok_or_else(|| Refusal::new(BB_OPT_64, "there is no room for a screen before its front"))?;
    let battle = play.battle();
    let figures = (u16::from(stands) * u16::from(battle.facts(screen).per_stand)).min(battle.unit(unit).figures);
    play.happen(Event::Screened { unit, screen, stands, figures, to });
    Ok(())
}

/// A battalion calls its screen in.
pub(crate) fn recall(play: &mut Resolution<'_, Batteries>, unit: UnitId) {
    if let Some(screen) = play.battle().screen_out(unit) {
        play.happen(Event::Recalled { unit, screen });
    }
}

/// After each choice: screens go with their battalions, or rejoin those that have no use for them (BB-OPT-64, BB-OPT-68).
pub(crate) fn settle(play: &mut Resolution<'_, Batteries>, gaps: &[(UnitId, Pose, Length)]) {
    decides!(BB_OPT_64, BB_OPT_68);
    for (unit, was, gap) in gaps {
        let (unit, battle) = (*unit, play.battle());
        let Some(screen) = battle.screen_out(unit) else { continue };
        let (state, now) = (battle.unit(unit), battle.unit(unit).now);
        let shut = matches!(state.formation, Formation::Square | Formation::Skirmish) || state.inside.is_some();
        if battle.in_contact(unit) || now.charging || now.charged || now.routed || shut {
            call_in(play, unit);
            continue;
        }
        let stands = battle.unit(screen).stands;
        if state.pose == *was && battle.screen_pose(unit, stands, *gap).is_some() {
            continue;
        }
        match battle.screen_near(unit, stands, *gap) {
            Some(to) => play.happen(Event::ScreenMoved { screen, to }),
            None => call_in(play, unit),
        }
    }
}

/// The next screen that was hit and can be filled up is asked about; one with nobody left is gone.
pub(crate) fn ask_to_refill(play: &mut Resolution<'_, Batteries>) {
    let battle = play.battle();
    if !battle.fixed.options.skirmish_screens {
        return;
    }
    let screens: Vec<UnitId> = battle.all().filter(|unit| battle.is_screen(*unit)).collect();
    for screen in screens {
        let battle = play.battle();
        let (state, parent) = (battle.unit(screen), battle.facts(screen).screen_of);
        let asks = state.now.hits > 0 && !state.now.tested && battle.refill_most(screen) > 0;
        if asks {
            play.happen(Event::Asked { pending: Pending::Refill { screen } });
            return;
        }
        if let (0, Some(unit)) = (state.figures, parent) {
            play.happen(Event::ScreenBack { unit, screen });
        }
    }
}

/// The owner fills a screen up, or does not.
pub(crate) fn refill(play: &mut Resolution<'_, Batteries>, screen: UnitId, figures: u16) -> Result<(), Halt> {
    play.happen(Event::Refilled { screen, figures });
    ask_to_refill(play);
    if play.battle().pending.is_some() {
        return Ok(());
    }
    crate::phases::turn::after_fire(play)
}

/// What a battalion may do with its screen.
pub(crate) fn offers(battle: &Battle, unit: UnitId, looked: &mut Bounds, out: &mut Vec<Offer>) {
    decides!(BB_OPT_10);
    if battle.facts(unit).screen.is_none() {
        return;
    }
    let open = (1..=battle.most_stands(unit)).filter(|stands| battle.may_screen(unit, *stands, looked));
    out.extend(open.map(|stands| Offer::from(Screens::Screen { unit, stands })));
    if battle.recall_input(unit).is_ok() {
        out.push(Screens::Recall(unit).into());
    }
}
