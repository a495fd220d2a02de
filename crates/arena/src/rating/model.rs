//! Davidson's model of game results, with a term for White's advantage.

/// Factor that converts 400 log10(w) to ln(w), the natural unit. The ratio w is wins / losses.
pub(crate) const NATURAL: f64 = std::f64::consts::LN_10 / 400.0;

/// Parameters of Davidson's model. They determine the expected results of games.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// Rating of each player in Elo, by the player's index.
    pub ratings: Vec<f64>,
    /// White's advantage in Elo.
    pub white: f64,
    /// Davidson's nu: the number of draws between equal players, divided by the number of one
    /// player's wins.
    pub draws: f64,
}

impl Model {
    /// Returns 1 + nu / 2, where `draws` is nu. A difference in Elo, multiplied by this factor, is
    /// 400 log10(wins / losses). With the factor, the expected score near one half changes with Elo
    /// as on the logistic curve.
    pub(crate) fn stretch(draws: f64) -> f64 {
        1.0 + draws / 2.0
    }

    /// Returns the probabilities that White loses, draws and wins. `white` and `black` are indices
    /// of players.
    pub fn chances(&self, white: usize, black: usize) -> [f64; 3] {
        let difference = self.ratings[white] - self.ratings[black] + self.white;
        chances(NATURAL * Self::stretch(self.draws) * difference, self.draws.ln())
    }

    /// Returns the expected score per game of player `first` against `second`, from 0 to 1, and the
    /// score's variance. Both are means over the two colours.
    pub fn score(&self, first: usize, second: usize) -> (f64, f64) {
        let [lost, drawn, won] = self.chances(first, second);
        let [won_as_black, drawn_as_black, lost_as_black] = self.chances(second, first);
        let white = moments([lost, drawn, won]);
        let black = moments([lost_as_black, drawn_as_black, won_as_black]);
        ((white.0 + black.0) / 2.0, (white.1 + black.1) / 2.0)
    }
}

/// Returns the probabilities of White's loss, draw and win. `x` is ln(wins / losses) of White, and
/// `eta` is ln nu.
pub(crate) fn chances(x: f64, eta: f64) -> [f64; 3] {
    let logits = [0.0, eta + x / 2.0, x];
    let most = logits.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let weights = logits.map(|logit| (logit - most).exp());
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// Returns the mean and variance of a game's score, given the probabilities of the scores 0, 1/2
/// and 1.
pub(crate) fn moments([_, drawn, won]: [f64; 3]) -> (f64, f64) {
    let mean = won + drawn / 2.0;
    (mean, won + drawn / 4.0 - mean * mean)
}
