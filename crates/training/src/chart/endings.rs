//! Panel of a run's chart: shares of games by outcome.

use super::axis;
use crate::report::{GamesReport, GenerationReport};
use catapult_figures::chart::Frame;
use catapult_figures::scale::Scale;
use catapult_figures::svg::{Anchor, Drawing};
use catapult_figures::{Unit, format};
use catapult_rules::Outcome;

/// Outcome of games: its name, its fill (a CSS class) and its share of the games, 0 to 1.
type Share = (&'static str, &'static str, f64);

/// Number of outcomes that the panel distinguishes. Every game of self-play has one of them.
const WAYS: usize = 8;

/// Returns the shares of a generation's games by outcome, from the bottom of the stacked bar up.
fn ways(games: &GamesReport) -> [Share; WAYS] {
    let of_games = |count: u64| count as f64 / games.games.max(1) as f64;
    let mut ways = [
        ("White wins", "f6", of_games(games.wins[0])),
        ("Black wins", "f1", of_games(games.wins[1])),
        ("tablebase draw", "f7", 0.0),
        ("stalemate", "f3", games.share(Outcome::Stalemate)),
        ("dead position", "f4", games.share(Outcome::Dead)),
        ("fifty-move rule", "f2", games.share(Outcome::HundredPlies)),
        ("repetition", "f5", games.share(Outcome::Repetition)),
        ("truncated", "void", games.share(Outcome::Capped)),
    ];
    // The outcome `tablebase` also counts games with a winner, so its draws are what remains.
    let others: f64 = ways.iter().map(|way| way.2).sum();
    ways[2].2 = if games.share(Outcome::Tablebase) > 0.0 { (1.0 - others).max(0.0) } else { 0.0 };
    ways
}

/// Height of the plot in pixels.
const PLOT: f64 = 290.0;
/// Width of the legend beside the plot, in pixels.
const LEGEND: f64 = 124.0;

/// Draws one stacked bar per generation up to `last`: the shares of its games by outcome.
pub(super) fn endings(last: u32, width: f64, reports: &[GenerationReport]) -> Drawing {
    let generations: Vec<(u32, [Share; WAYS])> =
        reports.iter().filter_map(|r| Some((r.generation, ways(r.games.as_ref()?)))).collect();
    let frame = Frame::new(0.0, width - LEGEND, (20.0, PLOT), ("generation", ""));
    let mut drawing = Drawing::new(width, frame.bottom());
    let title = "How games end (% of a generation's games)";
    drawing.text("strong", (0.0, 8.0), Anchor::Start, title);
    let vertical = Scale { domain: [0.0, 1.0], range: [frame.y[1], frame.y[0]] };
    frame.vertical(&mut drawing, &vertical, Unit::Share);
    let horizontal = axis::generations(&mut drawing, &frame, [1, last]);
    for (generation, ways) in &generations {
        let [left, right] = [-0.4, 0.4].map(|side| horizontal.at(f64::from(*generation) + side));
        let mut base = 0.0;
        for (name, fill, share) in ways.iter().filter(|way| way.2 > 0.0) {
            let top = vertical.clamped(base + share);
            let size = (right - left, vertical.clamped(base) - top);
            let tip = format!("generation {generation}: {name} {} %", format::number(*share, Unit::Share));
            drawing.rect(fill, (left, top), size, &tip);
            base += share;
        }
    }
    // In the order of the stack, without ways that never occur.
    let happened = (0..WAYS).rev().filter(|&way| generations.iter().any(|(_, ways)| ways[way].2 > 0.0));
    for (line, way) in happened.enumerate() {
        let (name, fill, _) = generations[0].1[way];
        let (x, y) = (frame.x[1] + 14.0, frame.y[0] + 8.0 + 21.0 * line as f64);
        drawing.rect(fill, (x, y - 6.0), (12.0, 12.0), "");
        drawing.text("", (x + 18.0, y), Anchor::Start, name);
    }
    drawing
}
