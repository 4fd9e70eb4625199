//! The workshop: a scenario as a text that is edited, checked and drawn.
//!
//! Nothing is kept: the text lives in the browser. Each request brings the whole of it with the edits to be made, and the answer is
//! the text as edited, all that is wrong with it, and as much of the table as can be laid out.

mod armies;
mod edit;
mod messages;
mod templates;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use sabretache_engine::erased::Sketch;
use sabretache_engine::scenario::{Diagnostics, Document, Path as Place};

use crate::bounds;
use crate::catalogue::Catalogue;
use crate::hall::blocking;
use crate::http::{App, Body, Refused};

pub use messages::{
    ArmyFile, ArmyLooked, ArmyPiece, BookTools, Edit, Looked, Template, UnderBook, WorkFile, Workpiece,
};

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/workshop/files", get(files))
        .route("/workshop/files/{name}", get(file))
        .route("/workshop/books/{name}", get(tools))
        .route("/workshop/look", post(look))
        .merge(armies::routes())
}

async fn files(State(app): State<App>) -> Result<Json<Vec<WorkFile>>, Refused> {
    let catalogue = app.hall.catalogue.clone();
    Ok(Json(blocking(move || all_files(&catalogue)).await?))
}

fn all_files(catalogue: &Catalogue) -> Vec<WorkFile> {
    let shipped = catalogue.scenarios.iter().filter(|entry| !catalogue.is_own(&entry.name)).map(|entry| WorkFile {
        name: entry.name.clone(),
        title: entry.title.clone(),
        ruleset: entry.ruleset.clone(),
        own: false,
    });
    let own = catalogue.own_texts().into_iter().map(|(name, text)| {
        let json = Document::parse(name.clone(), text).map(|document| document.json).unwrap_or_default();
        let word = |key: &str| json.get(key).and_then(|word| word.as_str()).map(str::to_owned);
        let title = word("title").unwrap_or_else(|| name.clone());
        WorkFile { title, ruleset: word("ruleset").unwrap_or_default(), name, own: true }
    });
    let mut all: Vec<WorkFile> = shipped.collect();
    all.extend(own);
    all
}

async fn file(State(app): State<App>, Path(name): Path<String>) -> Result<Response, Refused> {
    let catalogue = app.hall.catalogue.clone();
    let text = blocking(move || catalogue.text(&name)).await?;
    let text = text.ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "there is no such scenario"))?;
    Ok(([(CONTENT_TYPE, "application/toml")], text).into_response())
}

async fn tools(State(app): State<App>, Path(name): Path<String>) -> Result<Json<BookTools>, Refused> {
    let catalogue = app.hall.catalogue.clone();
    let found = blocking(move || {
        let ruleset = catalogue.ruleset(&name)?;
        let bench = catalogue.bench(&name)?.clone();
        let templates = templates::of(&catalogue, &name, &bench);
        Some(BookTools { schema: ruleset.schema().to_value(), blank: bench.blank.to_owned(), templates, bench })
    });
    found.await?.map(Json).ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "that book has no workshop"))
}

async fn look(State(app): State<App>, Body(asked): Body<Looked>) -> Result<Json<Workpiece>, Refused> {
    let catalogue = app.hall.catalogue.clone();
    blocking(move || worked(&catalogue, asked)).await?.map(Json)
}

fn worked(catalogue: &Catalogue, asked: Looked) -> Result<Workpiece, Refused> {
    bounds::of_text(&asked.text).map_err(|why| Refused::new(StatusCode::UNPROCESSABLE_ENTITY, why))?;
    let text = if asked.edits.is_empty() {
        asked.text
    } else {
        let refused = |why| Refused::new(StatusCode::UNPROCESSABLE_ENTITY, why);
        edit::edited(&asked.text, &asked.edits).map_err(refused)?
    };
    let bare = |text: String, report: Diagnostics| Workpiece {
        text,
        document: serde_json::Value::Null,
        diagnostics: report,
        view: None,
        ground: Vec::new(),
        worth: [0; 2],
    };
    let document = match Document::parse("scenario", text.clone()) {
        Ok(document) => document,
        Err(report) => return Ok(bare(text, report)),
    };
    if let Err(why) = bounds::of_text(&text).and_then(|()| bounds::of_scenario(&document.json)) {
        let report = Diagnostics::single(Place::root(), why);
        return Ok(Workpiece { document: document.json, ..bare(text, report) });
    }
    let name = document.json.get("ruleset").and_then(|name| name.as_str()).unwrap_or_default();
    let Some(ruleset) = catalogue.ruleset(name) else {
        let names: Vec<&str> = catalogue.rulesets.iter().map(|one| one.book().name).collect();
        let mut report = Diagnostics::new();
        let says = format!("there is no ruleset \"{name}\"");
        report.error_with_help(Place::root().key("ruleset"), says, format!("one of {}", names.join(", ")));
        document.place(&mut report);
        return Ok(Workpiece { document: document.json, ..bare(text, report) });
    };
    let Sketch { report, view, ground, worth } = ruleset.sketch(&document);
    Ok(Workpiece { text, document: document.json, diagnostics: report, view, ground, worth })
}
