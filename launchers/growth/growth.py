"""How a run grows with the machines it is spread over: a discrete-event simulation, fed with measured times of its units.

A generation is `shards` shards of games, which any worker plays, and then one learn unit, which needs them all and is made by a machine
of its own (with `lag` 0 it makes no difference that a worker could be it). The shards of generation g are played by the network of
generation g - 1 - lag. Everything goes through a store, and a launcher hands units to workers. One seed, one result.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter, defaultdict, deque
from collections.abc import Generator
from dataclasses import dataclass, field
from itertools import count

from terms import FEW, LAST, LAUNCHER, LEARNER, LOST, PLAYING, SHARES, STORE, Inputs, Plan, Result, Seconds, mean

Process = Generator[float | None, None, None]  # Yields the seconds that it waits, or None until it is woken.


class Queue:
    """Something that serves one after the other, so much a second: the store's bandwidth and requests, the launcher."""

    def __init__(self) -> None:
        self.free = 0.0

    def wait(self, now: float, takes: float, alone: float) -> float:
        """Seconds until it is done, which takes `takes` of what all share and `alone` for whoever asks."""
        begins = max(now, self.free)
        self.free = begins + takes
        return max(self.free, begins + alone) - now


@dataclass(eq=False)
class Unit:
    generation: int
    number: int
    runs: int = 0
    made: bool = False


