//! Games grouped by network and opening.

use std::collections::BTreeMap;

/// Games, or facts about games, grouped by training seed and opening (the line of the first plies).
///
/// All games form one sample, whose networks differ only in the training seed.
#[derive(Clone, PartialEq, Debug)]
pub struct Clustered<T> {
    pub(super) networks: Vec<Network<T>>,
}

/// Games of one network, grouped by opening.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Network<T> {
    /// Training seed of the network.
    pub seed: u64,
    /// Games of each opening. No opening is empty.
    pub openings: Vec<Vec<T>>,
}

impl<T> Network<T> {
    pub(crate) fn games(&self) -> impl Iterator<Item = &T> {
        self.openings.iter().flatten()
    }

    /// Returns the network's units, which are independent of each other. A unit is the games of an
    /// opening, or one game if the network has only one opening.
    pub(crate) fn units(&self) -> Vec<&[T]> {
        match self.openings.as_slice() {
            [games] => games.chunks(1).collect(),
            openings => openings.iter().map(Vec::as_slice).collect(),
        }
    }
}

impl<T> Clustered<T> {
    /// Groups games, given as tuples of (training seed, opening, game).
    ///
    /// Seeds and openings are sorted. Games of one network and opening keep their order in the
    /// input.
    pub fn new<O: Ord>(games: impl IntoIterator<Item = (u64, O, T)>) -> Self {
        let mut networks: BTreeMap<u64, BTreeMap<O, Vec<T>>> = BTreeMap::new();
        for (seed, opening, game) in games {
            networks.entry(seed).or_default().entry(opening).or_default().push(game);
        }
        let networks = networks
            .into_iter()
            .map(|(seed, openings)| Network { seed, openings: openings.into_values().collect() });
        Clustered { networks: networks.collect() }
    }

    /// Returns the number of games of all networks.
    pub fn len(&self) -> usize {
        self.networks.iter().map(|network| network.games().count()).sum()
    }

    /// Returns true if there are no games.
    pub fn is_empty(&self) -> bool {
        self.networks.is_empty()
    }

    /// Returns all games, sorted by seed and opening.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.networks.iter().flat_map(Network::games)
    }

    /// Returns all games, sorted by seed and opening, each with the training seed of its network.
    pub fn seeded(&self) -> impl Iterator<Item = (u64, &T)> {
        self.networks.iter().flat_map(|network| network.games().map(move |game| (network.seed, game)))
    }

    /// Returns the games of all networks except the one with this training seed.
    pub fn without(&self, seed: u64) -> impl Iterator<Item = &T> {
        self.networks.iter().filter(move |network| network.seed != seed).flat_map(Network::games)
    }

    /// Converts each game with `f` and keeps the groups.
    pub fn map<'a, U>(&'a self, mut f: impl FnMut(&'a T) -> U) -> Clustered<U> {
        self.filter_map(|game| Some(f(game)))
    }

    /// Converts each game with `f` and keeps the groups. Games for which `f` returns `None` are
    /// dropped, and so are openings and networks that become empty.
    pub fn filter_map<'a, U>(&'a self, mut f: impl FnMut(&'a T) -> Option<U>) -> Clustered<U> {
        let mut networks = Vec::new();
        for network in &self.networks {
            let openings =
                network.openings.iter().map(|games| games.iter().filter_map(&mut f).collect::<Vec<_>>());
            let openings: Vec<_> = openings.filter(|games| !games.is_empty()).collect();
            if !openings.is_empty() {
                networks.push(Network { seed: network.seed, openings });
            }
        }
        Clustered { networks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games() -> Clustered<u32> {
        Clustered::new([
            (2, "e4", 21),
            (1, "d4", 10),
            (1, "e4", 11),
            (2, "e4", 22),
            (1, "d4", 12),
            (3, "c4", 30),
        ])
    }

    #[test]
    fn games_are_grouped_by_seed_and_opening_whatever_order_they_come_in() {
        let games = games();
        assert_eq!(games.len(), 6);
        assert_eq!(games.iter().copied().collect::<Vec<_>>(), [10, 12, 11, 21, 22, 30]);
        let seeds: Vec<u64> = games.seeded().map(|(seed, _)| seed).collect();
        assert_eq!(seeds, [1, 1, 1, 2, 2, 3]);
        assert_eq!(games.without(2).copied().collect::<Vec<_>>(), [10, 12, 11, 30]);
        // The same opening of two networks forms two clusters.
        assert_eq!(games.networks[1].openings, [[21, 22]]);
    }

    #[test]
    fn what_is_left_of_some_games_has_no_empty_openings_or_networks() {
        let left = games().filter_map(|&game| (game % 2 == 1).then_some(game));
        assert_eq!(left, Clustered::new([(1, "e4", 11), (2, "e4", 21)]));
    }
}
