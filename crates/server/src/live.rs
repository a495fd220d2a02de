//! Streams of what changes: server-sent events whose every event is the newest state.

use crate::App;
use crate::error::{Answer, Refusal};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch::Receiver;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How often something is sent where nothing changes, so that a client that has gone is noticed.
const BREATH: Duration = Duration::from_secs(15);

/// A place among the streams.
pub(crate) fn place(app: &App) -> Answer<OwnedSemaphorePermit> {
    let streams: Arc<Semaphore> = app.streams.clone();
    streams.try_acquire_owned().map_err(|_| Refusal::busy("all streams are taken; try again in a while"))
}

/// The states of something, as long as the client reads them; `kept` is held until then.
pub(crate) fn stream<K: Send + 'static>(
    states: Receiver<Arc<str>>,
    place: OwnedSemaphorePermit,
    kept: K,
) -> Response {
    let first = (states, true, (place, kept));
    let events = unfold(first, async |(mut states, is_first, kept)| {
        if !is_first {
            states.changed().await.ok()?;
        }
        let data = states.borrow_and_update().clone();
        Some((Ok::<_, Infallible>(Event::default().data(&*data)), (states, false, kept)))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(BREATH)).into_response()
}
