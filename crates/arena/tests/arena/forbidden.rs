//! Tests of matches in which one or both players may not make a kind of move.

use crate::play_fresh;
use catapult_arena::*;
use catapult_mcts::{Mask, allowed_moves};
use catapult_network::Device;
use catapult_rules::{
    Century, Chess, ChessMove, ChessMoveKind, ChessPosition, ChessPp, ChessPpProposals, ChessRules, Color,
    ForbiddenKind, Game, Move, Plain, Position, Proposals, Standard,
};
use std::ops::ControlFlow;

fn on(_: u32) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn player<P: Anchor + catapult_encoding::Encode>(name: &str) -> Contender<'static, P> {
    contender(&name.parse().unwrap(), "chesspp".parse().unwrap(), Device::Cpu).unwrap()
}

fn settings(games: u32, kind: ForbiddenKind) -> MatchSettings {
    MatchSettings { games, ply_cap: 120, forbidden: Some(kind), ..Default::default() }
}

/// Returns true if a move is of the kind. It uses the kinds that the rules give to moves,
/// independently of the mask.
fn is_of_kind<R: ChessRules>(kind: ForbiddenKind, position: &ChessPosition<R>, mv: Move) -> bool {
    let made = ChessMove::of(mv).kind;
    match kind {
        ForbiddenKind::Teleports => matches!(made, ChessMoveKind::Teleport | ChessMoveKind::Instant),
        ForbiddenKind::CatapultMoves => made == ChessMoveKind::Catapult,
        ForbiddenKind::CatapultCaptures => position.captures_catapults(mv),
    }
}

/// Plays a match and counts each player's moves of the forbidden kind. Checks that the players obey
/// the mask, and that the match result has the same counts as the games.
fn counted<R: ChessRules>(
    variant: &str,
    rules: R,
    name: &str,
    settings: &MatchSettings,
) -> ([u32; 2], Forbidden)
where
    ChessPosition<R>: Anchor<Rules = R> + catapult_encoding::Encode,
{
    let kind = settings.forbidden.unwrap();
    let contenders = [player::<ChessPosition<R>>(name), player(name)];
    let played = play_fresh(variant, rules, &contenders[0], &contenders[1], settings, &on).unwrap();
    let mut made = [0; 2];
    let both = settings.forbidden_to_both;
    let mut counts = Forbidden { kind, both, turns: 0, restricted: 0, allowed: 0 };
    for game in &played.games {
        let mut position = *game.game.start();
        for (ply, &mv) in game.game.moves().iter().enumerate() {
            if ply >= game.opening_plies as usize {
                let second = position.side_to_move() != game.player_color;
                made[usize::from(second)] += u32::from(is_of_kind(kind, &position, mv));
                let legal = position.legal_moves();
                let of_kind = legal.iter().filter(|&&mv| is_of_kind(kind, &position, mv)).count();
                if second || both {
                    counts.turns += 1;
                    counts.allowed += u64::from(of_kind == legal.len());
                    counts.restricted += u64::from(of_kind > 0 && of_kind < legal.len());
                    assert!(of_kind == legal.len() || !is_of_kind(kind, &position, mv), "{position}");
                }
            }
            position.play(mv);
        }
    }
    assert_eq!(played.result.forbidden, Some(counts));
    (made, counts)
}

