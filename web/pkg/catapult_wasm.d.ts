/* tslint:disable */
/* eslint-disable */

/**
 * A network that thinks about one game.
 */
export class Engine {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Discards the search tree.
     */
    forget(): void;
    /**
     * The current state of the search as JSON.
     */
    found(): string;
    /**
     * Creates an engine for a variant from the bytes of a network file. Messages call the file
     * `file`.
     */
    constructor(name: string, file: string, bytes: Uint8Array | number[]);
    /**
     * Evaluates one batch of positions, small enough for a short pause. Returns false once the
     * search has ended.
     */
    step(now: number): boolean;
    /**
     * Starts to think about the position after `moves`, at time `now` in milliseconds. `request`
     * is a JSON object.
     */
    think(start: string, moves: string, request: string, now: number): void;
}

/**
 * Every legal move of a position with the FEN after it, check, outcome and perft(2), as in the
 * rules' test vectors.
 */
export function after(variant: string, fen: string): string;

/**
 * The move of an alpha-beta search with handmade evaluation, `depth` turns deep. `seed` decides
 * between equal moves. Empty if the game is over.
 */
export function alphabeta(variant: string, start: string, moves: string, depth: number, seed: number): string;

/**
 * Legal moves per decision in random games drawn with `seed`.
 */
export function branching(variant: string, fen: string, games: number, seed: number): string;

/**
 * All games: name, description, board size, initial position, pieces and proposals.
 */
export function games(): string;

/**
 * Perft: number of leaves at a depth, per move.
 */
export function perft(variant: string, fen: string, depth: number): string;

/**
 * The games of a PGN file. A game that cannot be read has an error message instead.
 */
export function read_pgn(text: string): string;

/**
 * Turns a panic into a JavaScript exception. It ends the worker, and the page starts another one.
 */
export function start(): void;

/**
 * The position after some moves: board, legal moves in parts, effects of the last move, outcome,
 * notation.
 */
export function state(variant: string, start: string, moves: string): string;

/**
 * Writes a game as PGN. `tags` is a JSON list of pairs. `result` is the page's result (a
 * resignation) or empty.
 */
export function write_pgn(variant: string, start: string, moves: string, tags: string, result: string): string;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_engine_free: (a: number, b: number) => void;
    readonly after: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly alphabeta: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number, number, number];
    readonly branching: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number, number];
    readonly engine_forget: (a: number) => void;
    readonly engine_found: (a: number) => [number, number];
    readonly engine_new: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number];
    readonly engine_step: (a: number, b: number) => [number, number, number];
    readonly engine_think: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number];
    readonly games: () => [number, number];
    readonly perft: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
    readonly read_pgn: (a: number, b: number) => [number, number, number, number];
    readonly start: () => void;
    readonly state: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number, number];
    readonly write_pgn: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number) => [number, number, number, number];
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_start: () => void;
}

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path?: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
