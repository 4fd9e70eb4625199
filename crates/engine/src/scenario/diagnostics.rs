//! What is wrong with a file or message: where, what, and how to mend it.

use std::fmt;

use serde::Serialize;

use crate::clause::Clause;

/// Where in a file something is: keys and numbers of items, from the top.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path(Vec<Step>);

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Into the value of a key.
    Key(String),
    /// Into an item of a list, counted from 0.
    Item(usize),
}

impl Path {
    /// The whole file.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// Further to the value of a key.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.0.push(Step::Key(key.into()));
        self
    }

    /// Further to an item of a list.
    #[must_use]
    pub fn item(mut self, n: usize) -> Self {
        self.0.push(Step::Item(n));
        self
    }

    /// The path of a JSON pointer such as `/units/3/formation`, read along a document.
    #[must_use]
    pub fn of_pointer(pointer: &str, document: &serde_json::Value) -> Self {
        let mut path = Self::root();
        let mut here = Some(document);
        for step in pointer.split('/').skip(1) {
            let step = step.replace("~1", "/").replace("~0", "~");
            match (here, step.parse::<usize>()) {
                (Some(serde_json::Value::Array(items)), Ok(n)) => {
                    here = items.get(n);
                    path = path.item(n);
                }
                _ => {
                    here = here.and_then(|value| value.get(&step));
                    path = path.key(step);
                }
            }
        }
        path
    }

    /// The steps.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// The path of these steps.
    #[must_use]
    pub fn of_steps(steps: &[Step]) -> Self {
        Self(steps.to_vec())
    }

    /// The value that a document has there.
    #[must_use]
    pub fn of<'a>(&self, document: &'a serde_json::Value) -> Option<&'a serde_json::Value> {
        self.0.iter().try_fold(document, |here, step| match step {
            Step::Key(key) => here.get(key),
            Step::Item(n) => here.get(n),
        })
    }

    /// Reads a path as it is written: `units[3].at[0]`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut path = Self::root();
        for part in text.split('.').filter(|part| !part.is_empty()) {
            let (key, items) = part.split_at(part.find('[').unwrap_or(part.len()));
            if !key.is_empty() {
                path = path.key(key);
            }
            for item in items.split('[').skip(1) {
                path = path.item(item.strip_suffix(']')?.parse().ok()?);
            }
        }
        Some(path)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if n == 0 => write!(f, "{key}")?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Item(item) => write!(f, "[{item}]")?,
            }
        }
        Ok(())
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It cannot be used like this.
    Error,
    /// It can, but it is unusual.
    Warning,
}

/// One change of a file: a value put in place of what is there, or taken away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Where.
    #[serde(serialize_with = "as_text")]
    pub path: Path,
    /// What stands there then; nothing to take it away.
    pub to: Option<serde_json::Value>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// How bad.
    pub severity: Severity,
    /// Where.
    #[serde(serialize_with = "as_text")]
    pub path: Path,
    /// What.
    pub message: String,
    /// How to mend it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// What mends it, where there is one remedy: all of these changes together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mend: Vec<Change>,
    /// The clause it contradicts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<Clause>,
    /// The bytes of the file that it is about, where a file was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<(usize, usize)>,
    /// The line, counted from 1, where a file was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

fn as_text<S: serde::Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(path)
}

/// All that is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Diagnostics {
    all: Vec<Diagnostic>,
    /// How many were found beyond those that are told one by one.
    #[serde(skip)]
    more: usize,
}

impl Diagnostics {
    /// So many findings are told one by one: more than anybody mends at a sitting, and an answer of bounded size.
    pub const MOST: usize = 200;

    /// Nothing wrong so far.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One error.
    pub fn single(path: Path, message: impl Into<String>) -> Self {
        let mut report = Self::new();
        report.error(path, message);
        report
    }

    /// Adds an error.
    pub fn error(&mut self, path: Path, message: impl Into<String>) {
        self.push(Severity::Error, path, message.into(), None, None);
    }

    /// Adds an error with a way to mend it.
    pub fn error_with_help(&mut self, path: Path, message: impl Into<String>, help: impl Into<String>) {
        self.push(Severity::Error, path, message.into(), Some(help.into()), None);
    }

    /// Adds an error because a clause says otherwise.
    pub fn against(&mut self, clause: Clause, path: Path, message: impl Into<String>, help: impl Into<String>) {
        // What contradicts a clause is decided by it here.
        crate::mark::ran(clause);
        self.push(Severity::Error, path, message.into(), Some(help.into()), Some(clause));
    }

    /// Adds a warning about something unusual.
    pub fn unusual(&mut self, clause: Option<Clause>, path: Path, message: impl Into<String>) {
        self.push(Severity::Warning, path, message.into(), None, clause);
    }

    fn push(&mut self, severity: Severity, path: Path, message: String, help: Option<String>, clause: Option<Clause>) {
        self.add(Diagnostic { severity, path, message, help, mend: Vec::new(), clause, span: None, line: None });
    }

    /// Adds a finding that was made elsewhere.
    pub(crate) fn tell(&mut self, found: Diagnostic) {
        self.add(found);
    }

    /// Beyond [`Self::MOST`] findings only their number is told, in the last of them.
    fn add(&mut self, found: Diagnostic) {
        if self.all.len() < Self::MOST {
            self.all.push(found);
            return;
        }
        self.more += 1;
        if self.more == 1 {
            self.all.push(Diagnostic { path: Path::root(), help: None, mend: Vec::new(), clause: None, ..found });
        }
        if let Some(last) = self.all.last_mut() {
            last.message = format!("and {} more: mend these first", self.more);
        }
    }

    /// Adds all of another report.
    pub fn append(&mut self, other: Self) {
        other.all.into_iter().for_each(|found| self.add(found));
    }

    /// Whether as much is wrong as is told one by one: what looks for more of it may stop.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.more > 0
    }

    /// Everything, in the order in which it was found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.all.iter()
    }

    /// Everything, to be completed with places in a file.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Diagnostic> {
        self.all.iter_mut()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is nothing to report at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether there is an error and not only warnings.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.all.iter().any(|one| one.severity == Severity::Error)
    }

    /// An error if there are errors.
    pub fn clean(&self) -> Result<(), Self> {
        if self.has_errors() { Err(self.clone()) } else { Ok(()) }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, one) in self.all.iter().enumerate() {
            if n > 0 {
                f.write_str("\n")?;
            }
            if let Some(line) = one.line {
                write!(f, "line {line}: ")?;
            }
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
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_so_many_findings_only_their_number_is_told() {
        let mut report = Diagnostics::new();
        (0..Diagnostics::MOST).for_each(|n| report.error(Path::root().key("units").item(n), "it is wrong"));
        assert!(report.len() == Diagnostics::MOST && !report.is_full());
        (0..800).for_each(|_| report.error(Path::root(), "it is wrong"));
        assert!(report.len() == Diagnostics::MOST + 1 && report.is_full());
        assert_eq!(report.iter().last().map(|last| last.message.as_str()), Some("and 800 more: mend these first"));
    }
}
