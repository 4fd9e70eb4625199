//! Sets a paper that `sabretache print … --json` has written: `set PAPER.json PAPER.pdf`. For looking at a paper without building the program with typst.

use std::process::ExitCode;

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = files.as_slice() else { return ExitCode::from(2) };
    let set = || -> Result<(), Box<dyn std::error::Error>> {
        let paper = serde_json::from_slice(&std::fs::read(from)?)?;
        std::fs::write(to, sabretache_print::pdf(&paper)?)?;
        Ok(())
    };
    match set() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}
