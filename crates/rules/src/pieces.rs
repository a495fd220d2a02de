//! Tables of a game's piece kinds, with one row per kind, and the piece kinds of chess.

/// Defines the enum of a game's piece kinds.
///
/// A row has the kind, its role, its lower-case FEN letter, its name in running text and its value
/// in centipawns. The pawn comes first.
macro_rules! piece_kinds {
    ($(#[$about:meta])* $kinds:ident { $($(#[$what:meta])* $kind:ident: $role:ident $letter:literal $name:literal $worth:literal;)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub enum $kinds {
            $($(#[$what])* $kind,)*
        }

        impl $kinds {
            /// All piece kinds of the game, the pawn first.
            pub const ALL: [$kinds; [$($letter),*].len()] = [$($kinds::$kind),*];

            /// Descriptions of all piece kinds, in the order of [`Self::ALL`].
            pub(crate) const TYPES: [$crate::PieceType; [$($letter),*].len()] = [$($crate::PieceType {
                role: $crate::Role::$role,
                letter: $letter.to_ascii_uppercase(),
                name: $name,
                centipawns: $worth,
            }),*];

            /// Returns the lower-case FEN letter of this piece kind.
            pub const fn letter(self) -> char {
                [$($letter),*][self as usize]
            }

            /// Returns the piece kind with this lower-case FEN letter, or `None` if no kind has the
            /// letter.
            pub const fn from_letter(letter: char) -> Option<$kinds> {
                match letter {
                    $($letter => Some($kinds::$kind),)*
                    _ => None,
                }
            }

            /// Returns the piece's conventional value in centipawns, 0 for a king.
            pub const fn value(self) -> i32 {
                [$($worth),*][self as usize]
            }
        }
    };
}

pub(crate) use piece_kinds;

piece_kinds! {
    /// A piece kind of standard chess. Chess++ and Maxim chess use the same kinds.
    PieceKind {
        /// Pawn.
        Pawn: Pawn 'p' "pawn" 100;
        /// Knight.
        Knight: Officer 'n' "knight" 300;
        /// Bishop.
        Bishop: Officer 'b' "bishop" 300;
        /// Rook.
        Rook: Officer 'r' "rook" 500;
        /// Queen.
        Queen: Officer 'q' "queen" 900;
        /// King.
        King: King 'k' "king" 0;
    }
}

#[cfg(test)]
mod tests {
    use crate::{Century, Chess, ChessPp, Half, Maxim, Position, Role};

    #[test]
    fn every_game_has_one_pawn_that_comes_first_and_one_king() {
        let games = [Chess::PIECES, ChessPp::PIECES, Century::PIECES, Maxim::PIECES, Half::PIECES];
        for pieces in games {
            let places = |role| pieces.iter().enumerate().filter(move |(_, piece)| piece.role == role);
            assert_eq!(
                places(Role::Pawn).map(|(i, piece)| (i, piece.name)).collect::<Vec<_>>(),
                [(0, "pawn")]
            );
            assert_eq!(places(Role::King).map(|(_, piece)| piece.letter).collect::<Vec<_>>(), ['K']);
            assert!(places(Role::Marker).all(|(_, piece)| piece.letter == '*'));
            assert!(places(Role::Officer).all(|(_, piece)| piece.centipawns > 0));
        }
    }
}
