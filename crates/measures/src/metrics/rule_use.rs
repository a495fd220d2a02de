//! Metrics of the use of the rules that a game adds to chess.

use super::facts::{GameFacts, Phase, PlyFacts};
use super::findings::Findings;
use super::sample::Sample;
use crate::games::{Aim, GameInfo, Use};
use crate::results::{Estimate, RowNames};
use crate::rows::{metrics, table};
use catapult_stats::{evidence, rate, share};

metrics! {
    METRICS =
    NEW_RULE_PLIES: NewRules Share "new_rule_plies", "plies that use the new rules",
        phrase: Phrase::Noun("the share of plies that use the new rules");
        "Plies with a move that uses a rule which chess does not have, of all plies.";
    ATTACKING_SHARE: NewRules Share "attacking_share", "attacking uses";
        "Moves that use the new rules to attack and not to defend, of all such moves with a known aim. A move attacks if it \
         captures, gives check, or lands in the enemy's half or near its king. It also attacks if it newly attacks a piece \
         that is unguarded or worth more than the piece that moved. A move defends if it ends a check, takes a piece out of \
         attack, or guards an attacked piece that nothing guarded.";
    DEFENDING_SHARE: NewRules Share "defending_share", "defending uses";
        "Moves that use the new rules to defend and not to attack, of all such moves with a known aim (see attacking uses). \
         The rest does both or neither.";
    ATTACKING_LEAD: NewRules Ratio "attacking_lead", "attacking minus defending uses", neutral: Some(0.0);
        "Share of attacking minus share of defending moves, -1 to 1, among the moves that use the new rules \
         (see attacking uses). Other moves also attack more than they defend, so compare with attacking uses \
         beyond other moves.";
    ORDINARY_ATTACKING_LEAD: NewRules Ratio "attacking_lead_ordinary", "attacking minus defending moves, without a new rule",
        neutral: Some(0.0);
        "Share of attacking minus share of defending moves (see attacking uses) among the moves that use no \
         new rule.";
    ATTACKING_EXCESS: NewRules Ratio "attacking_excess", "attacking uses beyond other moves",
        neutral: Some(0.0);
        "Attacking minus defending uses, minus the same difference of the moves without a new rule, \
         -2 to 2. Above 0, the new rules serve attack more than other moves do. Both are from the same games, \
         which are resampled together. Games with many such moves count for more than others.";
    USES_BY_WINNER: NewRules Share "new_rules_winner_share", "uses of the new rules by the winner",
        neutral: Some(0.5);
        "Moves of the eventual winner among the moves that use the new rules, in decisive games. It is one half if both \
         sides use them equally often.";
}

table! {
    USES: NewRules "rule-use", "Use of the new rules by phase and by who won";
        Count "opening", Count "middle game", Count "ending", Count "by the winner", Count "by the loser";
        RowNames::Metrics;
        "Mean per game; by winner and loser: mean per decisive game. The opening is the first 20 plies. The ending begins \
         when the pieces, without kings and pawns, are worth at most two fifths of those at the start.";
}

table! {
    AIMS: NewRules "attacking-and-defending", "Attacking and defending moves";
        Share "attacking", Share "defending", Share "both", Share "neither";
        RowNames::Named(&[("new-rules", "moves that use the new rules"), ("other", "other moves")]);
}

pub(super) fn measure(sample: &Sample, findings: &mut Findings) {
    let mut uses = GameInfo::of(sample.id.arm.rules).known_uses;
    for (index, it) in &uses {
        findings.parts(&it.counted, sample, |game| (made(game, |uses| uses >> index & 1 != 0), 1.0));
    }
    let of_uses = move |ply: &PlyFacts| ply.uses != 0;
    let ordinary = |ply: &PlyFacts| ply.uses == 0;
    findings.parts(&ORDINARY_ATTACKING_LEAD, sample, |game| lead(game, ordinary));
    if uses.is_empty() {
        return;
    }
    for (index, it) in &uses {
        if let Some(share) = &it.by_winner {
            findings.parts(share, sample, |game| by_winner(game, |uses| uses >> index & 1 != 0));
        }
    }
    findings.parts(&ATTACKING_LEAD, sample, |game| lead(game, of_uses));
    let both = sample.games.map(|game| [lead(game, of_uses), lead(game, ordinary)]);
    let excess = evidence(&both, |games| difference(games), &findings.resampling);
    findings.add(&ATTACKING_EXCESS, &sample.id, both.len(), excess);
    findings.parts(&NEW_RULE_PLIES, sample, |game| {
        (game.plies.iter().filter(|ply| of_uses(ply)).count() as f64, game.plies.len() as f64)
    });
    findings.parts(&ATTACKING_SHARE, sample, |game| aimed(game, of_uses, ATTACKS));
    findings.parts(&DEFENDING_SHARE, sample, |game| aimed(game, of_uses, DEFENDS));
    findings.parts(&USES_BY_WINNER, sample, |game| by_winner(game, |uses| uses != 0));
    // Uses of the set-up have no phase.
    uses.retain(|(_, it)| it.by_winner.is_some());
    use_table(sample, &uses, findings);
    aim_table(sample, findings);
}

