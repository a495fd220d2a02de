//! The settings of a search.

use serde::{Deserialize, Serialize};

/// Version of the defaults of [`SearchConfig`], by which players without settings are searched: results under different numbers
/// are not of the same players. Version 1 considered min(16, simulations) root moves, and so halved nothing at 16 simulations
/// and below. Version 3 ends begun turns in the tree.
pub const SEARCH_DEFAULTS: u32 = 3;

/// How a search spends its simulations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// Gumbel AlphaZero: sequential halving at the root, deterministic below (Danihelka et al. 2022).
    #[default]
    Gumbel,
    /// AlphaZero's PUCT (Silver et al. 2018) with first-play urgency.
    Puct,
}

/// Everything that decides what a search does; with a position and a seed it decides the result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchConfig {
    /// `gumbel` or `puct`.
    pub algorithm: Algorithm,
    /// Simulations per search, the evaluation of the root not counted. 0 plays the raw policy.
    pub simulations: u32,
    /// Gumbel: root moves that enter sequential halving (never more than simulations or legal moves); by the number of
    /// simulations where none is named: [`SearchConfig::considered_in_force`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub considered: Option<u32>,
    /// Gumbel: c_visit of sigma(q) = (c_visit + max N) * c_scale * (q + 1) / 2.
    pub c_visit: f32,
    /// Gumbel: c_scale of the same formula.
    pub c_scale: f32,
    /// Gumbel: scale of the noise at the root: 1 in self-play, 0 in matches and analysis.
    pub gumbel_scale: f32,
    /// Gumbel: the share of that noise which the choice of the move to play keeps. At 0 the moves that are looked at are drawn as
    /// ever, and the best of them is played.
    pub choice_noise: f32,
    /// The root's logits are divided by it: above 1 flattens what the evaluator would play (KataGo's root policy temperature).
    pub root_temperature: f32,
    /// PUCT: exploration constant.
    pub c_puct: f32,
    /// PUCT: an unvisited move counts as this much worse than its parent, times the root of the visited prior mass.
    pub fpu_reduction: f32,
    /// PUCT: parameter of the Dirichlet noise on the root's priors.
    pub dirichlet_alpha: f32,
    /// PUCT: share of that noise: 0.25 in self-play, 0 in matches and analysis.
    pub dirichlet_fraction: f32,
    /// PUCT: leaves asked for at once; each counts as a visit without a value until it is answered.
    pub parallel_leaves: u32,
    /// Where a turn is several decisions: a turn begun in the tree ends at the first chance ([`Position::turn_end`](catapult_rules::Position::turn_end)), without
    /// an evaluation, so that the simulations look at replies. A root within a turn has all its moves.
    pub finish_turns: bool,
    /// What a draw is worth to the side to move at the root, in units of Q; below 0 it plays on where it could draw (contempt). For play:
    /// values that are told and recorded are as they are without it.
    pub draw_score: f32,
    /// Most a winning (losing) side gains by a shorter (longer) game, in units of Q; 0 turns it off.
    pub moves_left_cap: f32,
    /// Gain per ply that a move shortens (lengthens) the game, before the cap.
    pub moves_left_slope: f32,
    /// |Q| from which the length of the game counts; its weight grows from 0 there to 1 at |Q| = 1.
    pub moves_left_threshold: f32,
    /// Bytes of nodes and edges at which a search stops and answers with what it has.
    pub memory_limit: usize,
}

impl Default for SearchConfig {
    fn default() -> Self {
        SearchConfig {
            algorithm: Algorithm::Gumbel,
            simulations: 32,
            considered: None,
            c_visit: 50.0,
            c_scale: 1.0,
            gumbel_scale: 0.0,
            choice_noise: 1.0,
            root_temperature: 1.0,
            c_puct: 1.5,
            fpu_reduction: 0.3,
            dirichlet_alpha: 0.3,
            dirichlet_fraction: 0.0,
            parallel_leaves: 8,
            finish_turns: true,
            draw_score: 0.0,
            moves_left_cap: 0.04,
            moves_left_slope: 0.003,
            moves_left_threshold: 0.5,
            memory_limit: 1 << 30,
        }
    }
}

/// A setting outside its range.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("search setting `{key}` is {found}: {allowed}")]
pub struct ConfigError {
    /// Name of the setting.
    pub key: &'static str,
    /// Its value.
    pub found: String,
    /// What it may be.
    pub allowed: &'static str,
}

impl SearchConfig {
    /// Smallest [`memory_limit`](Self::memory_limit): room for a root with as many moves as a position can have.
    pub const MIN_MEMORY: usize = 1 << 17;

