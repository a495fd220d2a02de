//! A session with its evaluator, whatever the game: what the protocol talks to.

use crate::uci::command::Go;
use crate::uci::options::Options;
use crate::{Clock, Limits, Line, Session, Settings, Snapshot, centipawns};
use catapult_mcts::{Batch, Evaluator, Gumbel, SearchConfig, Utility, Value};
use catapult_rules::{Color, Game, Move, Position};
use std::time::Duration;

/// A player of one game, by texts.
pub trait Seat {
    /// Sets the position; what is thought of it goes on from what was thought of earlier ones of the same game.
    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), String>;
    /// Begins to think.
    fn go(&mut self, go: &Go, now: Duration) -> Result<(), String>;
    /// Thinks a little; false where there is nothing to do but to wait. `clock` tells the time.
    fn step(&mut self, clock: &dyn Fn() -> Duration) -> Result<bool, String>;
    /// The expected move was made.
    fn ponder_hit(&mut self, now: Duration);
    /// Ends the search.
    fn stop(&mut self);
    /// Forgets what was thought.
    fn forget(&mut self);
    /// Whether it thinks.
    fn is_thinking(&self) -> bool;
    /// Takes options over.
    fn set_options(&mut self, options: &Options);
    /// Simulations made.
    fn simulations(&self) -> u32;
    /// `info` lines of what has been found, `elapsed` since the search began.
    fn info(&self, options: &Options, elapsed: Duration) -> Vec<String>;
    /// The `bestmove` line; where the options ask for chance, drawn by the seed.
    fn best(&self, options: &Options, seed: u64) -> String;
    /// What the search has cost, in words.
    fn debug(&self) -> String;
    /// Files, ranks and the start position.
    fn board(&self) -> (usize, usize, String);
}

/// A session and who answers it.
pub struct Place<P: Position, E> {
    session: Session<P>,
    evaluator: E,
    rules: P::Rules,
    batch: Batch<P>,
}

impl<P: Position, E: Evaluator<P>> Place<P, E> {
    /// A player of a game.
    pub fn new(rules: P::Rules, evaluator: E) -> Place<P, E> {
        let session = Session::new(Game::new(P::start(rules)), Settings::default());
        Place { session, evaluator, rules, batch: Batch::default() }
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
        // A depth is a doubling of simulations.
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

    /// What a line is worth: mate in so many moves, or a value in centipawns, that of the root where it was not looked at.
    fn score(line: &Line, root: &Value) -> String {
        match line.mate() {
            Some(moves) => format!("mate {moves}"),
            None => format!("cp {}", centipawns(line.q.unwrap_or(root.wdl[0] - root.wdl[2]))),
        }
    }
}

impl<P: Position, E: Evaluator<P>> Seat for Place<P, E> {
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
            // A tree, and for a moment what is kept of it.
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
        let looked_at = lines.iter().filter(|line| line.q.is_some()).count();
        // Where there was no time to look at any move the likeliest is told: programs expect a line before an answer.
        let told = lines.iter().filter(|line| line.q.is_some() || looked_at == 0);
        let told = told.take(if looked_at == 0 { 1 } else { options.multi_pv as usize }).enumerate();
        let mut out: Vec<String> = told
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
        let looked_at = lines.iter().filter(|line| line.q.is_some()).count();
        format!(
            "{simulations} simulations, {looked_at} of {} moves looked at, the tree takes {permille_full} permille of its memory",
            lines.len()
        )
    }

    fn board(&self) -> (usize, usize, String) {
        (P::FILES, P::RANKS, P::start(self.rules).to_string())
    }
}

/// Win, draw and loss in thousandths that sum to 1000.
fn permille([win, _, loss]: [f32; 3]) -> String {
    let [win, loss] = [win, loss].map(|p| (1000.0 * p).round().clamp(0.0, 1000.0) as i32);
    let loss = loss.min(1000 - win);
    format!(" wdl {win} {} {loss}", 1000 - win - loss)
}

/// The side whose clock is the first of two.
const _: () = assert!(Color::White as usize == 0);
