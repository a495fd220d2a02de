//! Strength of a network against the registered reference opponents.
//!
//! Half a lost and half a won pair of games are added to every match, as a weak prior for equal
//! strength. A match won or lost outright therefore has a finite strength with a large error. No
//! match is dropped because of its result.

use catapult_measures::data::{NetworkId, SampleId};
use catapult_measures::results::Strength;
use catapult_stats::{Pentanomial, elo_of_score};

/// Elo and its standard error.
pub(super) type Known = (f64, f64);

/// Returns a network's mean Elo over the reference opponents, with its standard error. `sample`
/// gives the rule set, the checkpoint and the search level. `None` without reference opponents, or
/// if a match against one of them is missing.
pub(super) fn strength(
    sample: &SampleId,
    network: &NetworkId,
    reference_opponents: &[String],
    strengths: &[Strength],
) -> Option<Known> {
    let is_its = |strength: &&Strength| {
        strength.network == *network && strength.sample() == *sample && strength.result.games > 0
    };
    let met = |name: &String| {
        let mut its = strengths.iter().filter(is_its);
        its.find(|strength| strength.opponent == *name).map(|strength| elo(&strength.result.pairs))
    };
    let elo: Vec<Known> = reference_opponents.iter().map(met).collect::<Option<_>>()?;
    let n = elo.len() as f64;
    let (sum, squares) =
        elo.iter().fold((0.0, 0.0), |(sum, squares), (elo, error)| (sum + elo, squares + error * error));
    (n > 0.0).then_some((sum / n, squares.sqrt() / n))
}

/// Returns the Elo of a match and its standard error, after adding half a lost and half a won pair
/// to `pairs`.
fn elo(pairs: &Pentanomial) -> Known {
    let (n, score, variance) = pairs.padded_moments();
    // Slope of the logistic curve: Elo per point of score.
    let slope = 400.0 / std::f64::consts::LN_10 / (score * (1.0 - score));
    (elo_of_score(score), slope * (variance / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_stats::testing::close;

    #[test]
    fn strength_is_that_of_the_padded_match() {
        // By hand, from 10 pairs and the two half pairs: the score is (0.25 * 2 + 0.5 * 4 + 0.75 *
        // 2 + 1.5) / 11 = 0.5.
        let (value, error) = elo(&Pentanomial([1, 2, 4, 2, 1]));
        close(value, 0.0, 1e-9);
        // The variance is (3 * 0.25 + 4 * 0.0625) / 11 = 1 / 11, for the mean of 11 pairs. The
        // slope is 694.87 Elo per point.
        close(error, 694.871_1 / 11.0, 1e-3);
    }

    #[test]
    fn a_match_won_outright_is_far_off_and_little_known() {
        let (all, all_error) = elo(&Pentanomial([0, 0, 0, 0, 50]));
        let (most, most_error) = elo(&Pentanomial([0, 0, 0, 1, 49]));
        let (lost, _) = elo(&Pentanomial([50, 0, 0, 0, 0]));
        // The score 50.5 / 51 is 400 log10(101) = 801.7 Elo. The error is sqrt(0.0098 / 51) times
        // the slope there.
        close(all, 801.728_55, 1e-4);
        close(lost, -all, 1e-9);
        assert!(all > most, "{all} {most}");
        assert!(all_error > most_error && (200.0..300.0).contains(&all_error), "{all_error} {most_error}");
        // A longer match won outright shows more strength.
        assert!(elo(&Pentanomial([0, 0, 0, 0, 500])).0 > all);
    }
}
