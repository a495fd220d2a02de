//! Board geometry as seen by one side, optionally with flipped files.

use catapult_rules::Color;

/// Maps squares and displacements of the board to the view of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    files: usize,
    ranks: usize,
    flip_files: bool,
    flip_ranks: bool,
}

impl View {
    /// Creates the view of `side` on a board of `files` by `ranks` squares. The side's first rank
    /// becomes rank 0. `mirror` flips the files.
    pub const fn new(files: usize, ranks: usize, side: Color, mirror: bool) -> View {
        View { files, ranks, flip_files: mirror, flip_ranks: matches!(side, Color::Black) }
    }

    /// Maps a square index of the board to a square index of the view. Squares are numbered rank by
    /// rank, with a1 = 0.
    #[inline]
    pub const fn square(self, index: usize) -> usize {
        let (file, rank) = (index % self.files, index / self.files);
        let file = if self.flip_files { self.files - 1 - file } else { file };
        let rank = if self.flip_ranks { self.ranks - 1 - rank } else { rank };
        rank * self.files + file
    }

    /// Returns the displacement (files, ranks) in the view between two square indices of the board.
    #[inline]
    pub const fn way(self, from: usize, to: usize) -> (i32, i32) {
        let files = (to % self.files) as i32 - (from % self.files) as i32;
        let ranks = (to / self.files) as i32 - (from / self.files) as i32;
        (if self.flip_files { -files } else { files }, if self.flip_ranks { -ranks } else { ranks })
    }
}

/// Returns the number of planes of [`step_plane`] on a board whose longer side has `longest`
/// squares.
pub const fn step_planes(longest: usize) -> u16 {
    8 * (longest as u16 - 1)
}

/// Returns the plane of a queen's move by a displacement (files, ranks). It is
/// `direction * (longest - 1) + distance - 1`. Directions are numbered clockwise from forwards = 0.
/// `longest` is the length of the board's longer side in squares. The result is unspecified for
/// other displacements.
pub const fn step_plane((files, ranks): (i32, i32), longest: usize) -> u16 {
    let direction = match (files.signum(), ranks.signum()) {
        (0, 1) => 0,
        (1, 1) => 1,
        (1, 0) => 2,
        (1, -1) => 3,
        (0, -1) => 4,
        (-1, -1) => 5,
        (-1, 0) => 6,
        _ => 7,
    };
    let distance = if files == 0 { ranks.unsigned_abs() } else { files.unsigned_abs() } as usize;
    let distance = if distance == 0 { 1 } else { distance };
    let distance = if distance < longest { distance } else { longest - 1 };
    (direction * (longest - 1) + distance - 1) as u16
}

/// Returns the plane of a knight's leap by a displacement (files, ranks), from 0 to 7. Leaps are
/// numbered clockwise from (1, 2): one right, two forwards. Returns `None` for other displacements.
pub const fn leap_plane(way: (i32, i32)) -> Option<u16> {
    match way {
        (1, 2) => Some(0),
        (2, 1) => Some(1),
        (2, -1) => Some(2),
        (1, -2) => Some(3),
        (-1, -2) => Some(4),
        (-2, -1) => Some(5),
        (-2, 1) => Some(6),
        (-1, 2) => Some(7),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn steps_and_leaps_have_planes_of_their_own() {
        for longest in [8, 10, 12] {
            let far = longest as i32 - 1;
            let mut seen = BTreeSet::new();
            for way in (-far..=far).flat_map(|f| (-far..=far).map(move |r| (f, r))) {
                let (files, ranks) = way;
                if way != (0, 0) && (files == 0 || ranks == 0 || files.abs() == ranks.abs()) {
                    assert!(seen.insert(step_plane(way, longest)), "{way:?}");
                }
                assert_eq!(leap_plane(way).is_some(), files.abs() * ranks.abs() == 2);
            }
            assert_eq!(seen, (0..step_planes(longest)).collect());
        }
        assert_eq!((step_plane((0, 3), 10), step_plane((-1, 1), 10)), (2, 63));
        assert_eq!((leap_plane((1, 2)), leap_plane((-1, 2))), (Some(0), Some(7)));
        // Other displacements still map to planes of steps.
        assert!(step_plane((0, 0), 8) < 56 && step_plane((99, -99), 8) < 56);
    }

    #[test]
    fn views_flip_and_mirror() {
        // On a 10x8 board Black sees a1 as a8, and mirrored as j8. White sees b3 mirrored as i3.
        let black = View::new(10, 8, Color::Black, false);
        assert_eq!((black.square(0), black.square(79)), (70, 9));
        assert_eq!(View::new(10, 8, Color::Black, true).square(0), 79);
        assert_eq!(View::new(10, 8, Color::White, true).square(21), 28);
        // From b3 to d4: two right, one up.
        assert_eq!(View::new(10, 8, Color::White, false).way(21, 33), (2, 1));
        assert_eq!(View::new(10, 8, Color::Black, true).way(21, 33), (-2, -1));
    }
}
