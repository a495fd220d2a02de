// Learning: a first lesson of Chess++, every game's rules for players with boards to try them on, and the specifications.

import { TITLES } from "./choose";
import { jsonOf } from "./client";
import { button, h, message, renew, replace, say } from "./dom";
import { type Example, exampleBoard, words } from "./examples";
import type { Place } from "./link";
import type { Page } from "./play";
import { playerRules } from "./rules";
import { load, save } from "./settings";
import { tryBoard } from "./try";
import type { Last } from "./types";
import { capital } from "./words";

type Block =
    | { kind: "text"; text: string }
    | { kind: "item"; text: string }
    | { kind: "rule"; number: number; text: string }
    | (Example & { kind: "board" });
interface RulesPage {
    game: string;
    sections: { title: string; level: number; blocks: Block[] }[];
}

interface Step {
    title: string;
    words: string;
    fen: string;
    reached: (last: Last) => boolean;
    done: string;
    again: string;
}

const STEPS: Step[] = [
    {
        title: "Move a catapult",
        words: "Coloured frames are catapults. White's are whole and blue, Black's are orange corners. A catapult moves one square, while no piece stands on it. One with studs has not moved yet: it may go to any free square in the five-by-five block around it. Move the empty one on e3.",
        fen: "4k3/pppp4/8/8/8/3P4/PPP5/4K1N1 w - - 0 1 e3*g1*/-",
        reached: (last) => last.kind === "catapult",
        done: "That was your whole turn: a catapult move is a move like any other. Empty catapults are no obstacle: pieces pass over them and may stop on them.",
        again: "That moved a piece. Start again and move the empty catapult on e3.",
    },
    {
        title: "Teleport",
        words: "A piece on one of your catapults may go to your other one, at any distance, over anything. Pawns can't. Send the knight from a1 to g6.",
        fen: "4k3/8/8/8/8/8/8/N3K3 w - - 0 1 a1g6/-",
        reached: (last) => last.kind === "teleport",
        done: "The catapults stay where they are. Each side uses only its own.",
        again: "Not a teleport yet. Start again: choose the knight, then the catapult at the end of the arc.",
    },
    {
        title: "Capture by teleport",
        words: "If an enemy piece stands on your other catapult, a teleport takes it. Take the rook.",
        fen: "4k3/8/8/7r/8/8/8/N3K3 w - - 0 1 a1h5/-",
        reached: (last) => last.kind === "teleport" && last.taken.includes("rook"),
        done: "A piece that could teleport to a square attacks that square.",
        again: "The rook is still there. Start again and teleport to h5.",
    },
    {
        title: "Check by teleport",
        words: "Your king stands on a catapult of Black's, and Black's knight stands on the other one. The knight could teleport to your king, so you are in check. Nothing can block this check. Move the king.",
        fen: "4k3/8/8/3n4/8/8/4P3/4K3 w - - 0 1 -/d5e1",
        reached: (last) => last.kind === "move",
        done: "A pawn on the other catapult would not give check, because pawns don't teleport.",
        again: "Start again and move the king.",
    },
    {
        title: "Castle",
        words: "You may not castle if an enemy piece could teleport to a square between king and rook. Black's knight could teleport from e7 to b1. So castle on the other side: move the king from e1 to g1.",
        fen: "4k3/4n3/8/8/8/8/8/R3K2R w KQ - 0 1 -/b1e7",
        reached: (last) => last.kind === "castle",
        done: "Black's catapults prevent castling only while a piece could teleport there. Your own never do.",
        again: "Start again and move the king from e1 to g1.",
    },
    {
        title: "Capture the catapults",
        words: "When all catapults of the other side are under your own pieces at the end of your turn, they leave the board for good. Your rook stands on one of Black's already. Occupy the other one.",
        fen: "4k3/8/7R/8/1N6/8/8/4K3 w - - 0 1 -/d5h6",
        reached: (last) => last.taken.includes("catapult"),
        done: "Black has no catapults any more. The rest is chess. In check you may not move a catapult (rule 5). The rules below say how a game is drawn.",
        again: "One of Black's catapults is still free. Start again and put the knight on d5.",
    },
];

function lesson(): HTMLElement {
    let at = Math.min(load("lesson", 0), STEPS.length - 1);
    const heading = h("h2", { id: "lesson-title" });
    const text = h("p", {});
    const verdict = h("p", { class: "verdict", role: "status", id: "verdict" });
    const next = button("Next", () => go(at + 1), { class: "primary", id: "lesson-next" });
    const steps = h("ol", { class: "steps", "aria-label": "Steps" });
    const board = tryBoard({ variant: "chesspp", start: STEPS[at]!.fen, moves: [] }, "Lesson", ({ last, history }) => {
        if (!last) return void (verdict.textContent = "");
        const step = STEPS[at]!;
        const reached = step.reached(last);
        if (history.length > 1 && !reached) return;
        verdict.textContent = reached ? `Well done. ${step.done}` : step.again;
        verdict.classList.toggle("good", reached);
        if (reached) next.disabled = false;
    });
    const draw = (): void => {
        const step = STEPS[at]!;
        heading.textContent = `${at + 1}. ${step.title}`;
        text.textContent = step.words;
        verdict.textContent = "";
        next.disabled = true;
        next.hidden = at === STEPS.length - 1;
        renew(steps, ...STEPS.map(({ title }, index) => h("li", {}, button(title, () => go(index), { "aria-current": index === at && "step" }))));
    };
    const go = (step: number): void => {
        at = Math.max(0, Math.min(STEPS.length - 1, step));
        save("lesson", at);
        board.set({ variant: "chesspp", start: STEPS[at]!.fen, moves: [] });
        draw();
        say(`${STEPS[at]!.title}. ${STEPS[at]!.words}`);
    };
    draw();
    return h(
        "section",
        { class: "card lesson", "aria-labelledby": "lesson-title" },
        h("div", { class: "lesson-text" }, h("p", { class: "eyebrow" }, "Chess++ in two minutes"), heading, text, verdict, h("div", { class: "row" }, next, h("a", { href: "#play" }, "Play"), h("a", { href: "#rules" }, "Rules for players"), h("a", { href: "#puzzles" }, "Puzzles")), steps),
        board.element,
    );
}

