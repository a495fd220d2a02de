//! Results of matches and tables of results.

use crate::forbidden::Forbidden;
use crate::played::GameEnd;
use catapult_mcts::SEARCH_DEFAULTS;
use catapult_rules::{Color, Outcome};
use catapult_stats::{Decision, EloScale, Interval, Pentanomial, Sprt};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Result of a match, as seen by its first player.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MatchResult {
    /// Name of the variant.
    pub variant: String,
    /// Name of the first player, whose wins are counted.
    pub player: String,
    /// Name of the second player.
    pub opponent: String,
    /// Seed of openings and random choices.
    pub seed: u64,
    /// Number of plies, including the opening, after which a game was truncated.
    pub ply_cap: u32,
    /// Version of the alpha-beta players ([`ANCHOR_VERSION`](crate::ANCHOR_VERSION)). Alpha-beta
    /// judges the openings and may also be a player.
    pub anchor_version: u32,
    /// Version of the search defaults ([`SEARCH_DEFAULTS`]). They apply to settings that a player's
    /// name does not give. Files without this field have version 1.
    #[serde(default = "first_defaults")]
    pub search_defaults: u32,
    /// Time control, such as `60+0.6`. `None` without clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Result of the sequential test. `None` without a test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtResult>,
    /// Forbidden kind of move, with counts of its effect. `None` if all moves were allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forbidden: Option<Forbidden>,
    /// Number of games. The first player has White in half of them.
    pub games: u32,
    /// Number of games that the first player won.
    pub wins: u32,
    /// Number of games that were drawn by rule.
    pub draws: u32,
    /// Number of games that the first player lost.
    pub losses: u32,
    /// Number of games that were truncated at the ply cap. They are not counted in `draws`. In the
    /// score, each counts half a point.
    pub capped: u32,
    /// Number of games that the first player won as White.
    pub wins_as_white: u32,
    /// Number of games that the first player lost as White.
    pub losses_as_white: u32,
    /// Sum of the plies of all games, openings included.
    pub plies: u64,
    /// Number of games per outcome, such as checkmate or stalemate.
    pub reasons: BTreeMap<Outcome, u32>,
    /// Number of pairs of games per score of the first player in the pair: 0, 1/2, 1, 3/2 and 2
    /// points.
    pub pairs: Pentanomial,
    /// Mean score of the first player with its 95 % interval (see [`Pentanomial::score`]): (wins +
    /// draws / 2 + capped / 2) / games.
    pub score: Interval,
    /// Elo of the first player minus Elo of the second, with its 95 % interval (see
    /// [`Pentanomial::elo`]).
    pub elo: Interval,
}

/// Result of a sequential test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtResult {
    /// The test with its hypotheses.
    pub test: Sprt,
    /// Log-likelihood ratio of the second hypothesis to the first, after the match's games.
    pub ratio: f64,
    /// Decision of the test after the match's games.
    pub verdict: Decision,
}

impl SprtResult {
    pub(crate) fn of(test: Sprt, pairs: &Pentanomial) -> SprtResult {
        SprtResult { test, ratio: test.log_likelihood_ratio(pairs), verdict: test.decision(pairs) }
    }
}

impl fmt::Display for SprtResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { scale, elo0, elo1, .. } = self.test;
        let scale = if scale == EloScale::Normalized { "normalized " } else { "" };
        let (low, high) = self.test.bounds();
        let verdict = match self.verdict {
            Decision::Accepted => format!("accepted: at least {elo1} {scale}Elo rather than at most {elo0}"),
            Decision::Rejected => format!("rejected: at most {elo0} {scale}Elo rather than at least {elo1}"),
            Decision::Open => format!("undecided between {elo0} and {elo1} {scale}Elo"),
        };
        write!(f, "{verdict} (log-likelihood ratio {:+.2}, bounds {low:+.2} and {high:+.2})", self.ratio)?;
        match self.verdict {
            Decision::Open => Ok(()),
            _ => f.write_str("; the intervals ignore that it ended the match"),
        }
    }
}

fn first_defaults() -> u32 {
    1
}

