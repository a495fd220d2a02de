//! Conversion of values to pixels, and axis ticks.

/// A linear map from values on an axis to pixels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scale {
    /// Smallest and largest value on the axis.
    pub domain: [f64; 2],
    /// Positions of the two values of `domain`, in pixels.
    pub range: [f64; 2],
}

impl Scale {
    /// Returns the position of a value in pixels. A value outside the domain has a position outside
    /// the range.
    pub fn at(&self, value: f64) -> f64 {
        let share = (value - self.domain[0]) / (self.domain[1] - self.domain[0]);
        self.range[0] + share * (self.range[1] - self.range[0])
    }

    /// Returns the position in pixels of a value after clamping the value to the domain.
    pub fn clamped(&self, value: f64) -> f64 {
        self.at(value.clamp(self.domain[0], self.domain[1]))
    }

    /// Returns true if a value is within the domain, including its ends.
    pub fn holds(&self, value: f64) -> bool {
        (self.domain[0]..=self.domain[1]).contains(&value)
    }

    /// Returns round values within the domain, and the distance between them. The number of values
    /// is approximately `about`.
    pub fn ticks(&self, about: usize) -> (Vec<f64>, f64) {
        let step = step(self.domain[1] - self.domain[0], about);
        let first = (self.domain[0] / step - 1e-9).ceil() as i64;
        let last = (self.domain[1] / step + 1e-9).floor() as i64;
        ((first..=last).map(|i| i as f64 * step).collect(), step)
    }
}

/// Returns a step of 1, 2 or 5 times a power of ten that divides `span` into approximately `parts`
/// parts.
fn step(span: f64, parts: usize) -> f64 {
    let rough = span / parts.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    // These geometric means separate the steps.
    let nearest = [(2f64.sqrt(), 1.0), (10f64.sqrt(), 2.0), (50f64.sqrt(), 5.0)];
    let factor = nearest.into_iter().find(|(end, _)| rough < end * power).map_or(10.0, |(_, factor)| factor);
    factor * power
}

/// Returns the domain (smallest and largest value) of an axis, within `limits`.
///
/// The domain includes all of `core` with a margin. It also includes values of `outer` whose
/// distance from `core` is at most the span of `core`. Other values of `outer`, such as the ends of
/// wide intervals, are cut because they would compress everything else. Values that are not finite
/// are ignored. If `core` is empty, the domain is `limits`, or `[0, 1]` if a limit is infinite.
pub fn domain(
    core: impl IntoIterator<Item = f64>,
    outer: impl IntoIterator<Item = f64>,
    limits: [f64; 2],
) -> [f64; 2] {
    let span = |values: &mut dyn Iterator<Item = f64>| {
        values
            .filter(|v| v.is_finite())
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)])
    };
    let [low, high] = span(&mut core.into_iter());
    if low > high {
        return if limits.iter().all(|l| l.is_finite()) { limits } else { [0.0, 1.0] };
    }
    let size = high.abs().max(low.abs());
    // A single value has no span. It gets a tenth of its size, or one if it is zero.
    let reach = match high - low {
        span if span > 0.02 * size => span,
        _ if size > 0.0 => 0.1 * size,
        _ => 1.0,
    };
    let [low, high] = if high - low < reach { [low - reach / 2.0, high + reach / 2.0] } else { [low, high] };
    let near = |value: &f64| (low - reach..=high + reach).contains(value);
    let [outer_low, outer_high] = span(&mut outer.into_iter().filter(near));
    let (low, high) = (outer_low.min(low) - 0.06 * reach, outer_high.max(high) + 0.06 * reach);
    // An axis that begins near its natural zero begins at zero.
    let low = if limits[0] == 0.0 && low < 0.3 * high { 0.0 } else { low };
    let [low, high] = [low.max(limits[0]), high.min(limits[1])];
    if high - low > 1e-9 { [low, high] } else { [low - 0.5 * reach, high + 0.5 * reach] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let scale = Scale { domain: [0.13, 0.92], range: [0.0, 100.0] };
        let (ticks, step) = scale.ticks(4);
        assert_eq!(step, 0.2);
        let texts: Vec<String> = ticks.iter().map(|t| format!("{t:.1}")).collect();
        assert_eq!(texts, ["0.2", "0.4", "0.6", "0.8"]);
        assert!((scale.at(0.525) - 50.0).abs() < 1e-9);
        assert_eq!(scale.clamped(7.0), 100.0);
    }

    #[test]
    fn a_domain_shows_the_core_and_cuts_what_is_far_out() {
        let [low, high] = domain([1.0, 2.0], [-50.0, 2.3], [f64::NEG_INFINITY, f64::INFINITY]);
        assert!((0.9..1.0).contains(&low) && (2.3..2.4).contains(&high), "{low} {high}");
        assert_eq!(domain([0.0, 1.0], [], [0.0, 1.0]), [0.0, 1.0]);
        let [low, high] = domain([3.0], [f64::NAN], [0.0, f64::INFINITY]);
        assert!(low < 3.0 && high > 3.0);
        assert_eq!(domain([], [], [0.0, 1.0]), [0.0, 1.0]);
    }
}
