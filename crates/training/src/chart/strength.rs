//! How strong the generations are.

use super::*;
use crate::ladder::Strengths;
use catapult_arena::rating::Rating;

/// A colour a level, in their order.
const COLORS: [RGBColor; 5] = [BLUE, VERMILION, GREEN, PURPLE, ORANGE];

/// Half the width of the line at an interval's end, pixels.
const CAP: i32 = 4;

/// The strength of the generations at each level with its interval; a bound is an arrow that leads away from it.
pub(super) fn strength(area: &Area, axis: &Axis, strengths: &Strengths) -> Drawn {
    heading(area, &format!("Strength (Elo above {}, 95 % intervals; arrows are bounds)", strengths.zero))?;
    let points = &strengths.points;
    let placed = points.iter().filter_map(|point| match point.rating {
        Rating::Value { elo, low, high } => Some([low.unwrap_or(elo), high.unwrap_or(elo)]),
        Rating::AtLeast { elo } | Rating::AtMost { elo } => Some([elo, elo]),
        Rating::Unknown => None,
    });
    let least = placed.clone().map(|ends| ends[0]).fold(f64::INFINITY, f64::min);
    let most = placed.map(|ends| ends[1]).fold(f64::NEG_INFINITY, f64::max);
    if least > most {
        area.draw_text("no generation is joined to it", &font(13, INK, HPos::Left), (30, 40))?;
        return Ok(());
    }
    let room = (0.08 * (most - least)).max(40.0);
    let mut levels: Vec<&str> = points.iter().map(|point| point.level.as_str()).collect();
    levels.dedup();
    let mut chart = ChartBuilder::on(&area.margin(18, 0, 0, 0))
        .margin_right(24)
        .margin_left(8)
        .margin_top(8)
        .margin_bottom(6)
        .x_label_area_size(38)
        .y_label_area_size(46)
        .build_cartesian_2d(axis.range(true), least - room..most + room)?;
    axes(&mut chart, axis, true, 6)?;
    let range = axis.range(true);
    let aside = 0.006 * (range.end - range.start);
    let mut names_end = WIDTH as i32 - 24;
    for (number, level) in levels.iter().enumerate().rev() {
        let color = COLORS[number % COLORS.len()];
        let own = points.iter().filter(|point| point.level == *level);
        let mut line = Vec::new();
        for point in own {
            // A little apart, so that no interval hides another.
            let x = axis.at(point.generation) + aside * (number as f64 - (levels.len() - 1) as f64 / 2.0);
            match point.rating {
                Rating::Value { elo, low, high } => {
                    line.push((x, elo));
                    // An open end leads as far as the picture goes, without a line across.
                    let (bottom, top) = (low.unwrap_or(least - room), high.unwrap_or(most + room));
                    chart.draw_series([PathElement::new([(x, bottom), (x, top)], color.stroke_width(1))])?;
                    for end in [low, high].into_iter().flatten() {
                        let across = PathElement::new([(-CAP, 0), (CAP, 0)], color.stroke_width(1));
                        chart.draw_series([EmptyElement::at((x, end)) + across])?;
                    }
                }
                Rating::AtLeast { elo } => arrow(&mut chart, (x, elo), -1, color)?,
                Rating::AtMost { elo } => arrow(&mut chart, (x, elo), 1, color)?,
                Rating::Unknown => {}
            }
        }
        chart.draw_series(LineSeries::new(line.iter().copied(), color.stroke_width(2)))?;
        chart.draw_series(line.iter().map(|&point| Circle::new(point, 3, color.filled())))?;
        // Named from the right in the line of the heading.
        let name = match level.rsplit_once(':') {
            Some((variant, simulations)) => format!("{variant}, {simulations} simulations"),
            None => format!("{level} simulations"),
        };
        area.draw_text(&name, &font(13, color, HPos::Right), (names_end, 10))?;
        names_end -= 6 * name.len() as i32 + 16;
    }
    Ok(())
}

/// From a point up (-1) or down (1).
fn arrow(chart: &mut Chart, at: (f64, f64), way: i32, color: RGBColor) -> Drawn {
    let style = color.stroke_width(2);
    let shaft = EmptyElement::at(at)
        + PathElement::new([(0, 0), (0, 14 * way)], style)
        + PathElement::new([(-CAP, 9 * way), (0, 14 * way), (CAP, 9 * way)], style);
    chart.draw_series([shaft])?;
    let foot = PathElement::new([(-CAP, 0), (CAP, 0)], style);
    chart.draw_series([EmptyElement::at(at) + foot])?;
    Ok(())
}
