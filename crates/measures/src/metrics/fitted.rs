//! Piece values that are fitted on the games of one sample, and reasons to doubt them.

use super::facts::GameFacts;
use super::quiet::is_quiet;
use super::sample::Sample;
use crate::results::{Doubt, Estimate};
use catapult_stats::{Evidence, Resampling, Row, tanh_evidence};

/// Distance in plies between the positions of a game that enter the fit. Adjacent positions are
/// nearly equal.
const EVERY: usize = 4;
/// First ply of a game that enters the fit. Earlier positions are omitted, because usually no
/// material has been lost yet.
const FIRST_PLY: usize = 10;
/// Minimum number of games in which the two sides' counts of a term differ. Terms with fewer such
/// games are not fitted.
const FEWEST_GAMES: usize = 10;

/// Returns the indices of the terms that are fitted. A term is fitted if its counts for the two
/// sides differ in at least [`FEWEST_GAMES`] games.
pub(super) fn valued<'a>(terms: &[&str], games: impl Iterator<Item = &'a GameFacts>) -> Vec<usize> {
    let mut differ = vec![0; terms.len()];
    for game in games {
        for (count, term) in differ.iter_mut().zip(0..) {
            *count += usize::from(positions(game).any(|ply| game.plies[ply].terms[term] != 0));
        }
    }
    (0..terms.len()).filter(|&term| differ[term] >= FEWEST_GAMES).collect()
}

/// Yields the indices of a game's plies that enter the fit.
fn positions(game: &GameFacts) -> impl Iterator<Item = usize> {
    (FIRST_PLY..game.plies.len()).step_by(EVERY).filter(|&ply| is_quiet(game, ply))
}

/// Returns a game's rows of the regression, one per position. The columns are a constant and the
/// terms with the indices `valued`. The weights of a game's rows add up to 1, because a game has
/// one result.
pub(super) fn rows(game: &GameFacts, valued: &[usize]) -> Vec<Row> {
    let plies: Vec<usize> = positions(game).collect();
    let weight = 1.0 / plies.len().max(1) as f64;
    let row = |ply: usize| {
        let differences = valued.iter().map(|&term| f64::from(game.plies[ply].terms[term]));
        let x = std::iter::once(1.0).chain(differences).collect();
        Row { x, y: 2.0 * game.white_score() - 1.0, weight }
    };
    plies.into_iter().map(row).collect()
}

/// Name of the pawn, the unit of all values.
pub(super) const PAWN: &str = "pawn";

/// The known order of values: pawn < knight, bishop < rook < queen. In each pair, the less valuable
/// piece comes first.
const ORDER: [[&str; 2]; 5] =
    [[PAWN, "knight"], [PAWN, "bishop"], ["knight", "rook"], ["bishop", "rook"], ["rook", "queen"]];

/// Fitted values of one sample's terms (pieces and combinations of pieces).
pub(super) struct Fitted {
    /// Number of games that have positions in the fit.
    pub games: usize,
    /// Fitted terms, each with its value in pawns, then its weight in the argument of tanh.
    pub values: Vec<(&'static str, Option<Evidence>, Option<Evidence>)>,
}

impl Fitted {
    /// Fits values for the terms with the indices `valued`. `None` if the pawn is not among them or
    /// the regression fails.
    pub(super) fn new(
        sample: &Sample,
        terms: &[&'static str],
        valued: &[usize],
        resampling: &Resampling,
    ) -> Option<Fitted> {
        let pawn = 1 + valued.iter().position(|&term| terms[term] == PAWN)?;
        let games = sample.games.filter_map(|game| Some(rows(game, valued)).filter(|rows| !rows.is_empty()));
        let both = |w: &[f64]| w[1..].iter().flat_map(|value| [value / w[pawn], *value]).collect();
        let found = tanh_evidence(&games, both, resampling)?;
        let values = valued.iter().zip(found.chunks(2));
        let value =
            |(&term, pair): (&usize, &[Option<Evidence>])| (terms[term], pair[0].clone(), pair[1].clone());
        Some(Fitted { games: games.len(), values: values.map(value).collect() })
    }

    /// Returns the weight, in the argument of tanh, of the term with this name. Unlike the value in
    /// pawns, the weight does not include the uncertainty of the pawn's weight.
    fn weight(&self, name: &str) -> Option<Estimate> {
        let (_, _, weight) = self.values.iter().find(|(term, ..)| *term == name)?;
        weight.as_ref().map(|evidence| evidence.estimate)
    }

    /// Returns the first reason to doubt the fitted values, or `None` if there is none.
    pub(super) fn doubt(&self) -> Option<Doubt> {
        let pawn = self.weight(PAWN).filter(|weight| weight.agents[0] > 0.0);
        let Some(pawn) = pawn else { return Some(Doubt::UselessPawn) };
        let weights = |[low, high]: [&str; 2]| self.weight(low).zip(self.weight(high));
        let is_ordered = |pair| weights(pair).is_some_and(|(low, high)| low.value < high.value);
        if !ORDER.into_iter().all(is_ordered) {
            let value =
                |name: &str| (name.to_owned(), self.weight(name).map(|weight| weight.value / pawn.value));
            let values = [PAWN, "knight", "bishop", "rook", "queen"].map(value).to_vec();
            return Some(Doubt::Order { values });
        }
        // The order holds. Check if the intervals are apart, too.
        let is_apart = |pair| weights(pair).is_some_and(|(low, high)| low.agents[1] < high.agents[0]);
        let open = ORDER.into_iter().filter(|pair| !is_apart(*pair));
        let pairs: Vec<[String; 2]> = open.map(|pair| pair.map(str::to_owned)).collect();
        (!pairs.is_empty()).then_some(Doubt::Overlap { pairs })
    }
}
