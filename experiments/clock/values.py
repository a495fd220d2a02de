"""Prints the mean raw value of networks in random endings of Chess++, by half-move clock.

    python values.py NETWORK...

Needs the Python package `catapult`. White has the material and moves; each side has two catapults on random squares.
The output is CSV: network, material, clock, positions, mean of P(win) - P(loss) for White.
"""

import random
import sys

import catapult

ENDINGS = {"K+R v K": "KRk", "K+R+B v K": "KRBk", "K+Q v K": "KQk", "K+Q+R v K": "KQRk"}
CLOCKS = (10, 50, 95)
POSITIONS = 200


def square(number):
    return "abcdefgh"[number % 8] + str(number // 8 + 1)


def placement(pieces):
    rows = []
    for rank in reversed(range(8)):
        row, empty = "", 0
        for file in range(8):
            piece = pieces.get(8 * rank + file)
            if piece is None:
                empty += 1
                continue
            row += (str(empty) if empty else "") + piece
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows)


def position(letters, rng):
    """Returns a random FEN with `{}` in place of the half-move clock. The position may be illegal."""
    squares = rng.sample(range(64), len(letters))
    catapults = [square(s) for s in rng.sample(range(64), 4)]
    white, black = "".join(sorted(catapults[:2])), "".join(sorted(catapults[2:]))
    return f"{placement(dict(zip(squares, letters)))} w - - {{}} 100 {white}/{black}"


def legal(fen):
    """Returns True if the FEN is legal and the game is not over."""
    try:
        board = catapult.Board("chesspp", fen.format(0))
    except ValueError:
        return False
    return board.outcome() is None and bool(board.legal_moves)


def positions(letters):
    rng = random.Random(1)
    found = []
    while len(found) < POSITIONS:
        fen = position(letters, rng)
        if legal(fen):
            found.append(fen)
    return found


def main():
    print("network,material,clock,positions,value")
    for path in sys.argv[1:]:
        network = catapult.Network.load(path)
        for name, letters in ENDINGS.items():
            fens = positions(letters)
            for clock in CLOCKS:
                boards = [catapult.Board("chesspp", fen.format(clock)) for fen in fens]
                outcomes = network.evaluate(boards)[0]
                values = outcomes[:, 0] - outcomes[:, 2]
                print(f"{path},{name},{clock},{len(boards)},{values.mean():.4f}")


if __name__ == "__main__":
    main()
