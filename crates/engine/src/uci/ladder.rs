//! Conversion of an Elo rating to a number of simulations, for `UCI_LimitStrength`.

/// Measured strength of a network: a list of measurements (simulations per move, Elo). Both numbers
/// strictly increase along the list.
#[derive(Clone, PartialEq, Debug)]
pub struct Ladder(Vec<(u32, f64)>);

impl Ladder {
    /// Creates a ladder from measurements (simulations per move, Elo) in any order.
    ///
    /// # Errors
    /// Fewer than two measurements, one with 0 simulations, or Elo ratings that do not strictly
    /// increase with the simulations.
    pub fn new(mut rungs: Vec<(u32, f64)>) -> Result<Ladder, String> {
        rungs.sort_by_key(|&(simulations, _)| simulations);
        if rungs.len() < 2 || rungs[0].0 == 0 {
            return Err(format!("{} rungs; there must be two or more, of 1 simulation or more", rungs.len()));
        }
        match rungs.windows(2).find(|pair| pair[0].0 == pair[1].0 || pair[0].1.total_cmp(&pair[1].1).is_ge())
        {
            None => Ok(Ladder(rungs)),
            Some(pair) => Err(format!(
                "{} simulations are rated {:.0} and {} {:.0}: more simulations must be rated higher",
                pair[0].0, pair[0].1, pair[1].0, pair[1].1
            )),
        }
    }

    /// Returns the number of simulations rated `elo`. Between two measurements, the logarithm of
    /// the simulations is interpolated linearly. Below the first or above the last measurement, the
    /// function returns the simulations of that measurement.
    pub fn simulations(&self, elo: f64) -> u32 {
        let above = self.0.iter().position(|rung| rung.1 >= elo).unwrap_or(self.0.len());
        let Some(from) = above.checked_sub(1) else { return self.0[0].0 };
        let (fewer, low) = self.0[from];
        let Some(&(more, high)) = self.0.get(above) else { return fewer };
        let share = (elo - low) / (high - low);
        (f64::from(fewer) * (f64::from(more) / f64::from(fewer)).powf(share)).round() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::Ladder;

    #[test]
    fn simulations_are_read_off_between_rungs() {
        let ladder = Ladder::new(vec![(16, 1400.0), (1, 800.0), (4, 1000.0)]).unwrap();
        // Halfway from 4 to 16 on the logarithm is 8.
        for (elo, simulations) in
            [(0.0, 1), (800.0, 1), (900.0, 2), (1000.0, 4), (1200.0, 8), (1400.0, 16), (3000.0, 16)]
        {
            assert_eq!(ladder.simulations(elo), simulations, "{elo}");
        }
    }

    #[test]
    fn ladders_must_rise() {
        for rungs in [
            vec![],
            vec![(1, 0.0)],
            vec![(0, 0.0), (1, 1.0)],
            vec![(1, 5.0), (2, 5.0)],
            vec![(1, 0.0), (1, 1.0)],
        ] {
            assert!(Ladder::new(rungs.clone()).is_err(), "{rungs:?}");
        }
        let error = Ladder::new(vec![(1, 0.0), (4, 300.0), (16, 250.0)]).unwrap_err();
        assert!(error.contains("4 simulations are rated 300 and 16 250"), "{error}");
    }
}
