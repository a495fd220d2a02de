//! External program as a player of matches.

use super::ExternalSpec;
use super::engine::{Engine, Failure};
use crate::player::{Player, PlayerError, Turn};
use crate::reply::{Forfeit, Reply, Thought};
use crate::time::TimeControl;
use catapult_rules::{Move, Outcome, Position};
use std::fmt::Display;
use std::time::Duration;

/// Time beyond a program's time limit after which the program counts as hung and is killed.
const HUNG: Duration = Duration::from_secs(2);
/// Time limit of a search in a match without clocks, if the search is limited by nodes or depth.
const UNTIMED: Duration = Duration::from_secs(600);

/// Player whose moves come from an external program. If the program ends, hangs or replies with an
/// illegal move, it loses only that game. A program that ended or hung is restarted for the next
/// game. If that happened between two games, it loses neither.
pub struct ExternalPlayer {
    spec: ExternalSpec,
    variant: String,
    engine: Option<Engine>,
    /// Start position (as FEN) and moves of the game, up to the program's latest move. `None` if the
    /// program has made no move since its start.
    known: Option<(String, Vec<Move>)>,
}

impl ExternalPlayer {
    /// Creates a player and starts its program.
    ///
    /// # Errors
    /// The program can't be started, does not reply, lacks an option or does not play `variant`.
    pub fn new(spec: &ExternalSpec, variant: &str) -> Result<ExternalPlayer, PlayerError> {
        let mut player =
            ExternalPlayer { spec: spec.clone(), variant: variant.to_owned(), engine: None, known: None };
        player.engine()?;
        Ok(player)
    }

    /// Returns the program. Starts it unless it is running.
    fn engine(&mut self) -> Result<&mut Engine, PlayerError> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                self.known = None;
                Engine::start(&self.spec, &self.variant).map_err(|failure| self.broken(failure))?
            }
        };
        Ok(self.engine.insert(engine))
    }

    fn broken(&self, reason: impl Display) -> PlayerError {
        PlayerError::Other(format!("`{}`: {reason}", self.spec.command.join(" ")))
    }

    fn answer<P: Position>(&mut self, turn: &Turn<'_, P>) -> Result<Reply, PlayerError> {
        if turn.mask.is_some() {
            return Err(self.broken("external engines do not support forbidden moves"));
        }
        let game = turn.game;
        let (start, moves) = (game.start().to_string(), game.moves());
        let goes_on =
            self.known.as_ref().is_some_and(|(known, before)| *known == start && moves.starts_with(before));
        // A program that can't be started ends the match, because it would lose all remaining
        // games.
        if !goes_on && self.engine()?.new_game().is_err() {
            // It ended or hung before this game, which it therefore does not lose.
            self.engine = None;
            self.engine()?.new_game().map_err(|failure| self.broken(failure))?;
        }
        let (go, most) = self.go(turn);
        let line = position_line(game.start(), &start, moves);
        let failure = match self.engine()?.think(&line, &go, most) {
            Ok((text, thought)) => {
                return Ok(match game.position().parse_move(&text) {
                    Ok(mv) => {
                        self.known = Some((start, [moves, &[mv]].concat()));
                        Reply { chosen: Ok(mv), thought }
                    }
                    Err(error) => {
                        let reason = format!("bestmove {text}: {error}");
                        Reply { chosen: Err(Forfeit { outcome: Outcome::IllegalMove, reason }), thought }
                    }
                });
            }
            Err(failure) => failure,
        };
        self.engine = None;
        let outcome = match failure {
            Failure::Late { .. } => Outcome::TimeForfeit,
            _ => Outcome::Crash,
        };
        let chosen = Err(Forfeit { outcome, reason: failure.to_string() });
        Ok(Reply { chosen, thought: Thought::default() })
    }

    /// Returns the arguments of the UCI command `go`, and the search time after which the program
    /// counts as hung.
    fn go<P: Position>(&self, turn: &Turn<'_, P>) -> (String, Duration) {
        let side = turn.game.position().side_to_move() as usize;
        let Some(clocks) = turn.clocks else {
            let time = self.spec.go.strip_prefix("movetime ").and_then(|time| time.parse().ok());
            let most = time.map_or(UNTIMED, |time| Duration::from_millis(time) + HUNG);
            return (self.spec.go.clone(), most);
        };
        match clocks.control {
            TimeControl::MoveTime(time) => (format!("movetime {}", time.as_millis()), time + HUNG),
            TimeControl::Clock { increment, .. } => {
                let times = [clocks.remaining(0), clocks.remaining(1), increment];
                let [white, black, increment] = times.map(|time| time.as_millis());
                let mut go = format!("wtime {white} btime {black} winc {increment} binc {increment}");
                if let Some(moves) = clocks.moves_to_go(side) {
                    go += &format!(" movestogo {moves}");
                }
                (go, clocks.most(side) + HUNG)
            }
        }
    }
}

/// Returns the protocol's line that sets a position, such as `position startpos moves e2e4`.
/// `start` is the FEN of `first`. `moves` lead from `first` to the position.
fn position_line<P: Position>(first: &P, start: &str, moves: &[Move]) -> String {
    let mut position = *first;
    let mut line = match start == P::start(first.rules()).to_string() {
        true => "position startpos".to_owned(),
        false => format!("position fen {start}"),
    };
    for (number, &mv) in moves.iter().enumerate() {
        line += if number == 0 { " moves " } else { " " };
        line += &position.move_text(mv);
        position.play(mv);
    }
    line
}

impl<P: Position> Player<P> for ExternalPlayer {
    fn choose(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Move>, PlayerError> {
        let choose = |turn: &Turn<'_, P>| {
            let chosen = self.answer(turn)?.chosen;
            chosen.map_err(|forfeit| self.broken(forfeit.reason))
        };
        turns.iter().map(choose).collect()
    }

    fn reply(&mut self, turns: &[Turn<'_, P>]) -> Result<Vec<Reply>, PlayerError> {
        turns.iter().map(|turn| self.answer(turn)).collect()
    }
}
