//! What an order makes possible once it is obeyed: how far whoever is ordered could then go.

use crate::handle::Handling;
use crate::odds::odds_of;
use crate::offer::{Choice, Lead};
use crate::resolution::Resolution;
use crate::ruleset::Ruleset;

/// The dice of an order fall in a few ways only.
const MOST_WAYS: usize = 64;

/// What the likeliest way leads to in which an order comes off; nothing where it leads to nothing that is done at once.
#[must_use]
pub fn leads<R: Ruleset>(battle: &R::Battle, choice: &Choice<R::Offer>) -> Vec<Lead> {
    let Some(act) = R::handling(battle, &choice.offer).leads_to else { return Vec::new() };
    let mut found: Vec<Vec<Lead>> = Vec::new();
    let (mut trial, mut events) = (battle.clone(), Vec::new());
    let odds = odds_of(MOST_WAYS, |dice| {
        trial.clone_from(battle);
        events.clear();
        R::resolve(&mut Resolution::<R>::new(&mut trial, dice).events_only(&mut events), choice)?;
        let led = if R::deciding(&trial) == R::deciding(battle) { led_to::<R>(&trial, act) } else { Vec::new() };
        let place = found.iter().position(|one| *one == led).unwrap_or(found.len());
        if place == found.len() {
            found.push(led);
        }
        Ok::<_, crate::offer::Halt>(place)
    });
    let Ok(odds) = odds else { return Vec::new() };
    let comes_off = odds.iter().filter(|(place, _)| found.get(**place).is_some_and(|led| !led.is_empty()));
    let likeliest = comes_off.max_by(|a, b| a.1.cmp(&b.1)).map(|(place, _)| *place);
    likeliest.map(|place| found.swap_remove(place)).unwrap_or_default()
}

/// What may be chosen of this kind.
fn led_to<R: Ruleset>(battle: &R::Battle, wanted: &str) -> Vec<Lead> {
    let mut offers = Vec::new();
    R::offers(battle, &mut offers);
    let lead = |offer: &R::Offer| {
        let Handling { handle, act, .. } = R::handling(battle, offer);
        (act == wanted).then(|| Lead { act: act.to_owned(), input: R::input(battle, offer), handle })
    };
    offers.iter().filter_map(lead).collect()
}
