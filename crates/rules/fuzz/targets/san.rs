//! Fuzz target: plays any words in algebraic notation.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| catapult_rules_fuzz::san(data));
