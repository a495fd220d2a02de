"""The curves of `simulate --out`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from matplotlib.ticker import NullLocator, StrMethodFormatter

from terms import SHARES

WORKERS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 10_000]
BLUE, ORANGE, GREEN, RED, GREY = "#56b4e9", "#e69f00", "#009e73", "#d55e00", "#888888"
# Of SHARES: what is of use first, what waits last.
COLORS = ["#009e73", "#56b4e9", "#0072b2", "#cc3311", "#e69f00", "#dddddd", "#888888"]

STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "growth",  # The same curves are the same bytes.
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.titlesize": 10,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}


def ticks(axis: Any, powers: list[int]) -> None:
    axis.set_ticks(powers)
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axis.set_minor_locator(NullLocator())


def logarithmic(axes: Any, rates: bool = True) -> None:
    axes.set_xscale("log")
    ticks(axes.xaxis, [1, 10, 100, 1000, 10_000])
    axes.set_xlim(1, 10_000)
    if rates:
        axes.set_yscale("log")
        axes.set_ylabel("games an hour")
        low, high = axes.get_ylim()
        leading = (1,) if high > 300 * low else (1, 2, 5)
        found = [digit * 10**power for power in range(math.floor(math.log10(low)), 8) for digit in leading]
        ticks(axes.yaxis, [tick for tick in found if low <= tick <= high])


def growth(runs: Any, name: str) -> Any:
    inputs = runs.inputs
    figure, axes = plt.subplots(figsize=(8, 4.8))
    kinds = [
        (f"{inputs.shards} shards a generation", BLUE, lambda workers, lag: runs.run(workers, lag=lag)),
        ("a shard for each worker", ORANGE, lambda workers, lag: runs.grown(workers, lag=lag)),
        ("the same, learner 10 times as fast", GREEN, lambda workers, lag: runs.grown(workers, lag=lag, learner=10)),
        ("the same, learner 100 times as fast", RED, lambda workers, lag: runs.grown(workers, lag=lag, learner=100)),
    ]
    for label, color, made in kinds:
        for lag, style in ((0, "-"), (1, "--")):
            rates = [made(workers, lag).games_an_hour for workers in WORKERS]
            # The first kind lies under the second as long as there are no more workers than shards.
            width = 4 if color == BLUE else 1.5
            axes.plot(WORKERS, rates, style, color=color, linewidth=width, label=label if lag == 0 else None)
    top = axes.get_ylim()[1]
    one = runs.run(1, lag=1).games_an_hour
    axes.plot(WORKERS, [one * workers for workers in WORKERS], ":", color=GREY, label="if nobody ever waited")
    axes.set_ylim(one * 0.6, top * 2)
    axes.plot([], [], "--", color="black", label="dashed: one network behind")
    logarithmic(axes)
    axes.set_xlabel("workers of one thread")
    axes.set_title(f"{name}: games an hour", loc="left")
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


def shares(runs: Any, name: str) -> Any:
    figure, panels = plt.subplots(1, 3, figsize=(11, 4.2), sharey=True)
    kinds = [
        (f"{runs.inputs.shards} shards, in step", lambda workers: runs.run(workers)),
        ("a shard for each worker,\nlearner 100 times as fast, in step", lambda workers: runs.grown(workers, learner=100)),
        ("the same, one network behind", lambda workers: runs.grown(workers, learner=100, lag=1)),
    ]
    for axes, (title, made) in zip(panels, kinds, strict=True):
        results = [made(workers) for workers in WORKERS]
        stacks = [[100 * result.shares[share] for result in results] for share in SHARES]
        axes.stackplot(WORKERS, stacks, labels=SHARES, colors=COLORS, edgecolor="white", linewidth=0.4)
        logarithmic(axes, rates=False)
        axes.set_ylim(0, 100)
        axes.set_title(title, loc="left")
        axes.set_xlabel("workers of one thread")
    panels[0].set_ylabel("% of the workers' time")
    figure.suptitle(f"{name}: where the time goes", x=0.01, ha="left", fontsize=11)
    handles, labels = panels[0].get_legend_handles_labels()
    panels[2].legend(handles[::-1], labels[::-1], loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


def shards(runs: Any, name: str) -> Any:
    inputs = runs.inputs
    figure, axes = plt.subplots(figsize=(8, 4.4))
    counts = sorted({*(2**power for power in range(1, 14) if 2**power < inputs.games), int(inputs.games)})
    for learner, color in ((1, BLUE), (10, GREEN), (100, RED)):
        for lag, style in ((0, "-"), (1, "--")):
            rates = [runs.run(64, shards=count, lag=lag, learner=learner).games_an_hour for count in counts]
            label = "learner as measured" if learner == 1 else f"learner {learner} times as fast"
            axes.plot(counts, rates, style, color=color, marker=".", label=label if lag == 0 else None)
    axes.plot([], [], "--", color="black", label="dashed: one network behind")
    axes.axvline(64, color=GREY, linewidth=0.8)
    logarithmic(axes)
    axes.set_xlim(counts[0], counts[-1])
    ticks(axes.xaxis, [count for count in counts if count in (2, 4, 8, 16, 32, 64, 128, 256) or count == counts[-1]])
    axes.set_xlabel("shards a generation")
    axes.set_title(f"{name}: {inputs.games:.0f} games in more or fewer shards, 64 workers", loc="left")
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


def stragglers(runs: Any, name: str) -> Any:
    inputs = runs.inputs
    figure, axes = plt.subplots(figsize=(8, 4.4))
    for slower, color in ((1.0, GREY), (3.0, BLUE), (10.0, RED)):
        for after, style in ((None, "-"), (1.5, "--")):
            if slower == 1.0 and after:
                continue
            changes = {"straggler_one_in": 200, "straggler_slower": slower, "backup_after": after}
            made = [runs.grown(workers, learner=1e9, changes=changes) for workers in WORKERS]
            label = f"one run in 200 is {slower:.0f} times as slow" if slower > 1 else "no stragglers"
            played = [100 * result.shares["playing"] for result in made]
            axes.plot(WORKERS, played, style, color=color, label=label if not after else "the same, late shards copied")
    logarithmic(axes, rates=False)
    axes.set_ylim(0, 100)
    axes.set_ylabel("% of the workers' time spent playing")
    axes.set_xlabel("workers of one thread")
    title = f"{name}: stragglers, in step, a shard for each worker (at least {inputs.shards}), learning itself takes no time"
    axes.set_title(title, loc="left")
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


def write(runs: Any, name: str, folder: Path) -> list[Path]:
    paths = []
    with plt.rc_context(STYLE):
        for draw in (growth, shares, shards, stragglers):
            path = folder / f"{name}-{draw.__name__}.svg"
            figure = draw(runs, name)
            figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
            plt.close(figure)
            paths.append(path)
    return paths
