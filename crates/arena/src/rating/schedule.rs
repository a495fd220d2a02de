//! Who should play next: games go where they narrow the widest interval most.

use super::bounds::{Standing, standings};
use super::contest::Contest;
use super::fit::{Prior, fit};
use super::model::{Model, NATURAL};

/// Pairs of games that a pairing gets at a time.
pub const BLOCK_PAIRS: u32 = 10;

/// Expected scores between which a pairing may be played.
const THINKABLE: std::ops::RangeInclusive<f64> = 0.06..=0.94;

/// How far off a guess may be, and how little is known without one: standard deviations, Elo.
const GUESS_SD: f64 = 200.0;
const NO_GUESS_SD: f64 = 1000.0;

/// A block that narrows the widest interval's variance by less than this share is not worth its games.
const LEAST_GAIN: f64 = 0.002;

/// Milliseconds a move, of both players together, that cost nothing yet: beyond them a pairing that takes twice as long must tell twice
/// as much.
const CHEAP: f64 = 100.0;

/// A player's place in a plan.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Seat {
    /// Where it may stand, Elo above the zero. It steers who plays whom and is no part of a rating.
    pub guess: Option<f64>,
    /// How long it takes over a move, milliseconds, about: a constant, never measured, so that the same games follow from the same.
    pub cost: f64,
    /// Whether its interval is to be narrowed; the others play where that helps.
    pub is_target: bool,
}

/// What there is to spend, and on whom.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The players.
    pub seats: Vec<Seat>,
    /// The one that stands at 0.
    pub zero: usize,
    /// Games in all.
    pub games: u32,
    /// The most games of one pairing: beyond it another opponent says more of how well a single scale fits.
    pub games_a_pairing: u32,
}

impl Plan {
    /// The pairings, lower number first, that play [`BLOCK_PAIRS`] pairs next; none when the plan is done. The same games give the same
    /// answer.
    ///
    /// Ratings and their covariances are those of a fit that leans on the guesses. Again and again the target of the largest variance
    /// is taken, and the pairing whose block would take most from it, which may be its own or one that joins its opponents to the zero:
    /// with covariances S, v = e_i - e_j, u = e_target and m the block's information, (u'Sv)^2 m / (1 + m v'Sv), less where its games
    /// take long. A target that the games do not hold from both sides looks only among pairings of those that they do not hold. A
    /// pairing is given up when the fit expects less than 6 % or more than 94 %: never for its own score, since to stop where a score
    /// happens to be extreme would bias ratings outwards.
    pub fn next_round(&self, contests: &[Contest]) -> Vec<(usize, usize)> {
        let players = self.seats.len();
        let fit_with = |draws: f64| {
            let stretch = Model::stretch(draws);
            let prior = |seat: &Seat| match seat.guess {
                Some(guess) => (stretch * guess, stretch * GUESS_SD),
                None => (0.0, stretch * NO_GUESS_SD),
            };
            let prior = Prior { ratings: self.seats.iter().map(prior).collect() };
            fit(contests, self.zero, &prior, None)
        };
        // How far guesses are stretched depends on draws, of which a first fit knows enough.
        let known = fit_with(fit_with(Prior::LN_DRAWS.0.exp()).model.draws);
        let mut covariances = known.covariances();
        let mut played = vec![vec![0; players]; players];
        let mut open: Vec<(usize, usize)> =
            (0..players).flat_map(|a| (a + 1..players).map(move |b| (a, b))).collect();
        for contest in contests {
            let (a, b) = (contest.first.min(contest.second), contest.first.max(contest.second));
            played[a][b] = 2 * contest.pairs();
        }
        open.retain(|&(a, b)| played[a][b] + 2 * BLOCK_PAIRS <= self.games_a_pairing);
        open.retain(|&(a, b)| THINKABLE.contains(&known.model.score(a, b).0));
        let standings = standings(contests, players, self.zero);
        let unit = NATURAL * Model::stretch(known.model.draws);
        let information = |(a, b)| unit * unit * f64::from(2 * BLOCK_PAIRS) * known.model.score(a, b).1;
        let mut targets: Vec<usize> =
            (0..players).filter(|&p| p != self.zero && self.seats[p].is_target).collect();
        let mut left = self.games.saturating_sub(played.iter().flatten().sum()) / (2 * BLOCK_PAIRS);
        let round = targets.len();
        let mut chosen = Vec::new();
        while chosen.len() < round && left > 0 && !targets.is_empty() {
            // Of equals the first: `max_by` would give the last.
            let widest = |a: &&usize, b: &&usize| covariances[**a][**a].total_cmp(&covariances[**b][**b]);
            let Some(&target) = targets.iter().rev().max_by(widest) else { break };
            let gain = |&(a, b): &(usize, usize)| {
                let m = information((a, b));
                let moved = covariances[target][a] - covariances[target][b];
                let spread = covariances[a][a] + covariances[b][b] - 2.0 * covariances[a][b];
                moved * moved * m / (1.0 + m * spread)
            };
            let worth = |pairing: &(usize, usize)| {
                let cost = self.seats[pairing.0].cost + self.seats[pairing.1].cost;
                gain(pairing) / (cost / CHEAP).max(1.0)
            };
            let is_held = |player: usize| standings[player] == Standing::Held;
            let may = |&&(a, b): &&(usize, usize)| is_held(target) || !is_held(a) || !is_held(b);
            let best = open.iter().rev().filter(may).max_by(|a, b| worth(a).total_cmp(&worth(b))).copied();
            match best.filter(|best| gain(best) > LEAST_GAIN * covariances[target][target]) {
                Some((a, b)) => {
                    add_information(&mut covariances, (a, b), information((a, b)));
                    open.retain(|pairing| *pairing != (a, b));
                    chosen.push((a, b));
                    left -= 1;
                }
                None => targets.retain(|other| *other != target),
            }
        }
        chosen
    }
}

/// Covariances after games of a pairing with so much information on its difference.
fn add_information(covariances: &mut [Vec<f64>], (a, b): (usize, usize), information: f64) {
    let column: Vec<f64> = covariances.iter().map(|row| row[a] - row[b]).collect();
    let factor = information / (1.0 + information * (column[a] - column[b]));
    for (row, &own) in covariances.iter_mut().zip(&column) {
        for (value, &other) in row.iter_mut().zip(&column) {
            *value -= factor * own * other;
        }
    }
}
