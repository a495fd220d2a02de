//! A second, slow engine of Chess and a Half, written from the rules page alone.
//!
//! The engine stores the board as an array of FEN letters. It walks along directions square by
//! square, and plays every pseudo-legal move on a copy. To test if a king can be captured, it plays
//! all replies. With the crate it shares only the format of FENs and move texts.

use super::agreement::Definition;
use super::{At, LEAPS, STEPS, WHITE, name, rank_text, side_of};
use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

pub(crate) const SIZE: i32 = 12;
/// Squares of the knights in the start position, in the order of the FEN's seventh field.
pub(crate) const KNIGHTS: [At; 4] = [(1, 0), (10, 0), (1, 11), (10, 11)];

/// A pawn that just moved several squares: its origin and its destination. It skipped the squares
/// between these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Passed {
    pub from: At,
    pub pawn: At,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    /// FEN letters by `[rank][file]`, upper case for White. `.` is an empty square.
    pub cells: [[u8; 12]; 12],
    pub side: usize,
    /// Castling rights in the order of the FEN letters K, Q, k, q.
    pub castling: [bool; 4],
    /// The pawn that just moved several squares, if a pawn can capture it on a skipped square.
    pub passed: Option<Passed>,
    pub clock: u32,
    pub number: u32,
    /// True for each knight of [`KNIGHTS`] that has never moved.
    pub unmoved: [bool; 4],
}

/// Parts of a move's text. The text is formatted only if needed.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    from: At,
    to: At,
    captured: [Option<At>; 2],
    end: &'static str,
}

impl Words {
    fn text(self) -> String {
        let mut text = name(self.from) + &name(self.to);
        for at in self.captured.into_iter().flatten() {
            text += "x";
            text += &name(at);
        }
        text + self.end
    }
}

/// Visitor of moves: it receives a move's text and the board after it. `Break` stops the
/// generation.
type Visit<'a> = &'a mut dyn FnMut(Words, &Board) -> ControlFlow<()>;

fn inside((f, r): At) -> bool {
    (0..SIZE).contains(&f) && (0..SIZE).contains(&r)
}

pub(crate) fn squares() -> impl Iterator<Item = At> {
    (0..SIZE).flat_map(|r| (0..SIZE).map(move |f| (f, r)))
}

/// Reads the squares of a text such as `b1k12`.
fn read_squares(text: &str) -> Vec<At> {
    let mut found: Vec<At> = Vec::new();
    for c in text.chars().filter(|c| *c != '-') {
        match c.to_digit(10) {
            None => found.push((c as i32 - 'a' as i32, -1)),
            Some(digit) => {
                let last = found.last_mut().expect("a file comes first");
                last.1 = (last.1 + 1) * 10 + digit as i32 - 1;
            }
        }
    }
    found
}

impl Board {
    pub(crate) fn empty() -> Board {
        Board {
            cells: [[b'.'; 12]; 12],
            side: WHITE,
            castling: [false; 4],
            passed: None,
            clock: 0,
            number: 1,
            unmoved: [false; 4],
        }
    }

    pub(crate) fn at(&self, (f, r): At) -> u8 {
        self.cells[r as usize][f as usize]
    }

    pub(crate) fn put(&mut self, (f, r): At, piece: u8) {
        self.cells[r as usize][f as usize] = piece;
    }

    fn is_own(&self, at: At) -> bool {
        side_of(self.at(at)) == Some(self.side)
    }

    fn is_enemy(&self, at: At) -> bool {
        side_of(self.at(at)) == Some(1 - self.side)
    }

    fn up(&self) -> i32 {
        if self.side == WHITE { 1 } else { -1 }
    }

    /// Converts rank `n`, counted from 0 for the first rank of the side to move, to a rank of the
    /// board, counted from 0.
    pub(crate) fn rank(&self, n: i32) -> i32 {
        if self.side == WHITE { n } else { 11 - n }
    }

    /// Returns the FEN letter of a piece of the side to move. `kind` is the letter in lower case.
    fn own(&self, kind: u8) -> u8 {
        if self.side == WHITE { kind.to_ascii_uppercase() } else { kind }
    }

