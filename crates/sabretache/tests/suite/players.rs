//! Computer players at the terminal: against a person, against each other, as advisers, and finishing a battle.

use std::fs;

use serde_json::Value as Json;

use crate::common::{done, json_lines, path, run, run_with};

#[test]
fn two_computer_players_are_watched_and_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("battle.jsonl");
    let args = ["fight", "ford", "--a", "drill-master", "--b", "marshal:16", "--seed", "2", "--log", path(&log)];
    let out = done(&[&args[..], &["--why"]].concat());
    assert!(out.contains("has won") || out.contains("Nobody has won"), "{out}");
    assert!(out.contains("Drill-master (A): ") && out.contains("Marshal (B): "), "{out}");
    assert!(out.contains("Rather than "), "{out}");
    assert_eq!(run(&["verify", path(&log)]).code, 0);
}

#[test]
fn a_battle_of_the_laboratory_can_be_watched() {
    let folder = tempfile::tempdir().unwrap();
    let (out, log) = (folder.path().join("run"), folder.path().join("battle.jsonl"));
    let set = ["--set", "PK-VOL-02.dice=6"];
    done(&[&["simulate", "ford", "--battles", "4", "--b", "recruit", "--out", path(&out)][..], &set].concat());
    let table = fs::read_to_string(out.join("fought.jsonl")).unwrap();
    let about: Json = serde_json::from_str(&fs::read_to_string(out.join("run.json")).unwrap()).unwrap();
    let scenario = folder.path().join("ford.toml");
    let text = crate::common::FORD.replace("turns = 6", "turns = 6\nnumbers = { \"PK-VOL-02.dice\" = 6 }");
    fs::write(&scenario, text).unwrap();
    assert_eq!(about["scenario"]["numbers"]["PK-VOL-02.dice"], 6);
    for battle in json_lines(&table) {
        let seed = battle["seed"].to_string();
        let _ = fs::remove_file(&log);
        let players = ["--a", "drill-master", "--b", "recruit", "--seed", &seed, "--log", path(&log)];
        let told = done(&[&["fight", path(&scenario)][..], &players].concat());
        let choices = fs::read_to_string(&log).unwrap().lines().count() as u64 - 1;
        assert_eq!(choices, battle["decisions"].as_u64().unwrap());
        assert!(told.contains(battle["ending"].as_str().unwrap()), "{battle}: {told}");
    }
}

#[test]
fn a_person_asks_for_advice_and_lets_it_finish() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("battle.jsonl");
    let args = ["fight", "ford", "--b", "drill-master", "--seed", "2", "--log", path(&log)];
    let ran = run_with(&args, b"advise\nadvise marshal:16\nadvise napoleon\nfinish\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    for wanted in [
        "Drill-master would choose ",
        "Marshal would choose ",
        "there is no player 'napoleon'",
        "Drill-master fights on.",
    ] {
        assert!(ran.out.contains(wanted), "{wanted}: {}", ran.out);
    }
    assert!(ran.out.contains("instead: "), "{}", ran.out);
    assert!(ran.out.contains("has won") || ran.out.contains("Nobody has won"), "{}", ran.out);
    assert_eq!(run(&["verify", path(&log)]).code, 0);
}

#[test]
fn a_computer_player_waits_for_real_dice() {
    let folder = tempfile::tempdir().unwrap();
    let (scenario, log) = (folder.path().join("close.toml"), folder.path().join("battle.jsonl"));
    fs::write(&scenario, crate::common::FORD.replace("at = [25, 45]", "at = [25, 30]")).unwrap();
    let args = ["fight", path(&scenario), "--dice", "typed", "--b", "drill-master", "--log", path(&log)];
    let ran = run_with(&args, b"1 12\n5 5 1\n6 6\nquit\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("6 + 6 = 12, failed"), "{}", ran.out);
}

#[test]
fn an_unknown_player_is_refused() {
    let ran = run(&["fight", "ford", "--a", "napoleon"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("there is no player 'napoleon'") && ran.err.contains("marshal:2s"), "{}", ran.err);
}
