"""Networks: files, arrays, ONNX and PyTorch compared with the forward pass in Rust."""

from __future__ import annotations

import copy
import errno
import pickle

import numpy as np
import pytest
from conftest import random_game

import catapult
import catapult.data

GAMES = ["chess", "chesspp+third", "century", "half", "maxim"]


def shaken(variant: str, seed: int = 0) -> catapult.Network:
    """A network without zero parameters."""
    network = catapult.Network.untrained(variant, channels=8, blocks=3, seed=seed)
    rng = np.random.default_rng(seed)
    arrays = {}
    for name, array in network.parameters().items():
        noise = 0.05 * rng.standard_normal(array.shape).astype(np.float32)
        arrays[name] = array + (abs(noise) if name.endswith("variance") else noise)
    return catapult.Network.from_arrays(network.architecture, network.layout, arrays, {"made": "by a test"})


def inputs(variant: str, count: int = 6) -> dict[str, np.ndarray]:
    """Encoded positions, as an engine passes them to a function."""
    seen = {}

    def keep(positions):
        seen.update(planes=positions.planes, globals=positions.globals, moves=positions.moves)
        return np.zeros(len(positions.moves)), np.zeros(len(positions))

    boards = []
    for seed in range(count):
        board = random_game(variant, seed, plies=8 + seed)
        boards.append(board)
    catapult.Engine(keep, simulations=0).analyse_many(boards)
    seen["boards"] = boards
    return seen


@pytest.mark.parametrize("variant", GAMES)
def test_boards_and_arrays_get_the_same_answers(variant: str) -> None:
    network, given = shaken(variant), inputs(variant)
    logits, values, left = network.forward(given["planes"], given["globals"], given["moves"])
    of_boards, left_of_boards, policies = network.evaluate(given["boards"])
    # The engine passes positions one board at a time, in the order of the boards.
    assert np.array_equal(values, of_boards) and np.array_equal(left, left_of_boards)
    for row, policy in enumerate(policies):
        own = logits[given["moves"][:, 0] == row].astype(np.float64)
        expected = np.exp(own - own.max())
        assert policy == pytest.approx(expected / expected.sum(), abs=1e-5) and policy.sum() == pytest.approx(1, abs=1e-5)
    other_types = given["planes"].tolist(), given["globals"].astype(np.float64), given["moves"].astype(np.int32)
    assert all(np.array_equal(a, b) for a, b in zip(network.forward(*other_types), (logits, values, left)))
    nothing = (given[name][:0].astype(np.float64) for name in ("planes", "globals"))
    assert [len(found) for found in network.forward(*nothing, given["moves"][:0])] == [0, 0, 0]
    assert values.sum(1) == pytest.approx(1, abs=1e-5) and values.std(0).max() > 1e-4 and logits.std() > 1e-3


def test_files(tmp_path) -> None:
    network = shaken("half")
    path = tmp_path / "network.safetensors"
    digest = network.save(path)
    read = catapult.Network.load(path)
    assert (read.hash, network.hash) == (digest, None) and read.provenance == {"made": "by a test"}
    assert read.architecture == network.architecture and read.variants == ["half"]
    assert all(np.array_equal(array, network.parameters()[name]) for name, array in read.parameters().items())
    info = catapult.inspect(path)
    assert info["hash"] == digest and info["layout"] == network.layout and info["architecture"]["channels"] == 8
    again = pickle.loads(pickle.dumps(network))
    assert again.save(tmp_path / "again.safetensors") == digest
    # Copies keep the hash, and records name a network that is not from a file by the file's hash.
    assert all(other.hash == digest for other in (copy.copy(read), copy.deepcopy(read), pickle.loads(pickle.dumps(read))))
    shards = [catapult.data.selfplay(catapult.Engine(one, simulations=1), "half", 1, tmp_path, name=name, ply_cap=10) for one, name in ((network, "a"), (read, "b"))]
    assert [catapult.data.Shard(shard).metadata["network"] for shard in shards] == [digest, digest]
    # Another reader of the same format reads the same numbers.
    safetensors = pytest.importorskip("safetensors.numpy")
    loaded, ours = safetensors.load_file(str(path)), read.parameters()
    assert set(loaded) == set(ours) and all(np.array_equal(loaded[name], ours[name]) for name in ours)


def test_damage_is_named(tmp_path, shipped) -> None:
    data = bytearray(shipped.read_bytes())
    data[-3] ^= 1
    path = tmp_path / "damaged.safetensors"
    path.write_bytes(data)
    with pytest.raises(ValueError, match="damaged.safetensors"):
        catapult.Network.load(path)
    with pytest.raises(FileNotFoundError, match="gone.safetensors") as found:
        catapult.Network.load(tmp_path / "gone.safetensors")
    assert (found.value.errno, found.value.filename) == (errno.ENOENT, str(tmp_path / "gone.safetensors"))
    with pytest.raises(OSError):
        shaken("chess").save(path / "below-a-file.safetensors")