    pub(crate) fn king(&self, side: usize) -> Option<At> {
        let king = if side == WHITE { b'K' } else { b'k' };
        squares().find(|at| self.at(*at) == king)
    }

    /// Returns the squares that the pawn that just moved several squares skipped, in the order
    /// skipped.
    fn skipped(&self) -> Vec<At> {
        let Some(Passed { from, pawn }) = self.passed else { return Vec::new() };
        let step = (pawn.1 - from.1).signum();
        (1..(pawn.1 - from.1).abs()).map(|n| (from.0, from.1 + n * step)).collect()
    }

    /// Returns true if a pawn of the side to move could capture diagonally on the square.
    fn can_take_on(&self, (f, r): At) -> bool {
        [-1, 1].iter().any(|df| {
            let from = (f + df, r - self.up());
            inside(from) && self.at(from) == self.own(b'p')
        })
    }

    /// Removes the castling rights and the unmoved knights that a move from or to the square ends.
    fn touch(&mut self, at: At) {
        for (square, rights) in [
            ((6, 0), [0, 1].as_slice()),
            ((11, 0), &[0]),
            ((0, 0), &[1]),
            ((6, 11), &[2, 3]),
            ((11, 11), &[2]),
            ((0, 11), &[3]),
        ] {
            if square == at {
                for right in rights {
                    self.castling[*right] = false;
                }
            }
        }
        for (square, unmoved) in KNIGHTS.iter().zip(&mut self.unmoved) {
            *unmoved &= *square != at;
        }
    }

    /// Returns the board with a piece moved, and true if the move captured a piece on the
    /// destination.
    fn carried(&self, from: At, to: At) -> (Board, bool) {
        let mut board = *self;
        let captures = self.at(to) != b'.';
        board.put(to, self.at(from));
        board.put(from, b'.');
        board.touch(from);
        board.touch(to);
        (board, captures)
    }

    /// Ends the turn: sets the en-passant pawn and the counters, and passes the turn.
    fn ended(mut self, zeroing: bool, passed: Option<Passed>) -> Board {
        self.clock = if zeroing { 0 } else { self.clock + 1 };
        self.number += self.side as u32;
        self.side = 1 - self.side;
        self.passed = passed;
        if !self.skipped().into_iter().any(|at| self.can_take_on(at)) {
            self.passed = None;
        }
        self
    }

    /// Visits the move that `words` describes, or each of its promotions. `board` is the board
    /// after the move without promotion.
    fn arrive(&self, words: Words, board: &Board, zeroing: bool, visit: Visit) -> ControlFlow<()> {
        let kind = self.at(words.from).to_ascii_lowercase();
        let last = words.to.1 == self.rank(11);
        let choices: &[&'static str] = match kind {
            b'p' if last => &["q", "r", "b", "n", "g", "c"],
            b'c' if last && words.from.1 != words.to.1 => &["", "s"],
            b'n' if last && words.from.1 != words.to.1 => &["", "h"],
            _ => &[""],
        };
        for end in choices {
            let mut after = *board;
            if let Some(letter) = end.bytes().next() {
                after.put(words.to, self.own(letter));
            }
            visit(Words { end, ..words }, &after.ended(zeroing, None))?;
        }
        ControlFlow::Continue(())
    }

    /// Visits the move to a square that no own piece occupies. Captures and promotions are handled.
    fn go(&self, from: At, to: At, visit: Visit) -> ControlFlow<()> {
        let (board, captures) = self.carried(from, to);
        self.arrive(Words { from, to, captured: [None; 2], end: "" }, &board, captures, visit)
    }

    /// Visits the moves that repeat a step over empty squares, at most `most` times. The last step
    /// may capture.
    fn walk(&self, from: At, (df, dr): At, most: i32, visit: Visit) -> ControlFlow<()> {
        let mut to = (from.0 + df, from.1 + dr);
        for _ in 0..most {
            if !inside(to) || self.is_own(to) {
                break;
            }
            self.go(from, to, visit)?;
            if self.is_enemy(to) {
                break;
            }
            to = (to.0 + df, to.1 + dr);
        }
        ControlFlow::Continue(())
    }

