// Playing against a network, two people on one screen, or a computer player on both sides.

import { Board } from "./board";
import { title } from "./choose";
import { Refusal, alphabeta, engine, network, state as stateOf, writePgn } from "./client";
import { pictureButtons } from "./diagram";
import { append, boardPage, button, copy, dialog, h, message, patient, replace, say, sayIn, select, toast } from "./dom";
import { keepAll } from "./keep";
import { type Place, localHint, rewritePlace, send, shareLink, writePlace } from "./link";
import { drawMoves, sayMove, sayStep, stepKeys, stepRow, turns } from "./movelist";
import { newGame } from "./newgame";
import { FIRST, type Played, fromLink, isHuman as isHumanIn, isNetwork as isNetworkIn, isSide, loaded, ownGame, seats } from "./played";
import { SERVED, serverThink, stopThinking } from "./server";
import { LEVELS, STRENGTHS, budget, load, saveOfTab, strength } from "./settings";
import type { GameText, Side, State } from "./types";
import { capital, inWords, other, outcomeInWords, toMove } from "./words";

/** Simulations of a hint. */
const HINT = 200;
/** Minimum time per move in milliseconds if the computer plays both sides. */
const WATCHED = 900;
/** Maximum number of plies that the rules read (crates/wasm/src/game.rs). */
const MOST_MOVES = 4000;

export interface Page {
    element: HTMLElement;
    close?: () => void;
    /** Navigates to another state of the same page. */
    visit?: (place: Place) => void;
}

