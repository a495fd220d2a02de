// Reads pasted text: a FEN, a PGN, or moves without tags. Reads and writes the comments and variations of a PGN.

import { title } from "./choose";
import { readPgn, state as stateOf } from "./client";
import { button, dialog, h } from "./dom";
import type { PgnGame, Side } from "./types";

/** Returns the text with the two counters that a FEN of four fields lacks. */
export function completeFen(text: string): string {
    const fields = text.trim().split(/\s+/);
    return (fields.length === 4 ? [...fields, "0", "1"] : fields).join(" ");
}

/** True if a text begins with the placement of a FEN, also one with missing ranks. */
export function isFen(text: string): boolean {
    return /^[^\s/{;"]+\//.test(text.trim());
}

/** Asks which game a FEN without catapults belongs to. Null if the user closes the question. */
function askGame(variant: string): Promise<string | null> {
    return new Promise((resolve) => {
        let chosen: string | null = null;
        const choice = (label: string, name: string) =>
            button(label, () => {
                chosen = name;
                box.close();
            }, { id: `as-${name.split("+")[0]}` });
        const box = dialog(
            "This FEN names no catapults",
            h("p", {}, "It may be a position of chess, or one of Chess++ without catapults."),
            h("div", { class: "row end" }, choice("Open as chess", "chess"), choice(`Open as ${title(variant)}`, variant)),
        );
        box.addEventListener("close", () => resolve(chosen));
    });
}

/** Decodes a PGN file: UTF-8, else Latin-1, which the PGN standard prescribes and old files use. */
export function decode(bytes: ArrayBuffer): string {
    try {
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
        return new TextDecoder("latin1").decode(bytes);
    }
}

/** Comments, and lines that start with `%`, before the first tag. */
const COMMENTS = /^\s*(?:[;%][^\n]*\n\s*|\{[^}]*\}\s*)+(?=\[)/;

/**
 * Reads the games of a text. A FEN and moves without tags belong to `variant`; a PGN names its game.
 * Null if the user cancels.
 */
export async function readText(text: string, variant: string): Promise<{ games: PgnGame[]; more: boolean } | null> {
    const given = text.trim();
    if (given.startsWith("[") || COMMENTS.test(given)) return readPgn(given);
    if (given && !isFen(given)) return readPgn(`${pgnTag("Variant", variant).trim()} ${given}`);
    const start = completeFen(given);
    let game: string | null = variant;
    if (variant.startsWith("chesspp") && start.split(" ").length === 6) game = await askGame(variant);
    if (!game) return null;
    await stateOf({ variant: game, start, moves: [] });
    return { games: [{ tags: [], variant: game, start, moves: [], result: "*", error: null }], more: false };
}

/** A tag of a PGN on its own line. */
export function pgnTag(name: string, value: string): string {
    return `[${name} "${value.replace(/["\\]/g, "\\$&")}"]\n`;
}

/** Splits a PGN into one text per game. A tag after moves begins another game. */
export function splitGames(text: string): string[] {
    const before = COMMENTS.exec(text)?.[0] ?? "";
    const games: string[][] = [before ? [before] : []];
    let inMoves = false;
    for (const line of text.slice(before.length).split("\n")) {
        // Among the tags the rules accept any name.
        const tag = (inMoves ? /^\[\w+ *"/ : /^\[[^\s\]["]+ *"/).test(line);
        if (tag && inMoves) games.push([]);
        if (tag) inMoves = false;
        else if (line.trim()) inMoves = true;
        if (!tag) games[games.length - 1]!.push(line);
    }
    return games.map((lines) => lines.join("\n"));
}

/** True if a game's text has comments, variations or glyphs. */
export function isAnnotated(text: string): boolean {
    return /[{(;$!?]/.test(text);
}

/** Suffixes of moves and their numeric annotation glyphs. */
export const GLYPHS: Record<string, string> = { "!": "$1", "?": "$2", "!!": "$3", "??": "$4", "!?": "$5", "?!": "$6" };

export type Token = { kind: "comment" | "glyph" | "move" | "open" | "close"; text: string };

/** The annotations and moves of a game's text without tags. */
export function tokens(text: string): Token[] {
    const found: Token[] = [];
    // Like the reader of the rules, this skips lines that begin with % and words without a letter or digit (+/-).
    for (const { 0: token, index } of text.matchAll(/\{[^}]*\}?|^%[^\n]*|;[^\n]*|[()]|\$\d*|[*[\]]|[^\s(){};$*[\]]+/gm)) {
        if (token.startsWith("%") && (index === 0 || text[index - 1] === "\n")) continue;
        const glyph = /[!?]+$/.exec(token)?.[0];
        if (token.startsWith("{")) found.push({ kind: "comment", text: token.replace(/^\{|\}$/g, "").replace(/\s+/g, " ").trim() });
        else if (token.startsWith(";")) found.push({ kind: "comment", text: token.slice(1).trim() });
        else if (token === "(" || token === ")") found.push({ kind: token === "(" ? "open" : "close", text: token });
        else if (token.startsWith("$")) found.push({ kind: "glyph", text: token });
        else {
            const move = token.replace(/^\d+\.+/, "").replace(/[!?]+$/, "");
            if (/^--$|[\p{L}\p{N}]/u.test(move) && !/^(\d+\.?|1-0|0-1|1\/2(-1\/2)?|\*|\.+|e\.p\.)$/.test(move)) found.push({ kind: "move", text: move });
            if (glyph && GLYPHS[glyph]) found.push({ kind: "glyph", text: GLYPHS[glyph]! });
        }
    }
    return found;
}

/** A move's text without the signs that programs write differently. */
export function plainSan(san: string): string {
    return san.replace(/0-0-0/, "O-O-O").replace(/0-0/, "O-O").replace(/[+#=x]/g, "");
}

/** A move with its annotations and continuations, the main one first. */
export interface Annotated {
    san: string;
    side: Side;
    number: number;
    comment: string;
    /** Numeric annotation glyphs, such as `$1`. */
    glyphs: string[];
    children: Annotated[];
}

const WIDTH = 79;

/** Writes the moves below a node as PGN, with their annotations, and then the result. */
export function writeMoves(top: Annotated, result: string): string {
    const words: string[] = [];
    const note = ({ comment, glyphs }: Annotated): void => {
        words.push(...glyphs);
        if (comment) words.push(...`{${comment.replace(/[{}]/g, "|")}}`.split(" "));
    };
    const move = (node: Annotated, numbered: boolean): void => {
        if (node.side === "white") words.push(`${node.number}.`);
        else if (numbered) words.push(`${node.number}...`);
        words.push(node.san);
        note(node);
    };
    const line = (parent: Annotated, numbered: boolean): void => {
        for (let at = parent; at.children[0]; at = at.children[0]) {
            const [main, ...others] = at.children;
            move(main!, numbered);
            numbered = !!main!.comment || others.length > 0;
            for (const other of others) {
                const first = words.length;
                move(other, true);
                line(other, !!other.comment);
                words[first] = `(${words[first]}`;
                words.push(`${words.pop()})`);
            }
        }
    };
    note(top);
    line(top, true);
    words.push(result);
    const lines = [""];
    for (const word of words) {
        const last = lines[lines.length - 1]!;
        if (!last) lines[lines.length - 1] = word;
        // A reader takes a line that begins with `[` for a tag, even in a comment.
        else if (last.length + 1 + word.length > WIDTH && !word.startsWith("[")) lines.push(word);
        else lines[lines.length - 1] = `${last} ${word}`;
    }
    return lines.join("\n");
}
