//! Limits of the server.

use std::time::Duration;

/// Limits on the resources that clients can use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Concurrent connections. Further ones get an error response and are closed.
    pub connections: usize,
    /// Concurrent event streams of games and runs.
    pub streams: usize,
    /// Concurrent searches.
    pub searches: usize,
    /// Concurrent requests that read runs, studies and records.
    pub file_work: usize,
    /// Open games: unfinished, with a move within [`Limits::open_days`].
    pub open_games: u32,
    /// Days without a move after which a game no longer counts as open.
    pub open_days: u32,
    /// Size of a request body in bytes.
    pub body: usize,
    /// Size of a request header in bytes.
    pub header: usize,
    /// Time for a request header, and between two requests of a connection.
    pub header_time: Duration,
    /// Time for a request body and the start of the response.
    pub answer_time: Duration,
    /// Time that a client may leave a response unread when the socket buffer is full.
    pub write_time: Duration,
    /// Duration of a search without its own time limit.
    pub search_time: Duration,
    /// Polling interval of the folder of a watched run.
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
