//! The schema of the protocol is true: every message of whole battles of every book is what it says.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use jsonschema::Validator;
use serde_json::{Value as Json, json};

struct Engine {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    requests: Validator,
    replies: Validator,
    checked: usize,
}

impl Engine {
    fn new() -> Self {
        let program = env!("CARGO_BIN_EXE_sabretache");
        let schema = Command::new(program).args(["engine", "--schema"]).output().unwrap();
        let schema: Json = serde_json::from_slice(&schema.stdout).unwrap();
        let mut child =
            Command::new(program).arg("engine").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        Self {
            to: child.stdin.take().unwrap(),
            from: BufReader::new(child.stdout.take().unwrap()),
            child,
            requests: jsonschema::validator_for(&schema["request"]).unwrap(),
            replies: jsonschema::validator_for(&schema["reply"]).unwrap(),
            checked: 0,
        }
    }

    /// Asks, and holds both what is asked and what is answered against the schema.
    fn ask(&mut self, request: Json) -> Json {
        if let Err(wrong) = self.requests.validate(&request) {
            panic!("{request} is no request by the schema: {wrong}");
        }
        writeln!(self.to, "{request}").unwrap();
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        let reply: Json = serde_json::from_str(&line).unwrap();
        if let Err(wrong) = self.replies.validate(&reply) {
            panic!("the reply to {request} is none by the schema, at {}: {wrong}", wrong.instance_path());
        }
        self.checked += 1;
        reply
    }

    /// Fights a scenario, asking everything there is to ask every now and then. How many choices were made.
    fn fight(&mut self, scenario: &str, set: &[&str], most: usize) -> usize {
        let begun = self.ask(json!({ "type": "begin", "scenario": scenario, "seed": 7, "set": set, "decision": true }));
        assert_eq!(begun["type"], "moment", "{begun}");
        let mut decision = begun["decision"].clone();
        let mut made = 0;
        while made < most {
            let moment = decision["moment"].clone();
            if made % 40 == 0 {
                self.look(&decision);
            }
            let player = if made % 3 == 0 { "drill-master" } else { "recruit" };
            let request = json!({ "type": "play", "player": player, "seed": made, "decision": true, "ref": [made] });
            let reply = self.ask(request);
            assert_eq!(reply["ref"], json!([made]));
            assert_eq!(reply["type"], "moment", "at {moment}: {reply}");
            decision = reply["decision"].clone();
            made += 1;
            if reply["deciding"].is_null() {
                assert!(!reply["verdict"].is_null(), "{reply}");
                break;
            }
        }
        self.look(&decision);
        made
    }

