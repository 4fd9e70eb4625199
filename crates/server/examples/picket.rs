//! Serves the tiny ruleset Picket, for trying out the client: `cargo run --example picket -- [ADDRESS] [FOLDER]`. Malbrook
//! is there for its hidden movement.

use std::path::PathBuf;

use sabretache_engine::erased::Erased;
use sabretache_malbrook::Malbrook;
use sabretache_picket::Picket;
use sabretache_picket::numbers::Numbers;
use sabretache_players::Fielded;
use sabretache_server::{ADDRESS, LogForm, Options, ServeError, serve};

static PICKET: Erased<Picket> = Erased::RULESET;
static MALBROOK: Erased<Malbrook> = Erased::RULESET;

fn main() -> Result<(), ServeError> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(ADDRESS);
    let data_dir = arguments.next().map_or_else(|| std::env::temp_dir().join("sabretache-picket"), PathBuf::from);
    let ford = include_str!("../../picket/scenarios/ford.toml");
    serve(Options {
        benches: Vec::new(),
        turns: serde_json::Value::Null,
        own: None,
        rulesets: vec![&PICKET, &MALBROOK],
        laboratories: vec![&Fielded::<Picket>::PLAYERS, &Fielded::<Malbrook>::PLAYERS],
        numbers: vec![("picket", serde_json::to_value(Numbers::default()).unwrap_or_default())],
        scenarios: vec![("ford".into(), ford.into())],
        players: Vec::new(),
        drills: vec![
            ("picket/drills/picket.toml", include_str!("../../picket/drills/picket.toml")),
            ("picket/scenarios/ford.toml", ford),
        ],
        address,
        data_dir,
        database: std::env::var("SABRETACHE_DATABASE").ok(),
        open_browser: false,
        log: std::env::var_os("SABRETACHE_LOG").map(|_| LogForm::Json),
        behind_proxy: false,
    })
}
