//! Second, slow engines, one per game, written from the rules pages alone. Tests compare them with
//! the crate's engines. The slow engines share squares, directions, sides of FEN letters and the
//! format of FEN ranks.

pub(crate) mod agreement;
pub(crate) mod century;
pub(crate) mod century_scatter;
pub(crate) mod chesspp;
pub(crate) mod chesspp_scatter;
mod filling;
pub(crate) mod half;
pub(crate) mod half_scatter;
pub(crate) mod maxim;
pub(crate) mod maxim_scatter;

/// A square (file, rank), both from 0. Pieces of side `WHITE` move towards higher ranks.
type At = (i32, i32);
const WHITE: usize = 0;

const STEPS: [At; 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
const STRAIGHT: [At; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const DIAGONAL: [At; 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
const LEAPS: [At; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

fn name((f, r): At) -> String {
    format!("{}{}", (b'a' + f as u8) as char, r + 1)
}

/// Returns the side of a FEN letter, or `None` for `.`.
fn side_of(piece: u8) -> Option<usize> {
    match piece {
        b'.' => None,
        p if p.is_ascii_uppercase() => Some(0),
        _ => Some(1),
    }
}

/// Returns a rank of a FEN's first field. `cells` are its FEN letters, with `.` for an empty
/// square.
fn rank_text(cells: impl Iterator<Item = char>) -> String {
    let (mut text, mut empty) = (String::new(), 0);
    for cell in cells.chain(['|']) {
        if cell == '.' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &std::mem::take(&mut empty).to_string();
        }
        if cell != '|' {
            text.push(cell);
        }
    }
    text
}
