//! Paper: booklets of scenarios, quick sheets of books, battles told afterwards; as pages for a browser, and as PDF where the
//! program was built with a press.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use sabretache_engine::playsheet::Playsheet;
use sabretache_engine::scenario::Document;
use sabretache_print::{HAS_PRESS, Marks, NotPrinted, Paper, quick_sheet};
use sabretache_story::{Terms, gather, page};
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;
use ts_rs::TS;

use crate::catalogue::Catalogue;
use crate::guard;
use crate::hall::blocking;
use crate::http::{App, Body, Refused, whole_log};

/// So many papers are made at a time; the rest wait.
static PRESSES: Semaphore = Semaphore::const_new(2);

/// The sheets of the books, by their short names: a book is asked once.
static SHEETS: Mutex<BTreeMap<String, Playsheet>> = Mutex::new(BTreeMap::new());

/// What this server can print.
#[derive(Clone, Copy, Debug, Serialize, TS)]
pub struct Presses {
    /// Whether it makes PDF; pages that a browser prints it always makes.
    pub pdf: bool,
}

/// A scenario to be printed.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ToPrint {
    /// Its text.
    pub text: String,
    /// As a PDF, and not as a page.
    pub pdf: bool,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/paper", get(async || Json(Presses { pdf: HAS_PRESS })))
        .route("/paper/booklet", post(booklet))
        .route("/rulesets/{name}/playsheet", get(playsheet))
        .route("/rulesets/{name}/playsheet.pdf", get(playsheet_pdf))
        .route("/scenarios/{name}/booklet.html", get(booklet_page))
        .route("/scenarios/{name}/booklet.pdf", get(booklet_pdf))
        .route("/battles/{id}/story.html", get(story_page))
        .route("/battles/{id}/story.pdf", get(story_pdf))
}

async fn playsheet(State(app): State<App>, Path(name): Path<String>) -> Result<Json<Playsheet>, Refused> {
    let catalogue = app.hall.catalogue.clone();
    blocking(move || sheet_of(&catalogue, &name)).await?.map(Json)
}

async fn playsheet_pdf(State(app): State<App>, Path(name): Path<String>) -> Result<Response, Refused> {
    let catalogue = app.hall.catalogue.clone();
    let file = format!("{name}.pdf");
    printed(&file, move || {
        let turn = serde_json::to_value(catalogue.turns.get(&name)).unwrap_or_default();
        let sheet = sheet_of(&catalogue, &name)?;
        let ruleset = catalogue.ruleset(&name);
        let ruleset = ruleset.ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "there is no such ruleset"))?;
        Ok(quick_sheet(ruleset.book(), &sheet, &turn))
    })
    .await
}

fn sheet_of(catalogue: &Catalogue, name: &str) -> Result<Playsheet, Refused> {
    let ruleset = catalogue.ruleset(name);
    let ruleset = ruleset.ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "there is no such ruleset"))?;
    let known = || SHEETS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(sheet) = known().get(name) {
        return Ok(sheet.clone());
    }
    let sheet = Playsheet::of(ruleset.book(), ruleset.situations(), catalogue.numbers(name));
    known().insert(name.to_owned(), sheet.clone());
    Ok(sheet)
}

async fn booklet(State(app): State<App>, Body(asked): Body<ToPrint>) -> Result<Response, Refused> {
    let catalogue = app.hall.catalogue.clone();
    if asked.pdf {
        return printed("battle.pdf", move || Ok(laid_out(&catalogue, asked.text)?.1)).await;
    }
    shown(move || Ok(laid_out(&catalogue, asked.text)?.0)).await
}

async fn booklet_page(State(app): State<App>, Path(name): Path<String>) -> Result<Response, Refused> {
    let catalogue = app.hall.catalogue.clone();
    shown(move || Ok(laid_out(&catalogue, text_of(&catalogue, &name)?)?.0)).await
}

async fn booklet_pdf(State(app): State<App>, Path(name): Path<String>) -> Result<Response, Refused> {
    let catalogue = app.hall.catalogue.clone();
    let file = format!("{name}.pdf");
    printed(&file, move || Ok(laid_out(&catalogue, text_of(&catalogue, &name)?)?.1)).await
}

