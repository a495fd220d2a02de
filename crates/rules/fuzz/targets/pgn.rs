//! Fuzz target: reads any bytes as a PGN file.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| catapult_rules_fuzz::pgn(data));
