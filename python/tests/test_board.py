"""Boards compared with python-chess and the rules' test vectors, and undo of moves."""

from __future__ import annotations

import copy
import json
import pickle
import random
import signal
import threading
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import chess
import pytest
from conftest import random_game

import catapult
import catapult.svg


@pytest.mark.parametrize("seed", range(16))
def test_standard_chess_is_that_of_python_chess(seed: int) -> None:
    rng = random.Random(seed)
    ours, theirs = catapult.Board(), chess.Board()
    while True:
        assert {move.uci() for move in ours.legal_moves} == {move.uci() for move in theirs.legal_moves}
        # Both write the en passant square if a pawn attacks it, even a pinned one.
        assert ours.fen() == theirs.fen(en_passant="xfen")
        assert (ours.is_check(), ours.turn, ours.ply()) == (theirs.is_check(), theirs.turn, theirs.ply())
        assert ours.is_checkmate() == theirs.is_checkmate() and ours.is_stalemate() == theirs.is_stalemate()
        assert ours.is_repetition() == theirs.is_repetition()
        if ours.is_game_over() or ours.ply() > 250:
            break
        moves = list(ours.legal_moves)
        for move in moves:
            same = chess.Move.from_uci(move.uci())
            assert (move.from_square, move.to_square) == (same.from_square, same.to_square)
            assert move.promotion == (chess.piece_symbol(same.promotion).upper() if same.promotion else None)
            assert ours.san(move) == theirs.san(same)
            assert ours.parse_san(theirs.san(same)) == move
            assert ours.is_capture(move) == theirs.is_capture(same)
            assert ours.gives_check(move) == theirs.gives_check(same)
        move = rng.choice(moves)
        ours.push(move)
        theirs.push_uci(move.uci())
    outcome = theirs.outcome(claim_draw=True)
    if ours.is_game_over():
        assert outcome is not None and ours.result() == outcome.result()
        assert ours.outcome().winner == outcome.winner


def test_perft(repository) -> None:
    assert catapult.Board().perft(4) == 197_281
    rows = (repository / "crates/rules/tests/data/perft.txt").read_text().splitlines()
    rows = [[cell.strip() for cell in row.split("|")] for row in rows if row and not row.startswith("#")]
    small = [row for row in rows if int(row[3]) < 300_000]
    assert len(small) > 10
    for variant, fen, depth, leaves in small:
        assert catapult.Board(variant, fen).perft(int(depth)) == int(leaves)
    for depth in (33, -1):
        with pytest.raises(ValueError, match=f"depth = {depth}: must be from 0 to 32"):
            catapult.Board().perft(depth)


def test_the_size_of_a_drawing() -> None:
    with pytest.raises(ValueError, match="size = -1: must be from 1"):
        catapult.Board().svg(size=-1)


def test_perft_leaves_the_board_to_other_threads() -> None:
    board = catapult.Board()
    counted: list[int] = []
    other = threading.Thread(target=lambda: counted.append(board.perft(5)))
    other.start()
    while other.is_alive():
        board.push_uci("e2e4")
        board.pop()
    # From the start position, or after e2e4 (Chess Programming Wiki).
    assert counted in ([4_865_609], [9_771_632])


def test_perft_is_interrupted() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    began = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            catapult.Board().perft(8)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - began < 5


# Invalid lines of the vectors: the side to move could capture the king.
NOT_POSITIONS = ("8/8/4k1b1/8/8/3KB3/8/8 b - - 0 1", "8/8/4k3/8/8/3KR3/8/8 w - - 100 80", "5k4/2P1J5/10/10/10/10/10/5K4 w - - 0 1 -")


def test_vectors_of_all_games(repository) -> None:
    lines = (repository / "crates/rules/tests/data/vectors.jsonl").read_text().splitlines()
    seen = set()
    for line in random.Random(0).sample(lines, min(len(lines), 500)):
        vector = json.loads(line)
        if vector["fen"] in NOT_POSITIONS:
            continue
        board = catapult.Board(vector["variant"], vector["fen"])
        assert board.is_check() == vector["check"]
        outcome = board.outcome()
        assert (outcome and outcome.termination) == vector["outcome"]
        assert {move.uci() for move in board.legal_moves} == set(vector["after"])
        for move, fen in vector["after"].items():
            board.push(move)
            assert board.fen() == fen
            board.pop()
        seen.add(board.variant.split("+")[0])
    assert {"chess", "chesspp"} <= seen


def test_refused_positions_are_refused(repository) -> None:
    refused = [json.loads(line) for line in (repository / "crates/rules/tests/data/refused.jsonl").read_text().splitlines()]
    assert len(refused) > 10
    for entry in refused:
        with pytest.raises(ValueError):
            catapult.Board(entry["variant"], entry["fen"])


