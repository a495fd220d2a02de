"""OpenSpiel loads the games, and its own players play them."""

from __future__ import annotations

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import mcts  # noqa: E402

import catapult  # noqa: E402
import catapult.openspiel  # noqa: E402, F401


@pytest.mark.parametrize("variant", ["chess", "chesspp", "chesspp+instant", "century", "half", "maxim"])
def test_random_games(variant: str) -> None:
    game = pyspiel.load_game(f"catapult(variant={variant},max_plies=60)")
    assert game.num_distinct_actions() == catapult.about(variant)["actions"] and game.num_players() == 2
    rng = np.random.default_rng(0)
    state = game.new_initial_state()
    board = catapult.Board(variant)
    while not state.is_terminal():
        actions = state.legal_actions()
        assert sorted(board.legal_actions()) == actions
        assert state.current_player() == (0 if board.turn else 1)
        action = int(rng.choice(actions))
        assert state.action_to_string(state.current_player(), action) == board.san(board.move_of_action(action))
        child = state.child(action)
        state.apply_action(action)
        board.push(board.move_of_action(action))
        assert str(child) == str(state) == board.fen()
    assert len(state.history()) == len(board.move_stack) and sum(state.returns()) == 0


def test_mate_is_a_win() -> None:
    state = pyspiel.load_game("catapult(variant=chess)").new_initial_state()
    for san in ("f3", "e5", "g4", "Qh4#"):
        state.apply_action(state.string_to_action(state.current_player(), san))
    assert state.is_terminal() and state.returns() == [-1.0, 1.0]


def test_its_mcts_finds_a_mate() -> None:
    game = pyspiel.load_game("catapult(variant=chess,max_plies=40)")
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2.0, 300, mcts.RandomRolloutEvaluator(1, rng), random_state=rng, solve=True)
    state = game.new_initial_state()
    for san in ("e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6"):
        state.apply_action(state.string_to_action(state.current_player(), san))
    action = bot.step(state)
    assert state.action_to_string(0, action) == "Qxf7#"


def test_observations() -> None:
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game("catapult(variant=half)")
    state = game.new_initial_state()
    observer = make_observation(game)
    observer.set_from(state, 0)
    assert np.array_equal(observer.dict["observation"], catapult.Board("half").observation())


def test_information_states_tell_histories_apart() -> None:
    game = pyspiel.load_game("catapult(variant=chess)")
    texts, fens = [], []
    for line in (("Nf3", "Nf6", "Nc3", "Nc6"), ("Nc3", "Nc6", "Nf3", "Nf6")):
        state = game.new_initial_state()
        for san in line:
            state.apply_action(state.string_to_action(state.current_player(), san))
        texts.append(state.information_state_string(0))
        fens.append(state.observation_string(0))
    assert texts[0] != texts[1] and fens[0] == fens[1]


def test_names_with_values_load_again() -> None:
    game = pyspiel.load_game("catapult", {"variant": "chesspp+fifty=60"})
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game) == "catapult(max_plies=0,variant=chesspp+fifty:60)"
    state = again.new_initial_state("4k3/8/8/8/8/8/8/R3K3 w - - 59 80 -")
    state.apply_action(state.string_to_action(0, "Ra2"))
    assert state.is_terminal() and state.returns() == [0.0, 0.0]


def test_refusals() -> None:
    with pytest.raises(Exception, match="draughts"):
        pyspiel.load_game("catapult(variant=draughts)")
    with pytest.raises(Exception, match="max_plies = -1: must be at least 0"):
        pyspiel.load_game("catapult(max_plies=-1)")
    with pytest.raises(ValueError, match="two moves can share an action"):
        catapult.openspiel.CatapultGame({"variant": "chesspp+catapults=b1c1f1g1"})
