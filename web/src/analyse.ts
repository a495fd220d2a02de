// Analysis: the network's evaluation of any position, of a game and of its variations.

import { type Arrow, Board } from "./board";
import { gameChoice, title } from "./choose";
import { Refusal, engine, games, network, readPgn, scriptOf, state as stateOf, writePgn } from "./client";
import { boardPage, button, checkbox, copy, dialog, field, h, message, patient, renew, replace, say, sayIn, select, toast } from "./dom";
import { LONGEST_FRAGMENT, type Place, addressOf, rewritePlace, writePlace } from "./link";
import { drawSteps, stepKeys, stepRow } from "./movelist";
import { type Page, keysHelp } from "./play";
import { ownGame } from "./played";
import { decode, isAnnotated, isFen, pgnTag, readText, splitGames, writeMoves } from "./read";
import { SIMULATIONS, judge, valueOf, valueOfOutcome, wdlOf } from "./review";
import { reviewOf } from "./reviewed";
import { SERVED, hello, networkName, networksFor, serverThink, signedIn, stopThinking } from "./server";
import { counted, load, loadOfTab, save, saveOfTab } from "./settings";
import { type Node, annotate, child, childAfter, graphOf, line, root, treeOf, wholeLine } from "./tree";
import type { Found, GameText, Line, PgnGame, Side, State } from "./types";
import { capital, lastInWords, other, outcomeInWords, percent, toMove } from "./words";

const SHOWN_LINES = 6;

/**
 * A proven result in words. Its length is in moves, but in Maxim chess, whose turns have several
 * decisions, in decisions. `plies` counts from the position after the first move.
 */
const provenInWords = ([outlook, plies]: NonNullable<Line["proven"]>, variant: string): string => {
    if (outlook === "draw") return outlook;
    return variant === "maxim" ? `${outlook} in ${counted(plies + 1, "decision")}` : `${outlook} in ${Math.ceil((plies + 1) / 2)}`;
};

/** A game with the text of its moves, variations and comments. A tab keeps its game for a reload and the next visit. */
type KeptTree = PgnGame & { text: string };

/** True until the first analysis after a reload of the page. */
let reload = performance.getEntriesByType("navigation").some((entry) => (entry as PerformanceNavigationTiming).type === "reload");
/** Maximum length of the moves with variations and comments in a link. */
const LONGEST_TREE = 20_000;
/** Maximum thinking time per position in milliseconds. */
const LONGEST = 120_000;

