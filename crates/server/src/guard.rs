//! Access control. Each request passes [`guard`] first, and each response passes it last.
//!
//! * `Host` must name this server, even on loopback. In a DNS rebinding attack, a foreign page's
//!   requests carry that page's name. IP addresses cannot be rebound, so any address of the server
//!   is accepted. A tunnel may have another port than the server, so any port is accepted.
//! * `Origin` must be this server's own. Browsers send it with every `POST`, so a `POST` without
//!   `Origin` is rejected.
//! * The browser exchanges the token, if one is configured, once for a cookie. Scripts cannot read
//!   the cookie, and requests from other sites do not carry it.
//! * A game's link is enough to access that game, without the token.

use crate::App;
use crate::error::{Answer, Refusal};
use crate::ids::{Digest, digest, new_id};
use axum::Json;
use axum::body::Body;
use axum::extract::{FromRequest, Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use subtle::ConstantTimeEq;

/// Request header with a game's link. The link is therefore not part of any URL.
pub const LINK_HEADER: &str = "x-catapult-link";

/// Maximum number of login sessions. A further login ends the oldest session.
const MOST_SESSIONS: usize = 256;
/// Lifetime of a login session.
const SESSION: Duration = Duration::from_secs(30 * 24 * 3600);
/// Delay before the response to a wrong token, to slow down guessing.
const WRONG_TOKEN: Duration = Duration::from_millis(500);

/// Content security policy of the page. It permits only the server's own files and WebAssembly.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; \
     connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers added to every response.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

pub(crate) struct Guard {
    address: SocketAddr,
    hosts: Vec<String>,
    token: Option<Digest>,
    /// Creation times of login sessions, by the digest of the session's cookie.
    sessions: Mutex<HashMap<Digest, Instant>>,
}

impl Guard {
    pub(crate) fn new(address: SocketAddr, hosts: Vec<String>, token: Option<&str>) -> Guard {
        Guard {
            address,
            hosts: hosts.into_iter().map(|host| host.to_ascii_lowercase()).collect(),
            token: token.map(digest),
            sessions: Mutex::default(),
        }
    }

    pub(crate) fn needs_token(&self) -> bool {
        self.token.is_some()
    }

    /// Returns true if no token is configured or the request has the cookie of a valid session.
    pub(crate) fn is_signed_in(&self, headers: &HeaderMap) -> bool {
        if self.token.is_none() {
            return true;
        }
        let Some(value) = self.cookie(headers) else { return false };
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        // The lookup is by digest, so its duration reveals nothing about the cookie.
        sessions.get(&digest(value)).is_some_and(|made| made.elapsed() < SESSION)
    }

    /// Returns the name of the session cookie. Browsers send a cookie to all ports of a host. The
    /// port in the name keeps two servers on one machine apart.
    fn cookie_name(&self) -> String {
        format!("catapult-{}", self.address.port())
    }

    fn cookie<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let name = self.cookie_name();
        let all = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        let mut pairs = all.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    fn new_session(&self) -> Answer<String> {
        let id = new_id()?;
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.retain(|_, made| made.elapsed() < SESSION);
        if sessions.len() >= MOST_SESSIONS
            && let Some(oldest) = sessions.iter().min_by_key(|(_, made)| **made).map(|(id, _)| *id)
        {
            sessions.remove(&oldest);
        }
        sessions.insert(digest(&id), Instant::now());
        Ok(id)
    }

    /// Returns true if `host` is the name of a configured proxy.
    fn is_proxy(&self, host: &str) -> bool {
        self.hosts.iter().any(|own| own == host)
    }

    /// Returns true if `host` (lower case, with port) names a configured proxy, or this server at
    /// any port.
    fn is_own_host(&self, host: &str) -> bool {
        if self.is_proxy(host) {
            return true;
        }
        let name = match host.rsplit_once(':') {
            // A bracketed IPv6 address contains colons itself.
            Some((name, port)) if !port.ends_with(']') => name,
            _ => host,
        };
        let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        match address.parse::<IpAddr>() {
            Ok(address) => address.is_loopback() || !self.address.ip().is_loopback(),
            Err(_) => name == "localhost",
        }
    }

    fn is_own_origin(&self, origin: &str, host: &str) -> bool {
        let origin = origin.to_ascii_lowercase();
        origin == format!("http://{host}") || (self.is_proxy(host) && origin == format!("https://{host}"))
    }

    fn check(&self, request: &Request) -> Answer<()> {
        let headers = request.headers();
        let mut hosts = headers.get_all(header::HOST).into_iter();
        let host = match (hosts.next().and_then(|host| host.to_str().ok()), hosts.next()) {
            (Some(host), None) => host.to_ascii_lowercase(),
            _ => return Err(Refusal::bad("the request has no single Host")),
        };
        if !self.is_own_host(&host) || request.uri().authority().is_some() {
            let message = "the request's Host is not this server; a proxy's name is given with --host";
            return Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, message));
        }
        let origins = headers.get_all(header::ORIGIN);
        let mut own =
            origins.iter().map(|origin| origin.to_str().is_ok_and(|it| self.is_own_origin(it, &host)));
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        if !own.all(|own| own) || (!reads && origins.iter().next().is_none()) {
            return Err(Refusal::forbidden(
                "the request comes from another site: its Origin is not this server",
            ));
        }
        let path = request.uri().path();
        let is_api = path.starts_with("/api/");
        let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
        if is_api && !matches!(site, None | Some("same-origin" | "none")) {
            return Err(Refusal::forbidden("the request comes from another site"));
        }
        if !is_open(path) && !self.is_signed_in(headers) {
            return Err(Refusal::new(StatusCode::UNAUTHORIZED, "this needs the server's token"));
        }
        Ok(())
    }
}

