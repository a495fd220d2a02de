//! Figure of the draw rate against strength. It compares arms at equal strength.

use super::figure::Figure;
use super::view::{ResultsView, elo_of_match, level_label};
use crate::results::{Chapter, Unit};
use catapult_arena::PlayerSpec;
use catapult_figures::chart::Key;
use catapult_figures::chart::scatter::{Line, Point, Scatter};
use catapult_figures::format;
use catapult_measures::data::SampleId;
use catapult_stats::{Row, least_squares};

/// Id of the plotted metric.
const DRAW_RATE: &str = "draw_rate";

/// Returns the figure of each sample's draw rate against its Elo, with a least-squares line per arm
/// and agent. Elo is relative to one fixed opponent. Returns `None` if no sample has both numbers.
pub(super) fn figure(view: &ResultsView) -> Option<Figure> {
    let opponent = reference_opponent(view)?;
    let (mut keys, mut points, mut lines): (Vec<Key>, Vec<Point>, Vec<Line>) = Default::default();
    for series in &view.series {
        let mut of_series = Vec::new();
        for &at in &view.levels {
            let Some(measure) = view.measure(DRAW_RATE, series, at) else { continue };
            let Some(pairs) = view.strength(&measure.sample, opponent) else { continue };
            let name = format!("{}, {}", series.label, level_label(at));
            let x = elo_of_match(pairs);
            of_series.push(Point { look: series.look, name, x, y: measure.estimate });
        }
        if of_series.is_empty() {
            continue;
        }
        let mut name = series.label.clone();
        if let Some((intercept, slope, ends)) = line(&of_series) {
            let xs = of_series.iter().map(|p| p.x.value);
            let range = [xs.clone().fold(f64::INFINITY, f64::min), xs.fold(f64::NEG_INFINITY, f64::max)];
            lines.push(Line { look: series.look, intercept, slope, range });
            let (slope, ends) = (100.0 * slope, ends.map(|end| 100.0 * end));
            let ends = format::difference_interval(ends, Unit::Share);
            name += &format!(": {} {ends} per 100 Elo", format::difference(slope, Unit::Share));
        }
        keys.push((Some(series.look), name));
        points.extend(of_series);
    }
    if points.is_empty() {
        return None;
    }
    let chart = Scatter {
        x: format!("strength: Elo against {opponent}"),
        x_unit: Unit::Elo,
        y: "draw rate (%)".to_owned(),
        y_unit: Unit::Share,
        keys,
        points,
        lines,
    };
    Some(Figure {
        id: "draws-against-strength".to_owned(),
        chapter: Some(Chapter::Strength),
        title: "Draw rate against strength".to_owned(),
        caption: format!(
            "Each mark is one arm at one level: how often its games are drawn, against how strong its \
             players are in that arm. Lines are least-squares fits over the levels of an arm with at least \
             three levels. The legend has their slopes with 95 % intervals. The intervals treat levels as \
             independent, although the same networks play them. Compare arms at the same place of the axis, \
             if {opponent} is equally strong in each."
        ),
        drawing: chart.draw(),
    })
}

/// Returns the alpha-beta opponent that separates the levels best: the one with the most scores
/// between 3 and 97 %. Ties go to the last in the order of the results. `None` without alpha-beta
/// opponents.
fn reference_opponent<'a>(view: &ResultsView<'a>) -> Option<&'a str> {
    let samples: Vec<SampleId> = view.measured_samples();
    let telling = |opponent: &str| {
        let tells = |sample: &&SampleId| {
            view.strength(sample, opponent).is_some_and(|pairs| (0.03..=0.97).contains(&pairs.mean()))
        };
        samples.iter().filter(tells).count()
    };
    let is_anchor = |opponent: &&str| matches!(opponent.parse(), Ok(PlayerSpec::AlphaBeta { .. }));
    view.opponents().into_iter().filter(is_anchor).max_by_key(|opponent| telling(opponent))
}

/// Returns intercept, slope and the slope's interval of a least-squares line. `None` with fewer
/// than three points or without variation in x.
fn line(points: &[Point]) -> Option<(f64, f64, [f64; 2])> {
    let row = |point: &Point| Row { x: vec![1.0, point.x.value], y: point.y.value, weight: 1.0 };
    let fit = least_squares(&points.iter().map(row).collect::<Vec<_>>())?;
    Some((fit.coefficients[0], fit.coefficients[1], fit.interval(1)))
}
