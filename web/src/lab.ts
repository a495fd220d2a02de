// The rules lab: a rule set, the size of its tree, and results of studies about it.

import { gameChoice, title } from "./choose";
import { WorkerClient, games } from "./client";
import { append, button, field, h, message, replace, select } from "./dom";
import { type Place, writePlace } from "./link";
import type { Page } from "./play";
import { load, save } from "./settings";
import { tryBoard } from "./try";

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
    games: number;
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

function findings(studies: Study[], variant: string): HTMLElement {
    const found = studies.filter(({ arms }) => Object.hasOwn(arms, variant) && arms[variant]!.rows.length);
    if (!found.length) return h("p", { class: "hint" }, "No published study has played this combination.");
    const box = h("div", { class: "stack" });
    for (const study of found) {
        const { simulations, rows } = study.arms[variant]!;
        append(box, [h("h3", {}, study.title)]);
        const ruled = rows.every(({ rule }) => rule);
        const said = study.reading?.arms[variant];
        if (said) append(box, [h("p", {}, said)]);
        if (study.reading) append(box, [h("p", { class: "note" }, study.reading.limits)]);
        const bracketed = ruled ? "95 % interval for other seeds of the same training" : "95 % interval for these networks only";
        append(box, [h("p", { class: "hint" }, `${simulations} simulations per move. In brackets: ${bracketed}. The study is ${study.path} in the repository.`)]);
        for (const agent of new Set(rows.map((row) => row.agent))) {
            const mine = rows.filter((row) => row.agent === agent);
            append(box, [
                h(
                    "table",
                    {},
                    h("caption", {}, `Networks “${agent}”, ${mine[0]!.observations} games`),
                    h("tbody", {}, ...mine.map(({ words, share, value, agents, rule }) => h("tr", {}, h("th", { scope: "row" }, words), h("td", { class: "number-cell" }, number(value, share)), h("td", { class: "number-cell soft" }, interval(ruled ? rule : agents, share))))),
                ),
            ]);
        }
    }
    return box;
}

export function labPage(place: Place): Page {
    let variant = place.game?.variant ?? load("lab", "chesspp");
    let depth = 3;
    let run = 0;
    const heading = h("h2", {});
    const links = h("div", { class: "row" });
    const counts = h("div", { class: "counts", role: "status" });
    const studied = h("div", {});
    const start = button("Count", () => void count(), { class: "primary", id: "count" });
    const stop = button("Stop", () => counter.fail(new Error("Stopped.")), { disabled: true });
    const fenBox = h("code", { class: "fen" });
    const board = tryBoard({ variant, start: "", moves: [] }, {
        label: "Start position",
        shown: (state) => (fenBox.textContent = state.fen),
    });

    async function count(): Promise<void> {
        const mine = ++run;
        const rows = h("tbody", {});
        const state = board.current();
        const fen = state?.fen ?? "";
        const spread = h("p", { class: "hint" });
        replace(counts, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Depth"), h("th", { scope: "col" }, "Leaves"), h("th", { scope: "col" }, "Times the depth before"))), rows), spread);
        start.disabled = true;
        stop.disabled = false;
        try {
            let before = 1;
            for (let ply = 1; ply <= depth; ply++) {
                const { leaves } = await counter.call<{ leaves: number }>("perft", variant, fen, ply);
                if (mine !== run) return;
                rows.append(h("tr", {}, h("td", { class: "number-cell" }, ply), h("td", { class: "number-cell" }, leaves.toLocaleString("en")), h("td", { class: "number-cell" }, (leaves / before).toFixed(1))));
                before = leaves || 1;
            }
            const { mean, fewest, most, decisions } = await counter.call<Counted>("branching", variant, fen, GAMES, 1);
            if (mine !== run) return;
            spread.textContent = `In ${GAMES} games of random moves from here, at most 100 decisions each: ${mean.toFixed(1)} legal moves a decision (${fewest} to ${most}; ${decisions.toLocaleString("en")} decisions).`;
        } catch (error) {
            if (mine === run) spread.textContent = message(error);
        } finally {
            if (mine === run) {
                start.disabled = false;
                stop.disabled = true;
            }
        }
    }

    let studies: Study[] = [];
    function show(): void {
        run++;
        counter.fail(new Error("Stopped."));
        start.disabled = false;
        stop.disabled = true;
        save("lab", variant);
        heading.textContent = title(variant);
        replace(counts, h("p", { class: "hint" }, "How many different move sequences there are from this position."));
        replace(studied, findings(studies, variant));
        const game = { variant, start: "", moves: [] };
        replace(links, h("a", { class: "button", href: writePlace("play", game) }, "Play it"), h("a", { class: "button", href: writePlace("analyse", game) }, "Analyse it"));
        board.set(game);
    }

    const chooser = h("div", {});
    void games().then((all) => {
        const known = gameChoice(all, variant, (next) => {
            variant = next;
            show();
        }, true);
        variant = known.variant();
        replace(chooser, known.element);
        show();
    }, (error) => replace(chooser, h("p", { class: "problem" }, message(error))));
    void fetch("studies.json").then(async (answer) => {
        studies = answer.ok ? ((await answer.json()) as Study[]) : [];
        replace(studied, findings(studies, variant));
    }, () => {});
    return {
        element: h(
            "div",
            { class: "page lab" },
            h("h1", {}, "Rules lab"),
            h("section", { class: "card", "aria-label": "Rules" }, chooser),
            h("section", { class: "card lab-board", "aria-label": "Position" }, heading, board.element, fenBox, links),
            h(
                "div",
                { class: "lab-side" },
                h("section", { class: "card", "aria-label": "Size of the tree" }, h("h2", {}, "How large is its tree?"), h("div", { class: "row" }, field("Depth", select([["1", "1"], ["2", "2"], ["3", "3"], ["4", "4"], ["5", "5 (may take long)"]], String(depth), (value) => (depth = Number(value)), { id: "depth" })), h("div", { class: "row bottom" }, start, stop)), counts),
                h("section", { class: "card", "aria-label": "Studies" }, h("h2", {}, "What studies found"), studied),
            ),
        ),
        close: () => {
            run++;
            counter.fail(new Error("Stopped."));
        },
    };
}
