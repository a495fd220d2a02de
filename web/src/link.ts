// Games in the fragment of a URL: #play?game=chesspp&fen=...&moves=b1c3,a7a6

import { copy, h } from "./dom";
import { SERVED } from "./server";
import type { GameText } from "./types";

/** Maximum length of a fragment. The page rejects longer ones. */
export const LONGEST_FRAGMENT = 60_000;

export interface Place {
    page: string;
    game: GameText | null;
    ply: number | null;
    problem: string | null;
    /** All parameters. */
    values: URLSearchParams;
}

/** Pages whose URLs do not describe a game. */
const WITHOUT_GAME = ["link", "watch", "puzzles"];

/** Parses the fragment of a URL. The result is untrusted text until the rules have parsed it. */
export function readPlace(fragment: string): Place {
    const text = fragment.replace(/^#/, "");
    const [page = "", query = ""] = text.split("?", 2);
    const place: Place = { page, game: null, ply: null, problem: null, values: new URLSearchParams() };
    if (text.length > LONGEST_FRAGMENT) return { ...place, problem: "The link is too long to be a game." };
    if (!query) return place;
    const values = (place.values = new URLSearchParams(query));
    if (WITHOUT_GAME.includes(page)) return place;
    // A plus sign that is not escaped is read as a space. Names of rule sets have none.
    const variant = values.get("game")?.replaceAll(" ", "+");
    if (!variant) return { ...place, problem: "The link names no game." };
    const moves = (values.get("moves") ?? "").split(",").filter((move) => move);
    if (moves.some((move) => /\s/.test(move))) return { ...place, problem: "The link's moves can't be read." };
    const ply = values.get("ply");
    return { ...place, game: { variant, start: values.get("fen") ?? "", moves }, ply: ply && /^\d+$/.test(ply) ? Number(ply) : null };
}

/** Writes a fragment. `more` are further parameters. */
export function writePlace(page: string, game: GameText, ply?: number, more: Record<string, string> = {}): string {
    const values = new URLSearchParams({ game: game.variant });
    if (game.start) values.set("fen", game.start);
    if (game.moves.length) values.set("moves", game.moves.join(","));
    if (ply !== undefined) values.set("ply", String(ply));
    for (const [name, value] of Object.entries(more)) values.set(name, value);
    // Commas and slashes are valid in a fragment and keep links readable.
    return `#${page}?${values.toString().replaceAll("%2C", ",").replaceAll("%2F", "/")}`;
}

/** The open page and its fragment. */
let [open, shown] = ["", location.hash];

/** Timer of the next try to change the address. */
let retry = 0;

/** Records the page that is about to open. */
export function openPlace(page: string): void {
    clearTimeout(retry);
    [open, shown] = [page, location.hash];
}

/**
 * Changes the address of the open page. Does nothing if the user has just followed a link: its `hashchange` comes later,
 * and would find the old page's fragment. Does nothing either for a page that was left while it loaded. The browser
 * keeps the state with the address, and shows it in `history.state` when Back or a reload opens the address again.
 */
export function rewritePlace(address: string, state: unknown = null): void {
    if (location.hash !== shown || readPlace(address.slice(address.indexOf("#"))).page !== open) return;
    clearTimeout(retry);
    try {
        history.replaceState(state, "", address);
        shown = location.hash;
    } catch {
        // Browsers limit the number of changes: Safari allows 100 in 30 seconds.
        retry = window.setTimeout(() => rewritePlace(address, state), 1000);
    }
}

/** The whole address of a fragment of this page. */
export function addressOf(fragment: string): string {
    return location.href.replace(/#.*$/, "") + fragment;
}

export function shareLink(game: GameText, more: Record<string, string> = {}): string {
    return addressOf(writePlace("play", game, undefined, more));
}

/** Shares a link by the device's own dialog if it has one, else copies it. Returns false if the user cancels. */
export async function send(link: string, title: string, words: string): Promise<boolean> {
    try {
        // Browsers without the dialog throw here.
        await navigator.share({ title, text: `${title}: ${words}`, url: link });
        return true;
    } catch (error) {
        if (error instanceof DOMException && error.name === "AbortError") return false;
    }
    await copy(link, "Link");
    return true;
}

/** A warning beside links if the page's address works on this computer only. */
export function localHint(): HTMLElement | null {
    const local = /^(localhost|127\..*|\[::1\])$/.test(location.hostname) || location.protocol === "file:";
    return local ? h("p", { class: "note local" }, `Links that begin with ${location.host || "file:"} open on this computer only. `, SERVED ? "For other devices, start serve with --listen and open the page at that address." : "Send the PGN instead.") : null;
}
