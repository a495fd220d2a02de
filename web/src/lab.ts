// The rules lab: a rule set from a form, a game under it, self-play, the size of its tree, and results of studies.

import { gameChoice, title } from "./choose";
import { WorkerClient, games, jsonOf } from "./client";
import { button, copy, field, h, message, replace, select, toast } from "./dom";
import { type Place, addressOf, rewritePlace, writePlace } from "./link";
import { type Values, exampleOf, optionsForm, readRules, writeRules } from "./options";
import type { Page } from "./play";
import { FIRST, ownGame } from "./played";
import { selfMatch } from "./selfmatch";
import { SERVED } from "./server";
import { LEVELS, STRENGTHS, load, save, saveOfTab } from "./settings";
import { tryBoard } from "./try";
import type { Side } from "./types";
import { capital, other } from "./words";

interface Row {
    words: string;
    share: boolean;
    agent: string;
    value: number;
    /** 95 % intervals: for these networks only, and for other seeds of their recipe. */
    agents: [number, number] | null;
    rule: [number, number] | null;
    observations: number;
}
interface Study {
    name: string;
    title: string;
    path: string;
    /** The authors' text: limits of the study, and one sentence per arm. */
    reading: { limits: string; arms: Record<string, string> } | null;
    arms: Record<string, { simulations: number; rows: Row[] }>;
}
interface Counted {
    decisions: number;
    mean: number;
    fewest: number;
    most: number;
}

/** Counting may take long, so it has its own worker, which the page can terminate. */
const counter = new WorkerClient();
/** Number of random games for the branching factor. */
const GAMES = 50;

function number(value: number, share: boolean): string {
    return share ? `${(100 * value).toFixed(1)} %` : value.toFixed(value < 10 ? 2 : 1);
}

function interval(ends: [number, number] | null, share: boolean): string {
    return ends ? `[${number(ends[0], share)}, ${number(ends[1], share)}]` : "";
}

const published = jsonOf<Study[]>("studies.json", "studies");

function findings(studies: Study[], variant: string): HTMLElement {
    const found = studies.filter(({ arms }) => Object.hasOwn(arms, variant) && arms[variant]!.rows.length);
    if (!found.length) return h("p", { class: "hint" }, "No published study has played this combination.");
    const box = h("div", { class: "stack" });
    for (const study of found) {
        const { simulations, rows } = study.arms[variant]!;
        box.append(h("h3", {}, study.title));
        const ruled = rows.every(({ rule }) => rule);
        const said = study.reading?.arms[variant];
        if (said) box.append(h("p", {}, said));
        if (study.reading) box.append(h("p", { class: "note" }, study.reading.limits));
        const bracketed = ruled ? "95 % interval for other seeds of the same training" : "95 % interval for these networks only";
        box.append(h("p", { class: "hint" }, `${simulations} simulations per move. In brackets: ${bracketed}. The study is ${study.path} in the repository.`));
        for (const agent of new Set(rows.map((row) => row.agent))) {
            const mine = rows.filter((row) => row.agent === agent);
            const lines = mine.map(({ words, share, value, agents, rule }) => h("tr", {}, h("th", { scope: "row" }, words), h("td", { class: "number-cell" }, number(value, share)), h("td", { class: "number-cell soft" }, interval(ruled ? rule : agents, share))));
            box.append(h("table", {}, h("caption", {}, `Networks “${agent}”, ${mine[0]!.observations} games`), h("tbody", {}, ...lines)));
        }
    }
    return box;
}

/** The address of a rule set. Unlike other links it needs no escapes. */
function labPlace(variant: string): string {
    return `#lab?game=${variant}`;
}

