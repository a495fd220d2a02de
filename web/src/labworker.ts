// The worker of the rules lab: plays whole games of a network against itself, under each of several rule sets in turn.

import init, * as wasm from "../pkg/catapult_wasm.js";
import type { Found, State } from "./types";

/** Order to play: the rule sets, the network, the settings of both sides, and the time in milliseconds. */
export interface Order {
    module: WebAssembly.Module;
    variants: string[];
    network: string;
    nodes: number;
    noise: number;
    seed: number;
    ms: number;
}

/** A finished game. The outcome of a game that was ended at the limit of plies is "unfinished". */
export interface Game {
    variant: string;
    moves: string[];
    outcome: string;
    winner: "white" | "black" | null;
    teleports: number;
    catapults: number;
}

export type News = { game: Game } | { error: string } | { ended: true };

/** Number of plies at which a game is ended. */
const LONGEST = 400;

declare const self: DedicatedWorkerGlobalScope;
const tell = (news: News): void => self.postMessage(news);

/** True if no position before the last move can occur again. `fen` is the position after it. */
export function forgets(variant: string, fen: string, kind: string): boolean {
    // A catapult can move back, even if its move resets the half-move clock. With +pawns, a pawn can teleport back.
    return variant.startsWith("chess") && !variant.includes("+pawns") && fen.split(" ")[4] === "0" && kind !== "catapult";
}

function play(engine: wasm.Engine, variant: string, { nodes, noise }: Order, seed: number): Game {
    const game: Game = { variant, moves: [], outcome: "unfinished", winner: null, teleports: 0, catapults: 0 };
    /** Position after the last irreversible move, and the moves since then. */
    let start = "";
    let since: string[] = [];
    while (game.moves.length < LONGEST) {
        // Each move has its own noise, as in Play.
        engine.think(start, since.join(" "), JSON.stringify({ nodes, noise, seed: (seed + game.moves.length) >>> 0 }), 0);
        while (engine.step(0));
        const move = (JSON.parse(engine.found()) as Found).lines[0]!.moves[0]!;
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

self.onmessage = async ({ data }: MessageEvent<Order>) => {
    try {
        await init({ module_or_path: data.module });
        const answer = await fetch(data.network).catch(() => null);
        if (!answer?.ok) throw new Error(`the network could not be fetched: ${answer?.status ?? "check your connection"}`);
        const bytes = new Uint8Array(await answer.arrayBuffer());
        const engines = data.variants.map((variant) => [variant, new wasm.Engine(variant, data.network, bytes)] as const);
        const end = performance.now() + data.ms;
        // Every round is completed, because dropping unfinished games would favour short ones.
        for (let seed = data.seed; performance.now() < end; seed += LONGEST) for (const [variant, engine] of engines) tell({ game: play(engine, variant, data, seed) });
        tell({ ended: true });
    } catch (error) {
        tell({ error: error instanceof Error ? error.message : String(error) });
    }
};
