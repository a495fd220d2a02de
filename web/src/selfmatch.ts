// Two minutes of self-play in the rules lab: the workers, and the numbers of both rule sets with 95 % intervals.

import { title } from "./choose";
import { WorkerClient, network } from "./client";
import { append, button, h, message, replace } from "./dom";
import { writePlace } from "./link";
import { load, save, strength } from "./settings";
import { capital } from "./words";
import type { Game } from "./worker";

/** Time of a match in milliseconds. */
const TIME = 120_000;
const LEVEL = "easy";
/** Number of games below which the median and the means have no interval. */
const FEW = 10;
const MOST_WORKERS = 3;
/** Number of plies at which a game is ended. */
const LONGEST = 400;

/** A match of a rule set: the games so far, and the time spent in milliseconds. */
interface Match {
    games: Game[];
    spent: number;
}

const matches: Record<string, Match> = load("matches", {}, "sessionStorage");

type Ends = [low: number, high: number] | null;
type Measured = [value: number, ends: Ends];

/** Wilson's interval of a share. For a score with draws it is somewhat too wide. */
function wilson(successes: number, games: number): Ends {
    if (!games) return null;
    const [z, share] = [1.96, successes / games];
    const middle = (share + (z * z) / (2 * games)) / (1 + (z * z) / games);
    const half = (z / (1 + (z * z) / games)) * Math.sqrt((share * (1 - share)) / games + (z * z) / (4 * games * games));
    return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

function share(games: Game[], of: (game: Game) => number): Measured {
    const sum = games.reduce((sum, game) => sum + of(game), 0);
    return [sum / games.length, wilson(sum, games.length)];
}

function mean(games: Game[], of: (game: Game) => number): Measured {
    const [values, count] = [games.map(of), games.length];
    const middle = values.reduce((sum, value) => sum + value, 0) / count;
    const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (count - 1));
    const half = (1.96 * spread) / Math.sqrt(count);
    return [middle, count < FEW ? null : [Math.max(0, middle - half), middle + half]];
}

/** The median, with the interval between two order statistics. */
function median(games: Game[], of: (game: Game) => number): Measured {
    const [values, count] = [games.map(of).sort((a, b) => a - b), games.length];
    const at = (rank: number): number => values[Math.min(count - 1, Math.max(0, rank))]!;
    const half = 0.98 * Math.sqrt(count);
    return [(at(Math.floor((count - 1) / 2)) + at(Math.ceil((count - 1) / 2))) / 2, count < FEW ? null : [at(Math.floor(count / 2 - half) - 1), at(Math.ceil(count / 2 + half))]];
}

/** Causes of draws, and games that have no result. */
const CAUSES: Record<string, string> = { stalemate: "stalemate", dead: "dead position", "hundred-plies": "no progress", repetition: "repetition", unfinished: "ended at 400 plies" };

function percent(value: number): string {
    return `${(100 * value).toFixed(1)} %`;
}

/** The rows of the table. */
function rows(all: Game[]): [words: string, of: (games: Game[]) => Measured, write: (value: number) => string][] {
    const ended = (name: string) => (games: Game[]) => share(games, ({ outcome }) => Number(outcome === name));
    const causes = Object.keys(CAUSES).filter((name) => all.some(({ outcome }) => outcome === name));
    const few = (value: number): string => value.toFixed(1);
    return [
        ["Decisive", (games) => share(games, ({ winner }) => Number(winner !== null)), percent],
        ...causes.map((name): ReturnType<typeof rows>[number] => [name === "unfinished" ? "Ended at 400 plies" : `Draw: ${CAUSES[name]}`, ended(name), percent]),
        ["White's score", (games) => share(games, ({ winner }) => (winner === "white" ? 1 : winner ? 0 : 0.5)), percent],
        ["Plies, median", (games) => median(games, ({ moves }) => moves.length), few],
        ["Teleports per game", (games) => mean(games, ({ teleports }) => teleports), few],
        ["Catapult moves per game", (games) => mean(games, ({ catapults }) => catapults), few],
    ];
}

function table(variants: string[], games: Game[]): HTMLElement {
    const columns = variants.map((variant) => games.filter((game) => game.variant === variant));
    const cell = (games: Game[], [value, ends]: Measured, write: (value: number) => string): HTMLElement => h("td", { class: "number-cell" }, games.length ? write(value) : "–", games.length && ends ? h("span", { class: "interval" }, `${write(ends[0])} to ${write(ends[1])}`) : null);
    return h(
        "table",
        { class: "measured", id: "measured" },
        h("thead", {}, h("tr", {}, h("td", {}), ...variants.map((variant) => h("th", { scope: "col" }, title(variant))))),
        h(
            "tbody",
            {},
            h("tr", {}, h("th", { scope: "row" }, "Games"), ...columns.map((games) => h("td", { class: "number-cell" }, games.length))),
            ...rows(games).map(([words, of, write]) => h("tr", {}, h("th", { scope: "row" }, words), ...columns.map((games) => cell(games, of(games), write)))),
        ),
    );
}

/** Rule set that a match compares with. Null if there is none that the same network plays. */
function besideOf(variant: string): string | null {
    return variant !== "chesspp" && /^chess(pp)?(\+|$)/.test(variant) ? "chesspp" : null;
}