/// Returns true for paths that need no token: the page, `hello`, login, sending results of games,
/// and requests with a game's link.
fn is_open(path: &str) -> bool {
    match path.strip_prefix("/api/") {
        Some(route) => matches!(route, "hello" | "login" | "results" | "game") || route.starts_with("game/"),
        None => !path.starts_with("/studies/") && !path.starts_with("/experiments/"),
    }
}

/// Checks a request, passes it on within the time limit, and adds headers to the response.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = match app.guard.check(&request) {
        Ok(()) => match tokio::time::timeout(app.limits.answer_time, next.run(request)).await {
            Ok(response) => response,
            Err(_) => Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request took too long").into_response(),
        },
        Err(refusal) => refusal.into_response(),
    };
    let response_headers = response.headers_mut();
    for (name, value) in HEADERS {
        response_headers.insert(name, HeaderValue::from_static(value));
    }
    if is_api {
        response_headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    let policy = HeaderValue::from_static(PAGE_POLICY);
    response_headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(policy);
    response
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Login {
    token: String,
}

/// Starts a login session: returns a cookie if the request contains the token.
pub(crate) async fn login(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    JsonBody(login): JsonBody<Login>,
) -> Answer<Response> {
    let Some(token) = app.guard.token else { return Ok(StatusCode::NO_CONTENT.into_response()) };
    if !bool::from(digest(&login.token).ct_eq(&token)) {
        tokio::time::sleep(WRONG_TOKEN).await;
        return Err(Refusal::forbidden("this is not the server's token"));
    }
    let id = app.guard.new_session()?;
    // Behind a TLS proxy the cookie is sent only over TLS.
    let origin = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
    let secure = if origin.is_some_and(|origin| origin.starts_with("https:")) { "; Secure" } else { "" };
    let name = app.guard.cookie_name();
    let age = SESSION.as_secs();
    let cookie = format!("{name}={id}; HttpOnly; SameSite=Strict; Path=/; Max-Age={age}{secure}");
    let response = Response::builder().status(StatusCode::NO_CONTENT).header(header::SET_COOKIE, cookie);
    response.body(Body::empty()).map_err(|error| Refusal::fault(error.to_string()))
}

/// Parsed JSON body of a request. If the body is invalid, the server returns an error response that
/// describes the problem.
pub(crate) struct JsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Answer<JsonBody<T>> {
        match <Json<T> as FromRequest<S>>::from_request(request, state).await {
            Ok(Json(value)) => Ok(JsonBody(value)),
            Err(rejection) => Err(Refusal::new(rejection.status(), rejection.body_text())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str) -> Guard {
        Guard::new(address.parse().unwrap(), vec!["Chess.example.org".to_owned()], None)
    }

    #[test]
    fn hosts_that_reach_this_server() {
        let local = guard("127.0.0.1:8080");
        for own in
            ["127.0.0.1:8080", "localhost:9000", "localhost", "[::1]:8080", "[::1]", "chess.example.org"]
        {
            assert!(local.is_own_host(own), "{own}");
        }
        for other in [
            "evil.example:8080",
            "192.168.1.5:8080",
            "localhost.evil.example:8080",
            "chess.example.org:8080",
            "[::1",
            ":8080",
            "",
            "127.0.0.1:8080:8080",
        ] {
            assert!(!local.is_own_host(other), "{other}");
        }
        let open = guard("0.0.0.0:8080");
        assert!(open.is_own_host("192.168.1.5:8080") && open.is_own_host("[fe80::1]:8080"));
        assert!(!open.is_own_host("evil.example:8080"));
    }

    #[test]
    fn origins_of_this_server() {
        let local = guard("127.0.0.1:8080");
        assert!(local.is_own_origin("http://localhost:8080", "localhost:8080"));
        assert!(local.is_own_origin("https://chess.example.org", "chess.example.org"));
        for (origin, host) in [
            ("https://localhost:8080", "localhost:8080"),
            ("http://127.0.0.1:8080", "localhost:8080"),
            ("null", "localhost:8080"),
            ("http://localhost:8081", "localhost:8080"),
        ] {
            assert!(!local.is_own_origin(origin, host), "{origin}");
        }
    }

    #[test]
    fn what_a_token_keeps_closed() {
        for open in
            ["/", "/app.js", "/networks/x", "/api/hello", "/api/login", "/api/game", "/api/game/moves"]
        {
            assert!(is_open(open), "{open}");
        }
        for closed in
            ["/api/games", "/api/think", "/api/runs", "/api/runs/x/events", "/studies/x/report.html"]
        {
            assert!(!is_open(closed), "{closed}");
        }
    }
}
