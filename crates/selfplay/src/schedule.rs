//! Order of a shard's games, which determines the next game for a free slot.
//!
//! A forked game starts at a ply of an earlier game, its parent, so it must wait for the parent.
//! The seed and the game numbers alone determine the forked games and their parents. The order in
//! which slots become free does not matter.

use catapult_seeds::Stream;
use std::collections::BTreeMap;

/// Games of a shard that have not started. Games are numbered from 0.
pub(crate) struct Schedule {
    next: u64,
    games: u64,
    fork_share: f64,
    /// Forked games that wait for their parents. The key is the parent's number, and the value is
    /// the forked game's number.
    waiting: BTreeMap<u64, u64>,
    seed: u64,
}

impl Schedule {
    pub(crate) fn new(games: u64, fork_share: f64, seed: u64) -> Schedule {
        let mut waiting = BTreeMap::new();
        let mut since_fork = 0;
        for game in 0..games {
            if is_fork(game, fork_share) {
                // At least one fresh game lies between two forks, because the share is at most one
                // half.
                let back = 1 + Stream::Parent(game).seed(seed) % since_fork;
                waiting.insert(game - back, game);
                since_fork = 0;
            } else {
                since_fork += 1;
            }
        }
        Schedule { next: 0, games, fork_share, waiting, seed }
    }

    /// Returns the number of the next game that does not fork. Returns `None` if all such games have
    /// started.
    pub(crate) fn fresh(&mut self) -> Option<u64> {
        while self.next < self.games {
            let game = self.next;
            self.next += 1;
            if !is_fork(game, self.fork_share) {
                return Some(game);
            }
        }
        None
    }

    /// Returns the number of the game that forks from game `parent`, or `None` if no game does. A
    /// second call for the same parent returns `None`.
    pub(crate) fn fork_of(&mut self, parent: u64) -> Option<u64> {
        self.waiting.remove(&parent)
    }

    /// Returns the seed of a game's random numbers.
    pub(crate) fn game_seed(&self, game: u64) -> u64 {
        Stream::Game(game).seed(self.seed)
    }
}

fn is_fork(game: u64, share: f64) -> bool {
    ((game + 1) as f64 * share).floor() > (game as f64 * share).floor()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_the_games_forks_from_one_of_the_three_before() {
        let mut schedule = Schedule::new(16, 0.25, 7);
        let mut fresh = Vec::new();
        while let Some(game) = schedule.fresh() {
            fresh.push(game);
        }
        assert_eq!(fresh, [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14]);
        let forks: Vec<(u64, u64)> =
            fresh.iter().filter_map(|&parent| Some((parent, schedule.fork_of(parent)?))).collect();
        assert_eq!(forks.iter().map(|f| f.1).collect::<Vec<_>>(), [3, 7, 11, 15]);
        assert!(forks.iter().all(|&(parent, fork)| parent < fork && fork - parent <= 3));
    }

    #[test]
    fn every_share_starts_every_game_once() {
        for share in [0.0, 0.1, 0.3, 0.5] {
            let mut schedule = Schedule::new(101, share, 3);
            let mut seen = Vec::new();
            while let Some(game) = schedule.fresh() {
                seen.push(game);
                seen.extend(schedule.fork_of(game));
            }
            seen.sort();
            assert_eq!(seen, (0..101).collect::<Vec<_>>(), "share {share}");
        }
    }
}
