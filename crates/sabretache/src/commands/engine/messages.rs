//! What a program asks beside the requests of a battle, and the schema of all messages.

use sabretache_engine::log::Enforcement;
use sabretache_engine::offer::Value;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_players::program::wire;
use sabretache_players::{Advice, Skill};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::books::rulesets;

/// What is asked of the program and not of a battle.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Asked {
    /// Begins a battle under the name given as `battle`; one of that name before it is left.
    Begin {
        /// A shipped scenario by name, a path, or a scenario in TOML.
        scenario: String,
        /// How far the rules are enforced.
        #[serde(default)]
        enforcement: Enforcement,
        /// The seed of the dice; real dice are typed in when not given.
        #[serde(default)]
        seed: Option<u64>,
        /// What is changed beforehand: `HZ-ZON-01.infantry.line=20cm`, `options.first=fr`, `units.fr-1.quality=Raw`.
        #[serde(default)]
        set: Vec<String>,
    },
    /// Takes a battle up again from its log.
    Resume {
        /// The log, as text.
        log: String,
    },
    /// Goes on from an earlier moment, as a battle of its own.
    Branch {
        /// How many entries both share.
        moment: usize,
        /// The seed of the new battle's dice.
        #[serde(default)]
        seed: Option<u64>,
        /// The name of the new battle; it takes the place of the one it came from when not given.
        #[serde(default)]
        to: Option<String>,
    },
    /// Copies the battle as it stands, with its log and its dice to come, under another name.
    Fork {
        /// The name of the copy.
        to: String,
    },
    /// Leaves the battle: it is forgotten.
    Leave,
    /// The names of the battles there are.
    Battles,
    /// What a computer player would do now, and why.
    Advise {
        /// `recruit`, `drill-master`, `marshal`, `marshal:400`.
        #[serde(default = "drill_master")]
        player: String,
        /// The seed of the player's own choices.
        #[serde(default)]
        seed: u64,
    },
    /// Lets a computer player decide.
    Play {
        /// As in `advise`.
        #[serde(default = "drill_master")]
        player: String,
        /// The seed of the player's own choices.
        #[serde(default)]
        seed: u64,
    },
    /// A few sensible values for an offer, or for every offer of the decision.
    Proposals {
        /// The offer, by its key.
        #[serde(default)]
        offer: Option<String>,
    },
    /// How well the battle stands for each side, as computer players weigh it.
    Worth,
    /// Who this is.
    Hello,
    /// Whether it is there: all that was asked before is done.
    Ready,
    /// Ends the program.
    Quit,
}

fn drill_master() -> String {
    "drill-master".into()
}

impl Asked {
    /// The types that are asked of the program; every other is for a battle.
    pub(super) const TYPES: [&'static str; 13] = [
        "begin",
        "resume",
        "branch",
        "fork",
        "leave",
        "battles",
        "advise",
        "play",
        "proposals",
        "worth",
        "hello",
        "ready",
        "quit",
    ];
}

/// What the program answers by itself.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Told {
    /// The battles there are.
    Battles {
        /// Their names, in order.
        battles: Vec<String>,
    },
    /// What a player would do.
    Advice {
        /// The moment it is for.
        moment: usize,
        /// The player.
        player: String,
        /// The offer, by its key; with its value it can be sent as a choice.
        offer: String,
        /// Its input.
        value: Value,
        /// The unit it concerns, as a token.
        unit: Option<String>,
        /// What it would do, in words.
        action: String,
        /// What for.
        purpose: String,
        /// What it risks.
        risk: Option<String>,
        /// What else was thought of, the best first.
        instead: Vec<String>,
        /// All of it in a few sentences.
        text: String,
    },
    /// Sensible values.
    Proposals {
        /// The moment they are for.
        moment: usize,
        /// Each offer with its values, every one of them within its limits.
        offers: Vec<Proposed>,
    },
    /// How well the battle stands.
    Worth {
        /// The moment.
        moment: usize,
        /// For side A, in the points of the book.
        a: i32,
        /// For side B.
        b: i32,
    },
    /// Who this is.
    Hello {
        /// What it is called.
        name: &'static str,
        /// Its version.
        version: &'static str,
        /// The version of the messages between a host and a program that plays.
        protocol: u32,
        /// The rulesets, by their short names.
        rulesets: Vec<&'static str>,
        /// The computer players.
        players: Vec<String>,
    },
    /// It is there.
    Ready,
    /// It ends.
    Quit,
}

/// An offer and a few values for it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Proposed {
    /// The offer, by its key.
    pub(super) offer: String,
    /// The values.
    pub(super) values: Vec<Value>,
}

impl Told {
    pub(super) fn hello() -> Self {
        Self::Hello {
            name: "sabretache",
            version: env!("CARGO_PKG_VERSION"),
            protocol: wire::VERSION,
            rulesets: rulesets().into_iter().map(|ruleset| ruleset.book().name).collect(),
            players: Skill::ALL.map(|skill| skill.to_string()).to_vec(),
        }
    }

    pub(super) fn advice(moment: usize, advice: Advice) -> Self {
        let Advice { player, offer, value, unit, action, purpose, risk, instead, text, .. } = advice;
        Self::Advice { moment, player, offer, value, unit, action, purpose, risk, instead, text }
    }
}

/// Any request.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
enum AnyRequest {
    Program(Asked),
    Battle(Request),
}

/// Any reply.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum AnyReply {
    /// The program's.
    Program(Box<Told>),
    /// A battle's.
    Battle(Box<Reply>),
}

/// The schema of requests and replies, with the keys that may stand beside any of them, and of what is said to a program that plays.
pub(super) fn schema() -> Json {
    let read = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<AnyRequest>();
    let written = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<AnyReply>();
    let (mut request, mut reply) = (json!(read), json!(written));
    let reference = json!({ "description": "Given back in the reply as it came." });
    let battle =
        json!({ "type": "string", "description": "Which of several battles; the one without a name when not given." });
    let seat =
        json!({ "enum": ["A", "B", "umpire", "spectator"], "description": "Who speaks; the umpire when not given." });
    let decision = json!({ "type": "boolean", "description": "A moment then carries the decision that comes next." });
    for name in ["Asked", "Request"] {
        beside(
            &mut request,
            name,
            &[("ref", &reference), ("battle", &battle), ("seat", &seat), ("decision", &decision)],
        );
    }
    let next = reply.pointer("/$defs/Decision").map(|_| json!({ "$ref": "#/$defs/Decision" }));
    let next = next.unwrap_or_else(|| json!({ "type": "object" }));
    for name in ["Told", "Reply"] {
        beside(&mut reply, name, &[("ref", &reference), ("battle", &battle), ("decision", &next)]);
    }
    json!({ "request": request, "reply": reply, "bot": wire::schema() })
}

/// Lets these keys stand beside those of every message of a type.
fn beside(schema: &mut Json, name: &str, keys: &[(&str, &Json)]) {
    let variants = schema.pointer_mut(&format!("/$defs/{name}/oneOf")).and_then(Json::as_array_mut);
    for variant in variants.into_iter().flatten() {
        for (key, of) in keys {
            variant["properties"][*key] = (*of).clone();
        }
    }
}
