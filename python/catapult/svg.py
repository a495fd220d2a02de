"""SVG drawings of the boards of all games, with both layers, in the style of the project's web page.

`board(board)` returns SVG text; notebooks display a board automatically.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path

from ._catapult import Board

__all__ = ["board"]

# Each kind has a filled outline (`body`), and some have `lines` and filled `spots` on top, in a square
# of side 100. The web page reads the same file.
_DRAWINGS: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("pieces.json").read_text(encoding="utf-8"))

_SQUARES = {True: "#ece5d3", False: "#b59f7d"}
_COORDINATES = {True: "#5f4f35", False: "#2d2416"}
_LAST, _CHECK, _ARROW = "rgb(246,200,60)", "rgb(215,30,20)", "#0d6b3c"
_FRAMES = {True: "#0a5fd0", False: "#b3400a"}
_FLOORS = {True: "rgb(40,130,255)", False: "rgb(230,90,10)"}


def _piece(name: str, white: bool, x: float, y: float, size: float) -> str:
    drawing = _DRAWINGS[name.lower()]
    body = drawing["body"]
    fill, ink, width = ("#ffffff", "#1b1d21", 4.5) if white else ("#24272c", "#f5f2ea", 3.5)
    parts = [
        f'<g transform="translate({x:g} {y:g}) scale({size / 100:g})">',
        f'<path d="{body}" fill="{fill}" stroke="{ink}" stroke-width="{width}" stroke-linejoin="round" paint-order="stroke"/>',
    ]
    if lines := drawing.get("lines"):
        parts.append(f'<path d="{lines}" fill="none" stroke="{ink}" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>')
    if spots := drawing.get("spots"):
        parts.append(f'<path d="{spots}" fill="{ink}"/>')
    return "".join(parts) + "</g>"


def _catapult(white: bool, fresh: bool, x: float, y: float) -> str:
    # White's frame is closed and Black's is four corners, so shape alone distinguishes them. Studs
    # mark a first move left.
    d = "M7 7h86v86h-86z" if white else "M7 37v-30h30M63 7h30v30M93 63v30h-30M37 93h-30v-30"
    parts = [
        f'<g transform="translate({x:g} {y:g})"><rect x="4" y="4" width="92" height="92" fill="{_FLOORS[white]}" fill-opacity=".2"/>',
        f'<path d="{d}" fill="none" stroke="#ffffff" stroke-opacity=".9" stroke-width="12" stroke-linecap="square"/>',
        f'<path d="{d}" fill="none" stroke="{_FRAMES[white]}" stroke-width="8"/>',
    ]
    if fresh:
        for cx, cy in ((11, 11), (89, 11), (11, 89), (89, 89)):
            parts.append(f'<circle cx="{cx}" cy="{cy}" r="7" fill="{_FRAMES[white]}" stroke="#ffffff" stroke-width="3"/>')
    return "".join(parts) + "</g>"


def _portal(white: bool, x: float, y: float) -> str:
    dash = "" if white else ' stroke-dasharray="22 12"'
    ring = f'fill="none" stroke="{_FRAMES[white]}"{dash}'
    return (
        f'<g transform="translate({x:g} {y:g})"><circle cx="50" cy="50" r="38" fill="{_FLOORS[white]}" fill-opacity=".2"/>'
        '<circle cx="50" cy="50" r="38" fill="none" stroke="#ffffff" stroke-opacity=".9" stroke-width="13"/>'
        f'<circle cx="50" cy="50" r="38" {ring} stroke-width="8"/><circle cx="50" cy="50" r="24" {ring} stroke-width="5"/></g>'
    )


def board(
    board: Board,
    *,
    size: int = 400,
    orientation: bool = True,
    coordinates: bool = True,
    lastmove: bool = True,
    arrows: Iterable[tuple[int | str, int | str]] | None = None,
) -> str:
    """An SVG of a position, with the squares of the last move and a king in check marked.

    `size` is the width in pixels, `orientation` the side at the bottom (True for White). `arrows`
    are pairs of squares, as indices or names.

    Catapults are frames: White's is closed, Black's is four corners, with studs before the first
    move. Portals are rings. Of two pieces on a square the later one is on the right.
    """
    files, ranks = board.files, board.ranks

    def place(square: int) -> tuple[int, int]:
        file, rank = square % files, square // files
        return (file * 100, (ranks - 1 - rank) * 100) if orientation else ((files - 1 - file) * 100, rank * 100)

    def index(square: int | str) -> int:
        # `square_name` rejects squares that are not on the board.
        return board.parse_square(board.square_name(square))

    width, height = files * 100, ranks * 100
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{size}" height="{size * ranks // files}">'
        f"<title>{board.variant}: {board.fen()}</title>"
        f'<defs><marker id="head" viewBox="0 0 10 10" refX="5" refY="5" markerWidth="3" markerHeight="3" orient="auto">'
        f'<path d="M0 0l10 5-10 5z" fill="{_ARROW}"/></marker></defs>'
    ]
    for square in range(files * ranks):
        x, y = place(square)
        light = (square % files + square // files) % 2 == 1
        parts.append(f'<rect x="{x}" y="{y}" width="100" height="100" fill="{_SQUARES[light]}"/>')
        if coordinates:
            name, style = board.square_name(square), f'fill="{_COORDINATES[light]}" font-family="sans-serif" font-size="17" font-weight="600"'
            if x == 0:
                parts.append(f'<text x="9" y="{y + 25}" {style}>{name[1:]}</text>')
            if y == height - 100:
                parts.append(f'<text x="{x + 91}" y="{height - 11}" text-anchor="end" {style}>{name[0]}</text>')
    marks: dict[int, str] = {}
    if lastmove and board.move_stack:
        last = board.peek()
        marks.update({square: _LAST for square in (last.from_square, last.to_square) if square is not None})
    pieces = {square: board.pieces_at(square) for square in range(files * ranks)}
    if board.is_check():
        king = "K" if board.turn else "k"
        marks.update({square: _CHECK for square, here in pieces.items() if any(piece.symbol == king for piece in here)})
    for square, colour in marks.items():
        x, y = place(square)
        parts.append(f'<rect x="{x}" y="{y}" width="100" height="100" fill="{colour}" fill-opacity=".45"/>')
    for square, floor in board.floor_map().items():
        x, y = place(square)
        parts.append(_catapult(floor.color, floor.fresh, x, y) if floor.kind == "catapult" else _portal(floor.color, x, y))
    for square, here in pieces.items():
        x, y = place(square)
        places = [(5, 4, 90)] if len(here) == 1 else [(1, 38, 62), (37, 1, 62)]
        for piece, (dx, dy, scale) in zip(here, places):
            parts.append(_piece(piece.name, piece.color, x + dx, y + dy, scale))
    for start, end in arrows or ():
        (x1, y1), (x2, y2) = place(index(start)), place(index(end))
        length = math.hypot(x2 - x1, y2 - y1) or 1
        short = 1 - 26 / length
        path = f"M{x1 + 50} {y1 + 50}L{x1 + 50 + (x2 - x1) * short:.1f} {y1 + 50 + (y2 - y1) * short:.1f}"
        parts.append(
            f'<path d="{path}" fill="none" stroke="{_ARROW}" stroke-opacity=".75" stroke-width="12" stroke-linecap="round" marker-end="url(#head)"/>'
        )
    return "".join(parts) + "</svg>"
