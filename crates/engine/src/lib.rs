//! A player with a clock: it thinks about a position for a number of nodes, for a time, or until it is told to stop; keeps its tree from
//! move to move; ponders; and says at any moment what it thinks. Without input, output, threads or a clock of its own: requests
//! for evaluation are gathered and answered as in [`catapult_mcts`], and the time is handed in.
//!
//! * [`Session`] thinks about one game.
//! * [`Limits`] say for how long, [`Snapshot`] what it has found.
//! * [`Analyst`] is a session with its evaluator, for a page: what it finds is told as JSON.
//! * [`uci`] is the protocol by which chess programs talk to it.
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
pub mod uci;

pub use analyst::{Analyst, Found, FoundLine, Question};
pub use limits::{Allowance, Clock, Limits};
pub use session::{Session, Settings};
pub use snapshot::{Line, Snapshot, centipawns};
