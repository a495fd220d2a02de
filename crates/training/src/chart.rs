//! One picture of a run: how its games end, what the network learns, and how strong it has become.

use crate::TrainingError;
use crate::report::{GamesReport, GenerationReport};
use catapult_arena::MatchResult;
use catapult_rules::Outcome;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

const WIDTH: u32 = 900;
const PANELS: u32 = 350;
const TITLE: u32 = 44;
/// Height of a match and of what stands around the matches.
const ROW: u32 = 25;
const AROUND_ROWS: u32 = 74;

// The palette of Okabe and Ito, which people with any kind of colour vision can tell apart.
const BLUE: RGBColor = RGBColor(0, 114, 178);
const SKY: RGBColor = RGBColor(86, 180, 233);
const ORANGE: RGBColor = RGBColor(230, 159, 0);
const VERMILION: RGBColor = RGBColor(213, 94, 0);
const GREEN: RGBColor = RGBColor(0, 158, 115);
const PURPLE: RGBColor = RGBColor(204, 121, 167);
const GREY: RGBColor = RGBColor(190, 190, 190);
const INK: RGBColor = RGBColor(40, 40, 40);
const FAINT: RGBColor = RGBColor(225, 225, 225);

/// Draws a run as SVG, 900 pixels wide: the shares of games by how they ended, the losses of policy and value over the
/// generations, and the scores of the matches where there are any.
///
/// # Errors
/// There is no generation with games yet.
pub fn svg(
    title: &str,
    reports: &[GenerationReport],
    matches: &[MatchResult],
) -> Result<String, TrainingError> {
    if !reports.iter().any(|report| report.games.is_some()) {
        return Err(TrainingError::Chart(
            "no generation is complete yet, so there is nothing to draw".into(),
        ));
    }
    let rows = matches.len() as u32;
    let height = TITLE + PANELS + if rows > 0 { rows * ROW + AROUND_ROWS } else { 0 };
    let mut text = String::new();
    draw(&mut text, height, title, reports, matches)
        .map_err(|error| TrainingError::Chart(error.to_string()))?;
    Ok(text)
}

fn draw(
    text: &mut String,
    height: u32,
    title: &str,
    reports: &[GenerationReport],
    matches: &[MatchResult],
) -> Drawn {
    let whole = SVGBackend::with_string(text, (WIDTH, height)).into_drawing_area();
    whole.fill(&WHITE)?;
    whole.draw_text(title, &font(18, INK, HPos::Left), (16, 24))?;
    let (panels, matches_area) = whole.margin(TITLE, 0, 0, 0).split_vertically(PANELS);
    let (left, right) = panels.split_horizontally(WIDTH / 2 + 20);
    endings(&left, reports)?;
    let (upper, lower) = right.split_vertically(PANELS * 11 / 20);
    let learned = |of: &dyn Fn(&crate::report::LearningReport) -> f64| -> Vec<(f64, f64)> {
        let points = reports.iter().filter_map(|r| Some((f64::from(r.generation), of(r.learning.as_ref()?))));
        points.collect()
    };
    let policy = learned(&|l| l.losses.policy.into());
    let entropy = learned(&|l| l.policy_target_entropy);
    curves(
        &upper,
        "Policy loss (nats)",
        false,
        &[("reached", BLUE, policy), ("entropy of its targets", ORANGE, entropy)],
    )?;
    let value = learned(&|l| l.losses.value.into());
    curves(&lower, "Value loss (nats)", true, &[("loss", GREEN, value)])?;
    if !matches.is_empty() {
        scores(&matches_area, matches)?;
    }
    whole.present()?;
    Ok(())
}

/// A text style; texts are centred vertically on their position.
fn font(size: i32, color: RGBColor, at: HPos) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&color).pos(Pos::new(at, VPos::Center))
}

