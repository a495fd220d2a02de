//! Texts about the progress of runs and studies.

use super::{Bars, clock};
use catapult_measures::data::NetworkId;
use catapult_network::Losses;
use catapult_rules::Outcome;
use catapult_selfplay::Counters;
use catapult_study::progress::Work;
use catapult_training::progress::Progress;
use catapult_training::report::GenerationReport;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) enum Phase {
    Playing { generation: u32, games: u64, simulations: u32, counters: Arc<Counters> },
    Learning { generation: u32, steps: u64, step: u64, losses: Losses },
    Study(Work),
    Share { percent: u64, message: String },
}

/// Times of a run's generations, to estimate the time left.
#[derive(Default)]
pub(super) struct Run {
    generations: u32,
    /// Seconds `[playing, learning]`, summed over the generations that this process has completed.
    seconds: [f64; 2],
    /// Number of generations that this process has completed and timed.
    timed: u32,
    done: u32,
}

impl Phase {
    /// Returns the number of finished steps of the phase, and a message about the phase. `seconds`
    /// is the time since the phase began.
    pub(super) fn message(&self, seconds: f64, run: &Run) -> (u64, String) {
        match self {
            Phase::Playing { generation, games, simulations, counters } => {
                let done = counters.games.load(Ordering::Relaxed);
                let plies = counters.plies.load(Ordering::Relaxed) as f64 / seconds;
                let evaluations = counters.evaluations.load(Ordering::Relaxed) as f64 / seconds / 1000.0;
                let rest =
                    if done > 0 { seconds * (games - done.min(*games)) as f64 / done as f64 } else { 0.0 };
                let (of, left) = (run.generations, run.time_left(rest, true));
                let message = format!(
                    "games, generation {generation}/{of} at {simulations} simulations: {plies:.0} plies/s, \
                     {evaluations:.1} k evaluations/s{left}"
                );
                (done, message)
            }
            Phase::Learning { generation, steps, step, losses } => {
                let rate = *step as f64 / seconds;
                let rest = if *step > 0 { (steps - step) as f64 / rate } else { 0.0 };
                let (of, left) = (run.generations, run.time_left(rest, false));
                let Losses { total, policy, value, .. } = losses;
                let message = format!(
                    "steps, generation {generation}/{of}: loss {total:.3} (policy {policy:.3}, value {value:.3}), \
                     {rate:.1} steps/s{left}"
                );
                (*step, message)
            }
            Phase::Study(work) => {
                let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
                let games = count(&work.counters.games) as f64 / seconds * 60.0;
                let evaluations = count(&work.counters.evaluations) as f64 / seconds / 1000.0;
                let mut message = work.name.clone();
                if games > 0.0 {
                    message.push_str(&format!(", {games:.0} games/min"));
                }
                if evaluations > 0.0 {
                    message.push_str(&format!(", {evaluations:.1} k evaluations/s"));
                }
                if let Some(rest) = work.tally.seconds_left(seconds) {
                    message.push_str(&format!(", {} left", clock(rest)));
                }
                (count(&work.tally.done), message)
            }
            Phase::Share { percent, message } => (*percent, message.clone()),
        }
    }
}

impl Run {
    pub(super) fn new(generations: u32) -> Run {
        Run { generations, ..Run::default() }
    }

    /// Returns a text about the time left. `phase` is the time left in the phase, in seconds.
    /// `is_playing` says that the learning of the generation follows. Once a generation has been
    /// timed, the text also contains the time left in the run.
    fn time_left(&self, phase: f64, is_playing: bool) -> String {
        if self.timed == 0 {
            return format!(", {} left in this phase", clock(phase));
        }
        let [play, learn] = self.seconds.map(|seconds| seconds / f64::from(self.timed));
        let after = f64::from(self.generations.saturating_sub(self.done + 1)) * (play + learn);
        let playing = 100.0 * play / (play + learn);
        let learning = if is_playing { learn } else { 0.0 };
        let [here, all] = [phase, phase + learning + after].map(clock);
        format!(", {here} left in this phase, about {all} in total; {playing:.0} % of the time is self-play")
    }
}

impl Bars {
    /// Creates the progress display of a run whose last generation is `generations`.
    pub(crate) fn of(generations: u32) -> Bars {
        let bars = Bars::new();
        bars.shared.lock().run = Run::new(generations);
        bars
    }

    /// Creates the progress display of work that calls [`show`](Bars::show).
    pub(crate) fn of_share() -> Bars {
        let bars = Bars::new();
        bars.begin(super::Phase::Idle, 100);
        bars
    }

