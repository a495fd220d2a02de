//! Metrics of the causes by which games end, and of their lengths.

use super::facts::{DECISIVE_LEAD, GameFacts};
use super::findings::{Findings, PerGame};
use super::sample::Sample;
use crate::rows::{metrics, per_game};
use catapult_rules::{Color, Outcome};
use catapult_stats::evidence;

/// Returns the contribution of one game to a share of games, as numerator and denominator: (1, 1)
/// if `holds`, else (0, 1).
fn games(holds: bool) -> (f64, f64) {
    (f64::from(holds), 1.0)
}

/// Returns true if one side is ahead in material by [`DECISIVE_LEAD`] or more at the end of the
/// game.
fn is_ahead(game: &GameFacts) -> bool {
    game.last_lead.abs() >= DECISIVE_LEAD
}

/// Returns true if the game has no winner and ended by `outcome`. `None` stands for all outcomes
/// without an entry in [`CAUSES`], such as the result of an endgame tablebase.
fn is_by(game: &GameFacts, outcome: Option<Outcome>) -> bool {
    let has_a_row = || CAUSES.iter().any(|(cause, _)| *cause == game.outcome);
    game.winner.is_none() && outcome.map_or_else(|| !has_a_row(), |outcome| game.outcome == outcome)
}

pub(super) const METRICS: &[PerGame] = per_game! {
    Endings Share "white_win_rate", "White wins", phrase: Phrase::Verb("is won by White");
        "Games won by White, of all games.";
        |game| games(game.winner == Some(Color::White));
    Endings Share "black_win_rate", "Black wins", phrase: Phrase::Verb("is won by Black");
        "Games won by Black, of all games.";
        |game| games(game.winner == Some(Color::Black));
    Endings Share "draw_rate", "draw rate", phrase: Phrase::Verb("is drawn");
        "Games without a winner, of all games. Games that the ply cap ends are among them.";
        |game| games(game.winner.is_none());
    Endings Share "decisive_rate", "decisive rate", phrase: Phrase::Verb("is won by one side");
        "Games with a winner, of all games.";
        |game| games(game.winner.is_some());
    Endings Share "white_score", "White's score", neutral: Some(0.5), phrase: Phrase::Noun("White's score");
        "White's mean score: 1 for a win, 1/2 for a game without a winner (Tomašev et al. 2020).";
        |game| (game.white_score(), 1.0);
    Endings Share "checkmate_rate", "checkmates", phrase: Phrase::Verb("ends in checkmate");
        "Games that end by checkmate, of all games.";
        |game| games(game.outcome == Outcome::Checkmate);
    Endings Share "capped_rate", "games truncated at the ply cap"; "Games that the ply cap ends, of all games.";
        |game| games(game.outcome == Outcome::Capped);
    Endings Share "drawn_dead", "drawn: dead position"; "Games that end in a dead position, of all games.";
        |game| games(is_by(game, Some(Outcome::Dead)));
    Endings Share "drawn_stalemate", "drawn: stalemate"; "Games that end by stalemate, of all games.";
        |game| games(is_by(game, Some(Outcome::Stalemate)));
    Endings Share "drawn_repetition", "drawn: repetition", phrase: Phrase::Verb("is drawn by repetition");
        "Games that end by the third occurrence of a position, of all games.";
        |game| games(is_by(game, Some(Outcome::Repetition)));
    Endings Share "drawn_clock", "drawn: fifty-move rule",
        phrase: Phrase::Verb("is drawn by the fifty-move rule");
        "Games that end by the fifty-move rule, of all games: 100 plies (or the number of `+fifty`) without \
         a reset of the half-move clock.";
        |game| games(is_by(game, Some(Outcome::HundredPlies)));
    Endings Share "capped_lead", "truncated with a decisive lead";
        "Games that the ply cap ends while one side is three pawns or more ahead in material, of all games. Weak players do \
         not convert what they have won.";
        |game| games(is_by(game, Some(Outcome::Capped)) && is_ahead(game));
    Endings Share "capped_balanced", "truncated in balance";
        "Games that the ply cap ends while no side is three pawns ahead in material, of all games.";
        |game| games(is_by(game, Some(Outcome::Capped)) && !is_ahead(game));
    Endings Share "drawn_other", "drawn: otherwise";
        "Games without a winner that end by the verdict of an endgame tablebase, of all games.";
        |game| games(is_by(game, None));
    Endings Share "undecided_lead", "undecided with a decisive lead";
        "Games that the fifty-move rule or the ply cap ends while one side is three pawns or more ahead in material, of all \
         games.";
        |game| {
            let by = [Outcome::HundredPlies, Outcome::Capped].map(|outcome| is_by(game, Some(outcome)));
            games(by.contains(&true) && is_ahead(game))
        };
    Length Plies "length", "length", phrase: Phrase::Longer;
        "Plies of a game. Placements of catapults before the first move do not count.";
        |game| (game.plies.len() as f64, 1.0);
    Length Plies "decisive_length", "length of decisive games"; "Plies of a game with a winner.";
        |game| if game.winner.is_some() { (game.plies.len() as f64, 1.0) } else { (0.0, 0.0) };
};

