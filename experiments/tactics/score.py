#!/usr/bin/env python3
"""Share of catapult.epd that players solve, by kind, with 95 % Wilson intervals.

    experiments/tactics/score.py CATAPULT PLAYER...

CATAPULT is the program. PLAYER is a player of `catapult match`, such as models/rules-small.safetensors:100.
"""

import collections
import math
import pathlib
import re
import subprocess
import sys

SUITE = pathlib.Path(__file__).with_name("catapult.epd")


def tactics():
    """Returns the FEN, best moves and kind of each line."""
    for line in SUITE.read_text().splitlines():
        fields, rest = re.fullmatch(r"(\S+ \S+ \S+ \S+) (.*)", line).groups()
        operations = dict(re.findall(r'(\w+) "?([^;"]*)"?;', rest))
        fen = f"{fields} {operations['hmvc']} {operations['fmvn']} {operations['fields']}"
        theme, proof = operations["c0"].split(": ")
        proof = proof if proof.startswith("mate in") else "table"
        yield fen, operations["bm"].split(), [theme, proof, "all"]


def first_move(catapult, player, fen):
    """Returns the move of the player, who moves first and then waits for an opponent."""
    human = "black" if fen.split()[1] == "w" else "white"
    command = [catapult, "play", "chesspp", "--against", player, "--color", human, "--device", "cpu", "--fen", fen]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    found = re.search(r"^(?:White|Black): (\S+)", run.stdout, re.M)
    if found is None:
        sys.exit(f"{' '.join(command)}: {run.stdout}{run.stderr}")
    return found[1]


def wilson(solved, count, z=1.959964):
    share, spread = solved / count, z * z / count
    middle, half = share + spread / 2, math.sqrt(spread * (share * (1 - share) + spread / 4))
    return [100 * (middle + sign * half) / (1 + spread) for sign in (-1, 1)]


def main():
    catapult, *players = sys.argv[1:]
    for player in players:
        solved, counts = collections.Counter(), collections.Counter()
        for fen, best, kinds in tactics():
            counts.update(kinds)
            if first_move(catapult, player, fen) in best:
                solved.update(kinds)
        for kind, count in counts.items():
            low, high = wilson(solved[kind], count)
            print(f"{player}\t{kind}\t{solved[kind]}/{count}\t{100 * solved[kind] / count:.0f} [{low:.0f}, {high:.0f}]", flush=True)


if __name__ == "__main__":
    main()
