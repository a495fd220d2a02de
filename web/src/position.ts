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
    return { variant, start: fen, fen, ...readSquares(fen, variant), side, turn_start: true, check: false, outcome: null, moves: [], last: null, history: [], pieces: [] };
}

/** The first field of a FEN. */
export function writePlacement(board: Squares, files: number, ranks: number): string {
    const rows: string[] = [];
    for (let rank = ranks - 1; rank >= 0; rank--) {
        let row = "";
        let empty = 0;
        for (let file = 0; file < files; file++) {
            const pieces = board[rank * files + file]?.pieces ?? "";
            if (!pieces) empty++;
            else {
                row += (empty || "") + (pieces.length > 1 ? `(${pieces})` : pieces);
                empty = 0;
            }
        }
        rows.push(row + (empty || ""));
    }
    return rows.join("/");
}

/** The seventh field of a FEN of Chess++: each side's catapults by file, then rank. */
export function writeCatapults(board: Squares, files: number): string {
    const list = (side: Side): string => {
        const names = Object.entries(board).flatMap(([square, { frame }]) => (frame?.side === side ? [squareName(Number(square), files) + (frame.what === "fresh" ? "*" : "")] : []));
        return names.sort().join("") || "-";
    };
    const [white, black] = [list("white"), list("black")];
    return white === "-" && black === "-" ? "-" : `${white}/${black}`;
}
