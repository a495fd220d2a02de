"""Resource requests of units, listings and progress output."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import threading
import time
import types
from pathlib import Path

import pytest

from catapult_ray import child, cli, cluster, driver, view
from catapult_ray.cluster import Node
from catapult_ray.driver import Demand, Options, demand
from catapult_ray.schedule import Schedule, Stopped, Unit

GAMES = Unit("generation-0001/shard-0000", "games", 1, 25)
LEARN = Unit("generation-0001/learn", "learn", 64, 1)


def options(**given: object) -> Options:
    plain: dict[str, object] = dict(
        program="true", place="/place", begin="config", retries=1, max_in_flight=None, gpus=1.0, gpu_for=frozenset({"learn"})
    )
    return Options(**{**plain, "json": False, "every": 30.0, **given})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("unit", "nodes", "given", "wanted"),
    [
        (GAMES, [Node(8, 0)], {}, Demand(1, 0)),
        (LEARN, [Node(4, 0), Node(8, 0)], {}, Demand(8, 0)),
        # Uses the GPU of the smaller node, and no more processors than that node has.
        (LEARN, [Node(32, 0), Node(8, 2)], {}, Demand(8, 1)),
        (GAMES, [Node(32, 0), Node(8, 2)], {}, Demand(1, 0)),
        (GAMES, [Node(8, 2)], {"gpu_for": frozenset({"games"}), "gpus": 0.25}, Demand(1, 0.25)),
        (LEARN, [Node(8, 2)], {"gpus": 0.0}, Demand(8, 0)),
        (LEARN, [Node(8, 1)], {"gpus": 2.0}, Demand(8, 0)),
        # A head that runs no units has no processors.
        (LEARN, [Node(0, 1), Node(2, 0)], {}, Demand(2, 0)),
        (GAMES, [Node(0, 0)], {}, None),
        (GAMES, [], {}, None),
    ],
)
def test_what_a_unit_asks_for(unit: Unit, nodes: list[Node], given: dict[str, object], wanted: Demand | None) -> None:
    found = demand(unit, nodes, options(**given))
    assert found == wanted
    if found is not None:
        assert any(found.fits(node) for node in nodes)
        assert found.device == ("cuda" if found.gpus else "cpu")


def program(folder: Path, text: str) -> str:
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def lister(**given: object) -> driver.Driver:
    """Returns a driver without Ray, which a listing does not use."""
    running = driver.Driver.__new__(driver.Driver)
    running.options, running.signal = options(**given), None
    return running


def test_a_listing_that_fails_is_asked_for_again(tmp_path: Path) -> None:
    line = '{"unit": "generation-0001/learn", "kind": "learn", "threads": 64, "expected": 1}'
    text = f"test -e {tmp_path}/tried && echo '{line}' && exit 0; touch {tmp_path}/tried; exit 75"
    assert lister(program=program(tmp_path, text)).listing(begin=True) == [LEARN]


@pytest.mark.parametrize(("code", "ends"), [(1, 1), (2, 1), (75, 75), (3, 75)])
def test_a_listing_that_never_works(tmp_path: Path, code: int, ends: int) -> None:
    with pytest.raises(Stopped, match="another config") as stopped:
        lister(program=program(tmp_path, f"echo another config >&2; exit {code}"), retries=0).listing(begin=False)
    assert stopped.value.code == ends


def test_a_signal_ends_the_retries_of_a_listing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def delay(*_: object) -> float:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGTERM)).start()
        return 60.0

    monkeypatch.setattr(driver, "delay", delay)
    running = lister(program=program(tmp_path, "exit 75"))
    signal.signal(signal.SIGTERM, running.signalled)
    began = time.monotonic()
    with pytest.raises(Stopped) as stopped:
        running.listing(begin=True)
    assert stopped.value.code == 143 and time.monotonic() - began < 30


def test_places_and_programs_are_named_alike_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    program(tmp_path, "true")
    parsed = cli.parse(["train", "c.toml", "--run", "runs/a", "--catapult", "./program", "--gpu-for", "learn,games"])
    found = cli.options_of(parsed)
    assert (found.program, found.place) == (str(tmp_path / "program"), str(tmp_path / "runs/a"))
    assert found.begin == "c.toml" and found.gpu_for == {"learn", "games"}
    assert cli.options_of(cli.parse(["study", "s.toml", "--out", "s3://bucket/a", "--catapult", "true"])).place == "s3://bucket/a"
    assert cli.main(["study", "s.toml", "--out", "a", "--catapult", "./missing"]) == 1


def test_gpus_are_for_kinds_of_units(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["train", "c.toml", "--run", "a", "--catapult", "true"]
    source = (Path(__file__).resolve().parents[3] / "crates/training/src/units.rs").read_text()
    variants = re.findall(r"^    (\w+),$", source.partition("pub enum Kind {")[2].partition("}")[0], re.MULTILINE)
    every = ", ".join(variants).lower()
    assert cli.options_of(cli.parse([*arguments, "--gpu-for", every])).gpu_for == set(every.split(", "))
    assert cli.options_of(cli.parse(arguments)).gpu_for == {"learn"}
    for wrong in ("game", "learn,", ""):
        with pytest.raises(SystemExit):
            cli.parse([*arguments, "--gpu-for", wrong])
        assert capsys.readouterr().err.endswith(f"it must be one of {every}\n")


def test_a_cluster_has_processors() -> None:
    with pytest.raises(SystemExit):
        cli.parse(["train", "c.toml", "--run", "a", "--cpus", "0"])


@pytest.mark.parametrize(
    ("arguments", "last"),
    [
        (["train", "c.toml", "--run", "a"], "`catapult train c.toml --run a` prints the table of its matches\n"),
        (["study", "s.toml", "--out", "a"], "`catapult study run s.toml --out a` writes the report\n"),
    ],
)
def test_the_command_that_remains(
    arguments: list[str], last: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    running = types.SimpleNamespace(signalled=None, run=lambda: {"kinds": {}, "seconds": 1.0, "retries": 0})
    monkeypatch.setattr(cluster, "join", lambda *_: None)
    monkeypatch.setattr(driver, "Driver", lambda _: running)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setitem(sys.modules, "ray", types.SimpleNamespace(shutdown=lambda: None))
    assert cli.main([*arguments, "--catapult", "true"]) == 0
    assert capsys.readouterr().err.endswith(last)


def test_what_is_shown() -> None:
    schedule, rates, told = Schedule(retries=3), view.Rates(0.0), io.StringIO()
    schedule.listed([GAMES, LEARN])
    schedule.take(0, room=1)
    rates.made(GAMES, 10.0)
    schedule.ended(GAMES.name, 0, True, "", 10.0)
    status = view.status(schedule, [Node(4, 0), Node(4, 1)], rates, 3600.0 / 60)
    assert status["kinds"]["games"] == {"done": 1, "in flight": 0, "waiting": 0}
    assert (status["units an hour"], status["games an hour"], status["seconds left"]) == (60, 1500, 60)
    seen = view.View(every=30, stream=told)
    for now in range(0, 61):
        seen.show(status, float(now))
    assert told.getvalue().count("\n") == 3
    assert "learn 0 done 0 in flight 1 waiting; 2 nodes, 8 CPUs, 1 GPUs, 1500 games/h, 0 retries, 1 min left" in told.getvalue()


def test_rates_are_those_of_the_last_minutes() -> None:
    rates = view.Rates(0.0)
    for second in range(3600):
        rates.made(GAMES, float(second))
    assert rates.hourly(3600.0) == pytest.approx((3600, 90000), rel=0.01)
    assert rates.hourly(10000.0) == (0, 0)
    rates.made(Unit("games/chess.chess-1.last.4/shard-0000", "games", 1, 960), 10000.0)
    assert rates.hourly(10000.0) == (6, 0)


def test_a_token_is_made_for_oneself_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(Stopped, match="no token"):
        cluster.token(local=False)
    cluster.token(local=True)
    path = tmp_path / ".ray" / "auth_token"
    assert path.stat().st_mode & 0o777 == 0o600 and len(path.read_text()) == 64
    text = path.read_text()
    cluster.token(local=True)
    cluster.token(local=False)
    assert path.read_text() == text


def test_nodes_need_not_have_the_package(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    ray.cloudpickle.register_pickle_by_value(child)
    (tmp_path / "task").write_bytes(ray.cloudpickle.dumps(child.make))
    code = "import pickle, sys; sys.modules['catapult_ray'] = None; print(pickle.load(open('task', 'rb'))('true', 'p', 'u', 1, 'cpu'))"
    told = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "told no unit" in told.stdout
