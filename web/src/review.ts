// The review of a game: expected score lost per move, better moves, missed teleports, and each side's accuracy.

import type { Found, Kind, Outcome, Side, State } from "./types";

/** Simulations per position. */
export const SIMULATIONS = 200;

/** Smallest loss of expected score for each mark, the largest first. */
export const MARKS: [mark: "??" | "?" | "?!", name: string, loss: number][] = [
    ["??", "blunder", 0.2],
    ["?", "mistake", 0.1],
    ["?!", "inaccuracy", 0.05],
];
/** Steepness of the accuracy: exp(-STEEPNESS * loss). */
export const STEEPNESS = 4.5;

/** Evaluation of a position. */
export interface Value {
    /** White's expected score from 0 to 1. */
    white: number;
    /** The best move. Null if the game is over. */
    best: { text: string; san: string; kind: Kind } | null;
}

export interface Judged {
    /** Expected score that the move lost, from 0 to 1. */
    loss: number;
    mark: "" | "??" | "?" | "?!";
    better: Value["best"];
    /** The best move was a teleport and the move was not, and it lost enough for a mark. */
    missedTeleport: boolean;
}

/** White's win, draw and loss in a finished game. */
export function wdlOf({ winner }: Outcome): [number, number, number] {
    return winner === "white" ? [1, 0, 0] : winner === "black" ? [0, 0, 1] : [0, 1, 0];
}

export function valueOfOutcome(outcome: Outcome): Value {
    const [win, draw] = wdlOf(outcome);
    return { white: win + draw / 2, best: null };
}

/**
 * Returns the value of the best move. The mean over all simulations would be lower, because it
 * includes worse moves.
 */
export function valueOf(found: Found, state: State): Value {
    const line = found.lines[0];
    const [win, draw] = line?.wdl ?? found.wdl;
    const proven = line?.proven && { win: 1, draw: 0.5, loss: 0 }[line.proven[0]];
    const score = proven ?? win + draw / 2;
    const best = state.moves.find(({ text }) => text === line?.moves[0]);
    return { white: state.side === "white" ? score : 1 - score, best: best ? { text: best.text, san: best.san, kind: best.kind } : null };
}

const isTeleport = (kind: Kind): boolean => kind === "teleport" || kind === "instant";

/** Judges a move by the values of the positions before and after it. */
export function judge(side: Side, text: string, kind: Kind, before: Value, after: Value): Judged {
    const lost = side === "white" ? before.white - after.white : after.white - before.white;
    const loss = text === before.best?.text ? 0 : Math.max(0, lost);
    const mark = MARKS.find(([, , least]) => loss >= least)?.[0] ?? "";
    return { loss, mark, better: mark ? before.best : null, missedTeleport: !!mark && !!before.best && isTeleport(before.best.kind) && !isTeleport(kind) };
}

export function accuracy(loss: number): number {
    return Math.exp(-STEEPNESS * loss);
}

interface Summary {
    moves: number;
    /** Mean accuracy from 0 to 1. */
    accuracy: number;
    /** Mean loss of expected score. */
    loss: number;
    marks: Record<string, number>;
    missedTeleports: number;
}

/** Summarises the moves of one side. */
export function summary(moves: Judged[]): Summary {
    const mean = (of: (move: Judged) => number): number => moves.reduce((sum, move) => sum + of(move), 0) / (moves.length || 1);
    return {
        moves: moves.length,
        accuracy: mean(({ loss }) => accuracy(loss)),
        loss: mean(({ loss }) => loss),
        marks: Object.fromEntries(MARKS.map(([mark]) => [mark, moves.filter((move) => move.mark === mark).length])),
        missedTeleports: moves.filter(({ missedTeleport }) => missedTeleport).length,
    };
}
