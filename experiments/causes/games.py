"""Games, positions and intervals for the scripts of this folder. Needs the Python packages `catapult` and `numpy`."""

import catapult
import catapult.data
import numpy as np

RNG = np.random.default_rng(1)


def games(folder):
    return [game for shard in catapult.data.shards(folder) for game in catapult.data.Shard(shard)]


def is_catapult_move(board, move):
    return not move.is_teleport and board.piece_at(move.from_square) is None


def interval(values, groups, statistic=np.mean):
    """Formats a statistic with its 95 % interval, by bootstrap over groups (games or positions)."""
    parts = [np.flatnonzero(groups == group) for group in np.unique(groups)]
    picks = RNG.integers(len(parts), size=(400, len(parts)))
    draws = [statistic(values[np.concatenate([parts[i] for i in pick])]) for pick in picks]
    return "{:.3g} [{:.3g}, {:.3g}]".format(statistic(values), *np.percentile(draws, [2.5, 97.5]))


def positions(folder, which, count):
    """Returns random positions of some games that have legal catapult moves and others, with the games' numbers."""
    found = []
    for number, game in enumerate(games(folder)[which]):
        board = catapult.Board("chesspp")
        for text in game.moves:
            if board.ply() >= 8 and len({is_catapult_move(board, move) for move in board.legal_moves}) == 2:
                found.append((board.copy(), number))
            board.push(text)
    return [found[i] for i in RNG.permutation(len(found))[:count]]
