//! A second, slow engine of chess and Chess++, written from the rules pages alone.
//!
//! The engine stores the board as an array of FEN letters. It walks along directions square by
//! square, and plays every pseudo-legal move on a copy. To test if a king can be captured, it plays
//! all replies. With the crate it shares only the format of FENs and move texts.

use super::{At, LEAPS, STEPS, WHITE, name, rank_text};
use std::collections::BTreeMap;

/// Rules that a variant name selects. `+free` has no field, because it only changes the start
/// position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Options {
    pub catapults: bool,
    pub instant: bool,
    pub pawns: bool,
    pub promote: bool,
    pub bare: bool,
    pub block: bool,
    pub castle: bool,
    pub peaceful: bool,
    pub restart: bool,
    pub safe: bool,
    pub still: bool,
    /// Reach of a catapult's later moves and of its first move.
    pub reach: [i32; 2],
    pub fifty: u32,
    /// True for each piece of `nbrqk` that may teleport.
    pub teleport: [bool; 5],
    /// Number of catapults of a side, and of its catapult moves in a game.
    pub most: usize,
    pub moves: Option<usize>,
}

impl Options {
    pub(crate) fn of(variant: &str) -> Options {
        let has = |name: &str| variant.split('+').any(|part| part == name);
        let value =
            |name: &str| variant.split('+').find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
        let listed = |squares: &str| if squares == "-" { 0 } else { squares.len() / 2 };
        Options {
            most: value("catapults").map_or(if has("third") { 3 } else { 2 }, listed),
            moves: value("moves").map(|moves| moves.parse().unwrap()),
            catapults: variant.starts_with("chesspp"),
            instant: has("instant"),
            pawns: has("pawns"),
            promote: has("promote"),
            bare: has("bare"),
            block: has("block"),
            castle: has("castle"),
            peaceful: has("peaceful"),
            restart: has("restart"),
            safe: has("safe"),
            still: has("still"),
            reach: [("later", 1), ("first", 2)]
                .map(|(name, usual)| value(name).map_or(usual, |reach| reach.parse().unwrap())),
            fifty: value("fifty").map_or(100, |plies| plies.parse().unwrap()),
            teleport: ['N', 'B', 'R', 'Q', 'K']
                .map(|kind| value("teleport").is_none_or(|of| of.contains(kind))),
        }
    }

    pub(crate) fn catapults_per_side(self) -> usize {
        self.most
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Catapult {
    pub side: u8,
    pub fresh: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    pub options: Options,
    /// FEN letters by `[rank][file]`, upper case for White. `.` is an empty square.
    pub cells: [[char; 8]; 8],
    pub catapults: [[Option<Catapult>; 8]; 8],
    pub side: usize,
    /// Castling rights in the order of the FEN letters K, Q, k, q.
    pub castling: [bool; 4],
    pub en_passant: Option<At>,
    pub clock: u32,
    pub number: u32,
    pub to_place: [usize; 2],
    /// Sides that moved a catapult on their last turn (`+still`).
    pub rest: [bool; 2],
    /// Catapult moves left in the game (`+moves`).
    pub left: [usize; 2],
}

fn inside((f, r): At) -> bool {
    (0..8).contains(&f) && (0..8).contains(&r)
}

fn squares() -> impl Iterator<Item = At> {
    (0..8).flat_map(|r| (0..8).map(move |f| (f, r)))
}

fn side_of(piece: char) -> Option<usize> {
    match piece {
        '.' => None,
        p if p.is_ascii_uppercase() => Some(0),
        _ => Some(1),
    }
}

/// Parts of a move's text. The text is formatted only if needed.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    from: At,
    mid: Option<At>,
    to: At,
    end: &'static str,
}

impl Words {
    fn ordinary(from: At, to: At, end: &'static str) -> Words {
        Words { from, mid: None, to, end }
    }

