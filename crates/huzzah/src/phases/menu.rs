//! What may be done at each stage of the sequence of play.

use sabretache_engine::ids::Named;
use sabretache_engine::offer::Refusal;
use sabretache_kit::Part as _;

use super::rally::offers as rally;
use super::{act, bombard, engage, fallback, manoeuvre, officers, orders, setup, skirmish, threat};
use crate::battle::Battle;
use crate::offer::Offer;
use crate::state::Stage;

/// The offers of a stage.
struct Menu {
    /// All of them.
    offers: fn(&Battle, &mut Vec<Offer>),
    /// The same in two steps, where one of many can be asked alone.
    steps: Option<Steps>,
    /// What is closed there, and why.
    closed: fn(&Battle, &mut Vec<(Offer, Refusal)>),
}

/// Offers in two steps.
struct Steps {
    /// Who might act.
    might_act: fn(&Battle, &mut Vec<Option<Named>>),
    /// What that one may do.
    offers_of: fn(&Battle, Option<Named>, &mut Vec<Offer>),
}

impl Menu {
    fn new(offers: fn(&Battle, &mut Vec<Offer>)) -> Self {
        Self { offers, steps: None, closed: |_, _| {} }
    }

    fn closed(self, closed: fn(&Battle, &mut Vec<(Offer, Refusal)>)) -> Self {
        Self { closed, ..self }
    }

    fn steps(
        self,
        might_act: fn(&Battle, &mut Vec<Option<Named>>),
        offers_of: fn(&Battle, Option<Named>, &mut Vec<Offer>),
    ) -> Self {
        Self { steps: Some(Steps { might_act, offers_of }), ..self }
    }
}

/// Which offers are made at which stage.
fn menu(stage: Stage) -> Menu {
    match stage {
        Stage::SetUp => Menu::new(setup::offers::offers),
        Stage::ChooseFirst(_) => Menu::new(setup::offers::first_offers),
        Stage::Skirmish => Menu::new(skirmish::offers::offers),
        Stage::Threat => Menu::new(threat::offers::offers),
        Stage::Window | Stage::Interrupt => {
            use bombard::offers::{closed, might_act, offers, offers_of};
            Menu::new(offers).steps(might_act, offers_of).closed(closed)
        }
        Stage::Order => {
            use orders::offers::{closed, might_act, offers, offers_of};
            Menu::new(offers).steps(might_act, offers_of).closed(closed)
        }
        Stage::Act => {
            use act::offers::{closed, might_act, offers, offers_of};
            Menu::new(offers).steps(might_act, offers_of).closed(closed)
        }
        Stage::GoOn => Menu::new(act::offers::go_on_offers),
        Stage::Swing => Menu::new(manoeuvre::offers::swing_offers),
        Stage::Refuge => Menu::new(officers::offers::refuge_offers),
        Stage::SecondAppointment => Menu::new(orders::offers::second_offers),
        Stage::Officers => {
            use officers::offers::{closed, might_act, offers, offers_of};
            Menu::new(offers).steps(might_act, offers_of).closed(closed)
        }
        Stage::Pairing => Menu::new(engage::offers::pairing_offers),
        Stage::Engage => Menu::new(engage::offers::offers),
        Stage::OddStagger(_) => Menu::new(engage::offers::odd_offers),
        Stage::FallBack => Menu::new(fallback::offers::offers),
        Stage::Check => Menu::new(rally::check_offers).closed(rally::checks_closed),
        Stage::Reorganise => Menu::new(rally::reorganise_offers),
        Stage::Rally => Menu::new(rally::rally_offers),
        Stage::Formation => Menu::new(rally::form_offers),
        Stage::Rout => Menu::new(rally::rout_offers),
        Stage::Reform => Menu::new(rally::reform_offers),
        Stage::Over => Menu::new(|_, _| {}),
    }
}

/// What may be done now.
pub(crate) fn offers(battle: &Battle, out: &mut Vec<Offer>) {
    (menu(battle.stage).offers)(battle, out);
}

/// Who might act now.
pub(crate) fn might_act(battle: &Battle, out: &mut Vec<Option<Named>>) {
    if let Some(steps) = menu(battle.stage).steps {
        return (steps.might_act)(battle, out);
    }
    for actor in all(battle).iter().map(|offer| offer.actor()) {
        if !out.contains(&actor) {
            out.push(actor);
        }
    }
}

/// What one of them may do.
pub(crate) fn offers_of(battle: &Battle, actor: Option<Named>, out: &mut Vec<Offer>) {
    match menu(battle.stage).steps {
        Some(steps) => (steps.offers_of)(battle, actor, out),
        None => out.extend(all(battle).iter().filter(|offer| offer.actor() == actor).copied()),
    }
}

/// All offers, where they are few.
fn all(battle: &Battle) -> &[Offer] {
    battle.asked.get_or(|| {
        let mut all = Vec::new();
        offers(battle, &mut all);
        all.into()
    })
}

/// What the deciding side may not do, and why.
pub(crate) fn closed(battle: &Battle, out: &mut Vec<(Offer, Refusal)>) {
    (menu(battle.stage).closed)(battle, out);
    for (offer, refusal) in out.iter_mut() {
        refusal.impossible |= !offer.is_possible(battle);
    }
}