fn text_of(catalogue: &Catalogue, name: &str) -> Result<String, Refused> {
    catalogue.text(name).ok_or_else(|| Refused::new(StatusCode::NOT_FOUND, "there is no such scenario"))
}

/// The booklet of a scenario, as a page and as a paper.
fn laid_out(catalogue: &Catalogue, text: String) -> Result<(String, Paper), Refused> {
    let wrong = |why: &str| Refused::new(StatusCode::UNPROCESSABLE_ENTITY, why);
    let document = Document::parse("scenario", text).map_err(|report| wrong(&report.to_string()))?;
    let name = document.json.get("ruleset").and_then(|name| name.as_str()).unwrap_or_default();
    let ruleset = catalogue.ruleset(name).ok_or_else(|| wrong("there is no such ruleset"))?;
    let sketch = ruleset.sketch(&document);
    if sketch.report.has_errors() {
        return Err(wrong(&sketch.report.to_string()));
    }
    let view = sketch.view.ok_or_else(|| wrong("there is no table to draw"))?;
    let terms = Terms::of(&document.json);
    let turn = serde_json::to_value(catalogue.turns.get(name)).unwrap_or_default();
    let paper = sabretache_print::booklet(&view, &terms, ruleset.book().title, &Marks::of(&turn));
    Ok((sabretache_story::booklet(&view, &terms), paper))
}

async fn story_page(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Result<Response, Refused> {
    let log = whole_log(&app, &id, &guard::secrets(&headers)).await?;
    let catalogue = app.hall.catalogue.clone();
    shown(move || told(&catalogue, &log).map(|told| page(&told.account, &told.maps, &told.turning, &told.film))).await
}

async fn story_pdf(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Result<Response, Refused> {
    let log = whole_log(&app, &id, &guard::secrets(&headers)).await?;
    let catalogue = app.hall.catalogue.clone();
    printed("battle.pdf", move || {
        told(&catalogue, &log).map(|told| sabretache_print::story(&told.account, &told.maps, &told.turning))
    })
    .await
}

fn told(catalogue: &Catalogue, log: &str) -> Result<sabretache_story::Gathered, Refused> {
    let wrong = |why: String| Refused::new(StatusCode::UNPROCESSABLE_ENTITY, why);
    let name = sabretache_engine::log::ruleset_of(log.as_bytes()).map_err(|error| wrong(error.to_string()))?;
    let ruleset = catalogue.ruleset(&name).ok_or_else(|| wrong("there is no such ruleset".to_owned()))?;
    let mut session = ruleset.resume(log.as_bytes()).map_err(|error| wrong(error.to_string()))?;
    gather(&mut *session).map_err(wrong)
}

/// A page for a browser; it fetches nothing and runs nothing.
async fn shown(make: impl FnOnce() -> Result<String, Refused> + Send + 'static) -> Result<Response, Refused> {
    let _turn = PRESSES.acquire().await;
    let page = blocking(make).await??;
    Ok(([(CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response())
}

/// A PDF of that name.
async fn printed(
    name: &str,
    make: impl FnOnce() -> Result<Paper, Refused> + Send + 'static,
) -> Result<Response, Refused> {
    if !HAS_PRESS {
        return Err(Refused::new(StatusCode::NOT_IMPLEMENTED, NotPrinted::NoPress.to_string()));
    }
    let _turn = PRESSES.acquire().await;
    let set = blocking(move || {
        let paper = make()?;
        sabretache_print::pdf(&paper).map_err(|error| Refused::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()))
    });
    let bytes = set.await??;
    let plain: String =
        name.chars().filter(|letter| letter.is_ascii_alphanumeric() || "-._".contains(*letter)).collect();
    let disposition = format!("inline; filename=\"{plain}\"");
    Ok(([(CONTENT_TYPE, "application/pdf".to_owned()), (CONTENT_DISPOSITION, disposition)], bytes).into_response())
}
