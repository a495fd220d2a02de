"""Shards, training samples and runs, compared with the games and with another Parquet reader."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

import catapult
import catapult.data


@pytest.fixture(scope="module")
def shard(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games")
    engine = catapult.Engine("material", simulations=8, gumbel_scale=1.0)
    return catapult.data.selfplay(engine, "chesspp", 12, folder, seed=3, ply_cap=120, fork_share=0.25)


def test_selfplay_is_a_function_of_its_settings(shard, tmp_path) -> None:
    engine = catapult.Engine("material", simulations=8, gumbel_scale=1.0)
    again = catapult.data.selfplay(engine, "chesspp", 12, tmp_path, seed=3, slots=5, ply_cap=120, fork_share=0.25)
    assert again.name == shard.name and again.read_bytes() == shard.read_bytes()
    other = catapult.data.selfplay(engine, "chesspp", 12, tmp_path, seed=4, ply_cap=120)
    assert other.name != shard.name and catapult.data.shards(tmp_path) == sorted([again, other])


def test_games(shard) -> None:
    games = catapult.data.Shard(shard)
    assert len(games) == 12 and games.metadata["simulations"] == "8" and games.metadata["variant"] == "chesspp"
    for game in games:
        board = game.board()
        assert [move.uci() for move in board.move_stack] == game.moves and board.start_fen == game.start_fen
        assert game.outcome == (board.outcome().termination if board.outcome() else "capped")
        assert game.values.shape == (len(game), 3) and game.moves_left.shape == (len(game),)
        assert all(sum(policy.values()) == pytest.approx(1, abs=0.02) for policy in game.policies if policy)
    assert games[-1].game == games[11].game and any(game.parent is not None for game in games)
    with pytest.raises(IndexError, match="game 12 of 12"):
        games[12]


def test_another_reader_sees_the_same_games(shard) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.read_parquet(shard)
    games = list(catapult.data.Shard(shard))
    assert frame["outcome"].tolist() == [game.outcome for game in games]
    assert [list(moves) for moves in frame["moves"]] == [game.moves for game in games]
    assert np.concatenate(frame["win"].tolist()) == pytest.approx(np.concatenate([game.values[:, 0] for game in games]))


def test_rows_are_positions_of_the_games_with_their_targets(shard) -> None:
    rows = catapult.data.rows(shard, targets={"result_share": 0.0}, window={"rows_per_game": 10_000, "high_clock_rows": 10_000})
    arrays, fens = rows.arrays(), rows.fens()
    assert len(rows) == len(fens) == len(arrays["values"]) and rows.variants == ["chesspp"]
    at = 0
    for game in catapult.data.Shard(shard):
        played = game.board()
        board = catapult.Board("chesspp", game.start_fen)
        for ply, text in enumerate(game.moves):
            if game.policies[ply]:
                assert board.fen() == fens[at]
                begin, end = arrays["offsets"][at : at + 2]
                assert arrays["actions"][begin:end].tolist() == board.legal_actions().tolist()
                assert set(arrays["moves"][begin:end, 0]) == {at}
                target = {move.uci(): p for move, p in zip(board.legal_moves, arrays["policy"][begin:end]) if p > 0}
                total = sum(game.policies[ply].values())
                assert target == pytest.approx({move: p / total for move, p in game.policies[ply].items()}, abs=1e-5)
                assert arrays["policy"][begin:end].sum() == pytest.approx(1, abs=1e-5)
                assert arrays["values"][at] == pytest.approx(game.values[ply] / game.values[ply].sum(), abs=1e-5)
                seen = board.observation()
                planes = rows.shapes["planes"]
                assert np.array_equal(arrays["planes"][at], seen[..., :planes])
                assert np.array_equal(arrays["globals"][at], seen[0, 0, planes:])
                ends = played.outcome() is not None
                assert arrays["moves_left_weight"][at] == ends
                assert arrays["moves_left"][at] == (len(game) - ply if ends else 0)
                at += 1
            board.push(text)
    assert at == len(rows)


def test_results_are_mixed_into_values(shard) -> None:
    settings = {"rows_per_game": 10_000, "high_clock_rows": 10_000}
    results = catapult.data.rows(shard, targets={"result_share": 1.0}, window=settings)
    searched = catapult.data.rows(shard, targets={"result_share": 0.0}, window=settings)
    mixed = catapult.data.rows(shard, targets={"result_share": 0.25}, window=settings)
    a, b, c = (rows.arrays() for rows in (results, searched, mixed))
    assert c["values"] == pytest.approx(0.25 * a["values"] + 0.75 * b["values"], abs=1e-5)
    finished = a["moves_left_weight"] == 1
    assert set(np.unique(a["values"][finished])) <= {0.0, 1.0}


def test_mirrored_rows_are_mirrored(shard) -> None:
    rows = catapult.data.rows(shard)
    numbers = np.arange(len(rows))
    plain, flipped = rows.arrays(numbers), rows.arrays(numbers, mirror=np.ones(len(rows), bool))
    where = flipped["mirrored"]
    assert 0 < where.sum() < len(rows)
    # Own pieces change files, and the policy follows its moves.
    assert np.array_equal(flipped["planes"][where][..., :12], plain["planes"][where][:, :, ::-1, :12])
    assert np.array_equal(flipped["planes"][~where], plain["planes"][~where])
    assert np.array_equal(flipped["policy"], plain["policy"])
    square, mirrored = plain["moves"][:, 2], flipped["moves"][:, 2]
    of_row = where[plain["moves"][:, 0]]
    assert np.array_equal(mirrored[of_row], square[of_row] ^ 7) and np.array_equal(mirrored[~of_row], square[~of_row])


def test_batches_go_through_all_rows_and_repeat(shard) -> None:
    rows = catapult.data.rows(shard)
    size = 16
    drawn = [batch["row"] for batch, _ in zip(catapult.data.batches(rows, size, seed=5), range(len(rows) // size))]
    flat = np.concatenate(drawn)
    assert len(np.unique(flat)) == len(flat)
    again = [batch["row"] for batch, _ in zip(catapult.data.batches(rows, size, seed=5), range(len(rows) // size))]
    assert np.array_equal(flat, np.concatenate(again))
    batch = next(catapult.data.batches(rows, size, seed=6, mirror=False))
    assert not batch["mirrored"].any() and not np.array_equal(batch["row"], drawn[0])
    dense = catapult.data.dense_policy(batch, rows.shapes["actions"])
    assert dense.shape == (size, 8512) and dense.sum(1) == pytest.approx(1, abs=1e-5)
    # Two moves of one row with the same action, as with four catapults.
    policy = np.array([0.75, 0.25], np.float32)
    shared = {"values": np.zeros((1, 3)), "moves": np.zeros((2, 4), np.int64), "actions": np.array([5, 5]), "policy": policy}
    assert catapult.data.dense_policy(shared, 8).tolist() == [[0, 0, 0, 0, 0, 1, 0, 0]]
    surprised = catapult.data.rows(shard, targets={"surprise_share": 0.5})
    assert surprised.frequencies().mean() == pytest.approx(1, abs=0.05) and surprised.frequencies().std() > 0.1


def test_damaged_shards_are_refused(shard, tmp_path) -> None:
    data = bytearray(shard.read_bytes())
    data[len(data) // 2] ^= 1
    damaged = tmp_path / shard.name
    damaged.write_bytes(data)
    for call in (catapult.data.Shard, catapult.data.rows):
        with pytest.raises(ValueError, match="damaged: its name says"):
            call(damaged, ["chesspp"]) if call is catapult.data.rows else call(damaged)
    with pytest.raises(ValueError, match="not a shard's name"):
        catapult.data.Shard(tmp_path / "games.parquet")
    with pytest.raises(FileNotFoundError):
        catapult.data.Shard(tmp_path / "games-0123456789abcdef.parquet")
    for settings, message in [
        ({"variants": ["chess"]}, "has variant `chesspp`"),
        ({"variants": ["chesspp", "half"]}, "8x8"),
        ({"window": {"rows": 3}}, "rows"),
        ({"window": {"rows_per_game": 0}}, "window: rows_per_game = 0"),
        ({"targets": {"share": 3}}, "share"),
        ({"targets": {"surprise_share": 5}}, "surprise_share = 5: must be from 0 to 1"),
        ({"variants": ["draughts"]}, "draughts"),
    ]:
        with pytest.raises(ValueError, match=message):
            catapult.data.rows(shard, **settings)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        catapult.data.rows(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="there are no shards"):
        catapult.data.rows(tmp_path / "empty")
    with pytest.raises(IndexError):
        catapult.data.rows(shard).arrays([10**6])
    for key, value in [("batch_rows", 0), ("batch_rows", -1), ("seed", -1)]:
        with pytest.raises(ValueError, match=f"{key} = {value}: must be from"):
            catapult.data.batches(catapult.data.rows(shard), **{"batch_rows": 16, key: value})
    with pytest.raises(ValueError, match="last = -1: must be from 0"):
        catapult.data.rows(shard, last=-1)
    with pytest.raises(ValueError, match="slots = -1: must be from 1"):
        catapult.data.selfplay(catapult.Engine(), "chess", 1, tmp_path, slots=-1)
    with pytest.raises(ValueError, match="fork_share"):
        catapult.data.selfplay(catapult.Engine(), "chess", 1, tmp_path, fork_share=2)
    with pytest.raises(ValueError, match="unknown"):
        catapult.data.selfplay(catapult.Engine(), "chess", 1, tmp_path, unknown=2)


TARGETS = {"result_share": 0.5, "value_lambda": 0.5, "adjudicated_weight": 0.5, "adjudicated_from": 1.0, "surprise_share": 0.5}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run as created by `catapult train`: two generations with their reports."""
    folder = tmp_path_factory.mktemp("run")
    (folder / "config.toml").write_text(
        'name = "small"\nvariant = "chesspp"\nseed = 7\ngenerations = 3\n[window]\nstart_rows = 100\nrows_per_game = 30\n'
        "[learning]\nbatch_rows = 16\n" + "".join(f"{name} = {value}\n" for name, value in TARGETS.items())
    )
    engine = catapult.Engine("material", simulations=4)
    for generation in range(4):
        path = folder / f"generation-{generation:04}"
        (path / "games").mkdir(parents=True)
        new = 0
        if generation:
            for number in range(2):
                name = f"shard-{number:04}"
                settings = {"name": name, "seed": 10 * generation + number, "ply_cap": 60}
                catapult.data.selfplay(engine, "chesspp", 3, path / "games", **settings)
            new = len(catapult.data.rows(path / "games", window={"rows_per_game": 30}))
        (path / "report.json").write_text(json.dumps({"learning": {"new_rows": new, "steps": 5}}))
    return folder


