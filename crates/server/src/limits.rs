//! Every bound of what is served.

use std::time::Duration;

/// What anyone may take of the machine.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections at once; another one is told so and closed.
    pub connections: usize,
    /// Streams of games and runs at once.
    pub streams: usize,
    /// Searches at once.
    pub searches: usize,
    /// Requests at once that read runs, studies and records.
    pub file_work: usize,
    /// Games that have begun, have not ended, and had a move within [`Limits::open_days`].
    pub open_games: u32,
    /// Days without a move after which a game no longer counts as open.
    pub open_days: u32,
    /// Bytes of a request's body.
    pub body: usize,
    /// Bytes of a request's header.
    pub header: usize,
    /// The time for a request's header, and between two requests of a connection.
    pub header_time: Duration,
    /// The time for a request's body and the beginning of its answer.
    pub answer_time: Duration,
    /// The time that a client may leave an answer unread when no more of it fits into the socket.
    pub write_time: Duration,
    /// The time of a search that names none.
    pub search_time: Duration,
    /// How often the folder of a run that is watched is looked at.
    pub look: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connections: 800,
            streams: 500,
            searches: 2,
            file_work: 4,
            open_games: 1000,
            open_days: 7,
            body: 64 << 10,
            header: 16 << 10,
            header_time: Duration::from_secs(10),
            answer_time: Duration::from_secs(30),
            write_time: Duration::from_secs(20),
            search_time: Duration::from_secs(600),
            look: Duration::from_secs(1),
        }
    }
}
