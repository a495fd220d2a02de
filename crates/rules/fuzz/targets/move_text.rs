//! Fuzz target: plays any words as move texts.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| catapult_rules_fuzz::move_text(data));