    /// Shows the finished share of the work, 0 to 1, and a message.
    pub(crate) fn show(&self, share: f64, message: String) {
        let percent = (100.0 * share) as u64;
        self.shared.lock().phase = super::Phase::Lab(Phase::Share { percent, message });
    }

    fn begin_lab(&self, phase: Phase, length: u64) {
        self.begin(super::Phase::Lab(phase), length);
    }
}

impl Progress for Bars {
    fn playing(&self, generation: u32, games: u64, simulations: u32, counters: &Arc<Counters>) {
        self.begin_lab(
            Phase::Playing { generation, games, simulations, counters: Arc::clone(counters) },
            games,
        );
    }

    fn learning(&self, generation: u32, steps: u64) {
        self.begin_lab(Phase::Learning { generation, steps, step: 0, losses: Losses::default() }, steps);
    }

    fn step(&self, step: u64, losses: &Losses) {
        if let super::Phase::Lab(Phase::Learning { step: at, losses: mean, .. }) =
            &mut self.shared.lock().phase
        {
            *at = step;
            *mean = *losses;
        }
    }

    fn generation_done(&self, report: &GenerationReport, of: u32, trained: bool) {
        self.end_phase();
        // A budget may change the expected number of generations.
        self.shared.lock().run.generations = of;
        if trained && let (Some(games), Some(learning)) = (&report.games, &report.learning) {
            let run = &mut self.shared.lock().run;
            run.done = report.generation;
            run.seconds[0] += games.seconds;
            run.seconds[1] += learning.seconds;
            run.timed += 1;
        }
        self.shared.line(&describe(report, of));
    }

    fn match_begins(&self, name: &str, games: u32) {
        Bars::match_begins(self, name, games);
    }

    fn match_progress(&self, games: u32) {
        Bars::match_progress(self, games);
    }

    fn warn(&self, message: &str) {
        self.shared.line(&format!("warning: {message}"));
    }
}

impl catapult_study::progress::StudyProgress for Bars {
    fn agent(&self, network: &NetworkId, generations: u32) {
        self.shared.lock().run = Run::new(generations);
        self.shared.line(&format!("agent {network}: {generations} generations"));
    }

    fn stage(&self, work: &Work) {
        self.begin_lab(Phase::Study(work.clone()), work.tally.units);
    }

    fn stage_done(&self, work: &Work) {
        self.end_phase();
        let Work { name, tally, .. } = work;
        self.shared.line(&format!("{name}: {} of {} units", tally.done.load(Ordering::Relaxed), tally.units));
    }
}

/// Describes a generation in one line. `of` is the number of the run's last generation.
pub(crate) fn describe(report: &GenerationReport, of: u32) -> String {
    let (Some(games), Some(learning)) = (&report.games, &report.learning) else {
        let what = if report.initial.is_some() {
            "the network that the run starts from"
        } else {
            "the untrained network"
        };
        return format!("generation 0/{of}: {what}");
    };
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let losses = match learning.steps {
        0 => "no training step".to_owned(),
        _ => format!(
            "policy loss {:.2} (targets {:.2}), value loss {:.3}",
            learning.losses.policy, learning.policy_target_entropy, learning.losses.value
        ),
    };
    format!(
        "generation {}/{of}: {} games of {:.0} plies, {} decisive, {} repetition, {} fifty-move rule, \
         {} dead or stalemate, {} truncated ({} without progress); \
         {} of the games without a winner ended with a decisive lead; {losses}; \
         {} of self-play, {} of training",
        report.generation,
        games.games,
        games.mean_plies(),
        percent(games.decisive()),
        percent(games.share(Outcome::Repetition)),
        percent(games.share(Outcome::HundredPlies)),
        percent(games.share(Outcome::Dead) + games.share(Outcome::Stalemate)),
        percent(games.share(Outcome::Capped)),
        percent(games.without_progress()),
        percent(games.lead_share()),
        clock(games.seconds),
        clock(learning.seconds),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_contains_the_learning_that_follows_the_games() {
        // Two generations of 20 s of games and 10 s of learning. In the third of five, 5 s are left.
        let run = Run { generations: 5, seconds: [40.0, 20.0], timed: 2, done: 2 };
        let expected = |all: &str| {
            format!(", 0:05 left in this phase, about {all} in total; 67 % of the time is self-play")
        };
        assert_eq!(run.time_left(5.0, true), expected("1:15"));
        assert_eq!(run.time_left(5.0, false), expected("1:05"));
    }
}