def test_runs(run, tmp_path) -> None:
    opened = catapult.data.Run(run)
    assert opened.generations == [0, 1, 2, 3] and opened.variants == ["chesspp"] and opened.config["seed"] == 7
    assert [len(opened.shards(generation)) for generation in opened.generations] == [0, 2, 2, 2]
    counts = [len(opened.rows(generation)) for generation in (1, 2, 3)]
    assert counts == [opened.report(generation)["learning"]["new_rows"] for generation in (1, 2, 3)]
    # The window starts at 100 rows and grows by KataGo's law. Its rows are the last ones, newest
    # last.
    played = sum(counts)
    size = int(100 * (1 + 0.4 * ((played / 100) ** 0.75 - 1) / 0.75)) if played > 100 else 100
    window = opened.window(3)
    assert len(window) == min(size, played)
    assert window.fens()[-counts[2] :] == opened.rows(3).fens()
    found = opened.rows(3).arrays()
    expected = catapult.data.rows(opened.shards(3), window={"rows_per_game": 30}, targets=TARGETS).arrays()
    assert all(np.array_equal(found[name], expected[name]) for name in ("values", "value_weight", "frequency"))
    first = next(opened.batches(3, window))
    assert first["planes"].shape == (16, 8, 8, 32)
    assert np.array_equal(first["row"], next(opened.batches(3))["row"])
    # The seed of Stream::Learner for generation 3 and seed 7, from the test in crates/seeds/src/lib.rs.
    learner = next(catapult.data.batches(window, 16, seed=0x6E409DFE922E5C35))
    assert all(np.array_equal(first[name], learner[name]) for name in ("row", "mirrored"))
    with pytest.raises(ValueError, match="generation 9 is not complete"):
        opened.window(9)
    with pytest.raises(ValueError, match="generation 99 has 0 of 2 shards"):
        opened.rows(99)
    shutil.copytree(run, tmp_path / "partial")
    partial = catapult.data.Run(tmp_path / "partial")
    partial.shards(2)[0].unlink()
    with pytest.raises(ValueError, match="generation 2 has 1 of 2 shards"):
        partial.window(3)
    with pytest.raises(ValueError, match="not a run"):
        catapult.data.Run(run / "generation-0001")
    (tmp_path / "config.toml").write_text("name = ")
    with pytest.raises(ValueError, match=r"config\.toml: "):
        catapult.data.Run(tmp_path)


