//! How games end, and how long they last.

use super::facts::{DECISIVE_LEAD, GameFacts};
use super::findings::{Findings, Kind, PerGame};
use super::sample::Sample;
use crate::results::{Chapter, MetricInfo, RowNames, TableInfo, Unit};
use catapult_rules::{Color, Outcome};
use catapult_stats::evidence;

const fn rate(
    id: &'static str,
    name: &'static str,
    definition: &'static str,
    parts: fn(&GameFacts) -> (f64, f64),
) -> PerGame {
    PerGame {
        info: MetricInfo {
            id,
            name,
            unit: Unit::Share,
            chapter: Chapter::Endings,
            neutral: None,
            definition,
        },
        kind: Kind::Share,
        parts,
    }
}

const fn length(
    id: &'static str,
    name: &'static str,
    definition: &'static str,
    parts: fn(&GameFacts) -> (f64, f64),
) -> PerGame {
    PerGame {
        info: MetricInfo { id, name, unit: Unit::Plies, chapter: Chapter::Length, neutral: None, definition },
        kind: Kind::Ratio,
        parts,
    }
}

/// Whether something holds of a game, among all games.
fn games(holds: bool) -> (f64, f64) {
    (f64::from(u8::from(holds)), 1.0)
}

fn ended(game: &GameFacts, outcome: Outcome) -> (f64, f64) {
    games(game.outcome == outcome)
}

/// Why nobody won a game. Every game that nobody won has one cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cause {
    /// A dead position.
    Dead,
    /// Stalemate.
    Stalemate,
    /// The third occurrence of a position.
    Repetition,
    /// A hundred plies.
    Clock,
    /// The cap, with [`DECISIVE_LEAD`] at the end.
    CappedLead,
    /// The cap without it.
    CappedBalanced,
    /// Anything else: a verdict of an endgame table.
    Other,
}

fn cause(game: &GameFacts) -> Option<Cause> {
    if game.winner.is_some() {
        return None;
    }
    Some(match game.outcome {
        Outcome::Dead => Cause::Dead,
        Outcome::Stalemate => Cause::Stalemate,
        Outcome::Repetition => Cause::Repetition,
        Outcome::HundredPlies => Cause::Clock,
        Outcome::Capped if game.last_lead.abs() >= DECISIVE_LEAD => Cause::CappedLead,
        Outcome::Capped => Cause::CappedBalanced,
        // Nobody is mated in a game that nobody won.
        Outcome::Tablebase
        | Outcome::Resignation
        | Outcome::Checkmate
        | Outcome::TimeForfeit
        | Outcome::IllegalMove
        | Outcome::Crash => Cause::Other,
    })
}

fn caused(game: &GameFacts, by: Cause) -> (f64, f64) {
    games(cause(game) == Some(by))
}

/// Games that a cause ended while one side had [`DECISIVE_LEAD`].
fn ahead(game: &GameFacts, by: Cause) -> (f64, f64) {
    games(cause(game) == Some(by) && game.last_lead.abs() >= DECISIVE_LEAD)
}

