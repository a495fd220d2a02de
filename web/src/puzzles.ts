// Puzzles: positions of Chess++ in which a teleport, a catapult move or the capture of both catapults
// wins or saves the game.

import { Board } from "./board";
import { engine, jsonOf, network, state as stateOf } from "./client";
import { boardPage, button, copy, field, h, message, renew, replace, select, toast } from "./dom";
import { type Place, rewritePlace, writePlace } from "./link";
import type { Page } from "./play";
import { counted, load, save } from "./settings";
import type { GameText, State } from "./types";
import { capital, outcomeInWords, percent } from "./words";

interface Puzzle {
    fen: string;
    /** The moves that solve it. Only proved puzzles have several. */
    moves: string[];
    kind: "teleport" | "catapult" | "capture";
    /** The network's expected score after the move, and after the best other move. */
    score?: number;
    others?: number;
    /** What is proved, such as "teleport wins: mate in 1". */
    proved?: string;
    /** The move and the line that the network expects. */
    line: string[];
    /** Simulations from which on the network finds the move. Null: more than the last of `ratings`. */
    rating: number | null;
}

interface Puzzles {
    source: { run: string; generations: [number, number]; games: number; network: string; verified: { simulations: number; least: number; most: number } };
    ratings: number[];
    puzzles: Puzzle[];
}

/** Simulations with which the network judges a wrong move. */
const SIMULATIONS = 200;

const KINDS = { teleport: "The move is a teleport.", catapult: "The move is a catapult move.", capture: "The move captures both catapults." };

const data = jsonOf<Puzzles>("puzzles.json", "puzzles");

/** The number of moves to a proved mate. */
const mateIn = (proved = ""): string | undefined => /mate in (\d)/.exec(proved)?.[1];

/** The task in words. */
function task({ fen, proved }: Puzzle): string {
    const side = fen.split(" ")[1] === "w" ? "White" : "Black";
    if (mateIn(proved)) return `${side} mates in ${mateIn(proved)}.`;
    // Endings with a late half-move clock are won only by mate.
    const turns = Math.ceil((100 - Number(fen.split(" ")[4])) / 2);
    if (proved?.includes("wins") && turns < 50) return `${side} to move. Mate within ${counted(turns, "move")}: then the fifty-move rule draws.`;
    return proved?.includes("saves") ? `${side} to move. Save the game.` : `${side} to move. ${proved ? "Find a move that wins" : "One move wins"}.`;
}

