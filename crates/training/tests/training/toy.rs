//! Hexapawn (Martin Gardner, 1962): a game that no line of the libraries knows goes through all of them.
//!
//! Three pawns a side on a board of nine squares move and capture as in chess. Who gets a pawn to the last rank wins, and who
//! cannot move has lost. The second player wins in six plies.

use catapult_encoding::{Encode, Planes, View};
use catapult_mcts::evaluators::Uniform;
use catapult_mcts::{Gumbel, Outlook, Proven, Search, SearchConfig};
use catapult_network::{Architecture, EvaluatorSettings, Network, NetworkEvaluator};
use catapult_records::{read_shard, verify_game, write_shard};
use catapult_rows::{RowEncoder, TargetConfig, WindowConfig, game_rows};
use catapult_rules::{
    Color, FenError, Game, Move, MoveList, Outcome, PieceCounts, PieceType, Position, Role, board,
    conformance, perft,
};
use catapult_selfplay::{Counters, SelfPlayConfig, ShardSettings, play_shard};
use rand::{RngCore, SeedableRng};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::AtomicBool;

type Square = board::Square<3, 3>;
type Squares = board::Squares<3, 3, 1>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Hexapawn {
    pawns: [Squares; 2],
    side: Color,
}

impl Hexapawn {
    fn sign(&self, file: usize, rank: usize) -> char {
        let has = |pawns: &Squares| Square::at(file, rank).is_some_and(|square| pawns.has(square));
        self.pawns.iter().position(has).map_or('.', |side| ['P', 'p'][side])
    }
}

impl fmt::Display for Hexapawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..3).rev() {
            let signs = (0..3).map(|file| self.sign(file, rank));
            write!(f, "{}{}", signs.collect::<String>(), if rank > 0 { "/" } else { " " })?;
        }
        f.write_str(if self.side == Color::White { "w" } else { "b" })
    }
}

impl Position for Hexapawn {
    type Rules = ();
    const FILES: usize = 3;
    const RANKS: usize = 3;
    const PIECES: &'static [PieceType] =
        &[PieceType { role: Role::Pawn, letter: 'P', name: "pawn", centipawns: 100 }];

    fn start((): ()) -> Hexapawn {
        Hexapawn { pawns: [Squares::rank(0), Squares::rank(2)], side: Color::White }
    }

    fn from_fen(fen: &str, (): ()) -> Result<Hexapawn, FenError> {
        let error = |field| FenError { field, reason: format!("`{fen}` is no position of hexapawn") };
        let (placement, side) = fen.split_once(' ').ok_or(error("side to move"))?;
        let side = match side {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(error("side to move")),
        };
        let signs: Vec<char> = placement.split('/').rev().flat_map(str::chars).collect();
        let of = |letter| Square::all().filter(|square| signs.get(square.index()) == Some(&letter)).collect();
        let position = Hexapawn { pawns: [of('P'), of('p')], side };
        (position.to_string() == fen).then_some(position).ok_or(error("placement"))
    }

    fn rules(&self) {}

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn halfmove_clock(&self) -> u32 {
        0
    }

    fn fullmove_number(&self) -> u32 {
        1
    }

    fn key(&self) -> u64 {
        let signs = self.to_string();
        signs.bytes().fold(0, |key: u64, sign| key.wrapping_mul(257).wrapping_add(sign.into()))
    }

    /// Who cannot move has lost: so that the end is a mate.
    fn in_check(&self) -> bool {
        !self.has_legal_move()
    }

    fn legal_moves_into(&self, moves: &mut MoveList) {
        let [own, enemy] = [self.side, !self.side].map(|side| self.pawns[side as usize]);
        if !(self.pawns[0] & Squares::rank(2)).is_empty() || !(self.pawns[1] & Squares::rank(0)).is_empty() {
            return;
        }
        for from in own {
            let pawn = Squares::of(from);
            let steps = pawn.forward(self.side).without(own | enemy) | pawn.pawn_attacks(self.side) & enemy;
            moves.extend(steps.into_iter().map(|to| Move::new(from.byte(), to.byte(), 0, 0)));
        }
    }

    fn play(&mut self, mv: Move) {
        let [from, to] =
            [mv.from(), mv.to()].map(|index| Square::new(index.into()).map_or(Squares::EMPTY, Squares::of));
        let [own, enemy] = [self.side, !self.side].map(|side| side as usize);
        self.pawns[own] = self.pawns[own].without(from) | to;
        self.pawns[enemy] = self.pawns[enemy].without(to);
        self.side = !self.side;
    }

