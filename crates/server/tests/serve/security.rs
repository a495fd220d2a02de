//! Tests of access control and resource limits.

use super::common::*;
use catapult_server::{Limits, ServeError, serve};
use std::io::{Read, Write};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The server rejects DNS rebinding: the attacker's host name resolves to this machine, and the
/// browser sends that name in `Host`.
#[test]
fn dns_rebinding_is_refused() {
    let (_dir, server) = server();
    let port = server.address.port();
    for path in ["/", "/api/hello", "/api/runs", "/app.js"] {
        for host in ["evil.example", &format!("evil.example:{port}"), "192.168.0.7", "a, b"] {
            let reply = server.client().with("host", host).get(path);
            assert_eq!(reply.status, 421, "{host} {path}: {reply:?}");
        }
        // A tunnel may have another port.
        for host in [format!("localhost:{port}"), "localhost:9".to_owned(), "127.0.0.1".to_owned()] {
            assert_eq!(server.client().with("host", &host).get(path).status, 200, "{host} {path}");
        }
    }
    let without = raw(server.address, b"GET /api/hello HTTP/1.1\r\nconnection: close\r\n\r\n");
    assert_eq!(without.status, 400, "{without:?}");
    let twice = format!(
        "GET / HTTP/1.1\r\nconnection: close\r\nhost: {0}\r\nhost: evil.example\r\n\r\n",
        server.address
    );
    assert_eq!(raw(server.address, twice.as_bytes()).status, 400);
    let absolute =
        format!("GET http://evil.example/ HTTP/1.1\r\nconnection: close\r\nhost: {}\r\n\r\n", server.address);
    assert_eq!(raw(server.address, absolute.as_bytes()).status, 421);
    server.stop();
}

/// The server rejects requests that a form or script on another site sends.
#[test]
fn cross_site_requests_are_refused() {
    let (_dir, server) = server();
    let game = r#"{"variant":"chess"}"#;
    let own = format!("http://{}", server.address);
    for origin in
        ["http://evil.example", "null", "-", "https://127.0.0.1", &format!("{own}.evil.example"), ""]
    {
        let reply = server.client().with("origin", origin).post("/api/games", game);
        assert_eq!(reply.status, 403, "{origin:?}: {reply:?}");
    }
    assert_eq!(server.client().with("origin", &own).post("/api/games", game).status, 200);
    // A form cannot send JSON, and the server rejects other content types.
    let form = format!(
        "POST /api/games HTTP/1.1\r\nconnection: close\r\nhost: {0}\r\norigin: http://{0}\r\ncontent-type: text/plain\r\ncontent-length: {1}\r\n\r\n{game}",
        server.address,
        game.len()
    );
    assert_eq!(raw(server.address, form.as_bytes()).status, 415);
    for site in ["cross-site", "same-site"] {
        assert_eq!(server.client().with("sec-fetch-site", site).get("/api/runs").status, 403, "{site}");
    }
    // A link on another site may lead to the page.
    assert_eq!(server.client().with("sec-fetch-site", "cross-site").get("/").status, 200);
    assert_eq!(server.client().with("sec-fetch-site", "same-origin").get("/api/runs").status, 200);
    assert_eq!(server.client().with("origin", "http://evil.example").get("/api/runs").status, 403);
    server.stop();
}

#[test]
fn others_than_loopback_need_a_token() {
    let dir = tempfile::tempdir().unwrap();
    let mut open = config(dir.path());
    open.listen = "0.0.0.0:0".parse().unwrap();
    let refused = serve(open, &AtomicBool::new(true), |_| panic!("it serves"));
    assert!(matches!(refused, Err(ServeError::NoToken(_))), "{refused:?}");
    let mut proxy = config(dir.path());
    proxy.hosts = vec!["chess.example.org".to_owned()];
    assert!(matches!(
        serve(proxy, &AtomicBool::new(true), |_| panic!("it serves")),
        Err(ServeError::NoToken(_))
    ));
}