export function puzzlesPage(first: Place): Page {
    let place = first;
    let all: Puzzles | null = null;
    let at = 0;
    /** Counts the positions shown, so that a late answer is dropped. */
    let turn = 0;
    let hints = 0;
    let shown: State | null = null;
    let open = false;
    let closed = false;
    /** Puzzles by position, because numbers change: 2 solved at the first try, 1 solved with help, 0 unsolved after help. */
    const progress = load<Record<string, number>>("puzzles.solved", {});

    const board = new Board({ label: "Puzzle", onmove: (text) => void answer(text), onrefused: (words) => tell(words), may: () => open });
    const heading = h("h2", {});
    const words = h("p", { class: "status" });
    const level = h("p", { class: "hint" });
    const verdict = h("p", { class: "verdict", role: "status", id: "verdict" });
    const again = button("Try again", () => void (all ? start() : visit()), { id: "again" });
    const hint = button("Hint", () => giveHint(), { id: "hint" });
    const solution = button("Solution", () => void (all && solve()), { id: "solution" });
    const next = button("Next puzzle", () => all && go(unsolvedAfter(at)), { id: "next" });
    const analyse = h("a", { class: "button" }, "Analyse");
    const score = h("p", { class: "hint", id: "score" });
    const levels = h("div", {});
    const about = h("div", { class: "stack hint" });

    const puzzle = (): Puzzle => all!.puzzles[at]!;
    const game = (moves: string[] = []): GameText => ({ variant: "chesspp", start: puzzle().fen, moves });
    const solved = (index: number): boolean => !!progress[all!.puzzles[index]!.fen];
    const levelOf = ({ rating }: Puzzle): number => (rating === null ? all!.ratings.length : all!.ratings.indexOf(rating));
    const go = (index: number): void => void (location.hash = `#puzzles?n=${index + 1}`);

    function unsolvedAfter(index: number, among: (puzzle: Puzzle) => boolean = () => true): number {
        const order = all!.puzzles.map((_, step) => (index + 1 + step) % all!.puzzles.length).filter((one) => among(all!.puzzles[one]!));
        return order.find((one) => !solved(one)) ?? order[0] ?? 0;
    }

    function tell(text: string, good = false): void {
        verdict.textContent = text;
        verdict.classList.toggle("good", good);
    }

    /** Shows the position after some moves. Returns null if the user has gone on. */
    async function show(moves: string[], movable: boolean): Promise<State | null> {
        const mine = ++turn;
        const state = await stateOf(game(moves));
        if (mine !== turn) return null;
        shown = state;
        open = movable;
        board.annotate([]);
        board.show(state);
        again.disabled = movable;
        hint.disabled = !movable;
        return state;
    }

    async function start(): Promise<void> {
        const { fen, rating } = puzzle();
        hints = 0;
        tell("");
        words.textContent = task(puzzle());
        const most = all!.ratings.length;
        level.textContent = `Level ${levelOf(puzzle()) + 1} of ${most + 1}: ${rating === null ? `the network needs more than ${all!.ratings[most - 1]} simulations to find the move` : `the network finds the move with ${counted(rating, "simulation")}`}.`;
        next.classList.remove("primary");
        analyse.setAttribute("href", writePlace("analyse", game()));
        board.flip(fen.split(" ")[1] === "w" ? "white" : "black");
        drawProgress();
        await show([], true);
    }

    /** Stores that the puzzle was solved, or that the user needed help. */
    function keep(solved: boolean): void {
        const { fen } = puzzle();
        // Another tab may have solved puzzles since.
        Object.assign(progress, load<typeof progress>("puzzles.solved", {}));
        progress[fen] = solved ? (progress[fen] ?? 2) || 1 : (progress[fen] ?? 0);
        save("puzzles.solved", progress);
    }

    function drawProgress(): void {
        heading.textContent = `Puzzle ${at + 1} of ${all!.puzzles.length}${solved(at) ? ", solved" : ""}`;
        const done = all!.puzzles.flatMap(({ fen }) => progress[fen] || []);
        score.textContent = `${done.length} of ${all!.puzzles.length} solved, ${done.filter((one) => one === 2).length} at the first try.`;
        const name = (index: number): string => {
            const ones = all!.puzzles.map((one, place) => [one, place] as const).filter(([one]) => levelOf(one) === index);
            return `Level ${index + 1}: ${ones.filter(([, place]) => solved(place)).length} of ${ones.length} solved`;
        };
        const options = [...all!.ratings, null].map((_, index): [string, string] => [String(index), name(index)]);
        renew(levels, field("Go to level", select(options, String(levelOf(puzzle())), (value) => go(unsolvedAfter(-1, (one) => levelOf(one) === Number(value))), { id: "level" })));
    }

    async function answer(text: string): Promise<void> {
        const { moves, score } = puzzle();
        keep(moves.includes(text));
        if (moves.includes(text)) return void (await reveal(text, "Correct."));
        const state = await show([text], false);
        if (!state) return;
        const mine = turn;
        const san = state.last?.san ?? text;
        tell(`${san} is not the move.`);
        if (state.outcome) return tell(`${san} is not the move. ${outcomeInWords(state.outcome)}`);
        try {
            const found = await engine.think(game([text]), network("chesspp").file, { nodes: SIMULATIONS });
            if (mine !== turn || !found) return;
            const [, draw, loss] = found.wdl;
            const reply = found.lines[0]?.san[0];
            tell(`${san} is not the move. The network gives it a score of ${percent(loss + draw / 2)}${reply ? ` and replies ${reply}` : ""}.${score === undefined ? "" : ` The move to find has ${percent(score)}.`}`);
        } catch (error) {
            if (mine === turn) tell(`${san} is not the move. ${capital(message(error))}.`);
        }
    }

    /** Plays a solving move and shows what the network expects after it. */
    async function reveal(text: string, begin: string): Promise<void> {
        const { line, proved, score, others } = puzzle();
        const state = await show([text], false);
        if (!state) return;
        const mine = turn;
        const after = text === line[0] ? await stateOf(game(line)) : state;
        if (mine !== turn) return;
        const sans = after.history.map(([, san]) => san).join(" ");
        tell(`${begin} ${sans}. ${proved ? (mateIn(proved) ? `Proved: mate in ${mateIn(proved)}.` : "Proved by an endgame table.") : `The network gives the move ${percent(score!)}, every other move at most ${percent(others!)}.`}`, true);
        next.classList.add("primary");
        drawProgress();
    }

    async function solve(): Promise<void> {
        keep(false);
        await reveal(puzzle().moves[0]!, "The solution:");
    }

    function giveHint(): void {
        if (!shown) return;
        keep(false);
        const { kind, moves } = puzzle();
        const from = shown.moves.find(({ text }) => text === moves[0])?.from;
        if (hints++ && from !== undefined) board.annotate([], new Map([[from, 0.7]]));
        tell(KINDS[kind] + (hints > 1 ? ` It starts on ${moves[0]!.slice(0, 2)}.` : ""));
    }

    async function visit(): Promise<void> {
        try {
            all ??= await data();
            if (closed) return;
            const { source, ratings, puzzles } = all;
            const wanted = place.values.get("n");
            const index = Number(wanted ?? unsolvedAfter(-1) + 1) - 1;
            if (!puzzles[index]) toast(`There is no puzzle ${wanted}.`, "error");
            at = puzzles[index] ? index : unsolvedAfter(-1);
            rewritePlace(`#puzzles?n=${at + 1}`);
            const proofs = puzzles.filter(({ proved }) => proved).length;
            const { simulations, least, most } = source.verified;
            replace(
                about,
                h("p", {}, `${puzzles.length - proofs} positions are from ${source.games.toLocaleString("en")} games of networks against themselves, at most one per game. The catapults of the side to move were put on other squares, because few positions of the games have a teleport that alone wins. One move has an expected score of ${percent(least)} or more, and every other move at most ${percent(most)}. These are estimates of a network with up to ${simulations.toLocaleString("en")} simulations, not proofs.`),
                h("p", {}, `A search or an endgame table proves ${proofs} positions. If the task is a mate, another move may still win, but more slowly.`),
                h("p", {}, `The level is the smallest number of simulations among ${ratings.join(", ")} at which, and above which, the network chooses the move. Your progress is kept in this browser.`),
            );
            await start();
        } catch (error) {
            replace(words, `${capital(message(error))}.`);
        }
    }
    void visit();

    return {
        element: boardPage("play puzzles", "Puzzles", [board.element], "Puzzle", [
            heading,
            words,
            level,
            verdict,
            h("div", { class: "row tools-row" }, again, hint, solution, next),
            levels,
            score,
            h("div", { class: "row" }, analyse, button("Copy link", () => void copy(location.href, "Link"))),
            h("details", {}, h("summary", {}, "How these puzzles were made"), about),
        ]),
        close: () => {
            closed = true;
            turn++;
            void engine.stop().catch(() => {});
        },
        visit: (to) => {
            place = to;
            void visit();
        },
    };
}
