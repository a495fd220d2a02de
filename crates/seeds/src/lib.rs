//! Named random streams. The seed of a stream is computed from the seed of its parent.
//!
//! Recorded games and trained networks depend on these seeds, so the functions must never change.
//!
//! ```
//! use catapult_seeds::Stream;
//!
//! let shard = Stream::Shard { generation: 3, number: 2 }.seed(7);
//! assert_ne!(Stream::Game(0).seed(shard), Stream::Game(1).seed(shard));
//! ```

use std::fmt::Display;

/// A random stream. Each variant's comment names the parent: the object from whose seed the
/// stream's seed is computed.
#[derive(Clone, Copy)]
pub enum Stream<'a> {
    /// Weights of an untrained network and weights added by growth. Parent: run.
    Weights,
    /// Games of one shard in a generation. Parent: run.
    Shard {
        /// Number of the generation.
        generation: u32,
        /// Number of the shard within the generation.
        number: u32,
    },
    /// Order and mirroring of the training samples in a generation. Parent: run.
    Learner {
        /// Number of the generation.
        generation: u32,
    },
    /// Order and mirroring of the training samples in a run that learns from games of other runs.
    /// Parent: run.
    Lessons,

    /// One self-play game of a shard, by number. Parent: shard.
    Game(u64),
    /// Choice of the earlier game from which the game with this number forks. Parent: shard.
    Parent(u64),
    /// Choice of the variant that a self-play game plays, if its shard has several. Parent: game of
    /// a shard.
    Arm,
    /// Decision to disable resignation in a game, as an audit. Parent: game of a shard.
    Audit,
    /// Placement of the men in a game that starts from an ending. Parent: game of a shard.
    Men,
    /// Selection of the plies of a game that become training samples. Parent: game of a shard.
    Rows,

    /// Choice of the openings of a match. Parent: match.
    Openings,
    /// One game of a match, by number. Parent: match.
    MatchGame(usize),
    /// Random choices of a player in the turn at this ply. Parent: game of a match.
    Turn(usize),
    /// Decision of a weakened player to play a random move. Parent: turn.
    Blunder,
    /// Choice of a move by a player, or of an opening. Parent: turn, the openings of a match, or a
    /// call of `Engine.play` in Python.
    Choice,
    /// Lower 64 bits of the 128-bit state of a random generator. The upper 64 bits are the parent's
    /// seed. Parent: any stream.
    LowerHalf,
    /// Match between two players of a ladder, by their names and in this order. Parent: ladder.
    Pairing(&'a str, &'a str),
    /// One bootstrap resample of the game pairs of a ladder, by number. Parent: ladder.
    PairsResample(usize),

    /// Games of a study's cell in the shard with this number. Parent: study.
    CellGames(&'a dyn Display, u32),
    /// One match of a study, by name. Parent: study.
    StudyMatch(&'a str),
    /// Analysis of the network of this cell. Parent: study.
    Analysis(&'a dyn Display),
    /// Games of a study that start from the ending with this name. Parent: study and network.
    Ending(&'a str),
    /// Bootstrap resampling of a study's games. Parent: study.
    Resampling,
    /// One turn of a game that starts from an ending. Parent: ending.
    EndingTurn {
        /// Number of the game.
        game: usize,
        /// Ply at which the turn starts.
        ply: usize,
    },
    /// One bootstrap resample of a study's games, by number. Parent: resampling.
    Resample(usize),

    /// Search and choice of the move at this ply of an engine session. Parent: session.
    Search(usize),
    /// One of several boards that are searched at once, by number. Parent: search of several
    /// boards.
    Board(u64),
    /// The program's reply at this ply in a game against a person. Parent: game.
    Reply(usize),
    /// Random sample of tablebase positions with this side to move: 0 for White, 1 for Black.
    /// Parent: sample of a tablebase.
    Side(u64),
}

impl Stream<'_> {
    /// Returns the seed of this stream. `of` is the seed of its parent.
    pub fn seed(self, of: u64) -> u64 {
        match self {
            Stream::Weights | Stream::Lessons => of,
            Stream::Shard { generation, number } => mix(mix(of, generation.into()), number.into()),
            // No shard has this number.
            Stream::Learner { generation } => mix(mix(of, generation.into()), u32::MAX.into()),
            Stream::Game(number) => mix(of, !number),
            Stream::Parent(number) => mix(of, number),
            Stream::Arm => mix(of, 0x6172_6d73),
            Stream::Audit => mix(of, 0x6175_6469),
            Stream::Men => mix(of, 0x006d_656e),
            Stream::Rows => of ^ 0x726f_7773,
            Stream::Openings => chain(of, [0]),
            Stream::MatchGame(number) => chain(of, [1, number as u64]),
            Stream::Turn(ply) => chain(of, [ply as u64]),
            Stream::Blunder => chain(of, [2]),
            Stream::Choice => chain(of, []),
            Stream::LowerHalf => chain(of, [1]),
            Stream::Pairing(first, second) => {
                let bytes = first.bytes().chain(second.bytes()).map(u64::from);
                chain(of, std::iter::once(first.len() as u64).chain(bytes))
            }
            Stream::PairsResample(number) => chain(of, [number as u64]),
            Stream::CellGames(cell, shard) => named(of, &format!("games {cell} {shard}")),
            Stream::StudyMatch(name) => named(of, &format!("match {name}")),
            Stream::Analysis(cell) => named(of, &format!("analysis {cell}")),
            Stream::Ending(name) => named(of, &format!("ending {name}")),
            Stream::Resampling => named(of, "resampling"),
            Stream::EndingTurn { game, ply } => mix(mix(of, game as u64), ply as u64),
            Stream::Resample(number) => of ^ (number as u64).wrapping_mul(GOLDEN),
            Stream::Search(ply) => of.wrapping_add(ply as u64),
            Stream::Board(number) => of.wrapping_add(number.wrapping_mul(GOLDEN)),
            Stream::Reply(ply) => of.wrapping_mul(1 << 20).wrapping_add(ply as u64),
            Stream::Side(side) => of ^ side << 32,
        }
    }
}

/// 2^64 divided by the golden ratio, the step of SplitMix64.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the SplitMix64 finaliser of `z` (Steele et al. 2014). Every bit of the result depends on
/// every bit of `z`.
fn finalised(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the seed computed from a seed and a number.
fn mix(seed: u64, number: u64) -> u64 {
    finalised(seed.rotate_left(23) ^ number.wrapping_add(1).wrapping_mul(GOLDEN))
}

/// Combines the seed `of` and further numbers into one seed. Changing a number or the order gives
/// an unrelated seed.
fn chain(of: u64, more: impl IntoIterator<Item = u64>) -> u64 {
    let parts = std::iter::once(of).chain(more);
    parts.fold(0, |state, part| finalised((state ^ part).wrapping_add(GOLDEN)))
}

/// Returns the seed computed from the seed `of` and the bytes of a name.
fn named(of: u64, name: &str) -> u64 {
    name.bytes().fold(of, |seed, byte| mix(mix(seed, byte.into()), 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Compares the seeds of all streams with the seeds from which existing games and networks were
    /// computed.
    #[test]
    fn seeds_are_those_that_games_and_networks_were_made_with() {
        let cell = "a chess 1/64";
        for (stream, small, large) in [
            (Stream::Weights, 7, 0xfedc_ba98_7654_3210),
            (Stream::Lessons, 7, 0xfedc_ba98_7654_3210),
            (Stream::Shard { generation: 3, number: 2 }, 0xe808_3f81_37b7_d7a2, 0xe889_7cf8_10d2_8518),
            (Stream::Learner { generation: 3 }, 0x6e40_9dfe_922e_5c35, 0x7ad8_d52f_3858_9f8f),
            (Stream::Game(5), 0x4aee_2b40_45b6_3230, 0xf132_e54d_9c81_5a1f),
            (Stream::Parent(5), 0x34c2_c12e_54e3_5638, 0xc6d7_572a_3691_b952),
            (Stream::Arm, 0x85cb_4657_f226_6009, 0x6078_0203_9b19_ebe9),
            (Stream::Audit, 0x300e_b251_2c5e_98cc, 0x1d5a_beb2_39e0_9a55),
            (Stream::Men, 0x0bf8_ba57_0b04_e83d, 0x54d0_410c_e78a_4e49),
            (Stream::Rows, 0x0000_0000_726f_7774, 0xfedc_ba98_043b_4563),
            (Stream::Openings, 0xb8b4_c297_7eab_ce45, 0xc562_4e2c_6cd2_f795),
            (Stream::MatchGame(5), 0xefe0_87ab_b643_6965, 0xc1be_a760_d2d4_83f2),
            (Stream::Turn(9), 0x845c_0914_2154_9e4a, 0x4437_657f_79c3_62ca),
            (Stream::Blunder, 0x46a6_c8e5_6922_a525, 0x4242_d7cb_44d3_d3cc),
            (Stream::Choice, 0x63cb_e1e4_5932_0dd7, 0x7ae8_93b5_e32f_ee86),
            (Stream::LowerHalf, 0x3d41_bf49_5cd3_075f, 0x1dd4_5bb0_91d4_4630),
            (Stream::Pairing("ab", "c"), 0x780e_24c5_7175_7979, 0x616c_ed7a_7628_fd11),
            (Stream::PairsResample(4), 0x8e6a_4e95_86d2_5622, 0x231c_4fb5_e7d7_32d0),
            (Stream::CellGames(&cell, 3), 0x5e4f_3dfb_f96c_e06c, 0x34d8_9704_6de5_713f),
            (Stream::StudyMatch("a--b"), 0xd72e_f0ad_8ec4_7dd9, 0x4b1f_46b4_be08_3a2c),
            (Stream::Analysis(&"a"), 0xcd9c_f884_e3f1_aa2c, 0x88de_5d44_12fe_b8de),
            (Stream::Ending("KRvK"), 0x6888_0e66_0071_ea17, 0x2794_1043_7b11_8933),
            (Stream::Resampling, 0x05aa_8f72_c8e3_9af7, 0xecad_3659_878f_0d4a),
            (Stream::EndingTurn { game: 6, ply: 9 }, 0xc295_ccca_b5b8_5edc, 0xe30c_7e30_a714_83bb),
            (Stream::Resample(4), 0x78dd_e6e5_fd29_f053, 0x8601_5c7d_8b7d_c244),
            (Stream::Search(9), 0x0000_0000_0000_0010, 0xfedc_ba98_7654_3219),
            (Stream::Board(4), 0x78dd_e6e5_fd29_f05b, 0x77ba_a17e_737e_2264),
            (Stream::Reply(9), 0x0000_0000_0070_0009, 0xa987_6543_2100_0009),
            (Stream::Side(1), 0x0000_0001_0000_0007, 0xfedc_ba99_7654_3210),
        ] {
            assert_eq!([stream.seed(7), stream.seed(0xfedc_ba98_7654_3210)], [small, large]);
        }
    }

    #[test]
    fn names_have_streams_of_their_own() {
        let mut seeds: BTreeSet<u64> =
            ["", "a", "b", "ab", "ba"].map(|name| Stream::StudyMatch(name).seed(1)).into();
        seeds.extend(["a", "ba"].map(|name| Stream::StudyMatch(name).seed(2)));
        seeds.extend(["a", "ba"].map(|name| Stream::Ending(name).seed(1)));
        assert_eq!(seeds.len(), 9);
        assert_ne!(Stream::Pairing("ab", "c").seed(1), Stream::Pairing("a", "bc").seed(1));
    }
}
