//! `sabretache serve`: battles in the browser.

use std::net::SocketAddr;
use std::path::PathBuf;

use sabretache_server::{Options, serve};

use crate::books::{laboratories, numbers, rulesets};
use crate::failure::{Failure, bad};
use crate::files::{DRILLS, SHIPPED, data_folder};

pub(crate) fn run(address: SocketAddr, data: Option<PathBuf>, open_browser: bool) -> Result<(), Failure> {
    let scenarios = SHIPPED.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let data_dir = data.unwrap_or_else(data_folder);
    let options = Options {
        rulesets: rulesets(),
        laboratories: laboratories(),
        numbers: numbers(),
        scenarios,
        drills: DRILLS.to_vec(),
        address,
        data_dir,
        open_browser,
    };
    serve(options).map_err(bad)
}
