//! How games end.

use super::*;
use crate::report::GamesReport;
use catapult_rules::Outcome;

/// What a game may end by, from the bottom of the stack up.
fn ways(games: &GamesReport) -> [Share; 7] {
    let of_games = |count: u64| count as f64 / games.games.max(1) as f64;
    [
        ("White wins", SKY, of_games(games.wins[0])),
        ("Black wins", BLUE, of_games(games.wins[1])),
        ("stalemate", GREEN, games.share(Outcome::Stalemate)),
        ("dead position", PURPLE, games.share(Outcome::Dead)),
        ("100 plies", ORANGE, games.share(Outcome::HundredPlies)),
        ("repetition", VERMILION, games.share(Outcome::Repetition)),
        ("cut at a cap", GREY, games.share(Outcome::Capped)),
    ]
}

/// A way to end, its colour, and its share of the games.
type Share = (&'static str, RGBColor, f64);

/// Stacked shares of the games of each generation by how they ended.
pub(super) fn endings(area: &Area, axis: &Axis, reports: &[GenerationReport]) -> Drawn {
    heading(area, "How games end (% of a generation's games)")?;
    let generations: Vec<(u32, [Share; 7])> =
        reports.iter().filter_map(|r| Some((r.generation, ways(r.games.as_ref()?)))).collect();
    let (plot, legend) = area.margin(18, 0, 0, 0).split_horizontally(WIDTH / 2 - 96);
    let mut chart = ChartBuilder::on(&plot)
        .margin_right(8)
        .margin_left(8)
        .margin_top(8)
        .margin_bottom(6)
        .x_label_area_size(38)
        .y_label_area_size(38)
        .build_cartesian_2d(axis.range(false), 0.0..100.0)?;
    axes(&mut chart, axis, true, 5)?;
    for (generation, ways) in &generations {
        let (left, right) = axis.span(*generation);
        let mut base = 0.0;
        for (_, color, share) in ways {
            let top = base + 100.0 * share;
            if *share > 0.0 {
                let bar = [(left, base), (right, top)];
                chart.draw_series([Rectangle::new(bar, color.filled())])?;
            }
            base = top;
        }
    }
    // The legend in the order of the stack, without what never happened.
    let happened = (0..7).rev().filter(|&way| generations.iter().any(|(_, ways)| ways[way].2 > 0.0));
    for (line, way) in happened.enumerate() {
        let (name, color, _) = generations[0].1[way];
        let y = 16 + 21 * line as i32;
        legend.draw(&Rectangle::new([(2, y - 6), (14, y + 6)], color.filled()))?;
        legend.draw_text(name, &font(13, INK, HPos::Left), (20, y))?;
    }
    Ok(())
}