def test_wrong_arrays_are_named() -> None:
    network = shaken("chess")
    arrays = network.parameters()
    make = catapult.Network.from_arrays
    for change, message in [
        ({"policy.bias": arrays["policy.bias"][:5]}, r'"policy.bias": expected shape \[133\], got \[5\]'),
        ({"policy.bias": arrays["policy.bias"].astype(np.float64)}, "float32"),
        ({"policy.bias": np.full(133, np.nan, np.float32)}, "contains NaN"),
        ({"another": arrays["policy.bias"]}, '"another"'),
    ]:
        with pytest.raises(ValueError, match=message):
            make(network.architecture, network.layout, {**arrays, **change})
    arrays.pop("policy.bias")
    with pytest.raises(ValueError, match='"policy.bias" is missing'):
        make(network.architecture, network.layout, arrays)
    with pytest.raises(ValueError, match="known are .*half-12x12"):
        make(network.architecture, "go-19", {})
    with pytest.raises(ValueError, match="channels = 0"):
        catapult.Network.untrained("chess", channels=0, blocks=4)
    for size in (-1, 8.0):
        with pytest.raises(ValueError, match=f"channels = {size}: must be a whole number"):
            catapult.Network.untrained("chess", channels=size)
    with pytest.raises(ValueError, match="width"):
        catapult.Network.untrained("chess", channels=8, blocks=1, width=3)
    with pytest.raises(ValueError, match="has no legal move"):
        network.evaluate([catapult.Board("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")])
    with pytest.raises(ValueError, match="half-12x12|layout"):
        network.evaluate([catapult.Board("half")])
    given = inputs("chess", 1)
    with pytest.raises(ValueError, match=r"moves\[0\]"):
        network.forward(given["planes"], given["globals"], given["moves"] + 1000)
    with pytest.raises(ValueError, match="expected"):
        network.forward(given["planes"][:, :4], given["globals"], given["moves"])
    for planes, moves in [(given["planes"][0], given["moves"]), (given["planes"], given["moves"][0])]:
        with pytest.raises(ValueError, match="planes, globals and moves have shapes"):
            network.forward(planes, given["globals"], moves)
    with pytest.raises(ValueError, match="moves: .*Cannot cast"):
        network.forward(given["planes"], given["globals"], given["moves"].astype(np.float64))
    for name, value in [("planes", -0.25), ("planes", 2), ("planes", np.nan), ("globals", np.inf)]:
        changed = {name: np.full_like(given[name], value)}
        with pytest.raises(ValueError, match="planes are 0 to 1 and globals finite"):
            network.forward(**{"planes": given["planes"], "globals": given["globals"], "moves": given["moves"], **changed})


@pytest.mark.parametrize("variant", GAMES)
def test_onnxruntime_gives_the_same_numbers(variant: str, tmp_path) -> None:
    pytest.importorskip("onnx")
    onnxruntime = pytest.importorskip("onnxruntime")
    import catapult.onnx

    network, given = shaken(variant), inputs(variant)
    given.pop("boards")
    path = tmp_path / "network.onnx"
    catapult.onnx.export(network, path)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    assert session.get_modelmeta().custom_metadata_map["layout"] == network.layout
    found = session.run(["logits", "values", "moves_left"], given)
    # Ours multiplies integers: the rounding is a few thousandths of the largest number.
    for theirs, ours in zip(found, network.forward(**given)):
        assert theirs.shape == ours.shape and theirs == pytest.approx(ours, rel=0, abs=0.02 * float(abs(theirs).max()))
    assert catapult.onnx.model(network).opset_import[0].version == catapult.onnx.OPSET == 17
    noted = catapult.Network.from_arrays(network.architecture, network.layout, network.parameters(), {"layout": "mine"})
    assert {entry.key: entry.value for entry in catapult.onnx.model(noted).metadata_props}["layout"] == network.layout


@pytest.mark.parametrize("variant", GAMES)
def test_pytorch_gives_the_same_numbers(variant: str) -> None:
    torch = pytest.importorskip("torch")
    import catapult.torch

    network, given = shaken(variant), inputs(variant)
    boards = given.pop("boards")
    module = catapult.torch.Module(network).eval()
    with torch.no_grad():
        out = module(*(torch.from_numpy(given[name]) for name in ("planes", "globals", "moves")))
    found = (out.logits, out.values.softmax(1), out.moves_left)
    for theirs, ours in zip(found, network.forward(**given)):
        assert theirs.numpy() == pytest.approx(ours, rel=0, abs=0.02 * float(abs(theirs.numpy()).max()))
    back = module.to_network().parameters()
    assert all(np.array_equal(back[name], array) for name, array in network.parameters().items())
    ours = catapult.Engine(network, simulations=16).analyse_many(boards)
    frozen = module.train().input["norm"].eval()
    theirs = catapult.Engine(module.evaluate, simulations=16).analyse_many(boards)
    assert module.training and not frozen.training
    # Rounding decides between nearly equal moves, so not every best move is the same.
    for a, b in zip(ours, theirs):
        priors = [{line.move: line.prior for line in analysis.lines} for analysis in (a, b)]
        assert priors[1] == pytest.approx(priors[0], abs=0.001) and b.value == pytest.approx(a.value, abs=0.02)
    assert sum(a.best == b.best for a, b in zip(ours, theirs)) > len(boards) / 2


def test_sparse_networks_play_and_are_not_towers(tmp_path) -> None:
    import catapult.onnx

    network = catapult.Network.untrained("chesspp", kind="sparse", width=64, seed=1)
    assert network.architecture == {"kind": "sparse", "width": 64, "policy_size": 64, "value_hidden": 32}
    values, _, [policy] = network.evaluate([catapult.Board("chesspp")])
    assert values == pytest.approx(1 / 3) and policy == pytest.approx(1 / len(policy))
    again = pickle.loads(pickle.dumps(network))
    assert again.architecture == network.architecture and "sparse-64" in repr(again)
    pytest.importorskip("onnx")
    with pytest.raises(ValueError, match="not a tower"):
        catapult.onnx.model(network)
    # A failed export leaves an existing file unchanged.
    path = tmp_path / "network.onnx"
    path.write_bytes(b"old")
    with pytest.raises(ValueError, match="not a tower"):
        catapult.onnx.export(network, path)
    assert path.read_bytes() == b"old"
    pytest.importorskip("torch")
    with pytest.raises(ValueError, match="not a tower"):
        pytest.importorskip("catapult.torch").Module(network)
