//! Panel of a run's chart: strength of the generations.

use super::axis::generations;
use crate::ladder::{Strength, Strengths};
use catapult_arena::rating::Rating;
use catapult_figures::chart::{Fill, Frame, Look, Whiskers, legend};
use catapult_figures::scale::{Scale, domain};
use catapult_figures::svg::{Anchor, Drawing, px};
use catapult_figures::{Unit, format};
use catapult_stats::Estimate;

/// Indices of the colours of levels, in order. A level is a number of simulations, in one variant.
const COLORS: [usize; 5] = [1, 5, 3, 4, 2];

/// Height of the plot in pixels.
const PLOT: f64 = 200.0;

/// Draws the strength of the generations up to `last` at each level, with 95 % intervals. If only a
/// bound is known, an arrow points from the bound towards the possible strengths. A level is a
/// number of simulations.
pub(super) fn strength(last: u32, width: f64, strengths: &Strengths) -> Drawing {
    let points = &strengths.points;
    let mut levels: Vec<&str> = points.iter().map(|point| point.level.as_str()).collect();
    levels.dedup();
    let look = |number: usize| Look { index: COLORS[number % COLORS.len()], fill: Fill::Full };
    let keys = levels.iter().enumerate().map(|(number, level)| (Some(look(number)), words(level)));
    let keys = legend(&keys.collect::<Vec<_>>(), width);
    let frame = Frame::new(0.0, width - 14.0, (20.0 + keys.height, PLOT), ("generation", ""));
    let mut drawing = Drawing::new(width, frame.bottom());
    let title = format!("Strength (Elo above {}, 95 % intervals; arrows are bounds)", strengths.zero);
    drawing.text("strong", (0.0, 8.0), Anchor::Start, &title);
    let placed: Vec<f64> = points.iter().flat_map(|point| point.rating.elos()).flatten().collect();
    if placed.is_empty() {
        drawing.height = 50.0;
        drawing.text(
            "",
            (14.0, 30.0),
            Anchor::Start,
            "no generation is connected to the reference player by games",
        );
        return drawing;
    }
    drawing.place((0.0, 18.0), &keys);
    let unbounded = [f64::NEG_INFINITY, f64::INFINITY];
    let vertical = Scale { domain: domain(placed, [], unbounded), range: [frame.y[1], frame.y[0]] };
    frame.vertical(&mut drawing, &vertical, Unit::Elo);
    let horizontal = generations(&mut drawing, &frame, [0, last]);
    for (number, level) in levels.iter().enumerate() {
        let color = COLORS[number % COLORS.len()];
        // Levels are shifted apart, so that no interval hides another.
        let aside = 5.0 * (number as f64 - (levels.len() - 1) as f64 / 2.0);
        // Generations without a report have the last position.
        let x = |point: &Strength| horizontal.at(point.generation.min(last).into()) + aside;
        let own: Vec<&Strength> = points.iter().filter(|point| point.level == *level).collect();
        let line = own.iter().filter_map(|point| match point.rating {
            Rating::Value { elo, .. } => Some((x(point), vertical.clamped(elo))),
            _ => None,
        });
        drawing.polyline(&format!("{} hair", look(number).line()), &line.collect::<Vec<_>>());
        let mut whiskers = Whiskers::default();
        for point in &own {
            match point.rating {
                Rating::Value { elo, low, high } => {
                    // An open end extends beyond the plot.
                    let agents = [low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY)];
                    let estimate = Estimate { value: elo, agents, rule: None };
                    whiskers.add(&estimate, &vertical, |y, across| (x(point) + across, y));
                    let name = format!("{}, generation {}", words(level), point.generation);
                    let tip = format::tip(&name, &estimate, Unit::Elo);
                    look(number).mark(&mut drawing, (x(point), vertical.clamped(elo)), &tip);
                }
                Rating::AtLeast { elo } => arrow(&mut drawing, color, (x(point), vertical.at(elo)), -1.0),
                Rating::AtMost { elo } => arrow(&mut drawing, color, (x(point), vertical.at(elo)), 1.0),
                Rating::Unknown => {}
            }
        }
        whiskers.draw(&mut drawing, color);
    }
    drawing
}

/// Returns the name of a level for readers, such as `64 simulations` or `chess, 64 simulations`.
fn words(level: &str) -> String {
    match level.rsplit_once(':') {
        Some((variant, simulations)) => format!("{variant}, {simulations} simulations"),
        None => format!("{level} simulations"),
    }
}

/// Draws the arrow of a bound at the pixel `(x, y)`. With the `way` -1 it points up, with 1 down. A
/// short horizontal line marks the bound.
fn arrow(drawing: &mut Drawing, color: usize, (x, y): (f64, f64), way: f64) {
    let [left, right, middle, tip, wing] = [x - 4.0, x + 4.0, x, y + 14.0 * way, y + 9.0 * way].map(px);
    let foot = px(y);
    let commands =
        format!("M{left} {foot}H{right}M{middle} {foot}V{tip}M{left} {wing}L{middle} {tip}L{right} {wing}");
    drawing.path(&format!("s{color} mid"), &commands);
}
