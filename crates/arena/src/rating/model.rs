//! Davidson's model with a colour term.

/// Natural units in one Elo.
pub(crate) const NATURAL: f64 = std::f64::consts::LN_10 / 400.0;

/// What games are expected to bring.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// Each player's rating, Elo.
    pub ratings: Vec<f64>,
    /// What White is worth, Elo.
    pub white: f64,
    /// Davidson's nu: between equals, draws to wins of one side.
    pub draws: f64,
}

impl Model {
    /// By how much the model's logarithm of wins to losses is larger than a difference in Elo, in Elo's units: 1 without draws. With it
    /// an expected score changes near a half as the logistic curve does.
    pub(crate) fn stretch(draws: f64) -> f64 {
        1.0 + draws / 2.0
    }

    /// Chances that White loses, draws and wins.
    pub fn chances(&self, white: usize, black: usize) -> [f64; 3] {
        let difference = self.ratings[white] - self.ratings[black] + self.white;
        chances(NATURAL * Self::stretch(self.draws) * difference, self.draws.ln())
    }

    /// The first player's expected score of a game, over both colours, and the variance of one.
    pub fn score(&self, first: usize, second: usize) -> (f64, f64) {
        let [lost, drawn, won] = self.chances(first, second);
        let [won_as_black, drawn_as_black, lost_as_black] = self.chances(second, first);
        let white = moments([lost, drawn, won]);
        let black = moments([lost_as_black, drawn_as_black, won_as_black]);
        ((white.0 + black.0) / 2.0, (white.1 + black.1) / 2.0)
    }
}

/// Chances of White's loss, draw and win where the difference, colour included, is `x` and nu is e^`eta`.
pub(crate) fn chances(x: f64, eta: f64) -> [f64; 3] {
    let logits = [0.0, eta + x / 2.0, x];
    let most = logits.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let weights = logits.map(|logit| (logit - most).exp());
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// Mean and variance of the score under chances of 0, 1/2 and 1.
pub(crate) fn moments([_, drawn, won]: [f64; 3]) -> (f64, f64) {
    let mean = won + drawn / 2.0;
    (mean, won + drawn / 4.0 - mean * mean)
}
