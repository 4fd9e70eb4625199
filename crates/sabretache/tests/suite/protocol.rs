//! The schema of the protocol is true: every message of whole battles of every book is what it says.

use std::collections::BTreeSet;
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
    /// The kinds of requests that were asked, and of replies that came.
    kinds: [BTreeSet<String>; 2],
    /// All that there are, by the schema.
    listed: [BTreeSet<String>; 2],
}

/// The kinds of messages that the schema names.
fn listed(schema: &Json, of: [&str; 2]) -> BTreeSet<String> {
    let variants = of.iter().flat_map(|name| schema["$defs"][name]["oneOf"].as_array().unwrap());
    variants.map(|one| one["properties"]["type"]["const"].as_str().unwrap().to_owned()).collect()
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
            kinds: Default::default(),
            listed: [listed(&schema["request"], ["Asked", "Request"]), listed(&schema["reply"], ["Told", "Reply"])],
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
        for (seen, message) in self.kinds.iter_mut().zip([&request, &reply]) {
            seen.insert(message["type"].as_str().unwrap().to_owned());
        }
        reply
    }

    /// Asks a battle of real dice what only such a battle is asked, and all that is rarely asked.
    fn ask_the_rest(&mut self, scenario: &str) {
        let begin = json!({ "type": "begin", "scenario": scenario, "enforcement": "advise", "decision": true });
        let begun = self.ask(begin);
        let deciding = begun["deciding"].as_str().unwrap().to_owned();
        let other = if deciding == "A" { "B" } else { "A" };
        self.say(&deciding, other);
        let sides =
            ["A", "B"].map(|side| json!({ "type": "instruct", "side": side, "instructions": [], "quiet": true }));
        for request in sides {
            assert_eq!(self.ask(request)["type"], "moment");
        }
        let mut decision = begun["decision"].clone();
        // Each choice by whatever is proposed, with dice where they are asked for, until some were thrown.
        let mut thrown = false;
        for n in 0..60 {
            let Some((offer, value)) = self.proposed(&decision, n) else { break };
            let choice = json!({ "offer": offer, "value": value });
            let request = if n % 2 == 0 {
                json!({ "type": "series", "choices": [choice], "moment": decision["moment"], "whole": true, "decision": true })
            } else {
                json!({ "type": "choose", "offer": offer, "value": value, "whole": true, "decision": true })
            };
            let mut reply = self.ask(request.clone());
            let mut dice: Vec<Json> = Vec::new();
            while reply["type"] == "dice" {
                thrown = true;
                dice.extend((0..reply["count"].as_u64().unwrap()).map(|_| json!(3)));
                let mut with = request.clone();
                with["dice"] = json!(dice);
                reply = self.ask(with);
            }
            assert_eq!(reply["type"], "moment", "{request}: {reply}");
            // A series stops where it needs dice, and says so.
            if reply["series"]["stopped"]["by"] == "dice" {
                reply = self.ask(json!({ "type": "choose", "offer": offer, "value": value, "decision": true }));
                while reply["type"] == "dice" {
                    thrown = true;
                    dice.extend((0..reply["count"].as_u64().unwrap()).map(|_| json!(3)));
                    let choose =
                        json!({ "type": "choose", "offer": offer, "value": value, "dice": dice, "decision": true });
                    reply = self.ask(choose);
                }
            }
            decision = reply["decision"].clone();
            if reply["deciding"].is_null() || (thrown && n > 12) {
                break;
            }
        }
        assert!(thrown, "{scenario}: nothing was thrown");
        assert_eq!(self.ask(json!({ "type": "undo", "whole": true }))["type"], "moment");
        self.adjust();
        let log = self.ask(json!({ "type": "log" }))["text"].clone();
        assert_eq!(self.ask(json!({ "type": "branch", "moment": 1, "seed": 3, "to": "branch" }))["type"], "moment");
        assert_eq!(self.ask(json!({ "type": "fork", "to": "copy" }))["type"], "moment");
        let resumed = self.ask(json!({ "type": "resume", "log": log, "battle": "again" }));
        assert_eq!(resumed["type"], "moment", "{resumed}");
        assert_eq!(self.ask(json!({ "type": "battles" }))["battles"], json!(["", "again", "branch", "copy"]));
        for battle in ["again", "branch", "copy"] {
            self.ask(json!({ "type": "leave", "battle": battle }));
        }
        // A log that somebody has touched.
        let touched = log.as_str().unwrap().replacen("\"hash\":\"", "\"hash\":\"0", 1);
        assert_eq!(self.ask(json!({ "type": "resume", "log": touched }))["type"], "declined");
    }

    /// Letters and what the players settle between them, a wrong word included.
    fn say(&mut self, deciding: &str, other: &str) {
        for to in [json!("umpire"), json!({ "side": deciding })] {
            self.ask(json!({ "type": "write", "to": to, "text": "Hold the ford.", "seat": deciding }));
        }
        for (seat, say, done) in [
            (deciding, "offer_draw", true),
            (deciding, "offer_draw", false),
            (other, "refuse", true),
            (deciding, "agree", false),
            (other, "offer_draw", true),
            (other, "withdraw", true),
        ] {
            let reply = self.ask(json!({ "type": "say", "say": say, "seat": seat }));
            assert_eq!(reply["type"] == "moment", done, "{seat} {say}: {reply}");
        }
        self.ask(json!({ "type": "letters", "seat": deciding }));
    }

    /// Sets something by hand, and tries what may not be set.
    fn adjust(&mut self) {
        let fields = self.ask(json!({ "type": "adjustable", "of": "#0" }))["fields"].as_array().cloned().unwrap();
        let place = fields.iter().find(|field| field["kind"] == "heading").unwrap();
        let (path, to) = (place["path"].clone(), 90);
        let done = self.ask(json!({ "type": "adjust", "path": path, "to": to, "why": "the table was knocked" }));
        assert_eq!(done["type"], "moment", "{done}");
        let wrong = self.ask(json!({ "type": "adjust", "path": path, "to": "north" }));
        assert_eq!(wrong["type"], "declined", "{wrong}");
        assert_eq!(self.ask(json!({ "type": "adjust", "path": path, "to": 0, "seat": "A" }))["type"], "declined");
    }

    /// The n-th of the offers that have a value to propose.
    fn proposed(&mut self, decision: &Json, n: usize) -> Option<(Json, Json)> {
        let all = self.ask(json!({ "type": "proposals" }))["offers"].as_array().cloned().unwrap_or_default();
        let open: Vec<&Json> = all.iter().filter(|one| one["values"].get(0).is_some()).collect();
        assert!(decision["moment"].is_u64(), "{decision}");
        // Mostly the first, so that the battle goes on; sometimes another, so that it is not always the same thing.
        let one = open.get(if n % 3 == 2 { n % open.len().max(1) } else { 0 })?;
        Some((one["offer"].clone(), one["values"][0].clone()))
    }

    /// Sends a line that is no request; an empty one has no answer.
    fn garble(&mut self, line: &str) {
        writeln!(self.to, "{line}").unwrap();
        if line.is_empty() {
            return;
        }
        let mut reply = String::new();
        self.from.read_line(&mut reply).unwrap();
        let reply: Json = serde_json::from_str(&reply).unwrap();
        assert!(self.replies.is_valid(&reply) && reply["type"] == "declined", "{line}: {reply}");
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
        // Nothing is shown of whom nobody sees: what is hidden is not told apart from what is not there.
        let nobody = self.ask(json!({ "type": "overlays", "of": "#9999" }));
        assert_eq!(nobody["overlays"], json!([]), "{nobody}");
        // What goes wrong is told by the schema, too.
        for request in [
            json!({ "type": "choose", "offer": "nothing of the kind" }),
            json!({ "type": "clause", "id": "XX-XXX-99" }),
            json!({ "type": "adjust", "path": "units.nobody.at", "to": 3 }),
            json!({ "type": "view", "moment": 999_999 }),
            json!({ "type": "odds", "offer": "nothing of the kind" }),
            json!({ "type": "why", "offer": "nothing of the kind" }),
            json!({ "type": "preview", "offer": "nothing of the kind" }),
            json!({ "type": "branch", "moment": 999_999 }),
            json!({ "type": "resume", "log": "{}" }),
            json!({ "type": "series", "choices": [{ "offer": "nothing of the kind" }], "moment": 999_999 }),
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

/// No kind of message is left out: what is rarely asked is asked of every book, and every kind of answer comes.
#[test]
fn every_kind_of_message_is_what_the_schema_says() {
    let mut engine = Engine::new();
    for (scenario, clause) in
        [("ford", "PK-VOL-01"), ("teaching", "HZ-THR-03"), ("the-crossroads", "BB-COM-27"), ("meeting", "MB-LEA-07")]
    {
        engine.fight(scenario, &[], 3);
        engine.ask_the_rest(scenario);
        assert_eq!(engine.ask(json!({ "type": "clause", "id": clause }))["type"], "clause");
        // What the rules forbid is refused with its clause.
        let closed = engine.ask(json!({ "type": "decision", "closed": true }))["closed"].as_array().cloned().unwrap();
        for one in closed.iter().take(3) {
            let why = engine.ask(json!({ "type": "why", "offer": one["key"] }));
            assert!(why["refusal"]["clause"].is_string(), "{why}");
            let refused = engine.ask(json!({ "type": "choose", "offer": one["key"] }));
            assert!(["refused", "declined"].contains(&refused["type"].as_str().unwrap()), "{refused}");
        }
    }
    // No line is so wrong that the answer is none by the schema.
    for line in [
        "",
        "{",
        "[]",
        "{\"type\":\"march\"}",
        "{\"type\":\"view\",\"moment\":-1}",
        "{\"type\":\"view\",\"seat\":\"C\"}",
    ] {
        engine.garble(line);
    }
    engine.ask(json!({ "type": "quit" }));
    let ([asked, told], [requests, replies]) = (&engine.kinds, &engine.listed);
    assert!(requests.len() > 30 && replies.len() > 20, "{requests:?} {replies:?}");
    assert_eq!((asked, told), (requests, replies));
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
    let mut kinds = BTreeSet::new();
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