/// Defines two metrics per row: games that end by a cause with [`DECISIVE_LEAD`], and such games
/// without. The syntax is `"id", "name", "games that end so"; outcome;`.
macro_rules! by_lead {
    ($($id:literal, $name:literal, $games:literal; $outcome:expr;)+) => {
        per_game! {$(
            Endings Share concat!($id, "_lead"), concat!($name, ", decisive lead");
                concat!("Games ", $games, " while one side is three pawns or more ahead in material, of all games.");
                |game| games(is_by(game, $outcome) && is_ahead(game));
            Endings Share concat!($id, "_balanced"), concat!($name, ", balanced");
                concat!("Games ", $games, " while no side is three pawns ahead in material, of all games.");
                |game| games(is_by(game, $outcome) && !is_ahead(game));
        )+}
    };
}

pub(super) const BY_LEAD: &[PerGame] = by_lead! {
    "drawn_dead", "drawn: dead position", "that end in a dead position"; Some(Outcome::Dead);
    "drawn_stalemate", "drawn: stalemate", "that end by stalemate"; Some(Outcome::Stalemate);
    "drawn_repetition", "drawn: repetition", "that end by the third occurrence of a position"; Some(Outcome::Repetition);
    "drawn_clock", "drawn: fifty-move rule", "that end by the fifty-move rule"; Some(Outcome::HundredPlies);
    "drawn_other", "drawn: otherwise", "without a winner that end for another reason"; None;
};

metrics! {
    FROM_RATES =
    BALANCED_DECISIVE_RATE: Endings Share "balanced_decisive_rate", "decisive rate beyond imbalance";
        "The decisive rate that would be left if neither colour had an advantage. Games are decisive also because one side \
         is better off from the start. With P(White wins) = s(m - d) and P(Black wins) = s(-m - d), s being the logistic \
         function, it is 2 s(-d). The model is that of Glenn and David 1960 in its logistic form (Rao and Kupper 1967). \
         400 d / ln 10 is the draw Elo of BayesElo.";
}

/// Outcomes of games without a winner, each with the ids of three metrics: all such games, those
/// with [`DECISIVE_LEAD`], and those without. The metric `drawn_other` counts all other games
/// without a winner.
pub(super) const CAUSES: [(Outcome, [&str; 3]); 5] = [
    (Outcome::Dead, ["drawn_dead", "drawn_dead_lead", "drawn_dead_balanced"]),
    (Outcome::Stalemate, ["drawn_stalemate", "drawn_stalemate_lead", "drawn_stalemate_balanced"]),
    (Outcome::Repetition, ["drawn_repetition", "drawn_repetition_lead", "drawn_repetition_balanced"]),
    (Outcome::HundredPlies, ["drawn_clock", "drawn_clock_lead", "drawn_clock_balanced"]),
    (Outcome::Capped, ["capped_rate", "capped_lead", "capped_balanced"]),
];

/// Adds [`BALANCED_DECISIVE_RATE`].
pub(super) fn measure(sample: &Sample, findings: &mut Findings) {
    let statistic = |games: &mut dyn Iterator<Item = &GameFacts>| {
        let (mut won, mut all) = ([0.0, 0.0], 0.0);
        for game in games {
            all += 1.0;
            if let Some(winner) = game.winner {
                won[winner as usize] += 1.0;
            }
        }
        balanced_decisive_rate(won, all)
    };
    let evidence = evidence(&sample.games, statistic, &findings.resampling);
    findings.add(&BALANCED_DECISIVE_RATE, &sample.id, sample.games.len(), evidence);
}

/// Returns the balanced decisive rate 2 s(-d), with s and d as in the definition of
/// [`BALANCED_DECISIVE_RATE`]. `won` are the numbers of games that each side won, and `all` is the
/// number of games.
///
/// The definition gives -2 d = logit P(White wins) + logit P(Black wins). Half a game is added to
/// each of the three results, so that the rate is finite if a side never wins.
fn balanced_decisive_rate(won: [f64; 2], all: f64) -> f64 {
    let logit = |wins: f64| ((wins + 0.5) / (all - wins + 1.0)).ln();
    2.0 / (1.0 + (-(logit(won[0]) + logit(won[1])) / 2.0).exp())
}

#[cfg(test)]
#[path = "endings_tests.rs"]
mod tests;
