//! Conversion of training samples into tensors.

use crate::{FUTURE_PLIES, Row};
use catapult_encoding::{Encode, PolicyIndex};
use half::bf16;

/// Encodes training samples into buffers that it reuses for every sample.
pub struct RowEncoder {
    planes: Vec<bf16>,
    globals: Vec<f32>,
    moves: Vec<PolicyIndex>,
    /// Occupancy of the squares at one horizon, in the shape (squares, future_planes). `future` has
    /// these values for all horizons, in the shape (squares, horizons, future_planes).
    standing: Vec<u8>,
    future: Vec<u8>,
}

/// Tensors of a training sample, seen from the side to move. Targets without a field here, such as
/// [`Row::policy`], need no encoding.
#[derive(Clone, Copy, Debug)]
pub struct EncodedRow<'a> {
    /// Input planes in the shape (squares, planes), as [`Encode::encode`] writes them.
    pub planes: &'a [bf16],
    /// Global inputs: numbers that describe the whole position, as [`Encode::encode`] writes them.
    pub globals: &'a [f32],
    /// Policy indices of the legal moves, in the order of [`Row::moves`].
    pub moves: &'a [PolicyIndex],
    /// Future occupancy of each square, 0 or 1, in the shape (squares, horizons, future_planes).
    /// There is one horizon per entry of [`FUTURE_PLIES`].
    pub future: &'a [u8],
}

impl RowEncoder {
    /// Allocates buffers in the sizes of the game `P`.
    pub fn new<P: Encode>() -> RowEncoder {
        let layout = P::LAYOUT;
        let standing = layout.squares() * layout.future_planes;
        RowEncoder {
            planes: vec![bf16::ZERO; layout.squares() * layout.planes],
            globals: vec![0.0; layout.globals],
            moves: Vec::new(),
            standing: vec![0; standing],
            future: vec![0; standing * FUTURE_PLIES.len()],
        }
    }

    /// Encodes a training sample. The result is valid until the next call.
    ///
    /// If `mirror` is true, files are mirrored (a becomes h). The position must allow mirroring
    /// ([`Encode::can_mirror`]).
    pub fn encode<P: Encode>(&mut self, row: &Row<P>, mirror: bool) -> EncodedRow<'_> {
        row.position.encode(row.repetitions, mirror, &mut self.planes, &mut self.globals);
        self.moves.clear();
        self.moves.extend(row.moves.iter().map(|&mv| row.position.policy_index(mv, mirror)));
        let side = row.position.side_to_move();
        let planes = P::LAYOUT.future_planes;
        for (horizon, later) in row.future.iter().enumerate() {
            later.occupancy(side, mirror, &mut self.standing);
            let squares = self.future.chunks_exact_mut(planes * FUTURE_PLIES.len());
            for (square, standing) in squares.zip(self.standing.chunks_exact(planes)) {
                square[horizon * planes..][..planes].copy_from_slice(standing);
            }
        }
        EncodedRow { planes: &self.planes, globals: &self.globals, moves: &self.moves, future: &self.future }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TargetConfig, WindowConfig, game_rows};
    use catapult_records::GameRecord;
    use catapult_rules::{Color, Maxim, Position, Square, Variant};

    /// Checks that future occupancy is seen from the side to move at the training sample. In Maxim
    /// chess, either side may be to move eight plies later.
    #[test]
    fn what_will_stand_is_seen_by_who_is_to_move() {
        let decisions = "a1a2 @c3 @f6 e8d8 done e1d1 done d8c8 done a2a3 done";
        let start = Some("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 -/- -");
        let mut record = GameRecord::of_texts(Variant::Maxim, start, decisions).unwrap();
        record.policies = record.moves.iter().map(|&mv| vec![(mv, 1.0)]).collect();
        record.values = vec![[0.25, 0.5, 0.25]; record.moves.len()];
        let window = WindowConfig { rows_per_game: 100, ..WindowConfig::default() };
        let rows = game_rows::<Maxim>(&record, (), &window, &TargetConfig::default()).unwrap().rows;
        let mut encoder = RowEncoder::new::<Maxim>();
        // (ply, mover, mover eight plies later, own squares, enemy squares), ranks counted from the
        // mover's side.
        use Color::{Black, White};
        for (ply, mover, later, own, enemy) in [
            (0, White, Black, "a2d1", "c8"),
            (1, White, White, "a2d1", "c8"),
            (2, White, White, "a3d1", "c8"),
            (3, Black, Black, "c1", "a6d8"),
        ] {
            let row = &rows[ply];
            assert_eq!(
                [row.position.side_to_move(), row.future[0].side_to_move()],
                [mover, later],
                "ply {ply}"
            );
            assert_eq!(row.future_weight, [1.0, 0.0]);
            let future = encoder.encode(row, false).future;
            for (plane, expected) in [own, enemy].into_iter().enumerate() {
                let stands = |square: &Square| future[square.index() * 2 * FUTURE_PLIES.len() + plane] == 1;
                let found: Vec<Square> = Square::all().filter(stands).collect();
                let mut names: Vec<String> = found.iter().map(Square::to_string).collect();
                names.sort();
                assert_eq!(names.concat(), expected, "ply {ply}, plane {plane}");
            }
        }
    }
}
