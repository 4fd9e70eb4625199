//! `sabretache serve`: battles in the browser.

use std::net::SocketAddr;
use std::path::PathBuf;

use sabretache_server::{Options, serve};

use crate::books::rulesets;
use crate::failure::{Failure, bad};
use crate::files::{SHIPPED, data_folder};

pub(crate) fn run(address: SocketAddr, data: Option<PathBuf>, open_browser: bool) -> Result<(), Failure> {
    let scenarios = SHIPPED.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let data_dir = data.unwrap_or_else(data_folder);
    serve(Options { rulesets: rulesets(), scenarios, address, data_dir, open_browser }).map_err(bad)
}