@dataclass
class Simulation:
    inputs: Inputs
    plan: Plan
    now: float = 0.0
    events: list[tuple[float, int, Process]] = field(default_factory=list)
    queue: deque[Unit] = field(default_factory=deque)
    late: deque[Unit] = field(default_factory=deque)

    def __post_init__(self) -> None:
        inputs, plan = self.inputs, self.plan
        self.shards = plan.shards or inputs.shards
        self.games = plan.games or inputs.games
        measured, each = inputs.games / inputs.shards, self.games / self.shards
        usual, one = mean(inputs.shard_seconds), inputs.one_game_seconds
        # A shard's seconds are a line through a shard of one game and one of as many as were measured.
        self.size = each / measured
        self.scale = self.size if one is None or measured <= 1 else (one + (usual - one) * (each - 1) / (measured - 1)) / usual
        self.usual = usual * self.scale
        self.excess = max(0, plan.workers - self.shards * (plan.lag + 1))
        self.random = random.Random(plan.seed)
        self.order, self.store, self.launcher = count(), Queue(), Queue()
        self.spent: defaultdict[str, float] = defaultdict(float)
        self.made: Counter[tuple[int, int]] = Counter()
        self.missing: dict[int, int] = {}
        self.networks: dict[tuple[int, int], float] = {}
        self.seconds: list[float] = []
        self.workers = [self.work(worker) for worker in range(plan.workers)]
        self.idle = deque(range(plan.workers))
        self.since = [0.0] * plan.workers  # Until when a worker's time is in `spent`.
        self.learner, self.awaited = self.learn(), 0  # The generation whose shards the learner waits for.
        self.settled = self.learner_seconds = 0.0
        self.phase: str | None = None  # What the learner does; None while it waits for shards.
        self.copies = self.failures = 0

    def start(self, process: Process, delay: float = 0.0) -> None:
        heapq.heappush(self.events, (self.now + delay, next(self.order), process))

    def run(self) -> Result:
        self.start(self.learner)
        while len(self.seconds) < self.plan.generations:
            self.now, _, process = heapq.heappop(self.events)
            wait = next(process, None)
            if wait is not None:
                self.start(process, wait)
        self.settle()
        for worker in set(range(self.plan.workers)).difference(self.idle):
            self.book(worker, PLAYING)
        # The first generations of a run that lags are played with no network to wait for.
        skipped = min(self.plan.lag + 1, len(self.seconds) - 1) if self.plan.lag else 0
        began = self.seconds[skipped - 1] if skipped else 0.0
        hourly = 3600 * (len(self.seconds) - skipped) / (self.now - began)
        shares = {share: self.spent[share] / (self.now * self.plan.workers) for share in SHARES}
        busy = self.learner_seconds / self.now
        return Result(self.seconds, hourly * self.games, hourly, shares, busy, self.made, self.copies, self.failures)

    # What workers spend their time on.

    def settle(self) -> None:
        """Books the time of the idle until now; called before their number or what they wait for changes."""
        span, self.settled = self.now - self.settled, self.now
        idle = len(self.idle)
        few = 0 if self.phase else min(idle, self.excess)
        self.spent[FEW] += few * span
        self.spent[self.phase or LAST] += (idle - few) * span

    def book(self, worker: int, share: str) -> None:
        self.spent[share] += self.now - self.since[worker]
        self.since[worker] = self.now

    def enter(self, phase: str | None) -> None:
        self.settle()
        self.phase = phase

    # Times.

    def draw(self, seconds: Seconds, number: int) -> float:
        inputs, chance = self.inputs, self.random
        if isinstance(seconds, list):
            base = seconds[number % len(seconds)] if inputs.in_order else chance.choice(seconds)
        elif isinstance(seconds, dict):
            sigma = math.sqrt(math.log1p((seconds["sd"] / seconds["mean"]) ** 2))
            base = chance.lognormvariate(math.log(seconds["mean"]) - sigma**2 / 2, sigma)
        else:
            base = seconds
        return base

    def straggle(self) -> float:
        inputs, factor = self.inputs, 1.0
        if inputs.straggler_sigma:
            factor = self.random.lognormvariate(-(inputs.straggler_sigma**2) / 2, inputs.straggler_sigma)
        return factor * (inputs.straggler_slower if self.random.random() * inputs.straggler_one_in < 1 else 1)

    def request(self, size: float, requests: int = 1, connections: int = 1) -> float:
        inputs = self.inputs
        shared = max(requests / inputs.requests_per_second, size / inputs.bandwidth)
        alone = math.ceil(requests / connections) * inputs.latency + size / (connections * inputs.bandwidth_each)
        return self.store.wait(self.now, shared, alone)

    def launch(self) -> float:
        return self.launcher.wait(self.now, 1 / self.inputs.launches_per_second, self.inputs.launch_seconds) + self.inputs.start_seconds

    def listing(self) -> float:
        return self.inputs.list_seconds * math.ceil(self.shards / 1000)

    def attempt(self, seconds: float) -> tuple[float, bool, bool]:
        """How long a unit runs, whether its worker breaks down before its end, and whether the unit fails at its end."""
        rate = self.inputs.failures_per_hour / 3600
        until = self.random.expovariate(rate) if rate else math.inf
        return min(until, seconds), until < seconds, self.random.random() < self.inputs.fail_chance

    # The launcher's lists.

    def release(self, generation: int) -> None:
        self.missing[generation] = self.shards
        self.queue.extend(Unit(generation, number) for number in range(self.shards))
        self.wake(self.shards)

    def wake(self, workers: int) -> None:
        self.settle()
        for _ in range(min(workers, len(self.idle))):
            worker = self.idle.popleft()
            self.since[worker] = self.now
            self.start(self.workers[worker])

    def after(self, seconds: float, unit: Unit, where: deque[Unit]) -> Process:
        """Puts a unit on a list (to be made again, to be copied) later on, if it still has not been made."""
        yield seconds
        if not unit.made:
            where.appendleft(unit)
            self.wake(1)

    def take(self) -> Unit | None:
        for units in (self.queue, self.late):
            while units:
                unit = units.popleft()
                if not unit.made:
                    return unit
        return None

    # Those who act.

    def work(self, worker: int) -> Process:
        inputs = self.inputs
        while True:
            unit = self.take()
            if unit is None:
                self.settle()
                self.idle.append(worker)
                yield None
                continue
            unit.runs += 1
            yield self.launch()
            self.book(worker, LAUNCHER)
            if inputs.small_requests:
                yield self.request(0, inputs.small_requests)
            key = (worker // inputs.workers_per_node, max(0, unit.generation - 1 - self.plan.lag))
            if key not in self.networks:
                self.networks[key] = self.now + self.request(inputs.network_bytes)
            yield max(0.0, self.networks[key] - self.now)
            self.book(worker, STORE)
            if inputs.backup_after and unit.runs == 1:
                self.start(self.after(inputs.backup_after * self.usual, unit, self.late))
            number = (unit.generation - 1) * self.shards + unit.number
            seconds, broken, failed = self.attempt(self.draw(inputs.shard_seconds, number) * self.straggle() * self.scale)
            yield seconds
            if broken or failed:
                self.failures += 1
                self.book(worker, LOST)
                self.start(self.after(inputs.notice_seconds if broken else 0.0, unit, self.queue))
                if broken:
                    yield inputs.restart_seconds
                    self.book(worker, LOST)
                continue
            self.book(worker, LOST if unit.made else PLAYING)
            if not unit.made:
                yield self.request(inputs.shard_bytes * self.size)
                self.book(worker, STORE)
            if unit.made:
                self.copies += 1
                continue
            unit.made = True
            self.made[unit.generation, unit.number] += 1
            self.missing[unit.generation] -= 1
            if self.missing[unit.generation] == 0 and unit.generation == self.awaited:
                self.awaited = 0
                self.start(self.learner)

    def learn(self) -> Process:
        inputs = self.inputs
        self.enter(LAUNCHER)
        yield self.listing()
        for generation in range(1, self.plan.lag + 2):
            self.release(generation)
        for generation in count(1):
            if self.missing[generation]:
                self.enter(None)
                self.awaited = generation
                yield None
                self.enter(LAUNCHER)
                yield self.listing()
            began, failed = self.now, True
            while failed:
                self.enter(LAUNCHER)
                yield self.launch()
                self.enter(STORE)
                if inputs.small_requests:
                    yield self.request(0, inputs.small_requests)
                yield self.request(inputs.shard_bytes * self.size * self.shards, self.shards, inputs.connections)
                self.enter(LEARNER)
                work = self.draw(inputs.learn_seconds, generation - 1) * self.games / inputs.games / self.plan.learner
                seconds, broken, failed = self.attempt(work)
                yield seconds + (inputs.notice_seconds + inputs.restart_seconds if broken else 0.0)
                failed = failed or broken
                self.failures += failed
            self.enter(STORE)
            yield self.request(inputs.network_bytes + inputs.state_bytes)
            self.made[generation, -1] += 1
            self.seconds.append(self.now)
            self.learner_seconds += self.now - began
            self.enter(LAUNCHER)
            yield self.listing()
            self.release(generation + 1 + self.plan.lag)
