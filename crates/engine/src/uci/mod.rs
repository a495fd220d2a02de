//! The Universal Chess Interface, without input or output: lines are handed in, lines are taken out.
//!
//! A line that can't be understood costs an `info string` and nothing else.

mod command;
mod ladder;
mod options;
mod seat;

pub use command::{Command, Go};
pub use ladder::Ladder;
pub use options::Options;
pub use seat::{Place, Seat};

use catapult_rules::Variant;
use std::time::Duration;

/// Makes players: the seam to networks.
pub trait Makers {
    /// A player of a game.
    ///
    /// # Errors
    /// Why there is none: the file, what was found and what is allowed.
    fn make(&self, variant: Variant, options: &Options) -> Result<Made, String>;
}

/// A player, and what is known of it.
pub struct Made {
    /// The player.
    pub seat: Box<dyn Seat>,
    /// What is to be told about it.
    pub told: String,
    /// What its simulations are worth, where that was measured.
    pub ladder: Option<Ladder>,
}

/// An engine that speaks the protocol.
pub struct Uci<M> {
    makers: M,
    options: Options,
    seat: Option<Box<dyn Seat>>,
    /// What the seat's simulations are worth.
    ladder: Option<Ladder>,
    /// The game of the seat, and the network's file that it was made with.
    made_for: Option<(Variant, String)>,
    position: (Option<String>, Vec<String>),
    began: Duration,
    /// When something was told last, and at how many simulations.
    told: (Duration, u32),
    /// What is to be told with the next search: programs expect nothing but `readyok` after `isready`.
    pending: Vec<String>,
    has_quit: bool,
    /// Whether it is told what tells nothing of the game.
    debug: bool,
}

/// The shortest time between two tellings of what has been found.
const TELL: Duration = Duration::from_millis(250);

impl<M: Makers> Uci<M> {
    /// An engine that has heard nothing yet.
    pub fn new(makers: M) -> Uci<M> {
        Uci {
            makers,
            options: Options::default(),
            seat: None,
            ladder: None,
            made_for: None,
            position: (None, Vec::new()),
            began: Duration::ZERO,
            told: (Duration::ZERO, 0),
            pending: Vec::new(),
            has_quit: false,
            debug: false,
        }
    }

    /// Whether it has been told to quit.
    pub fn has_quit(&self) -> bool {
        self.has_quit
    }

    /// Whether a search goes on.
    pub fn is_thinking(&self) -> bool {
        self.seat.as_ref().is_some_and(|seat| seat.is_thinking())
    }

    /// Takes a line at this time and gives the lines to print.
    pub fn line(&mut self, line: &str, now: Duration) -> Vec<String> {
        let mut out = Vec::new();
        let obeyed = Command::read(line).and_then(|command| match command {
            None => Ok(()),
            Some(command) => self.obey(command, now, &mut out),
        });
        out.extend(obeyed.err().map(|error| complaint(&error)));
        out
    }

    /// Thinks a little and gives the lines to print; `clock` tells the time. The second value is false where there is nothing to do but
    /// to wait for a line.
    pub fn step(&mut self, clock: &dyn Fn() -> Duration) -> (Vec<String>, bool) {
        let Some(seat) = &mut self.seat else { return (Vec::new(), false) };
        if !seat.is_thinking() {
            return (Vec::new(), false);
        }
        let mut out = Vec::new();
        let is_busy = seat.step(clock).unwrap_or_else(|error| {
            out.push(complaint(&error));
            seat.stop();
            false
        });
        let now = clock();
        if !seat.is_thinking() {
            out.extend(self.answer(now));
        } else if now.saturating_sub(self.told.0) >= TELL
            && seat.simulations() >= self.told.1.saturating_mul(5) / 4
        {
            self.told = (now, seat.simulations());
            out.extend(self.info(now, false));
        }
        (out, is_busy)
    }

