//! Checks that the scores and moves of the frozen anchors equal the recorded ones on a hundred
//! positions.
//!
//! A difference means that the anchors have changed. The change needs a new `ANCHOR_VERSION` and
//! new files. This command writes them, with the positions of the existing ones:
//! `UPDATE_EXPECT=1 cargo test -p catapult-arena --test arena golden`

use catapult_arena::{ANCHOR_VERSION, AlphaBeta, Anchor, Turn, contender};
use catapult_encoding::Encode;
use catapult_network::Device;
use catapult_rules::{Game, Variant, with_variant};
use expect_test::expect_file;
use serde::{Deserialize, Serialize};

/// Name in the file, depth in turns and quiescence of each tested anchor.
const ANCHORS: [(&str, u32, bool); 3] = [("1", 1, false), ("2", 2, false), ("1q", 1, true)];

#[derive(Serialize, Deserialize)]
struct Line {
    version: u32,
    variant: Variant,
    fen: String,
    /// Per anchor: name, score, number of best moves, and the text of the chosen move. The seed of
    /// the choice is the line's index.
    says: Vec<(String, i32, usize, String)>,
}

fn lines() -> Vec<Line> {
    let text = include_str!("../data/anchors.jsonl");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn say<P: Anchor>(rules: P::Rules, fen: &str, seed: u64) -> Vec<(String, i32, usize, String)> {
    let game = Game::new(P::from_fen(fen, rules).unwrap());
    ANCHORS
        .iter()
        .map(|&(name, depth, quiescence)| {
            let analysis = AlphaBeta::new(depth, quiescence).analyse(&game);
            let mv = analysis.choose(seed).expect("the position has moves");
            (name.to_owned(), analysis.score, analysis.best.len(), game.position().move_text(mv))
        })
        .collect()
}

/// Returns the move that the selective anchor chooses with a thousand nodes.
fn selective<P: Anchor + Encode>(variant: Variant, rules: P::Rules, fen: &str) -> String {
    let player = "alphabeta:material:1000".parse().unwrap();
    let mut player = (contender::<P>(&player, variant, Device::Cpu).unwrap().make)().unwrap();
    let game = Game::new(P::from_fen(fen, rules).unwrap());
    game.position().move_text(player.choose(&[Turn::new(&game, 1)]).unwrap()[0])
}

#[test]
fn the_selective_anchor_chooses_as_it_always_has() {
    let of =
        |line: &Line| with_variant!(line.variant, |P, rules| selective::<P>(line.variant, rules, &line.fen));
    let moves = lines().iter().map(of).collect::<Vec<_>>();
    expect_file!["../data/selective.txt"].assert_eq(&(moves.join("\n") + "\n"));
}

#[test]
fn anchors_choose_as_they_always_have() {
    let mut lines = lines();
    assert_eq!(lines.len(), 100);
    for (number, line) in lines.iter_mut().enumerate() {
        line.version = ANCHOR_VERSION;
        line.says = with_variant!(line.variant, |P, rules| say::<P>(rules, &line.fen, number as u64));
    }
    let texts = lines.iter().map(|line| serde_json::to_string(line).unwrap() + "\n");
    expect_file!["../data/anchors.jsonl"].assert_eq(&texts.collect::<String>());
}
