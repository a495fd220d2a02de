//! The Universal Chess Interface (UCI) without input and output: the caller passes command lines
//! and prints the returned lines.
//!
//! The response to an invalid line is an `info string error` line.

mod answer;
mod command;
mod ladder;
mod options;

pub use command::{Command, Go};
pub use ladder::Ladder;
pub use options::Options;

use crate::Thinker;
use catapult_rules::{AnyGame, Variant, VariantError};
use std::time::Duration;

/// Factory of engines for variants, usually with a network.
pub trait EngineFactory {
    /// Parses a value of `UCI_Variant`. By default it is a variant's name.
    ///
    /// # Errors
    /// A message for the user.
    fn variant(&self, text: &str) -> Result<Variant, String> {
        text.parse().map_err(|error: VariantError| error.to_string())
    }

    /// Creates an engine for a variant. The options contain the network file.
    ///
    /// # Errors
    /// A message for the user, such as a network file that cannot be read.
    fn create(&self, variant: Variant, options: &Options) -> Result<NewEngine, String>;
}

/// A new engine, its description and its strength.
pub struct NewEngine {
    /// The engine, at the start position.
    pub engine: Box<dyn Thinker>,
    /// Text about the engine, printed as `info string`.
    pub description: String,
    /// Measured strength per number of simulations, for `UCI_LimitStrength`. `None` if not
    /// measured.
    pub ladder: Option<Ladder>,
}

/// State machine of the UCI protocol. The times `now` may count from any fixed moment.
pub struct Uci<M> {
    factory: M,
    options: Options,
    engine: Option<Box<dyn Thinker>>,
    /// Measured strength of the current engine. `None` if not measured.
    ladder: Option<Ladder>,
    /// Variant, network file and threads of the current engine. `None` without an engine.
    engine_key: Option<(Variant, String, usize)>,
    /// Game of the current variant.
    game: Box<dyn AnyGame>,
    /// True if the last `position` was rejected. `go` then searches nothing.
    rejected: bool,
    began: Duration,
    /// Time of the last `info` line, and the number of simulations at that time.
    last_info: (Duration, u32),
    /// Lines to print when the next search starts. They wait because programs expect only `readyok`
    /// after `isready`.
    pending: Vec<String>,
    /// The command of a search in ponder mode whose strength is limited after `ponderhit`.
    pondered: Option<Box<Go>>,
    has_quit: bool,
    /// True after `debug on`. Each answer then includes statistics of the search.
    debug: bool,
}

/// Minimum interval between two `info` reports during a search.
const INFO_INTERVAL: Duration = Duration::from_millis(250);

/// Interval after which a search reports even if few simulations were added.
const LONGEST_INTERVAL: Duration = Duration::from_secs(2);

impl<M: EngineFactory> Uci<M> {
    /// Creates the state before the first command, with default options and no engine.
    pub fn new(factory: M) -> Uci<M> {
        let options = Options::default();
        Uci {
            factory,
            game: options.variant.start(),
            rejected: false,
            options,
            engine: None,
            ladder: None,
            engine_key: None,
            began: Duration::ZERO,
            last_info: (Duration::ZERO, 0),
            pending: Vec::new(),
            pondered: None,
            has_quit: false,
            debug: false,
        }
    }

    /// Returns true after the command `quit`.
    pub fn has_quit(&self) -> bool {
        self.has_quit
    }

    /// Returns true while a search is running.
    pub fn is_thinking(&self) -> bool {
        self.engine.as_ref().is_some_and(|engine| engine.is_thinking())
    }

    /// Executes a command line at time `now` and returns the lines to print. Errors are `info
    /// string error` lines. After the error of a `go`, the answer is `bestmove (none)`.
    pub fn line(&mut self, line: &str, now: Duration) -> Vec<String> {
        let mut out = Vec::new();
        let executed = Command::read(line)
            .and_then(|command| command.map_or(Ok(()), |command| self.execute(command, now, &mut out)));
        if let Err(error) = executed {
            out.push(error_line(&error));
            match Command::name(line) {
                Some("go") => out.push("bestmove (none)".to_owned()),
                Some("position") => self.rejected = true,
                _ => {}
            }
        }
        out
    }

