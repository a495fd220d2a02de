//! Methods of [`Position`](crate::Position) that all games implement in the same way.

/// Implements methods of [`Position`](crate::Position) for a type that has three members:
///
/// * `state` holds the side to move, the counters and the key.
/// * `apply` plays a move.
/// * `generate` passes the legal moves to a [sink](crate::sinks).
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
            let mut find = $crate::sinks::Find::new(mv);
            self.generate(&mut find);
            find.found
        }

        #[inline]
        fn play(&mut self, mv: $crate::Move) {
            self.apply(mv);
        }
    };
}

pub(crate) use engine_methods;
