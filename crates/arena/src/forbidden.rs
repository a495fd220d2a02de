//! Matches in which one or both players may not make a kind of move.

use crate::anchor::Anchor;
use crate::played::PlayedGame;
use catapult_mcts::{Mask, Masked};
use catapult_rules::ForbiddenKind;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Forbidden kind of move in a match, with the number of turns on which it had an effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Forbidden {
    /// Kind of move that was forbidden to the second player.
    pub kind: ForbiddenKind,
    /// True if the kind was forbidden to the first player, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub both: bool,
    /// Number of turns, after the openings, of players that may not make moves of the kind.
    pub turns: u64,
    /// Number of turns among `turns` on which the player had moves of the kind and other moves.
    /// Only the other moves were allowed.
    pub restricted: u64,
    /// Number of turns among `turns` on which all legal moves were of the kind. They were then
    /// allowed.
    pub allowed: u64,
}

impl Forbidden {
    /// Counts the turns of `games` on which the forbidden kind had an effect. `kind` was forbidden
    /// to the second player, or to both players if `both` is true.
    pub(crate) fn over<P: Anchor>(kind: ForbiddenKind, both: bool, games: &[PlayedGame<P>]) -> Self {
        let mut counts = Forbidden { kind, both, turns: 0, restricted: 0, allowed: 0 };
        for PlayedGame { player_color, game, opening_plies, .. } in games {
            let mut position = *game.start();
            let side = (!both).then_some(!*player_color);
            let Some(mask) = Mask::<P>::new(position.rules(), kind, side) else { continue };
            for (ply, &mv) in game.moves().iter().enumerate() {
                if ply >= *opening_plies as usize && mask.is_of_mover(&position) {
                    counts.turns += 1;
                    match mask.apply(&position, &mut position.legal_moves()) {
                        Masked::Untouched => {}
                        Masked::Restricted => counts.restricted += 1,
                        Masked::Allowed => counts.allowed += 1,
                    }
                }
                position.play(mv);
            }
        }
        counts
    }
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Forbidden { kind, turns, restricted, allowed, .. } = self;
        write!(
            f,
            "{kind}: removed on {restricted} of {turns} turns, allowed on {allowed} because no other move was \
             legal"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_rules::{ChessPp, Color, Game, Outcome, Plain, Position};

    #[test]
    fn turns_without_another_move_are_counted() {
        // White's only legal move is a teleport.
        let fen = "N1n3r1/1pP5/1P5k/4p3/8/8/r7/7K w - - 0 1 a8e5/-";
        let counted = |player_color, opening_plies, both| {
            let mut game = Game::new(ChessPp::from_fen(fen, Plain).unwrap());
            for text in ["a8e5t", "a2a3", "e5a8t"] {
                let mv = game.position().parse_move(text).unwrap();
                game.push(mv);
            }
            let outcome = Outcome::Capped;
            let game = PlayedGame {
                pair: 0,
                player_color,
                game,
                opening_plies,
                outcome,
                winner: None,
                thoughts: Vec::new(),
                note: None,
            };
            let Forbidden { turns, restricted, allowed, .. } =
                Forbidden::over(ForbiddenKind::Teleports, both, &[game]);
            [turns, restricted, allowed]
        };
        assert_eq!(counted(Color::Black, 0, false), [2, 1, 1], "then the knight and the king may move");
        assert_eq!(counted(Color::Black, 1, false), [1, 1, 0], "the opening does not count");
        assert_eq!(counted(Color::White, 0, false), [1, 0, 0], "Black has no catapults");
        assert_eq!(counted(Color::White, 0, true), [3, 1, 1]);
    }
}