    /// Advances the search by one batch and returns the lines to print. `clock` returns the current
    /// time. The second value is true if the caller should call `step` again, and false if it
    /// should wait for the next command.
    pub fn step(&mut self, clock: &dyn Fn() -> Duration) -> (Vec<String>, bool) {
        let Some(engine) = &mut self.engine else { return (Vec::new(), false) };
        if !engine.is_thinking() {
            return (Vec::new(), false);
        }
        let mut out = Vec::new();
        let is_busy = engine.step(clock).unwrap_or_else(|error| {
            out.push(error_line(&error.to_string()));
            engine.stop();
            false
        });
        let now = clock();
        let waited = now.saturating_sub(self.last_info.0);
        if !engine.is_thinking() {
            out.extend(self.answer(now));
        } else if engine.simulations() > self.last_info.1
            && (!is_busy
                || waited >= LONGEST_INTERVAL
                || waited >= INFO_INTERVAL && engine.simulations() >= self.last_info.1.saturating_mul(5) / 4)
        {
            self.last_info = (now, engine.simulations());
            out.extend(self.info(now, false));
        }
        (out, is_busy)
    }

    /// Executes a command and appends the lines to print to `out`. Lines before an error stay in
    /// `out`.
    fn execute(&mut self, command: Command, now: Duration, out: &mut Vec<String>) -> Result<(), String> {
        match command {
            Command::Uci => {
                out.push(format!("id name Catapult {}", env!("CARGO_PKG_VERSION")));
                out.push("id author the Catapult developers".to_owned());
                out.extend(self.options.declarations());
                out.push("uciok".to_owned());
            }
            Command::IsReady => {
                let created = self.ready();
                out.extend(created.err().map(|error| error_line(&error)));
                out.push("readyok".to_owned());
            }
            Command::Debug(debug) => self.debug = debug,
            Command::NewGame => {
                out.extend(self.end(now));
                if let Some(engine) = &mut self.engine {
                    engine.forget();
                }
            }
            Command::SetOption { name, value } => {
                out.extend(self.end(now));
                self.set_option(&name, &value, out)?;
            }
            Command::Position { fen, moves } => {
                out.extend(self.end(now));
                self.ready()?;
                let game = answer::game(self.options.variant, fen.as_deref(), &moves)?;
                if let Some(engine) = &mut self.engine {
                    engine.set_game(&*game)?;
                }
                (self.game, self.rejected) = (game, false);
            }
            Command::Go(mut go) => {
                out.extend(self.end(now));
                self.ready()?;
                if self.rejected {
                    return Err("go: the last `position` was rejected".to_owned());
                }
                if self.options.limit_strength && !go.infinite && !go.ponder {
                    out.extend(self.limit_strength(&mut go));
                }
                self.pondered = (self.options.limit_strength && go.ponder).then(|| go.clone());
                if let Some(engine) = &mut self.engine {
                    engine.start(answer::limits(&*self.game, &go)?, now);
                }
                out.append(&mut self.pending);
                (self.began, self.last_info) = (now, (now, 0));
            }
            Command::Stop => out.extend(self.end(now)),
            Command::PonderHit => match (self.pondered.take(), &mut self.engine) {
                // The pondered tree would add strength, so the search starts anew.
                (Some(mut go), Some(engine)) if engine.is_thinking() => {
                    engine.stop();
                    go.ponder = false;
                    self.execute(Command::Go(go), now, out)?;
                }
                (_, Some(engine)) => engine.ponder_hit(now),
                (_, None) => {}
            },
            Command::Quit => {
                self.has_quit = true;
                out.extend(self.end(now));
            }
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str, out: &mut Vec<String>) -> Result<(), String> {
        let before = self.options.clone();
        if name.eq_ignore_ascii_case("UCI_Variant") {
            let variant = self.factory.variant(value);
            self.options.variant = variant.map_err(|reason| format!("option UCI_Variant: {reason}"))?;
        } else {
            self.options.set(name, value)?;
        }
        if self.options.variant != before.variant {
            (self.game, self.rejected) = (self.options.variant.start(), false);
            let ready = self.ready();
            out.push(self.variant_line());
            ready?;
        } else if let Some(engine) = &mut self.engine {
            let settings = answer::settings(&self.options);
            if settings != answer::settings(&before) {
                engine.set_settings(settings);
            }
        }
        Ok(())
    }

    /// Creates the engine for the current variant and network unless it exists. A new engine gets
    /// the current position.
    fn ready(&mut self) -> Result<(), String> {
        let wanted = (self.options.variant, self.options.network.clone(), self.options.threads);
        if self.engine_key.as_ref() == Some(&wanted) && self.engine.is_some() {
            return Ok(());
        }
        // Dropped first, so that the old engine does not play after an error.
        self.engine = None;
        let NewEngine { mut engine, description, ladder } =
            self.factory.create(self.options.variant, &self.options)?;
        engine.set_settings(answer::settings(&self.options));
        engine.set_game(&*self.game)?;
        self.engine = Some(engine);
        self.ladder = ladder;
        self.engine_key = Some(wanted);
        self.pending = vec![format!("info string {description}")];
        Ok(())
    }

    /// Limits `go` to the number of simulations that the ladder rates `UCI_Elo`. Discards the tree,
    /// because the ladder was measured without tree reuse. Returns an error line if the engine has
    /// no ladder.
    fn limit_strength(&mut self, go: &mut Go) -> Option<String> {
        let (Some(ladder), Some(engine)) = (&self.ladder, &mut self.engine) else {
            return Some(error_line(
                "UCI_LimitStrength: strength not measured for this network; it plays at full strength",
            ));
        };
        let simulations = ladder.simulations(self.options.elo.into());
        go.nodes = Some(go.nodes.map_or(simulations, |nodes| nodes.min(simulations)));
        engine.forget();
        None
    }

    /// Returns the `info string variant` line, which programs for Fairy-Stockfish expect after a
    /// change of variant.
    fn variant_line(&self) -> String {
        let (variant, game) = (self.options.variant, &self.game);
        let (files, ranks, start) = (game.files(), game.ranks(), game.start_fen());
        format!(
            "info string variant {variant} files {files} ranks {ranks} pocket 0 template {variant} startpos {start}"
        )
    }

    /// Ends a search in progress and returns its last lines, up to `bestmove`. Returns no lines if
    /// no search is running.
    fn end(&mut self, now: Duration) -> Vec<String> {
        let mut out = Vec::new();
        // Evaluates the root. Otherwise the answer is the first legal move.
        if self.engine.as_ref().is_some_and(|engine| engine.is_thinking() && engine.simulations() == 0) {
            out = self.step(&|| now).0;
        }
        if let Some(engine) = &mut self.engine
            && engine.is_thinking()
        {
            engine.stop();
            out.extend(self.answer(now));
        }
        out
    }

    fn answer(&self, now: Duration) -> Vec<String> {
        let mut out = self.info(now, self.options.verbose);
        if let Some(engine) = &self.engine {
            out.extend(self.debug.then(|| format!("info string debug: {}", answer::debug(&**engine))));
            // The time as seed makes samples differ between moves and games.
            out.push(answer::best(&**engine, &*self.game, &self.options, now.as_nanos() as u64));
        }
        out
    }

    fn info(&self, now: Duration, verbose: bool) -> Vec<String> {
        let elapsed = now.saturating_sub(self.began);
        let info = |engine: &dyn Thinker| answer::info(engine, &*self.game, &self.options, verbose, elapsed);
        self.engine.as_deref().map_or(Vec::new(), info)
    }
}

/// Formats an error as one `info string` line. Line breaks become spaces.
fn error_line(error: &str) -> String {
    format!("info string error: {}", error.replace(['\n', '\r'], " "))
}
