//! Measures the simulations per second of the web page's engine in a native build.
//!
//! Run it with `cargo run --release -p catapult-wasm --example rate`. `node web/test/rate.mjs`
//! measures the engine in a browser.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use catapult_wasm::Engine;
use std::time::Instant;

const SIMULATIONS: u32 = 3000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (game, file) in [
        ("chess", "rules-small"),
        ("chesspp", "rules-small"),
        ("century", "century-quickstart"),
        ("half", "half-strong"),
        ("maxim", "maxim-small"),
    ] {
        let path = format!("{}/../../models/{file}.safetensors", env!("CARGO_MANIFEST_DIR"));
        let mut engine = Engine::new(game, file, std::fs::read(path)?)?;
        let begun = Instant::now();
        engine.think("", "", &format!("{{\"nodes\": {SIMULATIONS}}}"), 0.0)?;
        while engine.step(0.0)? {}
        println!("{game:10} {:6.0} simulations/s", f64::from(SIMULATIONS) / begun.elapsed().as_secs_f64());
    }
    Ok(())
}
