//! Army lists on the bench: one order of battle, and what it is under each book.
//!
//! As with scenarios nothing is kept. The conversions are those of `sabretache army`; the server knows no more of a book than its name.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use sabretache_armies::SHIPPED;
use sabretache_engine::erased::Sketch;
use sabretache_engine::scenario::{Diagnostics, Document};

use super::edit;
use super::messages::{ArmyFile, ArmyLooked, ArmyPiece, Looked, UnderBook};
use crate::catalogue::Catalogue;
use crate::hall::blocking;
use crate::http::{App, Body, Refused};
use crate::messages::Problem;

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/workshop/armies", get(files).post(look))
        .route("/workshop/armies/{name}", get(file))
        .route("/workshop/army-of", post(of_scenario))
        .route("/workshop/army-schema", get(async || Json(sabretache_armies::schema())))
}

async fn files() -> Result<Json<Vec<ArmyFile>>, Refused> {
    let listed = || {
        let entry = |(name, text): &(&str, &str)| {
            let json = Document::parse(*name, *text).map(|document| document.json).unwrap_or_default();
            let word = |key: &str| json.get(key).and_then(|word| word.as_str()).unwrap_or_default().to_owned();
            ArmyFile { name: (*name).to_owned(), title: word("title"), date: word("date") }
        };
        SHIPPED.iter().map(entry).collect()
    };
    Ok(Json(blocking(listed).await?))
}

async fn file(Path(name): Path<String>) -> Result<Response, Refused> {
    let found = SHIPPED.iter().find(|(shipped, _)| *shipped == name);
    let (_, text) = found.ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "there is no such army list"))?;
    Ok(([(CONTENT_TYPE, "application/toml")], *text).into_response())
}

/// A scenario of any book as an army list, for the same battle under another.
async fn of_scenario(Body(asked): Body<Looked>) -> Result<Response, Refused> {
    let wrong = |diagnostics| {
        let problem = Problem { why: "no army list can be made of that".to_owned(), diagnostics };
        Refused::with(StatusCode::UNPROCESSABLE_ENTITY, problem)
    };
    let made = blocking(move || {
        let document = Document::parse("scenario", asked.text)?;
        sabretache_armies::from_scenario(&document.json)
    });
    let text = made.await?.map_err(wrong)?;
    Ok(([(CONTENT_TYPE, "application/toml")], text).into_response())
}

async fn look(State(app): State<App>, Body(asked): Body<ArmyLooked>) -> Result<Json<ArmyPiece>, Refused> {
    let catalogue = app.hall.catalogue.clone();
    blocking(move || looked(&catalogue, &asked)).await?.map(Json)
}

/// The list, and what each book makes of it; the table is drawn for one book, which is what takes time.
fn looked(catalogue: &Catalogue, asked: &ArmyLooked) -> Result<ArmyPiece, Refused> {
    let refused = |why| Refused::new(StatusCode::UNPROCESSABLE_ENTITY, why);
    let text = match asked.edits.as_slice() {
        [] => asked.text.clone(),
        edits => edit::edited(&asked.text, edits).map_err(refused)?,
    };
    let bare = |document, diagnostics| ArmyPiece { text: text.clone(), document, diagnostics, books: Vec::new() };
    let document = match Document::parse("list", text.clone()) {
        Ok(document) => document,
        Err(report) => return Ok(bare(serde_json::Value::Null, report)),
    };
    let list = match sabretache_armies::read(&document) {
        Ok(list) => list,
        Err(report) => return Ok(bare(document.json, report)),
    };
    let mut report = Diagnostics::new();
    let mut books = Vec::new();
    for book in sabretache_armies::BOOKS {
        let Some(ruleset) = catalogue.ruleset(book) else { continue };
        let text = match sabretache_armies::scenario(&list, book, &asked.name, &document) {
            Ok(text) => text,
            // A correction that finds nothing stands in the list, and is told there.
            Err(wrong) => {
                report.append(wrong);
                continue;
            }
        };
        let scenario = match Document::parse(book, text.clone()) {
            Ok(scenario) => scenario,
            Err(wrong) => {
                books.push(UnderBook { book: book.to_owned(), text, diagnostics: wrong, view: None, worth: [0; 2] });
                continue;
            }
        };
        let (diagnostics, view, worth) = if asked.book.as_deref() == Some(book) {
            let Sketch { report, view, worth, .. } = ruleset.sketch(&scenario);
            (report, view, worth)
        } else {
            (ruleset.check(&scenario), None, [0; 2])
        };
        books.push(UnderBook { book: book.to_owned(), text, diagnostics, view, worth });
    }
    Ok(ArmyPiece { text, document: document.json, diagnostics: report, books })
}