    /// The root moves that enter sequential halving: as named, else half the simulations, at most 8, and at most 16 from 64
    /// simulations on, at least 1. As many as there are simulations would leave one look a move and nothing to halve.
    pub fn considered_in_force(&self) -> u32 {
        self.considered_among(self.simulations)
    }

    /// The same for another number of simulations.
    pub(crate) fn considered_among(&self, simulations: u32) -> u32 {
        let most = if simulations < 64 { 8 } else { 16 };
        self.considered.unwrap_or((simulations / 2).min(most).max(1))
    }

    /// Refuses, in a Gumbel search of at least two simulations, a named number of root moves above half of them.
    pub fn check_considered(&self) -> Result<(), ConfigError> {
        let most = self.simulations / 2;
        match self.considered {
            Some(found) if self.algorithm == Algorithm::Gumbel && most > 0 && found > most => {
                let allowed = "at most half the simulations, so that there is something to halve";
                Err(ConfigError { key: "considered", found: found.to_string(), allowed })
            }
            _ => Ok(()),
        }
    }

    /// Checks every setting against its range; the error names the first that is outside.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let check = |key, value: f32, low: f32, high: f32, allowed| {
            let inside = (low..=high).contains(&value);
            if inside { Ok(()) } else { Err(ConfigError { key, found: value.to_string(), allowed }) }
        };
        if self.simulations > 100_000_000 {
            let found = self.simulations.to_string();
            return Err(ConfigError { key: "simulations", found, allowed: "0 to 100000000" });
        }
        if self.considered == Some(0) {
            return Err(ConfigError { key: "considered", found: "0".into(), allowed: "at least 1" });
        }
        check("c_visit", self.c_visit, 0.0, 1e6, "0 to 1e6")?;
        check("c_scale", self.c_scale, 0.0, 1e3, "0 to 1000")?;
        check("gumbel_scale", self.gumbel_scale, 0.0, 100.0, "0 to 100")?;
        check("choice_noise", self.choice_noise, 0.0, 1.0, "0 to 1")?;
        check("root_temperature", self.root_temperature, 0.1, 10.0, "0.1 to 10")?;
        check("c_puct", self.c_puct, 0.0, 1e3, "0 to 1000")?;
        check("fpu_reduction", self.fpu_reduction, -2.0, 2.0, "-2 to 2")?;
        check("dirichlet_alpha", self.dirichlet_alpha, 1e-3, 1e3, "0.001 to 1000")?;
        check("dirichlet_fraction", self.dirichlet_fraction, 0.0, 1.0, "0 to 1")?;
        if !(1..=1024).contains(&self.parallel_leaves) {
            let found = self.parallel_leaves.to_string();
            return Err(ConfigError { key: "parallel_leaves", found, allowed: "1 to 1024" });
        }
        check("draw_score", self.draw_score, -1.0, 1.0, "-1 to 1")?;
        check("moves_left_cap", self.moves_left_cap, 0.0, 1.0, "0 to 1")?;
        check("moves_left_slope", self.moves_left_slope, 0.0, 1.0, "0 to 1")?;
        check("moves_left_threshold", self.moves_left_threshold, 0.0, 0.99, "0 to 0.99")?;
        if self.memory_limit < Self::MIN_MEMORY {
            let found = self.memory_limit.to_string();
            return Err(ConfigError { key: "memory_limit", found, allowed: "at least 131072 bytes" });
        }
        Ok(())
    }

    /// Bonus for a child in units of Q, given the parent's value for the side to move there:
    /// `-sign(q) * clamp(slope * (child's plies left + 1 - parent's plies left), -cap, cap) * (|q| - t) / (1 - t)`
    /// where |q| exceeds the threshold t and the child's q has the parent's sign, else 0: how soon the game ends says
    /// nothing good of a child that draws, or where the other side is ahead. The same idea as Leela Chess Zero's moves-left utility.
    /// What is returned is the parent's part; [`MovesLeft::bonus`] adds the child's.
    pub(crate) fn moves_left(&self, q: f32, plies_left: f32) -> Option<MovesLeft> {
        let threshold = self.moves_left_threshold;
        if self.moves_left_cap == 0.0 || q.abs() <= threshold {
            return None;
        }
        let weight = -q.signum() * ((q.abs() - threshold) / (1.0 - threshold)).min(1.0);
        Some(MovesLeft { slope: self.moves_left_slope, cap: self.moves_left_cap, weight, plies_left })
    }
}

/// The parent's part of the moves-left utility.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovesLeft {
    slope: f32,
    cap: f32,
    weight: f32,
    plies_left: f32,
}

