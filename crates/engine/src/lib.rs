//! A playing engine with time management.
//!
//! A search runs for a number of simulations, for a time, or until it is stopped. The engine reuses
//! its tree between moves, ponders, and can report at any moment. The crate has no input or output,
//! no threads and no clock. The caller evaluates batches as in [`catapult_mcts`] and passes the
//! current time to each call.
//!
//! * [`Session`] searches the positions of one game.
//! * [`Limits`] contains the limits of a search, [`Snapshot`] its current state.
//! * [`Thinker`] is a session of any variant with its own evaluator.
//! * [`Analyst`] is a thinker for a web page. Its requests deserialise from JSON, and its reports
//!   serialise to JSON.
//! * [`uci`] implements the Universal Chess Interface.
//!
//! ```
//! use catapult_engine::{Limits, Session, Settings};
//! use catapult_mcts::{Batch, Evaluator, evaluators::Material};
//! use catapult_rules::{Chess, Game, Position, Standard};
//! use std::time::Instant;
//!
//! let position = Chess::from_fen("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", Standard).unwrap();
//! let mut session = Session::new(Game::new(position), Settings::default());
//! let (began, mut batch) = (Instant::now(), Batch::default());
//! session.start(Limits { nodes: Some(200), ..Limits::default() }, began.elapsed());
//! while session.is_thinking() {
//!     batch.clear();
//!     if session.gather(&mut batch, began.elapsed()) > 0 {
//!         Material.evaluate(&mut batch).unwrap();
//!         session.apply(&batch, 0, began.elapsed());
//!     }
//! }
//! let (best, _) = session.best().unwrap();
//! assert_eq!(position.san(best), "Ra8#");
//! ```

mod analyst;
mod limits;
mod session;
mod snapshot;
mod thinker;
pub mod uci;

pub use analyst::{AnalysisLine, AnalysisReport, AnalysisRequest, Analyst, milliseconds};
pub use limits::{Allowance, Clock, Limits};
pub use session::{Session, Settings};
pub use snapshot::{Snapshot, Variation, centipawns, from_centipawns};
pub use thinker::{SessionThinker, Thinker};
