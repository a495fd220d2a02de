// A game of the page Play: who plays which side, where it is kept, and how links name the players.

import { toast } from "./dom";
import { isAnnotated, isFen, readText, splitGames } from "./read";
import { isLevel, loadOfTab, strength } from "./settings";
import type { GameText, Side, State } from "./types";
import { other } from "./words";

export interface Played extends GameText {
    /** `human`, or the id of a strength. */
    white: string;
    black: string;
    /** Names of two people, White's first. Only a game from a link lacks the list. */
    names?: (string | null | undefined)[];
    /** The tags of a game from a link or a text that still hold if it continues. A game begun here lacks the list. */
    tags?: [name: string, value: string][];
    bottom: Side;
    resigned: Side | null;
    /** The user's side in a game by link, whose other side is played in another browser. */
    mail?: Side;
    /** True for a game against the computer that began with a link. */
    challenge?: boolean;
    /** True for a game from the start position without a hint or take-back. A server may record its result. */
    fair?: boolean;
}

export const FIRST: Played = { variant: "chesspp", start: "", moves: [], white: "human", black: "beginner", names: [], bottom: "white", resigned: null, fair: true };

export const isHuman = (game: Played, side: Side): boolean => game[side] === "human";

export function isNetwork(game: Played, side: Side): boolean {
    const { depth, server } = strength(game[side]);
    return !isHuman(game, side) && !depth && !server;
}

function isPlayed(value: Played): boolean {
    const texts = [value.variant, value.start, value.white, value.black].every((text) => typeof text === "string");
    return texts && Array.isArray(value.moves) && value.moves.every((move) => typeof move === "string");
}

export function isSide(value: unknown): value is Side {
    return value === "white" || value === "black";
}

/** The user's own game, stored per tab. */
export function ownGame(): Played {
    const own = loadOfTab("play", FIRST);
    if (!isPlayed(own)) return FIRST;
    return isSide(own.mail) ? own : { ...own, mail: undefined };
}

/** The parameters of a link that say who plays which side. */
export function seats(of: Played, toMove: Side | undefined): Record<string, string> {
    if (of.mail && toMove) return { you: toMove };
    const human = (["white", "black"] as const).find((side) => of[side] === "human");
    return of.challenge && human ? { you: human, against: of[other(human)] } : {};
}

/** A game from a link, with the seats that the link names. */
export function fromLink(given: GameText, values: URLSearchParams, state: State): Played {
    const named = values.get("you");
    let level = values.get("against");
    const game: Played = { ...given, white: "human", black: "human", tags: given.start || given.moves.length ? [] : undefined, bottom: "white", resigned: null };
    if (level !== null && !isLevel(level)) {
        toast("The link names a strength that this page does not have. The computer plays Medium instead.", "error");
        level = "medium";
    }
    const you = isSide(named) ? named : state.side;
    if (level !== null) return { ...game, [other(you)]: level, bottom: you, challenge: true, fair: !given.start && !given.moves.length };
    return isSide(named) ? { ...game, bottom: you, mail: you } : game;
}

/**
 * Reads a game from a FEN, a PGN or moves. Both players are human; "New game" can continue it with
 * others. Null if the user cancels.
 */
export async function loaded(text: string, game: Played): Promise<Played | null> {
    const read = await readText(text, game.variant);
    if (!read) return null;
    const { variant, start, moves, error, tags } = read.games[0]!;
    if (error) throw new Error(error);
    const annotated = !isFen(text) && isAnnotated(splitGames(text).join("\n"));
    const dropped = [read.games.length > 1 ? "only the first game is kept" : "", annotated ? "annotations are left out" : ""].filter((words) => words);
    if (dropped.length) toast(`In Play, ${dropped.join(", and ")}. Analyse keeps them.`);
    const named = (side: string): string | undefined => tags.find(([name]) => name === side)?.[1];
    const kept = tags.filter(([name]) => ["Event", "Site", "Date", "Round"].includes(name));
    return { variant, start, moves, white: "human", black: "human", names: [named("White"), named("Black")], tags: kept, bottom: game.bottom, resigned: null };
}
