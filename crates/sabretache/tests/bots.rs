//! Somebody else's program as a player: worked bots play, broken ones lose by the rule, and nothing stays behind.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

mod common;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command};
use std::time::Duration;

use serde_json::{Value as Json, json};

use common::{done, json_lines, path, program, run};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn corporal() -> String {
    format!("exec:python3 {ROOT}/examples/bots/corporal.py")
}

fn piquet() -> String {
    format!("exec:node {ROOT}/examples/bots/piquet.mjs")
}

/// A bot that fails in some way at its second decision, with limits that a test can wait for.
fn broken(way: &str) -> String {
    let limits = "start=20s battle=20s decision=20s margin=20s";
    let limits = match way {
        "stall" | "deaf" | "flood" => "start=20s battle=20s decision=150ms margin=100ms",
        "not ready" => "start=20s battle=1s",
        "silent" => "start=150ms",
        _ => limits,
    };
    format!("exec[{limits}]:python3 {}/tests/bots/broken.py \"{way}\"", env!("CARGO_MANIFEST_DIR"))
}

/// How often processes with this in their command line are there.
fn alive(mark: &str) -> usize {
    let listed = Command::new("ps").args(["-eww", "-o", "args"]).output().unwrap();
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    text.lines().filter(|line| line.contains(mark) && !line.contains("simulate")).count()
}

#[test]
fn the_python_bot_fights_the_drill_master_in_the_ladder_and_the_same_seed_is_the_same_ladder() {
    let players = format!("drill-master,{}", corporal());
    let args = ["ladder", "--scenario", "ford", "--battles", "4", "--seed", "5", "--json", "--players", &players];
    let first = done(&args);
    let ladder: Json = serde_json::from_str(&first).unwrap();
    assert_eq!(ladder["pairs"][0]["points"]["of"], 4, "{first}");
    assert!(ladder["players"].to_string().contains("corporal.py"), "{first}");
    assert_eq!(done(&args), first, "the bot goes by the seed that it is told");
    let ran = run(&["ladder", "--scenario", "ford", "--battles", "2", "--players", &players]);
    assert!(ran.err.is_empty() && ran.out.contains("corporal.py against drill-master"), "{}{}", ran.out, ran.err);
}

#[test]
fn both_worked_bots_comply_under_every_book() {
    for bot in [corporal(), piquet()] {
        let told = done(&["compliance", &bot, "--choices", "6"]);
        assert!(told.contains("It can play.") && !told.contains("FAILED"), "{told}");
        assert!(told.contains("ford, as side B") && told.contains("in the same way: it did\n"), "{told}");
        assert!(!told.contains("it did not"), "{told}");
    }
}

#[test]
fn compliance_names_what_is_wrong() {
    for (way, check, came) in [
        ("stall", "each `go` with a choice", "it stalled: no choice within 150ms and 100ms after `stop`"),
        ("crash", "each `go` with a choice", "it crashed: it ended (exit status: 3)"),
        ("rubbish", "each `go` with a choice", "it sent rubbish: 'bestmove e2e4' is no JSON object"),
        ("cheat", "each `go` with a choice", "it sent rubbish: 'win at once' cannot be chosen"),
        ("not ready", "answers `battle` with `ready`", "it stalled: no answer to `battle` within 1s"),
        ("stays", "told to `quit`, it ends with status 0", "it stalled: it still runs 2s after it was told to quit"),
    ] {
        let ran = run(&["compliance", &broken(way), "--scenario", "ford", "--choices", "3"]);
        assert_eq!(ran.code, 1, "{way}: {}{}", ran.out, ran.err);
        let mut lines = ran.out.lines();
        let failed = lines.by_ref().find(|line| line.starts_with("FAILED")).unwrap_or_default();
        assert!(failed.contains(check), "{way}: {}", ran.out);
        assert!(lines.next().unwrap_or_default().contains(came), "{way}: {}", ran.out);
        assert!(ran.out.contains("It cannot play yet."), "{}", ran.out);
    }
    let good = run(&["compliance", &broken("well"), "--scenario", "ford", "--choices", "3", "--json"]);
    assert_eq!(good.code, 0, "{}", good.out);
    assert!(json_lines(&good.out).iter().all(|check| check["good"] == true));
}

