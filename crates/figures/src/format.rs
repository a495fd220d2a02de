//! Formatting of numbers for pages and charts, by unit.

use crate::Unit;
use catapult_stats::Estimate;

/// Returns the name of a unit, for an axis or a column head. It is empty for counts and ratios.
pub fn unit_name(unit: Unit) -> &'static str {
    match unit {
        Unit::Share => "%",
        Unit::Plies => "plies",
        Unit::Nats => "nats",
        Unit::Elo => "Elo",
        Unit::Pawns => "pawns",
        Unit::Count | Unit::Ratio => "",
    }
}

/// Returns the name of the unit of a difference. It is `pp` (percentage points) for shares, else
/// the name of `unit`.
pub fn difference_unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Share => "pp",
        other => unit_name(other),
    }
}

/// Returns the number to print and its number of decimals. Shares from 0 to 1 become percentages.
fn scaled(value: f64, unit: Unit) -> (f64, usize) {
    match unit {
        Unit::Share => (100.0 * value, 1),
        Unit::Plies => (value, 1),
        Unit::Nats | Unit::Pawns => (value, 2),
        Unit::Elo => (value, 0),
        Unit::Count | Unit::Ratio => (value, digits(value)),
    }
}

/// Returns the number of decimals, 0 to 3, that gives about three significant digits.
fn digits(value: f64) -> usize {
    match value.abs() {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 1.0 || v == 0.0 => 2,
        _ => 3,
    }
}

/// Formats a number with `digits` decimals and without a negative zero. Numbers of 10 million or
/// more have scientific notation, such as `1.20e7`. NaN is a dash, and infinity is `∞`.
fn fixed(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return if value.is_nan() { "–".to_owned() } else { format!("{value}").replace("inf", "∞") };
    }
    if value.abs() >= 1e7 {
        return format!("{value:.2e}").replace('-', "−");
    }
    let text = format!("{value:.digits$}");
    let zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if zero { text.replace('-', "") } else { text.replace('-', "−") }
}

/// Formats a number without the unit's name. Shares from 0 to 1 become percentages.
pub fn number(value: f64, unit: Unit) -> String {
    let (value, digits) = scaled(value, unit);
    fixed(value, digits)
}

/// Formats a number with its sign and without the unit's name.
fn signed(value: f64, unit: Unit) -> String {
    let text = number(value, unit);
    if value > 0.0 { format!("+{text}") } else { text }
}

/// Formats a number with the unit's name, such as `12.5 %`.
pub fn value(value: f64, unit: Unit) -> String {
    with_unit(number(value, unit), unit_name(unit))
}

/// Formats a difference with its sign and the unit's name, such as `+1.2 pp`.
pub fn difference(difference: f64, unit: Unit) -> String {
    with_unit(signed(difference, unit), difference_unit(unit))
}

