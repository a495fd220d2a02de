// The worker: rules, searches and games of self-play. A search runs in small steps, so that the worker soon handles the
// next request. A game of self-play runs without a break.

import init, * as wasm from "../pkg/catapult_wasm.js";
import type { Found, State } from "./types";

/** A finished game. The outcome of a game that was ended at the limit of plies is "unfinished". */
export interface Game {
    variant: string;
    moves: string[];
    outcome: string;
    winner: "white" | "black" | null;
    teleports: number;
    catapults: number;
}

export type Request =
    | { id: number; ask: "load"; module: WebAssembly.Module }
    | { id: number; ask: "call"; name: string; args: (string | number)[] }
    | { id: number; ask: "think"; variant: string; network: string; start: string; moves: string; limits: string }
    | { id: number; ask: "game"; variant: string; network: string; seed: number; nodes: number; noise: number; longest: number }
    | { id: number; ask: "stop" };

export type Reply =
    | { id: number; ok: unknown }
    | { id: number; error: string }
    | { id: number; found: string; ended: boolean };

declare const self: DedicatedWorkerGlobalScope;

/** Length of a step between messages, and interval between reports, in milliseconds. */
const SLICE = 20;
const TELL = 120;

let engine: { key: string; player: wasm.Engine } | null = null;
let current = 0;
/** Engines of self-play by variant and network. None is freed, because a match plays its variants in turn. */
const players = new Map<string, wasm.Engine>();

const functions: Record<string, (...args: never[]) => string> = {
    games: wasm.games,
    state: wasm.state,
    after: wasm.after,
    alphabeta: wasm.alphabeta,
    read_pgn: wasm.read_pgn,
    write_pgn: wasm.write_pgn,
    perft: wasm.perft,
    branching: wasm.branching,
};

function post(reply: Reply): void {
    self.postMessage(reply);
}

/** Channel for `listen`. Its message arrives after the pending messages. */
const breath = new MessageChannel();
/** Wakes the searches in `listen`, in their order. A replaced search may still wait beside its replacement. */
const waiting: (() => void)[] = [];
breath.port1.onmessage = () => waiting.shift()?.();
function listen(): Promise<void> {
    return new Promise((resolve) => {
        waiting.push(() => resolve());
        breath.port2.postMessage(null);
    });
}

async function fetched(network: string): Promise<Uint8Array> {
    const answer = await fetch(network).catch(() => null);
    // A thrown string becomes a message for the user.
    if (!answer) throw `the network ${network.replace(/^.*\/|\..*$/g, "")} of this game is not stored in this browser. Connect to the internet once: after a move against the computer, the page stores all networks`;
    if (!answer.ok) throw `the network ${network} could not be fetched: ${answer.status}${answer.status === 404 ? ". Reload the page: it may have been updated" : ""}`;
    return new Uint8Array(await answer.arrayBuffer());
}

/** Returns the engine of a variant. Null if the search was stopped or replaced while its network was fetched. */
async function player(variant: string, network: string, id: number): Promise<wasm.Engine | null> {
    const key = `${variant} ${network}`;
    if (engine?.key !== key) {
        const bytes = await fetched(network);
        if (current !== id) return null;
        engine?.player.free();
        engine = null;
        engine = { key, player: new wasm.Engine(variant, network, bytes) };
    }
    return current === id ? engine.player : null;
}

async function think(request: Request & { ask: "think" }): Promise<void> {
    const { id } = request;
    current = id;
    const mind = await player(request.variant, request.network, id);
    if (!mind) return post({ id, found: "", ended: true });
    mind.think(request.start, request.moves, request.limits, performance.now());
    let told = performance.now();
    let more = true;
    while (more && current === id) {
        const until = performance.now() + SLICE;
        while (more && performance.now() < until) more = mind.step(performance.now());
        if (more && performance.now() - told > TELL) {
            post({ id, found: mind.found(), ended: false });
            told = performance.now();
        }
        await listen();
    }
    // An interrupted search resolves to its latest report, unless another search has begun.
    post({ id, found: current === id || current === 0 ? mind.found() : "", ended: true });
}

/** True if no position before the last move can occur again. `fen` is the position after it. */
export function forgets(variant: string, fen: string, kind: string): boolean {
    // A catapult can move back, even if its move resets the half-move clock. With +pawns, a pawn can teleport back.
    return variant.startsWith("chess") && !variant.includes("+pawns") && fen.split(" ")[4] === "0" && kind !== "catapult";
}

/** Plays a game of a network against itself. It is ended after `longest` plies. */
async function play({ variant, network, seed, nodes, noise, longest }: Request & { ask: "game" }): Promise<Game> {
    const key = `${variant} ${network}`;
    const mind = players.get(key) ?? new wasm.Engine(variant, network, await fetched(network));
    players.set(key, mind);
    const game: Game = { variant, moves: [], outcome: "unfinished", winner: null, teleports: 0, catapults: 0 };
    /** Position after the last irreversible move, and the moves since then. */
    let start = "";
    let since: string[] = [];
    while (game.moves.length < longest) {
        // Each move has its own noise, as in Play.
        mind.think(start, since.join(" "), JSON.stringify({ nodes, noise, seed: (seed + game.moves.length) >>> 0 }), 0);
        while (mind.step(0));
        const move = (JSON.parse(mind.found()) as Found).lines[0]!.moves[0]!;
        game.moves.push(move);
        since.push(move);
        const { fen, last, outcome } = JSON.parse(wasm.state(variant, start, since.join(" "))) as State;
        const kind = last!.kind;
        game.teleports += Number(kind === "teleport" || kind === "instant");
        game.catapults += Number(kind === "catapult");
        if (outcome) return { ...game, outcome: outcome.name, winner: outcome.winner };
        if (forgets(variant, fen, kind)) [start, since] = [fen, []];
    }
    return game;
}

self.onmessage = async (event: MessageEvent<Request>) => {
    const request = event.data;
    const { id } = request;
    try {
        switch (request.ask) {
            case "load":
                await init({ module_or_path: request.module });
                return post({ id, ok: null });
            case "call": {
                const call = functions[request.name];
                if (!call) throw new Error(`no function ${request.name}`);
                return post({ id, ok: call(...(request.args as never[])) });
            }
            case "think":
                return await think(request);
            case "game":
                return post({ id, ok: await play(request) });
            case "stop":
                current = 0;
                return post({ id, ok: null });
        }
    } catch (error) {
        // A string is a message from Catapult. Any other exception is a fault, after which the
        // worker's state is unreliable.
        if (typeof error === "string") return post({ id, error });
        post({ id, error: `something went wrong: ${error instanceof Error ? error.message : String(error)}` });
        if (error instanceof WebAssembly.RuntimeError || String(error).includes("panicked")) self.close();
    }
};