/// Returns the number of the winner's plies, then of both sides' plies, whose bit set of uses
/// satisfies `is_kind`. Both are 0 if the game has no winner.
fn by_winner(game: &GameFacts, is_kind: impl Fn(u16) -> bool) -> (f64, f64) {
    let Some(winner) = game.winner else { return (0.0, 0.0) };
    let of_kind = game.plies.iter().filter(|ply| is_kind(ply.uses));
    of_kind.fold((0.0, 0.0), |sum, ply| (sum.0 + f64::from(ply.mover == winner), sum.1 + 1.0))
}

/// Returns the difference of two ratios. A game has a numerator and a denominator of each ratio.
/// Both are summed over all games.
fn difference(games: &mut dyn Iterator<Item = &[(f64, f64); 2]>) -> f64 {
    let add = |a: (f64, f64), b: (f64, f64)| (a.0 + b.0, a.1 + b.1);
    let [of_uses, ordinary] =
        games.fold([(0.0, 0.0); 2], |sum, game| [add(sum[0], game[0]), add(sum[1], game[1])]);
    of_uses.0 / of_uses.1 - ordinary.0 / ordinary.1
}

/// Returns the number of moves, including set-up moves, whose bit set of uses satisfies `is_kind`.
pub(super) fn made(game: &GameFacts, is_kind: impl Fn(u16) -> bool) -> f64 {
    game.uses().into_iter().filter(|(_, uses)| is_kind(*uses)).count() as f64
}

/// Returns the number of plies that satisfy `of` and have bit `index` in their set of uses.
fn count(game: &GameFacts, index: usize, of: impl Fn(&PlyFacts) -> bool) -> f64 {
    game.plies.iter().filter(|ply| ply.uses >> index & 1 != 0 && of(ply)).count() as f64
}

const ATTACKS: Aim = Aim { attacks: true, defends: false };
const DEFENDS: Aim = Aim { attacks: false, defends: true };

/// Returns the number of plies that satisfy `of` and have the aim `aim`, then the number of plies
/// that satisfy `of` and have any aim.
fn aimed(game: &GameFacts, of: impl Fn(&PlyFacts) -> bool, aim: Aim) -> (f64, f64) {
    let aims = game.plies.iter().filter(|ply| of(ply)).filter_map(|ply| ply.aim);
    aims.fold((0.0, 0.0), |sum, found| (sum.0 + f64::from(found == aim), sum.1 + 1.0))
}

fn lead(game: &GameFacts, of: impl Fn(&PlyFacts) -> bool + Copy) -> (f64, f64) {
    let ((attacking, all), (defending, _)) = (aimed(game, of, ATTACKS), aimed(game, of, DEFENDS));
    (attacking - defending, all)
}

/// Adds the table of uses of added rules by phase of the game, and by winner and loser.
fn use_table(sample: &Sample, uses: &[(usize, &Use)], findings: &mut Findings) {
    let phases = [Phase::Opening, Phase::Middle, Phase::Ending];
    let rows = uses.iter().map(|(index, it)| {
        let per = |parts: &dyn Fn(&GameFacts) -> (f64, f64)| -> Option<Estimate> {
            rate(&sample.games, parts, &findings.resampling).map(|evidence| evidence.estimate)
        };
        let by_phase = phases.map(|phase| per(&|game| (count(game, *index, |ply| ply.phase == phase), 1.0)));
        let by_side = [true, false].map(|won| {
            per(&|game| match game.winner {
                Some(winner) => (count(game, *index, |ply| (ply.mover == winner) == won), 1.0),
                None => (0.0, 0.0),
            })
        });
        (it.counted.id.to_owned(), by_phase.into_iter().chain(by_side).collect())
    });
    let rows = rows.collect();
    findings.table(&USES, &sample.id, rows, Vec::new());
}

/// Adds the table of the moves' aims. One row is for moves that use added rules, one for all other
/// moves. Adds nothing if no move has an aim.
fn aim_table(sample: &Sample, findings: &mut Findings) {
    if !sample.games.iter().any(|game| game.plies.iter().any(|ply| ply.aim.is_some())) {
        return;
    }
    let aims =
        [ATTACKS, DEFENDS, Aim { attacks: true, defends: true }, Aim { attacks: false, defends: false }];
    let row = |name: &str, of: fn(&PlyFacts) -> bool| {
        let share = |aim| share(&sample.games, |game| aimed(game, of, aim));
        let cells = aims.map(|aim| share(aim).map(|evidence| evidence.estimate)).to_vec();
        (name.to_owned(), cells)
    };
    let rows = vec![row("new-rules", |ply| ply.uses != 0), row("other", |ply| ply.uses == 0)];
    findings.table(&AIMS, &sample.id, rows, Vec::new());
}

#[cfg(test)]
#[path = "rule_use_tests.rs"]
mod tests;
