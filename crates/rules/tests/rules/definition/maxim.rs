//! A second, slow engine of Maxim chess, written from the rules page alone.
//!
//! The engine stores the board as an array of squares with up to two pieces. It walks along
//! directions square by square, and plays every pseudo-legal move and declaration on a copy. To
//! test if a king can be captured, it plays all replies. With the crate it shares only the format
//! of FENs and move texts.

use super::agreement::Definition;
use super::{At, DIAGONAL, STEPS, STRAIGHT, WHITE, name, side_of};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

pub(crate) const EMPTY: u8 = b'.';

/// FEN letters of the pieces on a square, upper case for White: the only or earlier piece, then the
/// later piece. `.` means no piece.
pub(crate) type Cell = [u8; 2];

/// Kind of the next decision of a turn (rule 8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    Move,
    First,
    Second(At),
}

/// A pawn that just made a double step: its square, and the square that it passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Passed {
    pub pawn: At,
    pub square: At,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    /// Pieces on each square, by `[rank][file]`.
    pub cells: [[Cell; 8]; 8],
    pub side: usize,
    pub passed: Option<Passed>,
    pub clock: u32,
    pub number: u32,
    /// White's and Black's pairs of portals. In a pair, the square with the lower index comes
    /// first.
    pub portals: [Option<[At; 2]>; 2],
    pub phase: Phase,
}

/// Parts of a move's text. The text is formatted only if needed.
#[derive(Clone, Copy)]
pub(crate) enum Words {
    Move { letter: Option<u8>, from: At, to: At, push: Option<At> },
    Portal(At),
    Done,
}

impl Words {
    fn text(self) -> String {
        match self {
            Words::Move { letter, from, to, push } => {
                let letter = letter.map_or(String::new(), |letter| (letter as char).to_string());
                let push = push.map_or(String::new(), |at| format!(">{}", name(at)));
                format!("{letter}{}{}{push}", name(from), name(to))
            }
            Words::Portal(at) => format!("@{}", name(at)),
            Words::Done => "done".to_owned(),
        }
    }
}

/// Visitor of moves: it receives a move's text and the board after it. `Break` stops the
/// generation.
type Visit<'a> = &'a mut dyn FnMut(Words, &Board) -> ControlFlow<()>;

pub(crate) fn inside((f, r): At) -> bool {
    (0..8).contains(&f) && (0..8).contains(&r)
}

/// Returns all squares, rank by rank from rank 1, the a-file first.
pub(crate) fn squares() -> impl Iterator<Item = At> {
    (0..8).flat_map(|r| (0..8).map(move |f| (f, r)))
}

fn at_named(text: &str) -> At {
    let text = text.as_bytes();
    ((text[0] - b'a') as i32, (text[1] - b'1') as i32)
}

impl Board {
    pub(crate) fn empty() -> Board {
        Board {
            cells: [[[EMPTY; 2]; 8]; 8],
            side: WHITE,
            passed: None,
            clock: 0,
            number: 1,
            portals: [None; 2],
            phase: Phase::Move,
        }
    }

    pub(crate) fn at(&self, (f, r): At) -> Cell {
        self.cells[r as usize][f as usize]
    }

    pub(crate) fn put(&mut self, (f, r): At, cell: Cell) {
        self.cells[r as usize][f as usize] = cell;
    }

    pub(crate) fn is_empty(&self, at: At) -> bool {
        self.at(at)[0] == EMPTY
    }

    fn is_stack(&self, at: At) -> bool {
        self.at(at)[1] != EMPTY
    }

    fn owner(&self, at: At) -> Option<usize> {
        side_of(self.at(at)[0])
    }

    pub(crate) fn king(&self, side: usize) -> Option<At> {
        let king = if side == WHITE { b'K' } else { b'k' };
        squares().find(|at| self.at(*at).contains(&king))
    }

    fn is_portal(&self, at: At) -> bool {
        self.portals.iter().flatten().any(|pair| pair.contains(&at))
    }

    fn up(side: usize) -> i32 {
        if side == WHITE { 1 } else { -1 }
    }

