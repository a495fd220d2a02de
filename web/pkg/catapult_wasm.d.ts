/* tslint:disable */
/* eslint-disable */

/**
 * Search engine for one game and one network.
 */
export class Engine {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Returns the current state of the search as JSON.
     */
    found(): string;
    /**
     * Creates an engine for the variant `name` from the bytes of a network file. `file` is the
     * name of this file in error messages.
     */
    constructor(name: string, file: string, bytes: Uint8Array | number[]);
    /**
     * Evaluates one small batch of positions, so that the worker can read messages between steps.
     * Returns false if the search has ended. `now` is the time in milliseconds, on the clock of
     * [`think`](Self::think).
     */
    step(now: number): boolean;
    /**
     * Starts a search of the position after `moves` from the FEN `start`. `request` is an
     * [`AnalysisRequest`] as JSON. All its keys are optional. `now` is the time in milliseconds, on
     * any clock.
     */
    think(start: string, moves: string, request: string, now: number): void;
}

/**
 * Returns a position as JSON, in the format of the rules' test vectors. The JSON has the FEN,
 * check, outcome and perft(2) of the position, and the FEN after every legal move.
 */
export function after(variant: string, fen: string): string;

/**
 * Returns the move of an alpha-beta search, as text. The search is at most `depth` turns deep and
 * has a hand-made evaluation instead of a network. `seed` chooses between equal moves. The text is
 * empty if the game is over.
 */
export function alphabeta(variant: string, start: string, moves: string, depth: number, seed: number): string;

/**
 * Returns statistics of random games as JSON: the mean, minimum and maximum number of legal moves
 * per decision. `seed` draws the games.
 */
export function branching(variant: string, fen: string, games: number, seed: number): string;

/**
 * Returns a JSON list of all games: name, description, board size, start position, pieces and
 * proposals.
 */
export function games(): string;

/**
 * Returns the number of leaves at `depth` (perft), as text.
 */
export function perft(variant: string, fen: string, depth: number): string;

/**
 * Returns the games of a PGN file as JSON. A game that cannot be read completely has an error
 * message.
 */
export function read_pgn(text: string): string;

/**
 * Installs a hook that turns a panic into a JavaScript exception. The exception ends the worker,
 * and the page starts another one.
 */
export function start(): void;

/**
 * Returns the position after `moves` as JSON. The JSON has the board, the legal moves in parts,
 * the captures of the last move, the outcome and the notation of all moves.
 */
export function state(variant: string, start: string, moves: string): string;

/**
 * Returns a game as PGN. `tags` is a JSON list of pairs of name and value. Tags with names that only
 * the reader accepts are left out. `result` is a PGN result such as `1-0`, or empty for the result
 * of the position.
 */
export function write_pgn(variant: string, start: string, moves: string, tags: string, result: string): string;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_engine_free: (a: number, b: number) => void;
    readonly after: (a: number, b: number, c: number, d: number) => [number, number, number, number];
    readonly alphabeta: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => [number, number, number, number];
    readonly branching: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number, number, number];
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
