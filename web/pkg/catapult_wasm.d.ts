/* tslint:disable */
/* eslint-disable */

/**
 * A network that thinks about one game.
 */
export class Engine {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Forgets what is known of the game.
     */
    forget(): void;
    /**
     * What has been found so far.
     */
    found(): string;
    /**
     * A player of a variant by a network's file; the name is what messages call the file.
     */
    constructor(name: string, file: string, bytes: Uint8Array | number[]);
    /**
     * Looks at some more positions, few enough for a moment; whether there is more to do.
     */
    step(now: number): boolean;
    /**
     * Begins to think about the position after these moves, at this time in milliseconds. `asked` is a JSON object.
     */
    think(start: string, moves: string, asked: string, now: number): void;
}

/**
 * Every legal move of a position with the FEN after it, check, outcome and the leaves at depth 2: what vectors of the rules hold.
 */
export function after(variant: string, fen: string): string;

/**
 * The move of alpha-beta on hand-made values, so many turns deep, drawn by the seed among equals; empty if the game is over.
 */
export function alphabeta(variant: string, start: string, moves: string, depth: number, seed: number): string;

/**
 * Legal moves a decision in games of random moves, from a seed.
 */
export function branching(variant: string, fen: string, games: number, seed: number): string;

/**
 * The games: name, what is special about each, board, start, names of pieces, and the proposals that a game may be played with.
 */
export function games(): string;

/**
 * Leaves at a depth, below each move.
 */
export function perft(variant: string, fen: string, depth: number): string;

/**
 * The games of a PGN file; what can't be read of it stands in the game's place.
 */
export function read_pgn(text: string): string;

/**
 * What a panic says reaches the worker as an exception, which ends it; the page then starts another one.
 */
export function start(): void;

/**
 * The position after some moves: board, legal moves in parts, what the last move did, outcome, notation.
 */
export function state(variant: string, start: string, moves: string): string;

/**
 * A game as PGN; `tags` is a JSON list of pairs, `result` what the page knows of the end (a resignation), else empty.
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
