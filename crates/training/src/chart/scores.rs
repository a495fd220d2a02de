//! The matches at the end of a run.

use super::*;
use catapult_arena::MatchResult;

/// The score of each match with its interval.
pub(super) fn scores(area: &Area, matches: &[MatchResult]) -> Drawn {
    let games = matches.iter().map(|m| m.games).max().unwrap_or(0);
    let mut title = format!("Matches of {games} games: score in %, 95 % interval");
    if let Some((name, simulations)) = matches[0].player.rsplit_once(':') {
        title += &format!(" ({name}:{simulations} makes {simulations} simulations a move)");
    }
    heading(area, &title)?;
    let names_end =
        matches.iter().map(|m| m.player.len() + m.opponent.len()).max().unwrap_or(0) as i32 * 7 + 60;
    let (left, right) = (names_end.clamp(160, 380), WIDTH as i32 - 150);
    let x = |share: f64| left + (share * f64::from(right - left)).round() as i32;
    let (top, row) = (26, ROW as i32);
    let bottom = top + row * matches.len() as i32;
    for percent in [0, 25, 50, 75, 100] {
        let at = x(f64::from(percent) / 100.0);
        let line = if percent == 50 { GREY } else { FAINT };
        area.draw(&PathElement::new(vec![(at, top), (at, bottom)], line.stroke_width(1)))?;
        area.draw_text(&percent.to_string(), &font(12, INK, HPos::Center), (at, bottom + 12))?;
    }
    for (at, played) in matches.iter().enumerate() {
        let y = top + row * at as i32 + row / 2;
        // The player whose strength is in question stands first; those it is compared with are paler.
        let color = if played.player == matches[0].player { BLUE } else { GREY };
        let score = &played.score;
        let versus = format!("{} against {}", played.player, played.opponent);
        area.draw_text(&versus, &font(13, INK, HPos::Right), (left - 10, y))?;
        area.draw(&Rectangle::new([(left, y - 8), (x(score.value), y + 8)], color.filled()))?;
        let (low, high) = (x(score.low), x(score.high));
        area.draw(&PathElement::new(vec![(low, y), (high, y)], INK.stroke_width(2)))?;
        for end in [low, high] {
            area.draw(&PathElement::new(vec![(end, y - 5), (end, y + 5)], INK.stroke_width(2)))?;
        }
        let [value, low, high] = [score.value, score.low, score.high].map(|share| 100.0 * share);
        let numbers = format!("{value:.1} [{low:.1}, {high:.1}]");
        area.draw_text(&numbers, &font(13, INK, HPos::Left), (right + 14, y))?;
    }
    Ok(())
}
