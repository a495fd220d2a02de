//! What the rules that a game adds to chess are used for.

use super::facts::{GameFacts, Phase, PlyFacts};
use super::findings::{Findings, Kind};
use super::sample::Sample;
use crate::games::{Aim, StudiedGame};
use crate::results::{Estimate, MetricInfo, SampleTable, Unit};
use catapult_rules::{Variant, with_variant};

const NEW_RULE_PLIES: MetricInfo = MetricInfo {
    id: "new_rule_plies",
    name: "plies that use the new rules",
    unit: Unit::Share,
    definition: "Plies whose move uses a rule that chess has not, of all plies.",
};
const ATTACKING_SHARE: MetricInfo = MetricInfo {
    id: "attacking_share",
    name: "attacking uses",
    unit: Unit::Share,
    definition: "Moves that use the new rules to attack and not to defend, of all such moves whose aim can be told. A move attacks \
                 if it takes something, gives check, newly attacks a piece that is unguarded or worth more than the one that moved, \
                 or lands in the enemy's half or near its king; it defends if it ends a check, takes a piece out of attack, or guards \
                 an attacked piece that nothing guarded.",
};
const DEFENDING_SHARE: MetricInfo = MetricInfo {
    id: "defending_share",
    name: "defending uses",
    unit: Unit::Share,
    definition: "Moves that use the new rules to defend and not to attack, of all such moves whose aim can be told (see \
                 attacking uses); the rest does both or neither.",
};
const ATTACKING_LEAD: MetricInfo = MetricInfo {
    id: "attacking_lead",
    name: "attacking less defending moves",
    unit: Unit::Ratio,
    definition: "Share of attacking less share of defending moves (see attacking uses), -1 to 1: among the moves that use the \
                 new rules, and in a game without any, such as chess as the control, among all its moves.",
};
const ORDINARY_ATTACKING_LEAD: MetricInfo = MetricInfo {
    id: "attacking_lead_ordinary",
    name: "attacking less defending moves, ordinary moves",
    unit: Unit::Ratio,
    definition: "The same among the moves that use no new rule.",
};
const USES_BY_WINNER: MetricInfo = MetricInfo {
    id: "new_rules_winner_share",
    name: "uses of the new rules by the winner",
    unit: Unit::Share,
    definition: "Moves of the eventual winner among the moves that use the new rules, in decisive games; one half if both sides \
                 use them alike.",
};

pub(super) const METRICS: &[MetricInfo] = &[
    NEW_RULE_PLIES,
    ATTACKING_SHARE,
    DEFENDING_SHARE,
    ATTACKING_LEAD,
    ORDINARY_ATTACKING_LEAD,
    USES_BY_WINNER,
];

pub(super) fn measure(sample: &Sample, findings: &mut Findings) {
    let uses = known_uses(sample.id.arm);
    for (index, info) in &uses {
        findings.parts(info, Kind::Ratio, sample, |game| (count(game, *index, |_| true), 1.0));
    }
    let uses_new = !uses.is_empty();
    let of_uses = move |ply: &PlyFacts| ply.uses != 0;
    let ordinary = |ply: &PlyFacts| ply.uses == 0;
    findings.parts(&ORDINARY_ATTACKING_LEAD, Kind::Ratio, sample, |game| lead(game, ordinary));
    findings.parts(&ATTACKING_LEAD, Kind::Ratio, sample, |game| {
        if uses_new { lead(game, of_uses) } else { lead(game, ordinary) }
    });
    if !uses_new {
        return;
    }
    findings.parts(&NEW_RULE_PLIES, Kind::Share, sample, |game| {
        (game.plies.iter().filter(|ply| of_uses(ply)).count() as f64, game.plies.len() as f64)
    });
    findings.parts(&ATTACKING_SHARE, Kind::Share, sample, |game| aimed(game, of_uses, ATTACKS));
    findings.parts(&DEFENDING_SHARE, Kind::Share, sample, |game| aimed(game, of_uses, DEFENDS));
    findings.parts(&USES_BY_WINNER, Kind::Share, sample, |game| {
        let Some(winner) = game.winner else { return (0.0, 0.0) };
        let used = game.plies.iter().filter(|ply| of_uses(ply));
        used.fold((0.0, 0.0), |sum, ply| (sum.0 + f64::from(u8::from(ply.mover == winner)), sum.1 + 1.0))
    });
    use_table(sample, &uses, findings);
    aim_table(sample, findings);
}

