//! Errors at startup, and error responses.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;
use std::path::PathBuf;

/// Error at startup.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The server can be reached by other machines and has no token.
    #[error("listening at {0} needs a token: only loopback without a proxy goes without")]
    NoToken(SocketAddr),
    /// The address is in use, not permitted, or not an address of this machine.
    #[error("cannot listen at {0}: {1}")]
    Listen(SocketAddr, #[source] std::io::Error),
    /// The runtime could not start.
    #[error("cannot start: {0}")]
    Runtime(#[source] std::io::Error),
    /// The games file cannot be used.
    #[error("{path}: {reason}")]
    Games {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// A token could not be generated.
    #[error("no token: {0}")]
    Token(String),
    /// The embedded page is missing a file.
    #[error("the page's {0} is not in this program: build it with `node web/build.mjs`")]
    Page(&'static str),
}

/// An error response: HTTP status and a message for people.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub status: StatusCode,
    pub message: String,
}

/// A response or an error response.
pub(crate) type Answer<T> = Result<T, Refusal>;

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Refusal {
        Refusal { status, message: message.into() }
    }

    /// 400: the request is invalid.
    pub(crate) fn bad(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, message)
    }

    pub(crate) fn forbidden(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, message)
    }

    pub(crate) fn missing(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, message)
    }

    /// 409: the request contradicts the current state.
    pub(crate) fn conflict(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, message)
    }

    /// 503: a limit is reached.
    pub(crate) fn busy(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// 500: an error that the client cannot fix.
    pub(crate) fn fault(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(serde_json::json!({ "error": self.message }))).into_response()
    }
}
