// Moves and positions in words, for screen readers and beginners.

import { kindOf, sideOf } from "./pieces";
import type { Last, Legal, Outcome, Parts, Side, Square, State } from "./types";

export function squareName(square: number, files: number): string {
    return String.fromCharCode(97 + (square % files)) + String(Math.floor(square / files) + 1);
}

export function squareIndex(name: string, files: number): number {
    return (Number(name.slice(1)) - 1) * files + name.charCodeAt(0) - 97;
}

export function capital(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

export function percent(share: number): string {
    return `${Math.round(100 * share)} %`;
}

export function other(side: Side): Side {
    return side === "white" ? "black" : "white";
}

function list(words: string[]): string {
    return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

/** Returns the name of the moving piece. */
function mover(move: Parts, variant: string): string {
    if (move.kind === "catapult") return "catapult";
    return move.piece && /[A-Za-z]/.test(move.piece) ? kindOf(move.piece, variant) : "piece";
}

/** A move in words: "knight from b1 to c3". */
export function inWords(move: Parts, variant: string, files: number): string {
    const name = (square: number | undefined): string => (square === undefined ? "" : squareName(square, files));
    switch (move.kind) {
        case "done":
            return "ends the turn";
        case "drop":
            return variant.startsWith("chesspp") ? `places a catapult on ${name(move.to)}` : `puts a portal on ${name(move.to)}`;
        case "castle":
            return `castles, king from ${name(move.from)} to ${name(move.to)}`;
        default:
    }
    let words = `${mover(move, variant)} from ${name(move.from)}`;
    if (move.kind === "teleport") words += ` teleports to ${name(move.to)}`;
    else if (move.kind === "instant") words += ` goes to ${name(move.via)} and teleports to ${name(move.to)}`;
    else words += ` to ${name(move.to)}`;
    if (move.kind === "declare") words += " as a Jester";
    if (move.takes?.length) words += `, taking what stands on ${list(move.takes.map(name))} on the way`;
    if (move.push !== undefined) words += `, pushing the second piece to ${name(move.push)}`;
    if (move.promotion) words += `, becomes a ${promotion(move.promotion, variant)}`;
    return words;
}

export function promotion(letter: string, variant: string): string {
    return letter.toUpperCase() === "C" && variant.startsWith("chesspp") ? "catapult" : kindOf(letter, variant);
}

/** The last move and its effects: "White: knight from b1 teleports to f7, takes a rook." */
export function lastInWords(last: Last, state: State): string {
    let words = `${capital(last.side)}: ${inWords(last, state.variant, state.files)}`;
    const catapults = last.taken.filter((name) => name === "catapult").length;
    const pieces = last.taken.filter((name) => name !== "catapult");
    if (pieces.length) words += `, takes ${list(pieces.map((name) => `a ${name}`))}`;
    if (catapults) words += `, removes ${["", "the catapult", "both catapults"][catapults] ?? `all ${catapults} catapults`}`;
    return `${words}.`;
}

const ENDS: Record<string, string> = {
    stalemate: "stalemate",
    dead: "neither side can win any more",
    "hundred-plies": "fifty moves without progress",
    repetition: "the third occurrence of the position",
};

/** The end of a game in words. `variant` may contain another number of plies than the fifty-move rule's. */
export function outcomeInWords(outcome: Outcome, variant = ""): string {
    if (outcome.winner) return `Checkmate: ${capital(outcome.winner)} wins.`;
    const plies = outcome.name === "hundred-plies" && /\+fifty=(\d+)/.exec(variant)?.[1];
    return `A draw: ${plies ? `${plies} plies without progress` : (ENDS[outcome.name] ?? outcome.name)}.`;
}

/** The side and kind of the next decision. */
export function toMove(state: State): string {
    const side = capital(state.side);
    if (state.moves.some((move) => move.kind === "drop")) {
        if (state.variant.startsWith("chesspp")) return `${side} places a catapult on the ${state.side === "white" ? "first" : "eighth"} rank.`;
        return state.moves.some((move) => move.kind === "done") ? `${side} may declare a pair of portals, or end the turn.` : `${side} chooses the second portal.`;
    }
    return `${side} to move${state.check ? ", in check" : ""}.`;
}

/** A square in words: "e4, white knight, White's fresh catapult". */
export function squareInWords(index: number, square: Square | undefined, state: State): string {
    const words = [squareName(index, state.files)];
    const pieces = [...(square?.pieces ?? "")].map((letter) => `${sideOf(letter)} ${kindOf(letter, state.variant)}`);
    if (pieces.length === 2) words.push(`stack of ${pieces[0]} and, on top, ${pieces[1]}`);
    else if (pieces[0]) words.push(pieces[0]);
    if (square?.frame) {
        const { side, what } = square.frame;
        words.push(what === "portal" ? `${capital(side)}'s portal` : `${capital(side)}'s ${what === "fresh" ? "fresh " : ""}catapult`);
    }
    if (words.length === 1) words.push("empty");
    return words.join(", ");
}

/**
 * The reason why castling to a square is not legal. Null unless the king and the rook are on their
 * initial squares, in chess or Chess++.
 */
export function whyNotCastle(state: State, from: number, to: number): string | null {
    const { board, side, variant, fen } = state;
    const cased = (letter: string): string => (side === "white" ? letter : letter.toLowerCase());
    const home = side === "white" ? 4 : 60;
    const short = to === home + 2;
    const rook = short ? home + 3 : home - 4;
    if (!variant.startsWith("chess") || from !== home || (!short && to !== home - 2)) return null;
    if (board[home]?.pieces !== cased("K") || board[rook]?.pieces !== cased("R")) return null;
    if (!fen.split(" ")[2]?.includes(cased(short ? "K" : "Q"))) return "You may not castle on this side any more: the right is lost.";
    const between = short ? [home + 1, home + 2] : [home - 1, home - 2, home - 3];
    if (between.some((square) => board[square]?.pieces)) return "You may not castle while a piece stands between king and rook.";
    if (state.check) return "You may not castle while in check.";
    const catapults = Object.keys(board).map(Number).filter((square) => board[square]?.frame?.side === other(side));
    const blocking = between.find((square) => catapults.includes(square));
    if (/\+block(\+|$)/.test(variant) && blocking !== undefined) return `You may not castle over the enemy catapult on ${squareName(blocking, state.files)} (rule 26).`;
    const teleporting = /\+teleport=([A-Z-]+)/.exec(variant)?.[1];
    // With `castle` or `peaceful`, an enemy piece that could teleport does not matter.
    for (const target of /\+(castle|peaceful)(\+|$)/.test(variant) ? [] : between.filter((square) => catapults.includes(square))) {
        const name = squareName(target, state.files);
        for (const at of catapults) {
            const piece = board[at]?.pieces;
            if (!piece || sideOf(piece) === side || (/p/i.test(piece) && !variant.includes("+pawns"))) continue;
            if (teleporting && !/p/i.test(piece) && !teleporting.includes(piece.toUpperCase())) continue;
            return `You may not castle, because the enemy ${kindOf(piece, variant)} on ${squareName(at, state.files)} could teleport to ${name} (rule 12).`;
        }
        if (variant.includes("+instant")) return `You may not castle, because an enemy piece could teleport to ${name} (rule 12), or attacks a square that the king would cross or reach.`;
    }
    return "You may not castle, because an enemy piece attacks a square that the king would cross or reach.";
}

/** Sorts the moves of a choice as users expect: the most common promotions first. */
export function inOrder(moves: Legal[]): Legal[] {
    const rank = (move: Legal): number => "QRBNSHGC".indexOf(move.promotion ?? "Q");
    return [...moves].sort((a, b) => rank(a) - rank(b));
}

/** Describes a move by its differences from the other moves to the same square. */
export function choiceInWords(move: Legal, all: Legal[], variant: string, files: number): string {
    const differs = (of: (move: Legal) => unknown): boolean => new Set(all.map((one) => JSON.stringify(of(one) ?? null))).size > 1;
    const words: string[] = [];
    const piece = mover(move, variant);
    if (differs((one) => one.kind) || differs((one) => one.via)) {
        const kinds: Record<string, string> = {
            move: `${piece} moves`,
            teleport: "teleport",
            instant: `through ${squareName(move.via ?? 0, files)}`,
            castle: "castle",
            declare: "as a Jester",
            catapult: "catapult moves",
        };
        words.push(kinds[move.kind] ?? move.kind);
    } else if (differs((one) => one.piece)) {
        words.push(piece);
    }
    if (differs((one) => one.takes)) {
        words.push(move.takes?.length ? `take ${list(move.takes.map((square) => squareName(square, files)))} on the way` : "take nothing on the way");
    }
    if (differs((one) => one.push)) words.push(move.push === undefined ? "both are taken" : `push to ${squareName(move.push, files)}`);
    if (differs((one) => one.promotion)) {
        const stays = all.some((one) => !one.promotion);
        if (move.promotion) words.push(`${stays ? "becomes a " : ""}${promotion(move.promotion, variant)}`);
        else words.push(`stays a ${piece}`);
    }
    return capital(words.join(", ") || move.san);
}
