//! Tests of the rules through the public interface.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod any;
mod any_rules;
mod captures;
mod century_definition;
mod century_rules;
mod chesspp_rules;
mod common;
mod conformance;
mod cozy_agrees;
mod definition;
mod definition_agrees;
mod half_definition;
mod half_reference;
mod half_rules;
mod maxim_definition;
mod maxim_reference;
mod maxim_rules;
mod options;
mod pgn;
mod proposals;
mod reference;
mod refusals;
mod replay;
mod san;
mod vectors;
