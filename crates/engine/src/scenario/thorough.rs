//! Everything that is wrong with a scenario in one pass.
//!
//! What is wrong in one place would hide what is wrong in the next: a file with a misspelt word is no scenario, and a scenario with
//! an unknown command is no battle. So what was told is mended or left out in a copy, and the copy is looked at again.
//! What only follows from leaving something out is not told.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::diagnostics::{Change, Diagnostic, Diagnostics, Path, Severity, Step};
use super::schema::{self, nearest};
use super::{Scenario, unlikely};
use crate::ruleset::Ruleset;

/// So often a copy is mended and looked at again: more layers than any book has.
const ROUNDS: usize = 12;

/// What was found, and as much of the battle as could be laid out.
pub(crate) struct Looked<R: Ruleset> {
    pub(crate) report: Diagnostics,
    pub(crate) battle: Option<R::Battle>,
    /// For each piece of ground of the battle its place in the file.
    pub(crate) ground: Vec<usize>,
}

/// Looks at a document until nothing new is found.
pub(crate) fn look<R: Ruleset>(document: &Json) -> Looked<R> {
    let mut told = Told { document, report: Diagnostics::new(), wrong: BTreeSet::new() };
    let mut copy = Copy::of(document);
    let shape = Scenario::<R::Body>::shape();
    for round in 0..ROUNDS {
        let schema = shape.schema.as_value();
        let mut found = shape.validate(&copy.json);
        let mut battle = None;
        if !found.has_errors() {
            battle = laid_out::<R>(&copy.json, &mut found);
        }
        told.add(&found, &copy);
        if battle.is_some() || !found.has_errors() {
            return Looked { report: told.report, battle, ground: copy.kept("ground") };
        }
        let errors = found.iter().filter(|one| one.severity == Severity::Error);
        let before = copy.json.clone();
        copy.mend(errors.cloned().collect(), schema, round);
        if copy.json == before {
            break;
        }
    }
    Looked { report: told.report, battle: None, ground: Vec::new() }
}

fn laid_out<R: Ruleset>(json: &Json, found: &mut Diagnostics) -> Option<R::Battle> {
    let scenario: Scenario<R::Body> = match serde_json::from_value(json.clone()) {
        Ok(scenario) => scenario,
        Err(error) => {
            found.error(Path::root(), error.to_string());
            return None;
        }
    };
    scenario.check(found);
    found.clean().ok()?;
    let battle = R::muster(&scenario, found)?;
    match R::check(&battle) {
        Ok(()) => {
            unlikely::warn(&R::view(&battle), json, found);
            Some(battle)
        }
        Err(broken) => {
            found.error(Path::root(), broken);
            None
        }
    }
}

/// What has been told so far.
struct Told<'a> {
    document: &'a Json,
    report: Diagnostics,
    /// The places of the errors, each told once however often it is met.
    wrong: BTreeSet<Path>,
}

impl Told<'_> {
    fn add(&mut self, found: &Diagnostics, copy: &Copy) {
        let before = self.wrong.clone();
        for one in found.iter() {
            let mut one = one.clone();
            if copy.changed && copy.follows(&one) {
                continue;
            }
            one.path = copy.original(&one.path);
            one.mend.iter_mut().for_each(|change| change.path = copy.original(&change.path));
            let again = before.iter().any(|path| one.path.steps().starts_with(path.steps()));
            if again || self.report.iter().any(|old| old.path == one.path && old.message == one.message) {
                continue;
            }
            suggest(&mut one, self.document);
            if one.severity == Severity::Error && !one.path.steps().is_empty() {
                self.wrong.insert(one.path.clone());
            }
            self.report.tell(one);
        }
    }
}

/// A word that is none of those listed, or a name that nothing in the file has: the nearest is what was probably meant.
fn suggest(one: &mut Diagnostic, document: &Json) {
    let Some(given) = one.path.of(document).and_then(Json::as_str) else { return };
    if !one.mend.is_empty() || one.severity != Severity::Error {
        return;
    }
    if let Some(change) = fresh_id(one, document) {
        one.help = change.to.as_ref().and_then(Json::as_str).map(|to| format!("`{to}` would do"));
        one.mend = vec![change];
        return;
    }
    let listed = one.help.as_deref().and_then(|help| help.strip_prefix("one of "));
    let meant = match listed {
        Some(listed) => nearest(given, listed.split(", ")).map(str::to_owned),
        None => {
            let names = names(document);
            if names.contains(given) { None } else { nearest(given, names.iter().copied()).map(str::to_owned) }
        }
    };
    if let Some(meant) = meant.filter(|meant| meant != given) {
        let rest = one.help.as_deref().map(|help| format!(" {help}")).unwrap_or_default();
        one.help = Some(format!("did you mean \"{meant}\"?{rest}"));
        one.mend = vec![Change { path: one.path.clone(), to: Some(meant.into()) }];
    }
}

/// An id that is no word, or that something else has as well, and one that would do in its place.
fn fresh_id(one: &Diagnostic, document: &Json) -> Option<Change> {
    let last = one.path.steps().last();
    if one.severity != Severity::Error || !matches!(last, Some(Step::Key(key)) if key == "id") {
        return None;
    }
    let word: String = one.path.of(document)?.as_str()?.split_whitespace().collect::<Vec<_>>().join("-");
    let word = word.trim_start_matches(['#', '@', '%', '~']);
    let word = if word.is_empty() { "unnamed" } else { word };
    let names = names(document);
    let free = (2..).map(|n| format!("{word}-{n}")).find(|name| !names.contains(name.as_str()))?;
    let to = if names.contains(word) { free } else { word.to_owned() };
    Some(Change { path: one.path.clone(), to: Some(to.into()) })
}

