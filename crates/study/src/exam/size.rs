//! Numbers of games, positions and simulations of an exam.

/// Names of the endings that the gates of an exam use.
pub(super) const ENDINGS: [&str; 5] = ["KQvK", "KRvK", "KQvK defender", "KRvK attacker", "KBvK attacker"];

/// Numbers of games, positions and simulations of an exam.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Size {
    /// True for the quick exam. The results of the exam contain this flag.
    pub quick: bool,
    /// Simulations per move of matches, endings and probes. It equals the level of `gates`,
    /// `common` or `deep`.
    pub simulations: u32,
    /// Number of games of each match in which the opponent may not make a kind of move.
    pub worth_games: u32,
    /// Names of the endings that are played. Each examined variant plays the endings that its rules
    /// have.
    pub endings: Vec<&'static str>,
    /// Number of start positions of each ending. Also the approximate number of positions per
    /// variant whose value is compared at two half-move clocks.
    pub positions: u32,
    /// Simulations per move and number of self-play games of the first examined variant. They give
    /// all its measures of games except the slope of the draw rate. Probes examine these games.
    pub gates: (u32, u64),
    /// Simulations per move and number of self-play games of every examined variant. They give the
    /// measures and probes of variants after the first.
    pub common: (u32, u64),
    /// Simulations per move, the most of the exam, and number of further self-play games of the first
    /// examined variant. They extend the levels from which the slope of the draw rate is computed.
    pub deep: (u32, u64),
    /// Maximum number of games per variant that are examined for hung pieces and mates.
    pub probed: usize,
    /// The two search levels at which the network solves the suite, in simulations per move.
    pub suite: [u32; 2],
    /// Number of bootstrap replicates of intervals.
    pub replicates: usize,
}

impl Size {
    /// Returns the size of the full exam.
    pub fn full() -> Size {
        Size {
            quick: false,
            simulations: 256,
            worth_games: 800,
            endings: ENDINGS.to_vec(),
            positions: 200,
            gates: (64, 2000),
            common: (128, 150),
            deep: (256, 150),
            probed: 100,
            suite: [100, 1000],
            replicates: 1000,
        }
    }

    /// Returns the size of the quick exam, which takes about a tenth of the full exam's
    /// evaluations.
    pub fn quick() -> Size {
        Size {
            quick: true,
            simulations: 64,
            worth_games: 200,
            positions: 50,
            gates: (16, 800),
            common: (32, 150),
            deep: (64, 100),
            probed: 25,
            ..Size::full()
        }
    }
}
