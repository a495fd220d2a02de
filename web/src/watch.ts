// Watching training runs, live and finished, with their games and the reports of studies.

import { Board } from "./board";
import { type Series, chart } from "./chart";
import { title } from "./choose";
import { state as stateOf } from "./client";
import { button, card, field, h, message, renew, replace, select, toast } from "./dom";
import { type Place, writePlace } from "./link";
import type { Page } from "./play";
import { api, follow, hello, signInForm } from "./server";
import type { Side } from "./types";
import { capital } from "./words";

interface Summary {
    name: string;
    variants: string[];
    generations: number;
    planned: number;
    running: boolean | null;
    changed: number;
    problem: string | null;
}

interface MatchResult {
    variant: string;
    player: string;
    opponent: string;
    wins: number;
    draws: number;
    losses: number;
    capped: number;
    score: { value: number; low: number; high: number };
}

interface Run extends Summary {
    curves: Record<string, [generation: number, value: number][]>;
    outcomes: Record<string, [generation: number, count: number][]>;
    strengths: { generation: number; level: string; elo: number | null; low: number | null; high: number | null }[];
    zero: string;
    /** Final matches of a complete run. */
    matches: MatchResult[];
    games: number;
    playing: [generation: number, shards: number, all: number] | null;
    newest: string | null;
}

interface Replay<Moves = string[]> {
    generation: number;
    shard: string;
    index: number;
    variant: string;
    start: string;
    moves: Moves;
    outcome: string;
    winner: Side | null;
}

/** A page of games. In the server's response, a game's moves are one text. */
interface Found<Moves = string[]> {
    games: Replay<Moves>[];
    next: number | null;
    problems: string[];
}

async function askGames(path: string, values: Record<string, string>): Promise<Found> {
    const told = await api<Found<string>>(`${path}/games?${new URLSearchParams(values)}`);
    return { ...told, games: told.games.map((game) => ({ ...game, moves: game.moves.split(" ").filter((move) => move) })) };
}

const BOARDS = 8;
/** Delay between two moves on the wall, and display time of a finished game, in milliseconds. */
const BEAT = 900;
const END = 4000;
const OUTCOMES = ["checkmate", "stalemate", "dead", "hundred-plies", "repetition", "resignation", "tablebase", "capped"];

const still = matchMedia("(prefers-reduced-motion: reduce)");

export function watchPage({ values }: Place): Page {
    const element = h("div", {}, h("p", { class: "loading" }, "Loading…"));
    let page: Page | null = null;
    let closed = false;
    const show = (): void => {
        if (closed) return;
        const run = values.get("run");
        page = run ? runPage(run, values.get("with") ?? "") : listPage();
        replace(element, page.element);
    };
    hello(true)
        .then((now) => {
            if (closed) return;
            if (!now.token || now.signed_in) return show();
            replace(element, h("div", { class: "page narrow" }, h("h1", {}, "Watch"), h("section", { class: "card" }, signInForm(show))));
        })
        .catch((error) => !closed && replace(element, h("p", { class: "problem", role: "alert" }, message(error))));
    const close = (): void => {
        closed = true;
        page?.close?.();
    };
    return { element, close };
}

function ago(seconds: number): string {
    const passed = Math.max(0, Date.now() / 1000 - seconds);
    for (const [length, word] of [[86400, "day"], [3600, "hour"], [60, "minute"]] as const) {
        const count = Math.floor(passed / length);
        if (count > 0) return `${count} ${word}${count === 1 ? "" : "s"} ago`;
    }
    return "just now";
}

function standing(run: Summary): string {
    if (run.problem) return "can't be read";
    if (run.planned && run.generations >= run.planned) return "complete";
    if (run.running === true) return "under way";
    return run.running === false ? "stopped" : "not complete";
}

/** A table with columns of numbers. */
function table(heads: string[], numbers: string[], rows: HTMLElement[]): HTMLElement {
    const head = (word: string): HTMLElement => h("th", { scope: "col", class: numbers.includes(word) ? "number-cell" : null }, word);
    return h("table", { class: "plain" }, h("thead", {}, h("tr", {}, ...heads.map(head))), h("tbody", {}, ...rows));
}