    /// Visits the jumps of up to `reach` squares from `from`. Every choice of captures among the
    /// enemies jumped over is a move (rules 2 and 3).
    fn jump(&self, from: At, reach: i32, visit: Visit) -> ControlFlow<()> {
        for (df, dr) in STEPS {
            for distance in 1..=reach {
                let to = (from.0 + distance * df, from.1 + distance * dr);
                if !inside(to) || self.is_own(to) {
                    continue;
                }
                let on_the_way: Vec<At> = (1..distance)
                    .map(|n| (from.0 + n * df, from.1 + n * dr))
                    .filter(|at| self.is_enemy(*at))
                    .collect();
                for choice in 0..1 << on_the_way.len() {
                    let (mut board, captures) = self.carried(from, to);
                    let chosen = on_the_way.iter().enumerate().filter(|(n, _)| choice >> n & 1 == 1);
                    let mut captured = [None; 2];
                    for ((_, at), place) in chosen.zip(&mut captured) {
                        board.put(*at, b'.');
                        board.touch(*at);
                        *place = Some(*at);
                    }
                    let words = Words { from, to, captured, end: "" };
                    self.arrive(words, &board, captures || choice != 0, visit)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits a pawn's moves (rule 5).
    fn pawn(&self, from: At, visit: Visit) -> ControlFlow<()> {
        let (f, r) = from;
        let most = if r == self.rank(1) { 4 } else { 1 };
        for steps in 1..=most {
            let to = (f, r + steps * self.up());
            if !inside(to) || self.at(to) != b'.' {
                break;
            }
            let words = Words { from, to, captured: [None; 2], end: "" };
            let (board, _) = self.carried(from, to);
            if steps == 1 {
                self.arrive(words, &board, true, visit)?;
            } else {
                visit(words, &board.ended(true, Some(Passed { from, pawn: to })))?;
            }
        }
        for df in [-1, 1] {
            let to = (f + df, r + self.up());
            if !inside(to) {
                continue;
            }
            if self.is_enemy(to) {
                self.go(from, to, visit)?;
            } else if self.skipped().contains(&to) {
                let mut board = self.carried(from, to).0;
                board.put(self.passed.expect("something was skipped").pawn, b'.');
                visit(Words { from, to, captured: [None; 2], end: "" }, &board.ended(true, None))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits all pseudo-legal moves except castling.
    fn pseudo_moves(&self, visit: Visit) -> ControlFlow<()> {
        for from in squares().filter(|at| self.is_own(*at)) {
            let steps: (&[At], i32) = match self.at(from).to_ascii_lowercase() {
                b'k' | b'g' => (&STEPS, 1),
                b'q' => (&STEPS, SIZE),
                b'r' => (&[(1, 0), (0, 1), (-1, 0), (0, -1)], SIZE),
                b'b' => (&[(1, 1), (-1, 1), (-1, -1), (1, -1)], SIZE),
                b'h' => (&LEAPS, SIZE),
                b'n' => {
                    let place = KNIGHTS.iter().position(|at| *at == from);
                    (&LEAPS, if place.is_some_and(|n| self.unmoved[n]) { 2 } else { 1 })
                }
                b'c' => {
                    self.jump(from, 2, visit)?;
                    continue;
                }
                b's' => {
                    self.jump(from, 3, visit)?;
                    continue;
                }
                _ => {
                    self.pawn(from, visit)?;
                    continue;
                }
            };
            for step in steps.0 {
                self.walk(from, *step, steps.1, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns true if the side to move can capture the opponent's king.
    pub(crate) fn captures_king(&self) -> bool {
        let them = 1 - self.side;
        self.pseudo_moves(&mut |_, after| match after.king(them) {
            None => ControlFlow::Break(()),
            Some(_) => ControlFlow::Continue(()),
        })
        .is_break()
    }

    /// Visits castling moves (rule 7).
    fn castlings(&self, visit: Visit) {
        let home = self.rank(0);
        let king = (6, home);
        for (right, rook, step) in [(0, 11, 1), (1, 0, -1)] {
            let between = |to: i32| (1..(to - 6).abs()).map(move |n| (6 + n * step, home));
            if !self.castling[2 * self.side + right]
                || between(rook).any(|at| self.at(at) != b'.')
                || self.in_check()
            {
                continue;
            }
            for to in between(rook) {
                let safe = between(rook).take((to.0 - 6).unsigned_abs() as usize).all(|at| {
                    let mut under_way = *self;
                    under_way.put(king, b'.');
                    under_way.put(at, self.at(king));
                    !under_way.in_check()
                });
                if !safe {
                    break;
                }
                let board = self.carried(king, to).0.carried((rook, home), (to.0 - step, home)).0;
                let words = Words { from: king, to, captured: [None; 2], end: "o" };
                let _ = visit(words, &board.ended(false, None));
            }
        }
    }
}

impl Definition for Board {
    fn from_fen(fen: &str) -> Board {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut board = Board::empty();
        for (row, line) in fields[0].split('/').enumerate() {
            let (mut f, mut gap) = (0, 0);
            for c in line.bytes() {
                if c.is_ascii_digit() {
                    gap = gap * 10 + (c - b'0') as usize;
                    continue;
                }
                f += gap;
                gap = 0;
                board.cells[11 - row][f] = c;
                f += 1;
            }
        }
        board.side = if fields[1] == "w" { 0 } else { 1 };
        board.castling = ['K', 'Q', 'k', 'q'].map(|c| fields[2].contains(c));
        if let Some(&(f, skipped)) = read_squares(fields[3]).first() {
            // The pawn is the first piece beyond what it skipped; it came from its second rank.
            let back = board.up();
            let mut pawn = (f, skipped);
            while board.at(pawn) == b'.' {
                pawn.1 -= back;
            }
            board.passed = Some(Passed { from: (f, board.rank(10)), pawn });
        }
        board.clock = fields[4].parse().unwrap();
        board.number = fields[5].parse().unwrap();
        let unmoved = read_squares(fields[6]);
        board.unmoved = KNIGHTS.map(|at| unmoved.contains(&at));
        board
    }

    fn fen(&self) -> String {
        let ranks: Vec<String> =
            self.cells.iter().rev().map(|rank| rank_text(rank.iter().map(|&cell| cell as char))).collect();
        let or_none = |text: String| if text.is_empty() { "-".to_string() } else { text };
        let rights: String =
            "KQkq".chars().zip(self.castling).filter(|(_, has)| *has).map(|(c, _)| c).collect();
        let passed: String =
            self.skipped().into_iter().filter(|at| self.can_take_on(*at)).map(name).collect();
        let unmoved: String =
            KNIGHTS.into_iter().zip(self.unmoved).filter(|(_, has)| *has).map(|(at, _)| name(at)).collect();
        format!(
            "{} {} {} {} {} {} {}",
            ranks.join("/"),
            ["w", "b"][self.side],
            or_none(rights),
            or_none(passed),
            self.clock,
            self.number,
            or_none(unmoved)
        )
    }

    fn is_valid(&self) -> bool {
        !self.captures_king()
    }

    fn in_check(&self) -> bool {
        Board { side: 1 - self.side, passed: None, ..*self }.captures_king()
    }

    /// Returns the FEN of the position after each legal move, by the move's text. Checks that no
    /// two moves lead to the same position.
    fn legal_moves(&self) -> BTreeMap<String, String> {
        let mut seen = HashSet::new();
        let mut legal = BTreeMap::new();
        let mut add = |words: Words, after: &Board| {
            if !after.captures_king() {
                let text = words.text();
                let same = Board { clock: 0, number: 0, ..*after };
                assert!(seen.insert(same.fen()), "{text} leads where another move leads in {}", self.fen());
                assert!(legal.insert(text.clone(), after.fen()).is_none(), "{text} twice in {}", self.fen());
            }
            ControlFlow::Continue(())
        };
        let _ = self.pseudo_moves(&mut add);
        self.castlings(&mut add);
        legal
    }

    /// Returns true if the rules list the position as dead (rule 8).
    fn is_dead(&self) -> bool {
        let men = squares().map(|at| self.at(at).to_ascii_lowercase()).filter(|piece| !b".k".contains(piece));
        matches!(men.collect::<Vec<u8>>().as_slice(), [] | [b'b'])
    }

    fn clock(&self) -> u32 {
        self.clock
    }
}
