#!/usr/bin/env python3
"""Effects of eight parts of the quickstart's recipe, from sixteen runs that turn half of them off.

    python screen.py plan   # the runs and their settings
    python screen.py play   # trains, plays and appends to results.tsv; run it again to resume
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
GAMES = 200


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


def play(run: int) -> None:
    catapult = str(ROOT / "scripts/catapult")
    folder = ROOT / f"runs/screen/{run}"
    values = [word for value in settings(run) for word in ("--set", value)]
    subprocess.run([catapult, "train", "configs/quickstart.toml", "--run", str(folder), *values], cwd=ROOT, check=True)
    network = sorted(folder.glob("generation-*/network.safetensors"))[-1]
    for name, opponent in OPPONENTS.items():
        match = folder / f"match-{name}"
        player = f"{network}:64@moves_left_cap=0"
        command = [catapult, "match", player, opponent, "--games", str(GAMES), "--seed", "5", "--threads", "1", "-o", str(match)]
        subprocess.run(command, cwd=ROOT, check=True)
        result = json.loads((match / "result.json").read_text())
        print(run, name, result)


def main() -> None:
    command = sys.argv[1:]
    if command == ["plan"]:
        for run in range(1, 17):
            print(run, *settings(run))
    elif command == ["play"]:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(play, range(1, 17)))


if __name__ == "__main__":
    main()
