//! Games grouped as they are alike: network, then opening.

/// Games, or what is known of each, grouped as training seed, then opening (the line of the first plies), then games.
/// One sample: its networks differ in the seed only.
#[derive(Clone, PartialEq, Debug)]
pub struct Clustered<T> {
    pub(super) networks: Vec<Network<T>>,
}

/// The games of one network.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Network<T> {
    /// Its training seed.
    pub seed: u64,
    /// Its games by opening; no opening is empty.
    pub openings: Vec<Vec<T>>,
}

impl<T> Network<T> {
    pub fn games(&self) -> impl Iterator<Item = &T> {
        self.openings.iter().flatten()
    }
}

impl<T> Clustered<T> {
    /// Groups (training seed, opening, game). The order of the games within an opening is kept, that of seeds and
    /// openings is theirs, so the order in which games come does not matter.
    pub fn new<O: Ord>(games: impl IntoIterator<Item = (u64, O, T)>) -> Self {
        let mut games: Vec<_> = games.into_iter().collect();
        games.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        let mut networks: Vec<Network<T>> = Vec::new();
        let mut last: Option<(u64, O)> = None;
        for (seed, opening, game) in games {
            if networks.last().is_none_or(|network| network.seed != seed) {
                networks.push(Network { seed, openings: Vec::new() });
                last = None;
            }
            let network = networks.last_mut().expect("one was pushed");
            if last.as_ref().is_none_or(|(_, previous)| *previous != opening) {
                network.openings.push(Vec::new());
                last = Some((seed, opening));
            }
            network.openings.last_mut().expect("one was pushed").push(game);
        }
        Clustered { networks }
    }

    /// The training seeds, rising.
    pub fn seeds(&self) -> impl Iterator<Item = u64> {
        self.networks.iter().map(|network| network.seed)
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.networks.iter().map(|network| network.games().count()).sum()
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.networks.is_empty()
    }

    /// The number of different openings, counted network by network.
    pub fn openings(&self) -> usize {
        self.networks.iter().map(|network| network.openings.len()).sum()
    }

    /// All games.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.networks.iter().flat_map(Network::games)
    }

    /// The games of one network; none for a seed that is not there.
    pub fn only(&self, seed: u64) -> impl Iterator<Item = &T> {
        self.networks.iter().filter(move |network| network.seed == seed).flat_map(Network::games)
    }

    /// The games of all networks but one.
    pub fn without(&self, seed: u64) -> impl Iterator<Item = &T> {
        self.networks.iter().filter(move |network| network.seed != seed).flat_map(Network::games)
    }

    /// Something else known of each game, grouped the same way.
    pub fn map<'a, U>(&'a self, mut f: impl FnMut(&'a T) -> U) -> Clustered<U> {
        self.filter_map(|game| Some(f(game)))
    }

    /// The same for some games only; openings and networks without any are dropped.
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

    /// Fits on some games and applies to others: openings are dealt into `folds` parts, and each game is given what was
    /// fitted on the games of the other parts. Nothing is then fitted and estimated on the same game.
    ///
    /// # Panics
    /// If there are fewer than 2 parts.
    pub fn on_others<F, U>(
        &self,
        folds: usize,
        fit: impl Fn(&mut dyn Iterator<Item = &T>) -> F,
        apply: impl Fn(&F, &T) -> U,
    ) -> Clustered<U> {
        assert!(folds > 1, "no games are left to fit on");
        // Dealt on from network to network, so that small networks are spread as well.
        let parts: Vec<usize> = (0..self.openings()).map(|opening| opening % folds).collect();
        let openings = || self.networks.iter().flat_map(|network| &network.openings).zip(&parts);
        let fits: Vec<F> = (0..folds)
            .map(|fold| fit(&mut openings().filter(|(_, part)| **part != fold).flat_map(|(games, _)| games)))
            .collect();
        let mut parts = parts.iter();
        let mut treat = |games: &Vec<T>| {
            let fitted = &fits[*parts.next().expect("a part an opening")];
            games.iter().map(|game| apply(fitted, game)).collect()
        };
        let networks = self.networks.iter().map(|network| Network {
            seed: network.seed,
            openings: network.openings.iter().map(&mut treat).collect(),
        });
        Clustered { networks: networks.collect() }
    }
}
