// Two players over one link: the server stores the game, checks the moves and informs both. The link in the address bar
// invites and watches. The browser stores the link of its own seat.

import { Board } from "./board";
import { gameChoice, title } from "./choose";
import { games, state as stateOf } from "./client";
import { boardPage, button, card, copy, dialog, field, h, message, patient, replace, say, sayIn, select, toast } from "./dom";
import { type Place, addressOf, localHint, rewritePlace, writePlace } from "./link";
import { drawMoves, sayMove, sayStep, stepKeys, stepRow } from "./movelist";
import { type Page, askToResign, keysHelp } from "./play";
import { ServerRefusal, api, follow, signedIn } from "./server";
import { counted, load, save, stores } from "./settings";
import type { GameAbout, GameText, Side, State } from "./types";
import { capital, other, outcomeInWords, toMove } from "./words";

type Role = Side | "watch";

interface GameState extends GameText {
    side: Side;
    end: { name: string; winner: Side | null } | null;
    /** The side whose seat is free. */
    free: Side | null;
    /**
     * Times in milliseconds. `left` are the times left of White and Black at the server's time
     * `since`. The clock of the side to move runs since then, or is stopped if `since` is null.
     */
    clock: { base: number; increment: number; left: [number, number]; since: number | null } | null;
    /** The side that asks to take back or, after the end, offers a rematch. */
    offer: Side | null;
    /** The link of the rematch. */
    next: string | null;
}

interface Links {
    white: string;
    black: string;
    watch: string;
}

/** A game of this browser with its known links. */
interface Mine {
    variant: string;
    links: Partial<Links>;
}

const MOST_KEPT = 100;
const SIDES: Side[] = ["white", "black"];

function linkTo(id: string, seat = ""): string {
    return addressOf(`#link?id=${id}${seat && `&seat=${seat}`}`);
}

function kept(): Mine[] {
    const found = load<unknown>("links", []);
    return Array.isArray(found) ? (found as Mine[]).filter((one) => typeof one?.variant === "string" && typeof one.links === "object" && one.links !== null) : [];
}

function keep(one: Mine): void {
    const ids = Object.values(one.links);
    const isSame = ({ links }: Mine): boolean => Object.values(links).some((id) => ids.includes(id));
    const all = kept();
    const others = all.filter((other) => !isSame(other));
    save("links", [{ ...one, links: { ...one.links, ...all.find(isSame)?.links, ...one.links } }, ...others].slice(0, MOST_KEPT));
}

/** The side of this browser's seat. Of two seats it is the one opened last, which `keep` puts first. */
function sideIn(links: Partial<Links>): Side | undefined {
    return (Object.keys(links) as Side[]).find((side) => SIDES.includes(side) && typeof links[side] === "string");
}

/** Returns the link of this browser's seat in the game of an invitation, or else the invitation. */
function seatOf(id: string): string {
    const links = kept().find(({ links }) => links.watch === id)?.links ?? {};
    return links[sideIn(links) ?? "watch"] ?? id;
}

/** The links of this browser's seats in offered rematches, by the link of the game before. */
const offeredSeats = (): Record<string, string> => load("rematch", {});

/** A time as "4:05", in the last ten seconds as "0:09.3". */
function clockText(ms: number): string {
    const tenths = Math.ceil(Math.max(0, ms) / 100);
    if (tenths < 100) return `0:${(tenths / 10).toFixed(1).padStart(4, "0")}`;
    const seconds = Math.ceil(tenths / 10);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A link of 144 random bits, as the server makes them. */
function newLink(): string {
    return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18)))).replaceAll("+", "-").replaceAll("/", "_");
}

export function togetherPage({ values }: Place): Page {
    const [id, seat] = [values.get("id"), values.get("seat")];
    if (!id) return { element: beginPage() };
    return tablePage(id, seat);
}