export function playPage(place: Place): Page {
    let game = ownGame();
    /** True for a game from a link while the user's own game stays stored. Only the URL holds such a game. */
    let linked = false;
    let current: State | null = null;
    /** Number of plies shown: the whole game unless the user looks back. */
    let shown = 0;
    /** Incremented by every action that makes a pending answer obsolete. */
    let turn = 0;
    let closed = false;
    /**
     * True while alpha-beta runs. It cannot be interrupted, so its worker is ended to discard the
     * move.
     */
    let computing = false;
    const interrupt = (): void => {
        stopThinking();
        if (computing) engine.fail(new Error("Stopped."));
        else void engine.stop().catch(() => {});
    };

    const board = new Board({
        label: "Board",
        onmove: (text) => void move(text),
        onrefused: (words) => sayIn(status, words),
        may: (state) => isHuman(state.side) && (!game.mail || state.side === game.mail) && shown === game.moves.length && !isOver(),
    });
    const status = h("p", { class: "status", id: "status" }, "Loading…");
    const note = h("p", { class: "note", hidden: true });
    const origin = h("div", { class: "row note", id: "linked", hidden: true });
    const decisions = h("div", { class: "decisions" });
    const list = h("div", { class: "move-box" });
    const bars: Record<Side, HTMLElement> = { white: h("div", { class: "player" }), black: h("div", { class: "player" }) };
    const above = h("div", {});
    const below = h("div", {});
    const heading = h("h2", { id: "game-title" });
    const looking = stepRow();

    const isHuman = (side: Side): boolean => isHumanIn(game, side);
    const isNetwork = (side: Side): boolean => isNetworkIn(game, side);
    const isWatched = (): boolean => !isHuman("white") && !isHuman("black");
    const isOver = (): boolean => !!game.resigned || !!current?.outcome || game.moves.length >= MOST_MOVES;

    function keep(): void {
        if (!linked) saveOfTab("play", game);
        // The URL is the game's link, so that it can be copied from the address bar.
        // It lacks most of the players, so the browser's history keeps the game for Back and reloads.
        rewritePlace(writePlace("play", game, undefined, seats(game, current?.side)), { game, linked });
    }

    function nameOf(side: Side): string {
        if (!isHuman(side)) return `${isNetwork(side) ? "Network, " : ""}${strength(game[side]).name}`;
        if (!isHuman(other(side)) || game.mail === side) return "You";
        if (game.mail) return "The other player";
        const name = game.names?.[side === "white" ? 0 : 1];
        return typeof name === "string" ? name : capital(side);
    }

    async function refresh(announce: boolean, step = false): Promise<void> {
        const mine = ++turn;
        if (computing) interrupt();
        if (shown > game.moves.length) shown = game.moves.length;
        const view: GameText = { ...game, moves: game.moves.slice(0, shown) };
        let state: State;
        let whole: State;
        try {
            state = await stateOf(view);
            whole = shown === game.moves.length ? state : await stateOf(game);
        } catch (error) {
            if (closed || mine !== turn) return;
            if (!(error instanceof Refusal)) return trouble(message(error), () => void refresh(announce, step));
            // An unreadable stored game must not lock the page.
            toast(`${message(error)}. A new game was begun.`, "error");
            game = { ...FIRST };
            shown = 0;
            keep();
            return refresh(false);
        }
        if (closed || mine !== turn) return;
        current = whole;
        board.flip(game.bottom);
        board.annotate([]);
        board.show(state);
        drawAround(state, whole);
        if (announce) sayMove(whole, ending() ?? toMove(whole));
        else if (step) sayStep(list, status);
        report();
        // The URL and the stored game change only once the game has proven valid.
        keep();
        if (!isOver() && !isHuman(whole.side) && shown === game.moves.length) void think(whole);
        else interrupt();
    }

    /** Reports the result of a game once, if the page has a server. */
    function report(): void {
        const { fair, variant, moves, resigned } = game;
        if (!SERVED || !fair || !(resigned || current?.outcome) || isHuman("white") === isHuman("black")) return;
        game = { ...game, fair: false };
        const colour = isHuman("white") ? "white" : "black";
        // Another game may begin while the script loads.
        const result = { variant, moves, level: game[other(colour)], colour, resigned: !!resigned };
        void import("./served").then(({ reportResult }) => reportResult(result));
    }

    /** Reports a failure in place of the status, with a button that repeats what failed. */
    function trouble(words: string, again: () => void): void {
        sayIn(status, words);
        replace(decisions, button("Try again", again, { id: "retry" }));
    }

    function ending(): string | null {
        if (game.resigned) return `${capital(game.resigned)} resigns: ${capital(other(game.resigned))} wins.`;
        if (current?.outcome) return outcomeInWords(current.outcome, current.variant);
        return game.moves.length >= MOST_MOVES ? `The game stops here: a game on this page has at most ${MOST_MOVES.toLocaleString("en")} half-moves.` : null;
    }

    function drawAround(state: State, whole: State): void {
        const end = ending();
        heading.textContent = title(game.variant);
        const paused = end ? "" : " The game is paused.";
        const mailed = !!game.mail && whole.history[whole.history.length - 1]?.[2] === game.mail && (!!end || whole.side !== game.mail);
        const turn = mailed ? "Your move is made. Send it to the other player." : toMove(whole) + (game.mail === whole.side ? " It is your turn." : "");
        status.textContent = end ?? (shown < game.moves.length ? `After ${shown} of ${game.moves.length} moves.${paused}` : turn);
        status.classList.toggle("over", !!end);
        const mine = isHuman(whole.side) && shown === game.moves.length && !end;
        element.querySelector<HTMLButtonElement>("#hint")!.disabled = !mine;
        element.querySelector<HTMLButtonElement>("#resign")!.disabled = isWatched() || !!game.mail || !!end;
        const done = mine ? whole.moves.find(({ kind }) => kind === "done") : undefined;
        const review = (): void => void (location.hash = `${writePlace("analyse", game)}&review=1`);
        replace(
            decisions,
            done ? button("End the turn", () => void move(done.text), { class: "primary", id: "done" }) : null,
            mailed && shown === game.moves.length ? button("Send your move", () => void sendPosition(whole, game.moves), { class: "primary", id: "send" }) : null,
            end && game.moves.length ? button("Review this game", review, { class: "primary", id: "review" }) : null,
        );
        for (const side of ["white", "black"] as const) {
            const mind = isHuman(side) ? null : h("span", { class: "thinking", id: `thinking-${side}` });
            const catapults = game.variant === "chess" ? undefined : state.pieces.find(([, name]) => name === "catapult");
            const left = catapults ? catapults[side === "white" ? 2 : 3] : null;
            replace(
                bars[side],
                h("span", { class: `dot ${side}`, "aria-hidden": "true" }),
                h("b", {}, nameOf(side)),
                h("span", { class: "side" }, isHuman(side) && !isHuman(other(side)) ? capital(side) : isHuman(side) ? "" : budget(strength(game[side]))),
                mind,
                left === null ? null : h("span", { class: "left", title: "Catapults on the board" }, `${left} ${left === 1 ? "catapult" : "catapults"}`),
            );
            bars[side].classList.toggle("active", !end && whole.side === side);
        }
        replace(above, bars[other(game.bottom)]);
        replace(below, bars[game.bottom]);
        drawMoves(list, looking, whole.history, shown, go);
        const known = network(game.variant).knows || !(isNetwork("white") || isNetwork("black"));
        const both = isHuman("white") && isHuman("black");
        origin.hidden = !linked && !game.mail && !game.challenge && !(both && !game.names);
        const human = isHuman("white") ? "white" : "black";
        const kind = game.mail ? `A game by link. You play ${capital(game.mail)}. The answer to your move is another link.` : game.challenge ? `A challenge from a link. You play ${capital(human)} against ${nameOf(other(human))}.` : both ? "You move both sides here. New game can give you an opponent." : "";
        replace(
            origin,
            linked ? `${kind} Your own game is kept until you begin another.` : kind,
            game.mail ? button("Play both sides here", () => { game = { ...game, mail: undefined }; void refresh(false); }, { id: "both" }) : null,
            linked ? h("a", { href: "#play" }, "Back to my game") : null,
        );
        note.hidden = known;
        note.textContent = known ? "" : "The network was not trained on these rules. Its play is a guess.";
    }

    function go(ply: number): void {
        shown = Math.max(0, Math.min(game.moves.length, ply));
        void refresh(false, true);
    }

    async function move(text: string): Promise<void> {
        // The board does not show the last move yet.
        if (current?.history.length !== game.moves.length) return;
        game = { ...game, moves: [...game.moves, text] };
        shown = game.moves.length;
        await refresh(true);
    }

    async function think(at: State): Promise<void> {
        const mine = turn;
        const player = strength(game[at.side]);
        const tell = document.getElementById(`thinking-${at.side}`);
        if (tell) tell.textContent = "thinking…";
        const seed = Math.floor(Math.random() * 2 ** 31);
        const wait = new Promise((resolve) => setTimeout(resolve, isWatched() ? WATCHED : 0));
        const limits = { nodes: player.nodes ?? null, ms: player.seconds ? player.seconds * 1000 : null, noise: player.noise, seed };
        try {
            const found = () => (player.server ? serverThink(game, player.server, limits) : engine.think(game, network(game.variant).file, limits));
            const search = async (): Promise<string | undefined> => (await found())?.lines[0]?.moves[0];
            computing = !!player.depth;
            const best = await (player.depth ? alphabeta(game, player.depth, seed) : search()).finally(() => (computing = false));
            await wait;
            if (closed || mine !== turn) return;
            if (best) await move(best);
            if (!SERVED) keepAll();
        } catch (error) {
            if (closed || mine !== turn) return;
            if (tell) tell.textContent = "";
            trouble(`The computer can't move: ${message(error)}.`, () => void refresh(false));
        }
    }

    function takeBack(): void {
        if (!current) return;
        const played = turns(current.history);
        let last = played.pop();
        if (game.mail && last?.side !== game.mail) return toast("The last move is the other player's.");
        // Against a computer player, taking back removes the user's last turn and the reply.
        while (last && played.length && !isHuman(last.side) && !isWatched()) last = played.pop();
        if (!last) return;
        game = { ...game, moves: game.moves.slice(0, last.plies[0]), resigned: null, fair: false };
        shown = game.moves.length;
        say("Taken back.");
        void refresh(false);
    }

    function resign(): void {
        if (!current || isOver()) return;
        const side = isHuman(current.side) ? current.side : other(current.side);
        askToResign(`${capital(side)} gives the game up.`, () => {
            // The computer's move may have ended the game since.
            if (isOver()) return;
            game = { ...game, resigned: side };
            say(`${capital(side)} resigns.`);
            void refresh(false);
        });
    }

    async function hint(): Promise<void> {
        const at = current;
        if (!at || isOver() || !isHuman(at.side) || shown !== game.moves.length) return;
        const mine = turn;
        status.textContent = "Looking for a move…";
        // The buttons that end the turn or send the move stay.
        decisions.querySelector("#retry")?.remove();
        try {
            const found = await engine.think(game, network(game.variant).file, { nodes: HINT });
            if (closed || mine !== turn) return;
            const best = at.moves.find(({ text }) => text === found?.lines[0]?.moves[0]);
            if (!best) return;
            game = { ...game, fair: false };
            keep();
            sayIn(status, `Hint: ${inWords(best, at.variant, at.files)}.`);
            if (best.to !== undefined) board.annotate([{ from: best.from ?? best.to, to: best.to, weight: 1, kind: "hint" }]);
        } catch (error) {
            if (closed || mine !== turn) return;
            sayIn(status, `There is no hint: ${message(error)}.`);
            append(decisions, [button("Try again", () => void hint(), { id: "retry" })]);
        }
    }

    function begin(next: Played): void {
        linked = false;
        game = next;
        shown = game.moves.length;
        void refresh(false).then(() => say(`A game of ${title(game.variant)}. ${current ? (ending() ?? toMove(current)) : ""}`));
    }

    /** Sends the position after some moves. The receiver moves next. A game of two people then continues by link. */
    async function sendPosition(at: State, moves: string[]): Promise<void> {
        const words = at.outcome ? outcomeInWords(at.outcome, at.variant) : `${capital(at.side)} to move. It is your turn.`;
        const sent = await send(shareLink({ ...game, moves }, { you: at.side }), title(game.variant), words);
        if (closed || !sent || game.mail || !isHuman("white") || !isHuman("black") || moves.length !== game.moves.length || isOver()) return;
        game = { ...game, mail: other(at.side), bottom: other(at.side) };
        await refresh(false);
    }

    /** The part of the share dialog for playing on from the shown position. */
    function sending(at: State, close: () => void): HTMLElement {
        const moves = game.moves.slice(0, shown);
        const opponent = game[isHuman("white") ? "black" : "white"];
        const kept = load("strength", "beginner");
        let level = [opponent, kept].find((id) => Object.hasOwn(STRENGTHS, id)) ?? "medium";
        const side = capital(at.side);
        return h(
            "div",
            { class: "stack" },
            h("p", {}, at.outcome ? "Send the end of the game. No server takes part." : `Send this position: the receiver moves ${side} and sends a link back. No server takes part.`),
            h("div", { class: "row" }, button("Send this position", () => { close(); void sendPosition(at, moves); }, { class: "primary", id: "send-position" })),
            at.outcome ? null : h("p", {}, `Beat my game from here: the receiver plays ${side} against the computer.`),
            at.outcome ? null : h(
                "div",
                { class: "row" },
                select(LEVELS, level, (value) => (level = value), { id: "challenge-level", "aria-label": "Strength of the computer" }),
                button("Send the challenge", () => {
                    close();
                    void send(shareLink({ ...game, moves }, { you: at.side, against: level }), title(game.variant), `beat my game from here. You play ${side} against the computer, level ${STRENGTHS[level]!.name}.`);
                }, { id: "send-challenge" }),
            ),
        );
    }

    async function share(): Promise<void> {
        if (!current) return;
        const here = shown === game.moves.length ? current : await stateOf({ ...game, moves: game.moves.slice(0, shown) });
        const link = shareLink(game);
        const result = game.resigned ? (game.resigned === "white" ? "0-1" : "1-0") : "";
        const now = new Date();
        const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
        const tags: [string, string][] = [["White", nameOf("white")], ["Black", nameOf("black")], ...(game.tags ?? [["Date", today] as [string, string]])];
        let pgn = "";
        try {
            pgn = await writePgn(game, tags, result);
        } catch (error) {
            toast(message(error), "error");
        }
        if (closed) return;
        const { fen } = here;
        const text = h("textarea", { rows: 5, "aria-label": "FEN, PGN or moves", placeholder: "Paste a FEN, a PGN or moves here", spellcheck: "false" });
        const problem = h("p", { class: "problem", role: "alert" });
        const read = async (): Promise<void> => {
            const given = text.value.trim();
            if (!given) return;
            try {
                const next = await loaded(given, game);
                if (!next) return;
                box.close();
                begin(next);
            } catch (error) {
                problem.textContent = message(error);
            }
        };
        const box = dialog(
            "Share and load",
            h("div", { class: "row" }, button("Copy link", () => void copy(link, "Link"), { class: "primary" }), button("Copy FEN", () => void copy(fen, "FEN")), button("Copy PGN", () => void copy(pgn, "PGN")), ...pictureButtons(board, () => here.fen)),
            h("p", { class: "hint" }, "The link contains the whole game. No server sees it."),
            localHint(),
            h("h3", {}, "Play on by link"),
            sending(here, () => box.close()),
            h("h3", {}, "Load"),
            text,
            problem,
            h("div", { class: "row end" }, button("Load", () => void read(), { class: "primary", id: "load" })),
        );
    }

    function flip(): void {
        game = { ...game, bottom: other(game.bottom) };
        void refresh(false);
    }

    const element = boardPage("play", "Play", [above, board.element, below], "Game", [
        h("div", { class: "panel-head" }, heading, button("New game", patient(() => newGame(() => game, begin, () => closed)), { class: "primary", id: "new-game" })),
        status,
        decisions,
        origin,
        note,
        list,
        looking,
        h(
            "div",
            { class: "row tools-row" },
            button("Take back", takeBack, { id: "take-back" }),
            button("Hint", () => void hint(), { id: "hint" }),
            button("Flip", flip, { id: "flip" }),
            button("Resign", resign, { id: "resign" }),
            button("Analyse", () => (location.hash = writePlace("analyse", game, shown)), { id: "analyse" }),
            button("Share…", patient(share), { id: "share" }),
        ),
        keysHelp(),
    ]);

    async function visit(to: Place): Promise<void> {
        const { game: given, problem, values } = to;
        if (problem) toast(problem, "error");
        const mine = ++turn;
        const own = ownGame();
        const past = history.state as { game: Played; linked: boolean } | null;
        // The browser's Back leads to addresses of the own game from before its last moves.
        const known = past?.linked === false ? own.moves.slice(0, given?.moves.length) : own.moves;
        const same = own.variant === given?.variant && own.start === given.start && known.join() === given.moves.join();
        game = own;
        linked = false;
        const [you, level] = [values.get("you"), values.get("against")];
        // A link to the user's own game opens another game if it names other players.
        const opposes = (level: string): boolean => (isSide(you) ? own[you] === "human" && own[other(you)] === level : [own.white, own.black].includes(level));
        const others = level ? !opposes(level) : !!you && !own.mail && !own.challenge;
        if (given && (!same || others)) {
            try {
                const state = await stateOf(given);
                if (closed || mine !== turn) return;
                // A reply to the user's game by link continues that game.
                const answers = !level && !!you && own.mail === you && own.variant === given.variant && own.start === given.start && own.moves.every((move, ply) => given.moves[ply] === move);
                // The result of a past game may have been reported already.
                game = answers ? { ...own, moves: given.moves } : past ? { ...past.game, fair: false } : fromLink(given, values, state);
                linked = own.moves.length > 0 && !answers;
            } catch (error) {
                if (closed || mine !== turn) return;
                if (!(error instanceof Refusal)) return trouble(message(error), () => void visit(to));
                toast(`The link contains no game: ${message(error)}`, "error");
            }
        }
        shown = game.moves.length;
        await refresh(false);
    }

    void visit(place);
    const unkey = stepKeys(() => go(shown - 1), () => go(shown + 1));
    return {
        element,
        close: () => {
            unkey();
            closed = true;
            turn++;
            interrupt();
        },
        visit: (next) => void visit(next),
    };
}

/** Asks whether to resign, and calls `resign` after a yes. */
export function askToResign(words: string, resign: () => void): void {
    const now = (): void => {
        box.close();
        resign();
    };
    const box = dialog("Resign?", h("p", {}, words), h("div", { class: "row end" }, button("Play on", () => box.close()), button("Resign", now, { class: "primary", id: "resign-now" })));
}

export function keysHelp(): HTMLElement {
    return h(
        "details",
        { class: "keys" },
        h("summary", {}, "Keyboard"),
        h("p", {}, "Tab to the board; arrow keys go from square to square, Enter or Space picks a piece up and puts it down, Escape lets go. On a stack Enter again takes the other piece. If several moves go to one square, a list opens; choose with the arrow keys and Enter."),
    );
}
