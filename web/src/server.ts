// Features of `catapult serve`. The server adds a meta tag to the page. Without that tag, the page
// sends none of these requests, so a static host never receives them.

import { button, dialog, field, h, message } from "./dom";
import type { Found, GameText } from "./types";

export const SERVED = !!document.querySelector('meta[name="catapult-server"]');

interface Hello {
    /** `token`: the server requires a token; `signed_in`: the user has access. */
    token: boolean;
    signed_in: boolean;
    networks: { id: string; variants: string[] }[];
    /** True if the server records results of games against the computer. */
    results: boolean;
}

/** Error response of the server. Its message is for the user. */
export class ServerRefusal extends Error {
    constructor(
        message: string,
        readonly status: number,
    ) {
        super(message);
    }
}

interface Asked {
    body?: unknown;
    /** Id of a game's link, which never appears in a URL of a request. */
    link?: string;
    signal?: AbortSignal;
}

async function ask(path: string, { body, link, signal }: Asked): Promise<Response> {
    const headers: Record<string, string> = {};
    if (link) headers["x-catapult-link"] = link;
    if (body !== undefined) headers["content-type"] = "application/json";
    let answer: Response;
    try {
        answer = await fetch(path, { method: body === undefined ? "GET" : "POST", headers, body: body === undefined ? null : JSON.stringify(body), signal, cache: "no-store" });
    } catch (error) {
        if (signal?.aborted) throw error;
        throw new Error("The server does not answer.");
    }
    if (answer.ok) return answer;
    // The session has ended, for example with a restart of the server.
    if (answer.status === 401) known = null;
    const told = (await answer.json().catch(() => null)) as { error?: unknown } | null;
    throw new ServerRefusal(typeof told?.error === "string" ? told.error : `the server answers ${answer.status}`, answer.status);
}

export async function api<T>(path: string, asked: Asked = {}): Promise<T> {
    const answer = await ask(path, asked);
    return (answer.status === 204 ? null : await answer.json()) as T;
}

/** Calls `hear` with each line of a response as it arrives. */
async function lines(answer: Response, hear: (line: string) => void): Promise<void> {
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const parts = (rest + value).split("\n");
        rest = parts.pop()!;
        for (const part of parts) hear(part);
    }
}

/** True for errors of a busy server, and of a proxy whose server restarts. */
const isPassing = (status: number): boolean => status >= 500 || status === 408 || status === 429;

/** First and longest delay before reconnecting to a broken stream, in milliseconds. */
const AGAIN = 500;
const LONGEST_WAIT = 10_000;
/** Time without a line after which a stream counts as broken, in milliseconds. The server sends a comment every 15 s. */
const LONGEST_SILENCE = 40_000;

/**
 * Follows a stream of server-sent events, in which every event is the latest state. Reconnects to a
 * broken stream and after an error that passes. Any other error response ends it. The returned
 * function stops it.
 */
export function follow<T>(path: string, link: string | undefined, told: (state: T) => void, trouble: (words: string | null) => void): () => void {
    let stopped = false;
    let attempt = new AbortController();
    let heard = 0;
    // A connection can die without an error. The time of day also counts while this machine is suspended.
    const watch = setInterval(() => heard + LONGEST_SILENCE < Date.now() && attempt.abort(), 1000);
    const run = async (): Promise<void> => {
        let wait = AGAIN;
        while (!stopped) {
            attempt = new AbortController();
            heard = Date.now();
            try {
                const answer = await ask(path, { signal: attempt.signal, link });
                trouble(null);
                await lines(answer, (line) => {
                    wait = AGAIN;
                    heard = Date.now();
                    if (line.startsWith("data:") && !stopped) told(JSON.parse(line.slice(5)) as T);
                });
            } catch (error) {
                if (error instanceof ServerRefusal && !isPassing(error.status) && !stopped) return trouble(message(error));
            }
            if (stopped) return;
            trouble("The connection is lost; trying again…");
            await new Promise((resolve) => setTimeout(resolve, wait));
            wait = Math.min(2 * wait, LONGEST_WAIT);
        }
    };
    void run().finally(() => clearInterval(watch));
    return () => {
        stopped = true;
        attempt.abort();
    };
}