export function analysePage(place: Place): Page {
    let base: { variant: string; start: string } = { variant: "chesspp", start: "" };
    let top = root();
    let at = top;
    let current: State | null = null;
    let found: Found | null = null;
    let bottom: Side = "white";
    let on = load("analyse.on", true);
    let arrows = load<"search" | "prior" | "none">("analyse.arrows", "search");
    let heat = load("analyse.heat", false);
    let turn = 0;
    let opening = 0;
    let visits = 0;
    /** Reason why the search failed, or null. */
    let failed: string | null = null;
    /** True if the search has reached a limit. */
    let ended = false;
    let sweep = 0;
    let closed = false;
    let file: KeptTree[] = [];
    /** The game of the file that is open, or null. */
    let opened: PgnGame | null = null;
    const tag = (game: PgnGame, name: string): string => game.tags.find(([key]) => key === name)?.[1] ?? "?";

    const board = new Board({ label: "Analysis board", onmove: (text) => void play(text), onrefused: (words) => sayIn(status, words) });
    const status = h("p", { class: "status" }, "Loading…");
    const heading = h("h2", {});
    const bar = h("div", { class: "wdl", role: "img" });
    const facts = h("p", { class: "hint facts" });
    const lines = h("div", { class: "lines" });
    const graph = h("div", { class: "graph" });
    /** True while the pointer's button is down on the lines or the graph. A redraw would remove the pressed element. */
    let pressed = false;
    for (const box of [lines, graph]) box.addEventListener("pointerdown", (event) => (pressed = event.button === 0));
    /** Draws what a press or the focus held back. A click on the old elements comes first. */
    const redraw = (): void => void setTimeout(() => {
        // After a failure, a redraw would take the focus from the button that tries again.
        if (closed || failed) return;
        drawFound();
        drawGraph();
    });
    const released = (): void => {
        if (pressed) redraw();
        pressed = false;
    };
    for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, released);
    lines.addEventListener("focusout", redraw);
    const moves = h("div", { class: "move-box tree" });
    const decisions = h("div", { class: "decisions" });
    const note = h("p", { class: "note", hidden: true });
    const looking = stepRow();
    const fileList = h("div", {});
    const power = h("button", { type: "button", id: "engine", onclick: () => setOn(!on) });
    const sweepButton = button("Review the game", () => void sweepGame(), { id: "sweep" });
    const reviewed = h("div", { class: "review stack" });
    const explored = h("div", { class: "stack explored" });
    const explorer = h("details", { id: "explorer", open: load("analyse.explorer", false) }, h("summary", {}, "Opening explorer"), explored);
    explorer.addEventListener("toggle", () => {
        save("analyse.explorer", explorer.open);
        void explore();
    });

    /** Shows the moves of self-play in the position, if the explorer is open. */
    async function explore(): Promise<void> {
        const state = current;
        if (!state || !explorer.open) return;
        try {
            const { openings } = await scriptOf(import("./selfplay"));
            const drawn = await openings(state, (text) => void play(text));
            if (state === current) renew(explored, ...drawn);
        } catch (error) {
            if (state === current) replace(explored, h("p", { class: "problem" }, `${capital(message(error))}.`));
        }
    }

    /** Id of the server's network. Empty if the browser searches. */
    let server = "";
    const minds = h("select", { id: "mind", "aria-label": "What thinks" });
    const ask: typeof engine.think = (game, file, limits, told) => (server ? serverThink(game, server, limits, told) : engine.think(game, file, limits, told));
    const halt = (): void => {
        stopThinking();
        void engine.stop().catch(() => {});
    };

    /** Lists the networks that know the game: the browser's, and the server's if there is one. */
    async function showMinds(): Promise<void> {
        const offered = SERVED ? await hello().catch(() => null) : null;
        if (closed) return;
        const known = networksFor(offered, base.variant);
        if (!known.some(({ id }) => id === server)) server = "";
        const options: [string, string][] = [["", "This browser"]];
        options.push(...known.map(({ id }): [string, string] => [id, `Server: ${networkName(id)}`]));
        if (offered?.token && !offered.signed_in) options.push(["?", "Server: needs its token…"]);
        replace(minds, ...options.map(([value, label]) => h("option", { value }, label)));
        minds.value = server;
        minds.hidden = options.length < 2;
    }
    minds.addEventListener("change", async () => {
        // A review ends here, because its current search returns early.
        sweep = 0;
        halt();
        if (minds.value === "?") {
            await signedIn().catch((error) => toast(message(error), "error"));
            await showMinds();
        } else server = minds.value;
        void refresh(false);
    });

    const gameAt = (node: Node): GameText => ({ ...base, moves: line(node).map(({ text }) => text) });

    async function refresh(announce: boolean): Promise<void> {
        const mine = ++turn;
        // The board does not show the position yet, so it takes no move.
        current = null;
        let state: State;
        try {
            state = await stateOf(gameAt(at));
        } catch (error) {
            if (!closed && mine === turn) toast(message(error), "error", ["Try again", () => void refresh(announce)]);
            return;
        }
        if (closed || mine !== turn) return;
        current = state;
        found = null;
        failed = null;
        ended = false;
        board.flip(bottom);
        board.annotate([]);
        board.show(state);
        heading.textContent = title(base.variant) + (opened?.tags.length ? `: ${tag(opened, "White")} – ${tag(opened, "Black")}` : "");
        const over = state.outcome ? outcomeInWords(state.outcome, state.variant) : null;
        status.textContent = over ?? toMove(state);
        const done = state.moves.find(({ kind }) => kind === "done");
        replace(decisions, done ? button("End the turn", () => void play(done.text), { class: "primary" }) : null);
        const { knows } = network(base.variant);
        note.hidden = knows || !!server;
        note.textContent = "The network was not trained on these rules. Its play is a guess.";
        drawFound();
        drawTree();
        drawGraph();
        void explore();
        const kept = keptTree();
        saveOfTab("analyse.tree", kept);
        rewritePlace(linkOf(kept));
        if (announce) say(`${state.last ? lastInWords(state.last, state) : "Start."} ${over ?? toMove(state)}`);
        if (!sweep) void think(mine);
    }

    /** The main line with the tags of the opened game. The result is the game's if the moves are the same. */
    function mainLine(): PgnGame {
        const moves = wholeLine(top).map(({ text }) => text);
        return { ...base, moves, tags: opened?.tags ?? [], result: opened?.moves.join() === moves.join() ? opened.result : "", error: null };
    }

    const keptTree = (): KeptTree => ({ ...mainLine(), text: writeMoves(top, "*") });

    /** The moves with variations, comments and the players' names, as a link has them. */
    function treeText({ tags, text }: KeptTree): string {
        return tags.filter(([name, value]) => (name === "White" || name === "Black") && value !== "?").map(([name, value]) => pgnTag(name, value)).join("") + text;
    }

    /** The link of the current position. It contains variations, comments and the players' names, if there are any. */
    function linkOf(kept: KeptTree): string {
        const text = treeText(kept);
        const tree: Record<string, string> = isAnnotated(kept.text) && text.length <= LONGEST_TREE ? { tree: text } : {};
        const place = (more: Record<string, string>): string => writePlace("analyse", { ...base, moves: wholeLine(at).map(({ text }) => text) }, line(at).length, more);
        // Letters beyond ASCII take six or nine characters of a link.
        const whole = place(tree);
        return whole.length <= LONGEST_FRAGMENT ? whole : place({});
    }

    async function think(mine: number): Promise<void> {
        if (!on || document.hidden || current?.outcome) return halt();
        const state = current;
        try {
            const last = await ask(gameAt(at), network(base.variant).file, { ms: LONGEST }, (result) => {
                if (closed || mine !== turn || !state) return;
                take(result, state, at);
                drawFound();
                drawGraph();
            });
            if (closed || mine !== turn || !last || !on || document.hidden) return;
            ended = true;
            drawFound();
        } catch (error) {
            if (closed || mine !== turn) return;
            failed = message(error);
            drawFound();
            say(failed);
        }
    }

    /** Searches only while the page is visible. */
    const seen = (): void => {
        if (sweep) return;
        if (document.hidden) halt();
        else void think(turn);
    };
    document.addEventListener("visibilitychange", seen);

    /** Stores the result of a search from White's view. */
    function take(result: Found, state: State, node: Node): void {
        if (node === at) found = result;
        if (result.simulations < node.simulations) return;
        const [win, draw, loss] = result.wdl;
        node.wdl = state.side === "white" ? [win, draw, loss] : [loss, draw, win];
        node.simulations = result.simulations;
    }

    function setOn(next: boolean): void {
        on = next;
        save("analyse.on", on);
        drawFound();
        // A review runs its own searches until it ends.
        if (!sweep) void think(turn);
    }

    function drawFound(): void {
        replace(power, on ? "Engine on" : "Engine off");
        power.setAttribute("aria-pressed", String(on));
        const state = current;
        const over = state?.outcome;
        const wdl = over ? wdlOf(over) : at.wdl;
        const parts: [string, string, number][] = [["win", "White wins", wdl?.[0] ?? 0], ["draw", "draw", wdl?.[1] ?? 1], ["loss", "Black wins", wdl?.[2] ?? 0]];
        bar.setAttribute("aria-label", wdl ? parts.map(([, words, share]) => `${words} ${percent(share)}`).join(", ") : "No value yet");
        bar.classList.toggle("empty", !wdl);
        replace(bar, ...parts.map(([kind, , share]) => {
            const part = h("span", { class: kind }, wdl && share >= 0.09 ? percent(share) : "");
            part.style.flexGrow = String(Math.max(0.0001, share));
            return part;
        }));
        if (failed) replace(facts, `${failed}. `, button("Try again", () => void refresh(false), { id: "retry" }));
        else facts.textContent = found ? `${found.simulations.toLocaleString("en")} simulations; scores are ${state?.side === "black" ? "Black" : "White"}'s${found.full >= 990 ? ", the memory for the tree is full" : ""}${ended ? "; the search has ended" : ""}` : over ? "" : on ? "Thinking…" : "";
        lines.hidden = !found && (!on || !!over);
        if (!state || !found) {
            replace(lines);
            board.annotate([]);
            return;
        }
        // A redraw would take the focus from a user of the keyboard, too.
        if (pressed || lines.querySelector(":focus-visible")) return drawArrows(state, found);
        const best = found.lines.slice(0, SHOWN_LINES);
        const rows = best.map(({ moves: texts, san, visits, prior, wdl, proven }) => {
            const first = h("button", { type: "button", class: "move", onclick: () => void play(texts[0] ?? "", false) }, san[0] ?? "");
            const rest = h("span", { class: "rest" }, san.slice(1, 9).join(" "));
            const value = proven ? provenInWords(proven, base.variant) : wdl ? percent(wdl[0] + wdl[1] / 2) : "–";
            return h("tr", {}, h("td", {}, first), h("td", { class: "number-cell" }, value), h("td", { class: "number-cell" }, visits.toLocaleString("en")), h("td", { class: "number-cell" }, percent(prior)), h("td", { class: "line" }, rest));
        });
        replace(
            lines,
            h("table", {}, h("thead", {}, h("tr", {}, ...["Move", "Score", "Visits", "Prior", "Line"].map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, ...rows)),
        );
        drawArrows(state, found);
    }

    function drawArrows(state: State, { lines: all }: Found): void {
        const drawn: Arrow[] = [];
        const shade = new Map<number, number>();
        const visits = Math.max(1, ...all.map((one) => one.visits));
        const weight = (one: Line): number => (arrows === "prior" ? one.prior : one.visits / visits);
        const most = Math.max(0.0001, ...all.map(weight));
        for (const one of all) {
            const move = state.moves.find(({ text }) => text === one.moves[0]);
            if (!move || move.to === undefined) continue;
            if (heat) shade.set(move.to, (shade.get(move.to) ?? 0) + (arrows === "prior" ? one.prior : one.share));
            if (arrows === "none" || weight(one) < 0.02 || weight(one) < most / 12) continue;
            drawn.push({ from: move.from ?? move.to, to: move.to, weight: weight(one) / most, kind: arrows === "prior" ? "prior" : "best" });
        }
        drawn.sort((a, b) => a.weight - b.weight);
        board.annotate(drawn.slice(-5), shade);
    }

    function drawGraph(): void {
        if (pressed) return;
        replace(graph, ...graphOf([top, ...wholeLine(at)], at, go));
    }

    function drawTree(): void {
        renew(moves, treeOf(top, at, go));
        const here = moves.querySelector<HTMLElement>(".here");
        if (here) moves.scrollTop = here.offsetTop - moves.clientHeight / 2;
        const step = (to: Node | null | undefined) => !!to && to !== at && (() => go(to));
        drawSteps(looking, { first: step(top), back: step(at.parent), next: step(at.children[0]), last: step(wholeLine(at).pop()) });
    }

    function go(node: Node): void {
        at = node;
        void refresh(true);
    }

    async function play(text: string, announce = true): Promise<void> {
        const state = current;
        const move = state?.moves.find((one) => one.text === text);
        if (!state || !move) return;
        at = childAfter(at, move, state);
        await refresh(announce);
    }

    /** Replaces the tree by a game, unless another one is opened meanwhile. The game's moves become the main line. */
    async function open(game: GameText, ply?: number, from: PgnGame | null = null, text = ""): Promise<void> {
        const mine = ++opening;
        const state = await stateOf(game);
        if (closed || mine !== opening) return;
        current = null;
        opened = from;
        sweep = 0;
        replace(sweepButton, "Review the game");
        replace(reviewed);
        base = { variant: game.variant, start: game.start };
        top = root();
        let node = top;
        for (const [text, san, side, number] of state.history) node = child(node, text, san, side, number);
        const nodes = [top, ...wholeLine(top)];
        at = nodes[Math.min(ply ?? nodes.length - 1, nodes.length - 1)] ?? top;
        const dropped = await annotate(top, text, (node) => stateOf(gameAt(node)));
        if (closed || mine !== opening) return;
        if (dropped) toast(`Variations that can't be read are left out: ${dropped}.`, "error");
        await showMinds();
        await refresh(false);
    }

    /** Reviews the line through the current position. A second call stops it and keeps results. */
    async function sweepGame(): Promise<void> {
        if (sweep) {
            sweep = 0;
            halt();
            return;
        }
        const mine = (sweep = Date.now());
        replace(sweepButton, "Stop");
        const opened = top;
        const nodes = [top, ...wholeLine(at)];
        let done = 0;
        for (const node of nodes) node.value = node.judged = null;
        try {
            for (const [ply, node] of nodes.entries()) {
                if (closed || sweep !== mine) break;
                replace(reviewed, h("p", { class: "hint", role: "status" }, `Position ${ply + 1} of ${nodes.length}…`));
                const state = await stateOf(gameAt(node));
                if (state.outcome) {
                    node.value = valueOfOutcome(state.outcome);
                    node.wdl = wdlOf(state.outcome);
                } else {
                    const result = await ask(gameAt(node), network(base.variant).file, { nodes: SIMULATIONS });
                    if (closed || sweep !== mine || !result) break;
                    take(result, state, node);
                    node.value = valueOf(result, state);
                }
                const before = node.parent?.value;
                if (before) node.judged = judge(node.side, node.text, state.last?.kind ?? "move", before, node.value);
                drawGraph();
                done++;
            }
        } catch (error) {
            toast(message(error), "error");
        }
        // Another game may have been opened, or another review may have begun.
        if (closed || top !== opened || (sweep && sweep !== mine)) return;
        sweep = 0;
        replace(sweepButton, "Review the game");
        drawReview(nodes);
        if (done === nodes.length) say("The review is ready.");
        void refresh(false);
    }

    function drawReview(nodes: Node[]): void {
        const improve = async (parent: Node, text: string): Promise<void> => {
            at = parent;
            await refresh(false);
            await play(text);
        };
        replace(reviewed, ...reviewOf(nodes, base.variant.startsWith("chesspp"), go, (parent, text) => void improve(parent, text)));
    }

    function drawFile(): void {
        if (file.length < 2) return replace(fileList);
        const options = file.map((game, index): [string, string] => {
            return [String(index), game.error && !game.moves.length ? `${index + 1}. can't be read` : `${index + 1}. ${tag(game, "White")} – ${tag(game, "Black")} ${game.result}`];
        });
        replace(fileList, field(`${file.length} games of the file`, select([["", "choose one…"], ...options], "", (value) => value && void openOf(Number(value)), { id: "file-games" })));
    }

    async function openOf(index: number): Promise<void> {
        const game = file[index];
        if (!game) return;
        if (game.error) toast(game.error, "error");
        if (!game.variant) return;
        visits++;
        try {
            await open(game, 0, game, game.text);
        } catch (error) {
            toast(message(error), "error");
        }
    }

    async function openDialog(): Promise<void> {
        const all = await games();
        if (closed) return;
        const text = h("textarea", { rows: 6, placeholder: "Paste a FEN, a PGN of one or many games, or moves", "aria-label": "FEN, PGN or moves", spellcheck: "false" });
        const problem = h("p", { class: "problem", role: "alert" });
        const choose = h("input", { type: "file", accept: ".pgn,.txt,text/plain", "aria-label": "PGN file" });
        choose.addEventListener("change", async () => {
            const chosen = choose.files?.[0];
            if (chosen) {
                text.value = "";
                await takeText(decode(await chosen.arrayBuffer()));
            }
        });
        const choice = gameChoice(all, base.variant, () => {});
        const takeText = async (given: string): Promise<void> => {
            try {
                const read = await readText(given, choice.variant());
                if (!read) return;
                const [first] = read.games;
                if (read.games.length === 1 && first!.error && !first!.moves.length) throw new Error(first!.error);
                // The brackets of a FEN are stacks, not variations.
                const texts = isFen(given) ? [""] : splitGames(given);
                // Texts that can't be matched to games have no annotations here.
                const fit = texts.length === read.games.length;
                if (!fit && isAnnotated(texts.join("\n"))) toast("Annotations of this file are left out.");
                file = read.games.map((game, index) => ({ ...game, text: fit ? texts[index]! : "" }));
                if (read.more) toast("The file contains more games than the page reads.");
                drawFile();
                await openOf(0);
                box.close();
            } catch (error) {
                problem.textContent = message(error);
            }
        };
        const box = dialog(
            "Open",
            h("p", { class: "hint" }, "Choose the game of a FEN or a move list. A PGN names its own game. Leave the box empty for the start position."),
            choice.element,
            text,
            choose,
            problem,
            h("div", { class: "row end" }, button("Cancel", () => box.close()), button("Open", () => void takeText(text.value), { class: "primary", id: "open" })),
        );
    }

    async function copyLink(): Promise<void> {
        // The browser may not have changed the address yet.
        const link = current ? linkOf(keptTree()) : location.hash;
        await copy(addressOf(link), "Link");
        if (isAnnotated(writeMoves(top, "*")) && !link.includes("tree=")) toast("The link has no variations and comments, because they are too long. Copy PGN has them.");
    }

    async function copyPgn(): Promise<void> {
        try {
            const game = mainLine();
            const pgn = await writePgn(game, game.tags, game.result);
            const tags = pgn.slice(0, pgn.indexOf("\n\n"));
            await copy(`${tags}\n\n${writeMoves(top, /\S+\s*$/.exec(pgn)![0].trim())}\n`, "PGN");
        } catch (error) {
            toast(message(error), "error");
        }
    }

    /** Opens a tree at the end of a line in it. Returns false if it lacks the line. */
    async function reopen(kept: KeptTree | null, { variant, start, moves }: GameText, ply: number | null): Promise<boolean> {
        if (kept?.variant !== variant || kept.start !== start || !isAnnotated(kept.text)) return false;
        const last = opening;
        await open(kept, 0, kept, kept.text);
        // Another game was opened meanwhile.
        if (opening !== last + 1) return true;
        const nodes = [top];
        for (const text of moves) nodes.push(nodes[nodes.length - 1]?.children.find((one) => one.text === text) ?? top);
        if (nodes.lastIndexOf(top) > 0) return false;
        go(nodes[Math.min(ply ?? moves.length, moves.length)] ?? top);
        return true;
    }

    /** Reads the moves with variations and comments in a link. Null if they can't be read. */
    async function linkedTree({ variant, start }: GameText, text: string): Promise<KeptTree | null> {
        const tags = pgnTag("Variant", variant) + (start ? pgnTag("SetUp", "1") + pgnTag("FEN", start) : "");
        const game = (await readPgn(tags + text).catch(() => null))?.games[0];
        return game && !game.error ? { ...game, start, text: splitGames(text)[0]! } : null;
    }

    async function visit(to: Place, reloaded = false): Promise<void> {
        const { game, ply, problem, values } = to;
        if (problem) toast(problem, "error");
        const mine = ++visits;
        const kept = loadOfTab<KeptTree | null>("analyse.tree", null);
        const wanted = game ?? kept ?? { variant: "chesspp", start: "", moves: [] };
        try {
            const linked = values.get("tree");
            // The address of the tab's own game lacks the result and most tags, and Play's link to it also the variations.
            const fits = kept?.variant === wanted.variant && kept.start === wanted.start;
            const same = !game || (fits && (linked ? linked === treeText(kept) : kept.moves.join() === game.moves.join()));
            const own = same ? kept : null;
            // Only the game in Play keeps its variations when it continues. A game with named players is another one.
            const text = fits && writePlace("", wanted) === writePlace("", ownGame()) && !kept.tags.some(([name]) => name === "White") && kept.moves.every((move, ply) => move === wanted.moves[ply]) ? kept.text : "";
            if (linked && game && (await reopen(own ?? (await linkedTree(game, linked)), game, ply))) return;
            if (linked) toast("The variations of the link can't be read.", "error");
            if (!(await reopen(reloaded ? kept : own, wanted, ply))) await open(wanted, ply ?? undefined, own, text);
            if (closed || mine !== visits) return;
            if (values.has("review") && !sweep) {
                const show = (): void => {
                    if (!closed) reviewed.scrollIntoView({ block: "nearest" });
                };
                void sweepGame().then(show);
                requestAnimationFrame(show);
            }
        } catch (error) {
            if (closed || mine !== visits) return;
            if (!(error instanceof Refusal)) {
                sayIn(status, message(error));
                return replace(decisions, button("Try again", () => void visit(to, reloaded), { id: "retry" }));
            }
            toast(`The link contains no game: ${message(error)}`, "error");
            // The tab's own game, unless it is what cannot be read.
            const empty = (): Promise<void> => open({ variant: "chesspp", start: "", moves: [] });
            await (game && kept ? open(kept, undefined, kept, kept.text).catch(empty) : empty());
        }
    }

    const element = boardPage("analyse", "Analyse", [bar, board.element, looking], "Analysis", [
        h("div", { class: "panel-head" }, heading, h("div", { class: "row" }, button("Open…", patient(openDialog), { id: "open-dialog" }), minds, power)),
        status,
        decisions,
        note,
        facts,
        lines,
        h(
            "div",
            { class: "row" },
            h("label", { class: "inline" }, "Arrows ", select([["search", "search"], ["prior", "prior"], ["none", "none"]], arrows, (value) => {
                arrows = value as typeof arrows;
                save("analyse.arrows", arrows);
                drawFound();
            }, { id: "arrows" })),
            checkbox("Heat map", (checked) => {
                heat = checked;
                save("analyse.heat", heat);
                drawFound();
            }, { checked: heat, id: "heat" }),
        ),
        explorer,
        h("div", { class: "panel-head" }, h("h3", {}, "Over the game"), sweepButton),
        graph,
        reviewed,
        fileList,
        moves,
        h(
            "div",
            { class: "row tools-row" },
            button("Flip", () => {
                bottom = other(bottom);
                board.flip(bottom);
            }),
            button("Remove from here", () => {
                const parent = at.parent;
                if (!parent) return;
                parent.children = parent.children.filter((one) => one !== at);
                go(parent);
            }),
            button("Play from here", () => (location.hash = writePlace("play", gameAt(at)))),
            button("Board editor", () => current && (location.hash = writePlace("editor", { ...base, start: current.fen, moves: [] })), { id: "edit" }),
            button("Copy FEN", () => current && void copy(current.fen, "FEN")),
            button("Copy PGN", () => void copyPgn()),
            button("Copy link", () => void copyLink()),
        ),
        keysHelp(),
    ]);
    const unkey = stepKeys(() => at.parent && go(at.parent), () => at.children[0] && go(at.children[0]));
    void visit(place, reload);
    reload = false;
    return {
        element,
        close: () => {
            unkey();
            document.removeEventListener("visibilitychange", seen);
            for (const kind of ["pointerup", "pointercancel"]) document.removeEventListener(kind, released);
            closed = true;
            turn++;
            sweep = 0;
            halt();
        },
        visit: (next) => void visit(next),
    };
}

