#!/usr/bin/env python3
"""Rooks and queens on the board after 20, 40, 60 and 80 plies, in games of two games.

    python major.py FOLDER_OF_CHESS FOLDER_OF_CHESSPP

A folder has shards of games (Parquet). Games that ended earlier do not count. Intervals are 95 %
bootstraps over games. The script needs the Python package, numpy and pyarrow.
"""

import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

import catapult

PLIES = (20, 40, 60, 80)


def counts(folder: Path) -> np.ndarray:
    """Returns the number of rooks and queens per game and ply; NaN after the end of a game."""
    games = []
    for file in sorted(folder.glob("*.parquet")):
        for game in pq.read_table(file, columns=["variant", "start_fen", "moves"]).to_pylist():
            board = catapult.Board(game["variant"], game["start_fen"])
            found = [np.nan] * len(PLIES)
            for ply, move in enumerate(game["moves"], 1):
                board.push_uci(move)
                if ply in PLIES:
                    found[PLIES.index(ply)] = sum(piece in "RQrq" for piece in board.fen().split()[0])
            games.append(found)
    return np.array(games)


def main() -> None:
    chess, chesspp = (counts(Path(folder)) for folder in sys.argv[1:3])
    random = np.random.default_rng(1)
    for column, ply in enumerate(PLIES):
        first, second = (games[:, column][~np.isnan(games[:, column])] for games in (chess, chesspp))
        if not len(first) or not len(second):
            continue
        draws = [random.choice(second, len(second)).mean() - random.choice(first, len(first)).mean() for _ in range(4000)]
        low, high = np.percentile(draws, [2.5, 97.5])
        print(f"| {ply} | {len(first)}, {len(second)} | {first.mean():.2f} | {second.mean():.2f} | {second.mean() - first.mean():+.2f} [{low:+.2f}, {high:+.2f}] |")


if __name__ == "__main__":
    main()