/// Games that a cause ended while no side had [`DECISIVE_LEAD`].
fn balanced(game: &GameFacts, by: Cause) -> (f64, f64) {
    games(cause(game) == Some(by) && game.last_lead.abs() < DECISIVE_LEAD)
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
        "Games that nobody won, of all games. Games that the ply cap ends are among them.",
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
    )
    .with_neutral(0.5),
    rate("checkmate_rate", "checkmates", "Games that end by checkmate, of all games.", |game| {
        ended(game, Outcome::Checkmate)
    }),
    rate(
        "capped_rate",
        "games truncated at the ply cap",
        "Games that the ply cap ends, of all games.",
        |game| ended(game, Outcome::Capped),
    ),
    rate("drawn_dead", "drawn: dead position", "Games that end in a dead position, of all games.", |game| {
        caused(game, Cause::Dead)
    }),
    rate("drawn_stalemate", "drawn: stalemate", "Games that end by stalemate, of all games.", |game| {
        caused(game, Cause::Stalemate)
    }),
    rate(
        "drawn_repetition",
        "drawn: repetition",
        "Games that end by the third occurrence of a position, of all games.",
        |game| caused(game, Cause::Repetition),
    ),
    rate(
        "drawn_clock",
        "drawn: fifty-move rule",
        "Games that end by the fifty-move rule, of all games: a hundred plies without a restart of the half-move \
         clock.",
        |game| caused(game, Cause::Clock),
    ),
    rate(
        "capped_lead",
        "truncated with a decisive lead",
        "Games that the ply cap ends while one side is three pawns or more ahead in material, of all games. Weak \
         players do not convert what they have won.",
        |game| caused(game, Cause::CappedLead),
    ),
    rate(
        "capped_balanced",
        "truncated in balance",
        "Games that the ply cap ends while no side is three pawns ahead in material, of all games.",
        |game| caused(game, Cause::CappedBalanced),
    ),
    rate(
        "drawn_other",
        "drawn: otherwise",
        "Games that nobody won and that end by the verdict of an endgame tablebase, of all games.",
        |game| caused(game, Cause::Other),
    ),
    rate(
        "drawn_dead_lead",
        "drawn: dead position, decisive lead",
        "Games that end in a dead position while one side is three pawns or more ahead in material, of all games.",
        |game| ahead(game, Cause::Dead),
    ),
    rate(
        "drawn_dead_balanced",
        "drawn: dead position, balanced",
        "Games that end in a dead position while no side is three pawns ahead in material, of all games.",
        |game| balanced(game, Cause::Dead),
    ),
    rate(
        "drawn_stalemate_lead",
        "drawn: stalemate, decisive lead",
        "Games that end by stalemate while one side is three pawns or more ahead in material, of all games.",
        |game| ahead(game, Cause::Stalemate),
    ),
    rate(
        "drawn_stalemate_balanced",
        "drawn: stalemate, balanced",
        "Games that end by stalemate while no side is three pawns ahead in material, of all games.",
        |game| balanced(game, Cause::Stalemate),
    ),
    rate(
        "drawn_repetition_lead",
        "drawn: repetition, decisive lead",
        "Games that end by the third occurrence of a position while one side is three pawns or more ahead in material, of all games.",
        |game| ahead(game, Cause::Repetition),
    ),
    rate(
        "drawn_repetition_balanced",
        "drawn: repetition, balanced",
        "Games that end by the third occurrence of a position while no side is three pawns ahead in material, of all games.",
        |game| balanced(game, Cause::Repetition),
    ),
    rate(
        "drawn_clock_lead",
        "drawn: fifty-move rule, decisive lead",
        "Games that end by the fifty-move rule while one side is three pawns or more ahead in material, of all games.",
        |game| ahead(game, Cause::Clock),
    ),
    rate(
        "drawn_clock_balanced",
        "drawn: fifty-move rule, balanced",
        "Games that end by the fifty-move rule while no side is three pawns ahead in material, of all games.",
        |game| balanced(game, Cause::Clock),
    ),
    rate(
        "drawn_other_lead",
        "drawn: otherwise, decisive lead",
        "Games without a winner that end for another reason while one side is three pawns or more ahead in material, of all games.",
        |game| ahead(game, Cause::Other),
    ),
    rate(
        "drawn_other_balanced",
        "drawn: otherwise, balanced",
        "Games without a winner that end for another reason while no side is three pawns ahead in material, of all games.",
        |game| balanced(game, Cause::Other),
    ),
    rate(
        "undecided_lead",
        "undecided with a decisive lead",
        "Games that the fifty-move rule or the ply cap ends while one side is three pawns or more ahead in \
         material, of all games.",
        |game| {
            let by = matches!(cause(game), Some(Cause::Clock | Cause::CappedLead));
            games(by && game.last_lead.abs() >= DECISIVE_LEAD)
        },
    ),
    length("length", "length", "Plies of a game; placements before the first move are none.", |game| {
        (game.plies.len() as f64, 1.0)
    }),
    length("decisive_length", "length of decisive games", "Plies of a game that somebody won.", |game| {
        if game.winner.is_some() { (game.plies.len() as f64, 1.0) } else { (0.0, 0.0) }
    }),
];