fn with_unit(number: String, unit: &str) -> String {
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

/// Formats an interval as `[low, high]`, without the unit's name.
pub fn interval(ends: [f64; 2], unit: Unit) -> String {
    let [low, high] = ends.map(|end| number(end, unit));
    format!("[{low}, {high}]")
}

/// Formats an interval of a difference as `[low, high]`, with signs and without the unit's name.
pub fn difference_interval(ends: [f64; 2], unit: Unit) -> String {
    let [low, high] = ends.map(|end| signed(end, unit));
    format!("[{low}, {high}]")
}

/// Formats both 95 % intervals of a difference: `for these networks [..], for other seeds [..]`. If
/// the second interval is missing, its text is `open`.
pub fn both(difference: &Estimate, unit: Unit) -> String {
    let rule = difference.rule.map_or_else(|| "open".to_owned(), |ends| difference_interval(ends, unit));
    format!("for these networks {}, for other seeds {rule}", difference_interval(difference.agents, unit))
}

/// Formats a tooltip: the name, the value and its interval for these networks. It is short, because
/// a page has thousands of tooltips.
pub fn tip(name: &str, estimate: &Estimate, unit: Unit) -> String {
    format!("{name}: {} {}", value(estimate.value, unit), interval(estimate.agents, unit))
}

/// Formats the tooltip of a difference: the name, the value and both 95 % intervals.
pub fn difference_tip(name: &str, estimate: &Estimate, unit: Unit) -> String {
    format!("{name}: {}; {}", difference(estimate.value, unit), both(estimate, unit))
}

/// Formats the label of an axis tick at `value`. It has as many decimals as the distance `step`
/// between ticks needs.
pub fn tick(value: f64, step: f64, unit: Unit) -> String {
    let (value, step) = if unit == Unit::Share { (100.0 * value, 100.0 * step) } else { (value, step) };
    fixed(value, (-step.log10() - 1e-9).ceil().clamp(0.0, 6.0) as usize)
}

/// Formats a probability or p-value with two or three decimals. Values below 0.001 and above 0.999
/// are written as `<0.001` and `>0.999`.
pub fn probability(p: f64) -> String {
    match p {
        p if p.is_nan() => "–".to_owned(),
        p if p < 0.001 => "<0.001".to_owned(),
        p if p < 0.01 => format!("{p:.3}"),
        p if p > 0.999 => ">0.999".to_owned(),
        p if p > 0.99 => format!("{p:.3}"),
        p => format!("{p:.2}"),
    }
}

/// Formats a significance level with up to four decimals, which distinguish 0.05 / k(k + 1) up to
/// the twelfth look.
pub fn significance_level(alpha: f64) -> String {
    let text = format!("{alpha:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats a p-value with the sign that follows the letter p: `= 0.03` or `< 0.001`.
pub fn p_value(p: f64) -> String {
    let text = probability(p);
    match text.chars().next() {
        Some(sign @ ('<' | '>')) => format!("{sign} {}", &text[1..]),
        _ => format!("= {text}"),
    }
}

/// Formats a count with narrow spaces between groups of three digits.
pub fn count(value: u64) -> String {
    match value {
        0..1000 => value.to_string(),
        _ => format!("{}\u{202f}{:03}", count(value / 1000), value % 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_carry_their_unit_and_no_more_digits_than_they_mean() {
        assert_eq!(value(0.12345, Unit::Share), "12.3 %");
        assert_eq!(value(123.456, Unit::Plies), "123.5 plies");
        assert_eq!(value(0.01234, Unit::Count), "0.012");
        assert_eq!(value(1234.5, Unit::Ratio), "1234");
        assert_eq!(value(f64::NAN, Unit::Pawns), "– pawns");
        assert_eq!(value(-41.6, Unit::Elo), "−42 Elo");
        assert_eq!(number(3.2e9, Unit::Count), "3.20e9");
        assert_eq!(number(-3.2e9, Unit::Count), "−3.20e9");
        assert_eq!(difference(0.0312, Unit::Share), "+3.1 pp");
        assert_eq!(difference(-0.00001, Unit::Share), "0.0 pp");
        assert_eq!(difference_interval([-0.5, 0.25], Unit::Pawns), "[−0.50, +0.25]");
    }

    #[test]
    fn open_intervals_are_said_to_be_open() {
        let mut estimate = Estimate { value: 0.5, agents: [-0.4, 0.6], rule: None };
        let both = |estimate: &Estimate| both(estimate, Unit::Share);
        assert_eq!(both(&estimate), "for these networks [−40.0, +60.0], for other seeds open");
        estimate.rule = Some([0.3, 0.7]);
        assert_eq!(both(&estimate), "for these networks [−40.0, +60.0], for other seeds [+30.0, +70.0]");
    }

    #[test]
    fn ticks_counts_and_probabilities() {
        assert_eq!(tick(0.2, 0.05, Unit::Share), "20");
        assert_eq!(tick(0.005, 0.005, Unit::Share), "0.5");
        assert_eq!(tick(150.0, 50.0, Unit::Plies), "150");
        assert_eq!(tick(0.25, 0.05, Unit::Ratio), "0.25");
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(count(100), "100");
        assert_eq!([0.0004, 0.031].map(p_value), ["< 0.001", "= 0.03"]);
        assert_eq!(
            [0.0, 0.004, 0.25, 0.995, 1.0].map(probability),
            ["<0.001", "0.004", "0.25", "0.995", ">0.999"]
        );
    }
}