/** The list of this browser's games and the form for a new one. */
function beginPage(): HTMLElement {
    const items = kept().map(({ variant, links }) => {
        const side = sideIn(links);
        const words = side ? `You play ${capital(side)}` : "You watch";
        return h("li", {}, h("b", {}, title(variant)), h("a", { class: "button", href: `#link?id=${links.watch ?? links[side ?? "white"]!}` }, words));
    });
    const begin = patient(async () => {
        if (!(await signedIn())) return;
        const all = await games();
        // The user may have left the page.
        if (document.getElementById("begin")) beginDialog(all);
    });
    return h(
        "div",
        { class: "page narrow" },
        h("h1", {}, "Two people over a link"),
        h(
            "section",
            { class: "card" },
            h("p", {}, "Start a game and send its link. The first person who opens the link plays the other side. Everyone else with the link watches. You need no account. The server checks and stores every move."),
            localHint(),
            h("div", { class: "row" }, button("New game", begin, { class: "primary", id: "begin" })),
        ),
        card("Games of this browser", h("ul", { class: "plain-list" }, ...(items.length ? items : [h("li", { class: "soft" }, "None yet.")]))),
    );
}

function beginDialog(all: GameAbout[]): void {
    const choice = gameChoice(all, load("together.variant", "chesspp"), () => {});
    const fen = h("input", { type: "text", placeholder: "the game's own start", spellcheck: "false", autocomplete: "off", id: "start-fen" });
    const problem = h("p", { class: "problem", role: "alert" });
    let colour = "white";
    let [minutes, seconds] = [load("together.minutes", "0"), load("together.seconds", "0")];
    const increment = field("Added per turn", select(["0", "1", "2", "3", "5", "10", "20", "30"].map((one) => [one, `${one} s`]), seconds, (value) => (seconds = value), { id: "increment" }));
    const clock = field("Clock", select([["0", "no clock"], ...["1", "3", "5", "10", "15", "30", "60"].map((one): [string, string] => [one, `${counted(Number(one), "minute")} per side`])], minutes, (value) => {
        minutes = value;
        increment.hidden = value === "0";
    }, { id: "minutes" }));
    increment.hidden = minutes === "0";
    const start = async (): Promise<void> => {
        try {
            const variant = choice.variant();
            const side = colour === "random" ? SIDES[Math.floor(2 * Math.random())] : colour;
            const links = await api<Partial<Links> & { watch: string }>("api/games", { body: { variant, fen: fen.value, side, clock: minutes === "0" ? null : { base: 60_000 * Number(minutes), increment: 1000 * Number(seconds) } } });
            for (const [key, value] of Object.entries({ variant, minutes, seconds })) save(`together.${key}`, value);
            keep({ variant, links });
            box.close();
            location.hash = `#link?id=${links.watch}`;
        } catch (error) {
            problem.textContent = message(error);
        }
    };
    const box = dialog(
        "New game",
        choice.element,
        h("div", { class: "fields" }, field("You play", select([["white", "White"], ["black", "Black"], ["random", "Either, at random"]], colour, (value) => (colour = value), { id: "colour" })), clock, increment),
        h("details", {}, h("summary", {}, "From another position"), field("FEN", fen)),
        problem,
        h("div", { class: "row end" }, button("Cancel", () => box.close()), button("Begin", patient(start), { class: "primary", id: "begin-now" })),
    );
}

