// The placement of a FEN as squares, and squares as a FEN, without the rules: for pictures and the board editor.

import type { Frame, Side, Square, State } from "./types";
import { squareIndex, squareName } from "./words";

export type Squares = Record<string, Square>;

function framesOf(list: string, side: Side, what: Frame["what"]): [name: string, frame: Frame][] {
    return [...list.matchAll(/([a-l]\d+)(\*?)/g)].map(([, name, star]) => [name!, { side, what: star ? "fresh" : what }]);
}

/** Reads the pieces of a FEN, and the catapults or portals in its seventh field. */
export function readSquares(fen: string, variant: string): { files: number; ranks: number; board: Squares } {
    const fields = fen.trim().split(/\s+/);
    const rows = (fields[0] ?? "").split("/").reverse();
    const cells = rows.map((row) => [...row.matchAll(/\d+|\([A-Za-z]+\)|[A-Za-z]/g)].flatMap(([token]) => (/\d/.test(token) ? Array<string>(Math.min(26, Number(token))).fill("") : [token.replace(/[()]/g, "")])));
    const files = Math.max(...cells.map((row) => row.length), 1);
    const board: Squares = {};
    for (const [rank, row] of cells.entries()) for (const [file, pieces] of row.entries()) if (pieces) board[rank * files + file] = { pieces };
    if (variant.startsWith("chesspp") || variant === "maxim") {
        const [white = "", black = ""] = (fields[6] ?? "").split("/");
        const what = variant === "maxim" ? "portal" : "moved";
        for (const [name, frame] of [...framesOf(white, "white", what), ...framesOf(black, "black", what)]) {
            const square = squareIndex(name, files);
            board[square] = { ...board[square], frame };
        }
    }
    return { files, ranks: cells.length, board };
}

/** The position of a FEN for a board that only shows it. */
export function pictured(fen: string, variant = "chesspp"): State {
    const side = fen.split(" ")[1] === "b" ? "black" : "white";
    return { variant, fen, ...readSquares(fen, variant), side, check: false, outcome: null, moves: [], last: null, history: [], pieces: [] };
}

/** The first field of a FEN. */
function writePlacement(board: Squares, files: number, ranks: number): string {
    const square = (index: number): string => {
        // Every empty square is a 1 at first.
        const pieces = board[index]?.pieces || "1";
        return pieces.length > 1 ? `(${pieces})` : pieces;
    };
    const row = (rank: number): string => Array.from({ length: files }, (_, file) => square(rank * files + file)).join("");
    const rows = Array.from({ length: ranks }, (_, index) => row(ranks - 1 - index));
    return rows.join("/").replace(/1+/g, (empty) => String(empty.length));
}

/** The list of a side's catapults or portals. */
function frameList(board: Squares, side: Side, write: (square: number, frame: Frame) => string, order?: (a: string, b: string) => number): string {
    const names = Object.entries(board).flatMap(([square, { frame }]) => (frame?.side === side ? [write(Number(square), frame)] : []));
    return names.sort(order).join("") || "-";
}

/**
 * The seventh field of a FEN of Chess++: each side's catapults by file, then rank, and the number of
 * catapults that it has yet to place, as in the former field.
 */
function writeCatapults(board: Squares, files: number, before: string): string {
    const [white, black] = (["white", "black"] as const).map((side, index) => {
        const left = /\+\d+$/.exec(before.split("/")[index] ?? "")?.[0];
        const list = frameList(board, side, (square, { what }) => squareName(square, files) + (what === "fresh" ? "*" : ""));
        return left ? list.replace("-", "") + left : list;
    });
    return white === "-" && black === "-" ? "-" : `${white}/${black}`;
}

/** The castling rights with a king on its file of chess and a rook in the corner. */
function rights(wanted: string, board: Squares, files: number, ranks: number): string {
    const allowed = [...wanted].filter((letter) => {
        const [first, king, rook] = letter === letter.toUpperCase() ? [0, "K", "R"] : [files * (ranks - 1), "k", "r"];
        const corner = first + (letter.toUpperCase() === "K" ? files - 1 : 0);
        return board[first + files / 2]?.pieces === king && board[corner]?.pieces === rook;
    });
    return allowed.join("") || "-";
}

/**
 * The FEN of edited squares. Fields that are not given are those of `before`, if they still fit. The
 * en-passant square is dropped, and the counters start again.
 */
export function writeFen(variant: string, before: string, { board, files, ranks }: ReturnType<typeof readSquares>, side?: string, castling?: string): string {
    const [, toMove = "w", kept = "-", , , , seventh = "-", ...rest] = before.split(" ");
    const wanted = (castling ?? kept).replace(/[^KQkq]/g, "");
    const fields = [writePlacement(board, files, ranks), side ?? toMove, variant === "maxim" ? "-" : rights(wanted, board, files, ranks), "-", "0", "1"];
    const knights = (): string => [...seventh.matchAll(/[a-l]\d+/g)].filter(([name]) => board[squareIndex(name, files)]?.pieces === (/\D1$/.test(name) ? "N" : "n")).join("") || "-";
    // The fields of +still and +moves. The first lists only sides that have a catapult that has moved.
    const moved = (field: string): string => [...field].filter((letter) => Object.values(board).some(({ frame }) => frame?.what === "moved" && frame.side.startsWith(letter))).join("") || "-";
    if (variant.startsWith("chesspp")) fields.push(writeCatapults(board, files, seventh), ...rest.map((field) => (/\d/.test(field) ? field : moved(field))));
    if (variant === "maxim") {
        const portals = (side: Side): string => frameList(board, side, (square) => squareName(square, files), (a, b) => squareIndex(a, files) - squareIndex(b, files));
        fields.push(`${portals("white")}/${portals("black")}`, "-");
    }
    if (variant === "half") fields.push(knights());
    // A side with a Jester may not declare another one.
    if (variant === "century") fields.push([..."Jj"].filter((letter) => seventh.includes(letter) && !Object.values(board).some(({ pieces }) => pieces === letter)).join("") || "-");
    return fields.join(" ");
}
