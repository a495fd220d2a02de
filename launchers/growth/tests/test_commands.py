"""The commands, on runs that take seconds; whether the simulation is right is what `check` itself measures."""

import json
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

from growth import Simulation
from terms import Inputs, Plan

HERE = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def nothing_written(monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


def load(name: str):
    spec = spec_from_loader(name, SourceFileLoader(name, str(HERE / name)))
    assert spec and spec.loader
    module = module_from_spec(spec)
    sys.modules[name] = module  # Dataclasses look it up.
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["quickstart"])
def test_the_inputs_that_are_shipped_are_read(name):
    inputs, told = Inputs.read(HERE / "inputs" / f"{name}.json")
    assert told["name"] == name and set(told) == {"name", "about", "measured", "assumed", "sources"}
    assert Simulation(inputs, Plan(16)).run().games_an_hour > 0


@pytest.mark.parametrize("fails", [0.0, 0.3])
def test_workers_make_a_run(tmp_path, fails):
    check = load("check")
    config = tmp_path / "config.json"
    told = {"generations": 2, "shards": 5, "matches": 1, "seconds": {"games": 0.02, "learn": 0.05}, "fails": fails}
    config.write_text(json.dumps(told))
    extra = [0.0] * 7 + [0.5] + [0.0] * 2
    found = check.play([str(check.FAKE)], config, 3, None, extra.__getitem__)
    assert found.tries - found.failed == 12 and (found.failed == 0 or fails)
    # In order of the units' names, whoever made them.
    assert len(found.shards) == 10 and found.shards.index(max(found.shards)) == 7
    assert len(found.learns) == 2 and min(found.starts) > 0 and found.seconds > sum(found.learns)


def test_a_unit_that_never_works_ends_the_check(tmp_path):
    check = load("check")
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"generations": 1, "shards": 2, "seconds": {}, "broken": ["generation-0001/shard-0001"]}))
    with pytest.raises(RuntimeError, match="shard-0001: exit code 1"):
        check.play([str(check.FAKE)], config, 2, None, lambda number: 0.0)


def test_the_program_is_checked_from_the_times_of_one_worker(tmp_path):
    # No claim about the ratio: a machine that does other work at the same time may be off.
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"per_generation": 40, "generations": 3, "shards": 4, "seconds": {"games": 0.1, "learn": 0.1}}))
    command = [sys.executable, HERE / "check", "--catapult", HERE.parent / "fake-catapult", "--config", config]
    done = subprocess.run([*command, "--workers", "1,2", "--generations", "2"], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert [line.split()[:3] for line in lines[1:3]] == [["1", "4", "2"], ["2", "4", "2"]], done.stderr
    measured = json.loads(lines[3].split(":", 1)[1])
    assert len(measured["shard_seconds"]) == 8 and len(measured["learn_seconds"]) == 2
