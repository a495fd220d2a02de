//! A player with a clock: it thinks about a position for a number of nodes, for a time, or until it is told to stop; keeps its tree from
//! move to move; ponders; and says at any moment what it thinks. Without input, output, threads or a clock of its own: requests
//! for evaluation are gathered and answered as in [`catapult_mcts`], and the time is handed in.
//!
//! * [`Session`] thinks about one game.
//! * [`Limits`] say for how long, [`Snapshot`] what it has found.
//! * [`Analyst`] is a session with its evaluator, for a page: what it finds is told as JSON.
//! * [`uci`] is the protocol by which chess programs talk to it.

mod analyst;
mod limits;
mod session;
mod snapshot;
pub mod uci;

pub use analyst::{Analyst, Found, FoundLine, Question};
pub use limits::{Allowance, Clock, Limits};
pub use session::{Session, Settings};
pub use snapshot::{Line, Snapshot, centipawns};