function limits(variant: string): string {
    const learned = network(variant).knows ? "" : " It was not trained on these rules.";
    return `One small network plays both sides at the level ${strength(LEVEL).name}.${learned} Two minutes are no study: the numbers hint at large effects only, and say nothing about people. How to measure a rule: docs/evaluate-a-rule.md in the repository.`;
}

/** The part of the page for matches. `show` chooses the rule set; `stop` stops the workers. */
export function selfMatch(): { element: HTMLElement; show: (variant: string) => void; stop: () => void } {
    let variant = "chesspp";
    let workers: WorkerClient[] = [];
    let begun = 0;
    let timer = 0;
    const match = (): Match => (matches[variant] ??= { games: [], spent: 0 });
    const spent = (): number => match().spent + (workers.length ? performance.now() - begun : 0);
    const status = h("p", { role: "status", id: "match-status" });
    const bar = h("progress", { max: TIME, "aria-label": "Time played" });
    const results = h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Results" });
    const hint = h("p", { class: "hint" });
    const limit = h("p", { class: "note" });
    const go = button("", () => (workers.length ? stop() : void start()), { class: "primary", id: "match-go" });
    const clear = button("Start over", () => {
        matches[variant] = { games: [], spent: 0 };
        draw();
        save("matches", matches, "sessionStorage");
    }, { id: "match-clear" });
    const list = h("ol", { class: "lab-games" });
    const replays = h("details", { ontoggle: () => draw() }, h("summary", {}, "The games"), list);

    function draw(): void {
        const { games } = match();
        const beside = besideOf(variant);
        bar.value = spent() % TIME || (games.length && !workers.length ? TIME : 0);
        bar.hidden = !games.length && !workers.length;
        clear.hidden = !games.length || workers.length > 0;
        go.textContent = workers.length ? "Stop" : !games.length ? "Play for two minutes" : spent() % TIME ? "Continue" : "Two more minutes";
        replace(results, table(beside ? [variant, beside] : [variant], games));
        results.hidden = replays.hidden = !games.length;
        if (!games.length || games.length < list.children.length) replace(list);
        // Only new games are added to the open list.
        if (replays.open) {
            const words = ({ variant, outcome, winner, moves }: Game): string => `${title(variant)}: ${winner ? `${capital(winner)} wins` : `${outcome === "unfinished" ? "" : "draw, "}${CAUSES[outcome] ?? outcome}`}, ${moves.length} plies`;
            append(list, games.slice(list.children.length).map((game) => h("li", {}, h("a", { href: writePlace("analyse", { variant: game.variant, start: "", moves: game.moves }) }, words(game)))));
        }
    }

    async function start(): Promise<void> {
        const [beside, { file }, { nodes = 1, noise }] = [besideOf(variant), network(variant), strength(LEVEL)];
        const variants = beside ? [variant, beside] : [variant];
        const ms = TIME - (match().spent % TIME);
        begun = performance.now();
        const end = begun + ms;
        const team = (workers = Array.from({ length: Math.max(1, Math.min(MOST_WORKERS, navigator.hardwareConcurrency - 1)) }, () => new WorkerClient()));
        status.textContent = "The network is playing…";
        timer = window.setInterval(() => (bar.value = Math.min(TIME, TIME - ms + performance.now() - begun)), 500);
        draw();
        const rounds = async (worker: WorkerClient): Promise<void> => {
            let seed = Math.floor(Math.random() * 2 ** 31);
            // Every round is completed, because dropping unfinished games would favour short ones. The
            // first is played even if the download outlasts the time.
            do {
                for (const rules of variants) {
                    const game = await worker.game(rules, file, seed, { nodes, noise, longest: LONGEST });
                    if (workers !== team) return;
                    match().games.push(game);
                    // In case of a reload.
                    save("matches", { ...matches, [variant]: { ...match(), spent: Math.round(spent()) } }, "sessionStorage");
                    draw();
                }
                seed += LONGEST;
            } while (performance.now() < end);
        };
        try {
            await Promise.all(team.map(rounds));
            if (workers !== team) return;
            // The last games may end after the time.
            begun = performance.now() - ms;
            stop("The time is over.");
        } catch (error) {
            if (workers === team) stop(`The games have ended: ${message(error)}.`);
        }
    }

    function stop(words = "Stopped. Games in progress are not counted."): void {
        if (!workers.length) return;
        match().spent = Math.round(spent());
        for (const worker of workers) worker.fail(new Error("stopped"));
        workers = [];
        clearInterval(timer);
        status.textContent = words;
        save("matches", matches, "sessionStorage");
        draw();
    }

    return {
        element: h("section", { class: "card", "aria-label": "Self-play" }, h("h2", {}, "Two minutes of self-play"), hint, h("div", { class: "row" }, go, clear), bar, status, results, replays, limit),
        show: (next) => {
            stop();
            variant = next;
            status.textContent = "";
            hint.textContent = `The network plays whole games against itself under these rules${besideOf(variant) ? " and, in turn, under those of Chess++, with the same random numbers" : ""}. Below each number: its 95 % interval.`;
            limit.textContent = limits(variant);
            replace(list);
            draw();
        },
        stop,
    };
}
