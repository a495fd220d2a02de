//! Acceptance of connections, with limits on their number and on the time that clients take.

use crate::Limits;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

/// Response to a connection beyond the limit. It is sent only if it fits into the socket's buffer.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\ncontent-length: 76\r\nconnection: close\r\n\r\n{\"error\":\"the server has reached its limit of connections; try again later\"}";

/// Accepts connections until the future is dropped, and serves each one in its own task.
pub(crate) async fn accept(listener: TcpListener, router: Router, limits: Limits) {
    let places = Arc::new(Semaphore::new(limits.connections));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Usually too many open files; a short pause lets some close.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let Ok(place) = places.clone().try_acquire_owned() else {
            let _ = stream.try_write(FULL);
            continue;
        };
        let (router, limits) = (router.clone(), limits.clone());
        tokio::spawn(async move {
            connection(stream, router, &limits).await;
            drop(place);
        });
    }
}

/// Serves the requests of one connection until it is closed or a time limit is exceeded.
async fn connection(stream: TcpStream, router: Router, limits: &Limits) {
    // Responses are small and the client waits for them.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.write_time));
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .max_buf_size(limits.header.max(8192))
        .max_headers(64);
    // An error affects only the client's own connection.
    let _ = builder.serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(router)).await;
}