#[test]
fn the_second_player_alone_goes_without() {
    for name in ["random", "alphabeta:1", "search:uniform:16", "search:hash-random:16@algorithm=puct"] {
        let games = if name == "random" { 60 } else { 8 };
        for kind in [ForbiddenKind::Teleports, ForbiddenKind::CatapultMoves] {
            let (made, counts) = counted("chesspp", Plain, name, &settings(games, kind));
            assert!(made[0] > 0 && u64::from(made[1]) == counts.allowed, "{name} {kind}: {made:?}");
            assert!(counts.restricted > 20, "{name} {kind}: {counts}");
        }
    }
    let kind = ForbiddenKind::CatapultCaptures;
    let (made, counts) = counted("chesspp", Plain, "random", &settings(200, kind));
    assert!(made[0] > 0 && made[1] == 0 && counts.restricted > 0, "{made:?} {counts}");
    // With `+bare`, capturing the last man also removes catapults, and is not forbidden.
    let bared = "8/8/8/3k4/4n3/8/5N2/4K3 w - - 5 1 -/d5e1";
    let position = ChessPpProposals::from_fen(bared, Proposals::BARE).unwrap();
    let mask = Mask::<ChessPpProposals>::new(Proposals::BARE, kind, None).unwrap();
    assert_eq!(allowed_moves(&position, Some(&mask)), position.legal_moves());
    // Instant teleports are teleports.
    let rules = Proposals::INSTANT;
    let (made, _) = counted("chesspp+instant", rules, "random", &settings(60, ForbiddenKind::Teleports));
    assert!(made[0] > 0 && made[1] == 0, "{made:?}");
}

#[test]
fn both_go_without_in_the_opening_too() {
    let kind = ForbiddenKind::CatapultMoves;
    for name in ["random", "alphabeta:1", "search:uniform:16"] {
        let settings = MatchSettings { forbidden_to_both: true, ..settings(8, kind) };
        let (made, counts) = counted("chesspp", Plain, name, &settings);
        assert_eq!(u64::from(made[0] + made[1]), counts.allowed, "{name}: {made:?}");
        assert!(counts.restricted > 20, "{name}: {counts}");
    }
    let count = |forbidden_to_both| -> usize {
        let settings = MatchSettings { forbidden_to_both, ..settings(400, kind) };
        let openings = settings.openings::<ChessPp>(Plain).unwrap();
        let made = openings.iter().flat_map(|game| game.moves());
        made.filter(|&&mv| ChessMove::of(mv).kind == ChessMoveKind::Catapult).count()
    };
    assert!(count(false) > 20 && count(true) == 0);
}

#[test]
fn results_do_not_depend_on_threads_or_batches() {
    let play = |threads, games_at_once| {
        let settings = MatchSettings { threads, games_at_once, ..settings(8, ForbiddenKind::CatapultMoves) };
        let contenders = [player::<ChessPp>("search:material:8"), player("search:uniform:8")];
        play_fresh("chesspp", Plain, &contenders[0], &contenders[1], &settings, &on).unwrap().result
    };
    let one = play(1, 8);
    assert_eq!((play(2, 8), play(1, 3)), (one.clone(), one.clone()));
    let text = one.to_string();
    assert!(text.contains("search:uniform:8 may not make catapult-moves: removed on"), "{text}");
    let json = serde_json::to_string(&one).unwrap();
    assert_eq!(serde_json::from_str::<MatchResult>(&json).unwrap(), one);
}

#[test]
fn games_without_the_kind_are_refused() {
    fn refusal<P: Anchor + catapult_encoding::Encode>(variant: &str, rules: P::Rules) -> String {
        let settings = settings(2, ForbiddenKind::Teleports);
        let contenders = [player::<P>("random"), player("random")];
        let played = play_fresh(variant, rules, &contenders[0], &contenders[1], &settings, &on);
        played.unwrap_err().to_string()
    }
    for error in [refusal::<Chess>("chess", Standard), refusal::<Century>("century", ())] {
        assert!(error.contains("teleports") && error.contains("has no such moves"), "{error}");
    }
    assert_eq!(ForbiddenKind::ALL.map(|kind| kind.to_string().parse()), ForbiddenKind::ALL.map(Ok));
    let error = "castling".parse::<ForbiddenKind>().unwrap_err();
    assert!(error.contains("`castling`") && error.contains("teleports, catapult-moves"), "{error}");
}

fn chesspp(fen: &str) -> Game<ChessPp> {
    Game::new(ChessPp::from_fen(fen, Plain).unwrap())
}

