//! Compares squares, sets and tables of four boards with slow definitions.

use super::{KING_STEPS, KNIGHT_LEAPS, Square, Squares};
use std::collections::BTreeSet;

/// Returns the indices of a set's squares.
fn indices<const F: usize, const R: usize, const W: usize>(set: Squares<F, R, W>) -> BTreeSet<usize> {
    set.into_iter().map(Square::index).collect()
}

/// Returns a random set, drawn by a linear congruential generator. The set contains each square
/// with probability `of_ten / 10`.
fn scattered<const F: usize, const R: usize, const W: usize>(
    seed: &mut u64,
    of_ten: u64,
) -> Squares<F, R, W> {
    let mut next = || {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *seed >> 33
    };
    Square::all().filter(|_| next() % 10 < of_ten).collect()
}

fn algebra_is_that_of_sets<const F: usize, const R: usize, const W: usize>() {
    let mut seed = 1;
    for _ in 0..100 {
        let (a, b) = (scattered::<F, R, W>(&mut seed, 4), scattered::<F, R, W>(&mut seed, 4));
        let (x, y) = (indices(a), indices(b));
        assert_eq!(indices(a & b), &x & &y);
        assert_eq!(indices(a | b), &x | &y);
        assert_eq!(indices(a ^ b), &x ^ &y);
        assert_eq!(indices(a.without(b)), &x - &y);
        assert_eq!(indices(!a), &(0..F * R).collect() - &x);
        assert_eq!((a.meets(b), a.is_empty()), (!x.is_disjoint(&y), x.is_empty()));
        assert_eq!((a.count() as usize, a.into_iter().len()), (x.len(), x.len()));
        assert_eq!(a.first().map(Square::index), x.first().copied());
        assert_eq!(a.last().map(Square::index), x.last().copied());
        assert_eq!(indices(a.flip_ranks()), a.into_iter().map(|at| at.flip_ranks().index()).collect());
        assert_eq!(indices(a.flip_files()), a.into_iter().map(|at| at.flip_files().index()).collect());
        assert!(Square::<F, R>::all().all(|square| a.has(square) == x.contains(&square.index())));
        assert_eq!(a.is_many(), x.len() > 1);
    }
    for square in Square::<F, R>::all() {
        assert_eq!(indices(Squares::<F, R, W>::before(square)), (0..square.index()).collect());
        assert_eq!(indices(Squares::<F, R, W>::after(square)), (square.index() + 1..F * R).collect());
    }
    let dark = (0..F * R).filter(|index| (index % F + index / F).is_multiple_of(2)).collect();
    assert_eq!(indices(Squares::<F, R, W>::DARK), dark);
    assert_eq!(Squares::<F, R, W>::FULL.count() as usize, F * R);
    assert_eq!(indices(Squares::<F, R, W>::rank(1)), (F..2 * F).collect());
    assert_eq!(indices(Squares::<F, R, W>::file(2)), (0..R).map(|rank| rank * F + 2).collect());
}

fn steps_leave_the_board_at_its_edges<const F: usize, const R: usize, const W: usize>() {
    let mut seed = 2;
    for _ in 0..30 {
        let set = scattered::<F, R, W>(&mut seed, 5);
        let slow = |files: i32, ranks: i32| -> Squares<F, R, W> {
            let moved = |square: Square<F, R>| {
                let (file, rank) = (square.index() % F, square.index() / F);
                let (file, rank) = (file as i32 + files, rank as i32 + ranks);
                let inside = (0..F as i32).contains(&file) && (0..R as i32).contains(&rank);
                inside.then(|| Square::new(rank as usize * F + file as usize).unwrap())
            };
            set.into_iter().filter_map(moved).collect()
        };
        for files in -(F as i32)..=F as i32 {
            for ranks in -(R as i32)..=R as i32 {
                assert_eq!(set.shifted(files, ranks), slow(files, ranks), "{files} {ranks}");
            }
        }
        assert_eq!(set.step::<1, 1>(), slow(1, 1));
        assert_eq!(set.step::<-1, 1>(), slow(-1, 1));
        assert_eq!(set.step::<0, -1>(), slow(0, -1));
        assert_eq!(set.step::<-2, -1>(), slow(-2, -1));
        assert_eq!(set.step::<2, 3>(), slow(2, 3));
    }
}

/// Returns the squares reached from one square by repeated steps in each direction, up to and
/// including the first occupied square.
fn walk<const F: usize, const R: usize, const W: usize>(
    from: Square<F, R>,
    directions: &[(i32, i32)],
    occupied: Squares<F, R, W>,
) -> Squares<F, R, W> {
    let mut seen = Squares::EMPTY;
    for &(files, ranks) in directions {
        let mut at = from.offset(files, ranks);
        while let Some(square) = at {
            seen |= Squares::of(square);
            at = if occupied.has(square) { None } else { square.offset(files, ranks) };
        }
    }
    seen
}

