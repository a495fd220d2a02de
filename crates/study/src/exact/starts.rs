//! Start positions of an ending, drawn at random.

use catapult_endings::{Placement, TableKey, Tables, Value, write_fen};
use catapult_measures::games::StudiedGame;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeMap;

/// Number of won positions that are drawn at random for each start position that is used.
const DRAWN: usize = 4;

/// Maximum number of random placements that are tried for each won position. In most endings, at
/// least 1 % of placements are won.
const TRIED: usize = 500;

/// A start position. White is to move and wins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start<P> {
    pub position: P,
    /// Distance to mate (DTM) in plies, ignoring the fifty-move rule.
    pub distance: u16,
}

/// Returns `positions` positions of an ending that are won for White at half-move clock 0, or fewer
/// if too few are found. More won positions are drawn at random and sorted by distance to mate. The
/// result takes positions at equal steps from this list. Short and long wins thus have their
/// natural proportions.
///
/// # Errors
/// No won position is found, or a tablebase cannot be probed.
pub(crate) fn draw<P: StudiedGame>(
    rules: P::Rules,
    key: TableKey,
    positions: usize,
    seed: u64,
    tables: &Tables,
) -> Result<Vec<Start<P>>, String> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut found: BTreeMap<(u16, String), P> = BTreeMap::new();
    let wanted = positions * DRAWN;
    for _ in 0..wanted * TRIED {
        if found.len() == wanted {
            break;
        }
        let Ok(position) = P::from_fen(&fen(key, &mut random), rules) else { continue };
        let probe = position.probe(tables).map_err(|error| error.to_string())?;
        if let Some(probe) = probe.filter(|probe| probe.key == key)
            && let (Value::Won(distance), Value::Won(_)) = (probe.dtm, probe.result)
        {
            found.insert((distance, position.to_string()), position);
        }
    }
    let found: Vec<Start<P>> =
        found.into_iter().map(|((distance, _), position)| Start { position, distance }).collect();
    if found.is_empty() {
        return Err(format!("no won position of {key} was found"));
    }
    let taken = positions.min(found.len());
    Ok((0..taken).map(|i| found[(2 * i + 1) * found.len() / (2 * taken)]).collect())
}

/// Returns the FEN of a random placement of the ending's pieces, with White to move. The position
/// may be illegal.
fn fen(key: TableKey, random: &mut Pcg64Mcg) -> String {
    let mut squares: Vec<u8> = (0..64).collect();
    squares.shuffle(random);
    let [king, black, piece] = [squares[0], squares[1], squares[2]];
    if key.catapults() > 0 {
        // Pieces may stand on catapults.
        squares.shuffle(random);
    }
    squares.truncate(usize::from(key.catapults()));
    let mut fen = String::new();
    write_fen(&mut fen, &Placement { king, piece, black, catapults: squares, side: 0 }, &key, 0);
    fen
}
