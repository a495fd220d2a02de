"""The teleports that catapult moves prepare. Needs the Python package `catapult`."""

import catapult


def passed(board):
    """Returns the position with the other side to move."""
    fields = board.fen().split()
    fields[1], fields[3] = "b" if fields[1] == "w" else "w", "-"
    return catapult.Board("chesspp", " ".join(fields))


def played(board, move):
    after = board.copy(stack=False)
    after.push(move)
    return after


def wins_a_piece(board, square):
    """Returns True if the piece on a square can capture a piece that is not defended."""
    moves = [m for m in board.legal_moves if m.from_square == square and not m.is_teleport]
    captures = [m for m in moves if board.piece_at(m.to_square)]
    return any(all(reply.to_square != m.to_square for reply in played(board, m).legal_moves) for m in captures)


def labels(board, move):
    """Does the move prepare a teleport to its square, and one that gives check or attacks an undefended piece?"""
    mine = passed(played(board, move))
    found = [m for m in mine.legal_moves if m.is_teleport and m.to_square == move.to_square]
    return bool(found), any(mine.gives_check(m) or wins_a_piece(passed(played(mine, m)), m.to_square) for m in found)
