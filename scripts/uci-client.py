"""Plays, analyses and ponders through python-chess, and measures the engine's response times."""

import subprocess
import sys
import time

import chess
import chess.engine


def main(binary: str) -> None:
    began = time.monotonic()
    engine = chess.engine.SimpleEngine.popen_uci([binary, "uci"])
    seconds = time.monotonic() - began
    assert seconds < 1.0, f"uciok came after {seconds:.2f} s"
    engine.ping()

    # A whole game of the engine against itself with clocks.
    board = chess.Board()
    clocks = {chess.WHITE: 2.0, chess.BLACK: 2.0}
    while not board.is_game_over(claim_draw=True) and board.ply() < 160:
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK], white_inc=0.05, black_inc=0.05
        )
        began = time.monotonic()
        played = engine.play(board, limit, game="one")
        clocks[board.turn] -= time.monotonic() - began
        assert clocks[board.turn] > 0, f"lost on time at ply {board.ply()}: {clocks}"
        clocks[board.turn] += 0.05
        assert played.move in board.legal_moves, f"{played.move} in {board.fen()}"
        board.push(played.move)
    print(f"a game of {board.ply()} plies, result {board.result(claim_draw=True)}")

    # Analyses with several lines, finds a mate, and stops an infinite analysis.
    infos = engine.analyse(chess.Board(), chess.engine.Limit(nodes=400), multipv=3)
    assert len(infos) == 3 and all(info["nodes"] >= 400 for info in infos), infos
    mate = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    info = engine.analyse(mate, chess.engine.Limit(time=0.2))
    assert info["score"].white() == chess.engine.Mate(1), info
    with engine.analysis(chess.Board()) as analysis:
        for number, _ in enumerate(analysis):
            if number > 3:
                break

    # Pondering: the opponent plays the expected reply.
    board = chess.Board()
    played = engine.play(board, chess.engine.Limit(nodes=200), ponder=True)
    board.push(played.move)
    board.push(played.ponder or next(iter(board.legal_moves)))
    played = engine.play(board, chess.engine.Limit(nodes=200), ponder=True)
    assert played.move in board.legal_moves
    engine.quit()

    # Chess++ between two processes over the protocol alone. Each process must accept the other's moves.
    white, black = (Raw(binary) for _ in range(2))
    moves: list[str] = []
    for ply in range(40):
        side = (white, black)[ply % 2]
        best = side.ask(f"position startpos moves {' '.join(moves)}" if moves else "position startpos", "go nodes 16")
        if best == "(none)":
            break
        moves.append(best)
    white.ask("position startpos", "go nodes 1")
    white.say("go infinite")
    time.sleep(0.3)
    began = time.monotonic()
    white.ask("stop")
    print(f"stop was answered in {1000 * (time.monotonic() - began):.0f} ms")
    assert not white.errors and not black.errors, (white.errors, black.errors)
    white.close()
    black.close()
    print(f"Chess++ between two processes: {len(moves)} plies")


class Raw:
    """A process of the Chess++ engine, driven line by line."""

    def __init__(self, binary: str) -> None:
        command = [binary, "uci", "--option", "UCI_Variant=chesspp"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.errors: list[str] = []

    def say(self, *lines: str) -> None:
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def ask(self, *lines: str) -> str:
        self.say(*lines)
        for line in self.process.stdout:
            if line.startswith("info string error"):
                self.errors.append(line)
            if line.startswith("bestmove"):
                return line.split()[1]
        raise RuntimeError("the engine has gone")

    def close(self) -> None:
        self.say("quit")
        assert self.process.wait(timeout=5) == 0


main(sys.argv[1])
