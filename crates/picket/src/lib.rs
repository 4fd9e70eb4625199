//! Picket: a tiny ruleset of our own, the worked example of `docs/rulesets.md`.
//!
//! Two sides of a few pickets. In its turn a side lets each picket advance or wheel once. A loaded picket may fire at
//! whoever advances into the zone before it (the one interrupt); whoever is hit tests its steadiness (the one test).

mod battle;
mod body;
pub mod clauses;
mod moving;
pub mod numbers;
mod told;
mod volley;
mod words;
mod worth;

use sabretache_engine::clause::{Book, Clause};
use sabretache_engine::forecast::{Fate, Headline, Invitation};
use sabretache_engine::handle::Handling;
use sabretache_engine::ids::{Named, Side, UnitId};
use sabretache_engine::interrupt::{Clock, Interrupt};
use sabretache_engine::offer::{Choice, Ghost, Halt, Input, Preview, Refusal, Value, WrongValue};
use sabretache_engine::resolution::Resolution;
use sabretache_engine::ruleset::{Label, Ruleset, Telling};
use sabretache_engine::scenario::{Diagnostics, Scenario};
use sabretache_engine::situation::SituationTest;
use sabretache_engine::view::{Overlay, Verdict, View};
use sabretache_kit::shapes::stands;
use sabretache_kit::{Forbids, centimetres};
use sabretache_table::{Length, Placed, distance, wheeled_pose};

use battle::Halted;
pub use battle::{Battle, Event};
pub use body::Body;
use clauses::{BOOK, PK_SEQ_01, PK_SEQ_02};
pub use numbers::Numbers;
use sabretache_engine::decides;
pub use volley::{Fired, Steadiness, Volley};

/// The ruleset.
#[derive(Clone, Copy, Debug)]
pub struct Picket;

/// One thing the deciding side may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Straight ahead.
    Advance(UnitId),
    /// About a front corner.
    Wheel(UnitId),
    /// Enough for this turn.
    EndTurn,
    /// Fire at the mover.
    Fire,
    /// Let the mover pass.
    HoldFire,
}

impl Ruleset for Picket {
    const BOOK: &'static Book = &BOOK;
    const VERSION: &'static str = clauses::VERSION;
    const WRITTEN: &'static [Clause] = &[clauses::PK_VOL_03];
    type Battle = Battle;
    type Offer = Offer;
    type Event = Event;
    type Body = Body;

    fn muster(scenario: &Scenario<Body>, report: &mut Diagnostics) -> Option<Battle> {
        body::muster(scenario, report)
    }

    fn save(battle: &Battle) -> Scenario<Body> {
        body::save(battle)
    }

    fn deciding(battle: &Battle) -> Option<Side> {
        if battle.beaten().is_some() || battle.out_of_time() {
            return None;
        }
        Some(if battle.halted.is_some() { battle.phasing.other() } else { battle.phasing })
    }

    fn offers(battle: &Battle, out: &mut Vec<Offer>) {
        if battle.halted.is_some() {
            out.extend([Offer::Fire, Offer::HoldFire]);
            return;
        }
        let laid = battle.laid();
        for unit in battle.of(battle.phasing).filter(|unit| !battle.picket(*unit).acted) {
            if moving::can_advance(battle, &laid, unit) {
                out.push(Offer::Advance(unit));
            }
            if moving::can_wheel(battle, &laid, unit) {
                out.push(Offer::Wheel(unit));
            }
        }
        out.push(Offer::EndTurn);
    }

    fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
        if battle.halted.is_some() || Self::deciding(battle).is_none() {
            return;
        }
        for unit in battle.of(battle.phasing) {
            let inputs = [
                (Offer::Advance(unit), moving::advance_input(battle, unit)),
                (Offer::Wheel(unit), moving::wheel_input(battle, unit)),
            ];
            for (offer, input) in inputs {
                // What there is no room for is impossible, whether or not it has acted.
                let refusal = input.err().or_else(|| acted(battle, unit));
                out.extend(refusal.map(|refusal| (offer, refusal)));
            }
        }
    }

    fn input(battle: &Battle, offer: &Offer) -> Input {
        match offer {
            Offer::Advance(unit) => moving::advance_input(battle, *unit).unwrap_or(Input::None),
            Offer::Wheel(unit) => moving::wheel_input(battle, *unit).unwrap_or(Input::None),
            Offer::EndTurn | Offer::Fire | Offer::HoldFire => Input::None,
        }
    }

    fn resolve(play: &mut Resolution<'_, Self>, choice: &Choice<Offer>) -> Result<(), Halt> {
        match choice.offer {
            Offer::Advance(unit) => {
                may_act(play, unit)?;
                if !moving::can_advance(play.battle(), &play.battle().laid(), unit) {
                    moving::advance_input(play.battle(), unit)?;
                }
                let distance = choice.value.distance().ok_or(WrongValue("how far?".into()))?;
                play.happen(Event::Acts { unit });
                moving::go_on(play, unit, distance);
            }
            Offer::Wheel(unit) => {
                may_act(play, unit)?;
                if !moving::can_wheel(play.battle(), &play.battle().laid(), unit) {
                    moving::wheel_input(play.battle(), unit)?;
                }
                let angle = choice.value.wheel().ok_or(WrongValue("how much?".into()))?;
                let to = wheeled_pose(&play.battle().placed(unit), angle);
                play.happen(Event::Acts { unit });
                play.happen(Event::Moved { unit, to });
            }
            Offer::EndTurn => {
                decides!(PK_SEQ_01);
                let (turn, to) = (play.battle().turn, play.battle().phasing.other());
                play.happen(Event::TurnPassed { turn: turn + u32::from(to == Side::A), to });
            }
            Offer::Fire | Offer::HoldFire => react(play, choice.offer == Offer::Fire)?,
        }
        Ok(())
    }

    fn apply(battle: &mut Battle, event: &Event) {
        battle.apply(event);
    }

    fn check(battle: &Battle) -> Result<(), String> {
        battle.check()
    }

    fn key(battle: &Battle, offer: &Offer) -> String {
        words::key(battle, offer)
    }

    fn label(battle: &Battle, offer: &Offer) -> Label {
        words::label(battle, offer)
    }

    fn decision(battle: &Battle) -> String {
        words::decision(battle)
    }

    fn tell(battle: &Battle, event: &Event) -> Telling {
        words::tell(battle, event)
    }

    fn outcome(battle: &Battle, events: &[Event]) -> String {
        words::outcome(battle, events)
    }

    fn name(battle: &Battle, named: Named) -> Option<(String, String)> {
        let Named::Unit(unit) = named else { return None };
        let entry = battle.fixed.scenario.body.units.get(unit.index())?;
        Some((entry.id.clone(), entry.name.clone()))
    }

    fn view(battle: &Battle) -> View {
        words::view(battle)
    }

    fn verdict(battle: &Battle) -> Option<Verdict> {
        words::verdict(battle)
    }

    fn preview(battle: &Battle, offer: &Offer, value: &Value) -> Preview {
        let (unit, pose) = match (offer, value) {
            (Offer::Advance(unit), Value::Distance(by)) => (*unit, battle.picket(*unit).pose.ahead(*by)),
            (Offer::Wheel(unit), Value::Wheel(by)) => (*unit, wheeled_pose(&battle.placed(*unit), *by)),
            _ => return Preview::default(),
        };
        let stands = stands(&Placed::new(&battle.fixed.footprint, pose));
        let track = vec![battle.picket(unit).pose.at, pose.at];
        let stops = match moving::advance_input(battle, unit) {
            Ok(Input::Distance { stops, .. }) if matches!(offer, Offer::Advance(_)) => stops,
            _ => Vec::new(),
        };
        Preview {
            ghosts: vec![Ghost { unit, pose, stands, track }],
            stops,
            measure: value.distance().map(centimetres),
            ..Preview::default()
        }
    }

    fn overlays(battle: &Battle, of: Named) -> Vec<Overlay> {
        words::overlays(battle, of)
    }

    fn interrupt(battle: &Battle) -> Option<Interrupt<Offer>> {
        let halted = battle.halted.as_ref()?;
        Some(Interrupt {
            kind: "fire",
            reactors: vec![halted.firer],
            mover: halted.mover,
            distance: distance(&battle.placed(halted.firer), &battle.placed(halted.mover)),
            pass: Offer::HoldFire,
        })
    }

    fn handling(battle: &Battle, offer: &Offer) -> Handling {
        told::handling(battle, offer)
    }

    fn headline(battle: &Battle, events: &[Event]) -> Headline {
        told::headline(battle, events)
    }

    fn fates(before: &Battle, after: &Battle, _events: &[Event]) -> Vec<Fate> {
        told::fates(before, after)
    }

    fn invites(before: &Battle, after: &Battle, offer: &Offer) -> Vec<Invitation> {
        told::invites(before, after, offer)
    }

    fn clock(battle: &Battle) -> Clock {
        Clock { turn: Some(battle.turn), phase: "movement".into(), phasing: Some(battle.phasing) }
    }

    fn touched(_battle: &Battle, event: &Event) -> Vec<UnitId> {
        told::touched(event)
    }

    fn worth(battle: &Battle, side: Side) -> i32 {
        worth::worth(battle, side)
    }

    fn points(battle: &Battle, unit: UnitId) -> i32 {
        worth::points(battle, unit)
    }

    fn proposals(battle: &Battle, offer: &Offer, out: &mut Vec<Value>) {
        let input = Self::input(battle, offer);
        if let Offer::Advance(unit) | Offer::Wheel(unit) = offer {
            worth::proposals(battle, *unit, &input, out);
        }
        input.proposals(out);
    }

    fn situations() -> &'static [&'static dyn SituationTest] {
        volley::SITUATIONS
    }
}

/// Why a picket may not act any more, if it may not.
fn acted(battle: &Battle, unit: UnitId) -> Option<Refusal> {
    let picket = battle.picket(unit);
    let name = &battle.fixed.entry(unit).name;
    decides!(PK_SEQ_02);
    PK_SEQ_02.forbids_if(picket.acted, || format!("{name} has acted this turn")).err()
}

fn may_act(play: &mut Resolution<'_, Picket>, unit: UnitId) -> Result<(), Halt> {
    let battle = play.battle();
    let ours = battle.picket(unit).side == battle.phasing && battle.halted.is_none() && !battle.picket(unit).gone;
    play.require(ours, PK_SEQ_01, || "it is not this picket's turn".into())?;
    if let Some(refusal) = acted(play.battle(), unit) {
        play.refuse(refusal)?;
    }
    Ok(())
}

/// The firer fires or not, and the move goes on.
fn react(play: &mut Resolution<'_, Picket>, fires: bool) -> Result<(), Halt> {
    let Some(&Halted { mover, firer, left, .. }) = play.battle().halted.as_ref() else {
        return Err(PK_SEQ_01.rules_out("nobody moves into a zone").into());
    };
    if fires {
        volley::fire(play, firer, mover)?;
    } else {
        play.happen(Event::HeldFire { unit: firer });
    }
    if play.battle().picket(mover).gone || left == Length::ZERO {
        play.happen(Event::MoveOver);
    } else {
        moving::go_on(play, mover, left);
    }
    Ok(())
}
