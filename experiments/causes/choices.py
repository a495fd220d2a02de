#!/usr/bin/env python3
"""Prints how often searches choose catapult moves, and what these moves gain: choices.py GAMES NETWORK

GAMES is a folder of shards of Chess++. Needs the Python packages `catapult` and `numpy`.
"""

import sys

import catapult
import numpy as np
from games import interval, is_catapult_move, positions

(boards, numbers), engine = zip(*positions(sys.argv[1], slice(None), 2000)), catapult.Engine(sys.argv[2])


def kind(row, move):
    return "catapult" if is_catapult_move(boards[row], move) else boards[row].piece_at(move.from_square).name


def values(rows, moves):
    after = [boards[row].copy() for row in rows]
    for board, move in zip(after, moves):
        board.push(move)
    return -100 * np.array([found.value for found in engine.analyse_many(after, simulations=1024)])


for n, count, kinds in ((64, 2000, ("catapult", "king", "knight")), (16, 2000, ["catapult"]),
                        (256, 2000, ["catapult"]), (1024, 1000, ["catapult"])):
    found = engine.analyse_many(boards[:count], simulations=n)
    for name in kinds:
        uses = np.array([kind(row, each.best) == name for row, each in enumerate(found)])
        others = {row: [line for line in found[row].lines if kind(row, line.move) != name]
                  for row in np.flatnonzero(uses)}
        best = {row: max(lines, key=lambda line: line.policy).move for row, lines in others.items() if lines}
        gain = values(best, [found[row].best for row in best]) - values(best, best.values())
        group = np.array(numbers)[list(best)]
        print(f"{n} simulations, {name}: % of positions", interval(100.0 * uses, np.array(numbers[:count])),
              f"; gain of {len(gain)} in {len(set(group))} games", interval(gain, group),
              "median", interval(gain, group, np.median), "; median clock",
              np.median([boards[row].halfmove_clock for row in best]), flush=True)
