//! Serves the web page and its networks, which are embedded in the binary.

use crate::error::{Answer, Refusal};
use crate::{App, Embedded, ServeError};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Page;

/// HTML element that this server adds to the page. It tells the page's script that `catapult serve`
/// sent the page. The static page lacks it.
const MARK: &str = "<meta name=\"catapult-server\" content=\"yes\">";

/// Script that the server sends instead of the static page's service worker. A browser may have
/// cached the static page for the same address. This script clears that cache, so the browser
/// requests the page from the server.
const SERVICE_WORKER: &str = "\
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil((async () => {
    for (const name of await caches.keys()) await caches.delete(name);
    await self.registration.unregister();
    for (const client of await self.clients.matchAll({ type: 'window' })) await client.navigate(client.url);
})()));
";

struct File {
    bytes: Cow<'static, [u8]>,
    kind: &'static str,
    etag: String,
}

/// Embedded files by path, without the leading `/`. A request's path is only looked up here and
/// never leads to the file system.
pub(crate) struct Assets(HashMap<String, File>);

impl Assets {
    pub(crate) fn new(networks: &[Embedded]) -> Result<Assets, ServeError> {
        let mut files = HashMap::new();
        let mut add = |path: &str, bytes: Cow<'static, [u8]>| {
            let etag = format!("\"{}\"", &blake3::hash(&bytes).to_hex()[..32]);
            files.insert(path.to_owned(), File { kind: kind(path), bytes, etag });
        };
        for name in Page::iter() {
            let Some(file) = Page::get(&name) else { continue };
            add(&name, file.data);
        }
        for (name, bytes) in networks {
            add(&format!("networks/{name}.safetensors"), Cow::Borrowed(*bytes));
        }
        let missing = "the page's index.html is not in this program: build it with `node web/build.mjs`";
        let missing = || ServeError::Other(missing.to_owned());
        let index = Page::get("index.html").ok_or_else(missing)?;
        let text = String::from_utf8_lossy(&index.data);
        let (head, rest) = text.split_once("<meta charset=\"utf-8\">").ok_or_else(missing)?;
        let marked = format!("{head}<meta charset=\"utf-8\">\n{MARK}{rest}").into_bytes();
        add("index.html", Cow::Owned(marked.clone()));
        add("", Cow::Owned(marked));
        add("sw.js", Cow::Borrowed(SERVICE_WORKER.as_bytes()));
        Ok(Assets(files))
    }
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") | None => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        Some("gz") => "application/gzip",
        _ => "application/octet-stream",
    }
}

pub(crate) async fn file(State(app): State<Arc<App>>, request: Request) -> Answer<Response> {
    let path = request.uri().path().trim_start_matches('/');
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "this can only be read"));
    }
    let missing = || Refusal::missing("there is nothing at this address");
    let file = app.assets.0.get(path).ok_or_else(missing)?;
    let known = request.headers().get(header::IF_NONE_MATCH).and_then(|etag| etag.to_str().ok());
    // A proxy that compresses the file makes its tag weak.
    let is_same = |one: &str| one.trim().trim_start_matches("W/") == file.etag;
    if known.is_some_and(|known| known.split(',').any(is_same)) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, file.etag.clone())]).into_response());
    }
    // Clients revalidate each time; an unchanged file gets a short 304 response.
    let body = match &file.bytes {
        Cow::Borrowed(bytes) => Body::from(*bytes),
        Cow::Owned(bytes) => Body::from(bytes.clone()),
    };
    let headers = [
        (header::CONTENT_TYPE, file.kind.to_owned()),
        (header::ETAG, file.etag.clone()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    Ok((headers, body).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_marked_once_and_whole() {
        let assets = Assets::new(&[("a", b"net")]).unwrap();
        let index = String::from_utf8(assets.0[""].bytes.to_vec()).unwrap();
        assert_eq!(index.matches(MARK).count(), 1);
        assert_eq!(index.replace(&format!("\n{MARK}"), ""), include_str!("../../../web/dist/index.html"));
        assert_eq!(&*assets.0["networks/a.safetensors"].bytes, b"net");
        // The static page's service worker caches; this one clears the cache.
        assert!(Page::get("sw.js").is_some() && &*assets.0["sw.js"].bytes == SERVICE_WORKER.as_bytes());
        assert_eq!(assets.0["app.js"].kind, "text/javascript; charset=utf-8");
    }
}