/** A game against the computer or on one screen, begun at once. */
function playForm(variant: () => string): HTMLElement {
    let level = load("strength", "beginner");
    let colour: Side = "white";
    if (!Object.hasOwn(STRENGTHS, level)) level = "beginner";
    const colours = select([["white", "White"], ["black", "Black"]], colour, (value) => (colour = value as Side), { id: "lab-colour", "aria-label": "You play" });
    const against = select([...LEVELS, ["human", "someone on this screen"], ...(SERVED ? [["link", "someone over a link"] as [string, string]] : [])], level, (value) => {
        level = value;
        colours.hidden = value === "human" || value === "link";
        replaces.hidden = value === "link" || !ownGame().moves.length;
    }, { id: "lab-against", "aria-label": "Against" });
    const replaces = h("span", { class: "hint", hidden: !ownGame().moves.length }, "Replaces your game in Play.");
    const play = (): void => {
        // The dialog for a game over a link begins with these rules.
        if (level === "link") save("together.variant", variant());
        else saveOfTab("play", { ...FIRST, variant: variant(), black: "human", ...(level === "human" ? {} : { [other(colour)]: level, bottom: colour }) });
        location.hash = level === "link" ? "#link" : "#play";
    };
    return h("div", { class: "row" }, h("span", {}, "Play against"), against, colours, button("Play", play, { class: "primary", id: "lab-play" }), replaces);
}