    /// Converts rank `n`, counted from 0 for the side's first rank, to a rank of the board, counted
    /// from 0.
    pub(crate) fn rank(side: usize, n: i32) -> i32 {
        if side == WHITE { n } else { 7 - n }
    }

    /// Returns true if an enemy pawn could capture the pawn en passant. The enemy pawn must be
    /// alone on its square, and the square that the pawn passed must be empty.
    fn may_be_taken(&self, Passed { pawn, square }: Passed) -> bool {
        let side = if square.1 == 2 { 1 } else { 0 };
        let taker = if side == WHITE { b'P' } else { b'p' };
        self.is_empty(square)
            && [-1, 1].iter().any(|df| {
                let from = (pawn.0 + df, pawn.1);
                inside(from) && self.at(from) == [taker, EMPTY]
            })
    }

    /// Returns the board after the piece `piece` leaves the square `from`.
    fn without(&self, from: At, piece: u8) -> Board {
        let mut board = *self;
        let cell = board.at(from);
        let rest = if cell[1] == piece { cell[0] } else { cell[1] };
        board.put(from, [if cell[1] == EMPTY { EMPTY } else { rest }, EMPTY]);
        board
    }

    /// Returns the squares to which the later of the two pieces on `at` may be pushed (rule 4). The
    /// capturing piece has already left its square.
    fn pushes(&self, at: At) -> Vec<At> {
        let later = self.at(at)[1];
        let allowed = |to: &At| {
            let last = match later {
                b'P' => Some(7),
                b'p' => Some(0),
                _ => None,
            };
            inside(*to) && self.is_empty(*to) && !self.is_portal(*to) && last != Some(to.1)
        };
        STRAIGHT.map(|(df, dr)| (at.0 + df, at.1 + dr)).into_iter().filter(allowed).collect()
    }

    /// Visits the moves of `piece` from `from` to `to`, a square where it may end (rules 1, 4, 7
    /// and 9). Each possible push is a separate move.
    fn go(&self, from: At, piece: u8, to: At, passed: Option<Passed>, visit: Visit) -> ControlFlow<()> {
        let cell = self.at(from);
        let letter = (cell[1] != EMPTY && cell[0] != cell[1]).then_some(piece.to_ascii_uppercase());
        let board = self.without(from, piece);
        let target = board.at(to);
        let mut put = |push: Option<At>, captures: bool| {
            let mut after = board;
            if captures {
                after.put(to, [piece, EMPTY]);
                if let Some(push) = push {
                    after.put(push, [target[1], EMPTY]);
                }
            } else if target[0] == EMPTY {
                after.put(to, [piece, EMPTY]);
            } else {
                after.put(to, [target[0], piece]);
            }
            let after = after.ended(piece, to, captures, passed);
            visit(Words::Move { letter, from, to, push }, &after)
        };
        if target[0] == EMPTY || side_of(target[0]) == Some(self.side) {
            return put(None, false);
        }
        let pushes = if target[1] == EMPTY { Vec::new() } else { board.pushes(to) };
        if pushes.is_empty() {
            return put(None, true);
        }
        for push in pushes {
            put(Some(push), true)?;
        }
        ControlFlow::Continue(())
    }

    /// Finishes the arrival of a piece: portal, removal of a pawn on the last rank, half-move clock
    /// (rules 7, 9 and 11). The side that moved is still to move and may declare portals.
    fn ended(mut self, piece: u8, to: At, captures: bool, passed: Option<Passed>) -> Board {
        let pawn = piece.eq_ignore_ascii_case(&b'p');
        self.passed = passed;
        let mut end = to;
        for side in 0..2 {
            if let Some([first, second]) = self.portals[side]
                && (to == first || to == second)
            {
                end = if to == first { second } else { first };
                self.put(to, [EMPTY; 2]);
                self.put(end, [piece, EMPTY]);
                self.portals[side] = None;
                self.passed = None;
            }
        }
        if pawn && end.1 == Board::rank(self.side, 7) {
            self = self.without(end, piece);
        }
        self.clock = if captures || pawn { 0 } else { self.clock + 1 };
        self
    }