    fn move_text(&self, mv: Move) -> String {
        [mv.from(), mv.to()].map(|index| Square::of(index).to_string()).concat()
    }

    fn count_pieces(&self, side: Color) -> PieceCounts {
        let mut counts = PieceCounts::default();
        counts[0] = self.pawns[side as usize].count() as u8;
        counts
    }
}

impl Planes for Hexapawn {
    const NAME: &'static str = "hexapawn-3x3-1";
    const PLANES: &'static [&'static str] = &[];
    const GLOBALS: &'static [&'static str] = &[];
    const POLICY_PLANES: u16 = 3;

    fn each_piece(&self, mut visit: impl FnMut(Color, usize, usize)) {
        for side in Color::ALL {
            self.pawns[side as usize].into_iter().for_each(|square| visit(side, 0, square.index()));
        }
    }

    fn each_attacked(&self, side: Color, visit: impl FnMut(usize)) {
        self.pawns[side as usize].pawn_attacks(side).into_iter().map(Square::index).for_each(visit);
    }

    fn each_en_passant(&self, _: impl FnMut(usize)) {}

    fn policy_plane(&self, mv: Move, view: View) -> u16 {
        (view.way(mv.from().into(), mv.to().into()).0 + 1) as u16
    }
}

#[test]
fn the_rules_are_those_of_an_independent_program() {
    let start = Hexapawn::start(());
    // Counted by a program of its own, in another language: no game lasts eight plies.
    let counts: Vec<u64> = (1..=8).map(|depth| perft(&start, depth)).collect();
    assert_eq!(counts, [3, 10, 28, 56, 70, 64, 20, 0]);
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(5);
    conformance::check::<Hexapawn>((), 200, 20, || random.next_u32());
}

#[test]
fn a_search_proves_that_the_second_player_wins_in_six_plies() {
    let mut search = Search::<Hexapawn>::new(SearchConfig::default());
    search.start(&Game::new(Hexapawn::start(())), 2000, 1);
    let result = catapult_mcts::run(&mut search, &mut Uniform).unwrap();
    assert_eq!(result.proven, Some(Proven { outlook: Outlook::Loss, plies: 6 }));
}

#[test]
fn a_network_plays_games_that_are_recorded_and_become_rows() {
    let network = Network::untrained(Architecture::new(8, 1), Hexapawn::LAYOUT, 3).unwrap();
    let mut evaluator = NetworkEvaluator::<Hexapawn>::new(&network, EvaluatorSettings::default()).unwrap();
    let settings = ShardSettings {
        selfplay: &SelfPlayConfig { simulations: 8, ..SelfPlayConfig::default() },
        search: &Gumbel { gumbel_scale: 1.0, ..Gumbel::default() }.into(),
        games: 20,
        slots: 4,
        seed: 7,
        network: "untrained",
        endings: None,
    };
    // The name of a variant is a label to self-play: any will do.
    let arms = [(catapult_rules::Variant::Chess, ())];
    let (counters, stop) = (Counters::default(), AtomicBool::new(false));
    let games = play_shard::<Hexapawn>(&arms, &settings, &mut evaluator, &counters, &stop).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = write_shard(folder.path(), "toy", &games, &BTreeMap::new()).unwrap();
    let shard = read_shard(&path).unwrap();
    assert_eq!((&shard.games, games.len()), (&games, 20));
    let mut encoder = RowEncoder::new::<Hexapawn>();
    for record in &shard.games {
        let game = verify_game::<Hexapawn>(record, ()).unwrap();
        assert_eq!(record.outcome, Outcome::Checkmate, "every game has a winner");
        let rows =
            game_rows::<Hexapawn>(record, (), &WindowConfig::default(), &TargetConfig::default()).unwrap();
        assert_eq!(rows.positions.len(), game.moves().len() + 1);
        for row in &rows.rows {
            let encoded = encoder.encode(row, false);
            let pawns = |plane: usize| {
                encoded
                    .planes
                    .iter()
                    .skip(plane)
                    .step_by(Hexapawn::LAYOUT.planes)
                    .map(|x| x.to_f32())
                    .sum::<f32>()
            };
            let side = row.position.side;
            let counts = [side, !side].map(|side| f32::from(row.position.count_pieces(side)[0]));
            assert_eq!([pawns(0), pawns(1)], counts);
        }
    }
}