impl MatchResult {
    /// Creates a result without games.
    pub(crate) fn empty(variant: &str, player: &str, opponent: &str, seed: u64, ply_cap: u32) -> Self {
        let pairs = Pentanomial::default();
        MatchResult {
            variant: variant.to_owned(),
            player: player.to_owned(),
            opponent: opponent.to_owned(),
            seed,
            ply_cap,
            anchor_version: crate::ANCHOR_VERSION,
            search_defaults: SEARCH_DEFAULTS,
            score: pairs.score(),
            elo: pairs.elo(),
            ..Default::default()
        }
    }

    /// Adds a pair of games to the counts. The first player has White in `as_white` and Black in
    /// `as_black`.
    pub(crate) fn add_pair(&mut self, as_white: GameEnd, as_black: GameEnd) {
        let mut half_points = 0;
        for end in [as_white, as_black] {
            self.games += 1;
            self.plies += u64::from(end.plies);
            *self.reasons.entry(end.outcome).or_default() += 1;
            let half = end.half_points(end.player_color);
            let counter = match half {
                2 => &mut self.wins,
                0 => &mut self.losses,
                _ if end.outcome == Outcome::Capped => &mut self.capped,
                _ => &mut self.draws,
            };
            *counter += 1;
            half_points += half;
        }
        self.wins_as_white += (as_white.winner == Some(Color::White)) as u32;
        self.losses_as_white += (as_white.winner == Some(Color::Black)) as u32;
        self.pairs.add(half_points);
        self.score = self.pairs.score();
        self.elo = self.pairs.elo();
    }

    /// Returns the score in per cent with its 95 % interval: `82.5 [77.1, 86.9]`.
    pub fn score_text(&self) -> String {
        let Interval { value, low, high } = self.score;
        format!("{:.1} [{:.1}, {:.1}]", 100.0 * value, 100.0 * low, 100.0 * high)
    }

    /// Returns Elo with its 95 % interval: `+269 [+211, +340]`. If one player won every game,
    /// returns only a bound, such as `> +566`. Returns `-` if no game was played.
    pub fn elo_text(&self) -> String {
        let Interval { value, low, high } = self.elo;
        if self.games == 0 {
            "-".to_owned()
        } else if !self.pairs.is_saturated() {
            // Adding 0 to a rounded -0 makes it +0.
            let [value, low, high] = [value, low, high].map(|elo| elo.round() + 0.0);
            format!("{value:+.0} [{low:+.0}, {high:+.0}]")
        } else if value > 0.0 {
            format!("> {low:+.0}")
        } else {
            format!("< {high:+.0}")
        }
    }

    /// Returns the outcomes of the games with their counts: `checkmate 150, repetition 30`.
    pub fn reasons_text(&self) -> String {
        let reasons: Vec<_> = self.reasons.iter().map(|(outcome, n)| format!("{outcome} {n}")).collect();
        reasons.join(", ")
    }
}

impl fmt::Display for MatchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} against {}: {}, {} games", self.player, self.opponent, self.variant, self.games)?;
        writeln!(
            f,
            "  wins {}, draws {}, losses {}, capped {} (as White: wins {}, losses {})",
            self.wins, self.draws, self.losses, self.capped, self.wins_as_white, self.losses_as_white
        )?;
        writeln!(f, "  score {} %", self.score_text())?;
        writeln!(f, "  Elo   {}", self.elo_text())?;
        let mean = self.plies as f64 / f64::from(self.games.max(1));
        writeln!(f, "  outcomes: {}; {mean:.0} plies per game", self.reasons_text())?;
        if let Some(time) = &self.time {
            writeln!(f, "  time  {time}")?;
        }
        if let Some(sprt) = &self.sprt {
            writeln!(f, "  SPRT  {sprt}")?;
        }
        if let Some(forbidden) = &self.forbidden {
            let who = if forbidden.both { "both" } else { &self.opponent };
            writeln!(f, "  {who} may not make {forbidden}")?;
        }
        write!(f, "  alpha-beta version {}, search defaults {}", self.anchor_version, self.search_defaults)
    }
}

