//! Runs the conformance suite on every variant, and compares Zobrist keys with those of positions
//! read back from their FENs.

use crate::common::random_rules;
use catapult_rules::{
    ChessPosition, ChessRules, Plain, Position, Proposals, Standard, Variant, conformance, with_variant,
};
use rand::seq::IndexedRandom;
use rand::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn all_variants_conform(games: usize, plies: usize) {
    let mut drawn = Pcg64Mcg::seed_from_u64(7);
    let random_sets = (0..16).map(|_| random_rules(&mut drawn));
    for (seed, variant) in Variant::all().chain(random_sets).enumerate() {
        let mut random = Pcg64Mcg::seed_from_u64(seed as u64);
        with_variant!(variant, |P, rules| conformance::check::<P>(rules, games, plies, || random.next_u32()));
    }
}

#[test]
fn every_variant_conforms() {
    all_variants_conform(1, 60);
}

#[test]
#[ignore = "long"]
fn every_variant_conforms_in_long_games() {
    all_variants_conform(3, 120);
}

fn keys_stay_right<R: ChessRules>(rules: R, random: &mut Pcg64Mcg) {
    for _ in 0..10 {
        let mut position = ChessPosition::start(rules);
        for _ in 0..300 {
            let read = ChessPosition::from_fen(&position.to_string(), rules).map(|read| read.key());
            assert_eq!(read, Ok(position.key()), "{position}");
            let moves = position.legal_moves();
            let Some(mv) = moves.choose(random) else { break };
            position.play(*mv);
        }
    }
}

#[test]
fn keys_equal_those_read_back() {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    keys_stay_right(Standard, &mut random);
    keys_stay_right(Plain, &mut random);
    let random_sets = (0..16).map(|seed| match random_rules(&mut Pcg64Mcg::seed_from_u64(seed)) {
        Variant::ChessPp(proposals) => proposals,
        other => panic!("{other}"),
    });
    for proposals in Proposals::all_sets().chain(random_sets) {
        keys_stay_right(proposals, &mut random);
    }
}

#[test]
fn positions_are_small() {
    assert!(size_of::<catapult_rules::Chess>() <= 48);
    assert!(size_of::<catapult_rules::ChessPp>() <= 72);
}
