//! Fuzzes PGN files with any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| catapult_rules_fuzz::pgn(data));
