//! `sabretache verify`: proves a log by running the rules again.

use std::path::Path;

use sabretache_engine::log::ruleset_of;
use sabretache_engine::session::Unproved;
use serde_json::json;

use super::{print, print_json};
use crate::books::ruleset;
use crate::failure::{Failure, bad};
use crate::files::read_bytes;

pub(crate) fn run(log: &Path, json: bool) -> Result<(), Failure> {
    let bytes = read_bytes(log)?;
    let name = log.display();
    let ruleset = ruleset(&ruleset_of(&bytes).map_err(|error| bad(format!("{name}: {error}")))?)?;
    match ruleset.verify(&bytes) {
        Ok(lines) => {
            if json {
                print_json(&json!({ "ok": true, "lines": lines }))
            } else {
                print(&format!("{name}: {lines} lines proved\n"))
            }
        }
        Err(unproved) => {
            let why = unproved.to_string();
            if json {
                let recorded = matches!(unproved, Unproved::OtherRules { .. });
                print_json(&json!({ "ok": false, "recorded": recorded, "why": why }))?;
            } else {
                print(&format!("{name}: {why}\n"))?;
            }
            match unproved {
                Unproved::Resume(_) => Err(bad(format!("{name} is no whole log"))),
                _ => Err(Failure::No),
            }
        }
    }
}
