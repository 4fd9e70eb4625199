//! The browser client, embedded in the program.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../web/dist"]
#[allow_missing = true]
struct Client;

/// What is shown when the client was not built before the program.
const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Sabretache</title>\
<h1>The client is not built</h1><p>This program was built without its pages. In the folder <code>web</code> run \
<code>npm install --no-save &amp;&amp; npm run build</code>, then build the program again.</p></html>";

/// The addresses of the client begin so.
const PAGES: [&str; 11] =
    ["", "battle", "companion", "exercises", "friend", "join", "mine", "notices", "rules", "sheet", "workshop"];

/// A file of the client; its first page for every address that it knows, since the client finds its own way. Any other is not
/// there, and the page that comes with that answer says so.
pub(crate) async fn page(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    if let Some(file) = Client::get(path) {
        let kind = mime_guess::from_path(path).first_or_octet_stream();
        // The names of these files change with what is in them.
        let keep = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
        return ([(CONTENT_TYPE, kind.as_ref()), (CACHE_CONTROL, keep)], file.data).into_response();
    }
    if path.starts_with("assets/") || path.starts_with("api/") {
        return StatusCode::NOT_FOUND.into_response();
    }
    let html = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-cache")];
    let known = PAGES.contains(&path.split('/').next().unwrap_or_default());
    let status = if known { StatusCode::OK } else { StatusCode::NOT_FOUND };
    match Client::get("index.html") {
        Some(file) => (status, html, file.data).into_response(),
        None => (StatusCode::SERVICE_UNAVAILABLE, html, NOT_BUILT).into_response(),
    }
}
