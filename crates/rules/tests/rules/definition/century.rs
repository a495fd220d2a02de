//! A second, slow engine of Twenty-First Century Chess, written from the rules page alone.
//!
//! The engine stores the board as an array of FEN letters. It plays every pseudo-legal move on a
//! copy. To test if a king can be captured, it generates all replies. With the crate it shares only
//! the format of FENs and move texts.

use super::agreement::Definition;
use super::{At, DIAGONAL, LEAPS, STRAIGHT, name, rank_text, side_of};
use std::collections::BTreeMap;

/// Numbers of files and ranks of the board.
pub(crate) const SIZE: At = (10, 8);

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    /// FEN letters by `[rank][file]`, upper case for White. `.` is an empty square.
    cells: [[u8; 10]; 8],
    pub side: usize,
    /// Castling rights in the order of the FEN letters K, Q, k, q.
    pub castling: [bool; 4],
    pub en_passant: Option<At>,
    pub clock: u32,
    pub number: u32,
    /// True for each side, White first, that may still declare a Jester.
    pub declaring: [bool; 2],
}

/// A move, with flags for declaring a Jester and for castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    from: At,
    to: At,
    declared: bool,
    castles: bool,
}

fn inside((f, r): At) -> bool {
    (0..SIZE.0).contains(&f) && (0..SIZE.1).contains(&r)
}