def test_a_fork_learned_by_its_trunks_config_up_to_the_fork(run, tmp_path) -> None:
    fork = tmp_path / "fork"
    shutil.copytree(run, fork)
    trunk = catapult.data.Run(run)
    (fork / "fork.json").write_text(json.dumps({"generation": 2, "network": "", "trunk": trunk.config}))
    text = (fork / "config.toml").read_text()
    (fork / "config.toml").write_text(text.replace("batch_rows = 16", "batch_rows = 8").replace("start_rows = 100", "start_rows = 10"))
    forked = catapult.data.Run(fork)
    assert np.array_equal(next(forked.batches(2))["row"], next(trunk.batches(2))["row"])
    assert len(next(forked.batches(3))["row"]) == 8 and len(forked.window(3)) < len(trunk.window(3))


def test_torch_dataset(shard, monkeypatch) -> None:
    torch = pytest.importorskip("torch")
    rows = catapult.data.rows(shard)
    dataset = catapult.data.torch_dataset(rows, 8, steps=5, seed=1)
    found = list(torch.utils.data.DataLoader(dataset, batch_size=None))
    assert len(found) == 5 and found[0]["planes"].dtype == torch.float32 and found[0]["moves"].dtype == torch.int64
    plain = next(catapult.data.batches(rows, 8, seed=1))
    assert all(np.array_equal(found[0][name].numpy(), array) for name, array in plain.items())
    # No batch is drawn after the last step.
    drawn, batches = [], catapult.data.batches
    monkeypatch.setattr(catapult.data, "batches", lambda *given, **named: map(lambda batch: (drawn.append(1), batch)[1], batches(*given, **named)))
    assert len(list(dataset)) == len(drawn) == 5


