"""What the simulation is told, and what it tells."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Seconds = float | list[float] | dict[str, float]  # Always the same, one of those measured, or {"mean": M, "sd": S}.

PLAYING, LAUNCHER, STORE, LOST = "playing", "launcher", "store", "failures and copies"
LEARNER, LAST, FEW = "waits for the learner", "waits for the last shards", "has no shard"
SHARES = [PLAYING, LAUNCHER, STORE, LOST, LAST, FEW, LEARNER]
LIMITS = {LEARNER: "learner", LAST: "stragglers", FEW: "too few shards", LOST: "failures"}


@dataclass(frozen=True)
class Inputs:
    """What is known of a run and its machines; seconds and bytes everywhere."""

    games: float  # A generation, as it was measured, and its shards.
    shards: int
    shard_seconds: Seconds  # On one thread, without the start of the process.
    learn_seconds: Seconds
    one_game_seconds: float | None = None  # A shard of a single game; left out, a shard takes as long as it has games.
    start_seconds: float = 0.0  # Of the process of a unit, until it works.
    network_bytes: float = 0.0
    shard_bytes: float = 0.0
    state_bytes: float = 0.0  # What a learn unit publishes beside the network.
    list_seconds: float = 0.0  # Asking what can be made now (`units`); as often again for every further 1,000 shards.
    latency: float = 0.0  # The store: of a request, bandwidth of a request and of all, requests a second.
    bandwidth_each: float = math.inf
    bandwidth: float = math.inf
    requests_per_second: float = math.inf
    small_requests: int = 0  # A unit makes them one after the other before it works: what is there, the config.
    connections: int = 1  # With which the learner fetches shards at once.
    launch_seconds: float = 0.0  # The launcher: until a free worker has its unit, and units that it can hand out a second.
    launches_per_second: float = math.inf
    workers_per_node: int = 1  # A node fetches each network once.
    failures_per_hour: float = 0.0  # Of a worker while it plays (of the learner while it learns), what was under way is lost.
    notice_seconds: float = 0.0  # Until the launcher knows, and until the worker is back.
    restart_seconds: float = 0.0
    fail_chance: float = 0.0  # Of a unit at its end: exit code 75.
    straggler_one_in: float = math.inf  # One run of a shard in so many takes `slower` times as long; noise of all of them (lognormal).
    straggler_slower: float = 1.0
    straggler_sigma: float = 0.0
    backup_after: float | None = None  # Idle workers copy units that take this many times the mean; left out, never.
    in_order: bool = False  # Whether lists of seconds are gone through in order, one a unit, instead of drawn from.

    @staticmethod
    def read(path: Path) -> tuple[Inputs, dict[str, Any]]:
        """The inputs of a file, and all that it says."""
        told = json.loads(path.read_text())
        return Inputs(**told["measured"], **told["assumed"]), told


@dataclass(frozen=True)
class Plan:
    """What may be chosen: left out, shards and games are those of the inputs. `learner` is its speed, 10 for ten times as fast."""

    workers: int
    lag: int = 0
    shards: int | None = None
    games: float | None = None
    learner: float = 1.0
    generations: int = 20
    seed: int = 1


@dataclass
class Result:
    seconds: list[float]  # When each generation was learned.
    games_an_hour: float
    generations_an_hour: float
    shares: dict[str, float]  # Of the workers' time, see SHARES.
    learner_busy: float
    made: Counter[tuple[int, int]]  # Units that were counted, by generation and number (-1: learn).
    copies: int  # Units that were made though they were there already, and runs of units that failed.
    failures: int

    @property
    def limit(self) -> str:
        worst = max(SHARES, key=lambda share: self.shares[share])
        return LIMITS.get(worst, worst)


def mean(seconds: Seconds) -> float:
    if isinstance(seconds, dict):
        return seconds["mean"]
    return sum(seconds) / len(seconds) if isinstance(seconds, list) else seconds
