//! Exercises for people: a position on the table, a choice by hand, and then what a good player would have chosen, and why.
//!
//! A position is a battle like any other. The answers stay here until somebody has chosen.

use std::path::{Path as FilePath, PathBuf};
use std::sync::OnceLock;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use sabretache_engine::erased::{AnyRuleset, AnySession};
use sabretache_engine::ids::Side;
use sabretache_engine::log::DiceSource;
use sabretache_engine::offer::Value;
use sabretache_engine::protocol::{Reply, Request};
use sabretache_engine::scenario::{Document, Measure};
use sabretache_engine::session::Seat;
use sabretache_players::exercise::{Exercise, read_exercises};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::examples::Examples;
use crate::hall::{Hall, HallError, blocking};
use crate::http::{App, Body, Refused, permit};
use crate::messages::BattleMade;
use crate::secret;
use crate::watch::Caller;

/// An exercise, without its answer.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ExerciseEntry {
    /// What it is asked for by.
    pub name: String,
    /// The short name of its ruleset.
    pub ruleset: String,
    /// What is to be seen.
    pub title: String,
    /// What it is an exercise in: `flank`, `square`.
    pub theme: String,
    /// Fit for somebody's first evening.
    pub beginner: bool,
}

/// Which exercise to lay out.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct NewExercise {
    /// The exercise.
    pub name: String,
}

/// An exercise that lies on the table.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ExerciseMade {
    /// The battle.
    pub battle: BattleMade,
    /// The exercise.
    pub entry: ExerciseEntry,
    /// Who has to choose.
    pub side: Side,
}

/// What somebody has chosen.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Tried {
    /// The exercise.
    pub name: String,
    /// The offer, by its key.
    pub offer: String,
    /// Its input.
    pub value: Value,
}

/// What is to be thought of it.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Judged {
    /// A good player would choose so.
    pub well: bool,
    /// He never would.
    pub avoided: bool,
    /// Why, in a line.
    pub why: String,
    /// What he would choose, a few of it; nothing where anything but what is to be avoided will do.
    pub answers: Vec<AnswerView>,
}

/// A choice that a good player would make.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct AnswerView {
    /// The offer, by its key.
    pub offer: String,
    /// In words.
    pub label: String,
    /// Its input, where it matters.
    pub value: Option<Value>,
}

/// So many answers are told.
const MOST_ANSWERS: usize = 3;

/// All exercises of the program, read when the first is asked for.
#[derive(Default)]
pub(crate) struct Exercises(OnceLock<Vec<Found>>);

struct Found {
    /// The file and its place in it: `exercises/huzzah/flank.toml:3`.
    name: String,
    folder: PathBuf,
    exercise: Exercise,
}

impl Found {
    fn entry(&self) -> ExerciseEntry {
        let Exercise { title, theme, ruleset, beginner, .. } = &self.exercise;
        let (title, ruleset) = (title.clone(), ruleset.clone());
        ExerciseEntry { name: self.name.clone(), ruleset, title, theme: theme.word().to_owned(), beginner: *beginner }
    }
}

impl Exercises {
    fn all(&self, files: &Examples) -> &[Found] {
        self.0.get_or_init(|| {
            let mut all = Vec::new();
            for (path, text) in files.files() {
                let folder = FilePath::new(path).parent().map(FilePath::to_owned).unwrap_or_default();
                let read = if text.contains("[[exercise]]") { read_exercises(path, text).ok() } else { None };
                for (n, exercise) in read.into_iter().flatten().enumerate() {
                    all.push(Found { name: format!("{path}:{}", n + 1), folder: folder.clone(), exercise });
                }
            }
            all
        })
    }
}

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/exercises", get(list).post(lay_out)).route("/exercises/judge", post(judge))
}

