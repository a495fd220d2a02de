//! What goes wrong: for whoever starts the server, and for whoever asks it.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;
use std::path::PathBuf;

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Others than this machine could ask, and nothing keeps them out.
    #[error("listening at {0} needs a token: only loopback without a proxy goes without")]
    NoToken(SocketAddr),
    /// The address is taken, not allowed, or not one of this machine.
    #[error("cannot listen at {0}: {1}")]
    Listen(SocketAddr, #[source] std::io::Error),
    /// No threads.
    #[error("cannot start: {0}")]
    Runtime(#[source] std::io::Error),
    /// The file of games.
    #[error("{path}: {reason}")]
    Games {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A token can't be made.
    #[error("no token: {0}")]
    Token(String),
    /// The built page is not what is expected of it.
    #[error("the page's {0} is not in this program: build it with `node web/build.mjs`")]
    Page(&'static str),
}

/// Why a request is not answered: a status, and a sentence for people.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub status: StatusCode,
    pub message: String,
}

/// An answer, or why there is none.
pub(crate) type Answer<T> = Result<T, Refusal>;

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Refusal {
        Refusal { status, message: message.into() }
    }

    /// What is asked for can't be understood.
    pub(crate) fn bad(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, message)
    }

    pub(crate) fn forbidden(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, message)
    }

    pub(crate) fn missing(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, message)
    }

    /// It does not fit to what has happened.
    pub(crate) fn conflict(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, message)
    }

    /// A bound is reached.
    pub(crate) fn busy(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// Nothing that whoever asks can change.
    pub(crate) fn fault(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(serde_json::json!({ "error": self.message }))).into_response()
    }
}
