//! Every command line that a command's help or a document gives does what it says.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::run;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// What would take too long, or asks for a program that is not everywhere: the same line, smaller.
const SMALLER: [(&str, &str); 32] = [
    ("simulate maida --until 1 --quick", "simulate ford --battles 2 --quick"),
    ("--bounds 0,20", "--bounds 0,200 --battles 64"),
    // It is said in a checkout; the folder of the test only has links to one, and links are not followed.
    ("sabretache clauses  ", concat!("sabretache clauses --root ", env!("CARGO_MANIFEST_DIR"), "/../..")),
    ("--player drill-master exercises", "--player drill-master --tries 1 exercises/batteries/square.toml"),
    // All drills are run by the tests of their books.
    ("sabretache drill drills  ", "sabretache drill drills/malbrook/options.toml  "),
    // A scenario with real units is fought by two who do anything, and once.
    ("--battles 2000 --a drill-master --b drill-master", "--battles 1 --a recruit --b recruit"),
    ("--battles 2000", "--battles 1 --a recruit --b recruit"),
    ("--battles 1000", "--battles 1 --a recruit --b recruit"),
    ("--battles 500", "--battles 1 --a recruit --b recruit"),
    ("--battles 400 --balance", "--battles 1 --a recruit --b recruit --balance turns"),
    ("--battles 40 --balance", "--battles 1 --a recruit --b recruit --balance"),
    ("--battles 9600", "--battles 8 --a recruit --b recruit"),
    ("--battles 120 --moments", "--battles 2 --moments"),
    ("--battles 200 ", "--battles 2 "),
    ("--battles 20 ", "--battles 2 "),
    ("--until 1", "--battles 1 --a recruit --b recruit"),
    ("--until 2", "--battles 1 --a recruit --b recruit"),
    ("--until 3", "--battles 1 --a recruit --b recruit"),
    ("infantry.line=20cm  ", "infantry.line=20cm --battles 1 --a recruit --b recruit "),
    ("ladder --scenario maida", "ladder --scenario ford"),
    ("ladder --scenario teaching", "ladder --scenario ford"),
    ("simulate teaching", "simulate ford"),
    ("marshal:2s", "marshal:4"),
    ("--out run-20cm", "--out another-20cm --battles 1 --a recruit --b recruit"),
    ("--seconds 5", "--seconds 0.1"),
    ("sabretache bench odds search", "sabretache bench odds search --seconds 0.1"),
    ("| man -l -", "> page.1"),
    ("--choices 5", "--choices 2 --scenario ford"),
    (
        "compliance 'exec:python3 examples/bots/corporal.py'  ",
        "compliance 'exec:python3 examples/bots/corporal.py' --choices 3 --scenario ford",
    ),
    ("--scenario teaching  ", "--scenario teaching --choices 2"),
    ("--players 'recruit,exec", "--battles 2 --players 'recruit,exec"),
    ("battle.jsonl@120", "battle.jsonl@40"),
];

/// What waits for a person, or serves until it is stopped: it has tests of its own.
const ENDLESS: [&str; 3] = ["sabretache fight", "sabretache serve", "sabretache bench  "];

/// A line above a block of commands that are not run begins so, and goes on with the reason.
const NOT_RUN: &str = "<!-- not run: ";

/// A command line, and where it stands.
struct Line {
    from: String,
    text: String,
}

