// The piece drawings: filled outlines on a square of side 100 with lines on top. The outline shows
// the kind of a piece, and a light or dark fill shows its side.

import { svg } from "./dom";
import type { Side } from "./types";

interface Drawing {
    /** Filled outlines. */
    body: string;
    /** Lines on top. */
    lines?: string;
    /** Filled spots on top, in the colour of the lines. */
    spots?: string;
}

const FOOT = "M26 88v-5c0-5 4-8 9-8h30c5 0 9 3 9 8v5z";
const HORSE =
    "M34 75c-1-13 8-20 13-31-6 6-12 9-17 10-5 1-9-5-6-9 6-9 10-19 20-24l1-9 9 8c15 4 23 17 23 34 0 8-2 15-4 21z";

function ball(x: number, y: number, r: number): string {
    return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

const CAT = "M24 20l15 12c7-3 15-3 22 0l15-12c3 12 4 22 3 30 0 14-12 25-29 25S21 64 21 50c-1-8 0-18 3-30z";
const CAT_FACE = ball(40, 48, 3.5) + ball(60, 48, 3.5) + "M46 58h8l-4 5z";

/** A five-pointed star. */
function star(x: number, y: number, r: number): string {
    const corners = Array.from({ length: 10 }, (_, n) => {
        const [radius, angle] = [n % 2 ? r * 0.42 : r, ((n - 2.5) * Math.PI) / 5];
        return `${(x + radius * Math.cos(angle)).toFixed(1)} ${(y + radius * Math.sin(angle)).toFixed(1)}`;
    });
    return `M${corners.join("L")}z`;
}

const DRAWINGS: Record<string, Drawing> = {
    pawn: { body: `${ball(50, 33, 13)}M39 46h22l-3 6c0 9 4 16 9 23H33c5-7 9-14 9-23z${FOOT}` },
    rook: { body: `M28 17h11v8h6v-8h10v8h6v-8h11v19l-8 7 3 32H33l3-32-8-7z${FOOT}`, lines: "M37 43h26" },
    bishop: {
        body: `${ball(50, 15, 6)}M50 20c10 9 19 19 19 31 0 10-6 15-10 18l2 6H39l2-6c-4-3-10-8-10-18 0-12 9-22 19-31z${FOOT}`,
        lines: "M50 36v18M41 45h18",
    },
    knight: { body: `${HORSE}${FOOT}`, spots: ball(47, 31, 3.2), lines: "M62 34c5 8 6 18 4 30" },
    queen: {
        body: `${ball(19, 29, 6)}${ball(40, 19, 6)}${ball(60, 19, 6)}${ball(81, 29, 6)}M20 33l13 15 7-25 10 22 10-22 7 25 13-15-11 33 1 9H30l1-9z${FOOT}`,
        lines: "M31 64c12-3 26-3 38 0",
    },
    king: {
        body: `M46 8h8v7h7v8h-7v8h-8v-8h-7v-8h7zM50 31c4 0 8 3 9 8 11-4 24 1 24 13 0 9-8 15-12 23H29c-4-8-12-14-12-23 0-12 13-17 24-13 1-5 5-8 9-8z${FOOT}`,
        lines: "M50 40v20M33 66c11-3 23-3 34 0",
    },
    // Bishop and knight: a horse with a bishop's cut.
    baron: { body: `${HORSE}M44 16l6-10 6 10z${FOOT}`, spots: ball(45, 31, 3.2), lines: "M58 44v20M50 54h16" },
    // Queen and knight: a wizard's hat.
    sorcerer: { body: `M17 76c4-6 10-9 15-10l14-50c1-5 6-8 11-6l14 6-8 6 5 44c6 1 11 4 15 10z${FOOT}`, spots: star(50, 46, 12), lines: "M32 67c11 4 24 4 36 0" },
    jester: {
        body: `${ball(14, 56, 7)}${ball(50, 13, 7)}${ball(86, 56, 7)}M30 75V60c0-18-7-26-16-10 0-20 13-31 27-19 2-7 5-12 9-12s7 5 9 12c14-12 27-1 27 19-9-16-16-8-16 10v15z${FOOT}`,
        lines: "M41 31c-3 10-2 20 1 31M59 31c3 10 2 20-1 31M31 66c12 3 26 3 38 0",
    },
    guard: { body: `M50 14c9 6 18 8 27 8 0 26-6 42-27 55-21-13-27-29-27-55 9 0 18-2 27-8z${FOOT}`, lines: "M50 27v36M34 42h32" },
    cat: { body: `${CAT}${FOOT}`, spots: CAT_FACE, lines: "M35 58l-14 3M65 58l14 3" },
    // The star is its face, which distinguishes it from the Cat even on a phone.
    "star cat": { body: `${CAT}${FOOT}`, spots: star(50, 52, 19) },
    nightrider: { body: `${HORSE}${FOOT}`, spots: ball(47, 31, 3.2), lines: "M52 46l9 8-9 8M62 46l9 8-9 8" },
};

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
