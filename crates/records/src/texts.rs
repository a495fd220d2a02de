//! Moves of records as text. Files store texts, because they are readable in every program.

use crate::{GameRecord, VerifyError};
use catapult_rules::{AnyGame, Move, Outcome, Variant};

/// Moves of a game and of its policies as text, in the variant's notation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameTexts {
    /// Texts of the moves played.
    pub moves: Vec<String>,
    /// Policy per ply, sorted by text: (move, probability).
    pub policies: Vec<Vec<(String, f32)>>,
}

impl GameTexts {
    /// Finds the moves with these texts, in a game that begins at `game`. Policies keep their
    /// order.
    ///
    /// # Errors
    /// A text is not a legal move. Returns the number of plies before it, and the reason.
    pub(crate) fn read(&self, game: &mut dyn AnyGame) -> Result<(Vec<Move>, Policies), (usize, String)> {
        let (mut moves, mut policies) = (Vec::with_capacity(self.moves.len()), Policies::new());
        for (ply, text) in self.moves.iter().enumerate() {
            let policy = self.policies.get(ply).map_or(&[][..], Vec::as_slice);
            let legal = if policy.is_empty() { Default::default() } else { game.legal_moves() };
            let legal: Vec<(String, Move)> = legal.into_iter().map(|mv| (game.move_text(mv), mv)).collect();
            let find = |text: &str| legal.iter().find(|(known, _)| known == text).map(|(_, mv)| *mv);
            let of_policy = |(text, probability): &(String, f32)| {
                let mv = find(text).ok_or_else(|| (ply, format!("`{text}` of the policy is not legal")));
                Ok((mv?, *probability))
            };
            policies.push(policy.iter().map(of_policy).collect::<Result<_, _>>()?);
            let mv = match find(text) {
                Some(mv) => mv,
                None => game.parse_move(text).map_err(|error| (ply, error.to_string()))?,
            };
            game.push(mv);
            moves.push(mv);
        }
        Ok((moves, policies))
    }
}

/// Policy per ply: (move, probability).
pub(crate) type Policies = Vec<Vec<(Move, f32)>>;

impl GameRecord {
    /// Returns the record of a game without search results, with number and seed 0. If the rules do
    /// not end the game, it is truncated.
    pub fn of_game(game: &dyn AnyGame) -> GameRecord {
        let outcome = game.outcome().unwrap_or(Outcome::Capped);
        let plies = game.moves().len();
        GameRecord {
            variant: game.variant(),
            game: 0,
            seed: 0,
            parent: None,
            fork_ply: None,
            network: String::new(),
            start_fen: game.start_fen(),
            moves: game.moves().to_vec(),
            policies: vec![Vec::new(); plies],
            values: vec![[0.0; 3]; plies],
            raw_values: vec![[0.0; 3]; plies],
            mean_values: vec![[0.0; 3]; plies],
            surprises: vec![0.0; plies],
            moves_left: vec![0.0; plies],
            outcome,
            winner: outcome.winner(game.side_to_move()),
        }
    }

    /// Returns the record of a game like [`GameRecord::of_game`]. Spaces separate the texts in
    /// `moves`. Without a FEN, the game begins at the start position.
    ///
    /// # Errors
    /// The FEN is invalid, or a move is illegal. The error names the ply.
    pub fn of_texts(
        variant: Variant,
        start_fen: Option<&str>,
        moves: &str,
    ) -> Result<GameRecord, VerifyError> {
        let failed = |ply, reason| VerifyError { game: 0, ply, reason };
        let mut game = variant.game(start_fen).map_err(|error| failed(0, error.to_string()))?;
        for (ply, text) in moves.split_whitespace().enumerate() {
            let mv = game.parse_move(text).map_err(|error| failed(ply, error.to_string()))?;
            game.push(mv);
        }
        Ok(GameRecord::of_game(&*game))
    }

    /// Returns the moves of the game and of its policies as text.
    ///
    /// # Errors
    /// The start position is invalid, or a move is illegal. The error names the game and the ply.
    pub fn texts(&self) -> Result<GameTexts, VerifyError> {
        let mut game = self.variant.game(Some(&self.start_fen)).map_err(|error| self.error_at(0, error))?;
        let mut texts = GameTexts::default();
        for (ply, &mv) in self.moves.iter().enumerate() {
            let legal = game.legal_moves();
            let text = |mv| match legal.contains(&mv) {
                true => Ok(game.move_text(mv)),
                false => Err(self.error_at(ply, format!("{mv:?} is not legal"))),
            };
            let policy = self.policies.get(ply).into_iter().flatten();
            let policy = policy.map(|&(mv, probability)| Ok((text(mv)?, probability)));
            let mut policy = policy.collect::<Result<Vec<_>, VerifyError>>()?;
            policy.sort_by(|a, b| a.0.cmp(&b.0));
            texts.moves.push(text(mv)?);
            texts.policies.push(policy);
            game.push(mv);
        }
        Ok(texts)
    }
}