    fn look(&mut self, decision: &Json) {
        for seat in ["A", "B", "umpire", "spectator"] {
            for kind in ["view", "report", "letters", "story", "save", "worth", "proposals"] {
                self.ask(json!({ "type": kind, "seat": seat }));
            }
            self.ask(json!({ "type": "decision", "closed": true, "seat": seat }));
            self.ask(json!({ "type": "advise", "player": "recruit", "seat": seat }));
        }
        let offers = decision["offers"].as_array().cloned().unwrap_or_default();
        for offer in offers.iter().take(12) {
            assert!(offer["act"].as_str().is_some_and(|act| !act.is_empty()), "{offer}");
            let key = offer["key"].as_str().unwrap();
            let proposed = self.ask(json!({ "type": "proposals", "offer": key }));
            assert_eq!(proposed["type"], "proposals", "{proposed}");
            if let Some(value) = proposed["offers"][0]["values"].get(0) {
                self.ask(json!({ "type": "odds", "offer": key, "value": value }));
                self.ask(json!({ "type": "preview", "offer": key, "value": value }));
            }
            self.ask(json!({ "type": "why", "offer": key }));
            if let Some(unit) = offer["unit"].as_str() {
                self.ask(json!({ "type": "overlays", "of": unit }));
                self.ask(json!({ "type": "adjustable", "of": unit }));
            }
        }
        assert_eq!(self.ask(json!({ "type": "hello" }))["name"], "sabretache");
        self.ask(json!({ "type": "ready" }));
        // What goes wrong is told by the schema, too.
        for request in [
            json!({ "type": "choose", "offer": "nothing of the kind" }),
            json!({ "type": "clause", "id": "XX-XXX-99" }),
            json!({ "type": "adjust", "path": "units.nobody.at", "to": 3 }),
            json!({ "type": "view", "moment": 999_999 }),
            json!({ "type": "begin", "scenario": "ruleset = \"huzzah\"\nmeasure = 3\n", "battle": "wrong" }),
            json!({ "type": "play", "player": "nobody" }),
            // A command is named on the command line, and nowhere else.
            json!({ "type": "play", "player": "exec:true" }),
            json!({ "type": "advise", "player": "exec:true" }),
        ] {
            let reply = self.ask(request);
            assert!(["declined", "refused"].contains(&reply["type"].as_str().unwrap()), "{reply}");
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn every_message_of_whole_battles_is_what_the_schema_says() {
    let mut engine = Engine::new();
    for scenario in ["ford", "teaching", "the-crossroads", "meeting"] {
        let made = engine.fight(scenario, &[], 1_500);
        assert!(made > 5, "{scenario}: {made}");
    }
    assert!(engine.checked > 1_000, "{}", engine.checked);
}

#[test]
fn what_is_hidden_is_by_the_schema_too() {
    let mut engine = Engine::new();
    engine.fight("meeting", &["options.hidden=true"], 60);
}

#[test]
fn several_battles_go_on_side_by_side() {
    let mut engine = Engine::new();
    let begin = |name: &str| json!({ "type": "begin", "scenario": "ford", "seed": 3, "battle": name });
    engine.ask(begin("one"));
    engine.ask(begin("two"));
    for _ in 0..3 {
        engine.ask(json!({ "type": "play", "battle": "one" }));
    }
    let forked = engine.ask(json!({ "type": "fork", "battle": "one", "to": "three" }));
    assert_eq!(forked["moment"], 4);
    // The same player with the same dice goes the same way in the copy, and the original stays where it is.
    let log = |engine: &mut Engine, name: &str| engine.ask(json!({ "type": "log", "battle": name }))["text"].clone();
    let kept = log(&mut engine, "one");
    let copied = engine.ask(json!({ "type": "play", "battle": "three", "seed": 5 }));
    assert_eq!(log(&mut engine, "one"), kept);
    let again = engine.ask(json!({ "type": "play", "battle": "one", "seed": 5 }));
    assert_eq!((&again["story"], &again["log"]), (&copied["story"], &copied["log"]));
    assert_eq!(engine.ask(json!({ "type": "view", "battle": "two" }))["moment"], 1);
    let left = engine.ask(json!({ "type": "leave", "battle": "two" }));
    assert_eq!(left["battles"], json!(["one", "three"]));
    assert_eq!(engine.ask(json!({ "type": "view", "battle": "two" }))["type"], "declined");
}

#[test]
fn numbers_and_options_are_set_before_the_battle_begins() {
    let mut engine = Engine::new();
    let set = json!(["PK-MOV-01.most=90"]);
    let begun = engine.ask(json!({ "type": "begin", "scenario": "ford", "seed": 3, "set": set, "decision": true }));
    assert_eq!(begun["decision"]["offers"][0]["input"]["most"], 90_000);
    let wrong = json!(["PK-MOV-01.farthest=90"]);
    let declined = engine.ask(json!({ "type": "begin", "scenario": "ford", "seed": 3, "set": wrong }));
    assert_eq!(declined["type"], "declined");
    assert!(declined["diagnostics"].to_string().contains("PK-MOV-01"), "{declined}");
}

#[test]
fn the_engine_ends_when_it_is_told_to() {
    let mut engine = Engine::new();
    assert_eq!(engine.ask(json!({ "type": "quit", "ref": 1 })), json!({ "type": "quit", "ref": 1 }));
    assert!(engine.child.wait().unwrap().success());
}

#[test]
fn what_is_said_to_a_bot_and_by_it_is_what_the_schema_says() {
    let engine = Engine::new();
    let folder = tempfile::tempdir().unwrap();
    let (heard, said) = (folder.path().join("heard.jsonl"), folder.path().join("said.jsonl"));
    let bot = format!(
        "exec:python3 {}/tests/bots/broken.py well sure {} {}",
        env!("CARGO_MANIFEST_DIR"),
        heard.display(),
        said.display()
    );
    let program = env!("CARGO_BIN_EXE_sabretache");
    let mut fought = Command::new(program);
    fought.args(["simulate", "ford", "--battles", "1", "--threads", "1", "--a", &bot]);
    assert!(fought.output().unwrap().status.success());
    let schema = Command::new(program).args(["engine", "--schema"]).output().unwrap();
    let schema: Json = serde_json::from_slice(&schema.stdout).unwrap();
    let mut kinds = std::collections::BTreeSet::new();
    for (file, of) in [(heard, "to"), (said, "from")] {
        let validator = jsonschema::validator_for(&schema["bot"][of]).unwrap();
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let message: Json = serde_json::from_str(line).unwrap();
            kinds.insert(format!("{of} {}", message["type"].as_str().unwrap()));
            // The answers to its questions are replies of the protocol.
            let valid = if message.get("ref").is_some() { &engine.replies } else { &validator };
            if let Err(wrong) = valid.validate(&message) {
                panic!("{line}: {wrong}");
            }
        }
    }
    for kind in ["to hello", "to battle", "to go", "to over", "to quit", "from hello", "from ready", "from choose"] {
        assert!(kinds.contains(kind), "{kind}: {kinds:?}");
    }
}
