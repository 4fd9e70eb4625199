//! The TypeScript types of the client are those of the Rust types.
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sabretache_engine::playsheet::Playsheet;
use sabretache_engine::protocol::ClauseReply;
use sabretache_lab::Course;
use sabretache_players::Advice;
use sabretache_pocket::{Situated, TestOdds, TestTaken, ThrownDice};
use sabretache_server::aides::{AidesNow, AidesWish, NewErrand, TasksOpen};
use sabretache_server::companion::table::{Happened, NewTable, TableNow};
use sabretache_server::companion::{BookTest, BookTurn};
use sabretache_server::exercises::{ExerciseEntry, ExerciseMade, Judged, NewExercise, Tried};
use sabretache_server::friends::messages::{
    AskMine, Beside, Confirm, FriendlyMade, Guest, Invited, Look, Mine, NewFriendly, NewWord, Pause, Seated, Wish,
};
use sabretache_server::messages::{
    AskAdvice, BattleInfo, BattleMade, Changes, ClientMessage, ExampleEntry, ExampleMade, Link, NewBattle, NewBranch,
    NewExample, NewRun, NewUpload, ParleyNow, PlayerEntry, Problem, RulesetEntry, RunNow, ScenarioSheet, ServerMessage,
    Stakes, Thrown,
};
use sabretache_server::paper::{Presses, ToPrint};
use sabretache_server::workshop::{ArmyFile, ArmyLooked, ArmyPiece, BookTools, Looked, WorkFile, Workpiece};
use ts_rs::{Config, TS};

/// Set this to write the types anew instead of comparing them.
const WRITE: &str = "WRITE_TYPES";

fn export_into(folder: &Path) {
    let config = Config::new().with_large_int("number").with_out_dir(folder);
    ClientMessage::export_all(&config).unwrap();
    ServerMessage::export_all(&config).unwrap();
    ScenarioSheet::export_all(&config).unwrap();
    BattleInfo::export_all(&config).unwrap();
    BattleMade::export_all(&config).unwrap();
    Stakes::export_all(&config).unwrap();
    NewBattle::export_all(&config).unwrap();
    NewBranch::export_all(&config).unwrap();
    NewUpload::export_all(&config).unwrap();
    RulesetEntry::export_all(&config).unwrap();
    PlayerEntry::export_all(&config).unwrap();
    ClauseReply::export_all(&config).unwrap();
    Problem::export_all(&config).unwrap();
    Advice::export_all(&config).unwrap();
    AskAdvice::export_all(&config).unwrap();
    Changes::export_all(&config).unwrap();
    Course::export_all(&config).unwrap();
    NewRun::export_all(&config).unwrap();
    RunNow::export_all(&config).unwrap();
    ParleyNow::export_all(&config).unwrap();
    Link::export_all(&config).unwrap();
    BookTest::export_all(&config).unwrap();
    BookTurn::export_all(&config).unwrap();
    Playsheet::export_all(&config).unwrap();
    Happened::export_all(&config).unwrap();
    NewTable::export_all(&config).unwrap();
    TableNow::export_all(&config).unwrap();
    Presses::export_all(&config).unwrap();
    ToPrint::export_all(&config).unwrap();
    Situated::export_all(&config).unwrap();
    ThrownDice::export_all(&config).unwrap();
    TestOdds::export_all(&config).unwrap();
    TestTaken::export_all(&config).unwrap();
    ExampleEntry::export_all(&config).unwrap();
    ExampleMade::export_all(&config).unwrap();
    NewExample::export_all(&config).unwrap();
    Thrown::export_all(&config).unwrap();
    AidesNow::export_all(&config).unwrap();
    AidesWish::export_all(&config).unwrap();
    NewErrand::export_all(&config).unwrap();
    TasksOpen::export_all(&config).unwrap();
    ExerciseEntry::export_all(&config).unwrap();
    ExerciseMade::export_all(&config).unwrap();
    Judged::export_all(&config).unwrap();
    NewExercise::export_all(&config).unwrap();
    Tried::export_all(&config).unwrap();
    AskMine::export_all(&config).unwrap();
    Beside::export_all(&config).unwrap();
    Confirm::export_all(&config).unwrap();
    FriendlyMade::export_all(&config).unwrap();
    Guest::export_all(&config).unwrap();
    Invited::export_all(&config).unwrap();
    Look::export_all(&config).unwrap();
    Mine::export_all(&config).unwrap();
    NewFriendly::export_all(&config).unwrap();
    NewWord::export_all(&config).unwrap();
    Pause::export_all(&config).unwrap();
    Seated::export_all(&config).unwrap();
    Wish::export_all(&config).unwrap();
    ArmyFile::export_all(&config).unwrap();
    ArmyLooked::export_all(&config).unwrap();
    ArmyPiece::export_all(&config).unwrap();
    BookTools::export_all(&config).unwrap();
    Looked::export_all(&config).unwrap();
    WorkFile::export_all(&config).unwrap();
    Workpiece::export_all(&config).unwrap();
}

fn files_in(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                files.insert(name, std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    files
}

#[test]
fn the_client_s_types_are_up_to_date() {
    let theirs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/protocol");
    if std::env::var_os(WRITE).is_some() {
        let _ = std::fs::remove_dir_all(&theirs);
        export_into(&theirs);
        return;
    }
    let fresh = tempfile::tempdir().unwrap();
    export_into(fresh.path());
    let (ours, theirs) = (files_in(fresh.path()), files_in(&theirs));
    for (name, text) in &ours {
        assert_eq!(theirs.get(name), Some(text), "{} is out of date: run this test with {WRITE}=1", name.display());
    }
    assert_eq!(ours.len(), theirs.len(), "web/src/protocol has files that no Rust type makes: run with {WRITE}=1");
}