    /// Returns true if a piece of the side to move may end on the square. The square must not hold
    /// two own pieces (rule 1).
    fn may_end(&self, to: At) -> bool {
        inside(to) && !(self.owner(to) == Some(self.side) && self.is_stack(to))
    }

    fn slide(&self, from: At, piece: u8, steps: &[At], visit: Visit) -> ControlFlow<()> {
        for (df, dr) in steps {
            let mut to = (from.0 + df, from.1 + dr);
            while inside(to) {
                if self.may_end(to) {
                    self.go(from, piece, to, None, visit)?;
                }
                if !self.is_empty(to) {
                    break;
                }
                to = (to.0 + df, to.1 + dr);
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits a knight's moves (rule 2).
    fn knight(&self, from: At, piece: u8, visit: Visit) -> ControlFlow<()> {
        for (df, dr) in STRAIGHT {
            let [one, two, three] = [1, 2, 3].map(|n| (from.0 + n * df, from.1 + n * dr));
            let occupied = |at: At| inside(at) && !self.is_empty(at);
            if self.may_end(one) {
                self.go(from, piece, one, None, visit)?;
            }
            if !occupied(one) && self.may_end(two) {
                self.go(from, piece, two, None, visit)?;
            }
            if (occupied(one) || occupied(two)) && self.may_end(three) {
                self.go(from, piece, three, None, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the moves of a pawn alone on its square (rule 5).
    fn pawn_alone(&self, from: At, piece: u8, visit: Visit) -> ControlFlow<()> {
        let (f, r) = from;
        let up = Board::up(self.side);
        let enemy = |at: At| self.owner(at) == Some(1 - self.side);
        let one = (f, r + up);
        if self.may_end(one) && !enemy(one) {
            self.go(from, piece, one, None, visit)?;
        }
        let two = (f, r + 2 * up);
        if r == Board::rank(self.side, 1) && self.is_empty(one) && self.may_end(two) && !enemy(two) {
            self.go(from, piece, two, Some(Passed { pawn: two, square: one }), visit)?;
        }
        for df in [-1, 1] {
            let to = (f + df, r + up);
            if !inside(to) {
                continue;
            }
            if enemy(to) {
                self.go(from, piece, to, None, visit)?;
            } else if let Some(Passed { pawn, square }) = self.passed
                && square == to
                && self.is_empty(to)
            {
                let mut board = self.without(from, piece);
                let cell = board.at(pawn);
                // The later occupant stepped there. It may be the only one.
                board.put(pawn, if cell[1] == EMPTY { [EMPTY; 2] } else { [cell[0], EMPTY] });
                board.put(to, [piece, EMPTY]);
                let after = board.ended(piece, to, true, None);
                visit(Words::Move { letter: None, from, to, push: None }, &after)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits all pseudo-legal moves of the side to move, without declarations of portals.
    fn pseudo_moves(&self, visit: Visit) -> ControlFlow<()> {
        for from in squares().filter(|at| self.owner(*at) == Some(self.side)) {
            let cell = self.at(from);
            // Moves of two pieces of one kind are the same.
            let members = if cell[0] == cell[1] || cell[1] == EMPTY { &cell[..1] } else { &cell[..] };
            for piece in members.iter().copied() {
                match piece.to_ascii_lowercase() {
                    b'q' => self.slide(from, piece, &STEPS, visit)?,
                    b'r' => self.slide(from, piece, &STRAIGHT, visit)?,
                    b'b' => self.slide(from, piece, &DIAGONAL, visit)?,
                    b'n' => self.knight(from, piece, visit)?,
                    b'k' => {
                        for (df, dr) in STEPS {
                            let to = (from.0 + df, from.1 + dr);
                            if self.may_end(to) {
                                self.go(from, piece, to, None, visit)?;
                            }
                        }
                    }
                    _ if self.is_stack(from) => {
                        for df in [-1, 1] {
                            let to = (from.0 + df, from.1);
                            if self.may_end(to) {
                                self.go(from, piece, to, None, visit)?;
                            }
                        }
                    }
                    _ => self.pawn_alone(from, piece, visit)?,
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns true if a side's king could be captured if the opponent were to move.
    pub(crate) fn king_is_capturable(&self, side: usize) -> bool {
        Board { side: 1 - side, ..*self }
            .pseudo_moves(&mut |_, after| match after.king(side) {
                None => ControlFlow::Break(()),
                Some(_) => ControlFlow::Continue(()),
            })
            .is_break()
    }

    /// Returns the side that must not be in check. While portals are declared, this is the side
    /// that just moved. Otherwise it is the side not to move.
    pub(crate) fn side_that_must_be_safe(&self) -> usize {
        if self.phase == Phase::Move { 1 - self.side } else { self.side }
    }

    /// Returns the squares on which the side to move may declare portals (rule 8).
    fn portal_squares(&self) -> Vec<At> {
        let us = self.side;
        let mut reached = vec![self.king(us).expect("a king")];
        let mut next = 0;
        while next < reached.len() {
            let (f, r) = reached[next];
            next += 1;
            for (df, dr) in STRAIGHT {
                let to = (f + df, r + dr);
                if inside(to) && self.owner(to) != Some(1 - us) && !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
        let theirs = |at: At| self.portals[1 - us].is_some_and(|pair| pair.contains(&at));
        squares().filter(|at| reached.contains(at) && self.is_empty(*at) && !theirs(*at)).collect()
    }

    /// Returns the board after a declaration of two portals, or `None` if the declaration is
    /// illegal. The declaring side is still to move.
    fn declared(&self, first: At, second: At) -> Option<Board> {
        let mut board = *self;
        board.portals[self.side] = Some([first, second]);
        let same = self.portals[self.side] == board.portals[self.side];
        (!same && !board.king_is_capturable(self.side)).then_some(board)
    }

    /// Returns the allowed second squares of a pair of portals with this first square. `open` are
    /// the squares that may have portals.
    fn seconds(&self, first: At, open: &[At]) -> Vec<At> {
        let later = open.iter().skip_while(|at| **at != first).skip(1);
        later.copied().filter(|second| self.declared(first, *second).is_some()).collect()
    }

    fn has_second(&self, first: At, open: &[At]) -> bool {
        let mut later = open.iter().skip_while(|at| **at != first).skip(1);
        later.any(|second| self.declared(first, *second).is_some())
    }

    /// Returns true if the side to move may declare a pair of portals.
    pub(crate) fn has_pair(&self) -> bool {
        let open = self.portal_squares();
        open.iter().any(|first| self.has_second(*first, &open))
    }

    /// Returns true if the phase allows a decision other than `done`.
    pub(crate) fn phase_is_sound(&self) -> bool {
        let open = self.portal_squares();
        match self.phase {
            Phase::Move => true,
            Phase::First => self.has_pair(),
            Phase::Second(first) => open.contains(&first) && self.has_second(first, &open),
        }
    }

    fn passed_on(mut self) -> Board {
        self.phase = Phase::Move;
        self.number += self.side as u32;
        self.side = 1 - self.side;
        self
    }

    /// Returns the text of each legal decision and the board after it.
    pub(crate) fn legal(&self) -> Vec<(String, Board)> {
        let mut found = Vec::new();
        match self.phase {
            Phase::Move => {
                let _ = self.pseudo_moves(&mut |words, after| {
                    if !after.king_is_capturable(self.side) {
                        let mut after = *after;
                        if after.has_pair() {
                            after.phase = Phase::First;
                        } else {
                            after = after.passed_on();
                        }
                        found.push((words.text(), after));
                    }
                    ControlFlow::Continue(())
                });
            }
            Phase::First => {
                found.push((Words::Done.text(), self.passed_on()));
                let open = self.portal_squares();
                for first in open.iter().copied().filter(|first| self.has_second(*first, &open)) {
                    let mut after = *self;
                    after.phase = Phase::Second(first);
                    found.push((Words::Portal(first).text(), after));
                }
            }
            Phase::Second(first) => {
                for second in self.seconds(first, &self.portal_squares()) {
                    let after = self.declared(first, second).expect("a legal second square");
                    found.push((Words::Portal(second).text(), after.passed_on()));
                }
            }
        }
        found
    }
}

impl Definition for Board {
    fn from_fen(fen: &str) -> Board {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut board = Board::empty();
        for (row, line) in fields[0].split('/').enumerate() {
            let mut f = 0;
            let mut stack: Option<usize> = None;
            for c in line.bytes() {
                match c {
                    b'1'..=b'8' => f += (c - b'0') as usize,
                    b'(' => stack = Some(0),
                    b')' => {
                        stack = None;
                        f += 1;
                    }
                    _ => {
                        board.cells[7 - row][f][stack.unwrap_or(0)] = c;
                        match &mut stack {
                            Some(place) => *place += 1,
                            None => f += 1,
                        }
                    }
                }
            }
        }
        board.side = if fields[1] == "w" { 0 } else { 1 };
        if fields[3] != "-" {
            let square = at_named(fields[3]);
            let pawn = (square.0, if square.1 == 2 { 3 } else { 4 });
            board.passed = Some(Passed { pawn, square });
        }
        board.clock = fields[4].parse().unwrap();
        board.number = fields[5].parse().unwrap();
        for (pair, text) in board.portals.iter_mut().zip(fields[6].split('/')) {
            *pair = (text != "-").then(|| [at_named(&text[..2]), at_named(&text[2..])]);
        }
        board.phase = match fields[7] {
            "-" => Phase::Move,
            "?" => Phase::First,
            first => Phase::Second(at_named(&first[1..])),
        };
        board
    }

    fn fen(&self) -> String {
        let mut ranks = Vec::new();
        for r in (0..8).rev() {
            let mut out = String::new();
            let mut empty = 0;
            for cell in &self.cells[r] {
                if cell[0] == EMPTY {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    out += &empty.to_string();
                    empty = 0;
                }
                let [first, second] = cell.map(|piece| piece as char);
                if cell[1] == EMPTY {
                    out.push(first);
                } else {
                    out += &format!("({first}{second})");
                }
            }
            if empty > 0 {
                out += &empty.to_string();
            }
            ranks.push(out);
        }
        let portals = self.portals.map(|pair| {
            pair.map_or("-".to_owned(), |[first, second]| format!("{}{}", name(first), name(second)))
        });
        let phase = match self.phase {
            Phase::Move => "-".to_owned(),
            Phase::First => "?".to_owned(),
            Phase::Second(at) => format!("@{}", name(at)),
        };
        format!(
            "{} {} - {} {} {} {}/{} {phase}",
            ranks.join("/"),
            ["w", "b"][self.side],
            self.passed
                .filter(|passed| self.may_be_taken(*passed))
                .map_or("-".to_owned(), |p| name(p.square)),
            self.clock,
            self.number,
            portals[0],
            portals[1],
        )
    }

    /// Returns true if the position is valid: the king that must be safe is safe, no portal is
    /// under a piece, and the phase allows a decision other than `done`.
    fn is_valid(&self) -> bool {
        let portals = self.portals.iter().flatten().flatten().all(|at| self.is_empty(*at));
        portals && !self.king_is_capturable(self.side_that_must_be_safe()) && self.phase_is_sound()
    }

    fn in_check(&self) -> bool {
        self.king_is_capturable(self.side)
    }

    fn legal_moves(&self) -> BTreeMap<String, String> {
        let legal = self.legal();
        let count = legal.len();
        let map: BTreeMap<_, _> = legal.into_iter().map(|(text, after)| (text, after.fen())).collect();
        assert_eq!(map.len(), count, "a text twice in {}", self.fen());
        map
    }

    fn is_dead(&self) -> bool {
        squares().flat_map(|at| self.at(at)).filter(|piece| *piece != EMPTY).count() == 2
    }

    fn clock(&self) -> u32 {
        self.clock
    }

    fn is_turn_start(&self) -> bool {
        self.phase == Phase::Move
    }
}
