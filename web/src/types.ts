// Types of the WebAssembly results. The names match crates/wasm/src/state.rs, pgn.rs, counts.rs and
// engine.rs.

export type Side = "white" | "black";

export interface Frame {
    side: Side;
    what: "fresh" | "moved" | "portal";
}

export interface Square {
    /** FEN letters, the earlier occupant of a stack first. */
    pieces?: string;
    frame?: Frame;
}

export type Kind = "move" | "catapult" | "teleport" | "instant" | "castle" | "declare" | "drop" | "done";

/** A parsed move. Squares are `rank * files + file`. */
export interface Parts {
    text: string;
    san: string;
    kind: Kind;
    piece?: string;
    from?: number;
    to?: number;
    via?: number;
    takes?: number[];
    push?: number;
    promotion?: string;
}

export interface Legal extends Parts {
    captures: boolean;
    catapults: boolean;
}

export interface Last extends Parts {
    side: Side;
    taken: string[];
}

export interface Outcome {
    name: string;
    winner: Side | null;
}

/** A ply of a game: text, algebraic notation, side, full-move number. */
export type Ply = [text: string, san: string, side: Side, move: number];

export interface State {
    variant: string;
    fen: string;
    files: number;
    ranks: number;
    side: Side;
    check: boolean;
    outcome: Outcome | null;
    board: Record<string, Square>;
    moves: Legal[];
    last: Last | null;
    history: Ply[];
    pieces: [letter: string, name: string, white: number, black: number][];
}

export interface GameAbout {
    name: string;
    about: string;
    files: number;
    ranks: number;
    start: string;
    pieces: [letter: string, name: string][];
    options: [name: string, about: string][];
}

export interface PgnGame {
    tags: [string, string][];
    variant: string;
    start: string;
    moves: string[];
    result: string;
    error: string | null;
}

export interface Line {
    moves: string[];
    san: string[];
    visits: number;
    prior: number;
    share: number;
    wdl: [number, number, number] | null;
    proven: [outlook: "win" | "draw" | "loss", plies: number] | null;
}

/** State of a search, from the view of the side to move. */
export interface Found {
    wdl: [number, number, number];
    simulations: number;
    full: number;
    lines: Line[];
}

/** A game by its variant, start (empty: the start position) and moves. */
export interface GameText {
    variant: string;
    start: string;
    moves: string[];
}
