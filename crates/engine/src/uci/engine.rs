//! The interface between the UCI protocol and an engine, and its implementation by a session. The
//! interface does not depend on the game's type.

use crate::uci::command::Go;
use crate::uci::options::Options;
use crate::{Clock, Limits, Line, Session, Settings, Snapshot, centipawns};
use catapult_mcts::{Batch, Evaluator, Gumbel, SearchConfig, Utility, Value};
use catapult_rules::{Color, Game, Move, Position};
use std::time::Duration;

/// An engine for one game. Moves, positions and reports are texts, so the trait does not depend on
/// the game's type. All times count from the same fixed moment.
pub trait Engine {
    /// Sets the position: `moves` played from `fen`, or from the initial position if `fen` is
    /// `None`. If the moves continue the previous game, the tree is reused.
    ///
    /// # Errors
    /// An invalid FEN or an illegal move. The previous position stays set.
    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), String>;
    /// Starts a search of the set position at time `now`.
    ///
    /// # Errors
    /// An illegal move in [`Go::search_moves`].
    fn go(&mut self, go: &Go, now: Duration) -> Result<(), String>;
    /// Advances the search by one batch. `clock` returns the current time. Returns false if the
    /// search has ended or has nothing left to search.
    ///
    /// # Errors
    /// A failed evaluation.
    fn step(&mut self, clock: &dyn Fn() -> Duration) -> Result<bool, String>;
    /// Reports that the opponent has played the expected move. The limits of the pondering search
    /// apply from `now` on.
    fn ponder_hit(&mut self, now: Duration);
    /// Ends a search in progress. Its results stay available.
    fn stop(&mut self);
    /// Ends a search in progress and discards the tree.
    fn forget(&mut self);
    /// Returns true while a search is running.
    fn is_thinking(&self) -> bool;
    /// Applies the options that affect the search, and discards the tree.
    fn set_options(&mut self, options: &Options);
    /// Number of simulations since the last search started.
    fn simulations(&self) -> u32;
    /// Returns the `info` lines for the state of the search. `elapsed` is the time since the search
    /// started.
    fn info(&self, options: &Options, elapsed: Duration) -> Vec<String>;
    /// Returns the `bestmove` line. If [`Options::temperature`] is not 0, the move is sampled with
    /// `seed`.
    fn best(&self, options: &Options, seed: u64) -> String;
    /// Returns statistics of the search as one line of text.
    fn debug(&self) -> String;
    /// Returns the number of files, the number of ranks, and the FEN of the initial position.
    fn board(&self) -> (usize, usize, String);
}

/// The engine for one game: a session with its evaluator.
pub struct SessionEngine<P: Position, E> {
    session: Session<P>,
    evaluator: E,
    rules: P::Rules,
    batch: Batch<P>,
}

impl<P: Position, E: Evaluator<P>> SessionEngine<P, E> {
    /// Creates an engine with default options at the initial position of `rules`.
    pub fn new(rules: P::Rules, evaluator: E) -> SessionEngine<P, E> {
        let session = Session::new(Game::new(P::start(rules)), Settings::default());
        SessionEngine { session, evaluator, rules, batch: Batch::default() }
    }

    fn position(&self) -> &P {
        self.session.game().position()
    }

    fn limits(&self, go: &Go) -> Result<Limits, String> {
        let side = self.position().side_to_move() as usize;
        let moves = go
            .search_moves
            .iter()
            .map(|text| self.position().parse_move(text).map_err(|error| format!("go searchmoves: {error}")));
        let moves: Vec<Move> = moves.collect::<Result<_, _>>()?;
        // Each unit of depth doubles the simulations.
        let doubled = go.depth.map(|depth| 1u32.checked_shl(depth).unwrap_or(u32::MAX));
        let nodes = go.nodes.into_iter().chain(doubled).min().map(|nodes| nodes.min(100_000_000));
        let clock = go.time[side].map(|remaining| Clock {
            remaining,
            increment: go.increment[side],
            moves_to_go: go.moves_to_go.filter(|&moves| moves > 0),
        });
        let limited = nodes.is_some() || clock.is_some() || go.move_time.is_some() || go.mate.is_some();
        Ok(Limits {
            nodes,
            move_time: go.move_time,
            clock,
            mate: go.mate,
            only: (!moves.is_empty()).then_some(moves),
            ponder: go.ponder,
            infinite: go.infinite || !limited && !go.ponder,
        })
    }

    fn texts(&self, moves: &[Move]) -> String {
        let mut position = *self.position();
        let mut text = String::new();
        for &mv in moves {
            text += " ";
            text += &position.move_text(mv);
            position.play(mv);
        }
        text
    }

    /// Returns the UCI score of a line: `mate` with the number of moves, or `cp` with centipawns. A
    /// move without a value gets the value of the root.
    fn score(line: &Line, root: &Value) -> String {
        match line.mate() {
            Some(moves) => format!("mate {moves}"),
            None => format!("cp {}", centipawns(line.q.unwrap_or(root.wdl[0] - root.wdl[2]))),
        }
    }
}

