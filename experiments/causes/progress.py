#!/usr/bin/env python3
"""Prints the stretches in which a side is winning, and how they end: progress.py GAMES...

GAMES is a folder of shards. Needs the Python packages `catapult` and `numpy`.
"""

import sys

import catapult
import numpy as np
from games import games, interval, is_catapult_move

for folder in sys.argv[1:]:
    rows = []
    for number, game in enumerate(games(folder)):
        board, clocks, whites, uses, turns = catapult.Board(game.variant), [], [], [], []
        for text, (win, _, loss) in zip(game.moves, game.values):
            turns.append(board.turn)
            whites.append(win - loss if board.turn else loss - win)
            uses.append(is_catapult_move(board, catapult.Move(text)))
            board.push(text)
            clocks.append(board.halfmove_clock)
        for side in (True, False):
            winning = np.array(whites) * (1 if side else -1) > 0.8
            ends = np.flatnonzero(np.diff(np.concatenate([[0], winning, [0]])))
            for first, end in zip(ends[::2], ends[1::2]):
                run = max(min(clocks[i], i - first + 1) for i in range(first, end))
                own = [use for use, turn in zip(uses[first:end], turns[first:end]) if turn == side]
                won = "win" if game.winner == side else "loss" if game.winner == (not side) else game.outcome
                rows.append((number, run, won, end == len(game.moves), sum(own), len(own)))
    group, run, how, lasting, uses, own = (np.array(column) for column in zip(*rows))
    drawn = [number for number, game in enumerate(games(folder)) if game.outcome == "hundred-plies"]
    print(f"{folder}: {len(rows)} stretches in {len(set(group))} of {number + 1} games; {len(drawn)} fifty-move draws,",
          f"{len(set(drawn) & set(group.tolist()))} of them with a stretch")
    print("  plies without progress: median", interval(run, group, np.median))
    print("  plies without progress: 90th percentile", interval(run, group, lambda part: np.percentile(part, 90)))
    share = interval(np.stack([uses, own], 1), group, lambda part: 100 * part[:, 0].sum() / part[:, 1].sum())
    print("  % of the leader's moves that are catapult moves", share)
    print("  % that last to the end of the game", interval(100.0 * lasting, group))
    for end in ("win", "loss", "repetition", "hundred-plies"):
        print(f"  % of games of the leader that end by {end}", interval(100.0 * (how == end), group))
