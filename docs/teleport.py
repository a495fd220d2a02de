"""Draws docs/teleport.svg: a catapult moves up, and a rook teleports to it and mates.

    python docs/teleport.py > docs/teleport.svg

Needs the Python package `catapult`.
"""

import re

import catapult
from catapult import svg

START = "6k1/1p3ppp/p7/8/8/1P6/5PPP/R5K1 w - - 0 1 a1d7/b8f8"
MOVES = ["d7e8", "b7b5", "a1e8t"]
CAPTIONS = ["White has catapults on a1 and d7.", "The empty catapult moves to e8.", "Black moves a pawn.", "The rook teleports from a1: mate."]
SECONDS = 2.5


def frames() -> list[str]:
    board = catapult.Board("chesspp", START)
    drawn = [svg.board(board, size=360)]
    for move in MOVES:
        board.push_uci(move)
        drawn.append(svg.board(board, size=360, arrows=[(move[:2], move[2:4])]))
    assert board.is_checkmate()
    return drawn


def main() -> None:
    drawn = frames()
    count = len(drawn)
    print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 392" width="360" height="392">')
    print("<title>A rook teleports between two catapults and mates</title>")
    print(f"<style>.f{{opacity:0;animation:f {count * SECONDS:g}s step-end infinite}}@keyframes f{{0%{{opacity:1}}{100 / count:g}%{{opacity:0}}}}"
          ".c{font:16px sans-serif;text-anchor:middle;fill:#777}</style>")
    for number, (frame, caption) in enumerate(zip(drawn, CAPTIONS)):
        body = re.sub(r"(id=\"|#)(?=[a-zA-Z])(?![0-9a-fA-F]{3,6}\b)", rf"\g<1>f{number}-", frame)
        print(f'<g class="f" style="animation-delay:{(number - count) * SECONDS:g}s">{body}<text class="c" x="180" y="382">{caption}</text></g>')
    print("</svg>")


if __name__ == "__main__":
    main()