impl<P: Position, E: Evaluator<P>> Engine for SessionEngine<P, E> {
    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), String> {
        let start = match fen {
            None => P::start(self.rules),
            Some(fen) => P::from_fen(fen, self.rules).map_err(|error| format!("position: {error}"))?,
        };
        let mut game = Game::new(start);
        for text in moves {
            let mv = game.position().parse_move(text).map_err(|error| format!("position: {error}"))?;
            game.push(mv);
        }
        self.session.set_game(game);
        Ok(())
    }

    fn go(&mut self, go: &Go, now: Duration) -> Result<(), String> {
        let limits = self.limits(go)?;
        self.session.start(limits, now);
        Ok(())
    }

    fn step(&mut self, clock: &dyn Fn() -> Duration) -> Result<bool, String> {
        self.batch.clear();
        if self.session.gather(&mut self.batch, clock()) == 0 {
            return Ok(false);
        }
        self.evaluator.evaluate(&mut self.batch).map_err(|error| error.to_string())?;
        self.session.apply(&self.batch, 0, clock());
        Ok(true)
    }

    fn ponder_hit(&mut self, now: Duration) {
        self.session.ponder_hit(now);
    }

    fn stop(&mut self) {
        self.session.stop();
    }

    fn forget(&mut self) {
        self.session.forget();
    }

    fn is_thinking(&self) -> bool {
        self.session.is_thinking()
    }

    fn set_options(&mut self, options: &Options) {
        let considered = Some(options.considered).filter(|&considered| considered > 0);
        let search = SearchConfig {
            // Half of `Hash`, because tree reuse briefly holds two trees.
            memory_limit: ((options.hash as usize) << 19).max(SearchConfig::MIN_MEMORY),
            utility: Utility { draw_score: options.draw_score as f32 / 100.0, ..Utility::default() },
            ..Gumbel { considered, ..Gumbel::default() }.into()
        };
        self.session.set_settings(Settings { search, overhead: options.overhead, ..Settings::default() });
    }

    fn simulations(&self) -> u32 {
        self.session.simulations()
    }

    fn info(&self, options: &Options, elapsed: Duration) -> Vec<String> {
        let Snapshot { lines, value, simulations, permille_full } = self.session.snapshot();
        let milliseconds = elapsed.as_millis();
        let speed = (f64::from(simulations) / elapsed.as_secs_f64().max(1e-3)) as u64;
        let depth = (simulations + 1).ilog2();
        let visited = lines.iter().filter(|line| line.q.is_some()).count();
        // Without any visit the likeliest move is reported, because programs expect a line before
        // `bestmove`.
        let reported = lines.iter().filter(|line| line.q.is_some() || visited == 0);
        let reported = reported.take(if visited == 0 { 1 } else { options.multi_pv as usize }).enumerate();
        let mut out: Vec<String> = reported
            .map(|(number, line)| {
                let wdl = if options.show_wdl { permille(line.wdl.unwrap_or(value.wdl)) } else { String::new() };
                format!(
                    "info depth {depth} seldepth {} multipv {} score {}{wdl} nodes {simulations} nps {speed} hashfull \
                     {permille_full} time {milliseconds} pv{}",
                    line.moves.len(),
                    number + 1,
                    Self::score(line, &value),
                    self.texts(&line.moves)
                )
            })
            .collect();
        if options.verbose {
            out.extend(lines.iter().rev().map(|line| {
                format!(
                    "info string {:<8} N: {:>8} (P: {:>5.2}%) (Pi: {:>5.2}%) (Q: {})",
                    line.moves.first().map_or(String::new(), |&mv| self.position().move_text(mv)),
                    line.visits,
                    100.0 * line.prior,
                    100.0 * line.share,
                    line.q.map_or("-".to_owned(), |q| format!("{q:.5}")),
                )
            }));
        }
        out
    }

    fn best(&self, options: &Options, seed: u64) -> String {
        let best = match options.temperature {
            0 => self.session.best(),
            hundredths => self.session.drawn(hundredths as f32 / 100.0, seed),
        };
        match best {
            None => "bestmove (none)".to_owned(),
            Some((best, None)) => format!("bestmove {}", self.position().move_text(best)),
            Some((best, Some(reply))) => {
                let mut after = *self.position();
                after.play(best);
                format!("bestmove {} ponder {}", self.position().move_text(best), after.move_text(reply))
            }
        }
    }

    fn debug(&self) -> String {
        let Snapshot { simulations, permille_full, lines, .. } = self.session.snapshot();
        let visited = lines.iter().filter(|line| line.q.is_some()).count();
        format!(
            "{simulations} simulations, {visited} of {} moves visited, the tree uses {permille_full} permille of its memory",
            lines.len()
        )
    }

    fn board(&self) -> (usize, usize, String) {
        (P::FILES, P::RANKS, P::start(self.rules).to_string())
    }
}

/// Returns the `wdl` part of an `info` line: win, draw and loss in thousandths. They sum to 1000.
fn permille([win, _, loss]: [f32; 3]) -> String {
    let [win, loss] = [win, loss].map(|p| (1000.0 * p).round().clamp(0.0, 1000.0) as i32);
    let loss = loss.min(1000 - win);
    format!(" wdl {win} {} {loss}", 1000 - win - loss)
}

/// Checks the index of White, because [`Go::time`] and [`Go::increment`] are indexed by side, White
/// first.
const _: () = assert!(Color::White as usize == 0);