/// The uses that the arm's rules know, with their bits.
fn known_uses(arm: Variant) -> Vec<(usize, &'static MetricInfo)> {
    with_variant!(arm, |P, rules| {
        let uses = <P as StudiedGame>::USES.iter().enumerate();
        uses.filter(|(index, _)| <P as StudiedGame>::has_use(rules, *index)).collect()
    })
}

/// How often a use is made, by plies of some kind.
fn count(game: &GameFacts, index: usize, of: impl Fn(&PlyFacts) -> bool) -> f64 {
    game.plies.iter().filter(|ply| ply.uses >> index & 1 != 0 && of(ply)).count() as f64
}

const ATTACKS: Aim = Aim { attacks: true, defends: false };
const DEFENDS: Aim = Aim { attacks: false, defends: true };

/// Moves of some kind with an aim, and all of that kind whose aim can be told.
fn aimed(game: &GameFacts, of: impl Fn(&PlyFacts) -> bool, aim: Aim) -> (f64, f64) {
    let aims = game.plies.iter().filter(|ply| of(ply)).filter_map(|ply| ply.aim);
    aims.fold((0.0, 0.0), |sum, found| (sum.0 + f64::from(u8::from(found == aim)), sum.1 + 1.0))
}

fn lead(game: &GameFacts, of: impl Fn(&PlyFacts) -> bool + Copy) -> (f64, f64) {
    let ((attacking, all), (defending, _)) = (aimed(game, of, ATTACKS), aimed(game, of, DEFENDS));
    (attacking - defending, all)
}

/// Uses by phase, and by who won.
fn use_table(sample: &Sample, uses: &[(usize, &MetricInfo)], findings: &mut Findings) {
    let phases = [Phase::Opening, Phase::Middle, Phase::Ending];
    let rows = uses.iter().map(|(index, info)| {
        let per = |parts: &dyn Fn(&GameFacts) -> (f64, f64)| -> Option<Estimate> {
            findings.quotient(Kind::Ratio, sample, parts).map(|evidence| evidence.estimate)
        };
        let by_phase = phases.map(|phase| per(&|game| (count(game, *index, |ply| ply.phase == phase), 1.0)));
        let by_side = [true, false].map(|won| {
            per(&|game| match game.winner {
                Some(winner) => (count(game, *index, |ply| (ply.mover == winner) == won), 1.0),
                None => (0.0, 0.0),
            })
        });
        (info.name.to_owned(), by_phase.into_iter().chain(by_side).collect())
    });
    let heads = ["opening", "middle game", "ending", "by the winner", "by the loser"];
    let table = SampleTable {
        table: "rule-use".to_owned(),
        title: "Use of the new rules by phase and by who won".to_owned(),
        sample: sample.id.clone(),
        columns: heads.map(|head| (head.to_owned(), Unit::Count)).to_vec(),
        rows: rows.collect(),
        note: Some(
            "Per game; by winner and loser: per decisive game. The opening is the first 20 plies; the ending begins when \
             the pieces but kings and pawns are worth at most two fifths of those at the start."
                .to_owned(),
        ),
    };
    findings.table(table);
}

/// What moves are for: those that use the new rules, and the others. Nothing for a game that does not tell.
fn aim_table(sample: &Sample, findings: &mut Findings) {
    if !sample.games.iter().any(|game| game.plies.iter().any(|ply| ply.aim.is_some())) {
        return;
    }
    let aims =
        [ATTACKS, DEFENDS, Aim { attacks: true, defends: true }, Aim { attacks: false, defends: false }];
    let row = |name: &str, of: fn(&PlyFacts) -> bool| {
        let share = |aim| findings.quotient(Kind::Share, sample, |game| aimed(game, of, aim));
        let cells = aims.map(|aim| share(aim).map(|evidence| evidence.estimate)).to_vec();
        (name.to_owned(), cells)
    };
    let rows = vec![
        row("moves that use the new rules", |ply| ply.uses != 0),
        row("other moves", |ply| ply.uses == 0),
    ];
    let heads = ["attacking", "defending", "both", "neither"];
    findings.table(SampleTable {
        table: "attacking-and-defending".to_owned(),
        title: "Attacking and defending moves".to_owned(),
        sample: sample.id.clone(),
        columns: heads.map(|head| (head.to_owned(), Unit::Share)).to_vec(),
        rows,
        note: None,
    });
}
