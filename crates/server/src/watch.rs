//! Lists, states and games of training runs, finished or in progress.

use crate::error::{Answer, Refusal};
use crate::replays::{ReplayPage, ReplayQuery, Replays};
use crate::runs::{Reader, Summary, summarize};
use crate::{App, live};
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch::{Receiver, Sender};

/// File that identifies a run's folder.
const CONFIG: &str = "config.toml";
/// Maximum number of concurrent requests that read runs, studies or shards. Further requests wait.
pub(crate) const FILE_WORK: usize = 4;
/// Maximum number of runs in the list.
const MOST_RUNS: usize = 500;

#[derive(Default)]
pub(crate) struct Watch {
    /// Senders of the watched runs' states, by the run's name. Each folder is polled once for all
    /// clients.
    watched: Mutex<HashMap<String, Sender<Arc<str>>>>,
    replays: Replays,
}

/// Runs `work`, which reads files, on a blocking thread. Waits if the limit on concurrent file work
/// is reached.
pub(crate) async fn with_files<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&App) -> Answer<T> + Send + 'static,
) -> Answer<T> {
    let turn = app.files.clone().acquire_owned().await.map_err(|error| Refusal::fault(error.to_string()))?;
    let app = app.clone();
    let done = tokio::task::spawn_blocking(move || {
        let done = work(&app);
        drop(turn);
        done
    });
    done.await.unwrap_or_else(|_| Err(Refusal::fault("something went wrong while files were read")))
}

fn reader(app: &App, name: &str) -> Answer<Reader> {
    let dir = app.runs.find(name, CONFIG);
    Ok(Reader::new(name.to_owned(), dir.ok_or_else(|| Refusal::missing("there is no run of this name"))?))
}

fn state(reader: &mut Reader) -> Arc<str> {
    // The structure has only string keys, so serialization cannot fail.
    serde_json::to_string(&reader.read()).unwrap_or_default().into()
}

pub(crate) async fn list(State(app): State<Arc<App>>) -> Answer<Json<Vec<Summary>>> {
    with_files(&app, |app| {
        let runs = app.runs.with(CONFIG).into_iter().take(MOST_RUNS);
        Ok(Json(runs.map(|(name, dir)| summarize(name, &dir)).collect()))
    })
    .await
}

pub(crate) async fn run(State(app): State<Arc<App>>, Path(name): Path<String>) -> Answer<Response> {
    let state = with_files(&app, move |app| Ok(state(&mut reader(app, &name)?))).await?;
    Ok(([(CONTENT_TYPE, "application/json")], state.to_string()).into_response())
}

pub(crate) async fn events(State(app): State<Arc<App>>, Path(name): Path<String>) -> Answer<Response> {
    let permit = live::permit(&app.streams)?;
    let begun =
        app.watch.watched.lock().unwrap_or_else(PoisonError::into_inner).get(&name).map(Sender::subscribe);
    let states = match begun {
        Some(states) => states,
        None => begin(&app, name).await?,
    };
    Ok(live::stream(states, permit))
}

/// Polls a run's folder in a new task until the last client disconnects. Returns the receiver of
/// the run's states.
async fn begin(app: &Arc<App>, name: String) -> Answer<Receiver<Arc<str>>> {
    let wanted = name.clone();
    let (mut reader, first) = with_files(app, move |app| {
        let mut reader = reader(app, &wanted)?;
        let first = state(&mut reader);
        Ok((reader, first))
    })
    .await?;
    let mut watched = app.watch.watched.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(begun) = watched.get(&name) {
        return Ok(begun.subscribe());
    }
    let sender = Sender::new(first);
    let states = sender.subscribe();
    watched.insert(name.clone(), sender.clone());
    drop(watched);
    let (app, look): (Arc<App>, Duration) = (app.clone(), app.limits.look);
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(look).await;
            {
                let mut watched = app.watch.watched.lock().unwrap_or_else(PoisonError::into_inner);
                if sender.receiver_count() == 0 {
                    watched.remove(&name);
                    return;
                }
            }
            let read = with_files(&app, move |_| {
                let state = state(&mut reader);
                Ok((reader, state))
            });
            let Ok((back, state)) = read.await else {
                app.watch.watched.lock().unwrap_or_else(PoisonError::into_inner).remove(&name);
                return;
            };
            reader = back;
            sender.send_if_modified(|now| {
                let differs = **now != *state;
                *now = state;
                differs
            });
        }
    });
    Ok(states)
}

pub(crate) async fn games(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    wanted: Result<Query<ReplayQuery>, QueryRejection>,
) -> Answer<Json<ReplayPage>> {
    let Query(wanted) = wanted.map_err(|rejection| Refusal::bad(rejection.body_text()))?;
    with_files(&app, move |app| {
        let run =
            app.runs.find(&name, CONFIG).ok_or_else(|| Refusal::missing("there is no run of this name"))?;
        app.watch.replays.find(&run, &wanted).map(Json)
    })
    .await
}