export function labPage(place: Place): Page {
    let variant = "chesspp";
    /** The options in the form: the proposals by `gameChoice`, the others by `optionsForm`. */
    let game = "chesspp";
    let proposals: Values = {};
    let others: Values = {};
    let depth = 3;
    let run = 0;
    let closed = false;
    const heading = h("h2", {});
    const named = h("code", { id: "rules-name" });
    const words = h("p", { class: "hint", id: "example" });
    const examples = h("div", { class: "row", role: "group", "aria-label": "Positions" });
    const counts = h("div", { class: "counts", role: "status" });
    const studied = h("div", {});
    const start = button("Count", () => void count(), { class: "primary", id: "count" });
    const stop = button("Stop", () => counter.fail(new Error("Stopped.")), { disabled: true });
    const fenBox = h("code", { class: "fen" });
    const match = selfMatch();
    let onBoard = variant;
    /** FEN of the position on the board. Empty until it is known. */
    let fenOnBoard = "";
    const board = tryBoard({ variant, start: "", moves: [] }, "Position", (state) => (fenBox.textContent = fenOnBoard = state.fen));

    async function count(): Promise<void> {
        const mine = ++run;
        const rows = h("tbody", {});
        const fen = fenOnBoard;
        const spread = h("p", { class: "hint" });
        replace(counts, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Depth"), h("th", { scope: "col" }, "Leaves"), h("th", { scope: "col" }, "Ratio to previous depth"))), rows), spread);
        start.disabled = true;
        stop.disabled = false;
        try {
            let before = 1;
            for (let ply = 1; ply <= depth; ply++) {
                const leaves = await counter.call<number>("perft", onBoard, fen, ply);
                if (mine !== run) return;
                rows.append(h("tr", {}, h("td", { class: "number-cell" }, ply), h("td", { class: "number-cell" }, leaves.toLocaleString("en")), h("td", { class: "number-cell" }, (leaves / before).toFixed(1))));
                before = leaves || 1;
            }
            const { mean, fewest, most, decisions } = await counter.call<Counted>("branching", onBoard, fen, GAMES, 1);
            if (mine !== run) return;
            spread.textContent = `In ${GAMES} games of random moves from here, at most 100 decisions each: ${mean.toFixed(1)} legal moves per decision (${fewest} to ${most}; ${decisions.toLocaleString("en")} decisions).`;
        } catch (error) {
            if (mine === run) spread.textContent = message(error);
        } finally {
            if (mine === run) {
                start.disabled = false;
                stop.disabled = true;
            }
        }
    }

    /** Null while they load. */
    let studies: Study[] | null = null;
    function endCount(): void {
        run++;
        counter.fail(new Error("Stopped."));
        start.disabled = false;
        stop.disabled = true;
        replace(counts, h("p", { class: "hint" }, "How many different move sequences there are from the position on the board."));
    }

    /** Shows the start of the rule set, or the position of one of its options. */
    function showPosition(key: string | null): void {
        const [shown, fen, said] = key === null ? [variant, "", ""] : exampleOf(key, { ...proposals, ...others });
        onBoard = shown;
        heading.textContent = key === null ? title(shown) : `Only ${title(shown).replace("Chess++ with", "with")}`;
        words.textContent = said;
        for (const one of examples.querySelectorAll("button")) one.setAttribute("aria-pressed", String(one.dataset["key"] === (key ?? "")));
        board.set({ variant: shown, start: fen, moves: [] });
        endCount();
    }

    /** Shows a changed rule set everywhere. */
    function show(): void {
        variant = game === "chesspp" ? writeRules({ ...proposals, ...others }) : game;
        save("lab", variant);
        rewritePlace(labPlace(variant));
        named.textContent = variant;
        replace(studied, studies && findings(studies, variant));
        const chosen = variant.split("+").slice(1).map((option) => option.split("=")[0]!);
        replace(examples, ...(chosen.length ? ["", ...chosen] : []).map((key) => button(key ? `See +${key}` : "Start", () => showPosition(key || null), { "data-key": key })));
        showPosition(null);
        match.show(variant);
    }

    const chooser = h("div", { class: "stack" });
    /** Builds the form for a rule set. */
    async function choose(wanted: string): Promise<void> {
        const [all, options] = await Promise.all([games(), readRules(wanted)]);
        if (closed) return;
        if (!options) toast(`The page does not know the rules ${wanted.slice(0, 80)}.`, "error");
        game = options ? wanted.split("+")[0]! : "chesspp";
        const known = all.find(({ name }) => name === "chesspp")!.options.map(([name]) => name);
        const part = (of: boolean): Values => Object.fromEntries(Object.entries(options ?? {}).filter(([key]) => known.includes(key) === of));
        [proposals, others] = [part(true), part(false)];
        const own = h("div", { hidden: game !== "chesspp" });
        const form = (): void => replace(own, optionsForm(others, show));
        const choice = gameChoice(all, [game, ...Object.keys(proposals)].join("+"), (next) => {
            const [name = "", ...ticked] = next.split("+");
            proposals = Object.fromEntries(ticked.map((key) => [key, ""]));
            if (game !== name) {
                others = {};
                form();
            }
            game = name;
            own.hidden = game !== "chesspp";
            show();
        }, true);
        form();
        replace(chooser, choice.element, own);
        show();
    }

    const open = async ({ game, problem }: Place): Promise<void> => {
        if (problem) toast(problem, "error");
        await choose(game?.variant ?? load("lab", "chesspp")).catch((error) => replace(chooser, h("p", { class: "problem" }, message(error))));
    };
    const opened = open(place);
    void published().then(async (all) => {
        studies = all;
        replace(studied, findings(all, variant));
        await opened;
        if (!place.values.has("results")) return;
        // The keyboard and screen readers go on from the results.
        studied.parentElement?.focus();
        studied.parentElement?.scrollIntoView();
    }, (error) => replace(studied, h("p", { class: "problem" }, `${capital(message(error))}.`)));
    const shareRow = h("div", { class: "row" }, h("span", {}, "Name: ", named), button("Copy link", () => void copy(addressOf(labPlace(variant)), "Link"), { id: "lab-link" }), h("a", { href: "#analyse", onclick: (event: Event) => { event.preventDefault(); location.hash = writePlace("analyse", { variant, start: "", moves: [] }); } }, "Analyse"));
    return {
        element: h(
            "div",
            { class: "page lab" },
            h("h1", {}, "Rules lab"),
            h("section", { class: "card", "aria-label": "Rules" }, chooser, shareRow, playForm(() => variant)),
            h("section", { class: "card lab-board", "aria-label": "Position" }, heading, examples, words, board.element, fenBox),
            h(
                "div",
                { class: "lab-side" },
                match.element,
                h("section", { class: "card", "aria-label": "Studies", tabindex: -1 }, h("h2", {}, "What studies found"), studied),
                h("section", { class: "card", "aria-label": "Size of the tree" }, h("h2", {}, "How large is its tree?"), h("div", { class: "row" }, field("Depth", select([["1", "1"], ["2", "2"], ["3", "3"], ["4", "4"], ["5", "5 (may take long)"]], String(depth), (value) => (depth = Number(value)), { id: "depth" })), h("div", { class: "row bottom" }, start, stop)), counts),
            ),
        ),
        close: () => {
            closed = true;
            match.stop();
            endCount();
        },
        visit: (next) => void open(next),
    };
}
