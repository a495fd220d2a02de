//! Panel of a run's chart: scores of the final matches.

use catapult_arena::MatchResult;
use catapult_figures::chart::whiskers;
use catapult_figures::scale::Scale;
use catapult_figures::svg::{Anchor, Drawing, width_of};
use catapult_stats::Estimate;

/// Height of a match's row in pixels.
const ROW: f64 = 25.0;
/// Width of the numbers beside a bar, in pixels.
const NUMBERS: f64 = 136.0;

/// Draws one bar per match: the mean score of the match's first player with its 95 % interval.
pub(super) fn scores(width: f64, matches: &[MatchResult]) -> Drawing {
    let several = matches.iter().any(|played| played.variant != matches[0].variant);
    let versus = |played: &MatchResult| match several {
        true => format!("{}: {} against {}", played.variant, played.player, played.opponent),
        false => format!("{} against {}", played.player, played.opponent),
    };
    let widest = matches.iter().map(|played| width_of(&versus(played), 12.0)).fold(0.0, f64::max);
    let (left, right) = ((widest + 20.0).clamp(160.0, 380.0), width - NUMBERS);
    let (top, bottom) = (22.0, 22.0 + ROW * matches.len() as f64);
    let mut drawing = Drawing::new(width, bottom + 24.0);
    let games = matches.iter().map(|played| played.games).max().unwrap_or(0);
    let mut title = format!("Matches of {games} games: score in %, 95 % interval");
    let first = matches.first().map_or("", |played| played.player.as_str());
    if let Some((name, simulations)) = first.rsplit_once(':') {
        title += &format!(" ({name}:{simulations} makes {simulations} simulations per move)");
    }
    drawing.text("strong", (0.0, 8.0), Anchor::Start, &title);
    let scale = Scale { domain: [0.0, 1.0], range: [left, right] };
    for percent in [0, 25, 50, 75, 100] {
        let x = scale.at(f64::from(percent) / 100.0);
        drawing.line(if percent == 50 { "axis" } else { "grid" }, (x, top), (x, bottom));
        drawing.text("", (x, bottom + 12.0), Anchor::Middle, &percent.to_string());
    }
    for (row, played) in matches.iter().enumerate() {
        let y = top + ROW * (row as f64 + 0.5);
        drawing.text("", (left - 10.0, y), Anchor::End, &versus(played));
        // The first row's player is the one to measure. Other players have paler bars.
        let fill = if played.player == first { "f1" } else { "void" };
        let score = &played.score;
        drawing.rect(fill, (left, y - 8.0), (scale.clamped(score.value) - left, 16.0), "");
        let estimate = Estimate { value: score.value, agents: [score.low, score.high], rule: None };
        whiskers(&mut drawing, 0, &estimate, &scale, |x, across| (x, y + across));
        let [value, low, high] = [score.value, score.low, score.high].map(|share| 100.0 * share);
        let numbers = format!("{value:.1} [{low:.1}, {high:.1}]");
        drawing.text("", (right + 14.0, y), Anchor::Start, &numbers);
    }
    drawing
}
