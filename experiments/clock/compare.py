#!/usr/bin/env python3
"""Compares the two arms of the experiment from its games.

    pip install numpy scipy pyarrow
    python3 experiments/clock/compare.py

Reads games.parquet (one row per self-play game), matches.csv (one row per match; truncated games count as draws) and
values.csv (raw values of endings), all beside this script.
Prints the tables of README.md and the registered reading.
"""

import csv
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from scipy import stats

ARMS = ("caps", "clock")
CAUSES = {"hundred-plies": "fifty-move rule", "repetition": "repetition", "stalemate": "stalemate", "dead": "dead position"}


def interval(values) -> tuple[float, float, float]:
    """Returns the mean of the values, one per network or pair, and the ends of Student's 95 % interval."""
    values = np.asarray(values, dtype=float)
    half = stats.t.ppf(0.975, len(values) - 1) * stats.sem(values) if len(values) > 1 else np.nan
    return values.mean(), values.mean() - half, values.mean() + half


def percent(values, sign: str = "") -> str:
    mean, low, high = interval(values)
    return f"{100 * mean:{sign}.1f} [{100 * low:{sign}.1f}, {100 * high:{sign}.1f}]"


class Games:
    """Shares of games by arm, rule set, simulations and seed."""

    def __init__(self, path: Path):
        table = pq.read_table(path).to_pydict()
        self.columns = {name: np.array(values) for name, values in table.items()}
        self.seeds = sorted(set(self.columns["seed"]))

    def of(self, arm: str, rules: str, simulations: int, seed: int) -> np.ndarray:
        column = self.columns
        return (column["agent"] == arm) & (column["arm"] == rules) & (column["simulations"] == simulations) & (column["seed"] == seed)

    def share(self, arm: str, rules: str, simulations: int, found) -> np.ndarray:
        """Returns, for each seed, the share of games for which `found` (an array over all games) is true."""
        return np.array([found[self.of(arm, rules, simulations, seed)].mean() for seed in self.seeds])

    def ended(self, *causes: str) -> np.ndarray:
        return np.isin(self.columns["outcome"], causes)


def draws_by_cause(games: Games) -> None:
    print("Share of games in percent, mean over networks:\n")
    print("| rules | simulations | arm | games | " + " | ".join(CAUSES.values()) + " | all draws | truncated | median plies |")
    print("|---|---|---|" + "---|" * (len(CAUSES) + 4))
    for rules, simulations in (("chess", 64), ("chesspp", 64), ("chesspp", 256)):
        for arm in ARMS:
            counted = np.any([games.of(arm, rules, simulations, seed) for seed in games.seeds], axis=0)
            shares = [100 * games.share(arm, rules, simulations, games.ended(cause)).mean() for cause in CAUSES]
            drawn = 100 * games.share(arm, rules, simulations, games.ended(*CAUSES)).mean()
            truncated = 100 * games.share(arm, rules, simulations, games.ended("capped")).mean()
            cells = [f"{share:.1f}" for share in [*shares, drawn, truncated]]
            median = np.median(games.columns["plies"][counted])
            print(f"| {rules} | {simulations} | {arm} | {counted.sum()} | {' | '.join(cells)} | {median:.0f} |")


def differences(games: Games) -> tuple[np.ndarray, np.ndarray]:
    """Prints Chess++ minus chess, and returns D of the two arms by network."""
    measures = {"fifty-move rule": games.ended("hundred-plies"), "repetition": games.ended("repetition"), "all draws": games.ended(*CAUSES)}
    found = {}
    print("\nChess++ minus chess at 64 simulations, in points, mean over four networks and 95 % interval:\n")
    print("| draws by | caps | clock | clock minus caps |")
    print("|---|---|---|---|")
    for name, ended in measures.items():
        by_arm = [games.share(arm, "chesspp", 64, ended) - games.share(arm, "chess", 64, ended) for arm in ARMS]
        found[name] = by_arm
        print(f"| {name} | {percent(by_arm[0], '+')} | {percent(by_arm[1], '+')} | {percent(by_arm[1] - by_arm[0], '+')} |")
    print("\nD by network (fifty-move rule, points):\n")
    print("| seed | caps | clock | clock minus caps |")
    print("|---|---|---|---|")
    caps, clock = found["fifty-move rule"]
    for seed, a, b in zip(games.seeds, caps, clock):
        print(f"| {seed} | {100 * a:+.1f} | {100 * b:+.1f} | {100 * (b - a):+.1f} |")
    return caps, clock


