"""SVG drawings of the boards of all games, with both layers, in the style of the project's web page.

`board(board)` returns SVG text; notebooks display a board automatically.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from ._catapult import Board

__all__ = ["board"]

_FOOT = "M26 88v-5c0-5 4-8 9-8h30c5 0 9 3 9 8v5z"
_HORSE = "M34 75c-1-13 8-20 13-31-6 6-12 9-17 10-5 1-9-5-6-9 6-9 10-19 20-24l1-9 9 8c15 4 23 17 23 34 0 8-2 15-4 21z"


def _ball(x: float, y: float, r: float) -> str:
    return f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0 {-2 * r:g} 0z"


def _star(x: float, y: float, r: float) -> str:
    corners = []
    for n in range(10):
        radius, angle = r * 0.42 if n % 2 else r, (n - 2.5) * math.pi / 5
        corners.append(f"{x + radius * math.cos(angle):.1f} {y + radius * math.sin(angle):.1f}")
    return f"M{'L'.join(corners)}z"


_CAT = "M24 20l15 12c7-3 15-3 22 0l15-12c3 12 4 22 3 30 0 14-12 25-29 25S21 64 21 50c-1-8 0-18 3-30z"
_CAT_FACE = _ball(40, 48, 3.5) + _ball(60, 48, 3.5) + "M46 58h8l-4 5z"
_CUT = "M35 58l-14 3M65 58l14 3"

# (outline, lines on top, spots on top) in a square of side 100.
_DRAWINGS: dict[str, tuple[str, str, str]] = {
    "pawn": (f"{_ball(50, 33, 13)}M39 46h22l-3 6c0 9 4 16 9 23H33c5-7 9-14 9-23z{_FOOT}", "", ""),
    "rook": (f"M28 17h11v8h6v-8h10v8h6v-8h11v19l-8 7 3 32H33l3-32-8-7z{_FOOT}", "M37 43h26", ""),
    "bishop": (
        f"{_ball(50, 15, 6)}M50 20c10 9 19 19 19 31 0 10-6 15-10 18l2 6H39l2-6c-4-3-10-8-10-18 0-12 9-22 19-31z{_FOOT}",
        "M50 36v18M41 45h18",
        "",
    ),
    "knight": (f"{_HORSE}{_FOOT}", "M62 34c5 8 6 18 4 30", _ball(47, 31, 3.2)),
    "queen": (
        f"{_ball(19, 29, 6)}{_ball(40, 19, 6)}{_ball(60, 19, 6)}{_ball(81, 29, 6)}"
        f"M20 33l13 15 7-25 10 22 10-22 7 25 13-15-11 33 1 9H30l1-9z{_FOOT}",
        "M31 64c12-3 26-3 38 0",
        "",
    ),
    "king": (
        "M46 8h8v7h7v8h-7v8h-8v-8h-7v-8h7zM50 31c4 0 8 3 9 8 11-4 24 1 24 13 0 9-8 15-12 23H29c-4-8-12-14-12-23 0-12 13-17 24-13"
        f" 1-5 5-8 9-8z{_FOOT}",
        "M50 40v20M33 66c11-3 23-3 34 0",
        "",
    ),
    "baron": (f"{_HORSE}M44 16l6-10 6 10z{_FOOT}", "M58 44v20M50 54h16", _ball(45, 31, 3.2)),
    "sorcerer": (
        f"M17 76c4-6 10-9 15-10l14-50c1-5 6-8 11-6l14 6-8 6 5 44c6 1 11 4 15 10z{_FOOT}",
        "M32 67c11 4 24 4 36 0",
        _star(50, 46, 12),
    ),
    "jester": (
        f"{_ball(14, 56, 7)}{_ball(50, 13, 7)}{_ball(86, 56, 7)}M30 75V60c0-18-7-26-16-10 0-20 13-31 27-19 2-7 5-12 9-12s7 5 9 12"
        f"c14-12 27-1 27 19-9-16-16-8-16 10v15z{_FOOT}",
        "M41 31c-3 10-2 20 1 31M59 31c3 10 2 20-1 31M31 66c12 3 26 3 38 0",
        "",
    ),
    "guard": (f"M50 14c9 6 18 8 27 8 0 26-6 42-27 55-21-13-27-29-27-55 9 0 18-2 27-8z{_FOOT}", "M50 27v36M34 42h32", ""),
    "cat": (f"{_CAT}{_FOOT}", _CUT, _CAT_FACE),
    "star cat": (f"{_CAT}{_FOOT}", "", _star(50, 52, 19)),
    "nightrider": (f"{_HORSE}{_FOOT}", "M52 46l9 8-9 8M62 46l9 8-9 8", _ball(47, 31, 3.2)),
}

_SQUARES = {True: "#ece5d3", False: "#b59f7d"}
_COORDINATES = {True: "#5f4f35", False: "#2d2416"}
_LAST, _CHECK, _ARROW = "rgb(246,200,60)", "rgb(215,30,20)", "#0d6b3c"
_FRAMES = {True: "#0a5fd0", False: "#b3400a"}
_FLOORS = {True: "rgb(40,130,255)", False: "rgb(230,90,10)"}


def _piece(name: str, white: bool, x: float, y: float, size: float) -> str:
    body, lines, spots = _DRAWINGS[name.lower()]
    fill, ink, width = ("#ffffff", "#1b1d21", 4.5) if white else ("#24272c", "#f5f2ea", 3.5)
    parts = [
        f'<g transform="translate({x:g} {y:g}) scale({size / 100:g})">',
        f'<path d="{body}" fill="{fill}" stroke="{ink}" stroke-width="{width}" stroke-linejoin="round" paint-order="stroke"/>',
    ]
    if lines:
        parts.append(f'<path d="{lines}" fill="none" stroke="{ink}" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>')
    if spots:
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
