//! Streams of server-sent events. Each event contains the whole latest state.

use crate::error::{Answer, Refusal};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch::Receiver;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Interval of keep-alive messages. Sending them detects clients that have disconnected.
const BREATH: Duration = Duration::from_secs(15);

/// Acquires a permit for an event stream.
///
/// # Errors
/// The limit on event streams is reached.
pub(crate) fn permit(streams: &Arc<Semaphore>) -> Answer<OwnedSemaphorePermit> {
    streams
        .clone()
        .try_acquire_owned()
        .map_err(|_| Refusal::busy("the server has reached its limit of streams; try again later"))
}

/// Returns a response that streams the current state and each later one. `kept`, such as the
/// stream's permit, is dropped when the stream ends.
pub(crate) fn stream<K: Send + 'static>(states: Receiver<Arc<str>>, kept: K) -> Response {
    let events = unfold((states, true, kept), async |(mut states, is_first, kept)| {
        if !is_first {
            states.changed().await.ok()?;
        }
        let data = states.borrow_and_update().clone();
        Some((Ok::<_, Infallible>(Event::default().data(&*data)), (states, false, kept)))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(BREATH)).into_response()
}
