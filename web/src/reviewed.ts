// The review of a game as elements: each side's summary, the marked moves, and how the numbers are computed.

import { button, h } from "./dom";
import { MARKS, SIMULATIONS, STEEPNESS, summary } from "./review";
import type { Node } from "./tree";
import { capital, percent } from "./words";

/**
 * Draws the review of a line. `go` shows the position before a move, and `improve` plays the better
 * move there. Empty if no move has been judged.
 */
export function reviewOf(nodes: Node[], hasTeleports: boolean, go: (node: Node) => void, improve: (before: Node, better: string) => void): HTMLElement[] {
    const judged = nodes.filter((node) => node.judged);
    if (!judged.length) return [];
    const points = (loss: number): string => (100 * loss).toFixed(loss < 0.0995 ? 1 : 0);
    const sides = (["white", "black"] as const).map((side) => summary(judged.filter((node) => node.side === side).map((node) => node.judged!)));
    const numbered = ({ number, side, san }: Node): string => `${number}${side === "white" ? "." : "…"} ${san}`;
    const row = (words: string, of: (side: (typeof sides)[number]) => string | number): HTMLElement => h("tr", {}, h("th", { scope: "row" }, words), ...sides.map((side) => h("td", { class: "number-cell" }, side.moves ? of(side) : "–")));
    const table = h(
        "table",
        { class: "summary" },
        h("thead", {}, h("tr", {}, h("td", {}), h("th", { scope: "col", class: "number-cell" }, "White"), h("th", { scope: "col", class: "number-cell" }, "Black"))),
        h(
            "tbody",
            {},
            row("Accuracy", (side) => percent(side.accuracy)),
            row("Points lost per move", (side) => points(side.loss)),
            ...MARKS.map(([mark, name]) => row(`${name === "inaccuracy" ? "Inaccuracies" : `${capital(name)}s`} ${mark}`, (side) => side.marks[mark] ?? 0)),
            hasTeleports ? row("Missed teleports", (side) => side.missedTeleports) : null,
        ),
    );
    const marked = judged.filter((node) => node.judged!.mark).map((node) => {
        const { loss, mark, better, missedTeleport } = node.judged!;
        const before = node.parent!;
        return h(
            "li",
            {},
            button(`${numbered(node)} ${mark}`, () => go(before), { class: "move", title: "Shows the position before this move" }),
            ` lost ${points(loss)}. `,
            better ? h("span", {}, missedTeleport ? "Missed teleport: " : "Better: ", button(better.san, () => improve(before, better.text), { class: "move" })) : null,
        );
    });
    return [
        table,
        marked.length ? h("ol", { class: "marked", "aria-label": "Marked moves" }, ...marked) : h("p", {}, "No move lost five points or more."),
        h("details", {}, h("summary", {}, "Points lost by every move"), h("ol", { class: "marked lost" }, ...judged.map((node) => h("li", {}, `${numbered(node)}: ${points(node.judged!.loss)}`)))),
        h(
            "details",
            {},
            h("summary", {}, "How the review computes this"),
            h("p", { class: "hint" }, `The engine searches every position of the game with ${SIMULATIONS} simulations. The expected score of a side is its chance to win plus half the chance of a draw, in points from 0 to 100. A move loses the points by which its side's expected score falls; the engine's own choice loses none.`),
            h("p", { class: "hint" }, `Marks: ${MARKS.map(([mark, name, least]) => `${mark} ${name}, from ${100 * least} points`).join("; ")}. A missed teleport is a marked move if the engine's choice was a teleport and the move was not.`),
            h("p", { class: "hint" }, `Accuracy of a move = 100 % × e^(−${STEEPNESS} × points lost / 100). A side's accuracy is the mean over its moves. All values are estimates by a small network, which can be wrong.`),
        ),
    ];
}
