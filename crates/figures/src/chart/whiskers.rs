//! Marks of estimates, and whiskers (lines that show intervals). Arrows replace what is outside the
//! axis.

use super::Look;
use crate::scale::Scale;
use crate::svg::{Drawing, px};
use catapult_stats::Estimate;

/// Draws the whiskers of an estimate along the axis of `scale`. The thick whisker is the interval
/// for these networks, the thin one the interval for other seeds. A whisker that ends outside the
/// axis is cut there and gets an arrow.
///
/// `at` converts a position along the axis and an offset across it, both in pixels, to coordinates
/// (x, y). `color` is the index of the colour in the style sheet.
pub fn whiskers(
    drawing: &mut Drawing,
    color: usize,
    estimate: &Estimate,
    scale: &Scale,
    at: impl Fn(f64, f64) -> (f64, f64),
) {
    let mut all = Whiskers::default();
    all.add(estimate, scale, at);
    all.draw(drawing, color);
}

/// Whiskers of a series, collected into two SVG paths: one for thin lines and one for thick lines.
#[derive(Default)]
pub struct Whiskers {
    thin: String,
    thick: String,
}

impl Whiskers {
    /// Adds the whiskers of an estimate. `scale` and `at` have the same meaning as in [`whiskers`].
    pub fn add(&mut self, estimate: &Estimate, scale: &Scale, at: impl Fn(f64, f64) -> (f64, f64)) {
        if let Some(rule) = estimate.rule {
            self.bar(rule, Some(3.0), scale, &at);
        }
        self.bar(estimate.agents, None, scale, &at);
    }

    /// Draws all whiskers added so far. `color` is the index of the colour in the style sheet.
    pub fn draw(&self, drawing: &mut Drawing, color: usize) {
        drawing.path(&format!("s{color} thin"), &self.thin);
        drawing.path(&format!("s{color} thick"), &self.thick);
    }

    /// Adds one whisker. If `cap` is given, the whisker is thin, and each end has a cap of this
    /// half-width in pixels. Otherwise it is thick and has no caps. If an end is NaN, nothing is
    /// added.
    fn bar(&mut self, ends: [f64; 2], cap: Option<f64>, scale: &Scale, at: &impl Fn(f64, f64) -> (f64, f64)) {
        if ends.iter().any(|end| end.is_nan()) {
            return;
        }
        let inwards = (scale.range[1] - scale.range[0]).signum() * 5.0;
        let [low, high] = ends.map(|end| scale.clamped(end).round());
        let whole = if cap.is_some() { &mut self.thin } else { &mut self.thick };
        strokes(whole, &[at(low, 0.0), at(high, 0.0)]);
        for (end, pixel, inwards) in [(ends[0], low, inwards), (ends[1], high, -inwards)] {
            if !scale.holds(end) {
                let arrow = [at(pixel + inwards, -4.0), at(pixel, 0.0), at(pixel + inwards, 4.0)];
                strokes(&mut self.thin, &arrow);
            } else if let Some(cap) = cap {
                strokes(&mut self.thin, &[at(pixel, -cap), at(pixel, cap)]);
            }
        }
    }
}

/// Appends lines from point to point to an SVG path, as the shortest path commands.
fn strokes(path: &mut String, points: &[(f64, f64)]) {
    let mut last: Option<(String, String)> = None;
    for (x, y) in points {
        let (x, y) = (px(*x), px(*y));
        *path += &match &last {
            None => format!("M{x} {y}"),
            Some((before, _)) if *before == x => format!("V{y}"),
            Some((_, before)) if *before == y => format!("H{x}"),
            Some(_) => format!("L{x} {y}"),
        };
        last = Some((x, y));
    }
}

/// Draws the mark of a series at `value` on the axis of `scale`. If the value is outside the axis,
/// an arrow at the edge replaces the mark. `at` has the same meaning as in [`whiskers`]. `tip` is
/// the tooltip.
pub fn mark(
    drawing: &mut Drawing,
    look: Look,
    (value, scale): (f64, &Scale),
    at: impl Fn(f64, f64) -> (f64, f64),
    tip: &str,
) {
    let pixel = scale.clamped(value).round();
    if scale.holds(value) {
        return look.mark(drawing, at(pixel, 0.0), tip);
    }
    let upwards = if value > scale.domain[1] { 1.0 } else { -1.0 };
    let inwards = -upwards * (scale.range[1] - scale.range[0]).signum() * 9.0;
    let corners = [at(pixel, 0.0), at(pixel + inwards, -4.5), at(pixel + inwards, 4.5)];
    drawing.polygon(&format!("f{}", look.color()), &corners, tip);
}

#[cfg(test)]
mod tests {
    use super::super::Fill;
    use super::*;

    #[test]
    fn values_outside_become_arrows_at_the_edge() {
        let scale = Scale { domain: [0.0, 10.0], range: [0.0, 100.0] };
        let look = Look { index: 0, fill: Fill::Full };
        let drawn = |value: f64| {
            let mut drawing = Drawing::new(100.0, 20.0);
            mark(&mut drawing, look, (value, &scale), |x, across| (x, 10.0 + across), "");
            drawing.inline("")
        };
        assert!(drawn(5.0).contains("M46.4 10a3.6"), "{}", drawn(5.0));
        assert!(drawn(12.0).contains("points=\"100,10 91,5.5 91,14.5\""), "{}", drawn(12.0));
        assert!(drawn(-3.0).contains("points=\"0,10 9,5.5 9,14.5\""), "{}", drawn(-3.0));
    }

    #[test]
    fn whiskers_of_a_series_are_two_paths_with_arrows_where_they_go_on() {
        let scale = Scale { domain: [0.0, 10.0], range: [0.0, 100.0] };
        let mut drawing = Drawing::new(100.0, 20.0);
        let estimate = Estimate { value: 5.0, agents: [4.0, 6.0], rule: Some([2.0, 30.0]) };
        whiskers(&mut drawing, 1, &estimate, &scale, |x, across| (x, 10.0 + across));
        let svg = drawing.inline("");
        assert!(svg.contains(r#"class="s1 thick" d="M40 10H60""#), "{svg}");
        // There is a cap at 2 and an arrow at the right edge.
        assert!(svg.contains(r#"class="s1 thin" d="M20 10H100M20 7V13M95 6L100 10L95 14""#), "{svg}");
    }
}