#[test]
fn a_program_that_fails_loses_by_the_rule_and_the_run_goes_on() {
    for (way, kind, why) in [
        ("stall", "stalled", "no choice within"),
        ("deaf", "stalled", "no choice within"),
        ("crash", "crashed", "out of powder"),
        ("close", "crashed", "closed its output"),
        ("rubbish", "sent rubbish", "'bestmove e2e4' is no JSON object on one line"),
        ("long", "sent rubbish", "a line of more than"),
        ("flood", "", ""),
        ("cheat", "sent rubbish", "there is nothing called"),
        ("late", "sent rubbish", "a choice for moment"),
        ("undo", "sent rubbish", "it does not say 'undo'"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("run");
        // Another test has such bots at the same time: those of this one are marked.
        let bot = format!("{} here", broken(way));
        let args = ["simulate", "ford", "--battles", "2", "--raw", "--out", path(&out), "--b", "recruit", "--a", &bot];
        let ran = run(&args);
        assert_eq!(ran.code, 0, "{way}: {}{}", ran.out, ran.err);
        let fought = json_lines(&fs::read_to_string(out.join("fought.jsonl")).unwrap());
        assert_eq!(fought.len(), 2, "{way}");
        for battle in &fought {
            assert_eq!(battle["winner"], "B", "{way}: {battle}");
            let ending = battle["ending"].as_str().unwrap();
            assert!(ending.contains("the program of side A") && ending.contains(kind), "{way}: {battle}");
        }
        assert!(ran.err.contains(" failed: ") && ran.err.contains(why), "{way}: {}", ran.err);
        // What was lost is kept for the author, with a log that can be proved.
        let kept: Vec<_> = fs::read_dir(out.join("faults")).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(kept.len(), 2, "{way}");
        assert_eq!(run(&["verify", path(&kept[0])]).code, 0, "{way}");
        assert_eq!(alive(&format!("broken.py {way} here")), 0, "{way}: nothing stays behind");
    }
}

#[test]
fn one_fault_is_forgiven_and_none_where_none_is_to_be() {
    // It fails at the second decision of every process: forgiven once, it has two decisions in each battle.
    let decisions = |faults: &str| {
        let bot = broken("crash").replace("exec[", &format!("exec[{faults}"));
        let told = done(&["simulate", "ford", "--battles", "1", "--raw", "--json", "--b", "recruit", "--a", &bot]);
        serde_json::from_str::<Json>(&told).unwrap()["decisions"].as_f64().unwrap()
    };
    let (none, one, three) = (decisions("faults=0 "), decisions(""), decisions("faults=3 "));
    assert!(none < one && one < three, "{none} {one} {three}");
}

#[test]
fn a_program_that_was_never_one_ends_the_run_with_its_reason() {
    for (bot, why) in [
        ("exec:no-such-program-anywhere".to_owned(), "cannot be started"),
        (broken("fails to start"), "exit status: 7"),
        (broken("silent"), "no answer to `hello` within 150ms"),
        ("exec:".to_owned(), "no command follows exec:"),
        ("exec[think=1s]:true".to_owned(), "there is no 'think' to set"),
    ] {
        let ran = run(&["simulate", "ford", "--battles", "1", "--a", &bot]);
        assert_eq!(ran.code, 2, "{bot}: {}", ran.out);
        assert!(ran.err.contains(why), "{bot}: {}", ran.err);
    }
}

#[test]
fn a_program_at_the_terminal_gives_up_or_plays_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("battle.jsonl");
    let fought = done(&["fight", "ford", "--a", &piquet(), "--b", "recruit", "--seed", "2", "--log", path(&log)]);
    assert!(fought.contains("has won") || fought.contains("Nobody has won"), "{fought}");
    assert_eq!(run(&["verify", path(&log)]).code, 0);
    for (way, why) in [("resign", "it gives up"), ("crash", "out of powder")] {
        let _ = fs::remove_file(&log);
        let fought =
            done(&["fight", "ford", "--a", &broken(way), "--b", "recruit", "--seed", "2", "--log", path(&log)]);
        assert!(fought.contains("Side B has won") && fought.contains(why), "{fought}");
        assert_eq!(run(&["verify", path(&log)]).code, 0);
    }
}