@pytest.mark.parametrize("variant", catapult.variants())
def test_games_can_be_taken_back_copied_and_written(variant: str) -> None:
    board = random_game(variant, 1)
    moves, fens = board.move_stack, []
    again = catapult.Board(variant)
    for move, san in zip(moves, board.san_stack()):
        fens.append((again.fen(), again.is_repetition(2), hash(again)))
        assert again.san(move) == san and again.parse_san(san) == move
        assert again.push_uci(move.uci()) == move
    assert again == board and hash(again) == hash(board) and again.fen() == board.fen()
    for made in (pickle.loads(pickle.dumps(board)), copy.copy(board), copy.deepcopy(board), board.copy()):
        assert made == board and made.move_stack == moves and made.outcome() == board.outcome()
        assert made.is_repetition(2) == board.is_repetition(2)
    assert board.copy(stack=False).move_stack == [] and board.copy(stack=False) == board
    for (fen, repeated, key), move in zip(reversed(fens), reversed(moves)):
        assert again.pop() == move
        assert (again.fen(), again.is_repetition(2), hash(again)) == (fen, repeated, key)
    with pytest.raises(IndexError):
        again.pop()
    with pytest.raises(IndexError):
        again.peek()


@pytest.mark.parametrize("variant", catapult.variants(options=False))
def test_actions_are_one_to_one(variant: str) -> None:
    board = random_game(variant, 2, plies=40)
    about = catapult.about(variant)
    while board.move_stack:
        actions = [board.action(move) for move in board.legal_moves]
        assert len(set(actions)) == len(actions) and list(board.legal_actions()) == actions
        assert sorted(board.action_mask().nonzero()[0]) == sorted(actions)
        assert board.action_mask().shape == (about["actions"],)
        assert [board.move_of_action(action) for action in actions] == list(board.legal_moves)
        assert board.observation().shape == (about["ranks"], about["files"], about["channels"])
        board.pop()
    illegal = next(action for action in range(about["actions"]) if action not in board.legal_actions())
    with pytest.raises(ValueError, match=f"action {illegal} is not a legal move"):
        board.move_of_action(illegal)


def test_of_four_catapults_moves_may_share_an_action() -> None:
    board = catapult.Board("chesspp+catapults=b1c1f1g1", "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1 b1d4e5g4/-")
    shared = board.action("b1e5t")
    assert board.action("b1g4t") == shared
    with pytest.raises(ValueError, match=f"action {shared} is shared by 2 legal moves of 4k3"):
        board.move_of_action(shared)
    assert board.move_of_action(board.action("b1d4t")).uci() == "b1d4t"


@pytest.mark.parametrize("variant", catapult.variants(options=False))
def test_channels_have_names(variant: str) -> None:
    about = catapult.about(variant)
    names = about["plane_names"] + about["global_names"]
    assert len(set(names)) == len(names) == about["channels"]
    assert (len(about["plane_names"]), len(about["global_names"])) == (about["planes"], about["globals"])
    board = catapult.Board(variant)
    seen = board.observation()
    # White's pawns, as many as in the FEN.
    assert seen[:, :, names.index("own pawns")].sum() == about["start_fen"].split()[0].count("P")
    assert (seen[:, :, names.index("board")] == 1).all()
    assert (seen[:, :, names.index("seen once")] == 0).all()


def test_observations_are_seen_from_the_side_to_move() -> None:
    board = catapult.Board()
    start = board.observation()
    # In the view own pawns are on the second rank and the own king on e1 or e8; files are not
    # flipped.
    for _ in range(2):
        assert board.observation()[1, :, 0].tolist() == [1] * 8
        assert board.observation()[0, 4, 5] == 1
        board.push("e2e3" if board.turn else "e7e6")
    assert start[..., 32:].min() >= 0 and (start[..., 32] == start[0, 0, 32]).all()


def test_both_layers_can_be_read() -> None:
    board = catapult.Board("chesspp")
    floors = {board.square_name(square): floor for square, floor in board.floor_map().items()}
    assert sorted(floors) == ["b1", "b8", "f1", "f8"]
    assert [(f.kind, f.color, f.fresh) for f in (floors["b1"], floors["f8"])] == [("catapult", True, True), ("catapult", False, True)]
    assert board.piece_at("b1").name == "knight" and board.piece_at("e4") is None and board.floor_at("e1") is None
    assert board.piece_at(1) == board.piece_at("b1") and board.parse_square("b1") == 1
    for move in ("b1c3", "b8c6", "b1b2"):
        if move == "b1b2":
            # The pawn is in the way of the catapult's step.
            move = next(m.uci() for m in board.legal_moves if m.uci().startswith("b1"))
        board.push(move)
    assert sum(not floor.fresh for floor in board.floor_map().values()) == 1
    assert board.piece_counts(catapult.WHITE)["catapult"] == 2
    assert len(board.piece_map()) == 32


