//! The laboratory as others use it: runs, shards, reports, comparisons, ladders and measurements.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::common::{FORD, Ran, done, json_lines, path, program, run, run_with};

const FILES: [&str; 6] = ["battles.csv", "units.csv", "battles.parquet", "units.parquet", "report.html", "summary.txt"];

fn bytes(folder: &Path) -> Vec<Vec<u8>> {
    FILES.iter().map(|name| fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
}

fn told(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_run_leaves_the_same_tables_and_report_whatever_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let [one, three] = ["1", "3"].map(|threads| {
        let out = folder.path().join(threads);
        let args = ["simulate", "ford", "--battles", "40", "--b", "recruit", "--seed", "3", "--threads", threads];
        let text = done(&[&args[..], &["--out", path(&out)]].concat());
        assert!(text.contains("40 battles, drill-master against recruit, seed 3"), "{text}");
        out
    });
    assert_eq!(bytes(&one), bytes(&three));
    assert_eq!(fs::read_to_string(one.join("battles.csv")).unwrap().lines().count(), 41);
    let page = fs::read_to_string(one.join("report.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("The ford"));
}

#[test]
fn every_book_has_its_report_and_parts_that_split_off_are_no_units_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let books = [("teaching", "Huzzah!"), ("the-crossroads", "Brigades and Batteries"), ("meeting", "Malbrook")];
    for (scenario, title) in books {
        let out = folder.path().join(scenario);
        done(&["simulate", scenario, "--battles", "12", "--a", "recruit", "--b", "recruit", "--out", path(&out)]);
        let run = told(&fs::read_to_string(out.join("run.json")).unwrap());
        let roster = run["roster"].as_array().unwrap().len();
        let rows = fs::read_to_string(out.join("units.csv")).unwrap().lines().count();
        assert_eq!(rows, 1 + 12 * roster, "{scenario}: a row a unit and battle");
        let page = fs::read_to_string(out.join("report.html")).unwrap();
        assert!(page.contains(&format!("{title} (version")), "{scenario}");
    }
}

#[test]
fn an_interrupted_run_is_reported_and_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let (out, whole) = (folder.path().join("cut"), folder.path().join("whole"));
    let args = |battles: &str, out: &Path| {
        let args = ["simulate", "ford", "--battles", battles, "--seed", "5", "--a", "recruit", "--out", path(out)];
        args.map(str::to_owned)
    };
    let child = program(&args("1000000", &out).each_ref().map(String::as_str)).spawn().unwrap();
    let journal = out.join("fought.jsonl");
    let begun = Instant::now();
    while fs::read_to_string(&journal).map_or(0, |text| text.lines().count()) < 20 {
        assert!(begun.elapsed() < Duration::from_secs(120), "no battles are fought");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 130, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("of 1000000 planned") && ran.out.contains("goes on with it"), "{}", ran.out);
    assert_eq!(bytes(&out).len(), FILES.len(), "what was done is reported");

    // Gone on with, and asked for fewer after all: as if it had never been cut.
    for folder in [&out, &whole] {
        done(&args("120", folder).each_ref().map(String::as_str));
    }
    assert_eq!(bytes(&out), bytes(&whole));

    // Killed for good it leaves only its journal; that makes a report all the same.
    for name in FILES {
        fs::remove_file(out.join(name)).unwrap();
    }
    let page = folder.path().join("report.html");
    done(&["report", path(&out), "--out", path(&page)]);
    assert_eq!(fs::read(page).unwrap(), bytes(&whole)[4]);

    let other = run(&["simulate", "ford", "--battles", "120", "--seed", "6", "--out", path(&out)]);
    assert_eq!(other.code, 2);
    assert!(other.err.contains("holds another run"), "{}", other.err);
}

#[test]
fn shards_make_the_report_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let args = ["simulate", "ford", "--battles", "30", "--a", "recruit", "--b", "recruit", "--seed", "8", "--out"];
    done(&[&args[..], &[path(&at("whole"))]].concat());
    for shard in ["1/3", "2/3", "3/3"] {
        let out = at(&shard.replace('/', "-of-"));
        done(&[&args[..], &[path(&out), "--shard", shard]].concat());
    }
    let shards = ["3-of-3", "1-of-3", "2-of-3"].map(at);
    done(&["report", path(&shards[0]), path(&shards[1]), path(&shards[2]), "--out", path(&at("merged"))]);
    assert_eq!(bytes(&at("merged")), bytes(&at("whole")));
    let summed = told(&done(&["report", path(&at("merged")), "--json"]));
    assert_eq!((&summed["battles"], &summed["won_a"]["of"]), (&json!(30), &json!(30)));
}

#[test]
fn a_run_ends_when_the_share_is_known_closely_enough() {
    let out = done(&["simulate", "ford", "--until", "±8", "--a", "recruit", "--b", "recruit", "--json"]);
    let summed = told(&out);
    let width = summed["won_a"]["high"].as_f64().unwrap() - summed["won_a"]["low"].as_f64().unwrap();
    assert!(width / 2.0 <= 0.08, "{summed}");
    assert!(summed["battles"].as_u64().unwrap() < 1_000 && summed["planned"] == 100_000, "{summed}");
}