async fn list(State(app): State<App>) -> Result<Json<Vec<ExerciseEntry>>, Refused> {
    let hall = app.hall.clone();
    let entries = blocking(move || hall.exercises.all(&hall.examples).iter().map(Found::entry).collect::<Vec<_>>());
    let mut entries = entries.await?;
    entries.retain(|entry| app.hall.catalogue.ruleset(&entry.ruleset).is_some());
    Ok(Json(entries))
}

async fn lay_out(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Body(new): Body<NewExercise>,
) -> Result<(StatusCode, Json<ExerciseMade>), Refused> {
    permit(&app, &caller)?;
    let (hall, seed) = (app.hall.clone(), secret::seed().map_err(HallError::from)?);
    let laid = blocking(move || {
        let (found, ruleset) = find(&hall, &new.name)?;
        let session = position(&hall, found, ruleset)?;
        let side = session.deciding().ok_or("nobody decides in this position")?;
        let branch = session.branch(session.now(), Some(DiceSource::Seeded(seed)));
        let (_, log) = branch.map_err(|declined| declined.to_string())?;
        Ok::<_, String>((found.entry(), side, log))
    });
    let (entry, side, log) = laid.await?.map_err(HallError::unusable)?;
    let battle = app.hall.lay_exercise(&entry, side, &log).await?;
    Ok((StatusCode::CREATED, Json(ExerciseMade { battle, entry, side })))
}

async fn judge(State(app): State<App>, Body(tried): Body<Tried>) -> Result<Json<Judged>, Refused> {
    let hall = app.hall.clone();
    let judged = blocking(move || {
        let (found, ruleset) = find(&hall, &tried.name)?;
        let mut session = position(&hall, found, ruleset)?;
        Ok::<_, String>(judged(&found.exercise, &mut *session, &tried))
    });
    Ok(Json(judged.await?.map_err(HallError::unusable)?))
}

/// What is to be thought of a choice in a position.
fn judged(exercise: &Exercise, session: &mut dyn AnySession, tried: &Tried) -> Judged {
    let measure = match session.answer(Seat::Umpire, &Request::View { moment: None }) {
        Reply::View { view, .. } => view.setting.measure,
        _ => Measure::Cm,
    };
    let judgement = exercise.judge(&tried.offer, &tried.value, measure);
    let offers = session.decision(false).offers;
    let answers = offers.iter().filter_map(|offer| {
        let value = exercise.answer(&offer.key, &offer.input, measure)?;
        Some(AnswerView { offer: offer.key.clone(), label: offer.label.clone(), value })
    });
    let answers = answers.take(MOST_ANSWERS).collect();
    Judged { well: judgement.well, avoided: judgement.avoided, why: exercise.why.clone(), answers }
}

fn find<'a>(hall: &'a Hall, name: &str) -> Result<(&'a Found, &'static dyn AnyRuleset), String> {
    let found = hall.exercises.all(&hall.examples).iter().find(|found| found.name == name);
    let found = found.ok_or("there is no such exercise")?;
    let ruleset = hall.catalogue.ruleset(&found.exercise.ruleset);
    Ok((found, ruleset.ok_or("there is no such ruleset here")?))
}

/// The battle of an exercise, when it is to be chosen.
fn position(hall: &Hall, found: &Found, ruleset: &dyn AnyRuleset) -> Result<Box<dyn AnySession>, String> {
    let drill = found.exercise.way_there();
    let document = match (&drill.scenario, &drill.position) {
        (Some(file), _) => {
            let text = hall.examples.text(&found.folder, file);
            let text = text.ok_or_else(|| format!("there is no position '{file}'"))?;
            Document::parse(file.clone(), text).map_err(|report| report.to_string())?
        }
        (None, Some(position)) => Document::of_json(drill.title.clone(), position.clone()),
        (None, None) => return Err("this exercise has no table".into()),
    };
    let example = ruleset.example(&drill, document)?;
    if let Some(refusal) = example.refused {
        return Err(refusal.sentence);
    }
    ruleset.resume(example.log.as_bytes()).map_err(|error| error.to_string())
}