def test_stacks_and_portals_can_be_read() -> None:
    board = catapult.Board("maxim")
    board.push("b1c1")
    assert [piece.symbol for piece in board.pieces_at("c1")] == ["P", "N"] and board.piece_at("c1").symbol == "N"
    assert not board.is_turn_start and board.turn == catapult.WHITE
    board.push("@c4")
    board.push("@f5")
    assert board.is_turn_start and board.turn == catapult.BLACK
    assert {board.square_name(s): (f.kind, f.color) for s, f in board.floor_map().items()} == {
        "c4": ("portal", True),
        "f5": ("portal", True),
    }


def test_moves_are_values() -> None:
    board = catapult.Board()
    move = next(iter(board.legal_moves))
    assert move == catapult.Move.from_uci(move.uci()) and hash(move) == hash(catapult.Move(move.uci()))
    assert move != catapult.Move("a1a1") and repr(move) == f'Move.from_uci("{move}")'
    wide = catapult.Move("a1l12", files=12)
    assert eval(repr(wide), {"Move": catapult.Move}).to_square == wide.to_square == 143
    assert pickle.loads(pickle.dumps(move)) == move == copy.deepcopy(move)
    assert move in board.legal_moves and "e2e4" in board.legal_moves and "e2e5" not in board.legal_moves
    assert 5 not in board.legal_moves and len(board.legal_moves) == 20 == board.legal_moves.count()
    assert board.legal_moves[-1] == list(board.legal_moves)[-1] and list(board.legal_moves)[2:4] == list(board.legal_moves[2:4])
    legal = board.legal_moves
    assert legal == list(legal) and legal == tuple(legal) and legal != tuple(legal)[1:]
    assert legal == pickle.loads(pickle.dumps(legal)) and legal is copy.copy(legal) and legal is copy.deepcopy(legal)
    with pytest.raises(IndexError):
        board.legal_moves[20]
    # A move of another game is accepted by its text.
    board.push(next(m for m in catapult.Board("chesspp").legal_moves if m.uci() == "e2e4"))
    thrown = catapult.Board("chesspp", "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1 b1*f1*/-").parse_uci("b1f1t")
    assert thrown.is_teleport and (thrown.from_square, thrown.to_square, thrown.promotion) == (1, 5, None)
    assert not move.is_teleport


def test_a_move_of_another_position_moves_the_same_piece() -> None:
    alone = catapult.Board("maxim", "4k3/8/8/8/8/8/8/3K3Q w - - 0 1 -/- -")
    stacked = catapult.Board("maxim", "4k3/8/8/8/8/8/8/3K3(RQ) w - - 0 1 -/- -")
    move = alone.parse_uci("h1h5")
    assert move not in stacked.legal_moves and not stacked.is_legal(move)
    with pytest.raises(ValueError, match="h1h5"):
        stacked.push(move)
    stacked.push(stacked.parse_uci("Qh1h5"))
    assert stacked.peek() == catapult.Move("Qh1h5")


