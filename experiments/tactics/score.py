#!/usr/bin/env python3
"""Prints the share of catapult.epd that players solve, by kind, with 95 % Wilson intervals.

    experiments/tactics/score.py CATAPULT PLAYER...

CATAPULT is the program. PLAYER is NETWORK.safetensors:SIMULATIONS or a player of `catapult play`, such as alphabeta:2q.
"""

import collections
import math
import pathlib
import re
import subprocess
import sys

SUITE = pathlib.Path(__file__).with_name("catapult.epd")


def tactics():
    """Yields the FEN, best moves and kinds of each line."""
    for line in SUITE.read_text().splitlines():
        fields, rest = re.fullmatch(r"(\S+ \S+ \S+ \S+) (.*)", line).groups()
        operations = dict(re.findall(r'(\w+) "?([^;"]*)"?;', rest))
        fen = f"{fields} {operations['hmvc']} {operations['fmvn']} {operations['fields']}"
        theme, proof = operations["c0"].split(": ")
        proof = proof if proof.startswith("mate in") else "table"
        yield fen, operations["bm"].split(), [theme, proof, "all"]


def moves_by_play(catapult, player, fens):
    """Yields the moves of a player. `catapult play` ends after its move, because its standard input is empty."""
    for fen in fens:
        human = "black" if fen.split()[1] == "w" else "white"
        command = [catapult, "play", "chesspp", "--against", player, "--color", human, "--fen", fen]
        run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        found = re.search(r"^(?:White|Black)(?:, check)?: (\S+)", run.stdout, re.M)
        if found is None:
            sys.exit(f"{' '.join(command)}: {run.stdout}{run.stderr}")
        yield found[1]


def moves_by_uci(catapult, network, simulations, fens):
    """Yields the moves of a network, from one process of the UCI engine."""
    engine = subprocess.Popen([catapult, "uci", "--device", "cpu"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(text):
        engine.stdin.write(text + "\n")
        engine.stdin.flush()

    send(f"setoption name UCI_Variant value chesspp\nsetoption name NetworkFile value {network}")
    for fen in fens:
        send(f"ucinewgame\nposition fen {fen}\ngo nodes {simulations}")
        for line in engine.stdout:
            if line.startswith("bestmove"):
                yield line.split()[1]
                break
    send("quit")
    engine.wait()


def moves(catapult, player, fens):
    network, _, simulations = player.rpartition(":")
    if network.endswith(".safetensors"):
        return moves_by_uci(catapult, network, simulations, fens)
    return moves_by_play(catapult, player, fens)


def wilson(solved, count, z=1.959964):
    share, spread = solved / count, z * z / count
    middle, half = share + spread / 2, math.sqrt(spread * (share * (1 - share) + spread / 4))
    return [100 * (middle + sign * half) / (1 + spread) for sign in (-1, 1)]


def main():
    catapult, *players = sys.argv[1:]
    suite = list(tactics())
    for player in players:
        solved, counts = collections.Counter(), collections.Counter()
        chosen = moves(catapult, player, [fen for fen, _, _ in suite])
        for move, (_, best, kinds) in zip(chosen, suite, strict=True):
            counts.update(kinds)
            if move in best:
                solved.update(kinds)
        for kind, count in counts.items():
            low, high = wilson(solved[kind], count)
            share = f"{100 * solved[kind] / count:.0f} [{low:.0f}, {high:.0f}]"
            print(f"{player}\t{kind}\t{solved[kind]}/{count}\t{share}", flush=True)


if __name__ == "__main__":
    main()
