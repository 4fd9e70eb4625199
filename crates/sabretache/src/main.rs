//! The program: a command line over the engine and the rulesets.

mod books;
mod cli;
mod commands;
mod failure;
mod files;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

use cli::{Cli, Command};

fn main() -> ExitCode {
    // A message that is one line is easier to search for than one that fits the window. Setting it twice is the only error.
    let _ = miette::set_hook(Box::new(|_| Box::new(miette::MietteHandlerOpts::new().wrap_lines(false).build())));
    let done = run(Cli::parse());
    // Programs that played and still run.
    sabretache_players::program::dismiss();
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = std::io::stderr().write_all(failure.told().as_bytes());
            ExitCode::from(failure.code())
        }
    }
}

fn run(cli: Cli) -> Result<(), failure::Failure> {
    match cli.command {
        Command::Fight(fight) => commands::fight::run(&fight),
        Command::Serve(serve) => commands::serve::run(serve),
        Command::Engine { schema } => commands::engine::run(schema),
        Command::Rules { what, root, json } => commands::rules::run(&what, &root, json),
        Command::Odds(odds) => commands::odds::run(&odds),
        Command::Drill { paths, json } => commands::drill::run(&paths, json),
        Command::Exercise { player, paths, tries, json } => commands::exercise::run(player, &paths, tries, json),
        Command::Scenario(scenario) => commands::scenario::run(&scenario),
        Command::Army(army) => commands::army::run(&army),
        #[cfg(feature = "huzzah")]
        Command::Muster(muster) => commands::muster::run(&muster),
        Command::Replay { log, from, at, json } => commands::replay::run(&log, from, at, json),
        Command::Print { of, quick: true, pdf, json, .. } => commands::booklet::quick(&of, pdf.as_deref(), json),
        Command::Print { of, html, pdf, json, .. } => {
            commands::booklet::run(&of, html.as_deref(), pdf.as_deref(), json)
        }
        Command::Story { log, html, film, pdf } => {
            commands::story::run(&log, html.as_deref(), film.as_deref(), pdf.as_deref())
        }
        Command::Verify { log, parent, json } => commands::verify::run(&log, parent.as_deref(), json),
        Command::Simulate(simulate) => commands::simulate::run(&simulate),
        Command::Chances(asked) => commands::chances::run(&asked),
        Command::Report(report) => commands::report::run(&report),
        Command::Compare(compare) => commands::compare::run(&compare),
        Command::Ladder(ladder) => commands::ladder::run(&ladder),
        Command::Compliance(asked) => commands::compliance::run(&asked),
        Command::Bench(bench) => commands::bench::run(&bench),
        Command::Clauses { root, json } => commands::clauses::run(&root, json),
        Command::Completions { shell } => commands::manual::completions(shell),
        Command::Man { dir } => commands::manual::pages(dir.as_deref()),
    }
}