/** A game, seen by a player or a spectator. */
function tablePage(id: string, given: string | null): Page {
    /** Link that requests contain: of this browser's seat, or else the link for spectators. */
    let link = id;
    let role: Role | null = null;
    let told: GameState | null = null;
    let shown: number | null = null;
    /** Identifies the position on the board, and if the user may move in it. */
    let onBoard = "";
    let bottom: Side = "white";
    let waits = false;
    /** The server's time minus the browser's, in milliseconds. */
    let ahead = 0;
    let turn = 0;
    let closed = false;
    let stop = (): void => {};

    const board = new Board({
        label: "Board",
        onmove: (text) => void move(text),
        onrefused: (words) => sayIn(status, words),
        may: (state) => role === state.side && !waits && shown === null && !told?.end,
    });
    const heading = h("h2", { id: "game-title" });
    const status = h("p", { class: "status", id: "status" });
    const connection = h("p", { class: "note", role: "status", hidden: true, id: "connection" });
    const decisions = h("div", { class: "row decisions" });
    const list = h("div", { class: "move-box" });
    const looking = stepRow();
    const seat = h("p", { class: "soft", id: "seat" });
    const shared = h("input", { type: "text", readonly: true, value: linkTo(id), "aria-label": "Link of the game", id: "invitation-link" });
    const invitation = h(
        "div",
        { class: "stack", id: "invitation", hidden: true },
        h("p", {}, "Send this link. The first person who opens it plays the other side."),
        h("div", { class: "row invite" }, shared, button("Copy", () => void copy(linkTo(id), "Link"))),
        localHint(),
    );
    const resignButton = button("Resign", () => resign(), { id: "resign", hidden: true });
    const backButton = button("Take back", () => void offer(), { id: "take-back", hidden: true });
    const times: Record<Side, HTMLElement> = { white: h("b", { class: "time", role: "timer" }), black: h("b", { class: "time", role: "timer" }) };
    const [above, below] = [h("div", {}), h("div", {})];

    const count = (): number => told?.moves.length ?? 0;

    function ending(): string | null {
        if (!told?.end) return null;
        const { name, winner } = told.end;
        const loser = winner ? capital(other(winner)) : "";
        if (name === "time") return `${loser} has no time left: ${capital(winner!)} wins.`;
        return name === "resignation" && winner ? `${loser} resigns: ${capital(winner)} wins.` : outcomeInWords({ name, winner }, told.variant);
    }

    /** Draws the players and their clocks, and asks the server if a time is over. */
    function tick(): void {
        if (!told?.clock) return;
        const { left, since } = told.clock;
        for (const [index, side] of SIDES.entries()) {
            const runs = since !== null && !told.end && told.side === side;
            const ms = left[index]! - (runs ? Math.max(0, Date.now() + ahead - since) : 0);
            times[side].textContent = clockText(ms);
            times[side].classList.toggle("short", ms < 20_000);
            if (runs && ms <= 0 && asked + 1000 < Date.now()) {
                asked = Date.now();
                // The server ends the game, and its stream of events says so.
                void ask().catch(() => {});
            }
        }
    }
    let asked = 0;
    const ticking = window.setInterval(tick, 100);

    function drawPlayers(now: GameState): void {
        const bar = (side: Side): HTMLElement => h("div", { class: `player${!now.end && now.side === side ? " active" : ""}` }, h("span", { class: `dot ${side}`, "aria-hidden": "true" }), h("b", {}, role === side ? "You" : capital(side)), now.clock ? h("span", { class: "left" }, times[side]) : null);
        replace(above, bar(other(bottom)));
        replace(below, bar(bottom));
        tick();
    }

    /** Asks to take back, or agrees to it. After the end, offers or accepts a rematch. */
    async function offer(agrees = false): Promise<void> {
        if (waits) return;
        waits = true;
        // The browser stores the seat first, so that a lost answer loses no seat. A repeated offer
        // keeps the seat, because the server may have received the first one.
        const mine = offeredSeats()[id] ?? newLink();
        if (told?.end) save("rematch", { ...offeredSeats(), [id]: mine });
        try {
            await api("api/game/offer", { link, body: { seat: told?.end ? mine : "", agrees } });
        } catch (error) {
            waits = false;
            toast(message(error), "error");
        }
    }

    /** The offer of a side in words, with the button that makes or accepts one. */
    function offers(now: GameState): (HTMLElement | null)[] {
        const { end, offer: by, next } = now;
        const said = by && h("span", { id: "offer" }, `${by === role ? "You" : capital(by)} ${end ? (by === role ? "offer a rematch." : "offers a rematch.") : by === role ? "ask to take back." : "asks to take back. A move declines."}`);
        if (next) return [h("a", { class: "button primary", id: "next", href: `#link?id=${next}` }, role === "watch" ? "Watch the rematch" : "To the rematch")];
        const accepts = !!by && role !== "watch" && by !== role;
        const label = end ? (accepts ? "Accept the rematch" : "Rematch") : "Agree";
        const press = role !== "watch" && (accepts || (end && !by)) ? button(label, () => void offer(accepts), { class: "primary", id: "agree" }) : null;
        return [said, press];
    }

    async function draw(announce: boolean, step = false): Promise<void> {
        const now = told;
        if (!now) return;
        const mine = ++turn;
        const at = Math.min(shown ?? count(), count());
        let state: State;
        let whole: State;
        try {
            whole = await stateOf(now);
            state = at === now.moves.length ? whole : await stateOf({ ...now, moves: now.moves.slice(0, at) });
        } catch (error) {
            if (closed || mine !== turn) return;
            sayIn(status, message(error));
            return replace(decisions, button("Try again", () => void draw(announce, step), { id: "retry" }));
        }
        if (closed || mine !== turn) return;
        board.flip(bottom);
        const end = ending();
        const position = JSON.stringify([now.moves.slice(0, at), shown === null, end]);
        // Other news must not close the board's list of moves or drop the selected piece.
        if (position !== onBoard) board.show(state);
        onBoard = position;
        heading.textContent = title(now.variant);
        const words = end ?? (role === whole.side ? `Your move. ${toMove(whole)}` : toMove(whole));
        status.textContent = shown === null ? words : `After ${at} of ${count()} moves.`;
        status.classList.toggle("over", !!end);
        const done = role === whole.side && shown === null && !end ? whole.moves.find(({ kind }) => kind === "done") : undefined;
        const review = (): void => void (location.hash = `${writePlace("analyse", now)}&review=1`);
        replace(decisions, done ? button("End the turn", () => void move(done.text), { class: "primary", id: "done" }) : null, ...offers(now), end && count() ? button("Review this game", review, { id: "review" }) : null);
        drawPlayers(now);
        drawMoves(list, looking, whole.history, at, go);
        const resigned = document.activeElement === resignButton && !!end;
        resignButton.hidden = backButton.hidden = role === "watch" || role === null || !!end;
        if (resigned) decisions.querySelector("button")?.focus();
        backButton.disabled = now.offer !== null;
        document.title = `${role === whole.side && !end ? "Your move · " : ""}By link · Catapult`;
        if (announce) sayMove(whole, words);
        else if (step) sayStep(list, status);
    }

    function go(ply: number): void {
        const to = Math.max(0, ply);
        shown = to >= count() ? null : to;
        void draw(false, true);
    }

    /** Takes a new state. */
    function hear(state: GameState): void {
        const first = !told;
        const before = told;
        told = state;
        // After a take-back, the shown position may be the game's end.
        if (shown !== null && shown >= state.moves.length) shown = null;
        waits = false;
        drawInvitation();
        void draw(!first && (state.moves.length !== before?.moves.length || !!state.end !== !!before.end));
        if (state.offer && state.offer !== role && state.offer !== before?.offer) say(`${capital(state.offer)} ${state.end ? "offers a rematch." : "asks to take back."}`);
        const seat = offeredSeats()[id];
        if (!state.next) return;
        // Colours are swapped in the rematch.
        if (seat && (role === "white" || role === "black")) keep({ variant: state.variant, links: { watch: state.next, [other(role)]: seat } });
        if (!first && seat && !before?.next) location.hash = `#link?id=${state.next}`;
    }

    async function move(text: string): Promise<void> {
        if (waits || !told) return;
        waits = true;
        try {
            await api("api/game/moves", { link, body: { ply: count(), move: text } });
        } catch (error) {
            waits = false;
            if (!closed) toast(`The server has not confirmed the move: ${message(error)}`, "error");
        }
    }

    function linksDialog(): void {
        const row = (label: string, address: string): HTMLElement => h("div", { class: "stack" }, h("b", {}, label), h("div", { class: "row invite" }, h("input", { type: "text", readonly: true, value: address, "aria-label": label }), button("Copy", () => void copy(address, "Link"), { "aria-label": `Copy: ${label}` })));
        const seated = role === "white" || role === "black";
        dialog("Links of the game", localHint(), seated && link === id ? null : row("To watch, or to take a free seat", linkTo(id)), seated ? row("Your seat, for another device of yours", link === id ? linkTo(id) : linkTo(id, link)) : null);
    }

    function resign(): void {
        askToResign("You give the game up.", () => {
            api("api/game/resign", { link, body: {} }).catch((error) => toast(message(error), "error"));
        });
    }

    const forget = (seat: string): void => save("links", kept().filter(({ links }) => !Object.values(links).includes(seat)));

    /** Takes the free seat. The browser stores the seat's link first, so that a lost answer loses no seat. */
    async function join(free: Side, variant: string): Promise<void> {
        const mine = newLink();
        keep({ variant, links: { watch: id, [free]: mine } });
        try {
            await api("api/game/join", { link: id, body: { seat: mine } });
            link = mine;
        } catch (error) {
            if (!(error instanceof ServerRefusal && error.status === 409)) throw error;
            // Another visitor was faster.
            forget(mine);
        }
    }

    function drawInvitation(): void {
        invitation.hidden = !told?.free || !!told.end;
        const address = link === id ? "This page's address is your seat: anyone who has it can play for you." : stores("links") ? "This browser remembers your seat." : "This browser does not store your seat. Keep this tab open, or copy your seat's link under Links….";
        seat.textContent = role === "watch" ? "You watch this game." : `You play ${capital(role ?? "")}. ${address}`;
    }

    async function ask(): Promise<{ role: Role; now: number; game: GameState }> {
        const found = await api<{ role: Role; now: number; game: GameState }>("api/game", { link });
        ahead = found.now - Date.now();
        return found;
    }

    async function begin(): Promise<void> {
        replace(decisions);
        status.textContent = "Connecting…";
        const seat = given ?? seatOf(id);
        link = seat;
        try {
            let now = await ask().catch((error) => {
                if (link === id || !(error instanceof ServerRefusal && error.status === 404)) throw error;
                link = id;
                return ask();
            });
            // The server knows the game but not the seat: the request to join did not succeed.
            if (link !== seat) {
                forget(seat);
                given = null;
            }
            if (now.role === "watch" && now.game.free) {
                await join(now.game.free, now.game.variant);
                now = await ask();
            }
            if (closed) return;
            role = now.role;
            bottom = role === "black" ? "black" : "white";
            // If `id` is a seat's link, the spectators' link is unknown.
            keep({ variant: now.game.variant, links: { ...(link !== id || role === "watch" ? { watch: id } : {}), ...(role === "watch" ? {} : { [role]: link }) } });
            // Without the seat, a copied address is an invitation.
            rewritePlace(linkTo(id));
            hear(now.game);
        } catch (error) {
            if (closed) return;
            sayIn(status, message(error));
            replace(decisions, button("Try again", () => void begin(), { id: "retry" }));
            return;
        }
        stop = follow<GameState>("api/game/events", link, hear, (words) => {
            // The server's time differs after a restart, or after a machine was suspended.
            if (!words && !connection.hidden) void ask().catch(() => {});
            connection.hidden = !words;
            connection.textContent = words ?? "";
        });
    }

    const element = boardPage("play", "A game over a link", [above, board.element, below], "Game", [
        h("div", { class: "panel-head" }, heading, h("a", { href: "#link" }, "All games")),
        status,
        connection,
        invitation,
        seat,
        decisions,
        list,
        looking,
        h(
            "div",
            { class: "row tools-row" },
            button("Flip", () => {
                bottom = other(bottom);
                void draw(false);
            }, { id: "flip" }),
            backButton,
            resignButton,
            button("Links…", () => linksDialog(), { id: "links" }),
            button("Analyse", () => {
                if (told) location.hash = writePlace("analyse", told);
            }),
        ),
        keysHelp(),
    ]);
    void begin();
    const unkey = stepKeys(() => go((shown ?? count()) - 1), () => go((shown ?? count()) + 1));
    return {
        element,
        close: () => {
            unkey();
            clearInterval(ticking);
            closed = true;
            turn++;
            stop();
        },
    };
}
