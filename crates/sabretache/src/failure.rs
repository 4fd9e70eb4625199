//! How the program ends when it does not end well.

use std::fmt;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};
use sabretache_engine::scenario::{self, Diagnostics, Severity};

use crate::commands::harmless;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The answer is no: a drill failed, a log does not verify. Exit code 1. The answer has been given already.
    No,
    /// It was interrupted. Exit code 130, as shells have it. What was done has been kept and told already.
    Interrupted,
    /// The input is bad. Exit code 2.
    Bad(String),
    /// A file is bad, with all that is wrong in it. Exit code 2.
    File {
        /// The file's name.
        name: String,
        /// Its text.
        text: String,
        /// What is wrong.
        report: Diagnostics,
    },
}

/// Bad input, in a sentence.
pub(crate) fn bad(sentence: impl fmt::Display) -> Failure {
    Failure::Bad(sentence.to_string())
}

impl Failure {
    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::No => 1,
            Self::Interrupted => 130,
            Self::Bad(_) | Self::File { .. } => 2,
        }
    }

    /// What is to be printed to standard error.
    pub(crate) fn told(&self) -> String {
        match self {
            Self::No | Self::Interrupted => String::new(),
            Self::Bad(sentence) => format!("sabretache: {}\n", harmless(sentence)),
            Self::File { name, text, report } => tell_report(name, text, report),
        }
    }
}

/// Each finding with its place in the file, from the top of the file down.
pub(crate) fn tell_report(name: &str, text: &str, report: &Diagnostics) -> String {
    let mut told = String::new();
    let mut all: Vec<_> = report.iter().collect();
    all.sort_by_key(|one| one.span.map(|(start, _)| start));
    for one in all {
        told += &match one.span {
            Some(span) => format!("{:?}\n", miette::Report::new(Fault::new(name, text, one, span))),
            None => harmless(&format!("{name}: {}\n", Plain(one))).into_owned(),
        };
    }
    told
}

struct Plain<'a>(&'a scenario::Diagnostic);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = self.0;
        if !one.path.steps().is_empty() {
            write!(f, "{}: ", one.path)?;
        }
        f.write_str(&one.message)?;
        if let Some(clause) = one.clause {
            write!(f, " [{clause}]")?;
        }
        if let Some(help) = &one.help {
            write!(f, " ({help})")?;
        }
        Ok(())
    }
}

/// A finding as the terminal shows it.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
struct Fault {
    file: NamedSource<String>,
    message: String,
    span: (usize, usize),
    help: Option<String>,
    code: Option<String>,
    severity: Severity,
}

impl Fault {
    fn new(name: &str, text: &str, one: &scenario::Diagnostic, span: (usize, usize)) -> Self {
        let line = one.line.unwrap_or(1);
        let place = if one.path.steps().is_empty() { String::new() } else { format!("{}: ", one.path) };
        Self {
            file: NamedSource::new(harmless(name), of_same_length(text)),
            message: harmless(&format!("{name}, line {line}: {place}{}", one.message)).into_owned(),
            span,
            help: one.help.as_deref().map(|help| harmless(help).into_owned()),
            code: one.clause.map(|clause| clause.to_string()),
            severity: one.severity,
        }
    }
}

/// The text of a file without what a terminal would obey, every byte of it at its place: findings are told by their bytes.
fn of_same_length(text: &str) -> String {
    let instead = |letter: char| match letter {
        '\n' | '\t' | '\r' => letter,
        _ if letter.is_control() => {
            if letter.len_utf8() == 1 {
                '?'
            } else {
                '¿'
            }
        }
        _ => letter,
    };
    text.chars().map(instead).collect()
}

impl Diagnostic for Fault {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.code.as_ref().map(|code| Box::new(code) as Box<dyn fmt::Display>)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.file)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (start, end) = self.span;
        let label = LabeledSpan::new(Some("here".into()), start, end.saturating_sub(start));
        Some(Box::new(std::iter::once(label)))
    }
}
