//! Measures the simulations per second of the web page's engine in a native build.
//!
//! Run it with `cargo run --release -p catapult-wasm --example rate`. `node web/test/rate.mjs`
//! measures the engine in a browser. `-- chesspp=NAME` measures the network
//! `models/NAME.safetensors`.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use catapult_wasm::Engine;
use std::time::Instant;

const SIMULATIONS: u32 = 3000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut pairs: Vec<String> = std::env::args().skip(1).collect();
    if pairs.is_empty() {
        pairs = [
            "chess=all-rules",
            "chesspp=all-rules",
            "century=century-long",
            "half=half-longer",
            "maxim=maxim-long",
        ]
        .map(str::to_owned)
        .into();
    }
    for pair in pairs {
        let (game, file) = pair.split_once('=').ok_or_else(|| format!("{pair}: expected GAME=NAME"))?;
        let path = format!("{}/../../models/{file}.safetensors", env!("CARGO_MANIFEST_DIR"));
        let mut engine = Engine::new(game, file, std::fs::read(path)?)?;
        let begun = Instant::now();
        engine.think("", "", &format!("{{\"nodes\": {SIMULATIONS}}}"), 0.0)?;
        while engine.step(0.0)? {}
        println!("{game:10} {:6.0} simulations/s", f64::from(SIMULATIONS) / begun.elapsed().as_secs_f64());
    }
    Ok(())
}