#[test]
fn the_battle_of_a_run_is_fought_again_at_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let (out, log) = (folder.path().join("run"), folder.path().join("battle.jsonl"));
    done(&[
        "simulate",
        "ford",
        "--battles",
        "1",
        "--raw",
        "--a",
        &piquet(),
        "--b",
        "drill-master",
        "--out",
        path(&out),
    ]);
    let fought = &json_lines(&fs::read_to_string(out.join("fought.jsonl")).unwrap())[0];
    let seed = fought["seed"].to_string();
    let told = done(&["fight", "ford", "--a", &piquet(), "--b", "drill-master", "--seed", &seed, "--log", path(&log)]);
    let choices = fs::read_to_string(&log).unwrap().lines().count() as u64 - 1;
    assert_eq!(choices, fought["decisions"].as_u64().unwrap());
    assert!(told.contains(fought["ending"].as_str().unwrap()), "{fought}: {told}");
}

#[test]
fn battles_are_given_up_when_both_players_say_so_and_not_before() {
    let own = |score: &str| format!("exec:python3 {}/tests/bots/broken.py well {score}", env!("CARGO_MANIFEST_DIR"));
    let fought = |a: &str, b: &str| {
        let (a, b) = (own(a), own(b));
        let args =
            ["simulate", "ford", "--battles", "1", "--raw", "--adjudicate", "0.95:2", "--json", "--a", &a, "--b", &b];
        serde_json::from_str::<Json>(&done(&args)).unwrap()
    };
    let agreed = fought("sure", "doomed");
    assert_eq!(agreed["won_a"]["count"], 1.0, "{agreed}");
    let other = fought("doomed", "sure");
    assert_eq!(other["won_b"]["count"], 1.0, "{other}");
    // Where both think that they win, or one says nothing, it is fought to its end.
    for (a, b) in [("sure", "sure"), ("sure", "")] {
        let on = fought(a, b);
        assert!(on["decisions"].as_f64().unwrap() > agreed["decisions"].as_f64().unwrap(), "{a} {b}: {on}");
    }
}

#[test]
fn battles_are_drawn_when_both_players_think_them_even() {
    let own = |score: &str| format!("exec:python3 {}/tests/bots/broken.py well {score}", env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let fought = |a: &str, b: &str, even: &str| {
        let out = folder.path().join(format!("{a} {b} {even}").replace(':', "-"));
        let (a, b) = (own(a), own(b));
        let args = ["simulate", "ford", "--battles", "1", "--raw", "--even", even, "--json", "--a", &a, "--b", &b];
        let told = done(&[&args[..], &["--out", path(&out)]].concat());
        (serde_json::from_str::<Json>(&told).unwrap(), fs::read_to_string(out.join("battles.csv")).unwrap())
    };
    let (drawn, table) = fought("even", "even", "0.05:2:1");
    assert_eq!(drawn["drawn"]["count"], 1.0, "{drawn}");
    assert!(table.contains("both players thought it even"), "{table}");
    // One hopes for more, one says nothing, or it is too early: it is fought to its end.
    for (a, b, even) in [("even", "sure", "0.05:2:1"), ("even", "", "0.05:2:1"), ("even", "even", "0.05:2:99")] {
        let (on, table) = fought(a, b, even);
        assert!(!table.contains("thought it even"), "{a} {b} {even}: {table}");
        assert!(on["decisions"].as_f64().unwrap() > drawn["decisions"].as_f64().unwrap(), "{a} {b} {even}: {on}");
    }
}

#[test]
fn a_ladder_that_was_stopped_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("ladder.jsonl");
    let args = [
        "ladder",
        "--scenario",
        "ford",
        "--battles",
        "6",
        "--players",
        "recruit,drill-master",
        "--json",
        "--out",
        path(&kept),
    ];
    let whole = done(&args);
    let text = fs::read_to_string(&kept).unwrap();
    assert_eq!(text.lines().count(), 7);
    // Torn in the middle of a line, as by a crash.
    let third = text.match_indices('\n').nth(2).unwrap().0;
    fs::write(&kept, &text[..third + 10]).unwrap();
    assert_eq!(done(&args), whole);
    assert_eq!(fs::read_to_string(&kept).unwrap().lines().count(), 7);
    let other = run(&[&args[..], &["--seed", "2"]].concat());
    assert!(other.code == 2 && other.err.contains("holds something else"), "{}", other.err);
}

