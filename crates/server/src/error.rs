//! Errors at startup, and error responses to requests.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;

/// Error that prevents the server from starting.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Other machines can reach the server at this address, and no token is configured.
    #[error("listening at {0} needs a token; only loopback addresses without a proxy work without one")]
    NoToken(SocketAddr),
    /// The address, the asynchronous runtime, the SQLite file of two-player games, the file of
    /// results, the system's random source or the embedded page cannot be used. The text says why.
    #[error("{0}")]
    Other(String),
}

/// Error response to a request: an HTTP status, and a message for people.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub status: StatusCode,
    pub message: String,
}

/// A response, or the error response to send instead.
pub(crate) type Answer<T> = Result<T, Refusal>;

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Refusal {
        Refusal { status, message: message.into() }
    }

    /// Creates an error response with status 400: the request is invalid.
    pub(crate) fn bad(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, message)
    }

    pub(crate) fn forbidden(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, message)
    }

    pub(crate) fn missing(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, message)
    }

    /// Creates an error response with status 409: the request contradicts the current state.
    pub(crate) fn conflict(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, message)
    }

    /// Creates an error response with status 503: a limit is reached.
    pub(crate) fn busy(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// Creates an error response with status 500: the server failed.
    pub(crate) fn fault(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(serde_json::json!({ "error": self.message }))).into_response()
    }
}
