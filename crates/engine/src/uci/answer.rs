//! Conversion between UCI text and positions, limits and search results.

use crate::uci::command::Go;
use crate::uci::options::Options;
use crate::{Clock, Limits, Settings, Snapshot, Thinker, Variation, centipawns};
use catapult_mcts::{SearchConfig, Value};
use catapult_rules::{AnyGame, Color, Move, Variant};
use std::time::Duration;

/// Returns the game of a `position` command: `moves` played from `fen`, or from the start position
/// without a FEN.
///
/// # Errors
/// An invalid FEN or an illegal move.
pub(super) fn game(
    variant: Variant,
    fen: Option<&str>,
    moves: &[String],
) -> Result<Box<dyn AnyGame>, String> {
    let mut game = variant.game(fen).map_err(|error| format!("position: {error}"))?;
    for text in moves {
        let mv = game.parse_move(text).map_err(|error| format!("position: {error}"))?;
        game.push(mv);
    }
    Ok(game)
}

/// Returns the limits of a search of the current position.
///
/// # Errors
/// [`Go::search_moves`] has moves, and all of them are illegal.
pub(super) fn limits(game: &dyn AnyGame, go: &Go) -> Result<Limits, String> {
    let side = game.side_to_move() as usize;
    let moves: Vec<Move> = go.search_moves.iter().filter_map(|text| game.parse_move(text).ok()).collect();
    if moves.is_empty() && !go.search_moves.is_empty() {
        return Err(format!("go searchmoves {}: no legal move", go.search_moves.join(" ")));
    }
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
        search_moves: (!moves.is_empty()).then_some(moves),
        ponder: go.ponder,
        infinite: go.infinite || !limited && !go.ponder,
    })
}

/// Returns the settings of a search with these options.
pub(super) fn settings(options: &Options) -> Settings {
    let search = SearchConfig {
        // Half of `Hash`, because tree reuse briefly holds two trees.
        memory_limit: ((options.hash as usize) << 19).max(SearchConfig::MIN_MEMORY),
        draw_score: options.draw_score as f32 / 100.0,
        ..options.search
    };
    let overhead = Duration::from_millis(options.overhead.into());
    Settings { search, overhead, ..Settings::default() }
}

fn texts(game: &dyn AnyGame, moves: &[Move]) -> String {
    let mut at = game.forked();
    let mut text = String::new();
    for &mv in moves {
        text += " ";
        text += &at.move_text(mv);
        at.push(mv);
    }
    text
}

/// Returns the UCI score of a line: `mate` with the number of moves, or `cp` with centipawns. A
/// move without a value gets the value of the root.
fn score(line: &Variation, root: &Value) -> String {
    match line.mate {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", centipawns(line.q.unwrap_or(root.wdl[0] - root.wdl[2]))),
    }
}

/// Returns the `info` lines for the state of a search, with a line for each root move if `verbose`
/// is true. `elapsed` is the time since the search started. A position without legal moves has one
/// line, with the result as the score.
pub(super) fn info(
    thinker: &dyn Thinker,
    game: &dyn AnyGame,
    options: &Options,
    verbose: bool,
    elapsed: Duration,
) -> Vec<String> {
    let Snapshot { lines, value, simulations, hashfull } = thinker.snapshot();
    if lines.is_empty() {
        let q = value.wdl[0] - value.wdl[2];
        let score = if q <= -1.0 { "mate 0".to_owned() } else { format!("cp {}", centipawns(q)) };
        return vec![format!("info depth 0 score {score}")];
    }
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
                 {hashfull} time {milliseconds} pv{}",
                line.moves.len(),
                number + 1,
                score(line, &value),
                texts(game, &line.moves)
            )
        })
        .collect();
    if verbose {
        out.extend(lines.iter().rev().map(|line| {
            format!(
                "info string {:<8} N: {:>8} (P: {:>5.2}%) (Pi: {:>5.2}%) (Q: {})",
                line.moves.first().map_or(String::new(), |&mv| game.move_text(mv)),
                line.visits,
                100.0 * line.prior,
                100.0 * line.share,
                line.q.map_or("-".to_owned(), |q| format!("{q:.5}")),
            )
        }));
    }
    out
}

/// Returns the `bestmove` line. If [`Options::temperature`] is not 0, the move is sampled with
/// `seed`.
pub(super) fn best(thinker: &dyn Thinker, game: &dyn AnyGame, options: &Options, seed: u64) -> String {
    match thinker.sample_move(options.temperature as f32 / 100.0, seed) {
        None => "bestmove (none)".to_owned(),
        Some((best, reply)) => {
            let (text, after) = (format!("bestmove {}", game.move_text(best)), game.after(best));
            // The next decision may belong to the same turn.
            match reply.filter(|_| after.side_to_move() != game.side_to_move()) {
                Some(reply) => format!("{text} ponder {}", after.move_text(reply)),
                None => text,
            }
        }
    }
}

/// Returns statistics of a search as one line of text.
pub(super) fn debug(thinker: &dyn Thinker) -> String {
    let Snapshot { simulations, hashfull, lines, .. } = thinker.snapshot();
    let visited = lines.iter().filter(|line| line.q.is_some()).count();
    format!(
        "{simulations} simulations, {visited} of {} moves visited, the tree uses {hashfull} permille of its memory",
        lines.len()
    )
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
