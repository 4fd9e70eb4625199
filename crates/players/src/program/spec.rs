//! `exec:COMMAND` taken apart.

use std::time::Duration;

use crate::skill::read_time;

/// How long a program may take, and how much it is forgiven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// To start and say hello.
    pub start: Duration,
    /// To be ready for a new battle.
    pub battle: Duration,
    /// To decide. Then it is told to stop,
    pub decision: Duration,
    /// and has so long to say what it has.
    pub margin: Duration,
    /// To end when it is told to quit.
    pub quit: Duration,
    /// After so many faults in a battle it goes on; with one more it has lost.
    pub faults: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(10),
            battle: Duration::from_secs(60),
            decision: Duration::from_secs(10),
            margin: Duration::from_secs(1),
            quit: Duration::from_secs(2),
            faults: 1,
        }
    }
}

/// The words of the command, and its limits.
pub(super) fn read(spec: &str) -> Result<(Vec<String>, Limits), String> {
    let rest = spec.strip_prefix("exec").ok_or("it begins with exec:")?;
    let mut limits = Limits::default();
    let command = match rest.strip_prefix('[') {
        None => rest.strip_prefix(':'),
        Some(rest) => {
            let (settings, command) = rest.split_once("]:").ok_or("after exec[…] comes a colon and the command")?;
            for setting in settings.split_whitespace() {
                set(&mut limits, setting)?;
            }
            Some(command)
        }
    };
    let words = words(command.ok_or("it is exec:COMMAND, as in exec:python3 bot.py")?)?;
    if words.is_empty() {
        return Err("no command follows exec:".into());
    }
    Ok((words, limits))
}

fn set(limits: &mut Limits, setting: &str) -> Result<(), String> {
    const KNOWN: &str = "start=10s, battle=60s, decision=10s, margin=1s, quit=2s and faults=1 can be set";
    let (name, value) = setting.split_once('=').ok_or_else(|| format!("'{setting}' sets nothing; {KNOWN}"))?;
    let time = || read_time(value).ok_or_else(|| format!("'{value}' is no time such as 2s or 500ms"));
    match name {
        "start" => limits.start = time()?,
        "battle" => limits.battle = time()?,
        "decision" => limits.decision = time()?,
        "margin" => limits.margin = time()?,
        "quit" => limits.quit = time()?,
        "faults" => limits.faults = value.parse().map_err(|_| format!("'{value}' is no number of faults"))?,
        _ => return Err(format!("there is no '{name}' to set; {KNOWN}")),
    }
    Ok(())
}

/// The words of a command: blanks part them, unless they stand in quotes. No shell looks at it: what is started is the
/// program itself, so that it can be ended.
fn words(command: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in command.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if quote.is_some() {
        return Err("a quotation mark is not closed".into());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_taken_apart_at_blanks() {
        let (words, limits) = read("exec:python3 'my bot.py'  -x \"\" a'b c'd").unwrap();
        assert_eq!(words, ["python3", "my bot.py", "-x", "", "ab cd"]);
        assert_eq!(limits, Limits::default());
    }

    #[test]
    fn limits_stand_before_the_command() {
        let (words, limits) = read("exec[start=20s decision=500ms faults=0]:node bot.js").unwrap();
        assert_eq!(words, ["node", "bot.js"]);
        let wanted = Limits {
            start: Duration::from_secs(20),
            decision: Duration::from_millis(500),
            faults: 0,
            ..Limits::default()
        };
        assert_eq!(limits, wanted);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (spec, why) in [
            ("exec", "exec:COMMAND"),
            ("exec:", "no command"),
            ("exec:  ", "no command"),
            ("execute", "exec:COMMAND"),
            ("exec:python3 'bot.py", "not closed"),
            ("exec[decision=2s] python3", "a colon"),
            ("exec[decision=2]:python3", "no time"),
            ("exec[thinking=2s]:python3", "no 'thinking'"),
            ("exec[faults=few]:python3", "no number"),
            ("exec[faults]:python3", "sets nothing"),
        ] {
            let told = read(spec).unwrap_err();
            assert!(told.contains(why), "{spec}: {told}");
        }
    }
}