const rulesPages = jsonOf<RulesPage[]>("learn.json", "rules");

/** Sections of a specification for programs, which players do not need. */
const FOR_PROGRAMS = ["Words", "FEN", "How moves are written"];

/** A caption of a position for players: without FENs and names of tests. Empty if only these are left. */
function forPlayers(text: string): string {
    return text
        .replace(/ gives `[^`]*\/[^`]*`/g, "")
        .replace(/not legal (`)/g, "Not possible: $1")
        .replace(/legal (`)/g, "Possible: $1")
        .replace(/^in check/, "In check")
        .replace(/^not in check/, "Not in check")
        .replace(/outcome `dead`/, "Drawn")
        .replace(/outcome `stalemate`/, "Stalemate")
        .replace(/outcome `checkmate`/, "Checkmate")
        .replace(/; (?=Possible|Not possible|Drawn|Stalemate|Checkmate)/g, ". ");
}

/** Draws the rules of a page. A player's version leaves out what only programs need. */
function rules(page: RulesPage, player: boolean): HTMLElement {
    const article = h("article", { class: "rules" });
    let count = 0;
    for (const { title: name, level, blocks } of page.sections) {
        if (player && FOR_PROGRAMS.includes(name)) continue;
        if (name) article.append(h(level === 1 ? "h3" : "h4", {}, name));
        let list: HTMLElement | null = null;
        let gallery: HTMLElement | null = null;
        for (const block of blocks) {
            if (block.kind !== "item") list = null;
            if (block.kind !== "board") gallery = null;
            if (block.kind === "text") article.append(h("p", {}, ...words(block.text)));
            else if (block.kind === "rule") article.append(h("div", { class: "rule", id: `rule-${block.number}` }, h("span", { class: "rule-number" }, block.number), h("p", {}, ...words(block.text))));
            else if (block.kind === "item") {
                if (!list) article.append((list = h("ul", {})));
                list.append(h("li", {}, ...words(block.text)));
            } else {
                if (!gallery) article.append((gallery = h("div", { class: "gallery" })));
                gallery.append(exampleBoard(player ? { ...block, text: forPlayers(block.text) } : block, `Position ${++count}`));
            }
        }
    }
    return article;
}

/** The rules of every game, by tabs. Chess++ has its own rules for players. */
function rulesByGame(name: "learn" | "specification", place: Place): Page {
    const body = h("div", { class: "stack" });
    const tabs = h("div", { class: "pills", role: "group", "aria-label": "Rules of" });
    const player = name === "learn";
    let shown = "";

    async function show(variant = "chesspp"): Promise<void> {
        const game = variant.split("+")[0]!;
        const wanted = Object.hasOwn(TITLES, game) && game !== "chess" ? game : "chesspp";
        if (wanted === shown) return;
        shown = wanted;
        const tabbed = Object.keys(TITLES).filter((one) => one !== "chess");
        renew(tabs, ...tabbed.map((one) => button(TITLES[one]!, () => (location.hash = `#${name}?game=${one}`), { "aria-pressed": String(one === shown) })));
        try {
            // The rules of Chess++ for players are part of the script.
            const drawn = player && shown === "chesspp" ? h("div", { class: "rule-cards" }, ...playerRules()) : rules((await rulesPages()).find(({ game }) => game === wanted)!, player);
            if (wanted !== shown) return;
            const all = h("p", {}, h("a", { href: `#specification?game=${shown}` }, "The specification"), ": all details by number, FEN and the notation of moves, for programmers");
            replace(body, drawn, player ? all : null);
        } catch (error) {
            if (wanted === shown) replace(body, h("p", { class: "problem" }, `${capital(message(error))}.`));
        }
    }
    void show(place.game?.variant);
    return {
        element: h("div", { class: "stack" }, tabs, body),
        visit: (next) => void show(next.game?.variant),
    };
}

export function learnPage(place: Place): Page {
    const byGame = rulesByGame("learn", place);
    const hint = h("p", { class: "hint" }, "Everything else is as in standard chess. You can play on from every position, for both sides.");
    return { ...byGame, element: h("div", { class: "page learn" }, h("h1", {}, "Learn"), lesson(), h("section", { class: "card", "aria-label": "Rules" }, h("h2", {}, "Rules"), hint, byGame.element)) };
}

export function specificationPage(place: Place): Page {
    const byGame = rulesByGame("specification", place);
    const hint = h("p", { class: "hint" }, "Every rule by number, with the notation of moves and positions. Everything else is as in standard chess. To play, read ", h("a", { href: "#learn" }, "Learn"), " instead.");
    return { ...byGame, element: h("div", { class: "page learn" }, h("h1", {}, "Specification"), h("section", { class: "card", "aria-label": "Specification" }, h("h2", {}, "All rules, by number"), hint, byGame.element)) };
}
