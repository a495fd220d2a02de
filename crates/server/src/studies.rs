//! Serves the HTML reports of studies and of published studies (`experiments`).

use crate::App;
use crate::error::{Answer, Refusal};
use crate::folders::{Folder, inside};
use crate::watch::with_files;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

const REPORT: &str = "report.html";
/// Maximum size of a report in bytes.
const LONGEST: u64 = 64 << 20;

/// Content security policy of a report. A report contains its styles and images and no script. In
/// the sandbox, it has no access to this server.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'; sandbox";

#[derive(Serialize)]
struct Study {
    name: String,
    /// Time at which the report last changed, in seconds since 1970. 0 if unknown.
    changed: u64,
}

#[derive(Serialize)]
pub(crate) struct Studies {
    studies: Vec<Study>,
    experiments: Vec<Study>,
}

pub(crate) async fn list(State(app): State<Arc<App>>) -> Answer<Json<Studies>> {
    with_files(&app, |app| {
        let of = |folder: &Folder| {
            folder.with(REPORT).into_iter().map(|(name, place)| {
                let modified = place.join(REPORT).metadata().and_then(|metadata| metadata.modified()).ok();
                let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
                Study { name, changed: since.map_or(0, |since| since.as_secs()) }
            })
        };
        Ok(Json(Studies { studies: of(&app.studies).collect(), experiments: of(&app.experiments).collect() }))
    })
    .await
}

pub(crate) async fn report(State(app): State<Arc<App>>, Path(name): Path<String>) -> Answer<Response> {
    with_files(&app, move |app| read(&app.studies, &name)).await
}

pub(crate) async fn experiment(State(app): State<Arc<App>>, Path(name): Path<String>) -> Answer<Response> {
    with_files(&app, move |app| read(&app.experiments, &name)).await
}

fn read(folder: &Folder, name: &str) -> Answer<Response> {
    let missing = || Refusal::missing("there is no report of this name");
    let place = folder.find(name, REPORT).ok_or_else(missing)?;
    let file = inside(&place, &place.join(REPORT)).ok_or_else(missing)?;
    if file.metadata().map_or(u64::MAX, |metadata| metadata.len()) > LONGEST {
        return Err(Refusal::fault("the report is too large to be shown"));
    }
    let bytes = std::fs::read(&file).map_err(|_| Refusal::fault("the report can't be read"))?;
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, bytes).into_response())
}
