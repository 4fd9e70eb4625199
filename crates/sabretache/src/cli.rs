//! The command line.

mod laboratory;

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use sabretache_players::{Program, Skill, UnknownSkill};

pub(crate) use self::laboratory::{BenchArgs, ChancesArgs, Changed, Compare, Compliance, Ladder, ReportArgs, Simulate};

const STYLES: Styles =
    Styles::styled().header(AnsiColor::Yellow.on_default().bold()).literal(AnsiColor::Blue.on_default().bold());

/// Plays, referees, explains and simulates horse-and-musket miniature battles, 1700-1815.
///
/// Exit codes: 0 done; 1 the answer is no (a drill failed, a log does not verify); 2 bad input; 130
/// interrupted.
#[derive(Debug, Parser)]
#[command(name = "sabretache", version, styles = STYLES, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Fights a battle in the terminal.
    #[command(after_help = "Examples:
  sabretache fight                           choose a scenario
  sabretache fight maida --b drill-master    against the computer
  sabretache fight maida --a marshal:2s --b drill-master     watch two of them
  sabretache fight maida --b 'exec:python3 examples/bots/corporal.py'
  sabretache fight maida --dice typed        with real dice, typed in
  sabretache fight --resume battle.jsonl     go on with a battle")]
    Fight(Fight),
    /// Serves battles to the browser.
    #[command(after_help = "Examples:
  sabretache serve                           on 127.0.0.1:1815, and opens the browser
  sabretache serve --no-browser --address 127.0.0.1:8080
  sabretache serve --player 'corporal=exec:python3 examples/bots/corporal.py'")]
    Serve(Serve),
    /// Drives a battle by messages on standard input and output, one JSON message a line.
    #[command(after_help = "Examples:
  echo '{\"type\":\"begin\",\"scenario\":\"maida\",\"seed\":1}' | sabretache engine
  sabretache engine --schema                 the JSON Schema of requests and replies")]
    Engine {
        /// Prints the JSON Schema of the messages.
        #[arg(long)]
        schema: bool,
    },
    /// Shows clauses of the books.
    #[command(after_help = "Examples:
  sabretache rules HZ-THR-03                 one clause
  sabretache rules huzzah                    every clause of a book, a line each
  sabretache rules huzzah threat zone        the clauses that speak of these words")]
    Rules {
        /// A clause id, or a book and words to look for.
        #[arg(required = true)]
        what: Vec<String>,
        /// The project's sources, to tell which drills and tests prove the clause.
        #[arg(long, default_value = ".")]
        root: PathBuf,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Tells the exact odds of a test from a situation alone.
    #[command(after_help = "Examples:
  sabretache odds huzzah --list
  sabretache odds huzzah threat --schema
  sabretache odds huzzah threat --situation '{\"by_lines\":2,\"kills\":1}'
  sabretache odds huzzah threat --situation '{\"quality\":\"veteran\",\"by_lines\":1}' --json")]
    Odds(Odds),
    /// Runs drills: test cases as data.
    #[command(after_help = "Examples:
  sabretache drill drills                    every drill under a folder
  sabretache drill drills/huzzah/threat-tests.toml --json")]
    Drill {
        /// Files, or folders with files.
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// Prints one JSON object for each drill.
        #[arg(long)]
        json: bool,
    },
    /// Tells how a computer player does at exercises in plain tactics, by theme.
    #[command(after_help = "Examples:
  sabretache exercise --player drill-master exercises        every exercise under a folder
  sabretache exercise --player recruit --tries 20 exercises/huzzah/guns.toml")]
    Exercise {
        /// Which player.
        #[arg(long, default_value = "drill-master")]
        player: Skill,
        /// Files, or folders with files.
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        /// How often each exercise is tried, each time with another chance of the player's own.
        #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1_000))]
        tries: u32,
        /// Prints one JSON object for each exercise.
        #[arg(long)]
        json: bool,
    },
    /// Checks, describes and makes scenarios.
    #[command(
        subcommand,
        after_help = "Examples:
  sabretache scenario list
  sabretache scenario new huzzah > my-battle.toml
  sabretache scenario check my-battle.toml"
    )]
    Scenario(ScenarioCommand),
    /// Writes the scenario of a book from an army list: one order of battle, any book.
    #[command(after_help = "Examples:
  sabretache army --list                     the lists that come with the program
  sabretache army vimeiro --book huzzah > vimeiro.toml
  sabretache army vimeiro --book batteries   the same battle under another book
  sabretache army maida --check              what is wrong in a list, and in the scenarios of all books")]
    Army(Army),
    /// Rolls the quality of units from grade and class, by the playsheet of Huzzah!.
    #[cfg(feature = "huzzah")]
    #[command(after_help = "Examples:
  sabretache muster regulars-c --seed 7      one unit
  sabretache muster maida                    every unit of a scenario that is not fixed
  sabretache muster my-battle.toml --dice typed
  sabretache muster my-battle.toml --scenario > mustered.toml")]
    Muster(Muster),
    /// Tells a logged battle in words.
    #[command(after_help = "Examples:
  sabretache replay battle.jsonl
  sabretache replay battle.jsonl --from 40 --json")]
    Replay {
        /// The log.
        log: PathBuf,
        /// Only what happened after this moment.
        #[arg(long, default_value_t = 0)]
        from: usize,
        /// Prints the situation at this moment instead of the story.
        #[arg(long)]
        at: Option<usize>,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Tells a battle afterwards: its prose, a page with maps, and a film of the map.
    #[command(after_help = "Examples:
  sabretache story battle.jsonl              the prose, turn by turn
  sabretache story battle.jsonl --html battle.html --film battle.svg
With a program built with --features pdf also: story battle.jsonl --pdf battle.pdf")]
    Story {
        /// The log.
        log: PathBuf,
        /// Writes an illustrated page that any browser shows and prints.
        #[arg(long)]
        html: Option<PathBuf>,
        /// Writes the battle as an animated SVG that any browser plays.
        #[arg(long)]
        film: Option<PathBuf>,
        /// Writes the illustrated account as a PDF (a program built with --features pdf).
        #[arg(long)]
        pdf: Option<PathBuf>,
    },
    /// Makes paper for a real table: a scenario as a booklet (map, rosters with boxes to mark, terms, notes), or a book as a quick sheet.
    #[command(after_help = "Examples:
  sabretache print maida --html maida.html   a page that any browser prints on A4
  sabretache print huzzah --quick --json     every test with all that modifies it, the numbers, the outcomes
With a program built with --features pdf also: print maida --pdf maida.pdf; print huzzah --quick --pdf huzzah.pdf")]
    Print {
        /// A scenario by name, or a file; with --quick a ruleset.
        of: String,
        /// The quick sheet of a ruleset: its tests with all modifiers, its tables, what comes of things.
        #[arg(long, conflicts_with = "html")]
        quick: bool,
        /// Where the page is written.
        #[arg(long)]
        html: Option<PathBuf>,
        /// Where the PDF is written.
        #[arg(long)]
        pdf: Option<PathBuf>,
        /// Prints what stands on the pages as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Proves a log by running the rules again.
    #[command(after_help = "Examples:
  sabretache verify battle.jsonl && echo proved")]
    Verify {
        /// The log.
        log: PathBuf,
        /// The log of the battle that this one was branched from: its dice up to there are proved by it.
        #[arg(long)]
        parent: Option<PathBuf>,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Fights a scenario, or any moment of a battle, as often as wanted, and says what came of it.
    ///
    /// Interrupt it when you like: what was fought is kept and reported, and the same command goes on with it. The same
    /// seed gives the same results on any number of threads.
    #[command(after_help = "Examples:
  sabretache simulate maida --battles 2000 --out run
  sabretache simulate maida --until 1 --out run              until A's share is known to ±1 %
  sabretache simulate battle.jsonl@40 --battles 1000         from a moment of a battle on
  sabretache simulate maida --set HZ-ZON-01.infantry.line=20cm --out run-20cm
  sabretache simulate maida --battles 9600 --shard 2/8 --out shard-2")]
    Simulate(Simulate),
    /// Fits the chances of winning of a book on battles of its scenarios, and prints them as `chances.json` has them.
    #[command(hide = true)]
    Chances(ChancesArgs),
    /// Makes the report of a run, or of all its shards.
    #[command(after_help = "Examples:
  sabretache report run --out report.html
  sabretache report shard-1 shard-2 --out run                tables, page and summary of the whole")]
    Report(ReportArgs),
    /// Tells whether two variants differ.
    #[command(after_help = "Examples:
  sabretache compare run run-20cm                            two runs that were fought
  sabretache compare maida --set HZ-ZON-01.infantry.line=20cm --battles 2000
  sabretache compare maida my-maida.toml --until 2")]
    Compare(Compare),
    /// Lets computer players fight each other from both sides.
    #[command(after_help = "Examples:
  sabretache ladder --scenario maida --battles 200 --players recruit,drill-master
  sabretache ladder --scenario maida --battles 20 --players drill-master,marshal:2s --json
  sabretache ladder --scenario maida --players 'recruit,exec:python3 examples/bots/corporal.py'")]
    Ladder(Ladder),
    /// Checks that a program can play: for authors of bots.
    ///
    /// Tells each check with what is expected and what came. Exit code 1 where one of them does not hold.
    #[command(after_help = "Examples:
  sabretache compliance 'exec:python3 examples/bots/corporal.py'
  sabretache compliance 'exec[decision=2s]:node examples/bots/piquet.mjs' --scenario teaching")]
    Compliance(Compliance),
    /// Measures speed, on one thread.
    #[command(after_help = "Examples:
  sabretache bench                                           everything, for every ruleset
  sabretache bench playouts --ruleset huzzah --seconds 5
  sabretache bench odds search --scenario maida --json")]
    Bench(BenchArgs),
    /// Counts which clauses have a drill or a test and a line that decides them; exit code 1 if one has not.
    #[command(after_help = "Examples:
  sabretache clauses                         in a checkout of the project")]
    Clauses {
        /// The project's folder.
        #[arg(long, default_value = ".")]
        root: PathBuf,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Prints completions for a shell.
    #[command(after_help = "Examples:
  sabretache completions bash > ~/.local/share/bash-completion/completions/sabretache")]
    Completions {
        /// Which shell.
        shell: Shell,
    },
    /// Writes the manual pages.
    #[command(after_help = "Examples:
  sabretache man --dir ~/.local/share/man/man1
  sabretache man | man -l -")]
    Man {
        /// One page for each command, into this folder; without it, the first page to standard output.
        #[arg(long)]
        dir: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Fight {
    /// A scenario by name, or a file.
    pub(crate) scenario: Option<String>,
    /// Who plays side A: person, recruit, ensign, drill-master, marshal:2s (or marshal:400, tries a turn), exec:COMMAND.
    #[arg(long, default_value = "person", value_name = "PLAYER")]
    pub(crate) a: Player,
    /// Who plays side B.
    #[arg(long, default_value = "person", value_name = "PLAYER")]
    pub(crate) b: Player,
    /// Computer players say why they choose what they choose.
    #[arg(long)]
    pub(crate) why: bool,
    /// The seed of the dice.
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Where the dice come from.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) dice: DiceKind,
    /// How far the rules are enforced.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) enforcement: EnforcementKind,
    /// Where the log is written; by default a new file among your battles.
    #[arg(long)]
    pub(crate) log: Option<PathBuf>,
    /// Goes on with the battle of this log, in the same file.
    #[arg(long, conflicts_with_all = ["scenario", "log", "seed"])]
    pub(crate) resume: Option<PathBuf>,
}

/// What `army` takes.
#[derive(Debug, Args)]
pub(crate) struct Army {
    /// An army list by name, or a file; or a scenario of any book, of which a list is made first.
    #[arg(required_unless_present = "list")]
    pub(crate) army: Option<String>,
    /// The book: huzzah, batteries or malbrook.
    #[arg(long, required_unless_present_any = ["list", "check", "write_list"])]
    pub(crate) book: Option<String>,
    /// Prints the list itself: of a scenario, the one that is made of it.
    #[arg(long, conflicts_with_all = ["list", "book", "check"])]
    pub(crate) write_list: bool,
    /// Names the lists that come with the program.
    #[arg(long, conflicts_with_all = ["army", "book", "check"])]
    pub(crate) list: bool,
    /// Says what is wrong in the list and in the scenarios of all books, and writes none.
    #[arg(long, conflicts_with = "book")]
    pub(crate) check: bool,
}

#[cfg(feature = "huzzah")]
#[derive(Debug, Args)]
pub(crate) struct Muster {
    /// A grade and class such as `regulars-c`, or a scenario by name or file.
    pub(crate) what: String,
    /// The seed of the dice.
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Where the dice come from; typed ones are read from standard input.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) dice: DiceKind,
    /// High totals are good, as on the older playsheet (HZ-VAR-01).
    #[arg(long)]
    pub(crate) high: bool,
    /// Militia A has the odds of the older playsheet (HZ-VAR-02).
    #[arg(long)]
    pub(crate) old_militia_a: bool,
    /// Prints the scenario with the qualities in it.
    #[arg(long, conflicts_with = "json")]
    pub(crate) scenario: bool,
    /// Prints one JSON object for each unit.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Player {
    /// Somebody at this terminal.
    Person,
    /// The computer.
    Computer(Skill),
}

impl std::str::FromStr for Player {
    type Err = UnknownSkill;

    fn from_str(text: &str) -> Result<Self, UnknownSkill> {
        if text == "person" { Ok(Self::Person) } else { Skill::by_operator(text).map(Self::Computer) }
    }
}

/// What `serve` takes.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Where to listen; port 0 for any that is free.
    #[arg(long, default_value_t = sabretache_server::ADDRESS)]
    pub(crate) address: std::net::SocketAddr,
    /// The folder that battles are kept in.
    #[arg(long)]
    pub(crate) data: Option<PathBuf>,
    /// A PostgreSQL database that keeps the battles instead, for any number of processes that serve the same ones.
    #[arg(long, value_name = "postgres://…")]
    pub(crate) database: Option<String>,
    /// A folder with scenarios of one's own, listed beside those that come with the program.
    #[arg(long, value_name = "DIR")]
    pub(crate) scenarios: Option<PathBuf>,
    /// A program that can be chosen to play, under a name: NAME=exec:COMMAND. Nobody can name a command over the network.
    #[arg(long = "player", value_name = "NAME=exec:…", value_parser = named_program)]
    pub(crate) players: Vec<(String, &'static Program)>,
    /// Writes a line about each request to standard error.
    #[arg(long, value_name = "FORM")]
    pub(crate) log: Option<LogForm>,
    /// A reverse proxy passes requests on, and says for whom.
    #[arg(long)]
    pub(crate) behind_proxy: bool,
    /// Does not open the browser.
    #[arg(long)]
    pub(crate) no_browser: bool,
}

/// A program and the name it is offered by.
fn named_program(text: &str) -> Result<(String, &'static Program), String> {
    let (name, spec) = text.split_once('=').ok_or("it is NAME=exec:COMMAND")?;
    let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if name.is_empty() || !name.chars().all(plain) {
        return Err(format!("'{name}' is no name: small letters, digits and hyphens"));
    }
    if name == "person" || name.parse::<Skill>().is_ok() {
        return Err(format!("there is a player '{name}' already"));
    }
    Ok((name.to_owned(), Program::named(spec)?))
}

/// How lines about requests are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogForm {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Where dice come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiceKind {
    /// The program rolls, from the seed.
    #[default]
    Seeded,
    /// You roll real dice and type them in.
    Typed,
}

/// How far the rules are enforced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum EnforcementKind {
    /// Only what the rules allow.
    #[default]
    Referee,
    /// A breach is named and may be done all the same.
    Advise,
    /// Anything goes.
    Sandbox,
}

#[derive(Debug, Args)]
pub(crate) struct Odds {
    /// The ruleset.
    pub(crate) ruleset: String,
    /// The test.
    pub(crate) test: Option<String>,
    /// The situation, as JSON; what is not given has its default.
    #[arg(long)]
    pub(crate) situation: Option<String>,
    /// Names the tests of the ruleset.
    #[arg(long, conflicts_with_all = ["test", "situation", "schema"])]
    pub(crate) list: bool,
    /// Prints the JSON Schema of the test's situation.
    #[arg(long, conflicts_with = "situation")]
    pub(crate) schema: bool,
    /// Works them out again and again for so many seconds, and says how often it did.
    #[arg(long, value_name = "SECONDS", conflicts_with_all = ["list", "schema"])]
    pub(crate) measure: Option<f64>,
    /// Prints JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ScenarioCommand {
    /// Lists the scenarios that come with the program.
    #[command(after_help = "Examples:
  sabretache scenario list --json")]
    List {
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Says all that is wrong or unusual in scenario files.
    #[command(after_help = "Examples:
  sabretache scenario check my-battle.toml")]
    Check {
        /// The files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Prints every key and every word that a ruleset's scenarios know, as a page to read.
    #[command(after_help = "Examples:
  sabretache scenario words malbrook")]
    Words {
        /// The ruleset.
        ruleset: String,
    },
    /// Prints the JSON Schema of a ruleset's scenarios, for editors.
    #[command(after_help = "Examples:
  sabretache scenario schema huzzah > huzzah.schema.json")]
    Schema {
        /// The ruleset.
        ruleset: String,
    },
    /// Prints a small scenario to start from.
    #[command(after_help = "Examples:
  sabretache scenario new huzzah > my-battle.toml")]
    New {
        /// The ruleset.
        ruleset: String,
    },
}
