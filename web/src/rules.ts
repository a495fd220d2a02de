// The rules of Chess++ for players, on one page. The rules by number are in Learn.

import { card, h } from "./dom";
import { exampleBoard } from "./examples";
import type { Page } from "./play";

interface Rule {
    title: string;
    words: string[];
    fen: string;
    /** Text below the board. Moves in it can be clicked. */
    example: string;
}

const RULES: Rule[] = [
    {
        title: "Two catapults per side",
        words: ["The pieces, their moves and the aim, checkmate, are as in chess. Each side also has two catapults: the coloured frames. White's are whole and blue, Black's are orange corners.", "They start under the pieces on b1, f1, b8 and f8. A square can hold a piece and a catapult under it."],
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 b1*f1*/b8*f8*",
        example: "Move the `knight to c3|b1c3`, and its catapult is empty.",
    },
    {
        title: "Move a catapult",
        words: ["Instead of a piece you may move one of your own catapults. That is your whole turn.", "It goes one square in any direction, to a square with neither a piece nor a catapult. It may not move while a piece stands on it, and it never captures."],
        fen: "4k3/8/8/3p4/8/8/8/4K1N1 w - - 0 1 d4g1/-",
        example: "The empty catapult may go `to c5|d4c5` or `to e3|d4e3`, for example, but not to d5. The one under the knight may not move.",
    },
    {
        title: "Its first move may be longer",
        words: ["A catapult with studs has not moved yet. Its first move goes to any free square of the five-by-five block around it, whatever lies between.", "A first move of one square uses this up too."],
        fen: "7k/8/8/2ppp3/2p1p3/2ppp3/8/7K w - - 0 1 d4*/-",
        example: "The catapult may go over the pawns, `to b6|d4b6` or `to d2|d4d2`.",
    },
    {
        title: "Empty catapults are no obstacle",
        words: ["Pieces pass over empty catapults of both sides and may stop on them. With a piece on it, a square blocks as in chess."],
        fen: "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1 a3/a5e3",
        example: "The rook may `stop on a5|a1a5` or continue `to a8|a1a8`. The pawn may go `to e4|e2e4`.",
    },
    {
        title: "Teleport",
        words: ["A piece that stands on one of your catapults may go to your other catapult instead of its usual move. The distance does not matter, and nothing is in the way.", "The king may teleport too, pawns may not. The catapults stay where they are. Each side uses only its own."],
        fen: "4k3/8/8/8/8/8/8/N3K3 w - - 0 1 a1g6/-",
        example: "The knight may `teleport to g6|a1g6t`.",
    },
    {
        title: "Capture by teleport",
        words: ["An enemy piece on your other catapult is captured. If your own piece stands there, you can't teleport."],
        fen: "4k3/8/8/7r/8/8/8/N3K3 w - - 3 7 a1h5/-",
        example: "The knight may `take the rook|a1h5t`.",
    },
    {
        title: "Check by teleport",
        words: ["A piece that could teleport to a square attacks that square. Your king on an enemy catapult is in check while an enemy piece stands on the enemy's other catapult. A pawn there gives no check.", "Nothing can block this check. Move the king, or capture the piece."],
        fen: "4k3/8/8/3n4/8/8/4P3/4K3 w - - 0 1 -/d5e1",
        example: "White is in check and must move the king, for example `to f2|e1f2`.",
    },
    {
        title: "Protection by teleport",
        words: ["A piece on one catapult also protects a piece of its side on the other one."],
        fen: "4k3/8/8/8/8/8/6n1/n6K w - - 0 1 -/a1g2",
        example: "The king may not take on g2, because the knight on a1 could teleport there. It may go `to h2|h1h2`.",
    },
    {
        title: "Out of check",
        words: ["A teleport may block a check, or capture the piece that gives it. You may not move a catapult while you are in check."],
        fen: "4r2k/8/8/8/8/8/8/N3K3 w - - 0 1 a1e4/-",
        example: "The knight may `block the check|a1e4t`.",
    },
    {
        title: "Castle",
        words: ["You may not castle if an enemy piece could teleport to a square between your king and rook. That includes b1 and b8, and pieces that are pinned. Otherwise catapults do not matter for castling.", "A king or rook that teleports loses the right to castle."],
        fen: "4k3/4n3/8/8/8/8/4R3/R3K2R w KQ - 0 1 -/b1e7",
        example: "Black's knight could teleport to b1. White may castle `short|e1g1`, but not long.",
    },
    {
        title: "Capture the catapults",
        words: ["If your pieces stand on all enemy catapults at the end of your turn, these catapults are gone for good. King and pawns count. Your pieces stay.", "This happens by itself."],
        fen: "4k3/8/8/8/8/N7/6P1/4K3 w - - 3 1 -/a3g3",
        example: "The knight stands on one of Black's catapults. The pawn's step `to g3|g2g3` captures both.",
    },
];

const ENDINGS = [
    "Checkmate wins.",
    "Stalemate is a draw: you are not in check, and neither a piece nor a catapult can move.",
    "The game is drawn at once after fifty moves of each side without a pawn move and without a capture of a piece or of catapults.",
    "The game is drawn at once when a position occurs for the third time. The catapults belong to the position.",
    "The game is drawn at once if only the kings are left. If no catapult is left, a king with one knight or bishop against a king is a draw too, and so are kings with bishops that all stand on one colour.",
];

/** The rules with their boards, as sections. */
export function playerRules(section = (title: string, ...content: HTMLElement[]): HTMLElement => h("section", {}, h("h3", {}, title), ...content)): HTMLElement[] {
    return [
        ...RULES.map(({ title, words, fen, example }, index) => section(`${index + 1}. ${title}`, h("div", { class: "stack" }, ...words.map((text) => h("p", {}, text))), exampleBoard({ variant: "chesspp", fen, text: example }, title))),
        section("How a game ends", h("ul", {}, ...ENDINGS.map((words) => h("li", {}, words)))),
    ];
}

export function rulesPage(): Page {
    return {
        element: h(
            "div",
            { class: "page players" },
            h("h1", {}, "Chess++: the rules for players"),
            h("p", { class: "hint" }, "Everything else is as in chess. You can play on from every position, for both sides."),
            ...playerRules(card),
            card(
                "Read on",
                h("ul", {}, h("li", {}, h("a", { href: "#learn" }, "The lesson"), ": the same in six tasks"), h("li", {}, h("a", { href: "#specification?game=chesspp" }, "All rules, by number"), ", with the optional rules"), h("li", {}, h("a", { href: "#about" }, "Which rules are this project's readings"), " of the inventor's paper"), h("li", {}, h("a", { href: "#play" }, "Play"))),
            ),
        ),
    };
}
