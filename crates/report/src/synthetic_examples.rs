//! Synthetic example games for tests. They consist of random legal moves. Every fifth ply is a
//! teleport if one is legal.

use super::variant;
use crate::examples::Chooser;
use crate::results::ExampleGame;
use catapult_measures::data::{Cell, Checkpoint, NetworkId};
use catapult_measures::metrics::read_games;
use catapult_measures::{Arm, MeasureError};
use catapult_records::GameRecord;
use catapult_rules::{Color, Outcome, Variant};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A cell and its games.
pub(crate) type CellGames = (Cell, Vec<GameRecord>);

/// Returns the examples of a study whose games are all in memory.
pub(crate) fn choose(
    cells: &[CellGames],
    claimed: &[Arm],
    control: impl Into<Arm>,
    sampled_plies: u32,
) -> Result<Vec<ExampleGame>, MeasureError> {
    let names: Vec<Cell> = cells.iter().map(|(cell, _)| cell.clone()).collect();
    let mut chooser = Chooser::new(&names, claimed, control.into(), sampled_plies);
    for (cell, games) in cells {
        chooser.add(cell, games, &read_games(cell, games)?)?;
    }
    Ok(chooser.finish())
}

/// Returns the examples that are chosen from synthetic games of three arms.
pub(super) fn chosen() -> Vec<ExampleGame> {
    let cell = |arm: &str, games: u64| {
        let network = NetworkId { agent: arm.to_owned(), seed: 1 };
        let cell = Cell { arm: variant(arm), network, checkpoint: Checkpoint::Last, simulations: 128 };
        (cell, (0..games).map(|number| played(arm, number)).collect())
    };
    choose(&[cell("chesspp", 6), cell("maxim", 1), cell("half", 1)], &[], Variant::Chess, 8).unwrap()
}

fn played(arm: &str, number: u64) -> GameRecord {
    let mut rng = Pcg64Mcg::seed_from_u64(number);
    let mut game = variant(arm).rules.start();
    let (mut values, mut white) = (Vec::new(), 0.5f32);
    while game.outcome().is_none() && game.moves().len() < 90 {
        let legal = game.legal_moves();
        let is_fifth = game.moves().len() % 5 == 4;
        let teleport = legal.iter().find(|mv| is_fifth && game.move_text(**mv).ends_with('t'));
        let mv = teleport.copied().unwrap_or(legal[rng.random_range(0..legal.len())]);
        white = (white + rng.random_range(-0.12..0.12)).clamp(0.02, 0.98);
        let win = if game.side_to_move() == Color::White { white } else { 1.0 - white };
        values.push([win, 0.0, 1.0 - win]);
        game.push(mv);
    }
    // The side with the higher value wins, because random games rarely end.
    let winner = if white > 0.5 { Color::White } else { Color::Black };
    GameRecord {
        game: number,
        seed: number,
        values,
        outcome: Outcome::Checkmate,
        winner: Some(winner),
        ..GameRecord::of_game(&*game)
    }
}
