//! Every example that a command's help gives does what it says.

mod common;

use std::path::Path;
use std::process::Command;

use common::run;

/// What would take too long, or asks for a program that is not everywhere: the same example, smaller.
const SMALLER: [(&str, &str); 14] = [
    ("--player drill-master exercises", "--player drill-master --tries 1 exercises"),
    ("--battles 2000", "--battles 1 --a recruit --b recruit"),
    ("--battles 1000", "--battles 1 --a recruit --b recruit"),
    ("--battles 9600", "--battles 8 --a recruit --b recruit"),
    ("--battles 200 ", "--battles 2 "),
    ("--battles 20 ", "--battles 2 "),
    ("--until 1", "--battles 1 --a recruit --b recruit"),
    ("--until 2", "--battles 1 --a recruit --b recruit"),
    ("ladder --scenario maida", "ladder --scenario ford"),
    ("marshal:2s", "marshal:4"),
    ("--out run-20cm", "--out another-20cm --battles 1 --a recruit --b recruit"),
    ("--seconds 5", "--seconds 0.1"),
    ("sabretache bench odds search", "sabretache bench odds search --seconds 0.1"),
    ("| man -l -", "> page.1"),
];

/// What waits for a person, or serves until it is stopped: it has tests of its own.
const ENDLESS: [&str; 3] = ["sabretache fight", "sabretache serve", "sabretache bench  "];

#[test]
fn every_example_of_the_help_runs() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for name in ["drills", "exercises", "rules", "scenarios"] {
        std::os::unix::fs::symlink(root.join(name), folder.path().join(name)).unwrap();
    }
    let program = Path::new(env!("CARGO_BIN_EXE_sabretache")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let shell = |line: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(folder.path());
        shell.env("PATH", &path).env("HOME", folder.path()).env("NO_COLOR", "1").output().unwrap()
    };
    // What the examples take for granted, in the order in which a person would come by it.
    for line in [
        "mkdir -p .local/share/bash-completion/completions .local/share/man/man1",
        "sabretache scenario new huzzah > my-battle.toml",
        "cp scenarios/huzzah/maida.toml my-maida.toml",
        "sabretache fight teaching --a recruit --b recruit --seed 1 --log battle.jsonl < /dev/null",
        "sabretache simulate maida --battles 1 --a recruit --b recruit --out run",
        "sabretache simulate maida --battles 1 --a recruit --b recruit --set HZ-ZON-01.infantry.line=20cm --out run-20cm",
        "sabretache simulate maida --battles 2 --a recruit --b recruit --shard 1/2 --out shard-1",
        "sabretache simulate maida --battles 2 --a recruit --b recruit --shard 2/2 --out shard-2",
    ] {
        let output = shell(line);
        assert!(output.status.success(), "{line}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let commands = "fight serve engine rules odds drill exercise scenario army muster replay story print verify simulate report compare ladder bench clauses man completions";
    let (mut tried, mut failed) = (0, Vec::new());
    for command in commands.split(' ') {
        let help = run(&[command, "--help"]).out;
        let examples = help.split("Examples:").nth(1).unwrap_or_default();
        for example in examples.lines().filter(|line| line.contains("sabretache ")) {
            if ENDLESS.iter().any(|endless| format!("{}  ", example.trim()).starts_with(endless)) {
                continue;
            }
            // What follows two spaces says what the example is for.
            let line = example.trim().split("   ").next().unwrap_or_default();
            let small = SMALLER.iter().fold(format!("{line} "), |line, (long, short)| line.replace(long, short));
            // A run that is there already is gone on with, but for what it is about.
            let small = small.replace("--out run ", "--out another ").replace("--out shard-2", "--out another-shard");
            let output = shell(&small);
            tried += 1;
            if !output.status.success() {
                failed.push(format!("{line}\n{}", String::from_utf8_lossy(&output.stderr)));
            }
        }
    }
    assert!(tried > 30, "only {tried} examples were found");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
