// The opening explorer: moves that networks played against themselves, by position.

import { title } from "./choose";
import { once, unpacked } from "./client";
import { button, h } from "./dom";
import type { State } from "./types";
import { percent } from "./words";

/** Games with a move, White's wins among them, and draws. */
type Count = [games: number, white: number, draws: number];

interface Openings {
    source: { run: string; generations: [number, number]; simulations: number; games: number };
    rules: string;
    plies: number;
    least_games: number;
    /** By FEN without its counters, then by move. */
    positions: Record<string, Record<string, Count>>;
}

/** The rule sets with a file of openings. */
declare const OPENINGS: string[];

/** Fetches the openings of each rule set once. */
const data = Object.fromEntries(OPENINGS.map((rules) => [rules, once(async () => (await unpacked(`openings-${rules.replaceAll(/[+=]/g, "-")}.json.gz`, "openings")).json() as Promise<Openings>)]));

/** White's wins, draws and Black's wins as a bar. */
function bar([games, white, draws]: Count): HTMLElement {
    const shares = [white / games, draws / games, (games - white - draws) / games];
    const words = ["White wins", "draw", "Black wins"].map((word, index) => `${word} ${percent(shares[index]!)}`).join(", ");
    return h("div", { class: "wdl", role: "img", "aria-label": words, title: words }, ...["win", "draw", "loss"].map((kind, index) => {
        const part = h("span", { class: kind });
        part.style.flexGrow = String(shares[index]);
        return part;
    }));
}

/** Draws the moves of a position. A click on a move calls `play` with its text. */
export async function openings(state: State, play: (text: string) => void): Promise<HTMLElement[]> {
    if (!OPENINGS.includes(state.variant)) return [h("p", {}, `There are no games of ${title(state.variant)} here. The explorer knows ${OPENINGS.map(title).join(", ")}.`)];
    const { source, plies, least_games, positions } = await data[state.variant]!();
    const key = state.fen.split(" ").filter((_, index) => index !== 4 && index !== 5).join(" ");
    const moves = Object.entries(positions[key] ?? {});
    const row = (first: HTMLElement | string, count: Count): HTMLElement => h("tr", {}, h("td", {}, first), h("td", { class: "number-cell" }, count[0].toLocaleString("en")), h("td", { class: "number-cell" }, percent((count[1] + count[2] / 2) / count[0])), h("td", { class: "share" }, bar(count)));
    const rows = moves.map(([text, count]) => row(button(state.moves.find((move) => move.text === text)?.san ?? text, () => play(text), { class: "move" }), count));
    const sum = moves.reduce<Count>((sum, [, count]) => sum.map((part, index) => part + count[index]!) as Count, [0, 0, 0]);
    const [first, last] = source.generations;
    return [
        moves.length
            ? h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Moves of self-play" }, h("table", {}, h("thead", {}, h("tr", {}, ...["Move", "Games", "White's score", "White, draw, Black"].map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, ...rows, row("All", sum))))
            : h("p", {}, state.history.length < plies ? `Fewer than ${least_games} games reached this position.` : `The explorer covers the first ${plies} plies. No game reached this position within them.`),
        h("p", { class: "hint" }, `${source.games.toLocaleString("en")} games of networks against themselves: ${first === last ? `generation ${first}` : `generations ${first} to ${last}`} of the run ${source.run}, ${source.simulations} simulations per move. The first six plies were drawn from the network's priors, without a search. Transpositions are merged. The score is wins plus half the draws. A truncated game counts as a draw.`),
    ];
}
