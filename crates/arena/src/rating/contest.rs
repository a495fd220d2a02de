//! Results of the games between two players.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

catapult_rules::named! {
    /// Result of a game between two players, as seen by the first of them. Its name in files is a
    /// letter.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Ended {
        /// The first player lost.
        Lost = "l",
        /// The game was drawn by rule.
        Drawn = "d",
        /// The game was truncated at the ply cap.
        Capped = "c",
        /// The first player won.
        Won = "w",
    }
}

impl Ended {
    /// Returns the first player's half points for this result: 0, 1 or 2. A truncated game counts
    /// as a draw.
    pub fn half_points(self) -> usize {
        match self {
            Ended::Lost => 0,
            Ended::Drawn | Ended::Capped => 1,
            Ended::Won => 2,
        }
    }
}

/// Results of two games from one opening with colours swapped, as seen by the first player. In
/// files, a pair is two letters: the first player's result as White, then as Black. The letters are
/// `w` won, `d` drawn, `c` truncated at the ply cap, `l` lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pair {
    /// Result of the game in which the first player has White.
    pub as_white: Ended,
    /// Result of the game in which the first player has Black.
    pub as_black: Ended,
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.as_white, self.as_black)
    }
}

catapult_rules::written_as_text!(Pair);

impl FromStr for Pair {
    type Err = String;

    fn from_str(text: &str) -> Result<Pair, String> {
        let ended = |letter: char| Ended::ALL.into_iter().find(|ended| ended.name().starts_with(letter));
        let ends: Option<Vec<Ended>> = text.chars().map(ended).collect();
        match ends.as_deref() {
            Some(&[as_white, as_black]) => Ok(Pair { as_white, as_black }),
            _ => Err(format!("`{text}` is not a pair of games; must be two of the letters w, d, c and l")),
        }
    }
}

/// All pairs of games between two players, which are given by their indices. Two players have at
/// most one contest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contest {
    /// Index of the player whose results are counted.
    pub first: usize,
    /// Index of the opponent.
    pub second: usize,
    /// Number of pairs by result. `counts[w][b]` counts the pairs in which the first player scored
    /// `w` half points as White and `b` as Black.
    pub counts: [[u32; 3]; 3],
}

impl Contest {
    /// Creates a contest from pairs of games. A truncated game counts as a draw.
    pub fn new(first: usize, second: usize, pairs: &[Pair]) -> Contest {
        let mut contest = Contest { first, second, counts: [[0; 3]; 3] };
        for pair in pairs {
            contest.counts[pair.as_white.half_points()][pair.as_black.half_points()] += 1;
        }
        contest
    }

    /// Returns the number of pairs of games.
    pub fn pairs(&self) -> u32 {
        self.counts.iter().flatten().sum()
    }

    /// Returns the numbers of games as White that the first player lost, drew and won.
    pub fn as_white(&self) -> [f64; 3] {
        self.counts.map(|row| f64::from(row.iter().sum::<u32>()))
    }

    /// Returns the numbers of games as Black that the first player lost, drew and won.
    pub fn as_black(&self) -> [f64; 3] {
        std::array::from_fn(|points| f64::from(self.counts.iter().map(|row| row[points]).sum::<u32>()))
    }

    /// Returns the first player's half points, summed over all games. A pair of games has up to
    /// four.
    pub fn half_points(&self) -> u32 {
        let weighted = |(white, row): (usize, &[u32; 3])| -> u32 {
            row.iter().enumerate().map(|(black, count)| (white + black) as u32 * count).sum()
        };
        self.counts.iter().enumerate().map(weighted).sum()
    }
}