/// The ids of everything in the lists of a file.
fn names(document: &Json) -> BTreeSet<&str> {
    let lists = document.as_object().into_iter().flatten().filter_map(|(_, list)| list.as_array());
    lists.flatten().filter_map(|item| item.get("id")?.as_str()).collect()
}

/// A copy in which what was told is mended or left out.
struct Copy {
    json: Json,
    changed: bool,
    /// For each list that something was left out of, the places of what is left.
    left: BTreeMap<Path, Vec<usize>>,
    /// The ids of what was left out, and the names it spoke of: what is said of them may follow from it.
    doubtful: BTreeSet<String>,
}

impl Copy {
    fn of(document: &Json) -> Self {
        Self { json: document.clone(), changed: false, left: BTreeMap::new(), doubtful: BTreeSet::new() }
    }

    /// For each item of a list that is left its place in the document.
    fn kept(&self, list: &str) -> Vec<usize> {
        let length = self.json.get(list).and_then(Json::as_array).map_or(0, Vec::len);
        self.left.get(&Path::root().key(list)).cloned().unwrap_or_else(|| (0..length).collect())
    }

    /// The place in the document of a place in the copy.
    fn original(&self, path: &Path) -> Path {
        let mut steps = path.steps().to_vec();
        if let Some(n) = steps.iter().position(|step| matches!(step, Step::Item(_))) {
            let left = self.left.get(&Path::of_steps(&steps[..n]));
            if let (Some(left), Step::Item(item)) = (left, &mut steps[n]) {
                *item = left.get(*item).copied().unwrap_or(*item);
            }
        }
        Path::of_steps(&steps)
    }

    /// Whether a finding may come only of what was left out before.
    fn follows(&self, one: &Diagnostic) -> bool {
        let Some(item) = item_of(&one.path) else { return true };
        let names = item.of(&self.json).and_then(|item| item.get("id")).and_then(Json::as_str);
        let quoted =
            |word: &String| ['"', '\'', '`'].iter().any(|mark| one.message.contains(&format!("{mark}{word}{mark}")));
        names.is_some_and(|name| self.doubtful.contains(name)) || self.doubtful.iter().any(quoted)
    }

    fn mend(&mut self, errors: Vec<Diagnostic>, schema: &Json, round: usize) {
        self.changed = true;
        let mut out: BTreeSet<Path> = BTreeSet::new();
        for one in errors {
            let standing = one.path.of(&self.json).is_some();
            let shaped = schema::at(schema, &one.path);
            if !one.mend.is_empty() && one.mend.iter().all(|change| self.change(change)) {
                continue;
            }
            // With another id all else that is wrong with it is seen; what speaks of the one that was told of is not.
            if let Some(change) = fresh_id(&one, &self.json) {
                let given = one.path.of(&self.json).and_then(Json::as_str).map(str::to_owned);
                if self.change(&change) {
                    let gone = given.filter(|given| !names(&self.json).contains(given.as_str()));
                    self.doubtful.extend(gone);
                    continue;
                }
            }
            // A value of the right shape keeps the item in the file, and all that is said of it; once.
            let unshaped = one.clause.is_none() && round == 0;
            if let (true, Some(part)) = (unshaped, shaped) {
                self.doubtful.insert("?".into());
                let to = Some(schema::stand_in(schema, part));
                if self.change(&Change { path: one.path.clone(), to }) {
                    continue;
                }
            }
            if standing && item_of(&one.path).is_none() {
                self.change(&Change { path: one.path.clone(), to: None });
            } else if let Some(item) = item_of(&one.path) {
                out.insert(item);
            }
        }
        // From the back, so that the places of those before hold.
        for item in out.into_iter().rev() {
            self.leave_out(&item);
        }
    }

    fn change(&mut self, change: &Change) -> bool {
        let Some((last, above)) = change.path.steps().split_last() else { return false };
        let here = above.iter().try_fold(&mut self.json, |here, step| match step {
            Step::Key(key) => here.get_mut(key),
            Step::Item(n) => here.get_mut(n),
        });
        match (here, last, &change.to) {
            (Some(Json::Object(map)), Step::Key(key), Some(to)) => {
                map.insert(key.clone(), to.clone()).as_ref() != Some(to)
            }
            (Some(Json::Object(map)), Step::Key(key), None) => map.shift_remove(key).is_some(),
            (Some(Json::Array(list)), Step::Item(n), Some(to)) if *n < list.len() => {
                std::mem::replace(&mut list[*n], to.clone()) != *to
            }
            _ => false,
        }
    }

    fn leave_out(&mut self, item: &Path) {
        let Some((Step::Item(n), above)) = item.steps().split_last() else { return };
        let list = Path::of_steps(above);
        let here = above.iter().try_fold(&mut self.json, |here, step| match step {
            Step::Key(key) => here.get_mut(key),
            Step::Item(_) => None,
        });
        let Some(Json::Array(items)) = here else { return };
        let left = self.left.entry(list).or_insert_with(|| (0..items.len()).collect());
        if *n < items.len() && items.len() == left.len() {
            left.remove(*n);
            let gone = items.remove(*n);
            // What it is called, and those whom it names.
            let known = names(&self.json);
            let words = gone.as_object().into_iter().flatten().filter_map(|(key, value)| Some((key, value.as_str()?)));
            let own = |(key, word): &(&String, &str)| ["id", "name"].contains(&key.as_str()) || known.contains(word);
            let doubtful: Vec<String> = words.filter(own).map(|(_, word)| word.to_owned()).collect();
            self.doubtful.extend(doubtful);
        }
    }
}

/// The item of a list that a path leads into.
fn item_of(path: &Path) -> Option<Path> {
    let n = path.steps().iter().position(|step| matches!(step, Step::Item(_)))?;
    Some(Path::of_steps(&path.steps()[..=n]))
}