def reading_of(before: float, change: float) -> str:
    """Returns the registered reading for a mean D of arm `caps` and a mean change."""
    fell = before > 0 and change <= -before / 2
    small = abs(change) < 0.02
    if fell and not small:
        return "from the training"
    if small and not fell:
        return "from the rules"
    return "open"


def elo(score: float) -> float:
    score = min(max(score, 1e-6), 1 - 1e-6)
    return 400 * np.log10(score / (1 - score))


def matches(path: Path) -> None:
    rows = list(csv.DictReader(path.open()))

    def results(arm: str, opponent: str, rules: str) -> list[float]:
        """Returns the Elo of each network of an arm, by seed."""
        own = [row for row in rows if (row["player"].split("-")[0], row["rules"]) == (arm, rules) and row["opponent"].startswith(opponent)]
        own.sort(key=lambda row: row["player"])
        return [elo((int(row["wins"]) + int(row["draws"]) / 2) / int(row["games"])) for row in own]

    def line(names: str, values: list[float]) -> None:
        mean, low, high = interval(values)
        print(f"| {names} | {', '.join(f'{value:+.0f}' for value in values)} | {mean:+.0f} [{low:+.0f}, {high:+.0f}] |")

    print("\nWorth in Elo at 64 simulations, Chess++: each network against itself without a kind of move, 300 games each:\n")
    print("| kind of move | arm | by network | mean of networks [95 %] |")
    print("|---|---|---|---|")
    for kind in ("catapult-moves", "teleports"):
        for arm in ARMS:
            line(f"{kind.replace('-', ' ')} | {arm}", results(arm, f"without-{kind}", "chesspp"))
    print("\nClock against caps of the same seed at 64 simulations, in Elo, 200 games each:\n")
    print("| rules | by pair | mean of pairs [95 %] |")
    print("|---|---|---|")
    for rules in ("chess", "chesspp"):
        line(rules, results("clock", "caps", rules))


def values(path: Path) -> bool:
    """Prints the mean raw values, and returns whether the registered check is passed."""
    rows = list(csv.DictReader(path.open()))

    def mean(arm: str, material: str, clock: str) -> float:
        return float(np.mean([float(row["value"]) for row in rows
                              if Path(row["network"]).stem.startswith(arm) and row["material"] == material and row["clock"] == clock]))

    print("\nMean raw value of 200 random positions per ending, side with the material to move, mean over four networks:\n")
    print("| ending | " + " | ".join(f"{arm}, clock {clock}" for arm in ARMS for clock in ("10", "50", "95")) + " |")
    print("|---|" + "---|" * 6)
    for material in dict.fromkeys(row["material"] for row in rows):
        cells = [f"{mean(arm, material, clock):.2f}" for arm in ARMS for clock in ("10", "50", "95")]
        print(f"| {material} | {' | '.join(cells)} |")
    return mean("clock", "K+R v K", "95") < mean("clock", "K+R v K", "10") / 2


def main(folder: Path) -> None:
    games = Games(folder / "games.parquet")
    draws_by_cause(games)
    caps, clock = differences(games)
    matches(folder / "matches.csv")
    passed = values(folder / "values.csv")

    change, low, high = interval(clock - caps)
    print(f"\nmanipulation check: {'passed' if passed else 'failed'}")
    reading = reading_of(caps.mean(), change) if passed else "not informative"
    ends = {reading_of(caps.mean(), end) for end in (low, high)} if passed else {reading}
    only = "" if ends == {reading} else ", by the mean only"
    print(f"mean D {100 * caps.mean():+.1f} -> {100 * clock.mean():+.1f} points, change {100 * change:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]")
    print(f"registered reading: {reading}{only}")
    print(f"not registered: D of clock less half of D of caps, by pair: {percent(clock - caps / 2, '+')} points")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
