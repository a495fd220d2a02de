use super::*;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn path(white: &[f64], winner: Option<Color>) -> Path {
    let result = match winner {
        Some(Color::White) => 1.0,
        Some(Color::Black) => 0.0,
        None => 0.5,
    };
    Path { white: white.to_vec(), result, winner }
}

#[test]
fn a_game_by_hand() {
    // White leads, Black leads, White leads and loses: three changes. Values in between do not
    // count.
    let game = path(&[0.5, 0.7, 0.55, 0.3, 0.1, 0.5, 0.8, 0.7], Some(Color::Black));
    assert_eq!(lead_changes(&game), 3.0);
    // White falls to 0.1 and comes back to 0.5. Black falls to 0.2 and wins.
    assert_eq!(comebacks(&game, 0.2 + 1e-9), (2.0, 2.0));
    assert_eq!(comebacks(&game, 0.1), (1.0, 1.0));
    assert_eq!(comebacks(&game, 0.05), (0.0, 0.0));
    let (fair, sides) = fair_comebacks(&game, 0.2 + 1e-9);
    assert!((fair - (0.1 / 0.5 + 0.2 / 0.5)).abs() < 1e-9 && sides == 2.0);
    // Black won after it was behind by 0.2, 0.05, 0.3 and 0.2.
    let (sum, plies) = drama(&game);
    assert!((sum - 0.75).abs() < 1e-12 && plies == 8.0);
    // The uncertainties of the last two plies are 0.4 and 0.6.
    assert!((late_uncertainty(&game).0 - 0.5).abs() < 1e-12);
    assert_eq!(drama(&path(&[0.2], None)), (0.0, 0.0));
    // There is no comeback if the lead lasts.
    assert_eq!(comebacks(&path(&[0.5, 0.1, 0.05], Some(Color::Black)), 0.2), (0.0, 1.0));
}

/// Returns the path of a fair gamble that starts at 1/2, moves in steps of 1 / `steps`, and ends at
/// 0 or 1.
fn gamble(random: &mut Pcg64Mcg, steps: f64) -> Path {
    let mut at = steps / 2.0;
    let mut white = Vec::new();
    while at > 0.0 && at < steps {
        white.push(at / steps);
        at += if random.random_bool(0.5) { 1.0 } else { -1.0 };
    }
    path(&white, Some(if at > 0.0 { Color::White } else { Color::Black }))
}

#[test]
fn a_fair_gamble_is_found_fair() {
    let mut random = Pcg64Mcg::seed_from_u64(7);
    // Steps of 1/20 hit every tested level, so p / q is exact.
    let games: Vec<Path> = (0..20_000).map(|_| gamble(&mut random, 20.0)).collect();
    let sum = |parts: &dyn Fn(&Path) -> (f64, f64)| {
        let (above, below) = games.iter().map(parts).fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        above / below
    };
    let (seen, fair) = (sum(&|game| comebacks(game, 0.2)), sum(&|game| fair_comebacks(game, 0.2)));
    assert!((fair - 0.4).abs() < 1e-9, "{fair}");
    assert!((seen - fair).abs() < 0.012, "{seen} for {fair}");
    let (seen, fair) = (sum(&drama), sum(&fair_drama));
    assert!((seen - fair).abs() < 0.05 * fair, "{seen} for {fair}");
    // The walk leads only one step beyond 0.4 and 0.6. From 0.5, between 0.35 and 0.65, Doob's
    // bound is (0.35 losses + 0.35 wins) / 0.3 changes.
    let changes = sum(&|game| (lead_changes(game), 1.0));
    assert!((changes - 0.35 / 0.3).abs() < 0.06, "{changes}");
    assert!(changes < 2.0);
}

#[test]
fn jumps_make_comebacks_rarer_than_the_bound() {
    let mut random = Pcg64Mcg::seed_from_u64(8);
    let games: Vec<Path> = (0..20_000).map(|_| gamble(&mut random, 6.0)).collect();
    let sums = |parts: &dyn Fn(&Path) -> (f64, f64)| {
        games.iter().map(parts).fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1))
    };
    let ((seen, sides), (fair, _)) =
        (sums(&|game| comebacks(game, 0.2)), sums(&|game| fair_comebacks(game, 0.2)));
    let error = (seen * (1.0 - seen / sides)).sqrt();
    assert!(seen <= fair + 3.0 * error, "{seen} of {sides}, fair is {fair}");
}
