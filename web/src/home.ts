// The front page: what Chess++ is, who invented it, and a moving picture of a teleport.

import { Board } from "./board";
import { button, h, replace } from "./dom";
import type { Page } from "./play";
import { pictured } from "./position";
import { SERVED } from "./server";
import { squareIndex } from "./words";

interface Scene {
    fen: string;
    caption: string;
    /** Origin and destination of what moves into this scene. */
    move?: [from: string, to: string];
    thrown?: boolean;
    /** Time until the next scene in milliseconds. */
    lasts: number;
}

// The whole picture takes less than five seconds, and then stands still.
const SCENES: Scene[] = [
    { fen: "6k1/1p3ppp/p7/8/8/1P6/5PPP/R5K1 w - - 0 1 a1d7/b8f8", caption: "Blue frames are White's catapults. A rook stands on one of them.", lasts: 1400 },
    { fen: "6k1/1p3ppp/p7/8/8/1P6/5PPP/R5K1 b - - 1 1 a1e8/b8f8", caption: "White moves the empty catapult to e8.", move: ["d7", "e8"], lasts: 1100 },
    { fen: "6k1/5ppp/p7/1p6/8/1P6/5PPP/R5K1 w - - 0 2 a1e8/b8f8", caption: "Black moves a pawn.", move: ["b7", "b5"], lasts: 900 },
    { fen: "4R1k1/5ppp/p7/1p6/8/1P6/5PPP/6K1 b - - 1 2 a1e8/b8f8", caption: "The rook teleports from a1 to e8: checkmate.", move: ["a1", "e8"], thrown: true, lasts: 0 },
];
const WORDS = "A moving picture: White moves an empty catapult from d7 to e8. Black moves a pawn. White's rook teleports from a1 to e8 and gives checkmate.";

const moves = (): boolean => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The moving picture. With reduced motion it begins at its end, and its button shows one scene after the other. */
function teleport(): { element: HTMLElement; stop: () => void } {
    const board = new Board({ label: WORDS, picture: true });
    const caption = h("p", { class: "caption" });
    let timer = 0;
    let shown = 0;
    const show = (index: number): void => {
        clearTimeout(timer);
        shown = index;
        const { fen, caption: words, move, thrown, lasts } = SCENES[index]!;
        const state = pictured(fen);
        board.show(state, false);
        const [from, to] = (move ?? []).map((name) => squareIndex(name, state.files));
        if (from !== undefined && to !== undefined) board.travel(from, to, !!thrown, moves() ? (thrown ? 900 : 450) : 0);
        replace(caption, words);
        if (lasts && moves()) timer = window.setTimeout(() => show(index + 1), lasts);
    };
    const again = button(moves() ? "Show it again" : "Next scene", () => show(moves() ? 0 : (shown + 1) % SCENES.length), { class: "quiet" });
    show(moves() ? 0 : SCENES.length - 1);
    return { element: h("div", { class: "scene" }, board.element, h("div", { class: "scene-foot" }, caption, again)), stop: () => clearTimeout(timer) };
}

export function homePage(): Page {
    const picture = teleport();
    const link = (label: string, href: string, kind: string): HTMLElement => h("a", { class: kind, href }, label);
    return {
        element: h(
            "div",
            { class: "page home" },
            h(
                "section",
                { class: "card home-words", "aria-labelledby": "home-title" },
                h("h1", { id: "home-title" }, "Chess++"),
                h("p", { class: "inventor" }, "Invented by Rajdeep Das (2025)"),
                h("p", {}, "Chess++ is chess with two catapults per side. On your turn you may instead move an empty catapult, or teleport a piece (not a pawn) from one of your catapults to the other, capturing an enemy there. Put your pieces on both enemy catapults, and these catapults are gone."),
                h("div", { class: "row" }, link("Play", "#play", "button primary"), link("Learn in two minutes", "#learn", "button")),
                h(
                    "ul",
                    {},
                    h("li", {}, link("Rules for players", "#rules", ""), ", on one page"),
                    h("li", {}, link("Puzzles", "#puzzles", ""), ": find the teleport, catapult move or double capture that wins or saves the game"),
                    h("li", {}, link("Results", "#lab?game=chesspp&results=1", ""), ": does Chess++ have fewer draws than chess? Networks played it"),
                    h("li", {}, link("The inventors", "#about", ""), " of Chess++ and of three more games on this page"),
                ),
                SERVED ? null : h("p", { class: "hint" }, "The computer runs in your browser. No account, no tracking. After the first visit chess and Chess++ work without internet. After a game against the computer everything does."),
            ),
            picture.element,
        ),
        close: picture.stop,
    };
}