#[test]
fn players_see_what_is_forbidden_here_and_in_the_tree() {
    let no_teleports = |side| Mask::<ChessPp>::new(Plain, ForbiddenKind::Teleports, Some(side));
    // The only mate is a teleport.
    let game = chesspp("6k1/5ppp/8/8/8/8/1P4PP/1R4K1 w - - 0 1 b1e8/-");
    let mate = game.position().parse_move("b1e8t").unwrap();
    for name in ["alphabeta:1", "alphabeta:2q", "search:uniform:64"] {
        let mut player = (player::<ChessPp>(name).make)().unwrap();
        let mut choose = |side| {
            let turn = Turn { game: &game, seed: 1, mask: side, clocks: None };
            player.choose(&[turn]).unwrap()[0]
        };
        assert_eq!(choose(None), mate, "{name}");
        assert_ne!(choose(no_teleports(Color::White)), mate, "{name}");
        assert_eq!(choose(no_teleports(Color::Black)), mate, "{name}");
    }
    // Black's only threat is a mate by teleport, which a slow move of White allows.
    let game = chesspp("1r4k1/1p3ppp/8/8/8/8/P4PPP/6K1 w - - 0 1 -/b8e1");
    let slow = game.position().parse_move("a2a3").unwrap();
    let mut alphabeta = AlphaBeta::new(2, false);
    let mut after_slow = |mask| {
        let mut next = game.clone();
        next.push(slow);
        alphabeta.set_mask(mask);
        alphabeta.analyse(&next).score
    };
    assert_eq!(after_slow(None), MATE - 1);
    assert_eq!(after_slow(no_teleports(Color::White)), MATE - 1);
    assert!(after_slow(no_teleports(Color::Black)) < MATE - 100);
}

/// Checks in random openings that masks forbid the moves of each kind.
#[test]
fn kinds_are_what_the_rules_say() {
    let proposals = [Proposals::default(), Proposals::FREE, Proposals::INSTANT, Proposals::PAWNS];
    for rules in proposals.into_iter().chain([Proposals::PROMOTE, Proposals::THIRD]) {
        for opening in openings::<ChessPpProposals>(rules, None, 40, 5).unwrap() {
            let position = opening.position();
            for kind in ForbiddenKind::ALL {
                for side in Color::ALL {
                    let mask = Mask::<ChessPpProposals>::new(rules, kind, Some(side)).unwrap();
                    let left = allowed_moves(position, Some(&mask));
                    let mut expected = position.legal_moves();
                    if side == position.side_to_move() {
                        expected.retain(|mv| !is_of_kind(kind, position, *mv));
                    }
                    let expected = if expected.is_empty() { position.legal_moves() } else { expected };
                    assert_eq!(left, expected, "{kind} {position}");
                }
            }
        }
    }
}

/// Player that teleports if it can, even if teleports are forbidden.
struct Disobedient;

impl Player<ChessPp> for Disobedient {
    fn reply(&mut self, turns: &[Turn<'_, ChessPp>]) -> Result<Vec<Reply>, PlayerError> {
        let choose = |turn: &Turn<'_, ChessPp>| {
            let position = turn.game.position();
            let moves = position.legal_moves();
            let teleport = moves.iter().find(|&&mv| is_of_kind(ForbiddenKind::Teleports, position, mv));
            Reply::from(*teleport.unwrap_or(&moves[0]))
        };
        Ok(turns.iter().map(choose).collect())
    }
}

#[test]
fn a_player_that_does_it_all_the_same_is_named() {
    let disobedient = || Contender {
        name: "disobedient".to_owned(),
        make: Box::new(|| Ok(Box::new(Disobedient) as Box<dyn Player<ChessPp>>)),
        games_at_once: 4,
    };
    let settings = settings(8, ForbiddenKind::Teleports);
    let play = |first: &Contender<'_, ChessPp>, second: &Contender<'_, ChessPp>| {
        play_fresh("chesspp", Plain, first, second, &settings, &on)
    };
    let error = play(&player("random"), &disobedient()).unwrap_err().to_string();
    assert!(
        error.starts_with("player disobedient picked a move that is forbidden in this match in `"),
        "{error}"
    );
    play(&disobedient(), &player("random")).unwrap();
}