#[test]
fn numbers_and_places_are_changed_for_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let overlay = folder.path().join("overlay.toml");
    fs::write(&overlay, "turns = 2\n").unwrap();
    let out = folder.path().join("run");
    let set = "PK-VOL-02.dice=5";
    let args = ["simulate", "ford", "--battles", "5", "--set", set, "--overlay", path(&overlay), "--out", path(&out)];
    done(&args);
    let about = told(&fs::read_to_string(out.join("run.json")).unwrap());
    assert_eq!((&about["scenario"]["turns"], &about["scenario"]["numbers"]["PK-VOL-02.dice"]), (&json!(2), &json!(5)));
    for (set, why) in
        [("PK-VOL-02.dyce=5", "dyce"), ("PK-VOL-02.dice=lots", "PK-VOL-02.dice"), ("nonsense", "NAME=VALUE")]
    {
        let ran = run(&["simulate", "ford", "--battles", "5", "--set", set]);
        assert_eq!(ran.code, 2, "{set}: {}", ran.out);
        assert!(ran.err.contains(why), "{set}: {}", ran.err);
    }
}

#[test]
fn a_moment_of_a_logged_battle_is_fought_on_from() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("battle.jsonl");
    run_with(&["fight", "ford", "--seed", "4", "--log", path(&log)], b"1 12\n1 12\nquit\n");
    let from = |what: &str| told(&done(&["simulate", what, "--battles", "10", "--a", "recruit", "--json"]));
    let at = format!("{}@1", path(&log));
    assert_eq!(from(&at), from("ford"), "the first moment is the scenario itself");
    assert_ne!(from(path(&log)), from("ford"));
    let ran = run(&["simulate", &format!("{}@99", path(&log)), "--battles", "10"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("battle.jsonl"), "{}", ran.err);
}

#[test]
fn variants_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["1", "2"].map(|seed| {
        let out = folder.path().join(seed);
        let args = ["simulate", "ford", "--battles", "30", "--a", "recruit", "--b", "recruit", "--seed", seed];
        done(&[&args[..], &["--out", path(&out)]].concat());
        out
    });
    let compared = told(&done(&["compare", path(&a), path(&b), "--json"]));
    assert_eq!((&compared["differ"], &compared["battles"]), (&json!(false), &json!(60)));

    // Pickets that are always steady and pickets that never are.
    let volley = concat!(env!("CARGO_MANIFEST_DIR"), "/../lab/scenarios/volley.toml");
    let turned = folder.path().join("turned.toml");
    let text = fs::read_to_string(volley).unwrap();
    let (head, tail) = text.split_once("[[sides]]").unwrap();
    let (red, rest) = tail.split_once("[[sides]]").unwrap();
    let (blue, rest) = rest.split_once("[[units]]").unwrap();
    fs::write(&turned, format!("{head}[[sides]]{blue}[[sides]]{red}[[units]]{rest}")).unwrap();
    let ran = done(&["compare", path(&turned), "--set", "units.r1.steadiness=2", "--battles", "512"]);
    assert!(ran.contains("They differ: Blue takes") && ran.contains("in 100 more under the second"), "{ran}");

    for args in [&["compare", "ford"][..], &["compare", "ford", path(&a)], &["compare", path(&a), "ford"]] {
        let ran = run(args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.out);
    }
}

#[test]
fn a_ladder_ranks_players() {
    let args =
        ["ladder", "--scenario", "ford", "--battles", "10", "--players", "recruit,drill-master", "--set", "turns=30"];
    let text = done(&args);
    assert!(text.contains("drill-master against recruit") && text.contains("Elo"), "{text}");
    let ladder = told(&done(&[&args[..], &["--json"]].concat()));
    assert_eq!((&ladder["battles"], ladder["players"].as_array().unwrap().len()), (&json!(10), 2));
    assert_eq!(run(&["ladder", "--scenario", "ford", "--players", "recruit"]).code, 2);
    let unknown = run(&["ladder", "--scenario", "ford", "--players", "recruit,napoleon"]);
    assert!(unknown.code == 2 && unknown.err.contains("there is no player 'napoleon'"), "{}", unknown.err);
}

#[test]
fn everything_is_measured_for_people_and_for_machines() {
    let table = done(&["bench", "--ruleset", "picket", "--seconds", "0.01"]);
    for name in ["playouts", "clone", "odds", "offers", "search", "drilled"] {
        assert!(table.contains(name), "{name}: {table}");
    }
    let lines = json_lines(&done(&["bench", "clone", "search", "--scenario", "ford", "--seconds", "0.01", "--json"]));
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["bench"], &lines[1]["bench"]), (&json!("clone"), &json!("search")));
    assert!(lines.iter().all(|line| line["per_second"].as_f64().unwrap() > 0.0 && line["scenario"] == "ford"));
    assert_eq!(run(&["bench", "odds", "--ruleset", "huzzah", "--scenario", "ford"]).code, 2);
}

#[test]
fn nonsense_is_refused_with_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("wrong.toml");
    fs::write(&wrong, FORD.replace("steadiness = 8", "steadiness = 80")).unwrap();
    let cases: &[&[&str]] = &[
        &["simulate", "no-such-battle"],
        &["simulate", "ford", "--battles", "0"],
        &["simulate", "ford", "--until", "0"],
        &["simulate", "ford", "--shard", "4/3"],
        &["simulate", "ford", "--a", "person"],
        &["simulate", "ford", "--overlay", "no-such.toml"],
        &["simulate", path(&wrong)],
        &["report", path(folder.path())],
        &["report", "no-such-folder"],
        &["bench", "everything"],
    ];
    for args in cases {
        let ran = run(args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.err);
        assert!(ran.err.len() > 10 && !ran.err.contains("panicked"), "{args:?}: {}", ran.err);
    }
    let told = run(&["simulate", path(&wrong)]).err;
    assert!(told.contains("line 27") && told.contains("80 is greater than the maximum of 12"), "{told}");
}