    fn text(self) -> String {
        if self.end == "@" {
            return format!("c@{}", name(self.to));
        }
        format!("{}{}{}{}", name(self.from), self.mid.map_or(String::new(), name), name(self.to), self.end)
    }
}

/// A pseudo-legal move: its text, its rank among moves to the same position, and the position after
/// it.
pub(crate) struct PseudoMove {
    pub text: Words,
    pub order: (u8, i32),
    pub after: Board,
    /// Destination, if the move is a teleport or an instant teleport.
    pub teleports_to: Option<At>,
}

/// An ordinary move that has not ended the turn yet: the board after it, its destination, and two
/// flags. `double` marks a pawn's double push. `zeroing` marks a move that resets the half-move
/// clock.
struct Step {
    board: Board,
    to: At,
    double: bool,
    zeroing: bool,
}

impl Board {
    pub(crate) fn empty(options: Options) -> Board {
        Board {
            options,
            cells: [['.'; 8]; 8],
            catapults: [[None; 8]; 8],
            side: WHITE,
            castling: [false; 4],
            en_passant: None,
            clock: 0,
            number: 1,
            to_place: [0, 0],
            rest: [false; 2],
            left: [options.moves.unwrap_or(0); 2],
        }
    }

    /// Reads a canonical FEN.
    pub(crate) fn from_fen(fen: &str, options: Options) -> Board {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut board = Board::empty(options);
        for (row, line) in fields[0].split('/').enumerate() {
            let mut f = 0;
            for c in line.chars() {
                match c.to_digit(10) {
                    Some(n) => f += n as usize,
                    None => {
                        board.cells[7 - row][f] = c;
                        f += 1;
                    }
                }
            }
        }
        board.side = if fields[1] == "w" { 0 } else { 1 };
        board.castling = ['K', 'Q', 'k', 'q'].map(|c| fields[2].contains(c));
        let at = |text: &[u8]| ((text[0] - b'a') as i32, (text[1] - b'1') as i32);
        board.en_passant = (fields[3] != "-").then(|| at(fields[3].as_bytes()));
        board.clock = fields[4].parse().unwrap();
        board.number = fields[5].parse().unwrap();
        if let Some(lists) = fields.get(6)
            && let Some((white, black)) = lists.split_once('/')
        {
            for (side, list) in [white, black].into_iter().enumerate() {
                let (placed, left) = list.split_once('+').unwrap_or((list, "0"));
                board.to_place[side] = left.parse().unwrap();
                let mut rest = placed.trim_start_matches('-').as_bytes();
                while rest.len() >= 2 {
                    let (f, r) = at(rest);
                    let fresh = rest.get(2) == Some(&b'*');
                    board.catapults[r as usize][f as usize] = Some(Catapult { side: side as u8, fresh });
                    rest = &rest[if fresh { 3 } else { 2 }..];
                }
            }
        }
        if options.still {
            board.rest = ['w', 'b'].map(|side| fields[7].contains(side));
        }
        if options.moves.is_some() {
            let (white, black) = fields[fields.len() - 1].split_once('/').unwrap();
            board.left = [white.parse().unwrap(), black.parse().unwrap()];
        }
        board
    }

    /// Writes the canonical FEN.
    pub(crate) fn fen(&self) -> String {
        let ranks: Vec<String> =
            self.cells.iter().rev().map(|rank| rank_text(rank.iter().copied())).collect();
        let rights: String =
            "KQkq".chars().zip(self.castling).filter(|(_, has)| *has).map(|(c, _)| c).collect();
        let mut fen = format!(
            "{} {} {} {} {} {}",
            ranks.join("/"),
            ["w", "b"][self.side],
            if rights.is_empty() { "-" } else { &rights },
            self.en_passant.map_or("-".to_string(), name),
            self.clock,
            self.number
        );
        if self.options.catapults {
            let list = |side: usize| {
                let mut out = String::new();
                for f in 0..8 {
                    for r in 0..8 {
                        if let Some(c) = self.catapults[r][f].filter(|c| c.side as usize == side) {
                            out += &name((f as i32, r as i32));
                            out += if c.fresh { "*" } else { "" };
                        }
                    }
                }
                if self.to_place[side] > 0 {
                    out += &format!("+{}", self.to_place[side]);
                }
                if out.is_empty() { "-".to_string() } else { out }
            };
            let (white, black) = (list(0), list(1));
            fen += &if white == "-" && black == "-" { " -".to_string() } else { format!(" {white}/{black}") };
        }
        if self.options.still {
            fen += match self.rest {
                [false, false] => " -",
                [true, false] => " w",
                [false, true] => " b",
                [true, true] => " wb",
            };
        }
        if self.options.moves.is_some() {
            fen += &format!(" {}/{}", self.left[0], self.left[1]);
        }
        fen
    }

    pub(crate) fn at(&self, (f, r): At) -> char {
        self.cells[r as usize][f as usize]
    }

