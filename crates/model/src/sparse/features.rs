//! Inputs of a sparse network: the set bits of a position's planes, and the table rows of its moves.

use catapult_encoding::{Encode, Layout, PolicyIndex};
use half::bf16;

/// Ways in which a square is attacked: by no side, by own pieces, by enemy pieces, by both.
const WAYS: usize = 4;

/// Number of tables of the policy.
pub(crate) const TABLES: usize = 6;

/// Returns the number of features of a layout.
///
/// A piece on a square has four features, one for each way in which its square is attacked. Every
/// other set plane has one feature per square. The planes of pawn attacks have none, because the
/// pawns determine them.
pub(crate) fn features(layout: &Layout) -> usize {
    (WAYS * layout.piece_planes + layout.sets() - layout.piece_planes) * layout.squares()
}

/// Returns the names of the tables of the policy and their numbers of rows.
///
/// * `plane`: policy plane, whether the move captures, and how its destination is attacked.
/// * `from` and `to`: the piece at the origin, or none, and the origin or the destination.
/// * `exchange`: the kinds of the moving and the captured piece, or none, how the destination and
///   the origin are attacked, and whether enemy pawns attack each of them.
/// * `enemy_king` and `own_king`: the kind of the moving piece, or none, and the displacement from
///   the king to the destination.
pub(crate) fn table_rows(layout: &Layout) -> [(&'static str, usize); TABLES] {
    let kinds = layout.piece_planes / 2 + 1;
    let squares = (layout.piece_planes + 1) * layout.squares();
    let kings = kinds * (2 * layout.ranks - 1) * (2 * layout.files - 1);
    [
        ("plane", 2 * WAYS * layout.policy_planes),
        ("from", squares),
        ("to", squares),
        ("exchange", kinds * kinds * WAYS * WAYS * 4),
        ("enemy_king", kings),
        ("own_king", kings),
    ]
}

/// Features of one position.
#[derive(Clone, Debug)]
pub struct Features {
    layout: Layout,
    /// Numbers of the features that the position has.
    set: Vec<u32>,
    /// Plane and square of each piece.
    pieces: Vec<(u8, u8)>,
    /// Plane of the piece on each square plus 1, or 0.
    piece_at: Vec<u8>,
    /// Attackers of each square: 0 for none, 1 for own pieces, 2 for enemy pieces, 3 for both.
    attacks: Vec<u8>,
    /// 1 for each square that enemy pawns attack.
    pawns: Vec<u8>,
    /// Squares of the own and of the enemy king.
    kings: [u8; 2],
}

impl Features {
    /// Creates the features of a position without set bits.
    pub fn new(layout: Layout) -> Features {
        let none = vec![0; layout.squares()];
        Features {
            layout,
            set: Vec::new(),
            pieces: Vec::new(),
            piece_at: none.clone(),
            attacks: none.clone(),
            pawns: none,
            kings: [0; 2],
        }
    }

    /// Computes the features of a position and writes its global inputs to `globals`. `repetitions`
    /// is the number of earlier occurrences of the position in its game.
    ///
    /// # Panics
    /// The game has another layout.
    pub fn encode<P: Encode>(&mut self, position: &P, repetitions: u8, globals: &mut [f32]) {
        assert_eq!(self.layout, P::LAYOUT, "the layout of the game");
        self.clear();
        position.inputs(repetitions, false, globals, |plane, square| self.mark(plane, square));
        self.split_pieces();
    }

    /// Computes the features of the position with these planes, in the shape (squares, planes).
    pub fn read(&mut self, planes: &[bf16]) {
        self.clear();
        let (all, sets) = (self.layout.planes, self.layout.sets());
        for (square, planes) in planes.chunks_exact(all).enumerate() {
            for (plane, _) in planes[..sets].iter().enumerate().filter(|(_, value)| value.to_bits() != 0) {
                self.mark(plane, square);
            }
        }
        self.split_pieces();
    }

    fn clear(&mut self) {
        self.set.clear();
        self.pieces.clear();
        self.piece_at.fill(0);
        self.attacks.fill(0);
        self.pawns.fill(0);
        self.kings = [0; 2];
    }

    #[inline(always)]
    fn mark(&mut self, plane: usize, square: usize) {
        let layout = &self.layout;
        if plane < layout.piece_planes {
            let kinds = layout.piece_planes / 2;
            self.pieces.push((plane as u8, square as u8));
            self.piece_at[square] = plane as u8 + 1;
            if plane % kinds == layout.king_plane {
                self.kings[plane / kinds] = square as u8;
            }
            return;
        }
        let [own, enemy] = layout.attack_planes;
        self.attacks[square] |= u8::from(plane == own) + 2 * u8::from(plane == enemy);
        if let Some([own, enemy]) = layout.pawn_attack_planes
            && (plane == own || plane == enemy)
        {
            self.pawns[square] |= u8::from(plane == enemy);
            return;
        }
        let number = (WAYS - 1) * layout.piece_planes + plane;
        self.set.push((number * layout.squares() + square) as u32);
    }

    /// Adds the features of the pieces, which depend on all attacks.
    fn split_pieces(&mut self) {
        for &(plane, square) in &self.pieces {
            let number = WAYS * usize::from(plane) + usize::from(self.attacks[usize::from(square)]);
            self.set.push((number * self.layout.squares() + usize::from(square)) as u32);
        }
    }

    /// Returns the indices of the position's features, in no particular order.
    pub fn set(&self) -> &[u32] {
        &self.set
    }

    /// Returns the rows of a move in the tables of the policy.
    #[inline(always)]
    pub fn rows(&self, index: &PolicyIndex) -> [usize; TABLES] {
        let layout = &self.layout;
        let [plane, from, to] = [index.plane, index.square, index.to].map(usize::from);
        let kinds = layout.piece_planes / 2;
        let [piece, other] = [from, to].map(|square| usize::from(self.piece_at[square]));
        let [ways_from, ways_to] = [from, to].map(|square| usize::from(self.attacks[square]));
        let pawns = usize::from(self.pawns[to]) + 2 * usize::from(self.pawns[from]);
        // 0 if there is no piece. Only enemy pieces are captured.
        let mover = if piece > kinds { piece - kinds } else { piece };
        let victim = other.saturating_sub(kinds);
        let beside = |king: u8| {
            let king = usize::from(king);
            let ranks = to / layout.files + layout.ranks - 1 - king / layout.files;
            let files = to % layout.files + layout.files - 1 - king % layout.files;
            (mover * (2 * layout.ranks - 1) + ranks) * (2 * layout.files - 1) + files
        };
        [
            (2 * plane + usize::from(victim > 0)) * WAYS + ways_to,
            piece * layout.squares() + from,
            piece * layout.squares() + to,
            (((mover * (kinds + 1) + victim) * WAYS + ways_to) * WAYS + ways_from) * 4 + pawns,
            beside(self.kings[1]),
            beside(self.kings[0]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catapult_rules::{Chess, Position};
    use std::collections::BTreeSet;

    #[test]
    fn pieces_are_split_by_attacks_and_moves_have_rows() {
        // White: Ke1, Ra1. Black: Ke8, pawn a7, which the rook attacks and nothing defends.
        let position = Chess::from_fen("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", Default::default()).unwrap();
        let layout = Chess::LAYOUT;
        let mut planes = vec![bf16::ZERO; layout.squares() * layout.planes];
        let mut globals = vec![0.0; layout.globals];
        let mut found = Features::new(layout);
        found.encode(&position, 0, &mut globals);
        position.encode(0, false, &mut planes, &mut globals);
        let mut read = Features::new(layout);
        read.read(&planes);
        let sorted = |features: &Features| features.set().iter().copied().collect::<BTreeSet<u32>>();
        assert_eq!(sorted(&found), sorted(&read));
        let names = Chess::plane_names();
        let pieces: Vec<(String, usize, usize)> = sorted(&found)
            .iter()
            .map(|&feature| (feature as usize / 64, feature as usize % 64))
            .filter(|(number, _)| *number < 48)
            .map(|(number, square)| (names[number / 4].clone(), number % 4, square))
            .collect();
        let expected =
            [("own rooks", 0, 0), ("own king", 1, 4), ("enemy pawns", 1, 48), ("enemy king", 0, 60)];
        assert_eq!(pieces, expected.map(|(name, attack, square)| (name.to_string(), attack, square)));
        assert!(found.set().iter().all(|&feature| (feature as usize) < features(&layout)));

        let capture = position.parse_san("Rxa7").unwrap();
        let index = position.policy_index(capture, false);
        let rook = 4 * 64;
        // The rook captures a pawn that only it attacks. From the kings on e8 and e1 to a7.
        let expected = [
            (2 * index.plane as usize + 1) * 4 + 1,
            rook,
            rook + 48,
            ((4 * 7 + 1) * 4 + 1) * 16,
            (4 * 15 + 6) * 15 + 3,
            (4 * 15 + 13) * 15 + 3,
        ];
        assert_eq!(found.rows(&index), expected);
        let rows = table_rows(&layout);
        for mv in position.legal_moves() {
            let found = found.rows(&position.policy_index(mv, false));
            assert!(found.iter().zip(&rows).all(|(row, (_, rows))| row < rows));
        }
    }
}
