//! A text summary of a search.

use crate::Search;
use catapult_rules::Position;
use std::fmt::{self, Display, Formatter};

/// Displays the value, the principal variation and the best moves of a search. See
/// [`Search::summary`].
pub struct Summary<'a, P> {
    search: &'a Search<P>,
    moves: usize,
}

impl<P: Position> Search<P> {
    /// Returns a text with the value of the root, the principal variation and a table of root
    /// moves. The table has at most `moves` rows, sorted by target probability. Its columns are
    /// visits N, mean Q for the side to move, prior P, target probability pi, expected plies left,
    /// and the proven result if there is one.
    pub fn summary(&self, moves: usize) -> Summary<'_, P> {
        Summary { search: self, moves }
    }
}

impl<P: Position> Display for Summary<'_, P> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Some(mut position) = self.search.position else { return writeln!(f, "no search") };
        let result = self.search.result();
        let [win, draw, loss] = result.value.wdl;
        writeln!(
            f,
            "{} simulations, {} nodes, {} KiB; win {win:.3} draw {draw:.3} loss {loss:.3}, {:.0} plies left{}",
            result.simulations,
            result.nodes,
            result.bytes / 1024,
            result.value.moves_left,
            result.proven.map_or(String::new(), |p| format!("; proven {:?} in {}", p.outlook, p.plies)),
        )?;
        let root = position;
        write!(f, "line:")?;
        for mv in self.search.principal_variation() {
            write!(f, " {}", position.move_text(mv))?;
            position.play(mv);
        }
        writeln!(f, "\n{:<8} {:>7} {:>7} {:>7} {:>7} {:>5}", "move", "N", "Q", "P", "pi", "plies")?;
        let mut order: Vec<usize> = (0..result.moves.len()).collect();
        order.sort_by(|&a, &b| {
            let key = |i: usize| (result.policy[i].1, result.moves[i].visits);
            key(b).partial_cmp(&key(a)).unwrap_or(std::cmp::Ordering::Equal)
        });
        for &i in order.iter().take(self.moves) {
            let stats = &result.moves[i];
            let q = stats.q.map_or("-".to_string(), |q| format!("{q:.4}"));
            let proven = stats.proven.map_or(String::new(), |p| format!(" {:?} {}", p.outlook, p.plies));
            writeln!(
                f,
                "{:<8} {:>7} {:>7} {:>7.4} {:>7.4} {:>5.0}{proven}",
                root.move_text(stats.mv),
                stats.visits,
                q,
                stats.prior,
                result.policy[i].1,
                stats.moves_left,
            )?;
        }
        Ok(())
    }
}
