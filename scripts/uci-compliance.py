"""Runs the checks of fastchess 1.x's `--compliance` on an engine, under the same names and without its code."""

import queue
import subprocess
import sys
import threading

FEN = "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27"
BLACK = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


class Engine:
    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.seen: list[str] = []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        for line in self.process.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def say(self, line: str) -> bool:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.poll() is None

    def until(self, word: str, seconds: float = 10) -> bool:
        """Reads up to a line that begins with the word. `seen` holds all lines read, including that line."""
        self.seen = []
        while True:
            try:
                line = self.lines.get(timeout=seconds)
            except queue.Empty:
                return False
            if line is None:
                return False
            if line.split()[:1] == [word]:
                self.seen.append(line)
                return True
            self.seen.append(line)

    def info(self) -> str:
        """Returns the last `info` line of a search, ignoring `info string`."""
        lines = [line for line in self.seen if line.startswith("info ") and not line.startswith("info string")]
        return lines[-1] if lines else ""

    def valid_info(self) -> bool:
        words = self.info().split()
        pairs = zip(words, words[1:])
        return words[:1] == ["info"] and not any(
            "." in value for key, value in pairs if key in ("time", "nps", "score")
        )

    def has_score(self) -> bool:
        return "score" in self.info().split()

    def best(self) -> bool:
        return self.until("bestmove") and len(self.seen[-1].split()) > 1


def steps(engine: Engine) -> list:
    def ready() -> bool:
        return engine.say("isready") and engine.until("readyok")

    def said(beginning: str) -> bool:
        return any(line.startswith(beginning) and len(line) > len(beginning) for line in introduction)

    introduction: list[str] = []

    def start() -> bool:
        found = engine.say("uci") and engine.until("uciok")
        introduction.extend(engine.seen)
        return found

    def think(go: str, when: str) -> list:
        return [
            (f"Send {go}", lambda: engine.say(go)),
            (f"Read bestmove after {when}", engine.best),
            (f"Check if engine prints an info line after {when}", lambda: engine.info() != ""),
            (f"Verify info line format is valid after {when}", engine.valid_info),
            (f"Check if engine prints an info line with the score after {when}", engine.has_score),
        ]

    return [
        ("Start the engine", start),
        ("Check if engine is ready", ready),
        ("Check id name", lambda: said("id name ")),
        ("Check id author", lambda: said("id author ")),
        ("Send ucinewgame", lambda: engine.say("ucinewgame") and ready()),
        ("Set position to startpos", lambda: engine.say("position startpos")),
        ("Check if engine is ready after startpos", ready),
        ("Set position to fen", lambda: engine.say(f"position fen {FEN}")),
        ("Check if engine is ready after fen", ready),
        *think("go wtime 100", "go wtime 100"),
        ("Set position to black to move", lambda: engine.say(f"position fen {BLACK}")),
        *think("go btime 100", "go btime 100"),
        *think("go wtime 100 winc 100 btime 100 binc 100", "go wtime 100 winc 100"),
        *think("go btime 100 binc 100 wtime 100 winc 100", "go btime 100 binc 100"),
        ("Send ucinewgame again", lambda: engine.say("ucinewgame") and ready()),
        ("Set position to startpos again", lambda: engine.say("position startpos")),
        *think("go wtime 100 btime 100", "go wtime 100 btime 100"),
        ("Set position to startpos moves e2e4 e7e5", lambda: engine.say("position startpos moves e2e4 e7e5")),
        *think("go wtime 100 btime 100", "position startpos moves e2e4 e7e5"),
        ("Quit", lambda: engine.say("quit") or engine.process.wait(timeout=5) == 0),
    ]


def main(command: list[str]) -> None:
    engine = Engine(command)
    passed = 0
    for name, step in steps(engine):
        if not step():
            sys.exit(f"failed: {name}; the engine had written {engine.seen}")
        passed += 1
    if engine.process.wait(timeout=5) != 0:
        sys.exit("failed: the engine ended badly")
    print(f"{passed} checks of compliance passed")


main(sys.argv[1:])
