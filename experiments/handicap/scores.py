#!/usr/bin/env python3
"""Scores of the sides that give a handicap: scores.py FENS MATCHES.

FENS is the folder of openings.py. MATCHES/NAME is the output folder of a match over FENS/NAME.fen.
Intervals are 95 %, from 2,000 bootstraps over the openings. Needs numpy.
"""

import re
import sys
from pathlib import Path

import numpy as np

POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5, "*": 0.5}
BOOTSTRAPS = 2000


def scores(fens: Path, match: Path) -> np.ndarray:
    """Mean score of the side that gives the handicap, per opening."""
    lines = fens.read_text().split("\n")[:-1]
    played = [dict(re.findall(r'^\[(\w+) "(.*)"\]$', game, re.M)) for game in re.split(r"\n(?=\[Event )", (match / "games.pgn").read_text())]
    games: dict[str, list[float]] = {}
    for game in played:
        games.setdefault(game["FEN"], []).append(POINTS[game["Result"]])
    if missing := [line for line in lines if line not in games]:
        raise SystemExit(f"{match}: {len(missing)} positions were not played, such as {missing[0]}")
    white = np.array([np.mean(games[line]) for line in lines]).reshape(-1, 2)
    # The first line of an opening has Black as the side that gives the handicap.
    return (1 - white[:, 0] + white[:, 1]) / 2


def elo(score: float) -> float:
    return 400 * np.log10(score / (1 - score))


def main() -> None:
    fens, matches = Path(sys.argv[1]), Path(sys.argv[2])
    names = sorted(file.stem for file in fens.glob("*.fen") if (matches / file.stem).exists())
    all_scores = {name: scores(fens / f"{name}.fen", matches / name) for name in names}
    number = len(next(iter(all_scores.values())))
    draw = np.random.default_rng(1)
    samples = [draw.integers(number, size=number) for _ in range(BOOTSTRAPS)]

    def row(measure) -> str:
        """`measure` gets a function that returns the Elo of a handicap."""
        value = measure(lambda name: elo(all_scores[name].mean()))
        found = [measure(lambda name, chosen=chosen: elo(all_scores[name][chosen].mean())) for chosen in samples]
        low, high = np.quantile(found, [0.025, 0.975])
        return f"{value:.2f} [{low:.2f}, {high:.2f}]"

    print("handicap\topenings\tscore\tElo [95 %]\tin pawns [95 %]")
    for name in names:
        elos = row(lambda of, name=name: of(name))
        pawns = row(lambda of, name=name: of(name) / of("pawn")) if "pawn" in names else "-"
        print(f"{name}\t{number}\t{all_scores[name].mean():.3f}\t{elos}\t{pawns}")


if __name__ == "__main__":
    main()
