//! Games of any variant, played move by move, and parsers of the variants, FENs and moves in
//! requests.

use crate::error::{Answer, Refusal};
use catapult_rules::{Color, Game, Position, Variant, with_variant};

/// Maximum number of plies of a game.
pub(crate) const MOST_PLIES: usize = 4000;
/// Maximum length of a FEN in bytes.
const LONGEST_FEN: usize = 500;
/// Maximum length of a move's text in bytes.
const LONGEST_MOVE: usize = 40;

/// A game of any variant at its current position.
pub(crate) trait Board: Send + Sync {
    /// Returns the FEN of the first position.
    fn start(&self) -> String;
    /// Returns the side to move.
    fn side(&self) -> Color;
    /// Returns the name of the outcome and the winner. `None` if the game is not over by the rules.
    fn outcome(&self) -> Option<(&'static str, Option<Color>)>;
    /// Returns the game after a move, and the move's canonical text.
    ///
    /// # Errors
    /// The text is not a legal move.
    fn after(&self, text: &str) -> Answer<(Box<dyn Board>, String)>;
}

struct Played<P>(Game<P>);

impl<P: Position> Board for Played<P> {
    fn start(&self) -> String {
        self.0.start().to_string()
    }

    fn side(&self) -> Color {
        self.0.position().side_to_move()
    }

    fn outcome(&self) -> Option<(&'static str, Option<Color>)> {
        self.0.outcome().map(|outcome| (outcome.name(), outcome.winner(self.side())))
    }

    fn after(&self, text: &str) -> Answer<(Box<dyn Board>, String)> {
        let position = self.0.position();
        if text.len() > LONGEST_MOVE {
            return Err(Refusal::bad(format!("a move has at most {LONGEST_MOVE} characters")));
        }
        let mv = position.parse_move(text).map_err(|error| Refusal::bad(error.to_string()))?;
        let text = position.move_text(mv);
        let mut game = self.0.clone();
        game.push(mv);
        Ok((Box::new(Played(game)), text))
    }
}

/// Parses the name of a variant.
pub(crate) fn variant(name: &str) -> Answer<Variant> {
    // The error message quotes the name.
    if name.len() > 100 {
        return Err(Refusal::bad("the name of a variant has at most 100 characters"));
    }
    name.parse().map_err(|error| Refusal::bad(format!("{error}")))
}

/// Parses a FEN. An empty text gives the variant's initial position.
pub(crate) fn position<P: Position>(fen: &str, rules: P::Rules) -> Answer<P> {
    match fen.trim() {
        "" => Ok(P::start(rules)),
        fen if fen.len() > LONGEST_FEN => {
            Err(Refusal::bad(format!("a FEN has at most {LONGEST_FEN} characters")))
        }
        fen => P::from_fen(fen, rules).map_err(|error| Refusal::bad(error.to_string())),
    }
}

/// Returns a new game from a FEN. An empty text gives the variant's initial position.
pub(crate) fn board(variant: Variant, fen: &str) -> Answer<Box<dyn Board>> {
    with_variant!(variant, |P, rules| Ok(Box::new(Played(Game::new(position::<P>(fen, rules)?)))))
}

/// Returns the game that starts from a FEN, after `moves`. They are in Catapult's move text.
pub(crate) fn game<P: Position>(fen: &str, moves: &[String], rules: P::Rules) -> Answer<Game<P>> {
    if moves.len() > MOST_PLIES {
        return Err(Refusal::bad(format!("the game has more than {MOST_PLIES} moves")));
    }
    let mut game = Game::new(position::<P>(fen, rules)?);
    for text in moves {
        let text = text.get(..LONGEST_MOVE).unwrap_or(text);
        let mv = game.position().parse_move(text);
        game.push(mv.map_err(|error| Refusal::bad(format!("after {} moves: {error}", game.ply())))?);
    }
    Ok(game)
}

/// Returns the name of a side: `white` or `black`.
pub(crate) fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
