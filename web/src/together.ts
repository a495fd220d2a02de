// Two players over links: the server stores the game, checks the moves and informs both.

import { Board } from "./board";
import { gameChoice, title } from "./choose";
import { games, state as stateOf } from "./client";
import { button, copy, dialog, field, h, message, replace, say, toast } from "./dom";
import { type Place, writePlace } from "./link";
import { moveList, reveal, stepButton } from "./movelist";
import type { Page } from "./play";
import { keysHelp } from "./play";
import { api, follow, signedIn } from "./server";
import { knock, load, save } from "./settings";
import type { GameText, Side, State } from "./types";
import { capital, lastInWords, other, outcomeInWords, toMove } from "./words";

type Role = Side | "watch";

interface GameState extends GameText {
    side: Side;
    end: { name: string; winner: Side | null } | null;
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

const MOST_KEPT = 20;
const SEATS: [Role, string][] = [["white", "White"], ["black", "Black"], ["watch", "Watching"]];

function linkTo(id: string): string {
    return `${location.href.replace(/#.*$/, "")}#link?id=${id}`;
}

function kept(): Mine[] {
    const found = load<unknown>("links", []);
    return Array.isArray(found) ? (found as Mine[]).filter((one) => typeof one?.variant === "string" && typeof one.links === "object" && one.links !== null) : [];
}

function keep(one: Mine): void {
    const ids = Object.values(one.links);
    const others = kept().filter(({ links }) => !Object.values(links).some((id) => ids.includes(id)));
    const known = kept().find(({ links }) => Object.values(links).some((id) => ids.includes(id)));
    save("links", [{ ...one, links: { ...known?.links, ...one.links } }, ...others].slice(0, MOST_KEPT));
}

export function togetherPage(place: Place): Page {
    let leave = (): void => {};
    const element = h("div", {});
    const open = (at: Place): void => {
        leave();
        leave = (): void => {};
        const id = at.values.get("id");
        if (id) {
            const [table, close] = tablePage(id);
            leave = close;
            replace(element, table);
        } else {
            replace(element, beginPage());
        }
    };
    open(place);
    return { element, close: () => leave(), visit: open };
}

/** The list of this browser's games and the form for a new one. */
function beginPage(): HTMLElement {
    const list = h("ul", { class: "plain-list" });
    const draw = (): void => {
        const mine = kept();
        const items = mine.map(({ variant, links }) => {
            const ways = SEATS.filter(([role]) => typeof links[role] === "string").map(([role, word]) => h("a", { class: "button", href: `#link?id=${links[role]!}` }, word));
            return h("li", {}, h("b", {}, title(variant)), h("span", { class: "row" }, ...ways, links.watch ? button("Links…", () => linksDialog(links)) : null));
        });
        replace(list, ...(items.length ? items : [h("li", { class: "soft" }, "None yet.")]));
    };
    draw();
    const begin = async (): Promise<void> => {
        try {
            if (!(await signedIn())) return;
            await beginDialog(draw);
        } catch (error) {
            toast(message(error), "error");
        }
    };
    return h(
        "div",
        { class: "page narrow" },
        h("h1", {}, "Two people over a link"),
        h(
            "section",
            { class: "card" },
            h("p", {}, "Begin a game, and send the other one a link. Each seat has a link of its own, and there is one to watch by; whoever has a link needs no account. The server checks every move and keeps the game."),
            h("div", { class: "row" }, button("New game", () => void begin(), { class: "primary", id: "begin" })),
        ),
        h("section", { class: "card" }, h("h2", {}, "Games of this browser"), list),
    );
}

async function beginDialog(begun: () => void): Promise<void> {
    const choice = gameChoice(await games(), load("together.variant", "chesspp"), () => {});
    const fen = h("input", { type: "text", placeholder: "the game's own start", spellcheck: "false", autocomplete: "off", id: "start-fen" });
    const problem = h("p", { class: "problem", role: "alert" });
    const start = async (): Promise<void> => {
        try {
            const variant = choice.variant();
            const links = await api<Links>("api/games", { body: { variant, fen: fen.value.trim() } });
            save("together.variant", variant);
            keep({ variant, links });
            box.close();
            begun();
            linksDialog(links);
        } catch (error) {
            problem.textContent = message(error);
        }
    };
    const box = dialog(
        "New game",
        choice.element,
        h("details", {}, h("summary", {}, "From another position"), field("FEN", fen)),
        problem,
        h("div", { class: "row end" }, button("Cancel", () => box.close()), button("Begin", () => void start(), { class: "primary", id: "begin-now" })),
    );
}

function linksDialog(links: Partial<Links>): void {
    const rows = SEATS.flatMap(([role, word]) => {
        const id = links[role];
        if (typeof id !== "string") return [];
        const name = role === "watch" ? "To watch" : `${word}'s seat`;
        const field = h("input", { type: "text", readonly: true, value: linkTo(id), "aria-label": `${name}: link`, id: `link-${role}` });
        const go = (): void => {
            box.close();
            location.hash = `#link?id=${id}`;
        };
        return h("div", { class: "stack" }, h("b", {}, name), h("div", { class: "row" }, field, button("Copy", () => void copy(linkTo(id), "Link"), { "aria-label": `Copy: ${name}` }), button(role === "watch" ? "Watch" : "Sit here", go, { id: `sit-${role}` })));
    });
    const box = dialog("Links of the game", h("p", { class: "hint" }, "Send one seat's link to the other player, and take the other seat. A link is all that it takes to play, so give each to one person only."), ...rows);
}

/** A game, seen by a player or a spectator. */
function tablePage(id: string): [HTMLElement, () => void] {
    let role: Role | null = null;
    let told: GameState | null = null;
    let shown: number | null = null;
    let bottom: Side = "white";
    let waits = false;
    let turn = 0;
    let closed = false;
    let stop = (): void => {};

    const board = new Board({
        label: "Board",
        onmove: (text) => void move(text),
        may: (state) => role === state.side && !waits && shown === null && !told?.end,
    });
    const heading = h("h2", { id: "game-title" });
    const status = h("p", { class: "status", id: "status" }, "Connecting…");
    const connection = h("p", { class: "note", role: "status", hidden: true, id: "connection" });
    const decisions = h("div", { class: "decisions" });
    const list = h("div", { class: "move-box" });
    const looking = h("div", { class: "looking", role: "group", "aria-label": "Look through the game" });
    const seat = h("p", { class: "soft", id: "seat" });
    const resignButton = button("Resign", () => resign(), { id: "resign", hidden: true });

    const count = (): number => told?.moves.length ?? 0;

    function ending(): string | null {
        if (!told?.end) return null;
        const { name, winner } = told.end;
        return name === "resignation" && winner ? `${capital(other(winner))} resigns: ${capital(winner)} wins.` : outcomeInWords({ name, winner });
    }

    async function draw(announce: boolean): Promise<void> {
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
            return toast(message(error), "error");
        }
        if (closed || mine !== turn) return;
        board.flip(bottom);
        board.show(state);
        heading.textContent = title(now.variant);
        const end = ending();
        const words = end ?? (role === whole.side ? `Your move. ${toMove(whole)}` : toMove(whole));
        status.textContent = shown === null ? words : `After ${at} of ${count()} moves.`;
        status.classList.toggle("over", !!end);
        const done = role === whole.side && shown === null && !end ? whole.moves.find(({ kind }) => kind === "done") : undefined;
        replace(decisions, done ? button("End the turn", () => void move(done.text), { class: "primary", id: "done" }) : null);
        replace(list, moveList(whole.history, at, go));
        reveal(list);
        replace(looking, stepButton("first", at > 0 && (() => go(0))), stepButton("back", at > 0 && (() => go(at - 1))), stepButton("next", at < count() && (() => go(at + 1))), stepButton("last", at < count() && (() => go(count()))));
        resignButton.hidden = role === "watch" || role === null || !!end;
        document.title = `${role === whole.side && !end ? "Your move · " : ""}By link · Catapult`;
        if (announce) {
            say([whole.last ? lastInWords(whole.last, whole) : "", words].join(" ").trim());
            if (whole.last) knock(whole.last.taken.length ? 160 : 260);
        }
    }