impl MovesLeft {
    /// The bonus of a child of that Q (seen from the parent's mover), from which the game is expected to last so many
    /// plies.
    pub(crate) fn bonus(&self, child_q: f32, child_plies_left: f32) -> f32 {
        // The weight's sign is opposite to that of the parent's q.
        if child_q * self.weight >= 0.0 {
            return 0.0;
        }
        let longer = self.slope * (child_plies_left + 1.0 - self.plies_left);
        self.weight * longer.clamp(-self.cap, self.cap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_valid_and_each_bad_value_is_named() {
        let good = SearchConfig::default();
        assert_eq!(good.validate(), Ok(()));
        type Spoil = fn(&mut SearchConfig);
        let cases: [(&str, Spoil); 12] = [
            ("considered", |c| c.considered = Some(0)),
            ("c_visit", |c| c.c_visit = -1.0),
            ("c_scale", |c| c.c_scale = f32::NAN),
            ("gumbel_scale", |c| c.gumbel_scale = -0.5),
            ("choice_noise", |c| c.choice_noise = 1.5),
            ("root_temperature", |c| c.root_temperature = 0.0),
            ("dirichlet_alpha", |c| c.dirichlet_alpha = 0.0),
            ("dirichlet_fraction", |c| c.dirichlet_fraction = 1.5),
            ("parallel_leaves", |c| c.parallel_leaves = 0),
            ("draw_score", |c| c.draw_score = 1.5),
            ("moves_left_threshold", |c| c.moves_left_threshold = 1.0),
            ("memory_limit", |c| c.memory_limit = 1000),
        ];
        for (key, spoil) in cases {
            let mut config = good.clone();
            spoil(&mut config);
            assert_eq!(config.validate().unwrap_err().key, key);
        }
    }

    #[test]
    fn considered_moves_follow_the_simulations_unless_they_are_named() {
        let of =
            |simulations, considered| SearchConfig { simulations, considered, ..SearchConfig::default() };
        for (simulations, expected) in
            [(0, 1), (1, 1), (2, 1), (4, 2), (8, 4), (15, 7), (16, 8), (32, 8), (63, 8), (64, 16), (800, 16)]
        {
            let config = of(simulations, None);
            assert_eq!(config.considered_in_force(), expected, "{simulations}");
            assert_eq!(config.check_considered(), Ok(()));
            assert_eq!(of(simulations, Some(3)).considered_in_force(), 3);
        }
        for (simulations, considered) in [(0, 16), (1, 16), (2, 1), (9, 4), (32, 16)] {
            assert_eq!(of(simulations, Some(considered)).check_considered(), Ok(()));
        }
        for (simulations, considered) in [(2, 2), (8, 5), (9, 5), (31, 16)] {
            let error = of(simulations, Some(considered)).check_considered().unwrap_err();
            assert_eq!((error.key, error.found), ("considered", considered.to_string()));
            let puct = SearchConfig { algorithm: Algorithm::Puct, ..of(simulations, Some(considered)) };
            assert_eq!(puct.check_considered(), Ok(()));
        }
    }

    #[test]
    fn unknown_keys_are_refused() {
        let error = serde_json::from_str::<SearchConfig>(r#"{"simulation": 3}"#).unwrap_err();
        assert!(error.to_string().contains("simulation"), "{error}");
        let config: SearchConfig = serde_json::from_str(r#"{"algorithm": "puct"}"#).unwrap();
        assert_eq!(config, SearchConfig { algorithm: Algorithm::Puct, ..SearchConfig::default() });
    }

    #[test]
    fn moves_left_favours_the_short_win_and_the_long_loss() {
        let config = SearchConfig::default();
        // Worked by hand: q = 0.75 is halfway from 0.5 to 1; 6 plies shorter gain 6 * 0.003 / 2.
        let winning = config.moves_left(0.75, 20.0).unwrap();
        assert!((winning.bonus(0.7, 13.0) - 0.009).abs() < 1e-7);
        assert!((winning.bonus(0.7, 25.0) + 0.009).abs() < 1e-7);
        let losing = config.moves_left(-0.75, 20.0).unwrap();
        assert!((losing.bonus(-0.7, 25.0) - 0.009).abs() < 1e-7);
        assert!((losing.bonus(-0.7, 1000.0) - 0.02).abs() < 1e-7, "capped at 0.04, times a half");
        assert!(config.moves_left(0.5, 20.0).is_none());
        for parent in [winning, losing] {
            assert_eq!(parent.bonus(0.0, 0.0), 0.0, "a draw");
        }
        assert_eq!((winning.bonus(-0.2, 0.0), losing.bonus(0.2, 0.0)), (0.0, 0.0), "the other side is ahead");
    }
}