/// A server with these programs; it ends with the test.
struct Server(Child, String);

impl Server {
    fn start(folder: &std::path::Path, players: &[String]) -> Self {
        let mut args = vec!["serve", "--no-browser", "--address", "127.0.0.1:0", "--data", path(folder)];
        players.iter().for_each(|player| args.extend(["--player", player.as_str()]));
        let mut child = program(&args).spawn().unwrap();
        // Before it there may be scenarios that this build has no book for.
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let said =
            lines.find_map(|line| Some(line.ok()?.strip_prefix("Sabretache is at http://")?.to_owned())).unwrap();
        let address = said.trim_end_matches('/').to_owned();
        Self(child, address)
    }

    fn http(&self, method: &str, path: &str, secret: &str, body: &str) -> (u16, Json) {
        let mut stream = TcpStream::connect(&self.1).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nAuthorization: Seat {secret}\r\nContent-Length: {}\r\n\r\n",
            self.1,
            body.len()
        );
        stream.write_all((head + body).as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, serde_json::from_str(body).unwrap_or(Json::String(body.to_owned())))
    }

    fn begin(&self, a: &str) -> (u16, Json) {
        let new = json!({ "scenario": "ford", "seed": 3, "players": { "a": a, "b": "recruit" } });
        self.http("POST", "/api/battles", "", &new.to_string())
    }

    /// Waits until a battle is over; how it ended.
    fn over(&self, battle: &Json) -> Json {
        let secret = battle["secrets"]["spectator"].as_str().unwrap();
        for _ in 0..1_200 {
            let (_, told) = self.http("GET", &format!("/api/battles/{}", battle["id"].as_str().unwrap()), secret, "");
            if told["now"]["deciding"].is_null() && told["now"]["moment"].is_number() {
                return told;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("it never was over")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_server_knows_the_programs_of_its_operator_and_takes_no_command_from_anybody_else() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(
        folder.path(),
        &[format!("piquet={}", piquet()), format!("broken={}", broken("crash").replace("exec[", "exec[faults=0 "))],
    );
    let (_, players) = server.http("GET", "/api/players", "", "");
    assert!(players.to_string().contains(r#""name":"piquet""#) && players.to_string().contains("Piquet"), "{players}");
    let (status, battle) = server.begin("piquet");
    assert_eq!(status, 201, "{battle}");
    let over = server.over(&battle);
    assert!(over["now"]["moment"].as_u64().unwrap() > 3, "{over}");
    // One that fails gives the battle up.
    let (_, battle) = server.begin("broken");
    let over = server.over(&battle);
    assert!(over.to_string().contains("Side A has given the battle up"), "{over}");
    for wrong in ["exec:true", &piquet(), "exec[decision=1s]:true", "corporal"] {
        let (status, told) = server.begin(wrong);
        assert!((400..500).contains(&status), "{wrong}: {status} {told}");
    }
}

#[test]
fn a_server_says_at_once_that_a_program_cannot_be_started() {
    let folder = tempfile::tempdir().unwrap();
    for (player, why) in [
        ("corporal=exec:no-such-program-anywhere", "cannot be started"),
        ("corporal=python3", "it begins with exec:"),
        ("Corporal!=exec:true", "is no name"),
        ("recruit=exec:true", "there is a player 'recruit' already"),
        ("exec:true", "NAME=exec:COMMAND"),
    ] {
        let ran = run(&[
            "serve",
            "--no-browser",
            "--address",
            "127.0.0.1:0",
            "--data",
            path(folder.path()),
            "--player",
            player,
        ]);
        assert!(ran.code == 2 && ran.err.contains(why), "{player}: {}", ran.err);
    }
}
