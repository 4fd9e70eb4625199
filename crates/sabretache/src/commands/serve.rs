//! `sabretache serve`: battles in the browser.

use sabretache_server::{Options, serve};

use crate::books::{benches, laboratories, numbers, rulesets, turns};
use crate::cli::{LogForm, Serve};
use crate::failure::{Failure, bad};
use crate::files::{DRILLS, SHIPPED, data_folder};

pub(crate) fn run(asked: Serve) -> Result<(), Failure> {
    let Serve { address, data, database, scenarios: own, players, log, behind_proxy, no_browser } = asked;
    if let Some(folder) = own.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(bad(format!("{}: there is no such folder", folder.display())));
    }
    for (name, program) in &players {
        program.try_out().map_err(|fault| bad(format!("{name} ({}): {fault}", program.spec())))?;
    }
    let scenarios = SHIPPED.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let data_dir = data.unwrap_or_else(data_folder);
    let options = Options {
        rulesets: rulesets(),
        laboratories: laboratories(),
        numbers: numbers(),
        scenarios,
        benches: benches(),
        turns: turns(),
        own,
        drills: DRILLS.to_vec(),
        players,
        address,
        data_dir,
        database,
        open_browser: !no_browser,
        log: log.map(|form| match form {
            LogForm::Text => sabretache_server::LogForm::Text,
            LogForm::Json => sabretache_server::LogForm::Json,
        }),
        behind_proxy,
    };
    serve(options).map_err(bad)
}