    /// Does what is asked and puts the lines to print into `out`, those that come before an error too.
    fn obey(&mut self, command: Command, now: Duration, out: &mut Vec<String>) -> Result<(), String> {
        match command {
            Command::Uci => out.extend(self.introduction()),
            Command::IsReady => {
                let made = self.ready();
                out.extend(made.err().map(|error| complaint(&error)));
                out.push("readyok".to_owned());
            }
            Command::Debug(debug) => self.debug = debug,
            Command::NewGame => {
                out.extend(self.end(now));
                if let Some(seat) = &mut self.seat {
                    seat.forget();
                }
            }
            Command::SetOption { name, value } => {
                out.extend(self.end(now));
                self.set_option(&name, &value, out)?;
            }
            Command::Position { fen, moves } => {
                out.extend(self.end(now));
                self.ready()?;
                if let Some(seat) = &mut self.seat {
                    seat.set_position(fen.as_deref(), &moves)?;
                }
                self.position = (fen, moves);
            }
            Command::Go(mut go) => {
                out.extend(self.end(now));
                self.ready()?;
                if self.options.limit_strength && !go.infinite && !go.ponder {
                    out.extend(self.limit(&mut go));
                }
                if let Some(seat) = &mut self.seat {
                    seat.go(&go, now)?;
                }
                out.append(&mut self.pending);
                (self.began, self.told) = (now, (now, 0));
            }
            Command::Stop => out.extend(self.end(now)),
            Command::PonderHit => {
                if let Some(seat) = &mut self.seat {
                    seat.ponder_hit(now);
                }
            }
            Command::Quit => {
                self.has_quit = true;
                out.extend(self.end(now));
            }
        }
        Ok(())
    }

    fn introduction(&self) -> Vec<String> {
        let mut out = vec![
            format!("id name Catapult {}", env!("CARGO_PKG_VERSION")),
            "id author the Catapult developers".to_owned(),
        ];
        out.extend(self.options.tell());
        out.push("uciok".to_owned());
        out
    }

    fn set_option(&mut self, name: &str, value: &str, out: &mut Vec<String>) -> Result<(), String> {
        let before = self.options.clone();
        self.options.set(name, value)?;
        if self.options.variant != before.variant {
            self.position = (None, Vec::new());
            self.ready()?;
            out.extend(self.variant_line());
        } else if let Some(seat) = &mut self.seat {
            let searched_so =
                |options: &Options| (options.hash, options.considered, options.overhead, options.draw_score);
            if searched_so(&self.options) != searched_so(&before) {
                seat.set_options(&self.options);
            }
        }
        Ok(())
    }

    /// Makes the player that the options ask for, if there is none yet, and sets its position.
    fn ready(&mut self) -> Result<(), String> {
        let wanted = (self.options.variant, self.options.network.clone());
        if self.made_for.as_ref() == Some(&wanted) && self.seat.is_some() {
            return Ok(());
        }
        // Without one nothing is played by the wrong player.
        self.seat = None;
        let Made { mut seat, told, ladder } = self.makers.make(self.options.variant, &self.options)?;
        seat.set_options(&self.options);
        if seat.set_position(self.position.0.as_deref(), &self.position.1).is_err() {
            self.position = (None, Vec::new());
        }
        self.seat = Some(seat);
        self.ladder = ladder;
        self.made_for = Some(wanted);
        self.pending = vec![format!("info string {told}")];
        Ok(())
    }

    /// Lets it be worth no more than asked for: so many simulations, with nothing known from earlier moves, as matches
    /// that made the ladder were played. Gives what is to be said where there is none.
    fn limit(&mut self, go: &mut Go) -> Option<String> {
        let (Some(ladder), Some(seat)) = (&self.ladder, &mut self.seat) else {
            return Some(complaint(
                "UCI_LimitStrength: the strength of this network was not measured; it plays at its full one",
            ));
        };
        let simulations = ladder.simulations(self.options.elo.into());
        go.nodes = Some(go.nodes.map_or(simulations, |nodes| nodes.min(simulations)));
        seat.forget();
        None
    }

    /// What Fairy-Stockfish tells of a variant.
    fn variant_line(&self) -> Option<String> {
        let (files, ranks, start) = self.seat.as_ref()?.board();
        let variant = self.options.variant;
        Some(format!(
            "info string variant {variant} files {files} ranks {ranks} pocket 0 template {variant} startpos {start}"
        ))
    }

    /// Ends a search under way, with its answer.
    fn end(&mut self, now: Duration) -> Vec<String> {
        match &mut self.seat {
            Some(seat) if seat.is_thinking() => {
                seat.stop();
                self.answer(now)
            }
            _ => Vec::new(),
        }
    }

    fn answer(&self, now: Duration) -> Vec<String> {
        let mut out = self.info(now, self.options.verbose);
        if let Some(seat) = &self.seat {
            out.extend(self.debug.then(|| format!("info string debug: {}", seat.debug())));
            // What is drawn differs from move to move and from game to game.
            out.push(seat.best(&self.options, now.as_nanos() as u64));
        }
        out
    }

    fn info(&self, now: Duration, verbose: bool) -> Vec<String> {
        let options = Options { verbose, ..self.options.clone() };
        self.seat.as_ref().map_or(Vec::new(), |seat| seat.info(&options, now.saturating_sub(self.began)))
    }
}

/// A line that says what is wrong; none of what was found can end it early.
fn complaint(error: &str) -> String {
    format!("info string error: {}", error.replace(['\n', '\r'], " "))
}
