// Client side of the workers: calls with results, and searches with reports. A new worker replaces a failed one.

import networks from "./networks.json";
import type { Found, GameAbout, GameText, PgnGame, State } from "./types";
import type { Game, Reply, Request } from "./worker";

/** Returns a function that makes a value at its first call. After a failure, the next call tries again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
    let made: Promise<T> | null = null;
    return () => (made ??= make().catch((error: Error) => {
        made = null;
        throw error;
    }));
}

const offline = (what: string): Error => new Error(`the ${what} could not be loaded, and this browser has not stored them. Check your connection`);

/** Fetches a file. `what` names its content in errors, in the plural. */
async function got(file: string, what: string): Promise<Response> {
    const answer = await fetch(file).catch(() => Promise.reject(offline(what)));
    if (!answer.ok) throw new Error(`the ${what} could not be fetched: ${answer.status}`);
    return answer;
}

/** Returns a function that fetches a JSON file once. */
export function jsonOf<T>(file: string, what: string): () => Promise<T> {
    return once(async () => (await (await got(file, what)).json()) as T);
}

/** Waits for a script. If it can't be downloaded, the error says so. */
export function scriptOf<T>(script: Promise<T>): Promise<T> {
    return script.catch((error) => Promise.reject(error instanceof TypeError ? offline("scripts of this page") : error));
}

/** Fetches a gzip file and decompresses it, unless the host has already done so. */
export async function unpacked(file: string, what: string): Promise<Response> {
    const bytes = await (await got(file, what)).arrayBuffer();
    const [first, second] = new Uint8Array(bytes);
    return new Response(first === 0x1f && second === 0x8b ? new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")) : bytes);
}

/** The WebAssembly module, fetched and compiled once for all workers. */
export const module = once(async () => WebAssembly.compile(await (await unpacked("catapult.wasm.gz", "rules")).arrayBuffer()));

type Waiting = {
    resolve: (value: unknown) => void;
    reject: (error: Error) => void;
    told?: (found: Found) => void;
};

// Requests by kind, without the id that `send` adds.
type Question = Request extends infer R ? (R extends Request ? Omit<R, "id"> : never) : never;

/** Error with a message for the user, such as an illegal move. Unlike a fault, it leaves the worker usable. */
export class Refusal extends Error {}

export class WorkerClient {
    private worker: Worker | null = null;
    private ready: Promise<unknown> = Promise.resolve();
    private waiting = new Map<number, Waiting>();
    private next = 1;

    private start(): Worker {
        if (this.worker) return this.worker;
        const worker = new Worker("worker.js");
        this.worker = worker;
        worker.onmessage = (event: MessageEvent<Reply>) => this.hear(event.data);
        worker.onerror = (event) => {
            event.preventDefault();
            this.fail(new Error("the worker failed and was started again; please try again"));
        };
        this.ready = module().then((module) => this.send({ ask: "load", module }));
        // Another request then starts another worker.
        this.ready.catch((error: Error) => {
            if (this.worker === worker) this.fail(error);
        });
        return worker;
    }

    /** Terminates the worker and rejects its pending requests. The next request starts another worker. */
    fail(error: Error): void {
        this.worker?.terminate();
        this.worker = null;
        const waiting = [...this.waiting.values()];
        this.waiting.clear();
        for (const one of waiting) one.reject(error);
    }

    private hear(reply: Reply): void {
        const waiting = this.waiting.get(reply.id);
        if (!waiting) return;
        if ("found" in reply) {
            const found = reply.found ? (JSON.parse(reply.found) as Found) : null;
            if (found) waiting.told?.(found);
            if (!reply.ended) return;
            this.waiting.delete(reply.id);
            waiting.resolve(found);
            return;
        }
        this.waiting.delete(reply.id);
        if ("error" in reply) {
            const failed = reply.error.startsWith("something went wrong");
            waiting.reject(failed ? new Error(reply.error) : new Refusal(reply.error));
            if (failed) this.fail(new Error(reply.error));
        } else {
            waiting.resolve(reply.ok);
        }
    }

    private send(question: Question, told?: (found: Found) => void): Promise<unknown> {
        const id = this.next++;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, { resolve, reject, told });
            this.worker?.postMessage({ ...question, id });
        });
    }

    private async ask(question: Question, told?: (found: Found) => void): Promise<unknown> {
        this.start();
        await this.ready;
        return this.send(question, told);
    }

    async call<T>(name: string, ...args: (string | number)[]): Promise<T> {
        return JSON.parse((await this.ask({ ask: "call", name, args })) as string) as T;
    }

    async text(name: string, ...args: (string | number)[]): Promise<string> {
        return (await this.ask({ ask: "call", name, args })) as string;
    }

    /**
     * Searches a game's position until the limits are reached or `stop` is called. A new search ends
     * the previous one, which resolves to null.
     */
    async think(game: GameText, network: string, limits: object, told?: (found: Found) => void): Promise<Found | null> {
        const { variant, start, moves } = game;
        const question = { ask: "think" as const, variant, network, start, moves: moves.join(" "), limits: JSON.stringify(limits) };
        return (await this.ask(question, told)) as Found | null;
    }

    /** Plays a game of a network against itself, which is ended after `longest` plies. */
    async game(variant: string, network: string, seed: number, settings: { nodes: number; noise: number; longest: number }): Promise<Game> {
        return (await this.ask({ ask: "game", variant, network, seed, ...settings })) as Game;
    }

    async stop(): Promise<void> {
        if (this.worker) await this.ask({ ask: "stop" });
    }
}

/** Rules have their own worker, so that legal moves are available at once during a search. */
export const rules = new WorkerClient();
export const engine = new WorkerClient();

export function state(game: GameText): Promise<State> {
    return rules.call<State>("state", game.variant, game.start, game.moves.join(" "));
}

/** Returns the move of an alpha-beta search that is `depth` turns deep. Empty if the game is over. */
export function alphabeta(game: GameText, depth: number, seed: number): Promise<string> {
    return engine.text("alphabeta", game.variant, game.start, game.moves.join(" "), depth, seed);
}

export function readPgn(text: string): Promise<{ games: PgnGame[]; more: boolean }> {
    return rules.call("read_pgn", text);
}

export function writePgn(game: GameText, tags: [string, string][], result: string): Promise<string> {
    return rules.text("write_pgn", game.variant, game.start, game.moves.join(" "), JSON.stringify(tags), result);
}

export const games = once(() => rules.call<GameAbout[]>("games"));

/** The sets of options of Chess++ on which its network was trained. */
const LEARNED = ["", "bare", "bare+still", "block", "castle", "catapults=c3", "fifty=60", "first=1", "free", "instant", "instant+third", "later=0", "moves=3", "pawns", "peaceful", "promote", "restart", "safe", "still", "teleport=NBRQ", "third"];

/** Returns the network file of a variant. `knows` is false for rules on which the network was not trained. */
export function network(variant: string): { file: string; knows: boolean } {
    const [game, ...options] = variant.split("+");
    return { file: `networks/${networks[game as keyof typeof networks]}.safetensors`, knows: game !== "chesspp" || LEARNED.includes(options.sort().join("+")) };
}