    function go(ply: number): void {
        shown = ply >= count() ? null : Math.max(0, ply);
        void draw(false);
    }

    /**
     * Takes a new state. An older state than the current one comes from a late response and is
     * ignored.
     */
    function hear(state: GameState): void {
        const first = !told;
        if (told && state.moves.length < told.moves.length) return;
        told = state;
        waits = false;
        if (first) keep({ variant: state.variant, links: role ? { [role]: id } : {} });
        void draw(!first);
    }

    async function move(text: string): Promise<void> {
        if (waits || !told) return;
        waits = true;
        try {
            await api("api/game/moves", { link: id, body: { ply: count(), move: text } });
        } catch (error) {
            waits = false;
            if (!closed) toast(`The move was not made: ${message(error)}`, "error");
            void draw(false);
        }
    }

    function resign(): void {
        const box = dialog(
            "Resign?",
            h("p", {}, "You give the game up."),
            h("div", { class: "row end" }, button("Play on", () => box.close()), button("Resign", async () => {
                box.close();
                try {
                    await api("api/game/resign", { link: id, body: {} });
                } catch (error) {
                    toast(message(error), "error");
                }
            }, { class: "primary", id: "resign-now" })),
        );
    }

    async function begin(): Promise<void> {
        try {
            const now = await api<{ role: Role; game: GameState }>("api/game", { link: id });
            if (closed) return;
            role = now.role;
            bottom = role === "black" ? "black" : "white";
            seat.textContent = role === "watch" ? "You watch this game." : `You play ${capital(role)}. This page's address is your seat: whoever has it can play for you.`;
            hear(now.game);
        } catch (error) {
            if (closed) return;
            status.textContent = message(error);
            return;
        }
        stop = follow<GameState>("api/game/events", id, hear, (words) => {
            connection.hidden = !words;
            connection.textContent = words ?? "";
        });
    }

    const element = h(
        "div",
        { class: "page play" },
        h("h1", { class: "heard" }, "A game over a link"),
        h("div", { class: "board-column" }, board.element),
        h(
            "section",
            { class: "panel", "aria-label": "Game" },
            h("div", { class: "panel-head" }, heading, h("a", { href: "#link" }, "All games")),
            status,
            connection,
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
                resignButton,
                button("Analyse", () => {
                    if (told) location.hash = writePlace("analyse", told);
                }),
            ),
            keysHelp(),
        ),
    );
    void begin();
    return [
        element,
        () => {
            closed = true;
            turn++;
            stop();
        },
    ];
}
