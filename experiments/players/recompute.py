#!/usr/bin/env python3
"""Exams of the networks, and plies to mate: prints the tables of README.md and exams.md.

    python recompute.py

The verdict of each gate is computed anew from its interval and threshold, and the interval of each
ending (Wilson 1927) from its games. A difference from the exam's file is an error.
"""

import json
import math
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
MODELS = FOLDER.parent.parent / "models"
NETWORKS = [
    ("[`all-rules`](../../models/README.md#all-rules)", "tower", MODELS / "all-rules.exam.json"),
    ("[`options`](../../models/README.md#options)", "tower", MODELS / "options.exam.json"),
    ("[`family`](../../models/README.md#family)", "tower", MODELS / "family.exam.json"),
    ("[`chess-chesspp-clock`](../../models/README.md#chess-chesspp-clock)", "tower", MODELS / "chess-chesspp-clock.exam.json"),
    ("[`chess-chesspp-strong`](../../models/README.md#chess-chesspp-strong)", "tower", MODELS / "opponents/chess-chesspp-strong.exam.json"),
    ("[`mature`](#mature-trained-for-this-study)", "tower", FOLDER / "exams/mature.json"),
    ("[an hour](../curve/README.md#an-hour-with-chess-and-chess)", "tower", FOLDER / "exams/hour.json"),
    ("[tower `32x4`](../sparse/README.md#from-random-weights), seed 1", "tower", FOLDER / "exams/tower-32x4-1.json"),
    ("seed 2", "tower", FOLDER / "exams/tower-32x4-2.json"),
    ("seed 3", "tower", FOLDER / "exams/tower-32x4-3.json"),
    ("[sparse](../sparse/README.md#from-random-weights), seed 1", "sparse", FOLDER / "exams/sparse-1.json"),
    ("seed 2", "sparse", FOLDER / "exams/sparse-2.json"),
    ("seed 3", "sparse", FOLDER / "exams/sparse-3.json"),
]
# Name, factor and number of decimals by item. Shares are printed as per cent.
ITEMS = {
    "misuse": ("worth of", 1, 0),
    "conversion": ("won", 100, 0),
    "clock": ("value at a late half-move clock", 1, 2),
    "rook-draws": ("fifty-move draws with a rook", 100, 1),
    "draw-slope": ("draw rate per doubling", 100, 1),
    "white-score": ("White's score", 100, 1),
    "calibration": ("calibration error", 1, 3),
}
ENDINGS = {
    "K+Q v K with the defender's catapults": "KQvK-defender-two",
    "K+R v K in chess": "KRvK",
    "K+B with the attacker's catapults v K": "KBvK-attacker-two",
}
MARKS = {"pass": "P", "fail": "F", "unresolved": "U"}


def verdict(interval: list[float], threshold: dict) -> str:
    low, high = interval
    [(kind, bound)] = threshold.items()
    if kind == "at-least":
        holds, fails = low >= bound, high < bound
    elif kind == "below":
        holds, fails = high < bound, low >= bound
    else:
        holds = low <= bound[1] and high >= bound[0]
        fails = not holds
    return "pass" if holds else "fail" if fails else "unresolved"


def wilson(share: float, count: int) -> list[float]:
    z = 1.959964
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return [middle - half, middle + half]


def check(path: Path, lines: list[dict]) -> None:
    for line in lines:
        found = verdict(line["interval"], line["gate"]["threshold"])
        if found != line["gate"]["verdict"]:
            sys.exit(f"{path.name}: {line}: the verdict is {found}")
        if line["item"] == "conversion":
            expected = wilson(line["value"], line["observations"])
            if any(abs(a - b) > 1e-6 for a, b in zip(expected, line["interval"])):
                sys.exit(f"{path.name}: {line}: the interval is {expected}")


def value(line: dict) -> str:
    _, factor, decimals = ITEMS[line["item"]]
    number, low, high = (f"{round(factor * x, decimals) + 0.0:.{decimals}f}" for x in (line["value"], *line["interval"]))
    return f"{number} [{low}, {high}]"


def distances() -> None:
    """Prints the median number of plies to mate, and the shares of near ones, by ending."""
    tables = json.loads((FOLDER.parent / "endings/tables.json").read_text())
    for label, name in ENDINGS.items():
        won = {int(plies): count for plies, count in tables[f"{name}.mate"]["counts"]["white"]["won"].items()}
        share = lambda plies: sum(count for at, count in won.items() if at <= plies) / sum(won.values())
        median = min(plies for plies in won if share(plies) >= 0.5)
        print(f"| {label} | {median} | {100 * share(9):.2g} % | {100 * share(19):.2g} % |")


def main() -> None:
    gates = []
    for _, _, path in NETWORKS:
        lines = [line for line in json.loads(path.read_text())["lines"] if "gate" in line]
        check(path, lines)
        gates.append({(line["item"], line["game"], line.get("part", "")): line for line in lines})
    for (label, kind, _), of_network in zip(NETWORKS, gates):
        counts = [sum(line["gate"]["verdict"] == name for line in of_network.values()) for name in ("pass", "fail", "unresolved")]
        worth = of_network["misuse", "chesspp", "catapult-moves"]
        rook = of_network["conversion", "chesspp", "KRvK"]
        print(f"| {label} | {kind} | {' | '.join(map(str, counts))} | {value(worth)} | {value(rook)} |")
    for chosen in (range(0, 7), range(7, 13)):
        print()
        for key, first in gates[chosen[0]].items():
            item, game, part = key
            name = f"{ITEMS[item][0]} {part}".strip()
            cells = [f"{value(gates[at][key])} {MARKS[gates[at][key]['gate']['verdict']]}" for at in chosen]
            print(f"| {name} | `{game}` | {first['observations']} | {' | '.join(cells)} |")
    print()
    distances()


if __name__ == "__main__":
    main()