    pub(crate) fn put(&mut self, (f, r): At, piece: char) {
        self.cells[r as usize][f as usize] = piece;
    }

    pub(crate) fn catapult(&self, (f, r): At) -> Option<Catapult> {
        self.catapults[r as usize][f as usize]
    }

    fn own_catapult(&self, at: At) -> bool {
        self.catapult(at).is_some_and(|c| c.side as usize == self.side)
    }

    /// Returns true if the side to move cannot pass over a catapult of the opponent there.
    fn is_blocked(&self, at: At) -> bool {
        self.options.block && self.catapult(at).is_some_and(|c| c.side as usize != self.side)
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
    fn rank(&self, n: i32) -> i32 {
        if self.side == WHITE { n } else { 7 - n }
    }

    pub(crate) fn king(&self, side: usize) -> Option<At> {
        let king = if side == WHITE { 'K' } else { 'k' };
        squares().find(|at| self.at(*at) == king)
    }

    /// Removes the castling rights that a move from or to the square ends.
    fn touch(&mut self, at: At) {
        for (square, rights) in [
            ((4, 0), [0, 1].as_slice()),
            ((7, 0), &[0]),
            ((0, 0), &[1]),
            ((4, 7), &[2, 3]),
            ((7, 7), &[2]),
            ((0, 7), &[3]),
        ] {
            if square == at {
                for right in rights {
                    self.castling[*right] = false;
                }
            }
        }
    }

    /// Returns the board with a piece moved, and true if the move captured a piece on the
    /// destination.
    fn carried(&self, from: At, to: At) -> (Board, bool) {
        let mut board = self.clone();
        let captures = self.at(to) != '.';
        board.put(to, self.at(from));
        board.put(from, '.');
        board.touch(from);
        board.touch(to);
        (board, captures)
    }

    /// Returns the ordinary moves of the piece on a square, without promotion choices, castling and
    /// catapult moves.
    fn steps(&self, from: At) -> Vec<Step> {
        let mut found = Vec::new();
        let mut add = |to: At| {
            let (board, captures) = self.carried(from, to);
            found.push(Step { board, to, double: false, zeroing: captures });
        };
        let (f, r) = from;
        let kind = self.at(from).to_ascii_lowercase();
        let walk = match kind {
            'n' | 'k' => {
                for (df, dr) in if kind == 'n' { LEAPS } else { STEPS } {
                    let to = (f + df, r + dr);
                    if inside(to) && !self.is_own(to) {
                        add(to);
                    }
                }
                return found;
            }
            'r' => |i: usize| i & 1 == 0,
            'b' => |i: usize| i & 1 == 1,
            'q' => |_: usize| true,
            _ => return self.pawn_steps(from),
        };
        for (i, (df, dr)) in STEPS.into_iter().enumerate() {
            let mut to = (f + df, r + dr);
            while walk(i) && inside(to) && !self.is_own(to) {
                add(to);
                if self.is_enemy(to) || self.is_blocked(to) {
                    break;
                }
                to = (to.0 + df, to.1 + dr);
            }
        }
        found
    }

    fn pawn_steps(&self, from: At) -> Vec<Step> {
        let (f, r) = from;
        let mut found = Vec::new();
        let one = (f, r + self.up());
        if inside(one) && self.at(one) == '.' {
            found.push(Step { board: self.carried(from, one).0, to: one, double: false, zeroing: true });
            let two = (f, r + 2 * self.up());
            if r == self.rank(1) && self.at(two) == '.' && !self.is_blocked(one) {
                found.push(Step { board: self.carried(from, two).0, to: two, double: true, zeroing: true });
            }
        }
        for df in [-1, 1] {
            let to = (f + df, r + self.up());
            if !inside(to) {
                continue;
            }
            if self.is_enemy(to) {
                found.push(Step { board: self.carried(from, to).0, to, double: false, zeroing: true });
            } else if self.en_passant == Some(to) && self.at(to) == '.' {
                let mut board = self.carried(from, to).0;
                board.put((f + df, r), '.');
                found.push(Step { board, to, double: false, zeroing: true });
            }
        }
        found
    }

    /// Removes all catapults of a side, and returns true if it had any.
    fn remove_catapults(&mut self, side: usize) -> bool {
        let mut found = false;
        for catapult in self.catapults.iter_mut().flatten() {
            if catapult.is_some_and(|c| c.side as usize == side) {
                *catapult = None;
                self.rest[side] = false;
                found = true;
            }
        }
        found
    }

    /// Returns true if a side has one piece at most.
    pub(crate) fn is_bare(&self, side: usize) -> bool {
        squares().filter(|at| side_of(self.at(*at)) == Some(side)).count() <= 1
    }

    /// Ends the turn: captures catapults (rule 13), removes those of bare kings, sets the
    /// en-passant square and the counters, and passes the turn. `double_to` is the destination of a
    /// double push.
    fn ended(mut self, zeroing: bool, double_to: Option<At>) -> Board {
        let (us, them) = (self.side, 1 - self.side);
        let theirs = |board: &Board, at: At| board.catapult(at).is_some_and(|c| c.side as usize == them);
        let taken = !self.options.safe
            && squares().any(|at| theirs(&self, at))
            && squares().all(|at| !theirs(&self, at) || self.is_own(at));
        self.rest[us] = false;
        if taken {
            self.remove_catapults(them);
        }
        let mut vanished = false;
        for side in 0..2 {
            if self.options.bare && self.is_bare(side) {
                vanished |= self.remove_catapults(side);
            }
        }
        self.en_passant = double_to.and_then(|(f, r)| {
            let pawn = if us == WHITE { 'p' } else { 'P' };
            [-1, 1]
                .iter()
                .any(|df| inside((f + df, r)) && self.at((f + df, r)) == pawn)
                .then_some((f, r - self.up()))
        });
        self.clock = if taken || vanished || zeroing { 0 } else { self.clock + 1 };
        self.number += us as u32;
        self.side = them;
        self
    }

    /// Returns the possible boards after a piece arrives on `to`, each with its promotion letter. A
    /// pawn on the last rank has four. Otherwise the result is `board` with an empty letter.
    fn arrived(&self, board: Board, to: At, pawn: bool) -> Vec<(&'static str, Board)> {
        if !pawn || to.1 != self.rank(7) {
            return vec![("", board)];
        }
        ["q", "r", "b", "n"]
            .into_iter()
            .map(|letter| {
                let mut promoted = board.clone();
                let piece = letter.chars().next().unwrap();
                promoted.put(to, if self.side == WHITE { piece.to_ascii_uppercase() } else { piece });
                (letter, promoted)
            })
            .collect()
    }

    /// Returns true if the rules let a kind of piece teleport.
    fn may_teleport(&self, piece: char) -> bool {
        match "nbrqk".find(piece.to_ascii_lowercase()) {
            Some(kind) => self.options.teleport[kind],
            None => piece != '.' && self.options.pawns,
        }
    }

    /// Returns the squares to which the piece on an own catapult may teleport.
    fn jumps(&self, from: At, pawn: bool) -> Vec<At> {
        if !self.own_catapult(from) || !self.may_teleport(self.at(from)) {
            return Vec::new();
        }
        squares()
            .filter(|to| *to != from && self.own_catapult(*to) && !self.is_own(*to))
            .filter(|to| !(pawn && to.1 == self.rank(0)))
            .filter(|to| !self.options.peaceful || self.at(*to) == '.')
            .collect()
    }

    /// Returns all pseudo-legal moves except castling.
    pub(crate) fn pseudo_moves(&self) -> Vec<PseudoMove> {
        let mut found = Vec::new();
        let mut add = |text: Words, order: (u8, i32), after: Board, teleports_to: Option<At>| {
            found.push(PseudoMove { text, order, after, teleports_to });
        };
        if self.to_place != [0, 0] {
            for f in 0..8 {
                let to = (f, self.rank(0));
                if self.to_place[self.side] > 0 && !self.own_catapult(to) {
                    let mut board = self.clone();
                    board.catapults[to.1 as usize][f as usize] =
                        Some(Catapult { side: self.side as u8, fresh: true });
                    board.to_place[self.side] -= 1;
                    add(Words::ordinary(to, to, "@"), (0, 0), board.ended(false, None), None);
                }
            }
            return found;
        }
        for from in squares().filter(|at| self.is_own(*at)) {
            let pawn = self.at(from).eq_ignore_ascii_case(&'p');
            for step in self.steps(from) {
                for (letter, board) in self.arrived(step.board.clone(), step.to, pawn) {
                    let double = step.double.then_some(step.to);
                    let text = Words::ordinary(from, step.to, letter);
                    add(text, (0, 0), board.ended(step.zeroing, double), None);
                }
                if pawn && self.options.promote && step.to.1 == self.rank(7) {
                    let mine = squares().filter(|at| self.own_catapult(*at)).count();
                    if mine < self.options.catapults_per_side() && self.catapult(step.to).is_none() {
                        let mut board = step.board.clone();
                        board.put(step.to, '.');
                        board.catapults[step.to.1 as usize][step.to.0 as usize] =
                            Some(Catapult { side: self.side as u8, fresh: true });
                        add(Words::ordinary(from, step.to, "c"), (0, 0), board.ended(true, None), None);
                    }
                }
                let promotes = pawn && step.to.1 == self.rank(7);
                if self.options.instant && self.own_catapult(step.to) && !promotes {
                    for to in step.board.jumps(step.to, pawn) {
                        if to == from {
                            continue;
                        }
                        let (board, captures) = step.board.carried(step.to, to);
                        for (letter, board) in self.arrived(board, to, pawn) {
                            let order = (2, step.to.1 * 8 + step.to.0);
                            let after = board.ended(step.zeroing || captures, None);
                            let text = Words { from, mid: Some(step.to), to, end: letter };
                            add(text, order, after, Some(to));
                        }
                    }
                }
            }
            for to in self.jumps(from, pawn) {
                let (board, captures) = self.carried(from, to);
                for (letter, board) in self.arrived(board, to, pawn) {
                    let zeroing = captures || !letter.is_empty();
                    let end = match letter {
                        "" => "t",
                        "q" => "qt",
                        "r" => "rt",
                        "b" => "bt",
                        _ => "nt",
                    };
                    let text = Words::ordinary(from, to, end);
                    add(text, (1, 0), board.ended(zeroing, None), Some(to));
                }
            }
        }
        let may_move = !self.rest[self.side] && !self.is_spent();
        for from in squares().filter(|at| may_move && self.own_catapult(*at) && self.at(*at) == '.') {
            let fresh = self.catapult(from).unwrap().fresh;
            for to in squares() {
                let distance = (to.0 - from.0).abs().max((to.1 - from.1).abs());
                let in_reach = distance > 0 && distance <= self.options.reach[usize::from(fresh)];
                if in_reach && self.at(to) == '.' && self.catapult(to).is_none() {
                    let mut board = self.clone();
                    board.catapults[from.1 as usize][from.0 as usize] = None;
                    board.catapults[to.1 as usize][to.0 as usize] =
                        Some(Catapult { side: self.side as u8, fresh: false });
                    let text = Words::ordinary(from, to, "");
                    let mut after = board.ended(self.options.restart, None);
                    after.rest[self.side] = self.options.still;
                    after.left[self.side] = self.left[self.side].saturating_sub(1);
                    add(text, (0, 0), after, None);
                }
            }
        }
        found
    }

    /// Returns true if the side to move has no catapult move left in the game.
    fn is_spent(&self) -> bool {
        self.options.moves.is_some() && self.left[self.side] == 0
    }

    /// Returns this board with the opponent to move and no en-passant square.
    fn passed(&self) -> Board {
        Board { side: 1 - self.side, en_passant: None, ..self.clone() }
    }

    /// Returns true if the side to move can capture the opponent's king.
    pub(crate) fn captures_king(&self) -> bool {
        self.to_place == [0, 0]
            && self.pseudo_moves().iter().any(|made| made.after.king(1 - self.side).is_none())
    }

    pub(crate) fn in_check(&self) -> bool {
        self.passed().captures_king()
    }

    fn castlings(&self) -> Vec<PseudoMove> {
        let mut found = Vec::new();
        let home = self.rank(0);
        for (right, rook, to, rook_to) in [(0, 7, 6, 5), (1, 0, 2, 3)] {
            if !self.castling[2 * self.side + right] || self.in_check() {
                continue;
            }
            let lane: Vec<At> = (4.min(rook) + 1..4.max(rook)).map(|f| (f, home)).collect();
            let empty = lane.iter().all(|at| self.at(*at) == '.' && !self.is_blocked(*at));
            // Before castling, an enemy could teleport to a square between king and rook (rule 12).
            let replies = self.passed().pseudo_moves();
            let bars = |to: At| lane.contains(&to) && !self.options.castle && !self.options.peaceful;
            let barred = replies.iter().any(|made| made.teleports_to.is_some_and(bars));
            let crossed = if right == 0 { 5 } else { 3 };
            let mut under_way = self.clone();
            under_way.put((crossed, home), self.at((4, home)));
            under_way.put((4, home), '.');
            let crossing = under_way.passed().pseudo_moves();
            let crossed = crossing.iter().any(|made| {
                made.after.king(self.side).is_none() && !(self.options.castle && made.teleports_to.is_some())
            });
            if !empty || barred || crossed {
                continue;
            }
            let mut board = self.carried((4, home), (to, home)).0;
            board = board.carried((rook, home), (rook_to, home)).0;
            let text = Words::ordinary((4, home), (to, home), "");
            found.push(PseudoMove {
                text,
                order: (0, 0),
                after: board.ended(false, None),
                teleports_to: None,
            });
        }
        found
    }

    /// Returns the FEN of the position after each legal move, by the move's text. If several moves
    /// lead to the same position, only the first is included.
    pub(crate) fn legal_moves(&self) -> BTreeMap<String, String> {
        let mut all = self.pseudo_moves();
        if self.to_place == [0, 0] {
            all.extend(self.castlings());
        }
        all.sort_by_key(|made| made.order);
        let mut seen = std::collections::HashSet::new();
        let mut legal = BTreeMap::new();
        // Only with `+block` could a move of a catapult end a check (rule 5).
        let stuck = self.options.block && self.in_check();
        for made in all {
            if made.after.captures_king() || stuck && self.at(made.text.from) == '.' {
                continue;
            }
            let fen = made.after.fen();
            let mut fields: Vec<&str> = fen.split(' ').collect();
            fields.drain(4..6);
            if seen.insert(fields.join(" ")) {
                let text = made.text.text();
                assert!(legal.insert(text.clone(), fen).is_none(), "{text} twice in {}", self.fen());
            }
        }
        legal
    }

    /// Returns the number of catapult moves of the side to move. Checks are ignored (rule 5).
    pub(crate) fn count_catapult_steps(&self) -> usize {
        if self.to_place != [0, 0] || self.rest[self.side] || self.is_spent() {
            return 0;
        }
        let free = |at: At| self.at(at) == '.';
        squares()
            .filter(|from| self.own_catapult(*from) && free(*from))
            .map(|from| {
                let reach = self.options.reach[usize::from(self.catapult(from).is_some_and(|c| c.fresh))];
                squares()
                    .filter(|to| free(*to) && self.catapult(*to).is_none())
                    .filter(|to| (to.0 - from.0).abs() <= reach && (to.1 - from.1).abs() <= reach)
                    .count()
            })
            .sum()
    }

    /// Returns true if the rules list the position as dead (rule 16).
    pub(crate) fn is_dead(&self) -> bool {
        let men: Vec<(char, i32)> = squares()
            .map(|at| (self.at(at).to_ascii_lowercase(), (at.0 + at.1) % 2))
            .filter(|(piece, _)| !['.', 'k'].contains(piece))
            .collect();
        let teleports = squares().any(|at| self.may_teleport(self.at(at)));
        let of = |at: &At, side: u8| self.catapult(*at).is_some_and(|c| c.side == side);
        let catapults = |side: u8| if teleports { squares().filter(|at| of(at, side)).count() } else { 0 };
        if self.options.peaceful && (men.is_empty() || men.len() == 1 && ['n', 'b'].contains(&men[0].0)) {
            return true;
        }
        if men.is_empty() {
            return catapults(0) < 3 && catapults(1) < 3;
        }
        let bishops_on_one_colour = men.iter().all(|man| *man == ('b', men[0].1));
        let one_knight = men.len() == 1 && men[0].0 == 'n';
        catapults(0) + catapults(1) == 0 && (bishops_on_one_colour || one_knight)
    }

    /// Returns the outcome that follows from the position alone, given its legal moves.
    pub(crate) fn outcome(&self, moves: &BTreeMap<String, String>) -> Option<&'static str> {
        match (moves.is_empty(), self.in_check()) {
            (true, true) => Some("checkmate"),
            (true, false) => Some("stalemate"),
            _ if self.is_dead() => Some("dead"),
            _ => (self.clock >= self.options.fifty).then_some("hundred-plies"),
        }
    }

    /// Returns the number of leaves of the tree of legal moves that is `depth` plies deep.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        let moves = self.legal_moves();
        match depth {
            0 => 1,
            1 => moves.len() as u64,
            _ => moves.values().map(|fen| Board::from_fen(fen, self.options).perft(depth - 1)).sum(),
        }
    }
}
