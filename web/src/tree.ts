// The tree of a game and its variations: positions, comments and marks, as text and as a graph.

import { append, button, h, svg } from "./dom";
import { type Annotated, GLYPHS, isAnnotated, plainSan, tokens } from "./read";
import type { Judged, Value } from "./review";
import type { Side, State } from "./types";

/** A position in the tree with the move that leads to it. The root has no move. */
export interface Node extends Annotated {
    text: string;
    parent: Node | null;
    children: Node[];
    /** White's win, draw and loss, and the number of simulations. */
    wdl: [number, number, number] | null;
    simulations: number;
    /** The review's value of the position, and its judgement of the move that leads to it. */
    value: Value | null;
    judged: Judged | null;
}

export function root(): Node {
    return { text: "", san: "", side: "black", number: 0, comment: "", glyphs: [], parent: null, children: [], wdl: null, simulations: 0, value: null, judged: null };
}

export function line(node: Node): Node[] {
    const found: Node[] = [];
    for (let at: Node | null = node; at?.parent; at = at.parent) found.unshift(at);
    return found;
}

/** The line through a node to its end, along first children. */
export function wholeLine(node: Node): Node[] {
    const found = line(node);
    for (let at = node.children[0]; at; at = at.children[0]) found.push(at);
    return found;
}

export function child(parent: Node, text: string, san: string, side: Side, number: number): Node {
    const known = parent.children.find((one) => one.text === text);
    if (known) return known;
    const node: Node = { ...root(), text, san, side, number, parent };
    parent.children.push(node);
    return node;
}

/** The child after a legal move of the state. */
export function childAfter(parent: Node, { text, san }: { text: string; san: string }, { side, fen }: State): Node {
    // The sixth field of a FEN is the full-move number.
    return child(parent, text, san, side, Number(fen.split(" ")[5]));
}

/** Adds the comments, glyphs and variations of a game's text. Returns the number of variations that can't be read. */
export async function annotate(top: Node, text: string, stateAt: (node: Node) => Promise<State>): Promise<number> {
    if (!isAnnotated(text)) return 0;
    let node = top;
    let dropped = 0;
    /** Depth of variations below one that can't be read. */
    let skipped = 0;
    /** Comment before the first move of a variation. Null after that move. */
    let before: string | null = null;
    const stack: Node[] = [];
    for (const { kind, text: word } of tokens(text)) {
        if (skipped) skipped += kind === "open" ? 1 : kind === "close" ? -1 : 0;
        else if (kind === "comment" && before !== null) before = `${before} ${word}`.trim();
        else if (kind === "comment") node.comment = `${node.comment} ${word}`.trim();
        else if (kind === "glyph") node.glyphs.push(word);
        else if (kind === "close") {
            if (before) node.comment = `${node.comment} ${before}`.trim();
            node = stack.pop() ?? node;
            before = null;
        } else if (kind === "open" && node.parent) {
            stack.push(node);
            node = node.parent;
            before = "";
        } else if (kind === "move" && !stack.length) {
            if (!node.children[0]) break;
            node = node.children[0];
        } else {
            const state = kind === "move" ? await stateAt(node) : null;
            const move = state?.moves.find((one) => one.text === word || plainSan(one.san) === plainSan(word));
            if (state && move) {
                node = childAfter(node, move, state);
                if (before) node.comment = `${node.comment} ${before}`.trim();
                before = null;
                continue;
            }
            before = null;
            dropped++;
            skipped = 1;
            node = stack.pop() ?? node;
        }
    }
    return dropped;
}

/** Draws the tree as text. A click on a move goes to its position. */
export function treeOf(top: Node, at: Node, go: (node: Node) => void): HTMLElement {
    const item = (node: Node): HTMLElement => {
        const suffixes = Object.keys(GLYPHS).filter((suffix) => node.glyphs.includes(GLYPHS[suffix]!));
        const mark = suffixes.join("") || (node.judged?.mark ?? "");
        return button(node.san + mark, () => go(node), { class: node === at ? "move here" : "move", "aria-current": node === at && "true" });
    };
    // Commands in comments, such as clocks, are kept for the PGN but not shown.
    const remark = ({ comment }: Node): HTMLElement | null => {
        const words = comment.replace(/\[%[^\]]*\]/g, "").trim();
        return words ? h("span", { class: "comment" }, words) : null;
    };
    /** Writes a node and its continuation. Variations follow the move that they replace, in brackets. */
    const write = (from: Node, into: HTMLElement): void => {
        let before: Node | null = null;
        for (let node: Node | undefined = from; node; node = node.children[0]) {
            if (!before || (node.side === "white" && before.side !== "white")) append(into, [h("span", { class: "number" }, `${node.number}.${node.side === "black" ? ".." : ""}`)]);
            append(into, [item(node), remark(node)]);
            const siblings: Node[] = node.parent?.children ?? [];
            for (const variation of node === siblings[0] ? siblings.slice(1) : []) {
                const bracket = h("span", { class: "variation" });
                write(variation, bracket);
                append(into, [bracket]);
            }
            before = node;
        }
    };
    const box = h("div", { class: "tree-text" });
    const first = top.children[0];
    if (first) {
        append(box, [remark(top)]);
        write(first, box);
    } else {
        append(box, [h("span", { class: "hint" }, "Your moves appear here.")]);
    }
    return box;
}

/** Draws White's expected score over the positions of a line. A click goes to the nearest position. */
export function graphOf(nodes: Node[], at: Node, go: (node: Node) => void): Element[] {
    const [width, height] = [600, 120];
    const x = (ply: number): number => (nodes.length < 2 ? 0 : (ply / (nodes.length - 1)) * width);
    const points = nodes.flatMap((node, ply) => (node.wdl ? [[x(ply), height * (1 - node.wdl[0] - node.wdl[1] / 2), node.judged?.mark === "??"] as const] : []));
    const here = nodes.indexOf(at);
    const drawn = svg(
        "svg",
        { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": `White's expected score over the game, ${points.length} of ${nodes.length} positions known` },
        svg("line", { class: "middle", x1: 0, x2: width, y1: height / 2, y2: height / 2 }),
        points.length > 1 ? svg("polyline", { class: "score", points: points.map(([px, py]) => `${px},${py}`).join(" ") }) : null,
        ...points.map(([px, py, mark]) => svg("circle", { class: mark ? "point marked" : "point", cx: px, cy: py, r: mark ? 5 : 2.5 })),
        svg("line", { class: "here", x1: x(here), x2: x(here), y1: 0, y2: height }),
    );
    drawn.addEventListener("click", (event) => {
        const box = drawn.getBoundingClientRect();
        const node = nodes[Math.round(((event.clientX - box.left) / box.width) * (nodes.length - 1))];
        if (node) go(node);
    });
    return [h("div", { class: "graph-words" }, h("span", {}, "White wins"), h("span", {}, "Black wins")), drawn];
}
