#!/usr/bin/env python3
"""Prints how well linear probes see the teleport that a catapult move prepares: probe.py GAMES NETWORK

Needs the Python packages `catapult` and `numpy`. GAMES is a folder of shards of Chess++.
"""

import sys

import catapult
import numpy as np
from games import interval, is_catapult_move, positions
from teleports import labels, played


def tower(network, planes, inputs):
    """Returns the tower's output [rows, ranks, files, channels], in floating point."""
    p, relu = network.parameters(), lambda x: np.maximum(x, 0)

    def conv(x, layer, norm, add=0):
        windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0))), (3, 3), (1, 2))
        x = np.tensordot(windows, p[f"{layer}.weight"], ([3, 4, 5], [1, 2, 3])) + add - p[f"{norm}.mean"]
        return x / np.sqrt(p[f"{norm}.variance"] + 1e-5) * p[f"{norm}.weight"] + p[f"{norm}.bias"]

    x = relu(conv(planes, "input.conv", "input.norm", (inputs @ p["input.globals.weight"].T)[:, None, None]))
    for block in range(network.architecture["blocks"]):
        name = f"block.{block}"
        y = relu(conv(x, f"{name}.conv1", f"{name}.norm1"))
        x = x + conv(y, f"{name}.conv2", f"{name}.norm2")
        if network.is_pooled(block):
            pooled = np.concatenate([y.mean((1, 2)), y.max((1, 2))], 1)
            x = x + (pooled @ p[f"{name}.pool.weight"].T + p[f"{name}.pool.bias"])[:, None, None]
        x = relu(x)
    return x


def ridge(x, truth, first):
    """Fits a linear probe on the rows `first` and returns its score on the others."""
    x = (x - x[first].mean(0)) / (x[first].std(0) + 1e-6)
    square = x[first].T @ x[first] + 1e-3 * first.sum() * np.eye(x.shape[1])
    return x[~first] @ np.linalg.solve(square, x[first].T @ (truth[first] - truth[first].mean()))


def auc(columns):
    scores, truth = columns[:, 0], columns[:, 1] > 0
    others = np.sort(scores[~truth])
    return sum(np.searchsorted(others, scores[truth], side).mean() for side in ("left", "right")) / 2 / len(others)


folder, path = sys.argv[1:]
network, blank = catapult.Network.load(path), catapult.Network.untrained("chesspp", channels=32, blocks=4, seed=1)
boards = [board for board, _ in positions(folder, slice(0, 200), 4000) + positions(folder, slice(200, None), 2000)]
moves = [(row, m, *(square for square, floor in board.floor_map().items()
                    if floor.color == board.turn and square != m.from_square))
         for row, board in enumerate(boards) for m in board.legal_moves
         if is_catapult_move(board, m) and played(board, m).legal_moves]
rows, made, other = zip(*(move for move in moves if len(move) == 3))  # Sides with both catapults.
squares = np.array([[m.from_square, m.to_square, o] for m, o in zip(made, other)])
squares ^= np.array([[0 if boards[row].turn else 56] for row in rows])  # Ranks are seen from the side to move.
truths = np.array([labels(boards[row], move) for row, move in zip(rows, made)])
policies = network.evaluate(boards)[2]
policy = np.array([policies[row][list(boards[row].legal_moves).index(m)] for row, m in zip(rows, made)])
after = [played(boards[row], m) for row, m in zip(rows, made)]
values, rows = network.evaluate(after)[0], np.array(rows)
first, seen = rows < 4000, np.array([board.observation() for board in boards])
parts = [(seen[i : i + 500, ..., :32], seen[i : i + 500, 0, 0, 32:]) for i in range(0, len(seen), 500)]
print(f"{len(rows)} moves in {len(boards)} positions; shares of the labels {truths.mean(0)}")
strong = [row for row in np.unique(rows[~first]) if truths[rows == row, 1].any()]
chosen, search = np.flatnonzero(np.isin(rows, strong)), np.zeros(len(rows))
found = catapult.Engine(path).analyse_many([after[i] for i in chosen], simulations=256)
search[chosen] = [-each.value for each in found]
scores = {"policy": [policy[~first]] * 2, "value after the move": [(values[:, 2] - values[:, 0])[~first]] * 2}
for name, each in {"input planes": None, "untrained": blank, "trained": network}.items():
    features = np.concatenate([tower(each, *part) if each else part[0] for part in parts])
    three = features.reshape(len(boards), 64, -1)[rows[:, None], squares]
    flat = [x.reshape(len(rows), -1) for x in (three[:, :2], three, three[:, 1, :, None] * three[:, 2, None])]
    for kind, x in zip(("two squares", "three squares", "and products"), (*flat[:2], np.concatenate(flat[1:], 1))):
        scores[f"{name}, {kind}"] = [ridge(x, truth, first) for truth in truths.T]
scores["value of 256 simulations"] = [None, search[~first]]
for name, by_label in scores.items():
    for label, score, truth in zip(("teleport", "check or attack"), by_label, truths[~first].T):
        if score is None:
            continue
        columns, groups = np.stack([score, truth], 1), rows[~first]
        each = (columns[groups == group] for group in np.unique(groups))
        within = np.array([auc(part) for part in each if 0 < part[:, 1].mean() < 1])
        inside = interval(within, np.arange(len(within)))
        print(f"{name}: {label}: AUC {interval(columns, groups, auc)}; within {len(within)} positions {inside}")
