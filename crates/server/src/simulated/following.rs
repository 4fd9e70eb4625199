//! Two processes at one battle: what one of them writes the other follows, without reading again what it knows.

use std::time::Duration;

use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::session::Seat;
use serde_json::{Value as Json, json};
use tokio::sync::broadcast::error::RecvError;

use super::database::Database;
use super::hall;
use crate::messages::SeatName;
use crate::seats::Seats;

fn request(request: Json) -> Request {
    serde_json::from_value(request).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_process_that_follows_reads_each_line_once() {
    const CHOICES: usize = 60;
    let database = Database::new(1);
    let (north, south) = (hall(&database, "north"), hall(&database, "south"));
    for hall in [&north, &south] {
        tokio::spawn(hall.clone().attend());
    }
    let made = north.begin(serde_json::from_value(json!({ "scenario": "ford", "seed": 3 })).unwrap()).await.unwrap();
    let kept = north.store.battle(&made.id).await.unwrap().unwrap();
    let umpire = [SeatName::Umpire];
    let mut news = south.open(&kept).unwrap().listen();
    south.standing(&kept).await.unwrap();
    let seats = Seats::of(["umpire"].into_iter());
    for n in 0..CHOICES {
        let what = match n % 2 {
            0 => request(json!({ "type": "choose", "offer": "end turn" })),
            _ => request(json!({ "type": "undo" })),
        };
        let told = north.ask(&kept, Seat::Umpire, &umpire, what).await.unwrap();
        assert!(matches!(told.reply, Reply::Moment { .. }), "{n}");
        // One notice of five is lost: then the other finds out by itself, some seconds later.
        let heard = async {
            loop {
                match news.recv().await {
                    Ok(news) => {
                        let news: Json = serde_json::from_str(&news.text(&seats)).unwrap();
                        if news["lines"] == n + 2 {
                            return;
                        }
                    }
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => panic!("it left memory"),
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(30), heard).await.expect("the other process hears of it");
    }
    let read = database.lines_read("south");
    assert!((CHOICES..=CHOICES + 2).contains(&read), "{read} lines read to follow {CHOICES}");
    // Both have the same battle, and the other goes on with it.
    let all = |hall: crate::hall::Hall| {
        let kept = kept.clone();
        async move { hall.ask(&kept, Seat::Umpire, &umpire, request(json!({ "type": "log" }))).await.unwrap().reply }
    };
    assert_eq!(all(north).await, all(south.clone()).await);
    let told = south.ask(&kept, Seat::Umpire, &umpire, request(json!({ "type": "choose", "offer": "end turn" }))).await;
    assert_eq!(told.unwrap().lines, CHOICES + 2);
}
