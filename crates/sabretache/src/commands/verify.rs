//! `sabretache verify`: proves a log by running the rules again.

use std::path::Path;

use sabretache_engine::log::ruleset_of;
use sabretache_engine::session::{Proved, Unproved};
use serde_json::json;

use super::{print, print_json};
use crate::books::ruleset;
use crate::failure::{Failure, bad};
use crate::files::read_bytes;

pub(crate) fn run(log: &Path, parent: Option<&Path>, json: bool) -> Result<(), Failure> {
    let bytes = read_bytes(log)?;
    let name = log.display();
    let ruleset = ruleset(&ruleset_of(&bytes).map_err(|error| bad(format!("{name}: {error}")))?)?;
    let parent = parent.map(read_bytes).transpose()?;
    match ruleset.verify(&bytes, parent.as_deref()) {
        Ok(Proved { lines, inherited, torn }) if json => {
            print_json(&json!({ "ok": true, "lines": lines, "inherited": inherited, "torn": torn }))
        }
        Ok(Proved { lines, inherited, torn }) => {
            print(&format!("{name}: {lines} lines proved\n"))?;
            if inherited > 0 {
                print(&format!(
                    "The dice of {inherited} of them fell in the battle that this one was branched from: they are not proved; give its log with --parent.\n"
                ))?;
            }
            if torn {
                print(
                    "The last line is torn: it was being written when the program stopped, and counts for nothing.\n",
                )?;
            }
            Ok(())
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
