#!/usr/bin/env python3
"""Effects of eight parts of the quickstart's recipe, from sixteen runs. Each part is off in eight.

    python screen.py plan   # the runs and their settings
    python screen.py play   # trains and plays, then writes results.tsv; run it again to resume
    python screen.py        # prints the page's tables from results.tsv

The design is the fraction of resolution IV with 16 of the 2^8 combinations: the columns of four
parts are all combinations, and each of the others is the product of three of these. So an effect is
the mean of the eight runs with the part less that of the eight without, and no effect is mixed with
an interaction of two parts. Seven groups of such interactions are left to estimate the error.
"""

import csv
import json
import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent
# The parts, in the order of the design's columns, with the settings that turn each off.
PARTS = {
    "root temperature": ["search.root_temperature=1.0"],
    "choice without noise": ["search.choice_noise=1.0"],
    "openings by the policy": ["selfplay.prior_plies=0"],
    "forked games": ["selfplay.fork_share=0"],
    "lambda-return": ["learning.value_lambda=0"],
    "samples by surprise": ["learning.surprise_share=0"],
    # Without the head of the plies left, self-play must not prefer shorter wins by it.
    "auxiliary heads": ["learning.loss.moves_left=0", "learning.loss.future=0", "search.moves_left_cap=0"],
    "growing window": ["window.growth_scale=0"],
}
BUDGET = ["generations=60", "budget.work=22000000", "budget.row_cost=11", "evaluation.games=0", "machine.threads=1"]
OPPONENTS = {"2q": "alphabeta:2q", "small": "models/opponents/chesspp-small.safetensors:64@c_visit=50,c_scale=1"}
GAMES = 100
RESULTS = FOLDER / "results.tsv"
# Sixteen runs less their mean and eight effects, and the quantile .975 of Student's t for them.
ERROR_DEGREES = 7
STUDENT_975 = 2.365


def design() -> list[list[int]]:
    """Returns one row per run: 1 where a part is on and -1 where it is off. Run 1 has all."""
    rows = []
    for bits in range(16):
        a, b, c, d = (-1 if bits >> bit & 1 else 1 for bit in range(4))
        rows.append([a, b, c, d, b * c * d, a * c * d, a * b * c, a * b * d])
    return rows


def settings(run: int) -> list[str]:
    off = [value for part, level in zip(PARTS.values(), design()[run - 1]) if level < 0 for value in part]
    return [*BUDGET, f"seed={run}", *off]


def play(run: int) -> list[dict[str, int | str]]:
    """Trains a run and plays its matches, or reads what was done before."""
    catapult = str(ROOT / "scripts/catapult")
    folder = ROOT / f"runs/screen/{run}"
    values = [word for value in settings(run) for word in ("--set", value)]
    subprocess.run([catapult, "train", "configs/quickstart.toml", "--run", str(folder), *values], cwd=ROOT, check=True)
    network = sorted(folder.glob("generation-*/network.safetensors"))[-1]
    rows = []
    for name, opponent in OPPONENTS.items():
        match = folder / f"match-{name}"
        command = [catapult, "match", f"{network}:64@moves_left_cap=0", opponent, "--games", str(GAMES), "--seed", "5", "--threads", "1", "-o", str(match)]
        subprocess.run(command, cwd=ROOT, check=True)
        result = json.loads((match / "result.json").read_text())
        counts = {key: result[key] for key in ("wins", "draws", "losses", "capped")}
        rows.append({"run": run, "generations": int(network.parent.name[-4:]), "opponent": name, **counts})
    return rows


def elo(row: dict[str, str]) -> float:
    won, drawn, lost, capped = (int(row[name]) for name in ("wins", "draws", "losses", "capped"))
    score = (won + (drawn + capped) / 2) / (won + drawn + lost + capped)
    return 400 * math.log10(score / (1 - score))


def student(t: float) -> float:
    """Returns the probability that Student's t with ERROR_DEGREES exceeds |t| in either direction."""
    steps = 20_000
    scale = math.gamma((ERROR_DEGREES + 1) / 2) / math.gamma(ERROR_DEGREES / 2) / math.sqrt(ERROR_DEGREES * math.pi)
    density = (scale * (1 + (abs(t) * (k + 0.5) / steps) ** 2 / ERROR_DEGREES) ** (-(ERROR_DEGREES + 1) / 2) for k in range(steps))
    return 1 - 2 * sum(density) * abs(t) / steps


def fit(elos: list[float]) -> tuple[list[float], float]:
    """Returns the effects of the parts and their common standard error."""
    effects = [sum(level * y for level, y in zip(column, elos)) / 8 for column in zip(*design())]
    mean = sum(elos) / 16
    # The columns are orthogonal, so each effect explains its own part of the sum of squares.
    rest = sum((y - mean) ** 2 for y in elos) - 4 * sum(effect**2 for effect in effects)
    variance = rest / ERROR_DEGREES
    return effects, math.sqrt(variance / 4)


def adjusted(ps: list[float]) -> list[float]:
    """Adjusts p-values for their number (Benjamini and Hochberg)."""
    order = sorted(range(len(ps)), key=lambda at: -ps[at])
    lowest, found = 1.0, [0.0] * len(ps)
    for passed, at in enumerate(order):
        lowest = min(lowest, ps[at] * len(ps) / (len(ps) - passed))
        found[at] = lowest
    return found


def decimals(p: float) -> str:
    return f"{p:.3f}"[1:] if p >= 0.0005 else "< .001"


def show() -> None:
    with RESULTS.open() as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    elos = {name: [elo(row) for row in rows if row["opponent"] == name] for name in OPPONENTS}
    for run, levels in enumerate(design(), 1):
        signs = " | ".join("+" if level > 0 else "-" for level in levels)
        print(f"| {run} | {signs} | {rows[2 * run - 2]['generations']} | {' | '.join(f'{of[run - 1]:+.0f}' for of in elos.values())} |")
    effects, error = fit([sum(pair) / 2 for pair in zip(*elos.values())])
    alone = [fit(of)[0] for of in elos.values()]
    ps = [student(effect / error) for effect in effects]
    for part, effect, p, q, *by in zip(PARTS, effects, ps, adjusted(ps), *alone):
        half = STUDENT_975 * error
        print(f"| {part} | {effect:+.0f} [{effect - half:+.0f}, {effect + half:+.0f}] | {decimals(p)} | {decimals(q)} | {' | '.join(f'{one:+.0f}' for one in by)} |")


def main() -> None:
    match sys.argv[1:]:
        case ["plan"]:
            for run in range(1, 17):
                print(run, *settings(run))
        case ["play"]:
            with ThreadPoolExecutor(2) as pool:
                rows = [row for of_run in pool.map(play, range(1, 17)) for row in of_run]
            with RESULTS.open("w", newline="") as file:
                writer = csv.DictWriter(file, rows[0], delimiter="\t", lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
        case _:
            show()


if __name__ == "__main__":
    main()
