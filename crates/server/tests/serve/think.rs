//! Tests of searches on the server.

use super::common::*;
use catapult_server::Limits;
use serde_json::{Value, json};
use std::io::Read;
use std::time::{Duration, Instant};

fn lines(reply: &Reply) -> Vec<Value> {
    assert_eq!(reply.status, 200, "{reply:?}");
    reply.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_mate_in_one_is_found_and_proven() {
    let (_dir, server) = server();
    let asked = json!({
        "network": "models/chesspp-quickstart", "variant": "chesspp", "nodes": 200,
        "start": "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 -/-",
    });
    let found = lines(&server.client().post("/api/think", &asked.to_string()));
    let last = found.last().unwrap();
    assert_eq!(last["ended"], true);
    let best = &last["found"]["lines"][0];
    assert_eq!((&best["moves"], &best["proven"]), (&json!(["a1a8"]), &json!(["win", 0])), "{best}");
    assert!(last["found"]["wdl"][0].as_f64().unwrap() > 0.9, "{last}");

    // The same engine continues with the position after some moves.
    let asked = json!({ "network": "models/chesspp-quickstart", "variant": "chesspp", "nodes": 50, "moves": ["e2e4"] });
    let found = lines(&server.client().post("/api/think", &asked.to_string()));
    assert!(found.last().unwrap()["found"]["simulations"].as_u64().unwrap() >= 50);
    let illegal = json!({ "network": "models/chesspp-quickstart", "variant": "chesspp", "moves": ["e2e5"] });
    let refused = server.client().post("/api/think", &illegal.to_string());
    assert_eq!((refused.status, refused.error().contains("e2e5")), (400, true), "{refused:?}");
    let wrong = json!({ "network": "models/chesspp-quickstart", "variant": "century", "nodes": 5 });
    let found = lines(&server.client().post("/api/think", &wrong.to_string()));
    assert!(found[0]["error"].as_str().unwrap().contains("not a network for this game"), "{found:?}");
    server.stop();
}

#[test]
fn searches_are_bounded_and_end_with_their_clients() {
    let (_dir, server) =
        server_with(|config| config.limits = Limits { searches: 1, ..config.limits.clone() });
    let client = server.client();
    let endless = json!({ "network": "models/chesspp-quickstart", "variant": "chesspp" }).to_string();
    let mut first = client.send("POST", "/api/think", Some(&endless));
    first.read_exact(&mut [0; 200]).unwrap();
    let full = client.post("/api/think", &endless);
    assert_eq!(full.status, 503, "{full:?}");
    assert!(full.error().contains("limit of 1 searches"));
    drop(first);
    let short =
        json!({ "network": "models/chesspp-quickstart", "variant": "chesspp", "nodes": 10 }).to_string();
    until("the place of a search whose client has gone", || client.post("/api/think", &short).status == 200);
    server.stop();
}

#[test]
fn a_search_has_a_longest_time() {
    let (_dir, server) = server_with(|config| {
        config.limits = Limits { search_time: Duration::from_millis(500), ..config.limits.clone() };
    });
    let endless = json!({ "network": "models/chesspp-quickstart", "variant": "chesspp" }).to_string();
    let began = Instant::now();
    let found = lines(&server.client().post("/api/think", &endless));
    assert_eq!(found.last().unwrap()["ended"], true);
    assert!(found.len() > 1 && began.elapsed() < Duration::from_secs(10), "{} lines", found.len());
    server.stop();
}

/// A search can use the newest network of a run.
#[test]
fn a_run_has_a_network() {
    let (dir, server) = server();
    let run = dir.path().join("runs/tiny");
    write(run.join("config.toml"), include_str!("../../../../configs/test/tiny.toml"));
    let client = server.client();
    assert_eq!(client.get("/api/hello").json()["networks"].as_array().unwrap().len(), 1);
    let asked = json!({ "network": "runs/tiny", "variant": "chesspp", "nodes": 10 }).to_string();
    assert!(client.post("/api/think", &asked).json()["error"].as_str().unwrap().contains("no run"));
    std::fs::create_dir_all(run.join("generation-0003")).unwrap();
    std::fs::write(run.join("generation-0003/network.safetensors"), NETWORKS[0].1).unwrap();
    let networks = client.get("/api/hello").json()["networks"].clone();
    assert_eq!(networks[1], json!({ "id": "runs/tiny", "variants": ["chesspp"] }));
    let found = || lines(&client.post("/api/think", &asked)).pop().unwrap()["found"].clone();
    let first = found();
    assert_eq!(first["simulations"], 10);

    // A run that is trained again under its name has another network at the same path.
    let models = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    std::fs::copy(models.join("rules-small.safetensors"), run.join("again")).unwrap();
    std::fs::rename(run.join("again"), run.join("generation-0003/network.safetensors")).unwrap();
    let priors = |found: &Value| -> Vec<f64> {
        let lines = found["lines"].as_array().unwrap();
        let mut priors: Vec<f64> = lines.iter().map(|line| line["prior"].as_f64().unwrap()).collect();
        priors.sort_by(f64::total_cmp);
        priors
    };
    assert_ne!(priors(&found()), priors(&first));
    server.stop();
}