#[test]
fn every_command_line_of_the_help_and_of_the_documents_runs() {
    let folder = tempfile::tempdir().unwrap();
    let shell = set_up(folder.path());
    let mut lines = of_the_help();
    assert!(lines.len() > 30, "only {} examples were found in the help", lines.len());
    let told = lines.len();
    for document in documents() {
        of_a_document(&document, &mut lines);
    }
    assert!(lines.len() > told + 20, "only {} lines were found in the documents", lines.len() - told);
    let (mut done, mut failed) = (BTreeSet::new(), Vec::new());
    for Line { from, text } in lines {
        if ENDLESS.iter().any(|endless| format!("{text}  ").starts_with(endless)) {
            continue;
        }
        let small = SMALLER.iter().fold(format!("{text}  "), |line, (long, short)| line.replace(long, short));
        // A run that is there already is gone on with, but for what it is about.
        let small = small.replace("--out run ", "--out another ").replace("--out shard-2", "--out another-shard");
        let small = small.trim().to_owned();
        if !done.insert(small.clone()) {
            continue;
        }
        let _ = fs::remove_dir_all(folder.path().join("another"));
        let output = shell(&small);
        if !output.status.success() {
            failed.push(format!("{from}: {text}\n{}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A folder with what the lines take for granted, and how a line is run in it.
fn set_up(folder: &Path) -> impl Fn(&str) -> std::process::Output {
    for name in ["armies", "crates", "drills", "exercises", "rules", "scenarios", "examples"] {
        std::os::unix::fs::symlink(Path::new(ROOT).join(name), folder.join(name)).unwrap();
    }
    // The first example of the page on drills is one.
    let page = fs::read_to_string(Path::new(ROOT).join("docs/drills.md")).unwrap();
    fs::write(folder.join("my-drills.toml"), page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap())
        .unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_sabretache")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let here = folder.to_owned();
    let shell = move |line: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(&here);
        shell.env("PATH", &path).env("HOME", &here).env("NO_COLOR", "1").output().unwrap()
    };
    // In the order in which a person would come by it.
    for line in [
        "mkdir -p .local/share/bash-completion/completions .local/share/man/man1",
        "sabretache scenario new huzzah > my-battle.toml",
        "cp scenarios/huzzah/maida.toml my-maida.toml",
        "cp armies/vimeiro.toml my-list.toml",
        "sabretache fight teaching --a recruit --b recruit --seed 1 --log battle.jsonl < /dev/null",
        "sabretache simulate maida --battles 1 --a recruit --b recruit --out run",
        "sabretache simulate maida --battles 1 --a recruit --b recruit --set HZ-ZON-01.infantry.line=20cm --out run-20cm",
        "sabretache simulate maida --battles 2 --a recruit --b recruit --shard 1/2 --out shard-1",
        "sabretache simulate maida --battles 2 --a recruit --b recruit --shard 2/2 --out shard-2",
    ] {
        let output = shell(line);
        assert!(output.status.success(), "{line}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    shell
}

const COMMANDS: [&str; 23] = [
    "fight",
    "serve",
    "engine",
    "rules",
    "odds",
    "drill",
    "exercise",
    "scenario",
    "army",
    "muster",
    "replay",
    "story",
    "print",
    "verify",
    "simulate",
    "report",
    "compare",
    "ladder",
    "compliance",
    "bench",
    "clauses",
    "man",
    "completions",
];

fn of_the_help() -> Vec<Line> {
    let mut lines = Vec::new();
    for command in COMMANDS {
        let help = run(&[command, "--help"]).out;
        let examples = help.split("Examples:").nth(1).unwrap_or_default();
        for example in examples.lines().filter(|line| line.contains("sabretache ")) {
            // What follows some blanks says what the example is for.
            let text = example.trim().split("   ").next().unwrap_or_default().to_owned();
            lines.push(Line { from: format!("the help of {command}"), text });
        }
    }
    lines
}

/// The documents that people read: those of the site, and those at the root.
fn documents() -> Vec<PathBuf> {
    let mut found = vec![Path::new(ROOT).join("README.md"), Path::new(ROOT).join("CONTRIBUTING.md")];
    let mut folders = vec![Path::new(ROOT).join("docs"), Path::new(ROOT).join("examples")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The lines of all blocks in `sh`, but for those above which it says why they are not run.
fn of_a_document(path: &Path, lines: &mut Vec<Line>) {
    let text = fs::read_to_string(path).unwrap();
    let name = path.strip_prefix(ROOT).unwrap().display().to_string();
    let (mut block, mut above) = (None, "");
    for (n, line) in text.lines().enumerate() {
        let from = format!("{name}, line {}", n + 1);
        match (block, line.trim().strip_prefix("```")) {
            (None, Some(kind)) => block = Some((kind, above)),
            (Some(_), Some(_)) => block = None,
            (Some(("sh", reason)), None) if !reason.starts_with(NOT_RUN) => {
                let command = line.split(" # ").next().unwrap_or_default().trim();
                if !command.is_empty() {
                    lines.push(Line { from, text: command.to_owned() });
                }
            }
            (Some(("sh", reason)), None) => {
                assert!(reason.len() > NOT_RUN.len() + 8, "{from}: for which reason is it not run?");
            }
            // No command line hides in a block of another kind.
            (Some((kind, _)), None) => {
                let command = line.trim_start_matches("$ ").starts_with("sabretache ");
                assert!(!command || kind == "text", "{from}: a command line stands in a block that is not marked sh");
            }
            (None, None) => {}
        }
        above = line;
    }
}

#[test]
fn commands_named_in_passing_are_there_with_their_options() {
    let (mut looked, mut wrong) = (0, Vec::new());
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        // What stands in a block has three of them; in passing, a command stands between two.
        for span in text.replace("```", "\n").split('`').skip(1).step_by(2) {
            let words: Vec<&str> = span.split_whitespace().collect();
            let [first, command, rest @ ..] = &words[..] else { continue };
            if *first != "sabretache" || !command.chars().all(|letter| letter.is_ascii_lowercase()) {
                continue;
            }
            looked += 1;
            let sub = rest.first().filter(|_| *command == "scenario");
            let asked: Vec<&str> = [Some(*command), sub.copied(), Some("--help")].into_iter().flatten().collect();
            let help = run(&asked);
            let unknown = rest.iter().filter(|word| word.starts_with("--")).find(|word| {
                let bare = word.split('=').next().unwrap_or_default();
                !help.out.contains(bare)
            });
            if help.code != 0 || unknown.is_some() {
                wrong.push(format!("{}: `{span}`", path.display()));
            }
        }
    }
    assert!(looked > 20, "only {looked} were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_the_first_pages_call_a_button_is_written_on_the_page() {
    let words = fs::read_to_string(Path::new(ROOT).join("web/src/strings.ts")).unwrap();
    for page in ["first-battle.md", "designing.md"] {
        let text = fs::read_to_string(Path::new(ROOT).join("docs").join(page)).unwrap();
        let bold: Vec<&str> = text.split("**").skip(1).step_by(2).collect();
        assert!(bold.len() > 8, "{page}: {bold:?}");
        for name in bold {
            assert!(words.contains(&format!("'{name}'")), "{page}: nothing on the page is called '{name}'");
        }
    }
}

#[test]
fn every_page_of_the_site_is_in_its_contents_and_every_link_leads_somewhere() {
    let docs = Path::new(ROOT).join("docs");
    let contents = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        if let Ok(page) = path.strip_prefix(&docs) {
            let listed = page == Path::new("SUMMARY.md") || contents.contains(&format!("({})", page.display()));
            assert!(listed, "{} is not in the contents", page.display());
        }
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if file.is_empty() || link.contains("://") {
                continue;
            }
            assert!(path.parent().unwrap().join(file).exists(), "{}: {link} leads nowhere", path.display());
        }
    }
}