def test_training_lowers_the_losses_and_the_network_plays(shard, tmp_path) -> None:
    torch = pytest.importorskip("torch")
    import catapult.torch

    torch.manual_seed(0)
    rows = catapult.data.rows(shard)
    module = catapult.torch.Module(catapult.Network.untrained("chesspp", channels=16, blocks=2))
    optimizer = torch.optim.AdamW(module.parameters(), lr=3e-3)
    losses = []
    for batch, _ in zip(catapult.data.batches(rows, 64, seed=1), range(40)):
        loss = module.loss(batch)
        optimizer.zero_grad()
        loss.total.backward()
        optimizer.step()
        losses.append([part.item() for part in loss])
    # An untrained network has a uniform policy: its loss is the mean logarithm of the number of
    # moves.
    first = next(catapult.data.batches(rows, 64, seed=1))
    assert losses[0][1] == pytest.approx(np.log(np.diff(first["offsets"])).mean(), abs=1e-4)
    assert losses[0][2] == pytest.approx(np.log(3), abs=1e-4)
    # Only the total depends on the mean weights.
    whole, half = (module.loss({**first, "value_weight": first["value_weight"] * weight}) for weight in (1, 0.5))
    assert half.value.item() == pytest.approx(whole.value.item(), abs=1e-5) and half.total < whole.total
    assert np.mean([loss[0] for loss in losses[-5:]]) < 0.9 * losses[0][0]
    path = tmp_path / "trained.safetensors"
    module.to_network({"trained": "in a test"}).save(path)
    assert catapult.play_match(f"{path}:8", "random", games=4)["games"] == 4