const TOKEN: &str = "correct-horse-battery-staple";

#[test]
fn the_token_is_exchanged_for_a_cookie() {
    let (dir, server) = server_with(|config| config.token = Some(TOKEN.to_owned()));
    write(dir.path().join("studies/one/report.html"), "<p>secret report</p>");
    let client = server.client();
    for path in [
        "/api/runs",
        "/api/runs/x",
        "/api/runs/x/events",
        "/api/runs/x/games",
        "/api/studies",
        "/studies/one/report.html",
    ] {
        let reply = client.get(path);
        assert_eq!((reply.status, reply.body.contains("secret")), (401, false), "{path}");
    }
    for path in ["/api/games", "/api/think"] {
        assert_eq!(client.post(path, "{}").status, 401, "{path}");
    }
    // The page itself is public and learns that the server requires a token.
    assert_eq!(client.get("/").status, 200);
    let hello = client.get("/api/hello").json();
    assert_eq!((hello["token"].as_bool(), hello["signed_in"].as_bool()), (Some(true), Some(false)));
    assert_eq!(hello["networks"].as_array().unwrap().len(), 0);

    let long = format!("{TOKEN}!");
    for wrong in ["", "correct", &TOKEN[..TOKEN.len() - 1], &*long, "CORRECT-horse-battery-staple"] {
        let reply = client.post("/api/login", &serde_json::json!({ "token": wrong }).to_string());
        assert_eq!((reply.status, reply.header("set-cookie")), (403, ""), "{wrong}");
    }
    // A token in the URL grants no access.
    assert_eq!(client.get(&format!("/api/runs?token={TOKEN}")).status, 401);

    let login = client.post("/api/login", &serde_json::json!({ "token": TOKEN }).to_string());
    let cookie = login.header("set-cookie").to_owned();
    assert_eq!(login.status, 204, "{login:?}");
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.split("; ").any(|one| one == part), "{cookie}");
    }
    let pair = cookie.split(';').next().unwrap();
    let (name, value) = pair.split_once('=').unwrap();
    assert!(!login.body.contains(TOKEN) && !cookie.contains(TOKEN) && value.len() >= 22, "{cookie}");
    let signed_in = client.clone().with("cookie", &format!("other=1; {pair}"));
    assert_eq!(signed_in.get("/api/runs").status, 200);
    assert_eq!(signed_in.get("/studies/one/report.html").status, 200);
    let networks = signed_in.get("/api/hello").json()["networks"].clone();
    assert_eq!(networks, serde_json::json!([{ "id": "models/chesspp-quickstart", "variants": ["chesspp"] }]));
    let again = client.post("/api/login", &serde_json::json!({ "token": TOKEN }).to_string());
    assert_ne!(again.header("set-cookie"), cookie, "each browser has a cookie of its own");
    for guess in ["", TOKEN, "a", &value[..value.len() - 1]] {
        assert_eq!(client.clone().with("cookie", &format!("{name}={guess}")).get("/api/runs").status, 401);
    }

    // A game's link needs no token.
    let links = begin(&signed_in, "chesspp", "");
    assert_eq!(make_move(&client, &links.white, 0, "e2e4").status, 200);
    assert_eq!(moves(&client, &links.watch), ["e2e4"]);
    server.stop();
}