/// Decisiveness with the imbalance between the sides taken out.
const BALANCED_DECISIVE_RATE: MetricInfo = MetricInfo {
    id: "balanced_decisive_rate",
    name: "decisive rate beyond imbalance",
    unit: Unit::Share,
    chapter: Chapter::Endings,
    neutral: None,
    definition: "The decisive rate that would be left if neither colour had an advantage. Games are decisive \
                 also because one side is better off from the start. With P(White wins) = s(m - d) and P(Black \
                 wins) = s(-m - d), s being the logistic function, it is 2 s(-d). The model is that of Glenn and \
                 David 1960 in its logistic form (Rao and Kupper 1967). 400 d / ln 10 is the draw Elo of \
                 BayesElo.",
};

pub(super) const FROM_RATES: &[MetricInfo] = &[BALANCED_DECISIVE_RATE];

/// The rows add up to 1. Their ids are those of metrics.
pub(super) const TABLE: TableInfo = TableInfo {
    id: "endings",
    chapter: Chapter::Endings,
    title: "How games end",
    columns: &[("games", Unit::Share)],
    rows: RowNames::Named(&[
        ("white_win_rate", "White wins"),
        ("black_win_rate", "Black wins"),
        ("drawn_dead", "dead position"),
        ("drawn_stalemate", "stalemate"),
        ("drawn_repetition", "repetition"),
        ("drawn_clock", "fifty-move rule"),
        ("capped_lead", "truncated, decisive lead"),
        ("capped_balanced", "truncated, balanced"),
        ("drawn_other", "otherwise"),
    ]),
    note: None,
};

/// Metrics of a cause: of all its games, of those with [`DECISIVE_LEAD`] at the end, and of those without.
const CAUSES: [(&str, [&str; 3]); 6] = [
    ("dead", ["drawn_dead", "drawn_dead_lead", "drawn_dead_balanced"]),
    ("stalemate", ["drawn_stalemate", "drawn_stalemate_lead", "drawn_stalemate_balanced"]),
    ("repetition", ["drawn_repetition", "drawn_repetition_lead", "drawn_repetition_balanced"]),
    ("clock", ["drawn_clock", "drawn_clock_lead", "drawn_clock_balanced"]),
    ("capped", ["capped_rate", "capped_lead", "capped_balanced"]),
    ("other", ["drawn_other", "drawn_other_lead", "drawn_other_balanced"]),
];

pub(super) const DRAWS: TableInfo = TableInfo {
    id: "draws",
    chapter: Chapter::Endings,
    title: "Games without a winner, by cause and lead",
    columns: &[("all", Unit::Share), ("decisive lead", Unit::Share), ("balanced", Unit::Share)],
    rows: RowNames::Named(&[
        ("dead", "dead position"),
        ("stalemate", "stalemate"),
        ("repetition", "repetition"),
        ("clock", "fifty-move rule"),
        ("capped", "truncated at the ply cap"),
        ("other", "otherwise"),
    ]),
    note: Some(
        "Shares of all games. A decisive lead is three pawns or more in material at the end of the game.",
    ),
};

/// After the metrics of single games, from which the table is made.
pub(super) fn measure(sample: &Sample, findings: &mut Findings) {
    let cell = |id: &str| {
        let metric = METRICS.iter().find(|metric| metric.info.id == id)?;
        findings.value(&metric.info, &sample.id)
    };
    let RowNames::Named(names) = TABLE.rows else { return };
    let rows = names.iter().map(|(id, _)| ((*id).to_owned(), vec![cell(id)])).collect();
    let causes = CAUSES.map(|(cause, ids)| (cause.to_owned(), ids.map(cell).to_vec())).to_vec();
    findings.table(&TABLE, &sample.id, rows, Vec::new());
    findings.table(&DRAWS, &sample.id, causes, Vec::new());
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
