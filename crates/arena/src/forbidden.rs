//! Kinds of moves that a match may forbid one player, to tell what it is worth to have them.

use crate::anchor::Anchor;
use crate::matches::PlayedGame;
use catapult_mcts::{Mask, Masked};
use catapult_rules::{ChessPosition, ChessRules, Color, Move, MoveKind, Position};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A kind of move that may be forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForbiddenKind {
    /// `teleports`: from catapult to catapult, as a turn of their own or (`+instant`) at the end of a move.
    Teleports,
    /// `catapult-moves`: of catapults by themselves; placing them (`+free`) is none.
    CatapultMoves,
    /// `catapult-captures`: moves after which the other side has fewer catapults.
    CatapultCaptures,
}

impl ForbiddenKind {
    /// All of them.
    pub const ALL: [ForbiddenKind; 3] =
        [ForbiddenKind::Teleports, ForbiddenKind::CatapultMoves, ForbiddenKind::CatapultCaptures];

    /// The name on a command line.
    pub const fn name(self) -> &'static str {
        match self {
            ForbiddenKind::Teleports => "teleports",
            ForbiddenKind::CatapultMoves => "catapult-moves",
            ForbiddenKind::CatapultCaptures => "catapult-captures",
        }
    }
}

impl fmt::Display for ForbiddenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ForbiddenKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = ForbiddenKind::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| {
            format!(
                "`{name}` is no kind of move; allowed are {}",
                ForbiddenKind::ALL.map(ForbiddenKind::name).join(", ")
            )
        })
    }
}

/// Whether a legal move of a position is of a kind.
pub type IsOfKind<P> = fn(&P, Move) -> bool;

/// [`Anchor::is_of_kind`] of chess and all of Chess++.
pub(crate) fn of_chess<R: ChessRules>(rules: R, kind: ForbiddenKind) -> Option<IsOfKind<ChessPosition<R>>> {
    rules.catapults().then_some(match kind {
        ForbiddenKind::Teleports => teleports::<R>,
        ForbiddenKind::CatapultMoves => moves_a_catapult::<R>,
        ForbiddenKind::CatapultCaptures => captures_catapults::<R>,
    })
}

fn teleports<R: ChessRules>(position: &ChessPosition<R>, mv: Move) -> bool {
    matches!(position.path(mv).kind, MoveKind::Teleport | MoveKind::Instant)
}

fn moves_a_catapult<R: ChessRules>(position: &ChessPosition<R>, mv: Move) -> bool {
    position.path(mv).kind == MoveKind::Catapult
}

fn captures_catapults<R: ChessRules>(position: &ChessPosition<R>, mv: Move) -> bool {
    let them = !position.side_to_move();
    let mut after = *position;
    after.play(mv);
    after.catapults(them).count() < position.catapults(them).count()
}

/// What was forbidden in a match, and what came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Forbidden {
    /// The kind of move that the second player might not make.
    pub kind: ForbiddenKind,
    /// Its turns.
    pub turns: u64,
    /// Those on which it had moves of the kind, and other moves: what it lost.
    pub restricted: u64,
    /// Those on which it had no other moves, so that these were allowed.
    pub allowed: u64,
}

impl Forbidden {
    /// What came of it in these games.
    pub(crate) fn over<P: Anchor>(kind: ForbiddenKind, games: &[PlayedGame<P>]) -> Self {
        let mut counts = Forbidden { kind, turns: 0, restricted: 0, allowed: 0 };
        for PlayedGame { player_color, game, opening_plies, .. } in games {
            let mut position = *game.start();
            let Some(mask) = mask::<P>(position.rules(), kind, !*player_color) else { continue };
            for (ply, &mv) in game.moves().iter().enumerate() {
                if ply >= *opening_plies as usize && position.side_to_move() == mask.side {
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
        let Forbidden { kind, turns, restricted, allowed } = self;
        write!(
            f,
            "{kind}: taken away on {restricted} of {turns} turns, allowed on {allowed} for want of other moves"
        )
    }
}

/// The mask of a game in which a side may not make moves of the kind; none if the game has none of the kind.
pub fn mask<P: Anchor>(rules: P::Rules, kind: ForbiddenKind, side: Color) -> Option<Mask<P>> {
    P::is_of_kind(rules, kind).map(|forbids| Mask { side, forbids })
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_rules::{ChessPp, Game, Outcome, Plain};

    #[test]
    fn turns_without_another_move_are_counted() {
        // White's only legal move is a teleport.
        let fen = "N1n3r1/1pP5/1P5k/4p3/8/8/r7/7K w - - 0 1 a8e5/-";
        let counted = |player_color, opening_plies| {
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
                Forbidden::over(ForbiddenKind::Teleports, &[game]);
            [turns, restricted, allowed]
        };
        assert_eq!(counted(Color::Black, 0), [2, 1, 1], "then the knight and the king may move");
        assert_eq!(counted(Color::Black, 1), [1, 1, 0], "the opening does not count");
        assert_eq!(counted(Color::White, 0), [1, 0, 0], "Black has no catapults");
    }
}