let thinking: AbortController | null = null;

/** Ends the server's search for this page. */
export function stopThinking(): void {
    thinking?.abort();
    thinking = null;
}

interface Limits {
    nodes?: number | null;
    ms?: number | null;
    noise?: number;
    seed?: number;
}

/**
 * Searches with a network of the server. Resolves to null if it was stopped. A new search ends the
 * previous one.
 */
export async function serverThink(game: GameText, network: string, limits: Limits, told?: (found: Found) => void): Promise<Found | null> {
    stopThinking();
    const mine = (thinking = new AbortController());
    const { variant, start, moves } = game;
    let last: Found | null = null;
    let problem = "";
    let ended = false;
    try {
        const answer = await ask("api/think", { body: { network, variant, start, moves, ...limits }, signal: mine.signal });
        await lines(answer, (line) => {
            if (!line || mine.signal.aborted) return;
            const part = JSON.parse(line) as { found?: Found; ended: boolean; error?: string };
            ended = part.ended;
            if (part.error) problem = part.error;
            if (!part.found) return;
            last = part.found;
            told?.(last);
        });
    } catch (error) {
        if (mine.signal.aborted) return null;
        throw error;
    }
    if (mine.signal.aborted) return null;
    if (problem) throw new Error(problem);
    if (!ended || !last) throw new Error("The server has ended the search.");
    return last;
}

let known: Promise<Hello> | null = null;

/** Returns the server's capabilities, which are cached. `anew` requests them again. */
export function hello(anew = false): Promise<Hello> {
    if (anew || !known) {
        known = api<Hello>("api/hello");
        known.catch(() => (known = null));
    }
    return known;
}

/** A form for the server's token. The token is exchanged for a cookie and stored nowhere. */
export function signInForm(done: () => void): HTMLElement {
    const token = h("input", { type: "password", autocomplete: "off", spellcheck: "false", id: "token" });
    const problem = h("p", { class: "problem", role: "alert" });
    const form = h(
        "form",
        { class: "stack" },
        h("p", {}, "This part of the server needs a token. The server printed it at its start, or it is in the token file."),
        field("Token", token),
        problem,
        h("div", { class: "row end" }, h("button", { type: "submit", class: "primary", id: "sign-in" }, "Open")),
        h("p", { class: "hint" }, "This server itself does not encrypt what is sent. Unless the address begins with https, anyone on the way can read the token: put a proxy with TLS in front."),
    );
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        try {
            await api("api/login", { body: { token: token.value.trim() } });
            token.value = "";
            await hello(true);
            done();
        } catch (error) {
            problem.textContent = message(error);
        }
    });
    return form;
}

/**
 * Returns the server's capabilities after login. If the token is missing, a dialog asks for it.
 * Resolves to null if the user closes the dialog.
 */
export async function signedIn(): Promise<Hello | null> {
    const now = await hello(true);
    if (!now.token || now.signed_in) return now;
    return new Promise((resolve) => {
        let given = false;
        const box = dialog("The server's token", signInForm(() => {
            given = true;
            box.close();
        }));
        box.append(h("div", { class: "row end" }, button("Cancel", () => box.close())));
        box.addEventListener("close", () => resolve(given ? hello() : null));
    });
}

/** The server's networks that know the game of a variant. */
export function networksFor(offered: Hello | null, variant: string): Hello["networks"] {
    const game = (name: string): string => name.split("+")[0]!;
    return (offered?.networks ?? []).filter(({ variants }) => variants.some((one) => game(one) === game(variant)));
}

/** Display name of a network. */
export function networkName(id: string): string {
    const [kind = "", ...name] = id.split("/");
    return kind === "runs" ? `run ${name.join("/")}, newest network` : name.join("/");
}
