//! Chart of a run: outcomes of its games, losses, strength and final matches.

mod axis;
mod curves;
mod endings;
mod scores;
mod strength;

use crate::TrainingError;
use crate::ladder::Strengths;
use crate::report::{GenerationReport, LearningReport};
use catapult_arena::MatchResult;
use catapult_figures::svg::Drawing;
use curves::curves;
use endings::endings;
use scores::scores;
use strength::strength;

/// Width of the chart in pixels.
const WIDTH: f64 = 900.0;
/// Width of the left panel in pixels. This panel shows the outcomes of games.
const LEFT: f64 = 480.0;
/// Space between panels in pixels.
const GAP: f64 = 16.0;

/// Returns a run's chart as SVG, about 900 pixels wide, with `title` above all panels. `reports` are
/// the reports of all generations, in order. The chart shows the outcomes of games and the losses of
/// policy and value. It also shows the strengths of the rated generations and the results of the
/// final matches, if there are any.
///
/// # Errors
/// No complete generation has games.
pub fn svg(
    title: &str,
    reports: &[GenerationReport],
    strengths: &Strengths,
    matches: &[MatchResult],
) -> Result<String, TrainingError> {
    if !reports.iter().any(|report| report.games.is_some()) {
        let text = "chart: no generation is complete yet, so there is nothing to draw";
        return Err(TrainingError::Other(text.into()));
    }
    let last = reports.last().map_or(0, |report| report.generation);
    let learned = |of: &dyn Fn(&LearningReport) -> f64| -> Vec<(u32, f64)> {
        // Without a step, no loss was measured.
        let measured = |learning: &LearningReport| (learning.steps > 0).then(|| of(learning));
        reports.iter().filter_map(|r| Some((r.generation, measured(r.learning.as_ref()?)?))).collect()
    };
    let policy = learned(&|l| l.losses.policy.into());
    let entropy =
        reports.iter().filter_map(|r| Some((r.generation, r.learning.as_ref()?.policy_target_entropy)));
    let entropy: Vec<(u32, f64)> = entropy.collect();
    let value = learned(&|l| l.losses.value.into());
    let right = WIDTH - LEFT - GAP;
    let policy = [("reached", 1, policy), ("entropy of its targets", 2, entropy)];
    let upper = curves(last, "Policy loss (nats)", right, &policy);
    let lower = curves(last, "Value loss (nats)", right, &[("loss", 3, value)]);
    let left = endings(last, LEFT, reports);

    let mut whole = Drawing::new(WIDTH, 0.0);
    whole.place((0.0, 0.0), &left);
    whole.place((LEFT + GAP, 0.0), &upper);
    whole.place((LEFT + GAP, upper.height + GAP), &lower);
    whole.height = left.height.max(upper.height + GAP + lower.height);
    let mut below = |panel: Drawing| {
        whole.place((0.0, whole.height + GAP), &panel);
        whole.height += GAP + panel.height;
    };
    if !strengths.points.is_empty() {
        below(strength(last, WIDTH, strengths));
    }
    if !matches.is_empty() {
        below(scores(WIDTH, matches));
    }
    Ok(whole.file(title))
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
        let (games, learning) = (Some(games), Some(learning));
        GenerationReport { generation, games, learning, ..GenerationReport::default() }
    }

    fn chart(reports: &[GenerationReport], strengths: &Strengths) -> Result<String, TrainingError> {
        svg("a run", reports, strengths, &[])
    }

    /// Returns the heights of all rectangles of a CSS class, except rectangles of the legend.
    fn heights(svg: &str, class: &str) -> Vec<f64> {
        let head = format!("<rect class=\"{class}\"");
        let wide = svg.lines().filter(|line| line.starts_with(&head) && number(line, "width=\"") > 13.0);
        wide.map(|line| number(line, "height=\"")).collect()
    }

    fn number(line: &str, name: &str) -> f64 {
        let begin = line.find(name).unwrap() + name.len();
        let digits = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
        line[begin..].split(|c| !digits(c)).next().unwrap().parse().unwrap()
    }

    #[test]
    fn bars_are_as_high_as_their_shares() {
        let svg = chart(&[GenerationReport::default(), report(1), report(2)], &Strengths::default()).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        let [white, black, repeated] = ["f6", "f1", "f5"].map(|class| heights(&svg, class));
        assert_eq!([white.len(), black.len(), repeated.len()], [2, 2, 2]);
        let whole = white[0] + black[0] + repeated[0];
        for (height, share) in [(white[0], 0.5), (black[1], 0.2), (repeated[1], 0.3)] {
            assert!((height / whole - share).abs() < 0.01, "{height} of {whole}");
        }
        // Ways that never occur are not in the legend.
        assert!(svg.contains("repetition") && !svg.contains("stalemate"));
    }

    #[test]
    fn tablebase_draws_are_a_way_of_their_own() {
        let mut drawn = report(1);
        // Two of the four games that a tablebase ended are among the seven wins.
        let outcomes = [("checkmate", 5), ("repetition", 1), ("tablebase", 4)];
        drawn.games.as_mut().unwrap().outcomes =
            outcomes.map(|(outcome, games)| (outcome.to_owned(), games)).into();
        let svg = chart(&[drawn], &Strengths::default()).unwrap();
        let (tablebase, repeated) = (heights(&svg, "f7"), heights(&svg, "f5"));
        assert!((tablebase[0] / repeated[0] - 2.0).abs() < 0.01, "{tablebase:?} {repeated:?}");
        assert!(svg.contains("tablebase draw"));
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
        let reports = [GenerationReport::default(), report(1), report(2)];
        let drawn = chart(&reports, &strengths).unwrap();
        for words in ["Elo above alphabeta:1q", "400 simulations", "64 simulations"] {
            assert!(drawn.contains(words), "{words}");
        }
        // Marks of both levels: 400 Elo lie between the first two, 200 between the levels. A square
        // is drawn from a corner 3.3 above its centre, a disc from the height of its centre.
        let marks = |class: &str| -> Vec<f64> {
            let head = format!("<path class=\"{class}\" d=\"M");
            let marks = drawn
                .lines()
                .filter(|line| line.starts_with(&head) && line.contains("simulations, generation"));
            marks.map(|line| number(line[head.len()..].split_once(' ').unwrap().1, "")).collect()
        };
        let (low, high) = (marks("f1"), marks("f5"));
        assert_eq!((low.len(), high.len()), (2, 1));
        let share = (low[0] + 3.3 - high[0]) / (low[0] - low[1]);
        assert!((share - 0.5).abs() < 0.03, "{low:?} {high:?}");
        // Nothing to draw.
        let points = vec![point(1, "64", Rating::Unknown)];
        let strengths = Strengths { zero: "random".into(), points };
        assert!(chart(&reports, &strengths).unwrap().contains("no generation is connected"));
    }

    #[test]
    fn a_run_without_games_is_refused() {
        let error = chart(&[GenerationReport::default()], &Strengths::default()).unwrap_err();
        assert!(error.to_string().contains("no generation"), "{error}");
    }
}
