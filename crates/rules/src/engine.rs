//! Methods of [`Position`](crate::Position) that all games implement in the same way.

/// Implements methods of [`Position`](crate::Position) for a type that has four members:
///
/// * `state` holds the side to move, the counters and the key.
/// * `apply` plays a move.
/// * `generate` passes the legal moves to a [sink](crate::sinks).
/// * `checkers` returns the pieces that give check to the side to move.
macro_rules! engine_methods {
    () => {
        #[inline]
        fn side_to_move(&self) -> $crate::Color {
            self.state.side()
        }

        fn halfmove_clock(&self) -> u32 {
            self.state.halfmove_clock.into()
        }

        fn fullmove_number(&self) -> u32 {
            self.state.fullmove_number.into()
        }

        #[inline]
        fn key(&self) -> u64 {
            self.state.key()
        }

        fn in_check(&self) -> bool {
            !self.checkers().is_empty()
        }

        fn legal_moves_into(&self, moves: &mut $crate::MoveList) {
            self.generate(&mut $crate::sinks::Collect(moves));
        }

        fn count_legal_moves(&self) -> usize {
            let mut count = $crate::sinks::Count(0);
            self.generate(&mut count);
            count.0
        }

        fn has_legal_move(&self) -> bool {
            let mut any = $crate::sinks::Any(false);
            self.generate(&mut any);
            any.0
        }

        fn is_legal(&self, mv: $crate::Move) -> bool {
            let mut find = $crate::sinks::Find { mv, found: false };
            self.generate(&mut find);
            find.found
        }

        #[inline]
        fn play(&mut self, mv: $crate::Move) {
            self.apply(mv);
        }
    };
}

/// The queries that all games with at most one piece per square share. `$kind` is the type of the
/// pieces' kinds.
macro_rules! board_queries {
    ($kind:ty) => {
        /// Returns the squares of a side's pieces of a kind.
        #[inline]
        pub fn pieces(&self, side: Color, kind: $kind) -> Squares {
            self.state.kind(kind) & self.state.side_pieces(side)
        }

        /// Returns the squares of a side's pieces.
        #[inline]
        pub fn occupied_by(&self, side: Color) -> Squares {
            self.state.side_pieces(side)
        }

        /// Returns side and kind of the piece on a square, or `None` if the square is empty.
        #[inline]
        pub fn piece_at(&self, square: Square) -> Option<(Color, $kind)> {
            let cell = self.state.cell(square);
            Some((cell.side(), cell.kind()?))
        }

        /// Returns the FEN letter of the piece on the square with this file and rank, both from 0.
        /// Returns `None` if the square is empty.
        pub(super) fn letter_at(&self, file: usize, rank: usize) -> Option<char> {
            let (side, kind) = self.piece_at(Square::at(file, rank)?)?;
            Some(side.cased(kind.letter()))
        }

        /// Returns true if a side still has the right to castle: kingside if `kingside` is true,
        /// else queenside.
        #[inline]
        pub fn may_castle(&self, side: Color, kingside: bool) -> bool {
            self.state.castling() & $crate::castling::castling_bit(side, kingside) != 0
        }
    };
}

/// Items of [`Position`](crate::Position) of a game with one rule set. `$start` is the FEN of the
/// start position.
macro_rules! one_rule_set {
    ($game:ident, $start:expr) => {
        type Rules = ();

        #[allow(clippy::expect_used)]
        fn start((): ()) -> $game {
            static POSITION: std::sync::LazyLock<$game> =
                std::sync::LazyLock::new(|| $game::read_fen($start).expect("the start position is valid"));
            *POSITION
        }

        fn from_fen(fen: &str, (): ()) -> Result<$game, $crate::FenError> {
            $game::read_fen(fen)
        }

        fn rules(&self) {}
    };
}

/// Formats a position for debugging as its FEN.
macro_rules! debug_as_fen {
    ($game:ident $(<$rules:ident: $bound:ident>)?) => {
        impl $(<$rules: $bound>)? std::fmt::Debug for $game $(<$rules>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}

pub(crate) use {board_queries, debug_as_fen, engine_methods, one_rule_set};
