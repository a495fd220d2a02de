//! One picture of a run: how its games end, what the network learns, and how strong it has become.

mod axis;
mod curves;
mod endings;
mod scores;
mod strength;

pub use axis::Over;

use crate::TrainingError;
use crate::ladder::Strengths;
use crate::report::{GenerationReport, LearningReport};
use axis::{Axis, axes};
use catapult_arena::MatchResult;
use curves::curves;
use endings::endings;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use scores::scores;
use strength::strength;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

const WIDTH: u32 = 900;
const PANELS: u32 = 350;
const STRENGTH: u32 = 270;
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

/// What is drawn of a run.
pub struct Picture<'a> {
    /// The line above all.
    pub title: &'a str,
    /// Every generation's report, in order.
    pub reports: &'a [GenerationReport],
    /// The strength of generations that have been rated.
    pub strengths: &'a Strengths,
    /// The matches at the end.
    pub matches: &'a [MatchResult],
    /// What stands on the horizontal axis.
    pub over: Over,
}

/// Draws a run as SVG, 900 pixels wide: the shares of games by how they ended, the losses of policy and value over the
/// generations, their strength and the scores of the matches where there are any.
///
/// # Errors
/// There is no generation with games yet.
pub fn svg(picture: &Picture) -> Result<String, TrainingError> {
    if !picture.reports.iter().any(|report| report.games.is_some()) {
        return Err(TrainingError::Chart(
            "no generation is complete yet, so there is nothing to draw".into(),
        ));
    }
    let rows = picture.matches.len() as u32;
    let strength = if picture.strengths.points.is_empty() { 0 } else { STRENGTH };
    let height = TITLE + PANELS + strength + if rows > 0 { rows * ROW + AROUND_ROWS } else { 0 };
    let mut text = String::new();
    draw(&mut text, height, picture).map_err(|error| TrainingError::Chart(error.to_string()))?;
    Ok(text)
}