fn square(text: &str) -> At {
    let bytes = text.as_bytes();
    (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
}

pub(crate) fn squares() -> impl Iterator<Item = At> {
    (0..SIZE.1).flat_map(|r| (0..SIZE.0).map(move |f| (f, r)))
}

impl Board {
    pub(crate) fn empty() -> Board {
        Board {
            cells: [[b'.'; 10]; 8],
            side: 0,
            castling: [false; 4],
            en_passant: None,
            clock: 0,
            number: 1,
            declaring: [false; 2],
        }
    }

    pub(crate) fn at(&self, (f, r): At) -> u8 {
        self.cells[r as usize][f as usize]
    }

    pub(crate) fn put(&mut self, (f, r): At, piece: u8) {
        self.cells[r as usize][f as usize] = piece;
    }

    fn owner(&self, at: At) -> Option<usize> {
        side_of(self.at(at))
    }

    pub(crate) fn find(&self, side: usize, kind: u8) -> Vec<At> {
        let piece = if side == 0 { kind.to_ascii_uppercase() } else { kind };
        squares().filter(|at| self.at(*at) == piece).collect()
    }

    /// Returns true if a pawn or Jester of the side to move could capture diagonally on a square.
    fn could_take_on(&self, (f, r): At) -> bool {
        let back = if self.side == 0 { -1 } else { 1 };
        let takers: &[u8] = if self.side == 0 { b"PJ" } else { b"pj" };
        [-1, 1].into_iter().map(|d| (f + d, r + back)).any(|at| inside(at) && takers.contains(&self.at(at)))
    }

    /// Returns all pseudo-legal moves except castling.
    fn pseudo(&self) -> Vec<Step> {
        let us = self.side;
        let mut steps = Vec::new();
        for from in squares().filter(|at| self.owner(*at) == Some(us)) {
            let mut add = |to: At, declared: bool| steps.push(Step { from, to, declared, castles: false });
            let free = |to: At| inside(to) && self.owner(to) != Some(us);
            let kind = self.at(from).to_ascii_lowercase();
            let off = |(df, dr): At| (from.0 + df, from.1 + dr);
            match kind {
                b'p' | b'j' => {
                    let up = if us == 0 { 1 } else { -1 };
                    let second = if us == 0 { 1 } else { 6 };
                    let empty = |to: At| inside(to) && self.at(to) == b'.';
                    let one = off((0, up));
                    let two = off((0, 2 * up));
                    let starts = kind == b'p' && from.1 == second;
                    let may_declare = starts && self.declaring[us];
                    if empty(one) {
                        add(one, false);
                        if may_declare {
                            add(one, true);
                        }
                        if starts && empty(two) {
                            add(two, false);
                            if may_declare {
                                add(two, true);
                            }
                        }
                    }
                    for side in [-1, 1] {
                        let to = off((side, up));
                        let captures = inside(to) && self.owner(to) == Some(1 - us);
                        if captures || free(to) && (kind == b'j' || self.en_passant == Some(to)) {
                            add(to, false);
                        }
                        if may_declare && free(to) {
                            add(to, true);
                        }
                    }
                }
                b'k' => {
                    for way in STRAIGHT.into_iter().chain(DIAGONAL) {
                        if free(off(way)) {
                            add(off(way), false);
                        }
                    }
                }
                _ => {
                    if b"nas".contains(&kind) {
                        for leap in LEAPS {
                            if free(off(leap)) {
                                add(off(leap), false);
                            }
                        }
                    }
                    let straight = if b"rqs".contains(&kind) { &STRAIGHT[..] } else { &[] };
                    let diagonal = if b"bqas".contains(&kind) { &DIAGONAL[..] } else { &[] };
                    for &(df, dr) in straight.iter().chain(diagonal) {
                        for n in 1.. {
                            let to = off((df * n, dr * n));
                            if !free(to) {
                                break;
                            }
                            add(to, false);
                            if self.at(to) != b'.' {
                                break;
                            }
                        }
                    }
                }
            }
        }
        steps
    }

    fn castlings(&self) -> Vec<Step> {
        let us = self.side;
        let rank = 7 * us as i32;
        let mut steps = Vec::new();
        for (n, rook, to) in [(0, 9, 8), (1, 0, 1)] {
            let mut between = (rook.min(5) + 1)..rook.max(5);
            if self.castling[2 * us + n]
                && between.all(|file| self.at((file, rank)) == b'.')
                && !self.in_check()
            {
                steps.push(Step { from: (5, rank), to: (to, rank), declared: false, castles: true });
            }
        }
        steps
    }

    fn after(&self, step: Step) -> Board {
        let Step { from, to, declared, castles } = step;
        let us = self.side;
        let mut next = self.clone();
        let piece = self.at(from);
        let kind = piece.to_ascii_lowercase();
        let walks = kind == b'p' || kind == b'j';
        next.clock = if walks || self.at(to) != b'.' { 0 } else { self.clock + 1 };
        next.put(from, b'.');
        let own = |kind: u8| if us == 0 { kind.to_ascii_uppercase() } else { kind };
        let becomes = match kind {
            b'p' if declared => own(b'j'),
            b'p' | b'j' if to.1 == 0 || to.1 == 7 => own(b's'),
            _ => piece,
        };
        next.put(to, becomes);
        if walks && !declared && from.0 != to.0 && self.at(to) == b'.' && self.en_passant == Some(to) {
            next.put((to.0, from.1), b'.');
        }
        if castles {
            let (home, goal) = if to.0 == 8 { (9, 7) } else { (0, 2) };
            next.put((home, to.1), b'.');
            next.put((goal, to.1), own(b'r'));
        }
        if declared {
            next.declaring[us] = false;
        }
        for (n, at) in [(0, (9, 0)), (1, (0, 0)), (2, (9, 7)), (3, (0, 7))] {
            let king = (5, at.1);
            if [from, to].contains(&at) || [from, to].contains(&king) {
                next.castling[n] = false;
            }
        }
        let double = kind == b'p' && !declared && (from.1 - to.1).abs() == 2;
        next.side = 1 - us;
        next.number += us as u32;
        next.en_passant =
            Some((to.0, (from.1 + to.1) / 2)).filter(|passed| double && next.could_take_on(*passed));
        next
    }

    /// Returns true if the side to move could capture the opponent's king.
    pub(crate) fn captures_king(&self) -> bool {
        let king = if self.side == 0 { b'k' } else { b'K' };
        self.pseudo().iter().any(|step| self.at(step.to) == king)
    }

    fn text(&self, step: Step) -> String {
        let walks = matches!(self.at(step.from).to_ascii_lowercase(), b'p' | b'j');
        let ending = match step {
            Step { declared: true, .. } => "j",
            Step { to: (_, 0 | 7), .. } if walks => "s",
            _ => "",
        };
        name(step.from) + &name(step.to) + ending
    }

    fn legal(&self) -> Vec<(Step, Board)> {
        let all = self.pseudo().into_iter().chain(self.castlings());
        all.map(|step| (step, self.after(step))).filter(|(_, next)| !next.captures_king()).collect()
    }
}

impl Definition for Board {
    fn from_fen(fen: &str) -> Board {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut board = Board::empty();
        for (row, line) in fields[0].split('/').enumerate() {
            let (mut file, mut count) = (0, 0);
            for letter in line.bytes() {
                if letter.is_ascii_digit() {
                    count = count * 10 + i32::from(letter - b'0');
                    continue;
                }
                file += std::mem::take(&mut count);
                board.put((file, 7 - row as i32), letter);
                file += 1;
            }
        }
        board.side = usize::from(fields[1] == "b");
        for (right, letter) in board.castling.iter_mut().zip("KQkq".chars()) {
            *right = fields[2].contains(letter);
        }
        board.en_passant = (fields[3] != "-").then(|| square(fields[3]));
        board.clock = fields[4].parse().unwrap();
        board.number = fields[5].parse().unwrap();
        board.declaring = [fields[6].contains('J'), fields[6].contains('j')];
        board
    }

    fn fen(&self) -> String {
        let ranks: Vec<String> =
            self.cells.iter().rev().map(|rank| rank_text(rank.iter().map(|&cell| cell as char))).collect();
        let side = ["w", "b"][self.side];
        let castling: String =
            self.castling.iter().zip("KQkq".chars()).filter(|(right, _)| **right).map(|(_, c)| c).collect();
        let declaring: String =
            self.declaring.iter().zip("Jj".chars()).filter(|(may, _)| **may).map(|(_, c)| c).collect();
        let dash = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        let passed = self.en_passant.filter(|at| self.could_take_on(*at)).map_or("-".to_owned(), name);
        format!(
            "{} {side} {} {passed} {} {} {}",
            ranks.join("/"),
            dash(castling),
            self.clock,
            self.number,
            dash(declaring)
        )
    }

    fn is_valid(&self) -> bool {
        !self.captures_king()
    }

    fn in_check(&self) -> bool {
        Board { side: 1 - self.side, en_passant: None, ..self.clone() }.captures_king()
    }

    fn legal_moves(&self) -> BTreeMap<String, String> {
        self.legal().into_iter().map(|(step, next)| (self.text(step), next.fen())).collect()
    }

    fn is_dead(&self) -> bool {
        let men = squares().map(|at| self.at(at).to_ascii_lowercase()).filter(|piece| !b".k".contains(piece));
        matches!(men.collect::<Vec<u8>>()[..], [] | [b'n'] | [b'b'])
    }

    fn clock(&self) -> u32 {
        self.clock
    }
}
