// The piece drawings: filled outlines (`body`) on a square of side 100 with `lines` and filled `spots`
// on top. The outline shows the kind of a piece, and a light or dark fill shows its side.

import drawings from "../../python/catapult/pieces.json";
import { svg } from "./dom";
import type { Side } from "./types";

const DRAWINGS: Record<string, { body: string; lines?: string; spots?: string }> = drawings;

/** Kinds of pieces by game and FEN letter. The same letter may be another kind in another game. */
export function kindOf(letter: string, variant: string): string {
    const names: Record<string, string> = { P: "pawn", N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king", A: "baron", J: "jester", G: "guard", C: "cat", H: "nightrider" };
    const upper = letter.toUpperCase();
    if (upper === "S") return variant === "century" ? "sorcerer" : "star cat";
    return names[upper] ?? "pawn";
}

export function sideOf(letter: string): Side {
    return letter === letter.toUpperCase() ? "white" : "black";
}

/** A piece in the middle of a square whose corner is at (x, y). */
export function piece(kind: string, side: Side, x = 0, y = 0, size = 100): SVGGElement {
    const drawing = DRAWINGS[kind] ?? DRAWINGS["pawn"]!;
    return svg(
        "g",
        { class: `piece ${side}`, transform: `translate(${x} ${y}) scale(${size / 100})` },
        svg("path", { class: "body", d: drawing.body }),
        drawing.lines ? svg("path", { class: "lines", d: drawing.lines }) : null,
        drawing.spots ? svg("path", { class: "spots", d: drawing.spots }) : null,
    );
}

/**
 * A catapult: a coloured frame on the square, as the inventor draws it, so that its occupant stays
 * visible. White's frame is closed and Black's is four corners, so shape alone distinguishes them.
 * A catapult before its first move has studs at its corners.
 */
export function catapult(side: Side, fresh: boolean, x = 0, y = 0): SVGGElement {
    const d = side === "white" ? "M7 7h86v86h-86z" : "M7 37v-30h30M63 7h30v30M93 63v30h-30M37 93h-30v-30";
    const frame = svg(
        "g",
        { class: `catapult ${side}`, transform: `translate(${x} ${y})` },
        svg("rect", { class: "floor", x: 4, y: 4, width: 92, height: 92 }),
        // A light edge sets the band off from squares of any colour.
        svg("path", { class: "edge", d }),
        svg("path", { class: "band", d }),
    );
    if (fresh) {
        for (const [cx, cy] of [[11, 11], [89, 11], [11, 89], [89, 89]]) frame.append(svg("circle", { class: "stud", cx, cy, r: 7 }));
    }
    return frame;
}

/** A portal: rings, closed for White and broken for Black. */
export function portal(side: Side, x = 0, y = 0): SVGGElement {
    return svg(
        "g",
        { class: `portal ${side}`, transform: `translate(${x} ${y})` },
        svg("circle", { class: "floor", cx: 50, cy: 50, r: 38 }),
        svg("circle", { class: "edge", cx: 50, cy: 50, r: 38 }),
        svg("circle", { class: "ring", cx: 50, cy: 50, r: 38 }),
        svg("circle", { class: "inner", cx: 50, cy: 50, r: 24 }),
    );
}

/** A small picture of a piece, a fresh `catapult`, one that has `moved`, or a `portal`, for buttons. */
export function picture(kind: string, side: Side): SVGSVGElement {
    const drawn = kind === "catapult" || kind === "moved" ? catapult(side, kind === "catapult") : kind === "portal" ? portal(side) : piece(kind, side);
    return svg("svg", { viewBox: "0 0 100 100", class: "picture", "aria-hidden": "true", focusable: "false" }, drawn);
}
