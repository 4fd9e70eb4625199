//! Agreed dice: the choice that waits for them, written down beside the log.

use sabretache_engine::dice::Reveal;
use sabretache_engine::ids::Side;
use sabretache_engine::log::Hash;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::session::{Order, Seat};

use super::Battle;
use crate::agreed::{ROLLING, Rolling};
use crate::messages::{RollingNow, ServerMessage};

impl Battle {
    /// A choice with agreed dice is written down before any link is revealed for it.
    pub(super) async fn write_down(&mut self, seat: Seat, request: Request) -> Result<(), String> {
        let Request::Choose { offer, value, .. } = &request else { return Err("that is no choice".into()) };
        let order = Order { offer: offer.clone(), value: value.clone(), ..Order::default() };
        let bound = self.work(move |session| session.binding(&order)).await?;
        let rolling = Rolling::new(seat, request, self.spent + 1, bound);
        let text = rolling.text();
        let kept = self.store.turn_page(&self.kept.id, ROLLING, None, Some(&text)).await;
        if !kept.map_err(|error| format!("it could not be saved, and was not done: {error}"))? {
            return Err("the dice of the last choice are still being agreed on".into());
        }
        self.rolling = Some((rolling, text));
        self.tell_rolling();
        self.waits_for_links().await;
        Ok(())
    }

    /// Whose link is waited for stands beside the log: it is that side's time that runs, and that side is told.
    async fn waits_for_links(&mut self) {
        if let Ok(deciding) = self.work(|session| session.deciding()).await {
            self.moved(deciding).await;
        }
    }

    /// The battle ends while a choice waits for its dice: nothing waits any more.
    pub(super) async fn end_rolling(&mut self, seat: Seat, request: Request) -> Reply {
        let waiting = self.rolling.take();
        let reply = self.carry_out(seat, request).await;
        match (&reply, waiting) {
            (Reply::Moment { .. }, Some((_, text))) => {
                // Should this fail, the page belongs to a battle that is over.
                let _ = self.store.turn_page(&self.kept.id, ROLLING, Some(&text), None).await;
            }
            (_, waiting) => self.rolling = waiting,
        }
        reply
    }

    /// The choice that waits for its dice, as it is kept: another process may have written it down or gone on with it.
    pub(super) async fn load_rolling(&mut self) -> Result<(), String> {
        if self.session.is_none() {
            self.work(|_| ()).await?;
        }
        if self.host.is_none() {
            return Ok(());
        }
        let page = self.store.page(&self.kept.id, ROLLING).await.map_err(|error| error.to_string())?;
        self.rolling = match page {
            Some(text) => {
                let rolling =
                    serde_json::from_str(&text).map_err(|error| format!("the database is damaged: {error}"))?;
                Some((rolling, text))
            }
            None => None,
        };
        // One that was carried out by a process that was killed before it took the page away.
        if let Some((_, text)) = self.rolling.take_if(|(rolling, _)| rolling.n <= self.spent) {
            let cleared = self.store.turn_page(&self.kept.id, ROLLING, Some(&text), None).await;
            cleared.map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    pub(super) fn rolling_now(&self) -> Option<RollingNow> {
        self.rolling.as_ref().map(|(rolling, _)| RollingNow { n: rolling.n, choice: rolling.bound.to_string() })
    }

    pub(super) fn tell_rolling(&self) {
        if let Some(rolling) = self.rolling_now() {
            self.tell(&ServerMessage::Reveal { rolling });
        }
    }

    /// A side reveals its link; when both have, the choice is carried out.
    pub(super) async fn reveal(&mut self, side: Side, link: Reveal, bound: Hash) -> Result<(), String> {
        let rolling = loop {
            self.load_rolling().await?;
            let (mut rolling, text) = self.rolling.clone().ok_or("no dice are being agreed on")?;
            rolling.reveal(side, link, bound)?;
            if self.turn_rolling(&text, Some(&rolling)).await? {
                break rolling;
            }
        };
        let Some((seat, request)) = self.host.and_then(|host| rolling.ready(host)) else {
            self.waits_for_links().await;
            return Ok(());
        };
        // From here on nobody owes anything.
        self.rolling = None;
        match self.carry_out(seat, request).await {
            Reply::Moment { .. } => {
                self.spent = rolling.n;
                self.turn_rolling(&rolling.text(), None).await.map(drop)
            }
            Reply::Declined { why, .. } => {
                // Another process may have carried it out: then nothing waits any more.
                self.load_rolling().await?;
                let Some((mut waiting, text)) = self.rolling.clone() else { return Ok(()) };
                waiting.ask_again();
                self.turn_rolling(&text, Some(&waiting)).await?;
                self.waits_for_links().await;
                Err(why)
            }
            _ => {
                // What came of it is for the side that chose, who asks again.
                self.turn_rolling(&rolling.text(), None).await?;
                Err("the choice cannot be carried out with these dice".into())
            }
        }
    }

    /// Keeps how far the choice that waits is, if nobody else has meanwhile.
    pub(super) async fn turn_rolling(&mut self, was: &str, rolling: Option<&Rolling>) -> Result<bool, String> {
        let text = rolling.map(Rolling::text);
        let turned = self.store.turn_page(&self.kept.id, ROLLING, Some(was), text.as_deref()).await;
        let turned = turned.map_err(|error| error.to_string())?;
        if turned {
            self.rolling = rolling.cloned().zip(text);
        }
        Ok(turned)
    }
}