fn draw(text: &mut String, height: u32, picture: &Picture) -> Drawn {
    let reports = picture.reports;
    let axis = Axis::new(picture.over, reports);
    let whole = SVGBackend::with_string(text, (WIDTH, height)).into_drawing_area();
    whole.fill(&WHITE)?;
    whole.draw_text(picture.title, &font(18, INK, HPos::Left), (16, 24))?;
    let (panels, mut rest) = whole.margin(TITLE, 0, 0, 0).split_vertically(PANELS);
    let (left, right) = panels.split_horizontally(WIDTH / 2 + 20);
    endings(&left, &axis, reports)?;
    let (upper, lower) = right.split_vertically(PANELS * 11 / 20);
    let learned = |of: &dyn Fn(&LearningReport) -> f64| -> Vec<(f64, f64)> {
        let points = reports.iter().filter_map(|r| Some((axis.at(r.generation), of(r.learning.as_ref()?))));
        points.collect()
    };
    let policy = learned(&|l| l.losses.policy.into());
    let entropy = learned(&|l| l.policy_target_entropy);
    let policy = [("reached", BLUE, policy), ("entropy of its targets", ORANGE, entropy)];
    curves(&upper, &axis, "Policy loss (nats)", false, &policy)?;
    let value = learned(&|l| l.losses.value.into());
    curves(&lower, &axis, "Value loss (nats)", true, &[("loss", GREEN, value)])?;
    if !picture.strengths.points.is_empty() {
        let area;
        (area, rest) = rest.split_vertically(STRENGTH);
        strength(&area, &axis, picture.strengths)?;
    }
    if !picture.matches.is_empty() {
        scores(&rest, picture.matches)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ladder::Strength;
    use crate::report::GamesReport;
    use catapult_arena::rating::Rating;
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
            state: None,
            games: Some(games),
            learning: Some(learning),
            work: None,
        }
    }

    fn picture<'a>(reports: &'a [GenerationReport], strengths: &'a Strengths) -> Picture<'a> {
        Picture { title: "a run", reports, strengths, matches: &[], over: Over::Generations }
    }

    fn untrained() -> GenerationReport {
        GenerationReport {
            generation: 0,
            initial: None,
            network: String::new(),
            state: None,
            games: None,
            learning: None,
            work: None,
        }
    }

    /// Sizes (`width` or `height`) of the filled rectangles of a colour that are wider than a swatch of the legend.
    fn sizes(svg: &str, color: RGBColor, which: &str) -> Vec<f64> {
        let fill = format!("fill=\"#{:02X}{:02X}{:02X}\"", color.0, color.1, color.2);
        let bars = svg.lines().filter(|line| line.starts_with("<rect") && line.contains(&fill));
        let wide = bars.filter(|line| number(line, "width=\"") > 13.0);
        wide.map(|line| number(line, &format!("{which}=\""))).collect()
    }

    fn number(line: &str, name: &str) -> f64 {
        let begin = line.find(name).unwrap() + name.len();
        line[begin..].split('"').next().unwrap().parse().unwrap()
    }

    #[test]
    fn bars_are_as_high_as_their_shares() {
        let svg = svg(&picture(&[untrained(), report(1), report(2)], &Strengths::default())).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        let (white, black, repeated) =
            (sizes(&svg, SKY, "height"), sizes(&svg, BLUE, "height"), sizes(&svg, VERMILION, "height"));
        assert_eq!([white.len(), black.len(), repeated.len()], [2, 2, 2]);
        let whole = white[0] + black[0] + repeated[0];
        for (height, share) in [(white[0], 0.5), (black[1], 0.2), (repeated[1], 0.3)] {
            assert!((height / whole - share).abs() < 0.01, "{height} of {whole}");
        }
        // What never happened is not in the legend.
        assert!(svg.contains("repetition") && !svg.contains("stalemate"));
    }

    #[test]
    fn bars_over_evaluations_are_as_wide_as_what_they_cost() {
        let mut reports = [untrained(), report(1), report(2)];
        for (report, (evaluations, seconds)) in reports[1..].iter_mut().zip([(1000, 3599.0), (3000, 7199.0)])
        {
            let games = report.games.as_mut().unwrap();
            (games.evaluations, games.seconds) = (evaluations, seconds);
        }
        let none = Strengths::default();
        for (over, share, name) in [
            (Over::Evaluations, 0.25, "thousand evaluations"),
            (Over::Hours, 1.0 / 3.0, "hours of playing and learning"),
        ] {
            let svg = svg(&Picture { over, ..picture(&reports, &none) }).unwrap();
            let widths = sizes(&svg, SKY, "width");
            assert!((widths[0] / (widths[0] + widths[1]) - share).abs() < 0.01, "{widths:?}");
            assert!(svg.contains(name), "{over}");
        }
        assert_eq!("hours".parse(), Ok(Over::Hours));
        assert!("years".parse::<Over>().unwrap_err().contains("generations, evaluations, hours"));
    }

    #[test]
    fn strength_stands_where_it_was_rated() {
        let value = |elo| Rating::Value { elo, low: Some(elo - 50.0), high: Some(elo + 50.0) };
        let point = |generation, level: &str, rating| Strength { generation, level: level.into(), rating };
        let points = vec![
            point(0, "64", Rating::AtMost { elo: -400.0 }),
            point(1, "64", value(-100.0)),
            point(2, "64", value(300.0)),
            point(1, "400", value(100.0)),
            point(2, "400", Rating::Unknown),
        ];
        let strengths = Strengths { zero: "alphabeta:1q".into(), points };
        let reports = [untrained(), report(1), report(2)];
        let drawn = svg(&picture(&reports, &strengths)).unwrap();
        for words in ["Elo above alphabeta:1q", "400 simulations", "64 simulations"] {
            assert!(drawn.contains(words), "{words}");
        }
        // The dots of both levels: 400 Elo between the first, 200 from one level to the other.
        let dots = |color: RGBColor| -> Vec<f64> {
            let fill = format!("fill=\"#{:02X}{:02X}{:02X}\"", color.0, color.1, color.2);
            let dots = drawn.lines().filter(|line| line.starts_with("<circle") && line.contains(&fill));
            dots.map(|line| number(line, "cy=\"")).filter(|y| *y > f64::from(TITLE + PANELS)).collect()
        };
        let (low, high) = (dots(BLUE), dots(VERMILION));
        assert_eq!((low.len(), high.len()), (2, 1));
        assert!(((low[0] - high[0]) / (low[0] - low[1]) - 0.5).abs() < 0.03, "{low:?} {high:?}");
        // Nothing to draw.
        let points = vec![point(1, "64", Rating::Unknown)];
        let strengths = Strengths { zero: "random".into(), points };
        assert!(svg(&picture(&reports, &strengths)).unwrap().contains("no generation is joined"));
    }

    #[test]
    fn a_run_without_games_is_refused() {
        let error = svg(&picture(&[untrained()], &Strengths::default())).unwrap_err();
        assert!(error.to_string().contains("no generation"), "{error}");
    }
}