fn sliders_stop_at_the_first_piece<const F: usize, const R: usize, const W: usize>() {
    let mut seed = 3;
    let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    let diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    for density in [0, 1, 2, 4, 7] {
        for _ in 0..20 {
            let occupied = scattered::<F, R, W>(&mut seed, density);
            for square in Square::all() {
                assert_eq!(Squares::rook(square, occupied), walk(square, &straight, occupied), "{square}");
                assert_eq!(Squares::bishop(square, occupied), walk(square, &diagonal, occupied), "{square}");
            }
            let some = scattered::<F, R, W>(&mut seed, 1);
            let all = |directions: &[(i32, i32)]| {
                let each = some.into_iter().map(|from| walk(from, directions, occupied));
                each.fold(Squares::EMPTY, |all, seen| all | seen)
            };
            assert_eq!(some.rooks(occupied), all(&straight));
            assert_eq!(some.bishops(occupied), all(&diagonal));
            assert_eq!(some.rays::<-1, 1>(occupied), all(&[(-1, 1)]));
        }
    }
    let leaps = |square: Square<F, R>, offsets: &[(i32, i32)]| -> Squares<F, R, W> {
        offsets.iter().filter_map(|&(files, ranks)| square.offset(files, ranks)).collect()
    };
    for square in Square::all() {
        assert_eq!(Squares::king(square), leaps(square, &KING_STEPS));
        assert_eq!(Squares::knight(square), leaps(square, &KNIGHT_LEAPS));
        let here = Squares::of(square);
        assert_eq!((here.kings(), here.knights()), (Squares::king(square), Squares::knight(square)));
        assert_eq!(here.beside(), leaps(square, &straight));
        assert_eq!(here.sideways(), leaps(square, &straight[..2]));
    }
    let some = scattered::<F, R, W>(&mut seed, 3);
    let each = |reach: fn(Square<F, R>) -> Squares<F, R, W>| {
        some.into_iter().fold(Squares::EMPTY, |all, square| all | reach(square))
    };
    assert_eq!((some.kings(), some.knights()), (each(Squares::king), each(Squares::knight)));
}

fn lines_join_squares<const F: usize, const R: usize, const W: usize>() {
    for a in Square::<F, R>::all() {
        for b in Square::all() {
            let (mut between, mut line) = (Squares::<F, R, W>::EMPTY, Squares::<F, R, W>::EMPTY);
            for (files, ranks) in KING_STEPS {
                let ray = walk::<F, R, W>(a, &[(files, ranks)], Squares::EMPTY);
                if a != b && ray.has(b) {
                    between = walk(a, &[(files, ranks)], Squares::of(b)).without(Squares::of(b));
                    line = ray | Squares::of(a) | walk(a, &[(-files, -ranks)], Squares::EMPTY);
                }
            }
            assert_eq!((Squares::between(a, b), Squares::line(a, b)), (between, line), "{a} {b}");
        }
    }
}

fn squares_read_back<const F: usize, const R: usize>() {
    for square in Square::<F, R>::all() {
        let text = square.to_string();
        assert_eq!(text.parse(), Ok(square));
        assert_eq!(Square::split_from(&format!("{text}x{text}")), Some((square, &*format!("x{text}"))));
        assert_eq!(Square::at(square.file(), square.rank()), Some(square));
        assert_eq!(square.flip_ranks().flip_ranks(), square);
        let turned = square.flip_ranks().flip_files();
        assert_eq!(turned.index(), F * R - 1 - square.index());
        assert_eq!(Square::<F, R>::of(square.byte()), square);
    }
    assert_eq!(
        (Square::<F, R>::new(F * R), Square::<F, R>::at(F, 0), Square::<F, R>::at(0, R)),
        (None, None, None)
    );
    for bad in
        ["", "a", "a0", "a01", "1a", "A1", "a1 ", "a99", "a256", "z1", "é1", "a+1", "a1111111111111111111"]
    {
        assert!(bad.parse::<Square<F, R>>().is_err(), "{bad}");
    }
}

macro_rules! on_boards {
    ($($name:ident $files:literal $ranks:literal $words:literal;)*) => { $(
        mod $name {
            #[test]
            fn algebra_is_that_of_sets() {
                super::algebra_is_that_of_sets::<$files, $ranks, $words>();
            }
            #[test]
            fn steps_leave_the_board_at_its_edges() {
                super::steps_leave_the_board_at_its_edges::<$files, $ranks, $words>();
            }
            #[test]
            fn sliders_stop_at_the_first_piece() {
                super::sliders_stop_at_the_first_piece::<$files, $ranks, $words>();
            }
            #[test]
            fn lines_join_squares() {
                super::lines_join_squares::<$files, $ranks, $words>();
            }
            #[test]
            fn squares_read_back() {
                super::squares_read_back::<$files, $ranks>();
            }
        }
    )* };
}

on_boards! {
    boards_of_10x8 10 8 2;
    boards_of_12x12 12 12 3;
    boards_of_8x8 8 8 1;
    boards_of_16x8 16 8 2;
}

#[test]
fn squares_are_named_by_file_and_rank() {
    let square: Square<12, 12> = "j10".parse().unwrap();
    assert_eq!((square.file(), square.rank(), square.index()), (9, 9, 117));
    assert_eq!(Square::<10, 8>::new(79).unwrap().to_string(), "j8");
    assert_eq!("j9".parse::<Square<10, 8>>(), Err(()));
}
