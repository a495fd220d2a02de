//! Fuzz target: reads any text as a FEN.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| catapult_rules_fuzz::fen(data));
