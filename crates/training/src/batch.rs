//! Rows as a training batch.

use crate::rows::{FUTURE_PLIES, Row};
use catapult_encoding::{Encode, PolicyIndex};
use catapult_network::{NetworkError, TrainingBatch, TrainingRow};
use half::bf16;
use rand::Rng;
use rand_pcg::Pcg64Mcg;

/// Encodes rows into a batch that is filled again and again.
pub(crate) struct RowEncoder {
    batch: TrainingBatch,
    planes: Vec<bf16>,
    globals: Vec<f32>,
    moves: Vec<PolicyIndex>,
    /// What stands where, by horizon, and the same with a square's horizons side by side.
    standing: [Vec<u8>; FUTURE_PLIES.len()],
    future: Vec<u8>,
}

impl RowEncoder {
    pub(crate) fn new<P: Encode>() -> RowEncoder {
        let layout = P::LAYOUT;
        let standing = layout.squares() * layout.future_planes;
        RowEncoder {
            batch: TrainingBatch::new(layout),
            planes: vec![bf16::ZERO; layout.squares() * layout.planes],
            globals: vec![0.0; layout.globals],
            moves: Vec::new(),
            standing: std::array::from_fn(|_| vec![0; standing]),
            future: vec![0; standing * FUTURE_PLIES.len()],
        }
    }

    /// Encodes rows; with `mirror`, every other one (by chance) whose rules allow it is flipped left to right.
    pub(crate) fn encode<P: Encode>(
        &mut self,
        rows: &[&Row<P>],
        mirror: bool,
        rng: &mut Pcg64Mcg,
    ) -> Result<&TrainingBatch, NetworkError> {
        self.batch.clear();
        for row in rows {
            let mirror = mirror && rng.random_bool(0.5) && row.position.can_mirror();
            row.position.encode(row.repetitions, mirror, &mut self.planes, &mut self.globals);
            self.moves.clear();
            self.moves.extend(row.moves.iter().map(|&mv| row.position.policy_index(mv, mirror)));
            let side = row.position.side_to_move();
            for (later, standing) in row.future.iter().zip(&mut self.standing) {
                later.occupancy(side, mirror, standing);
            }
            let planes = P::LAYOUT.future_planes;
            for (at, square) in self.future.chunks_exact_mut(planes * FUTURE_PLIES.len()).enumerate() {
                for (horizon, standing) in square.chunks_exact_mut(planes).zip(&self.standing) {
                    horizon.copy_from_slice(&standing[at * planes..][..planes]);
                }
            }
            self.batch.push(&TrainingRow {
                planes: &self.planes,
                globals: &self.globals,
                moves: &self.moves,
                policy: &row.policy,
                policy_weight: 1.0,
                wdl: row.wdl,
                value_weight: row.value_weight,
                moves_left: row.moves_left,
                future: &self.future,
                future_weight: row.future_weight,
            })?;
        }
        Ok(&self.batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::game_rows;
    use crate::{LearningConfig, WindowConfig};
    use catapult_records::GameRecord;
    use catapult_rules::{Color, Maxim, Outcome, Position, Square};
    use rand::SeedableRng;

    /// In Maxim chess the side to move eight plies later may be another, also where turns have two decisions each but one: what
    /// will stand is seen by who is to move at the row.
    #[test]
    fn what_will_stand_is_seen_by_who_is_to_move() {
        let decisions = "a1a2 @c3 @f6 e8d8 done e1d1 done d8c8 done a2a3 done";
        let moves: Vec<String> = decisions.split(' ').map(str::to_owned).collect();
        let record = GameRecord {
            variant: "maxim".into(),
            game: 0,
            seed: 0,
            parent: None,
            fork_ply: None,
            network: "test".into(),
            start_fen: "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 -/- -".into(),
            policies: moves.iter().map(|text| vec![(text.clone(), 1.0)]).collect(),
            values: vec![[0.25, 0.5, 0.25]; moves.len()],
            moves_left: vec![10.0; moves.len()],
            raw_values: vec![[0.0; 3]; moves.len()],
            mean_values: vec![[0.0; 3]; moves.len()],
            surprises: vec![0.0; moves.len()],
            moves,
            outcome: Outcome::Capped,
            winner: None,
        };
        let window = WindowConfig { rows_per_game: 100, ..WindowConfig::default() };
        let rows = game_rows::<Maxim>(&record, (), &window, &LearningConfig::default()).unwrap().rows;
        let mut encoder = RowEncoder::new::<Maxim>();
        let mut random = Pcg64Mcg::seed_from_u64(0);
        // Ply, who is to move there and eight plies later; own and enemy squares then, ranks counted from the mover's side.
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
            encoder.encode(&[row], false, &mut random).unwrap();
            for (plane, expected) in [own, enemy].into_iter().enumerate() {
                let stands =
                    |square: &Square| encoder.future[square.index() * 2 * FUTURE_PLIES.len() + plane] == 1;
                let found: Vec<Square> = Square::all().filter(stands).collect();
                let mut names: Vec<String> = found.iter().map(Square::to_string).collect();
                names.sort();
                assert_eq!(names.concat(), expected, "ply {ply}, plane {plane}");
            }
        }
    }
}