/** Polling interval of a list in milliseconds. */
const LOOK = 5000;

function listPage(): Page {
    const runs = h("div", {});
    const studies = h("div", {});
    let closed = false;
    let timer = 0;

    function drawRuns(all: Summary[]): void {
        if (!all.length) return replace(runs, h("p", { class: "soft" }, "There is no run in the folder that the server was given (--runs)."));
        const order = [...all].sort((a, b) => b.changed - a.changed);
        const rows = order.map((run) => {
            const live = standing(run) === "under way";
            return h(
                "tr",
                {},
                h("td", {}, h("a", { href: `#watch?${new URLSearchParams({ run: run.name })}`, "data-run": run.name }, run.name)),
                h("td", {}, run.variants.map(title).join(", ")),
                h("td", { class: "number-cell" }, `${run.generations} of ${run.planned || "?"}`),
                h("td", {}, h("span", { class: live ? "badge live" : "badge" }, standing(run))),
                h("td", {}, ago(run.changed)),
            );
        });
        replace(runs, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Runs" }, table(["Run", "Game", "Generations", "State", "Changed"], ["Generations"], rows)));
    }

    async function draw(): Promise<void> {
        try {
            const [all, reports] = await Promise.all([api<Summary[]>("api/runs"), api<Record<"studies" | "experiments", { name: string; changed: number }[]>>("api/studies")]);
            if (closed) return;
            // A redraw would remove the focused element.
            if (!runs.contains(document.activeElement)) drawRuns(all);
            const items = (kind: "studies" | "experiments"): HTMLElement[] => reports[kind].map(({ name, changed }) => h("li", {}, h("a", { href: `${kind}/${encodeURIComponent(name)}/report.html`, target: "_blank", rel: "noopener" }, name), h("span", { class: "soft" }, kind === "studies" ? ` ${ago(changed)}` : " published with the program")));
            const both = [...items("studies"), ...items("experiments")];
            if (!studies.contains(document.activeElement)) replace(studies, both.length ? h("ul", { class: "plain-list" }, ...both) : h("p", { class: "soft" }, "There is no report in the folder that the server was given (--studies)."));
        } catch (error) {
            if (!closed) replace(runs, h("p", { class: "problem", role: "alert" }, message(error)));
        }
        if (!closed) timer = window.setTimeout(() => void draw(), LOOK);
    }
    void draw();
    const element = h("div", { class: "page" }, h("h1", {}, "Watch"), card("Runs", runs), card("Reports of studies", studies));
    return {
        element,
        close: () => {
            closed = true;
            clearTimeout(timer);
        },
    };
}

const runPath = (name: string): string => `api/runs/${encodeURIComponent(name)}`;

/** The final matches, for each run. The runs' names are shown if there are two. */
function matchTable(runs: Run[]): HTMLElement | null {
    const percent = (share: number): string => (100 * share).toFixed(1);
    const rows = runs.flatMap((run) => run.matches.map(({ variant, player, opponent, wins, draws, losses, capped, score }) => {
        const cells = [wins, draws, losses, capped, `${percent(score.value)} [${percent(score.low)}, ${percent(score.high)}]`];
        return h("tr", {}, h("td", {}, `${runs.length > 1 ? `${run.name}: ` : ""}${player}`), h("td", {}, title(variant)), h("td", {}, opponent), ...cells.map((cell) => h("td", { class: "number-cell" }, cell)));
    }));
    if (!rows.length) return null;
    const numbers = ["Wins", "Draws", "Losses", "Truncated", "Score % [95 %]"];
    return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Final matches", id: "matches" }, h("h3", {}, "Final matches"), table(["Player", "Game", "Opponent", ...numbers], numbers, rows));
}

/** A run, compared with the run `other` unless that is empty. */
function runPage(name: string, other: string): Page {
    const path = runPath(name);
    const matches = h("div", {});
    const compare = h("div", {});
    let compared: Run | null = null;
    let shown: Run | null = null;
    const facts = h("p", { id: "run-facts" }, "Loading…");
    const problem = h("p", { class: "problem", role: "alert" });
    const charts = h("div", { class: "charts" });
    const wall = wallOf(path);
    const list = gamesOf(path);
    let newest: string | null | undefined;

    function draw(run: Run): void {
        const parts = [`${run.variants.map(title).join(", ")}.`, `${capital(standing(run))}: ${run.generations} of ${run.planned} generations, ${run.games.toLocaleString("en")} games.`];
        if (run.playing && run.running !== false) parts.push(`Generation ${run.playing[0]}: ${run.playing[1]} of ${run.playing[2]} shards of games are played.`);
        parts.push(`Last change ${ago(run.changed)}.`);
        facts.textContent = parts.join(" ");
        problem.textContent = run.problem ?? "";
        shown = run;
        const both = compared ? [run, compared] : [run];
        drawCharts(charts, both);
        replace(matches, matchTable(both));
        if (newest !== run.newest) {
            newest = run.newest;
            if (newest) wall.renew();
            list.renew();
        }
    }

    async function drawCompare(): Promise<void> {
        try {
            const others = (await api<Summary[]>("api/runs")).map((run) => run.name).filter((one) => one !== name);
            const choose = (value: string): void => void (location.hash = `#watch?${new URLSearchParams({ run: name, ...(value ? { with: value } : {}) })}`);
            if (others.length) replace(compare, field("Compare with", select([["", "no other run"], ...others.map((one): [string, string] => [one, one])], other, choose, { id: "compare" })));
            if (other) compared = await api<Run>(runPath(other));
            if (shown) draw(shown);
        } catch (error) {
            problem.textContent = message(error);
        }
    }
    void drawCompare();

    const stop = follow<Run>(`${path}/events`, undefined, draw, (words) => (problem.textContent = words ?? ""));
    const element = h(
        "div",
        { class: "page" },
        h("h1", {}, name),
        h("p", {}, h("a", { href: "#watch" }, "All runs and studies")),
        card("Progress", facts, problem, compare, charts, matches),
        h("section", { class: "card" }, h("div", { class: "panel-head" }, h("h2", {}, "Self-play games"), wall.tool), h("p", { class: "hint" }, "A run writes its games in shards. The games of a shard appear here when its last game has ended, newest first."), wall.element),
        card("All games", list.element),
    );
    return {
        element,
        close: () => {
            stop();
            wall.close();
            list.close();
        },
    };
}

/** The training charts: one heading per chart, with its series by name. */
const CHARTS: [heading: string, unit: string, series: [key: string, name: string][]][] = [
    ["Losses", "nats", [["loss/policy", "policy"], ["loss/policy_target_entropy", "policy, lower bound (entropy of the targets)"], ["loss/value", "value"]]],
    ["Games won", "%", [["games/white_wins", "White"], ["games/black_wins", "Black"]]],
    ["Length of games", "plies", [["games/mean_plies", "mean"]]],
    ["Evaluations per second", "", [["rate/evaluations", "evaluations"]]],
    ["Training steps per second", "", [["rate/steps", "steps"]]],
];

/** Draws the charts of one run, or of two runs with the run's name before each series. */
function drawCharts(into: HTMLElement, runs: Run[]): void {
    const drawn: HTMLElement[] = [];
    const add = (heading: string, unit: string, of: (run: Run) => Series[]): void => {
        const series = runs.flatMap((run) => of(run).map((one) => ({ ...one, name: runs.length > 1 ? `${run.name}: ${one.name}` : one.name })));
        if (series.length) drawn.push(chart(heading, unit, series));
    };
    // Ratings are comparable only with the same reference player.
    const reference = runs.find(({ zero }) => zero)?.zero;
    add(`Elo, ${reference} at 0, with 95 % intervals`, "Elo", ({ strengths, zero }) =>
        [...new Set(zero === reference ? strengths.map(({ level }) => level) : [])].map((level) => ({
            name: `${level} simulations`,
            points: strengths.flatMap((one) => (one.level === level && one.elo !== null ? [{ x: one.generation, y: one.elo, low: one.low, high: one.high }] : [])),
        })),
    );
    add("How games end", "%", ({ outcomes }) => {
        const total = new Map<number, number>();
        for (const counts of Object.values(outcomes)) for (const [generation, count] of counts) total.set(generation, (total.get(generation) ?? 0) + count);
        return OUTCOMES.filter((name) => outcomes[name]).map((name) => ({ name, points: [...total].map(([x, all]) => ({ x, y: (100 * (outcomes[name]!.find(([generation]) => generation === x)?.[1] ?? 0)) / all })) }));
    });
    for (const [heading, unit, wanted] of CHARTS) {
        const scale = unit === "%" ? 100 : 1;
        add(heading, unit, ({ curves }) => wanted.flatMap(([key, name]) => (curves[key] ? [{ name, points: curves[key].map(([x, y]) => ({ x, y: scale * y })) }] : [])));
    }
    replace(into, ...(drawn.length ? drawn : [h("p", { class: "soft" }, "Curves appear after the first complete generation.")]));
}

interface Part {
    element: HTMLElement;
    /** Called after new games have arrived. */
    renew: () => void;
    close: () => void;
}

function keyOf(game: Replay): string {
    return `${game.shard} ${game.index}`;
}

function resultOf({ outcome, winner }: Replay): string {
    return winner ? `${capital(winner)} wins (${outcome})` : outcome;
}

/** Boards that replay the newest games. Each starts the next game when its own has ended. */
function wallOf(path: string): Part & { tool: HTMLElement } {
    let closed = false;
    let runs = !still.matches;
    let queue: Replay[] = [];
    let past: Replay[] = [];
    const seen = new Set<string>();
    const timers = new Set<number>();
    const element = h("div", { class: "wall" });
    const tool = button("", () => {
        runs = !runs;
        label();
    }, { id: "wall-pause" });
    const label = (): void => void (tool.textContent = runs ? "Pause" : "Replay the moves");
    label();

    const wait = (run: () => void, time: number): void => {
        const timer = window.setTimeout(() => {
            timers.delete(timer);
            if (!closed) run();
        }, time);
        timers.add(timer);
    };

    const places = Array.from({ length: BOARDS }, () => {
        const board = new Board({ label: "Self-play game", bare: true });
        const words = h("p", { class: "caption" });
        const link = h("a", {}, "Analyse");
        const box = h("div", { class: "wall-place", hidden: true }, board.element, words, link);
        element.append(box);
        let busy = false;

        async function show(game: Replay, ply: number): Promise<void> {
            try {
                const { variant, start, moves } = game;
                const at = Math.min(ply, moves.length);
                const state = await stateOf({ variant, start, moves: moves.slice(0, at) });
                if (closed) return;
                board.show(state);
                box.hidden = false;
                words.textContent = `Generation ${game.generation}, ${at === moves.length ? `${moves.length} plies: ${resultOf(game)}` : `ply ${at} of ${moves.length}`}`;
                link.setAttribute("href", writePlace("analyse", { variant, start, moves }, at));
            } catch (error) {
                words.textContent = message(error);
                box.hidden = false;
            }
        }

        /** Takes and replays the next game. */
        function begin(): void {
            const game = queue.shift() ?? past.shift();
            if (!game) return void (busy = false);
            busy = true;
            let ply = runs ? 0 : game.moves.length;
            const step = (): void => {
                // While paused the board changes only for a new game.
                if (!runs && ply > 0) return queue.length && ply >= game.moves.length ? next() : wait(step, BEAT);
                void show(game, ply).then(() => {
                    if (closed) return;
                    if (ply >= game.moves.length) return wait(next, END);
                    ply += 1;
                    wait(step, BEAT);
                });
            };
            const next = (): void => {
                past.push(game);
                past = past.slice(-3 * BOARDS);
                begin();
            };
            if (runs) step();
            else void show(game, ply).then(() => !closed && wait(step, BEAT));
        }
        return (): void => {
            if (!busy) begin();
        };
    });

    return {
        element,
        tool,
        renew: () => {
            void askGames(path, { count: String(2 * BOARDS) })
                .then(({ games, problems }) => {
                    if (closed) return;
                    const fresh = games.filter((game) => !seen.has(keyOf(game)));
                    for (const game of fresh) seen.add(keyOf(game));
                    queue = [...fresh, ...queue].slice(0, 4 * BOARDS);
                    if (problems[0]) toast(problems[0], "error");
                    places.forEach((wake, index) => wait(wake, runs ? index * 110 : 0));
                })
                .catch((error) => !closed && toast(message(error), "error"));
        },
        close: () => {
            closed = true;
            for (const timer of timers) clearTimeout(timer);
        },
    };
}

/** Lists a run's games that match a filter. */
function gamesOf(path: string): Part {
    let closed = false;
    let games: Replay[] = [];
    let next: number | null = null;
    let asked = 0;
    const wanted: Record<string, string> = {};
    const rows = h("div", {});
    const foot = h("div", { class: "row" });

    const number = (key: string, label: string): HTMLElement => {
        const input = h("input", { type: "number", min: 0, id: `games-${key}` });
        input.addEventListener("change", () => want(key, input.value.trim()));
        return field(label, input);
    };
    function want(key: string, value: string): void {
        if (value) wanted[key] = value;
        else delete wanted[key];
        void load(false);
    }

    async function load(more: boolean): Promise<void> {
        const mine = ++asked;
        try {
            const found = await askGames(path, { ...wanted, count: "25", ...(more && next !== null ? { skip: String(next) } : {}) });
            if (closed || mine !== asked) return;
            // A new shard shifts the pages, so that a page may repeat games.
            const known = new Set(games.map(keyOf));
            games = more ? [...games, ...found.games.filter((game) => !known.has(keyOf(game)))] : found.games;
            next = found.next;
            draw(found.problems);
        } catch (error) {
            if (!closed && mine === asked) replace(rows, h("p", { class: "problem", role: "alert" }, message(error)));
        }
    }

    function draw(problems: string[]): void {
        const items = games.map((game) => {
            const { variant, start, moves } = game;
            return h(
                "tr",
                {},
                h("td", {}, h("a", { href: writePlace("analyse", { variant, start, moves }, 0) }, `${game.generation}, ${game.index + 1} of ${game.shard.replace(/-[0-9a-f]{16}\.parquet$/, "")}`)),
                h("td", {}, title(variant)),
                h("td", {}, game.outcome),
                h("td", {}, game.winner ? capital(game.winner) : "–"),
                h("td", { class: "number-cell" }, String(moves.length)),
            );
        });
        const list = table(["Generation and game", "Rules", "End", "Winner", "Plies"], ["Plies"], items);
        replace(rows, ...problems.map((words) => h("p", { class: "problem" }, words)), items.length ? h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Games", id: "games" }, list) : h("p", { class: "soft" }, "No game in the shards read so far matches."));
        renew(foot, next === null ? null : button("More", () => void load(true), { id: "more-games" }));
    }

    const outcome = select([["", "any"], ...OUTCOMES.map((one): [string, string] => [one, one])], "", (value) => want("outcome", value), { id: "games-outcome" });
    const winner = select([["", "any"], ["white", "White"], ["black", "Black"], ["none", "nobody"]], "", (value) => want("winner", value), { id: "games-winner" });
    const element = h("div", { class: "stack" }, h("div", { class: "filters" }, number("generation", "Generation"), field("End", outcome), field("Winner", winner), number("shortest", "Plies at least"), number("longest", "Plies at most")), rows, foot);
    return {
        element,
        renew: () => {
            // A reload would lose the user's place in the list.
            if (games.length <= 60 && !rows.contains(document.activeElement)) void load(false);
        },
        close: () => void (closed = true),
    };
}