fn heading(area: &Area, text: &str) -> Drawn {
    area.draw_text(text, &font(14, INK, HPos::Left), (16, 10))?;
    Ok(())
}

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
fn endings(area: &Area, reports: &[GenerationReport]) -> Drawn {
    heading(area, "How games end (% of a generation's games)")?;
    let generations: Vec<(f64, [Share; 7])> =
        reports.iter().filter_map(|r| Some((f64::from(r.generation), ways(r.games.as_ref()?)))).collect();
    let last = generations.last().map_or(1.0, |g| g.0);
    let (plot, legend) = area.margin(18, 0, 0, 0).split_horizontally(WIDTH / 2 - 96);
    let mut chart = ChartBuilder::on(&plot)
        .margin_right(8)
        .margin_left(8)
        .margin_top(8)
        .margin_bottom(6)
        .x_label_area_size(38)
        .y_label_area_size(38)
        .build_cartesian_2d(0.5..last + 0.5, 0.0..100.0)?;
    axes(&mut chart, last, "generation", 5)?;
    for (generation, ways) in &generations {
        let mut base = 0.0;
        for (_, color, share) in ways {
            let top = base + 100.0 * share;
            if *share > 0.0 {
                let bar = [(generation - 0.4, base), (generation + 0.4, top)];
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

/// A name, a colour, and points (generation, value).
type Curve<'a> = (&'a str, RGBColor, Vec<(f64, f64)>);

/// Curves over the generations, named at their ends.
fn curves(area: &Area, title: &str, last_panel: bool, curves: &[Curve]) -> Drawn {
    heading(area, title)?;
    let values = || curves.iter().flat_map(|(_, _, points)| points.iter());
    let last = values().map(|p| p.0).fold(1.0, f64::max);
    let least = values().map(|p| p.1).fold(f64::INFINITY, f64::min);
    let most = values().map(|p| p.1).fold(f64::NEG_INFINITY, f64::max);
    let room = 0.12 * (most - least).max(0.1 * most).max(0.01);
    // The name of a lower curve stands below it.
    let below = if curves.len() > 1 { 2.2 * room } else { room };
    let (bottom, top) = ((least - below).max(0.0), most + room);
    let mut chart = ChartBuilder::on(&area.margin(18, 0, 0, 0))
        .margin_right(24)
        .margin_left(8)
        .margin_top(8)
        .margin_bottom(6)
        .x_label_area_size(if last_panel { 38 } else { 20 })
        .y_label_area_size(38)
        .build_cartesian_2d(0.5..last + 0.5, bottom..top)?;
    axes(&mut chart, last, if last_panel { "generation" } else { "" }, 4)?;
    for (name, color, points) in curves {
        chart.draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(2)))?;
        chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, color.filled())))?;
        if curves.len() > 1
            && let Some(&(x, y)) = points.last()
        {
            // Above the upper curve and below the lower one, so that no name lies on a curve.
            let above = curves.iter().all(|(_, _, others)| others.last().is_none_or(|other| other.1 <= y));
            let style = font(13, *color, HPos::Right);
            let label = EmptyElement::at((x, y))
                + Text::new((*name).to_owned(), (6, if above { -14 } else { 14 }), style);
            chart.draw_series([label])?;
        }
    }
    Ok(())
}

/// Both axes: generations as whole numbers, and a few faint lines.
fn axes(chart: &mut Chart, last: f64, x_name: &str, lines: usize) -> Drawn {
    let number = |value: &f64| {
        let text = format!("{value:.2}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    let label = font(12, INK, HPos::Left);
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .axis_style(INK)
        .label_style(("sans-serif", 12).into_font().color(&INK))
        .axis_desc_style(label)
        .x_labels((last as usize).min(10))
        .x_label_formatter(&|x| if x.fract() == 0.0 { format!("{x:.0}") } else { String::new() })
        .y_labels(lines)
        .y_label_formatter(&number)
        .x_desc(x_name)
        .draw()?;
    Ok(())
}

/// The score of each match with its interval.
fn scores(area: &Area, matches: &[MatchResult]) -> Drawn {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::LearningReport;
    use catapult_network::Losses;

    fn report(generation: u32) -> GenerationReport {
        let games = GamesReport {
            games: 10,
            wins: [5, 2],
            outcomes: [("checkmate".to_owned(), 7), ("repetition".to_owned(), 3)].into(),
            ..Default::default()
        };
        let losses =
            Losses { total: 3.0, policy: 2.0, value: 1.0, moves_left: 0.1, future: 1.0, gradient_norm: 1.0 };
        let learning = LearningReport {
            new_rows: 100,
            window_rows: 100,
            steps: 1,
            total_steps: 1,
            learning_rate: 0.1,
            losses,
            policy_target_entropy: 1.5,
            arms: Default::default(),
            seconds: 1.0,
        };
        GenerationReport {
            generation,
            initial: None,
            network: String::new(),
            games: Some(games),
            learning: Some(learning),
        }
    }

    /// Heights of the filled rectangles of a colour that are wider than a swatch of the legend.
    fn heights(svg: &str, color: RGBColor) -> Vec<f64> {
        let fill = format!("fill=\"#{:02X}{:02X}{:02X}\"", color.0, color.1, color.2);
        let number = |line: &str, name: &str| -> f64 {
            let begin = line.find(name).unwrap() + name.len();
            line[begin..].split('"').next().unwrap().parse().unwrap()
        };
        let bars = svg.lines().filter(|line| line.starts_with("<rect") && line.contains(&fill));
        let wide = bars.filter(|line| number(line, "width=\"") > 13.0);
        wide.map(|line| number(line, "height=\"")).collect()
    }

    #[test]
    fn bars_are_as_high_as_their_shares() {
        let svg = svg("a run", &[report(1), report(2)], &[]).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        let (white, black, repeated) = (heights(&svg, SKY), heights(&svg, BLUE), heights(&svg, VERMILION));
        assert_eq!([white.len(), black.len(), repeated.len()], [2, 2, 2]);
        let whole = white[0] + black[0] + repeated[0];
        for (height, share) in [(white[0], 0.5), (black[1], 0.2), (repeated[1], 0.3)] {
            assert!((height / whole - share).abs() < 0.01, "{height} of {whole}");
        }
        // What never happened is not in the legend.
        assert!(svg.contains("repetition") && !svg.contains("stalemate"));
    }

    #[test]
    fn a_run_without_games_is_refused() {
        let untrained = GenerationReport {
            generation: 0,
            initial: None,
            network: String::new(),
            games: None,
            learning: None,
        };
        let error = svg("a run", &[untrained], &[]).unwrap_err();
        assert!(error.to_string().contains("no generation"), "{error}");
    }
}
