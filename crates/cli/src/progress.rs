//! Live bars on a terminal, plain lines elsewhere.

use catapult_network::Losses;
use catapult_rules::Outcome;
use catapult_selfplay::Counters;
use catapult_study::data::NetworkId;
use catapult_study::progress::Work;
use catapult_training::progress::Progress;
use catapult_training::report::GenerationReport;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How often bars are redrawn, and how often a plain line is written.
const TICK: Duration = Duration::from_millis(250);
const PLAIN_LINE: Duration = Duration::from_secs(20);

/// Draws a run.
pub struct Bars {
    shared: Arc<Shared>,
    ticker: Option<std::thread::JoinHandle<()>>,
}

struct Shared {
    terminal: bool,
    bars: MultiProgress,
    state: Mutex<State>,
    ended: AtomicBool,
}

struct State {
    bar: ProgressBar,
    phase: Phase,
    phase_began: Instant,
    last_line: Instant,
    generations: u32,
    /// Seconds playing and learning of the generations done in this process, and how many those are.
    seconds: [f64; 2],
    timed: u32,
    done: u32,
}

enum Phase {
    Idle,
    Playing { generation: u32, games: u64, simulations: u32, counters: Arc<Counters> },
    Learning { generation: u32, steps: u64, step: u64, losses: Losses },
    Match { name: String, games: u32, done: u32 },
    Study(Arc<Work>),
}

impl Bars {
    /// Begins to draw a run of so many generations.
    pub fn new(generations: u32) -> Bars {
        let terminal = std::io::stderr().is_terminal();
        let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bars = MultiProgress::with_draw_target(target);
        let now = Instant::now();
        let shared = Arc::new(Shared {
            terminal,
            bars,
            state: Mutex::new(State {
                bar: ProgressBar::hidden(),
                phase: Phase::Idle,
                phase_began: now,
                last_line: now,
                generations,
                seconds: [0.0; 2],
                timed: 0,
                done: 0,
            }),
            ended: AtomicBool::new(false),
        });
        let ticking = Arc::clone(&shared);
        let ticker = std::thread::spawn(move || {
            while !ticking.ended.load(Ordering::Relaxed) {
                std::thread::park_timeout(TICK);
                ticking.tick();
            }
        });
        Bars { shared, ticker: Some(ticker) }
    }

    fn begin(&self, phase: Phase, length: u64) {
        let mut state = self.shared.lock();
        state.bar.finish_and_clear();
        state.phase = phase;
        state.phase_began = Instant::now();
        state.last_line = state.phase_began;
        // The template is a constant that is known to parse.
        let style = ProgressStyle::with_template("{bar:28} {pos}/{len} {wide_msg}").unwrap();
        state.bar = self.shared.bars.add(ProgressBar::new(length).with_style(style));
    }

    fn end_phase(&self) {
        let mut state = self.shared.lock();
        state.bar.finish_and_clear();
        state.phase = Phase::Idle;
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Relaxed);
        if let Some(ticker) = self.ticker.take() {
            ticker.thread().unpark();
            // A ticker that panicked has nothing more to draw.
            let _ = ticker.join();
        }
        self.shared.lock().bar.finish_and_clear();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn line(&self, text: &str) {
        self.bars.suspend(|| {
            // Progress that nobody can read is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{text}");
        });
    }

    fn tick(&self) {
        let mut state = self.lock();
        let Some((position, message)) = state.message() else { return };
        state.bar.set_position(position);
        state.bar.set_message(message.clone());
        if !self.terminal && state.last_line.elapsed() >= PLAIN_LINE {
            state.last_line = Instant::now();
            let length = state.bar.length().unwrap_or(0);
            drop(state);
            self.line(&format!("{position}/{length} {message}"));
        }
    }
}

impl State {
    /// How far the phase is, and what there is to say of it.
    fn message(&self) -> Option<(u64, String)> {
        let seconds = self.phase_began.elapsed().as_secs_f64().max(1e-3);
        match &self.phase {
            Phase::Idle => None,
            Phase::Playing { generation, games, simulations, counters } => {
                let done = counters.games.load(Ordering::Relaxed);
                let plies = counters.plies.load(Ordering::Relaxed) as f64 / seconds;
                let evaluations = counters.evaluations.load(Ordering::Relaxed) as f64 / seconds / 1000.0;
                let rest =
                    if done > 0 { seconds * (games - done.min(*games)) as f64 / done as f64 } else { 0.0 };
                let message = format!(
                    "games, generation {generation}/{} at {simulations} simulations: {plies:.0} plies/s, \
                     {evaluations:.1} k evaluations/s{}",
                    self.generations,
                    self.time_left(rest)
                );
                Some((done, message))
            }
            Phase::Learning { generation, steps, step, losses } => {
                let rate = *step as f64 / seconds;
                let rest = if *step > 0 { (steps - step) as f64 / rate } else { 0.0 };
                let message = format!(
                    "steps, generation {generation}/{}: loss {:.3} (policy {:.3}, value {:.3}), {rate:.1} steps/s{}",
                    self.generations,
                    losses.total,
                    losses.policy,
                    losses.value,
                    self.time_left(rest)
                );
                Some((*step, message))
            }
            Phase::Match { name, games, done } => {
                let rest = if *done > 0 { seconds * f64::from(games - done) / f64::from(*done) } else { 0.0 };
                Some((u64::from(*done), format!("games, {name}, {} left", clock(rest))))
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
                if let Some(rest) = work.seconds_left(seconds) {
                    message.push_str(&format!(", {} left", clock(rest)));
                }
                Some((count(&work.done), message))
            }
        }
    }

