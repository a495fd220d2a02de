//! What the network learns.

use super::*;

/// A name, a colour, and points on the axis.
pub(super) type Curve<'a> = (&'a str, RGBColor, Vec<(f64, f64)>);

/// Curves, named at their ends.
pub(super) fn curves(area: &Area, axis: &Axis, title: &str, last_panel: bool, curves: &[Curve]) -> Drawn {
    heading(area, title)?;
    let values = || curves.iter().flat_map(|(_, _, points)| points.iter());
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
        .build_cartesian_2d(axis.range(false), bottom..top)?;
    axes(&mut chart, axis, last_panel, 4)?;
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
