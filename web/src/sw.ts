// Offline support: caches the page's files on the first visit. The networks and rules of the other games, the puzzles, the
// rules lab and the openings are cached once they have been fetched, or when the page asks for them (`KEEP_ALL`).

import { KEEP_ALL } from "./keep";
import chosen from "./networks.json";

declare const VERSION: string;
declare const SHELL: string[];
/** Files that are cached once they have been fetched. */
declare const LATER: string[];
/** Networks by URL, each with the start of its hash. */
declare const NETWORKS: Record<string, string>;
declare const self: ServiceWorkerGlobalScope;

// Several copies of the page may share an origin, and with it the list of caches.
const MINE = `catapult ${self.registration.scope} `;
const PAGE = MINE + VERSION;
const KEPT = `${MINE}networks`;
/** The default game's network is cached from the start. */
const FIRST = `networks/${chosen.chesspp}.safetensors`;

const networkKey = (path: string): string => `${path}?${NETWORKS[path] ?? ""}`;

// If storage fails or is full, the page works online.
const find = (cache: string, key: RequestInfo, options?: CacheQueryOptions): Promise<Response | undefined> => caches.open(cache).then((open) => open.match(key, options)).catch(() => undefined);
const store = (cache: string, key: RequestInfo, answer: Response): Promise<void> => caches.open(cache).then((open) => open.put(key, answer.clone())).catch(() => {});

/** The start of the hash of an answer's content, as in `NETWORKS`. */
async function hashOf(answer: Response): Promise<string> {
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await answer.arrayBuffer()));
    return [...hash.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function network(path: string): Promise<Response> {
    const kept = await find(KEPT, networkKey(path));
    if (kept) return kept;
    const answer = await fetch(path, { cache: "no-cache" });
    // During an update a host may send the network of another version.
    if (answer.ok && (await hashOf(answer.clone())) === NETWORKS[path]) await store(KEPT, networkKey(path), answer);
    return answer;
}

self.addEventListener("install", (event) => {
    const install = async (): Promise<void> => {
        const cache = await caches.open(PAGE);
        await cache.addAll(SHELL.map((path) => new Request(path, { cache: "no-cache" })));
        // A host without networks can still serve the page.
        await network(FIRST).catch(() => {});
        await self.skipWaiting();
    };
    event.waitUntil(install());
});

self.addEventListener("activate", (event) => {
    const tidy = async (): Promise<void> => {
        for (const name of await caches.keys()) if (name.startsWith(MINE) && name !== PAGE && name !== KEPT) await caches.delete(name);
        const cache = await caches.open(KEPT);
        const wanted = new Set(Object.keys(NETWORKS).map((path) => new URL(networkKey(path), self.registration.scope).href));
        for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request);
        await self.clients.claim();
    };
    event.waitUntil(tidy());
});

/** Caches all that the first visit left out. What can't be fetched stays out until the next time. */
async function keepAll(): Promise<void> {
    const cache = await caches.open(PAGE);
    for (const path of LATER) if (!(await cache.match(path))) await cache.add(new Request(path, { cache: "no-cache" })).catch(() => {});
    for (const path of Object.keys(NETWORKS)) await network(path).catch(() => {});
}

self.addEventListener("message", (event) => {
    if (event.data === KEEP_ALL) event.waitUntil(keepAll());
});

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || !url.href.startsWith(self.registration.scope)) return;
    const path = url.pathname.slice(new URL(self.registration.scope).pathname.length);
    if (path in NETWORKS) return event.respondWith(network(path));
    const answer = async (): Promise<Response> => {
        const kept = await find(PAGE, path === "index.html" ? "." : request, { ignoreSearch: true });
        if (kept) return kept;
        const answer = await fetch(request);
        if (answer.ok && LATER.includes(path)) await store(PAGE, request, answer);
        return answer;
    };
    event.respondWith(answer());
});

export {};
