//! Shows progress on standard error: as bars on a terminal, otherwise as lines.

#[cfg(feature = "torch")]
mod lab;

#[cfg(feature = "torch")]
pub(crate) use lab::describe;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Interval at which bars are redrawn.
const TICK: Duration = Duration::from_millis(250);
/// Interval of progress lines if standard error is not a terminal.
const PLAIN_LINE: Duration = Duration::from_secs(20);

/// Shows the progress of a match, run, study or other work until it is dropped.
pub(crate) struct Bars {
    shared: Arc<Shared>,
    ticker: Option<std::thread::JoinHandle<()>>,
}

struct Shared {
    bars: MultiProgress,
    state: Mutex<State>,
    ended: AtomicBool,
}

struct State {
    bar: ProgressBar,
    phase: Phase,
    phase_began: Instant,
    last_line: Instant,
    #[cfg(feature = "torch")]
    run: lab::Run,
}

enum Phase {
    Idle,
    Match {
        name: String,
        games: u32,
        /// Number of games that were finished at the start.
        known: Option<u32>,
        done: u32,
    },
    #[cfg(feature = "torch")]
    Lab(lab::Phase),
}

impl Bars {
    pub(crate) fn new() -> Bars {
        let now = Instant::now();
        let shared = Arc::new(Shared {
            // Hidden without a terminal, and on one that cannot move its cursor.
            bars: MultiProgress::new(),
            state: Mutex::new(State {
                bar: ProgressBar::hidden(),
                phase: Phase::Idle,
                phase_began: now,
                last_line: now,
                #[cfg(feature = "torch")]
                run: lab::Run::default(),
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

    /// Calls `work` with the display and removes the display afterwards.
    pub(crate) fn during<T>(self, work: impl FnOnce(&Bars) -> T) -> T {
        work(&self)
    }

    #[allow(clippy::expect_used)]
    fn begin(&self, phase: Phase, length: u64) {
        let mut state = self.shared.lock();
        state.bar.finish_and_clear();
        state.phase = phase;
        state.phase_began = Instant::now();
        state.last_line = state.phase_began;
        let style = ProgressStyle::with_template("{bar:28} {pos}/{len} {wide_msg}")
            .expect("a constant that is known to parse");
        state.bar = self.shared.bars.add(ProgressBar::new(length).with_style(style));
    }

    pub(crate) fn match_begins(&self, name: &str, games: u32) {
        self.begin(Phase::Match { name: name.to_owned(), games, known: None, done: 0 }, u64::from(games));
    }

    pub(crate) fn match_progress(&self, games: u32) {
        if let Phase::Match { known, done, .. } = &mut self.shared.lock().phase {
            known.get_or_insert(games);
            *done = games;
        }
    }

    #[cfg(feature = "torch")]
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
        // Unwritable progress does not stop the work.
        self.bars.suspend(|| note!("{text}"));
    }

    fn tick(&self) {
        let mut state = self.lock();
        let Some((position, message)) = state.message() else { return };
        state.bar.set_position(position);
        state.bar.set_message(message.clone());
        if self.bars.is_hidden() && state.last_line.elapsed() >= PLAIN_LINE {
            state.last_line = Instant::now();
            let length = state.bar.length().unwrap_or(0);
            drop(state);
            self.line(&format!("{position}/{length} {message}"));
        }
    }
}

impl State {
    /// Returns the number of finished steps of the phase, and a message about the phase. Returns
    /// `None` if no work is in progress.
    fn message(&self) -> Option<(u64, String)> {
        let seconds = self.phase_began.elapsed().as_secs_f64().max(1e-3);
        match &self.phase {
            Phase::Idle => None,
            Phase::Match { name, games, known, done } => {
                let played = f64::from(done - known.unwrap_or(*done));
                let rest = if played > 0.0 { seconds * f64::from(games - done) / played } else { 0.0 };
                Some((u64::from(*done), format!("games, {name}, {} left", clock(rest))))
            }
            #[cfg(feature = "torch")]
            Phase::Lab(phase) => Some(phase.message(seconds, &self.run)),
        }
    }
}

/// Formats seconds as `h:mm:ss`, or as `m:ss` below an hour. Negative values count as 0.
pub(crate) fn clock(seconds: f64) -> String {
    let seconds = seconds.max(0.0).round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}
