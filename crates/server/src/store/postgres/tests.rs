use futures_util::future::join_all;

use super::cluster::Cluster;
use super::*;
use crate::store::now;

const BATTLES: usize = 12;

fn name(n: usize) -> String {
    format!("b{n}")
}

/// What is heard next.
async fn hear(woken: &mut broadcast::Receiver<Woken>) -> (String, usize) {
    let woken = tokio::time::timeout(PATIENCE, woken.recv()).await.expect("it is told of").unwrap();
    (woken.battle, woken.lines)
}

/// A dozen battles of one line each, and the ear that hears what becomes of them.
async fn begun(cluster: &Cluster) -> (Postgres, broadcast::Receiver<Woken>) {
    let store = Postgres::open(&cluster.address()).await.unwrap();
    let mut woken = store.woken().unwrap();
    assert_eq!(hear(&mut woken).await, (String::new(), 0), "it listens from now on");
    for n in 0..BATTLES {
        let players = Players::default();
        let kept = Kept { id: name(n), ruleset: "picket".into(), title: "The ford".into(), players, created: now() };
        store.create(&kept, &Secrets::fresh(Vec::new()).unwrap(), "one\n", None).await.unwrap();
    }
    (store, woken)
}

#[tokio::test]
async fn what_is_asked_together_is_answered_to_each_and_nobody_suffers_for_another() {
    let cluster = Cluster::start();
    let (store, mut woken) = begun(&cluster).await;
    let names: Vec<String> = (0..BATTLES).map(name).collect();
    // They wait for the same connection: but for the first they go along in one statement. The fourth comes too late, the fifth is gone.
    store.append("b3", 1, vec!["sooner\n".into()]).await.unwrap();
    store.delete("b4").await.unwrap();
    let lines = |n: usize| (0..=n % 3).map(|k| format!("{n} {k}\n")).collect::<Vec<_>>();
    let written = join_all((0..BATTLES).map(|n| store.append(&names[n], 1, lines(n)))).await;
    for (n, written) in written.iter().enumerate() {
        match n {
            3 => assert!(matches!(written, Err(StoreError::Conflict)), "{written:?}"),
            4 => assert!(written.is_err(), "there is no such battle"),
            _ => assert!(written.is_ok(), "{n}: {written:?}"),
        }
    }
    let added = join_all((0..BATTLES).map(|n| store.lines(&names[n], 1 + n % 2))).await;
    for (n, added) in added.into_iter().enumerate() {
        let all = match n {
            3 => vec!["sooner\n".to_owned()],
            4 => Vec::new(),
            _ => lines(n),
        };
        assert_eq!(added.unwrap(), all[all.len().min(n % 2)..], "{n}");
        assert_eq!(store.length(&names[n]).await.unwrap(), if n == 4 { 0 } else { 1 + all.len() });
    }
    // Each of them was told of once, with its length.
    let mut heard = Vec::new();
    for _ in 0..BATTLES - 1 {
        heard.push(hear(&mut woken).await);
    }
    heard.sort();
    let mut expected: Vec<_> =
        (0..BATTLES).filter(|n| *n != 4).map(|n| (name(n), if n == 3 { 2 } else { 2 + n % 3 })).collect();
    expected.sort();
    assert_eq!(heard, expected);
}

#[tokio::test]
async fn a_page_is_turned_once_from_what_it_was_and_the_others_hear_of_it() {
    let cluster = Cluster::start();
    let (store, mut woken) = begun(&cluster).await;
    assert!(store.turn_page("b1", "friends", None, Some("one")).await.unwrap());
    assert!(!store.turn_page("b1", "friends", None, Some("other")).await.unwrap(), "there is one");
    let both = join_all(["two", "three"].map(|text| store.turn_page("b1", "friends", Some("one"), Some(text)))).await;
    let turned: Vec<bool> = both.into_iter().map(Result::unwrap).collect();
    assert_eq!(turned.iter().filter(|turned| **turned).count(), 1, "the first of them");
    let pages =
        join_all([("b1", "friends"), ("b1", "aides"), ("b2", "friends")].map(|(id, name)| store.page(id, name)));
    let pages: Vec<_> = pages.await.into_iter().map(Result::unwrap).collect();
    let now = if turned[0] { "two" } else { "three" };
    assert_eq!(pages, [Some(now.to_owned()), None, None]);
    assert!(!store.turn_page("b1", "friends", Some("one"), None).await.unwrap(), "it says something else");
    assert!(store.turn_page("b1", "friends", Some(now), None).await.unwrap());
    assert_eq!(store.page("b1", "friends").await.unwrap(), None);
    for _ in 0..3 {
        assert_eq!(hear(&mut woken).await, ("b1".into(), 0));
    }
}

#[tokio::test]
async fn a_connection_that_broke_is_made_anew_and_nothing_is_written_twice() {
    let cluster = Cluster::start();
    let (store, _woken) = begun(&cluster).await;
    store.append("b0", 1, vec!["two\n".into()]).await.unwrap();
    assert_eq!(store.lines("b0", 1).await.unwrap(), ["two\n"]);
    let others = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE backend_type = 'client backend' \
        AND pid <> pg_backend_pid()";
    assert!(cluster.ask(others).unwrap().parse::<u32>().unwrap() > 1);
    // Looking changes nothing, and is done once more. Of what was to be written nobody knows what became: that is told, and nothing is
    // repeated.
    assert_eq!(store.lines("b0", 1).await.unwrap(), ["two\n"]);
    let asked: Vec<(usize, String)> = (0..3).map(|n| (if n == 0 { 2 } else { 1 }, name(n))).collect();
    let first = join_all(asked.iter().map(|(from, id)| store.append(id, *from, vec!["next\n".into()]))).await;
    for (n, (from, id)) in asked.into_iter().enumerate() {
        let length = store.length(&id).await.unwrap();
        assert_eq!(length == from + 1, first[n].is_ok(), "{first:?}");
        if first[n].is_err() {
            store.append(&id, from, vec!["next\n".into()]).await.unwrap();
        }
        assert!(matches!(store.append(&id, from, vec!["again\n".into()]).await, Err(StoreError::Conflict)));
        assert_eq!(store.lines(&id, from).await.unwrap(), ["next\n"]);
    }
}
