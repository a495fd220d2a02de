//! How games end, and how long they last.

use super::facts::{DECISIVE_LEAD, GameFacts};
use super::findings::{Findings, Kind, PerGame};
use super::sample::Sample;
use crate::results::{MetricInfo, SampleTable, Unit};
use crate::stats::evidence;
use catapult_rules::{Color, Outcome};

const fn rate(
    id: &'static str,
    name: &'static str,
    definition: &'static str,
    parts: fn(&GameFacts) -> (f64, f64),
) -> PerGame {
    PerGame { info: MetricInfo { id, name, unit: Unit::Share, definition }, kind: Kind::Share, parts }
}

const fn length(
    id: &'static str,
    name: &'static str,
    definition: &'static str,
    parts: fn(&GameFacts) -> (f64, f64),
) -> PerGame {
    PerGame { info: MetricInfo { id, name, unit: Unit::Plies, definition }, kind: Kind::Ratio, parts }
}

/// Whether something holds of a game, among all games.
fn games(holds: bool) -> (f64, f64) {
    (f64::from(u8::from(holds)), 1.0)
}

fn ended(game: &GameFacts, outcome: Outcome) -> (f64, f64) {
    games(game.outcome == outcome)
}

/// How an undecided game is to be understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Undecided {
    /// Stalemate or a dead position.
    Dead,
    /// The third occurrence of a position.
    Repetition,
    /// The clock or the cap, with [`DECISIVE_LEAD`] at the end.
    Lead,
    /// The clock or the cap without it.
    Balanced,
}

fn undecided(game: &GameFacts) -> Option<Undecided> {
    match game.outcome {
        Outcome::Checkmate => None,
        Outcome::Stalemate | Outcome::Dead => Some(Undecided::Dead),
        // A draw that a table knows is as dead as one that the rules list.
        Outcome::Tablebase => game.winner.is_none().then_some(Undecided::Dead),
        Outcome::Repetition => Some(Undecided::Repetition),
        Outcome::HundredPlies | Outcome::Capped => {
            Some(if game.last_lead.abs() >= DECISIVE_LEAD { Undecided::Lead } else { Undecided::Balanced })
        }
    }
}

pub(super) const METRICS: &[PerGame] = &[
    rate("white_win_rate", "White wins", "Games won by White, of all games.", |game| {
        games(game.winner == Some(Color::White))
    }),
    rate("black_win_rate", "Black wins", "Games won by Black, of all games.", |game| {
        games(game.winner == Some(Color::Black))
    }),
    rate(
        "draw_rate",
        "draw rate",
        "Games that nobody won, of all games; those cut at the ply cap are among them (see games cut at the ply cap).",
        |game| games(game.winner.is_none()),
    ),
    rate("decisive_rate", "decisive rate", "Games that somebody won, of all games.", |game| {
        games(game.winner.is_some())
    }),
    rate(
        "white_score",
        "White's score",
        "White's mean score: 1 for a win, 1/2 for a game that nobody won (Tomasev et al. 2020).",
        |game| (game.white_score(), 1.0),
    ),
    rate("checkmate_rate", "checkmates", "Games that end by checkmate, of all games.", |game| {
        ended(game, Outcome::Checkmate)
    }),
    rate("stalemate_rate", "stalemates", "Games that end by stalemate, of all games.", |game| {
        ended(game, Outcome::Stalemate)
    }),
    rate("dead_rate", "dead positions", "Games that end in a dead position, of all games.", |game| {
        ended(game, Outcome::Dead)
    }),
    rate(
        "hundred_plies_rate",
        "hundred plies",
        "Games that end by a hundred plies without a restart of the half-move clock, of all games.",
        |game| ended(game, Outcome::HundredPlies),
    ),
    rate(
        "repetition_rate",
        "repetitions",
        "Games that end by the third occurrence of a position, of all games.",
        |game| ended(game, Outcome::Repetition),
    ),
    rate("capped_rate", "games cut at the ply cap", "Games cut at the ply cap, of all games.", |game| {
        ended(game, Outcome::Capped)
    }),
    rate(
        "undecided_dead",
        "undecided: dead or stalemate",
        "Games that nobody won and that end in a dead position or stalemate, of all games.",
        |game| games(undecided(game) == Some(Undecided::Dead)),
    ),
    rate(
        "undecided_repetition",
        "undecided: repetition",
        "Games that nobody won and that end by repetition, of all games.",
        |game| games(undecided(game) == Some(Undecided::Repetition)),
    ),
    rate(
        "undecided_lead",
        "undecided with a decisive lead",
        "Games that the clock or the ply cap ends while one side is three pawns or more ahead in material, of all games: \
         weak players do not convert what they have won.",
        |game| games(undecided(game) == Some(Undecided::Lead)),
    ),
    rate(
        "undecided_balanced",
        "undecided: balanced",
        "Games that the clock or the ply cap ends while neither side is three pawns ahead in material, of all games.",
        |game| games(undecided(game) == Some(Undecided::Balanced)),
    ),
    length("length", "length", "Plies of a game.", |game| (game.plies.len() as f64, 1.0)),
    length("decisive_length", "length of decisive games", "Plies of a game that somebody won.", |game| {
        if game.winner.is_some() { (game.plies.len() as f64, 1.0) } else { (0.0, 0.0) }
    }),
];

