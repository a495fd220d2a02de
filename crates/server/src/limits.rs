//! Limits on the resources that clients of the server can use.

use std::time::Duration;

/// Limits on the resources that clients can use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Maximum number of concurrent connections. A further connection gets an error response and is
    /// closed.
    pub connections: usize,
    /// Maximum number of concurrent event streams of games and runs.
    pub streams: usize,
    /// Maximum number of concurrent event streams of a two-player game per link.
    pub link_streams: usize,
    /// Maximum number of concurrent searches.
    pub searches: usize,
    /// Maximum number of open two-player games. A game is open if it is unfinished and was created
    /// or had a move within the last 7 days.
    pub open_games: u32,
    /// Maximum size of a request body in bytes.
    pub body: usize,
    /// Maximum size of a request's headers in bytes. Values below 8192 count as 8192.
    pub header: usize,
    /// Maximum time to receive a request's headers, and between two requests of a connection.
    pub header_time: Duration,
    /// Maximum time to receive a request's body and start the response.
    pub answer_time: Duration,
    /// Maximum time that a client may leave a response unread after the socket's buffer is full.
    pub write_time: Duration,
    /// Maximum duration of any search.
    pub search_time: Duration,
    /// Interval at which the server reads the folder of a run that clients watch.
    pub look: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connections: 800,
            streams: 500,
            link_streams: 100,
            searches: 2,
            open_games: 1000,
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