def test_variants_of_rules_files(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('base = "chesspp"\nfifty_move_plies = 60\nconsecutive_catapult_moves = false\n')
    board = catapult.Board(str(file))
    assert board.variant == "chesspp+fifty=60+still"
    assert board.fen().endswith(" 0 1 b1*f1*/b8*f8* -")
    file.write_text('base = "chesspp"\ncatapults = "c3"\nstart = "BBNRKRQN"\ncatapult_moves_per_game = 2\n')
    board = catapult.Board(str(file))
    assert board.variant == "chesspp+catapults=c3+moves=2+start=BBNRKRQN"
    assert board.fen() == "bbnrkrqn/pppppppp/8/8/8/8/PPPPPPPP/BBNRKRQN w - - 0 1 c3*/c6* 2/2"
    board.push(board.parse_uci("c3c4"))
    assert board.fen().endswith(" b - - 1 1 c4/c6* 1/2")
    late = catapult.Board("chesspp+fifty=60", "4k3/8/8/8/8/8/8/R3K3 w - - 60 80 -")
    assert late.outcome().termination == "hundred-plies"


def test_longest_moves_read_back() -> None:
    # Star Cats capture pieces that they jump over: these are the longest move texts.
    board = catapult.Board("half", "12/5k6/12/12/12/12/2p9/2p9/2S9/12/12/5K6 w - - 0 1 -")
    texts = [move.uci() for move in board.legal_moves]
    assert any("x" in text for text in texts)
    assert all(board.parse_uci(text).uci() == text for text in texts)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: catapult.Board("draughts"), "no game `draughts`"),
        (lambda: catapult.Board("chesspp+x"), "no option `\\+x`"),
        (lambda: catapult.Board("chesspp+fifty=7"), "must be from 8 to 1000"),
        (lambda: catapult.Board("no/rules.toml"), "no/rules.toml: No such file"),
        (lambda: catapult.Board("chess", "8/8/8 w - - 0 1"), "placement: 3 ranks instead of 8"),
        (lambda: catapult.Board("chess", ""), "FEN field"),
        (lambda: catapult.Board().push("e2e5"), "`e2e5`"),
        (lambda: catapult.Board().push_san("Qh5"), "Qh5"),
        (lambda: catapult.Board().push_uci(""), "``"),
        (lambda: catapult.Board().push(catapult.Move("a9z1")), "a9z1"),
        (lambda: catapult.Board().piece_at("i1"), "square \"i1\": the board has a1 to h8"),
        (lambda: catapult.Board().piece_at(64), "square 64"),
        (lambda: catapult.Board().piece_at(-1), "square -1: the board has 0"),
        (lambda: catapult.Board().piece_at(2**70), "square 1180591620717411303424"),
        (lambda: catapult.Board().move_of_action(2**70), "action 1180591620717411303424"),
        (lambda: catapult.Board().svg(arrows=[(0, 500)]), "square 500"),
        (lambda: catapult.Board().svg(arrows=[(-1, 0)]), "square -1"),
        (lambda: catapult.Board().san("e7e5"), "e7e5"),
        (lambda: catapult.Move(""), "is not a move"),
        (lambda: catapult.Move("é2e4"), "is not a move"),
        (lambda: catapult.about("go"), "no game `go`"),
    ],
)
def test_refusals_name_what_was_wrong(call, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_a_refused_move_changes_nothing() -> None:
    board = catapult.Board("chesspp")
    before = board.fen()
    for refused in ("e2e5", "", "x" * 100, "e7e8q", "\0"):
        with pytest.raises(ValueError):
            board.push(refused)
        with pytest.raises(ValueError):
            board.push_san(refused)
        with pytest.raises(ValueError):
            board.set_fen(refused)
    with pytest.raises(TypeError, match=r"Move \| str"):
        board.push(3)
    with pytest.raises(TypeError, match=r"int \| str"):
        board.piece_at(1.0)
    with pytest.raises(TypeError):
        catapult.about(3)
    assert board.fen() == before and not board.move_stack and not board.is_legal("e2e5")


@pytest.mark.parametrize("variant", catapult.variants(options=False))
@pytest.mark.parametrize("orientation", [True, False])
def test_drawings_show_every_piece_and_floor(variant: str, orientation: bool) -> None:
    board = random_game(variant, 3, plies=30)
    while not board.is_turn_start:
        board.push(board.legal_moves[0])
    text = board.svg(orientation=orientation, arrows=[("a1", "b2")])
    drawing = ElementTree.fromstring(text)
    svg = "{http://www.w3.org/2000/svg}"
    pieces = sum(len(board.pieces_at(square)) for square in range(board.files * board.ranks))
    # A piece is a scaled group; an object below it is a translated group.
    groups = [group.get("transform") for group in drawing.iter(f"{svg}g")]
    assert sum("scale" in transform for transform in groups) == pieces
    assert sum("scale" not in transform for transform in groups) == len(board.floor_map())
    assert len([r for r in drawing.findall(f"{svg}rect") if r.get("fill-opacity") is None]) == board.files * board.ranks
    assert board._repr_svg_() == board.svg() and drawing.find(f"{svg}title").text.endswith(board.fen())


def test_every_kind_of_piece_has_a_drawing_of_its_own() -> None:
    kinds = {name for variant in catapult.variants(options=False) for name in catapult.about(variant)["pieces"].values()}
    drawings = [tuple(sorted(catapult.svg._DRAWINGS[name.lower()].items())) for name in kinds - {"catapult"}]
    assert len(set(drawings)) == len({name.lower() for name in kinds}) - 1


def test_text_shows_both_layers() -> None:
    lines = str(catapult.Board("chesspp")).splitlines()
    assert lines[-1] == " R {N} B  Q  K {B} N  R" and lines[0] == " r <n> b  q  k <b> n  r"