/// Decisiveness with the imbalance between the sides taken out.
const BALANCED_DECISIVE_RATE: MetricInfo = MetricInfo {
    id: "balanced_decisive_rate",
    name: "decisive rate beyond imbalance",
    unit: Unit::Share,
    definition: "The decisive rate that would be left if neither colour had an advantage: games are decisive also because \
                 one side is better off from the start. With P(White wins) = s(m - d) and P(Black wins) = s(-m - d), s being \
                 the logistic function, it is 2 s(-d) (ties model of Glenn and David 1960 in its logistic form, Rao and \
                 Kupper 1967; 400 d / ln 10 is the draw Elo of BayesElo).",
};

pub(super) const FROM_RATES: &[MetricInfo] = &[BALANCED_DECISIVE_RATE];

/// Rows of the table of endings, which add up to 1, and the metrics that fill them.
const TABLE: [(&str, &str); 6] = [
    ("White wins", "white_win_rate"),
    ("Black wins", "black_win_rate"),
    ("dead or stalemate", "undecided_dead"),
    ("repetition", "undecided_repetition"),
    ("clock or cap, decisive lead", "undecided_lead"),
    ("clock or cap, balanced", "undecided_balanced"),
];

/// After the metrics of single games, from which the table is made.
pub(super) fn measure(sample: &Sample, findings: &mut Findings) {
    let cell = |id: &str| {
        let metric = METRICS.iter().find(|metric| metric.info.id == id)?;
        findings.value(&metric.info, &sample.id)
    };
    findings.table(SampleTable {
        table: "endings".to_owned(),
        title: "How games end".to_owned(),
        sample: sample.id.clone(),
        columns: vec![("games".to_owned(), Unit::Share)],
        rows: TABLE.map(|(name, id)| (name.to_owned(), vec![cell(id)])).to_vec(),
        note: None,
    });
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

/// 2 s(-d) of [`BALANCED_DECISIVE_RATE`] from the games won by each side and all games: the two equations give
/// -2 d = logit P(White wins) + logit P(Black wins). Half a game is added to each of the three results, so that it is
/// finite where a side never wins.
fn balanced_decisive_rate(won: [f64; 2], all: f64) -> f64 {
    let logit = |wins: f64| ((wins + 0.5) / (all - wins + 1.0)).ln();
    2.0 / (1.0 + (-(logit(won[0]) + logit(won[1])) / 2.0).exp())
}

#[cfg(test)]
#[path = "endings_tests.rs"]
mod tests;