    /// Time left in the phase, and in the run once a generation has been timed.
    fn time_left(&self, phase: f64) -> String {
        if self.timed == 0 {
            return format!(", {} left here", clock(phase));
        }
        let a_generation = (self.seconds[0] + self.seconds[1]) / f64::from(self.timed);
        let after = f64::from(self.generations.saturating_sub(self.done + 1));
        let playing = 100.0 * self.seconds[0] / (self.seconds[0] + self.seconds[1]);
        format!(
            ", {} left here, about {} in all; {playing:.0} % of the time is playing",
            clock(phase),
            clock(phase + after * a_generation)
        )
    }
}

/// Seconds as `1:02:03` or `2:03`.
pub fn clock(seconds: f64) -> String {
    let seconds = seconds.max(0.0).round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

impl Progress for Bars {
    fn playing(&self, generation: u32, games: u64, simulations: u32, counters: &Arc<Counters>) {
        self.begin(Phase::Playing { generation, games, simulations, counters: Arc::clone(counters) }, games);
    }

    fn learning(&self, generation: u32, steps: u64, _window_rows: u64) {
        self.begin(Phase::Learning { generation, steps, step: 0, losses: Losses::default() }, steps);
    }

    fn step(&self, step: u64, losses: &Losses) {
        if let Phase::Learning { step: at, losses: mean, .. } = &mut self.shared.lock().phase {
            *at = step;
            *mean = *losses;
        }
    }

    fn generation_done(&self, report: &GenerationReport, of: u32, trained: bool) {
        self.end_phase();
        // What a budget allows becomes clear on the way.
        self.shared.lock().generations = of;
        if trained && let (Some(games), Some(learning)) = (&report.games, &report.learning) {
            let mut state = self.shared.lock();
            state.done = report.generation;
            state.seconds[0] += games.seconds;
            state.seconds[1] += learning.seconds;
            state.timed += 1;
        }
        self.shared.line(&describe(report, of));
    }

    fn match_begins(&self, name: &str, games: u32) {
        self.begin(Phase::Match { name: name.to_owned(), games, done: 0 }, u64::from(games));
    }

    fn match_progress(&self, games: u32) {
        if let Phase::Match { done, .. } = &mut self.shared.lock().phase {
            *done = games;
        }
    }

    fn warn(&self, message: &str) {
        self.shared.line(&format!("warning: {message}"));
    }
}

impl catapult_study::progress::Progress for Bars {
    fn agent(&self, network: &NetworkId, generations: u32) {
        let mut state = self.shared.lock();
        state.generations = generations;
        (state.seconds, state.timed, state.done) = ([0.0; 2], 0, 0);
        drop(state);
        self.shared.line(&format!("agent {network}: {generations} generations"));
    }

    fn stage(&self, work: &Arc<Work>) {
        self.begin(Phase::Study(Arc::clone(work)), work.units);
    }

    fn stage_done(&self) {
        let done = match &self.shared.lock().phase {
            Phase::Study(work) => Some((work.name.clone(), work.done.load(Ordering::Relaxed), work.units)),
            _ => None,
        };
        self.end_phase();
        if let Some((name, done, units)) = done {
            self.shared.line(&format!("{name}: {done} of {units} units"));
        }
    }
}

/// A generation in one line.
pub fn describe(report: &GenerationReport, of: u32) -> String {
    let (Some(games), Some(learning)) = (&report.games, &report.learning) else {
        let what = if report.initial.is_some() {
            "the network that the run starts from"
        } else {
            "the untrained network"
        };
        return format!("generation 0/{of}: {what}");
    };
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    format!(
        "generation {}/{of}: {} games of {:.0} plies, {} decisive, {} repetition, {} clock, {} dead or stalemate, {} capped \
         ({} without progress); \
         {} of the undecided with a decisive lead; policy loss {:.2} (targets {:.2}), value loss {:.3}; \
         {} playing, {} learning",
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
        learning.losses.policy,
        learning.policy_target_entropy,
        learning.losses.value,
        clock(games.seconds),
        clock(learning.seconds),
    )
}