#[test]
fn every_answer_has_its_headers() {
    let (dir, server) = server();
    write(
        dir.path().join("studies/one/report.html"),
        "<style>p{}</style><p style='x'>report</p><script>alert(1)</script>",
    );
    for path in [
        "/",
        "/app.js",
        "/api/hello",
        "/api/none",
        "/none",
        "/studies/one/report.html",
        "/networks/chesspp-quickstart.safetensors",
    ] {
        let reply = server.client().get(path);
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(reply.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(reply.header("x-frame-options"), "DENY", "{path}");
        let policy = reply.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
        let is_report = path.starts_with("/studies");
        assert_eq!(policy.contains("unsafe-inline"), is_report, "{path}: {policy}");
        assert_eq!(policy.split("; ").any(|part| part.trim() == "sandbox"), is_report, "{path}: {policy}");
        assert!(
            !policy.contains("'unsafe-eval'") && policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
    }
    let page = server.client().get("/").body;
    assert!(page.contains("catapult-server"));
    assert!(!page.contains("<style") && !page.contains(" style=") && !page.contains("javascript:"), "{page}");
    assert!(
        page.match_indices("<script")
            .all(|(at, _)| page[at..].starts_with("<script src=\"app.js\" type=\"module\"></script>"))
    );
    let etag = server.client().get("/app.js").header("etag").to_owned();
    for known in [&etag, &format!("\"other\", W/{etag}")] {
        assert_eq!(server.client().with("if-none-match", known).get("/app.js").status, 304, "{known}");
    }
    server.stop();
}

#[test]
fn nothing_outside_the_folders_is_read() {
    let (dir, server) = server();
    let root = dir.path();
    write(root.join("secret/report.html"), "secret");
    write(root.join("secret/config.toml"), "secret = 1");
    write(root.join("report.html"), "secret");
    write(root.join("studies/one/report.html"), "public");
    write(root.join("runs/one/config.toml"), "name = \"one\"\n");
    std::fs::create_dir_all(root.join("studies/inner")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(root.join("secret"), root.join("studies/link")).unwrap();
        symlink(root.join("secret"), root.join("runs/link")).unwrap();
        symlink(root.join("secret/report.html"), root.join("studies/inner/report.html")).unwrap();
        // A generation that links out of its run.
        symlink(root.join("secret"), root.join("runs/one/generation-0000")).unwrap();
        std::fs::create_dir_all(root.join("secret/games")).unwrap();
    }
    let absolute = root.join("secret").to_str().unwrap().replace('/', "%2f");
    let names = [
        "..",
        "%2e%2e",
        "..%2fsecret",
        "%2e%2e%2fsecret",
        "one%2f..%2f..%2fsecret",
        ".",
        "%2e",
        "link",
        "inner",
        "..%5csecret",
        "%00",
        "one%00",
        "secret",
        "%252e%252e%252fsecret",
        &*absolute,
        "%c0%ae%c0%ae",
    ];
    let client = server.client();
    for name in names {
        for path in [
            format!("/studies/{name}/report.html"),
            format!("/experiments/{name}/report.html"),
            format!("/api/runs/{name}"),
            format!("/api/runs/{name}/games"),
            format!("/api/runs/{name}/events"),
        ] {
            let reply = client.get(&path);
            assert!(matches!(reply.status, 400 | 404), "{path}: {reply:?}");
            assert!(!reply.body.contains("secret"), "{path}: {reply:?}");
        }
    }
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/networks/../../secret/report.html",
        "//etc/passwd",
        "/%2fetc%2fpasswd",
        "/networks/%2e%2e/x",
    ] {
        let reply = client.get(path);
        assert_eq!(reply.status, 404, "{path}: {reply:?}");
    }
    assert_eq!(client.get("/studies/one/report.html").body, "public");
    assert_eq!(client.get("/api/runs/one/games?generation=0").json()["games"].as_array().unwrap().len(), 0);
    let network = r#"{"network":"runs/../secret","variant":"chess"}"#;
    assert!(client.post("/api/think", network).body.contains("no run of this name"));
    server.stop();
}

/// Hostile input is returned only within JSON, which browsers do not render as a page.
#[test]
fn hostile_texts_stay_texts() {
    let (dir, server) = server();
    let name = "<img src=x onerror=alert(1)>";
    write(dir.path().join("runs").join(name).join("config.toml"), "name = \"<script>\"\n");
    let client = server.client();
    let list = client.get("/api/runs");
    assert_eq!(
        (list.header("content-type"), list.json()[0]["name"].as_str()),
        ("application/json", Some(name))
    );
    let game =
        serde_json::json!({ "variant": "chess", "fen": "<script>alert(1)</script> w - - 0 1" }).to_string();
    let reply = client.post("/api/games", &game);
    assert_eq!(reply.status, 400);
    assert!(reply.error().contains("FEN"), "{reply:?}");
    let variant = serde_json::json!({ "variant": "<b>" }).to_string();
    assert_eq!(client.post("/api/games", &variant).status, 400);
    assert!(client.post("/api/games", &variant).error().contains("variant"));
    server.stop();
}

#[test]
fn garbage_is_refused_with_a_sentence_and_ends_nothing() {
    let (_dir, server) = server();
    let client = server.client();
    let links = begin(&client, "maxim", "");
    let bodies = [
        "",
        "null",
        "[]",
        "{",
        "\"x\"",
        "{}",
        r#"{"variant":null}"#,
        r#"{"variant":"chess","fen":5}"#,
        r#"{"ply":-1,"move":"e2e4"}"#,
        r#"{"ply":99999999999999999999,"move":"e2e4"}"#,
        r#"{"ply":0,"move":"\u0000"}"#,
        r#"{"ply":0,"move":"ééééééééééééééééééééééé"}"#,
        r#"{"variant":"chess","fen":"8/8/8/8/8/8/8/8 w - - 0 1"}"#,
        r#"{"variant":"chess","more":1}"#,
        r#"{"token":1}"#,
        r#"{"network":"models/none","variant":"chess"}"#,
        r#"{"network":"","variant":"chess","nodes":0}"#,
        r#"{"network":"models/chesspp-quickstart","variant":"chess","moves":["e2e5"]}"#,
        r#"{"network":"models/chesspp-quickstart","variant":"chesspp","ms":4000000000}"#,
        r#"{"network":"models/chesspp-quickstart","variant":"half","nodes":5}"#,
        r#"{"network":"models/chesspp-quickstart","variant":"chesspp","noise":1e39}"#,
    ];
    for path in [
        "/api/games",
        "/api/game/moves",
        "/api/game/join",
        "/api/game/offer",
        "/api/game/resign",
        "/api/login",
        "/api/think",
    ] {
        for body in bodies {
            // A body that resigns is a valid request, and so is a login without a configured token.
            let seat = if path.ends_with("moves") { &links.white } else { "x" };
            let reply = client.clone().link(seat).post(path, body);
            if path == "/api/think" && reply.status == 200 {
                assert!(reply.json()["error"].is_string(), "{body}: {reply:?}");
                continue;
            }
            assert!(
                (400..500).contains(&reply.status) || (path == "/api/login" && reply.status == 204),
                "{path} {body}: {reply:?}"
            );
        }
    }
    for query in ["generation=x", "winner=%3Cb%3E", "count=-1", "longest=99999999999999999999", "none=1"] {
        let reply = client.get(&format!("/api/runs/none/games?{query}"));
        assert!((400..500).contains(&reply.status) && !reply.error().is_empty(), "{query}: {reply:?}");
    }
    for method in ["PUT", "DELETE", "TRACE", "CONNECT", "PATCH", "OPTIONS"] {
        let text = format!(
            "{method} /api/games HTTP/1.1\r\nhost: {0}\r\norigin: http://{0}\r\nconnection: close\r\n\r\n",
            server.address
        );
        assert!((400..500).contains(&raw(server.address, text.as_bytes()).status), "{method}");
    }
    for bytes in
        [&b"\x16\x03\x01\x02\x00\x01"[..], b"GET\r\n\r\n", b"\0\0\0\0\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"]
    {
        let mut stream = connect(server.address);
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
    }
    assert_eq!(moves(&client, &links.white), Vec::<String>::new());
    server.stop();
}

#[test]
fn requests_are_bounded() {
    let (_dir, server) = server_with(|config| {
        config.limits = Limits {
            header_time: Duration::from_secs(1),
            answer_time: Duration::from_secs(2),
            ..config.limits.clone()
        };
    });
    let client = server.client();
    let long = serde_json::json!({ "variant": "chess", "fen": "x".repeat(100_000) }).to_string();
    assert_eq!(client.post("/api/games", &long).status, 413);
    let fen = serde_json::json!({ "variant": "chess", "fen": "x".repeat(600) }).to_string();
    assert!(client.post("/api/games", &fen).error().contains("500 characters"));
    let header = client.clone().with("x-long", &"x".repeat(40_000)).get("/");
    assert_eq!(header.status, 431, "{header:?}");
    // An endless header, a silent connection, a finished connection, and a missing body.
    let head = format!("GET / HTTP/1.1\r\nhost: {}\r\n", server.address);
    let post = format!(
        "POST /api/games HTTP/1.1\r\nhost: {0}\r\norigin: http://{0}\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{{",
        server.address
    );
    for bytes in [head.clone(), String::new(), head + "\r\n", post] {
        let began = Instant::now();
        let mut stream = connect(server.address);
        stream.write_all(bytes.as_bytes()).unwrap();
        stream.read_to_end(&mut Vec::new()).expect("the server closes it");
        assert!(began.elapsed() < Duration::from_secs(30), "{bytes}");
    }
    server.stop();
}

#[test]
fn connections_streams_and_games_are_bounded() {
    let (_dir, server) = server_with(|config| {
        config.limits = Limits {
            connections: 12,
            streams: 2,
            open_games: 3,
            header_time: Duration::from_secs(60),
            ..config.limits.clone()
        };
    });
    let client = server.client();
    let links: Vec<Links> = (0..3).map(|_| begin(&client, "chess", "")).collect();
    let fourth = client.post("/api/games", r#"{"variant":"chess"}"#);
    assert_eq!(fourth.status, 503, "{fourth:?}");
    assert!(fourth.error().contains("3 open games"));
    // A finished game frees its slot.
    assert_eq!(client.clone().link(&links[0].white).post("/api/game/resign", "{}").status, 200);
    begin(&client, "chess", "");

    let watch = client.clone().link(&links[1].watch);
    let mut streams: Vec<_> = (0..2).map(|_| watch.events("/api/game/events")).collect();
    for stream in &mut streams {
        stream.next().unwrap();
    }
    assert_eq!(watch.get("/api/game/events").status, 503);
    drop(streams);
    until("a stream's place", || {
        let reply = watch.send("GET", "/api/game/events", None);
        let mut first = [0; 12];
        (&reply).read_exact(&mut first).is_ok() && &first == b"HTTP/1.1 200"
    });

    // Earlier connections may still hold a permit, so each of the twelve proves by its response
    // that it has one.
    let request = format!("GET /api/hello HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    let mut held = Vec::new();
    until("twelve connections", || {
        let mut stream = connect(server.address);
        stream.write_all(request.as_bytes()).unwrap();
        let mut first = [0; 12];
        if stream.read_exact(&mut first).is_ok() && &first == b"HTTP/1.1 200" {
            held.push(stream);
        }
        held.len() == 12
    });
    let refused = raw(server.address, b"");
    assert_eq!(refused.status, 503, "{refused:?}");
    assert!(refused.error().contains("connections"));
    drop(held);
    until("a connection's place", || client.get("/api/hello").status == 200);
    server.stop();
}

/// The server disconnects a client that requests more than fits into its socket and reads nothing.
#[test]
fn who_does_not_read_is_cut_off() {
    let (_dir, server) = server_with(|config| {
        let patience = Duration::from_secs(60);
        config.limits = Limits {
            connections: 1,
            write_time: Duration::from_secs(2),
            header_time: patience,
            ..config.limits.clone()
        };
    });
    let mut deaf = connect(server.address);
    let get =
        format!("GET /networks/chesspp-quickstart.safetensors HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    deaf.write_all(get.repeat(100).as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(server.client().get("/api/hello").status, 503, "its place is taken");
    until("its place", || server.client().get("/api/hello").status == 200);
    drop(deaf);
    server.stop();
}