/// Returns a table of match results, with one line per match, aligned columns and 95 % intervals.
pub fn result_table(results: &[MatchResult]) -> String {
    const HEAD: [&str; 8] =
        ["player", "opponent", "wins", "draws", "losses", "capped", "score % [95 %]", "Elo [95 %]"];
    let mut lines = vec![HEAD.map(str::to_owned)];
    for result in results {
        lines.push([
            result.player.clone(),
            result.opponent.clone(),
            result.wins.to_string(),
            result.draws.to_string(),
            result.losses.to_string(),
            result.capped.to_string(),
            result.score_text(),
            result.elo_text(),
        ]);
    }
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 8] = std::array::from_fn(width);
    let aligned = |line: &[String; 8]| {
        let mut text = String::new();
        for (column, cell) in line.iter().enumerate() {
            let width = widths[column];
            // Names are left-aligned, numbers right-aligned.
            match column {
                0 | 1 => text += &format!("{cell:<width$}  "),
                _ => text += &format!("{cell:>width$}  "),
            }
        }
        text.trim_end().to_owned()
    };
    lines.iter().map(aligned).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds the player's game as White and its game as Black: the outcomes and winners.
    fn add_pair(result: &mut MatchResult, games: [(Outcome, Option<Color>); 2]) {
        let end = |player_color, (outcome, winner)| GameEnd { player_color, outcome, winner, plies: 50 };
        result.add_pair(end(Color::White, games[0]), end(Color::Black, games[1]));
    }

    fn won_by(color: Color) -> (Outcome, Option<Color>) {
        (Outcome::Checkmate, Some(color))
    }

    fn example() -> MatchResult {
        let mut result = MatchResult::empty("chesspp", "one", "another", 7, 300);
        add_pair(&mut result, [won_by(Color::White), won_by(Color::Black)]);
        add_pair(&mut result, [won_by(Color::White), won_by(Color::White)]);
        add_pair(&mut result, [(Outcome::Capped, None), (Outcome::Repetition, None)]);
        add_pair(&mut result, [won_by(Color::Black), (Outcome::Capped, None)]);
        result
    }

    #[test]
    fn pairs_are_counted_from_the_players_view() {
        let result = example();
        assert_eq!((result.games, result.wins, result.draws), (8, 3, 1));
        assert_eq!((result.losses, result.capped), (2, 2));
        assert_eq!((result.wins_as_white, result.losses_as_white), (2, 1));
        assert_eq!(result.pairs, Pentanomial([0, 1, 2, 0, 1]));
        assert_eq!(result.plies, 400);
        // (3 + 1/2 + 2/2) / 8
        assert_eq!(result.score.value, 4.5 / 8.0);
        assert_eq!(result.reasons_text(), "checkmate 5, repetition 1, capped 2");
    }

    #[test]
    fn elo_shows_one_end_where_every_game_went_one_way() {
        let mut result = MatchResult::empty("chess", "one", "another", 7, 300);
        assert_eq!(result.elo_text(), "-");
        for _ in 0..100 {
            add_pair(&mut result, [won_by(Color::White), won_by(Color::Black)]);
        }
        // 400 log10(0.9630 / 0.0370)
        assert_eq!(result.elo_text(), "> +566");
        assert_eq!(result.score_text(), "100.0 [96.3, 100.0]");
        result.pairs = result.pairs.reversed();
        result.elo = result.pairs.elo();
        assert_eq!(result.elo_text(), "< -566");
        assert!(example().elo_text().starts_with("+44 ["), "{}", example().elo_text());
        result.pairs = Pentanomial([10, 0, 80, 0, 10]);
        result.elo = result.pairs.elo();
        assert!(result.elo_text().starts_with("+0 [-"), "{}", result.elo_text());
    }

    #[test]
    fn tables_align_and_results_survive_json() {
        let result = example();
        let text = result_table(&[result.clone(), result.clone()]);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[0].starts_with("player  opponent  wins  draws  losses  capped"), "{text}");
        assert!(lines[1].starts_with("one     another      3      1       2       2"), "{text}");
        let json = serde_json::to_string(&result).unwrap();
        assert!(json.contains("\"reasons\":{\"checkmate\":5,\"repetition\":1,\"capped\":2}"), "{json}");
        assert_eq!(serde_json::from_str::<MatchResult>(&json).unwrap(), result);
        // Results from before the version of the search defaults lack the field.
        let old = json.replace(&format!("\"search_defaults\":{SEARCH_DEFAULTS},"), "");
        let old: MatchResult = serde_json::from_str(&old).unwrap();
        assert_eq!((old.search_defaults, old.forbidden), (1, None));
        assert!(result.to_string().contains("score 56.2 [") || result.to_string().contains("score 56.3 ["));
    }
}
