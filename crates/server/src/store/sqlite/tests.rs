use super::*;
use crate::messages::SeatName;
use crate::secret;

fn kept(id: &str) -> Kept {
    let players = Players::default();
    Kept { id: id.into(), ruleset: "picket".into(), title: "The ford".into(), players, created: now() }
}

#[tokio::test]
async fn what_was_appended_is_there_after_opening_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path()).await.unwrap();
    store.create(&kept("b"), &Secrets::fresh(Vec::new()).unwrap(), "one\n", None).await.unwrap();
    store.append("b", 1, vec!["two\n".into(), "three\n".into()]).await.unwrap();
    drop(store);
    let store = Sqlite::open(folder.path()).await.unwrap();
    assert_eq!(store.log("b").await.unwrap(), ("one\ntwo\nthree\n".into(), 3));
}

#[tokio::test]
async fn a_line_is_never_written_over_and_others_in_the_batch_do_not_suffer() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path()).await.unwrap();
    for id in ["b", "c"] {
        store.create(&kept(id), &Secrets::fresh(Vec::new()).unwrap(), "one\n", None).await.unwrap();
    }
    let (wrong, right) =
        tokio::join!(store.append("b", 0, vec!["other\n".into()]), store.append("c", 1, vec!["two\n".into()]));
    assert!(wrong.is_err() && right.is_ok());
    assert_eq!(store.log("b").await.unwrap().0, "one\n");
    assert_eq!(store.log("c").await.unwrap().0, "one\ntwo\n");
}

#[tokio::test]
async fn a_full_disk_is_told_and_all_goes_on_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteConnectOptions::new().filename(folder.path().join("battles.sqlite")).create_if_missing(true);
    let small = options.clone().journal_mode(SqliteJournalMode::Wal).pragma("max_page_count", "60");
    let store = Sqlite::open_with(small).await.unwrap();
    for id in ["b", "c"] {
        store.create(&kept(id), &Secrets::fresh(Vec::new()).unwrap(), "one\n", None).await.unwrap();
    }
    let line = || format!("{}\n", "x".repeat(20_000));
    let mut written = 0;
    let full = loop {
        match store.append("b", 1 + written, vec![line()]).await {
            Ok(()) => written += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(full, StoreError::Full) && written > 2, "{full} after {written}");
    assert!(matches!(store.append("b", 1 + written, vec![line()]).await, Err(StoreError::Full)), "it stays full");
    let new = store.create(&kept("d"), &Secrets::fresh(Vec::new()).unwrap(), &line(), None).await;
    assert!(matches!(new, Err(StoreError::Full)), "{new:?}");
    // What was acknowledged is there, and small things go on as long as they fit.
    assert_eq!(store.log("b").await.unwrap().1, 1 + written);
    let mut other = SqliteConnection::connect_with(&options).await.unwrap();
    sqlx::query("DELETE FROM line WHERE battle = 'b' AND n > 1").execute(&mut other).await.unwrap();
    store.append("c", 1, vec![line()]).await.unwrap();
    store.create(&kept("d"), &Secrets::fresh(Vec::new()).unwrap(), "one\n", None).await.unwrap();
    assert_eq!(store.log("c").await.unwrap().1, 2);
}

#[tokio::test]
async fn garbled_rows_are_told_and_nothing_falls_over() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path()).await.unwrap();
    store.create(&kept("b"), &Secrets::fresh(Vec::new()).unwrap(), "one\n", None).await.unwrap();
    sqlx::query("INSERT INTO instructions (battle, side, list) VALUES ('b', 'C', '[')")
        .execute(&store.pool)
        .await
        .unwrap();
    assert!(matches!(store.instructions("b").await, Err(StoreError::Garbled(_))));
    sqlx::query("INSERT INTO parley VALUES ('b', '', '\"referee\"', x'00', NULL, NULL)")
        .execute(&store.pool)
        .await
        .unwrap();
    assert!(matches!(store.parley("b").await, Err(StoreError::Garbled(_))));
}

#[cfg(unix)]
#[tokio::test]
async fn the_database_is_its_owner_s_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path()).await.unwrap();
    store.create(&kept("b"), &Secrets::fresh(Vec::new()).unwrap(), "one\n", None).await.unwrap();
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        let rights = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(rights, 0o600, "{:?}", entry.file_name());
    }
}

#[tokio::test]
async fn only_the_right_secret_admits() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(folder.path()).await.unwrap();
    let secrets = Secrets::fresh(Vec::new()).unwrap();
    store.create(&kept("b"), &secrets, "one\n", None).await.unwrap();
    let seats = |given: Vec<String>| {
        let store = store.clone();
        async move { store.admit("b", &given).await.unwrap().map(|(_, seats)| seats.held) }
    };
    assert_eq!(seats(vec![secrets.b.clone()]).await, Some(vec![SeatName::B]));
    assert_eq!(seats(vec![secrets.b.clone(), secrets.a.clone()]).await, Some(vec![SeatName::A, SeatName::B]));
    assert_eq!(seats(vec!["wrong".into()]).await, None);
    assert_eq!(seats(vec![]).await, None);
    assert_eq!(seats(vec![hex::encode(secret::hash(&secrets.a))]).await, None, "the stored hash is no secret");
}

#[tokio::test]
async fn a_database_that_can_only_be_read_is_told_of_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("battles.sqlite");
    drop(Sqlite::open(folder.path()).await.unwrap());
    let options = SqliteConnectOptions::new().filename(&file).read_only(true);
    let told = Sqlite::open_with(options).await.unwrap_err();
    assert!(matches!(told, StoreError::ReadOnly(_)), "{told:?}");
    assert!(told.to_string().contains("battles.sqlite") && told.to_string().contains("cannot be written"), "{told}");
}
