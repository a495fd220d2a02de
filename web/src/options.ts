// The options of Chess++ that are this project's (rules 17 to 29) as a form, and a position for every option.

import { Refusal, state as stateOf } from "./client";
import { checkbox, h, select } from "./dom";

/** Values by option. A switch has the value "". */
export type Values = Record<string, string>;

/** The value of plain Chess++. A switch has none. */
const PLAIN: Values = { catapults: "b1f1", fifty: "100", first: "2", later: "1", start: "RNBQKBNR", teleport: "NBRQK" };
/** Label of each switch, and the sentence that says what it changes. */
const SWITCHES: Record<string, [label: string, changes: string]> = {
    bare: ["A bare king has no catapults", "If a side has only its king left, its catapults vanish."],
    block: ["Enemy catapults block", "A piece may stop on an empty catapult of the opponent but not pass over it."],
    castle: ["Teleports don't bar castling", "You may castle although an enemy piece could teleport between king and rook."],
    peaceful: ["Teleports don't capture", "A piece teleports only to a catapult without a piece, and so gives no check from afar."],
    restart: ["Catapult moves are progress", "A catapult move restarts the count of the fifty-move rule, as a pawn move does."],
    safe: ["Catapults can't be captured", "Pieces on all enemy catapults capture none of them."],
    still: ["No two catapult moves in a row", "After you move a catapult, your next turn must be another kind of move."],
};
const PIECES: [letter: string, name: string][] = [["N", "knight"], ["B", "bishop"], ["R", "rook"], ["Q", "queen"], ["K", "king"]];
const PLIES = [8, 1000] as const;
const MOVES = 31;

/** The value of an option with a text box, in its usual form. Null if the option has no such value. */
function valueOf(key: string, value: string): string | null {
    const squares = value.match(/[a-h][1-4]/g) ?? [];
    const rank = value.toUpperCase();
    switch (key) {
        case "catapults": {
            if (value === "-") return value;
            const once = new Set(squares).size === squares.length;
            const byRank = (square: string): string => square[1]! + square[0]!;
            const sorted = [...squares].sort((a, b) => (byRank(a) < byRank(b) ? -1 : 1));
            return squares.length && squares.length <= 4 && once && squares.join("") === value ? sorted.join("") : null;
        }
        case "moves": return /^\d{1,4}$/.test(value) && Number(value) <= MOVES ? String(Number(value)) : null;
        default: return /^[NBRQK]{8}$/.test(rank) && rank.split("K").length === 2 ? rank : null;
    }
}

/** Reads the options of a rule set from its name. Null if the rules reject the name. */
export async function readRules(name: string): Promise<Values | null> {
    const state = await stateOf({ variant: name, start: "", moves: [] }).catch((error) => (error instanceof Refusal ? null : Promise.reject(error)));
    return state && Object.fromEntries(state.variant.split("+").slice(1).map((option) => [option.split("=")[0]!, option.split("=")[1] ?? ""]));
}

/**
 * Writes the name of a rule set, with options in alphabetical order. Omits values of plain Chess++,
 * and `catapults` beside `third`.
 */
export function writeRules(values: Values): string {
    const options = Object.keys(values).sort().filter((key) => values[key] !== PLAIN[key] && !(key === "catapults" && Object.hasOwn(values, "third")));
    return ["chesspp", ...options.map((key) => (values[key] ? `${key}=${values[key]}` : key))].join("+");
}

function lettersOf(value: string): string {
    return PIECES.map(([letter]) => letter).filter((letter) => value.includes(letter)).join("") || "-";
}

/** The form of the options. It changes `values` and calls `changed`. */
export function optionsForm(values: Values, changed: () => void): HTMLElement {
    const set = (key: string, value: string | null): void => {
        if (value === null) delete values[key];
        else values[key] = value;
        changed();
    };
    const value = (key: string): string => values[key] ?? PLAIN[key] ?? "";
    const named = (key: string, ...words: (string | Node)[]): HTMLElement => h("span", {}, h("b", {}, `+${key}`), " ", ...words);
    const switches = Object.entries(SWITCHES).map(([key, [label, changes]]) =>
        checkbox(named(key, `${label}. ${changes}`), (checked) => set(key, checked ? "" : null), { name: `option-${key}`, checked: Object.hasOwn(values, key) }),
    );
    const plies = h("input", { type: "number", name: "option-fifty", min: PLIES[0], max: PLIES[1], value: value("fifty") });
    const halves = h("span", {});
    const sayHalves = (): void => void (halves.textContent = `Plies without progress until the draw (8 to 1,000). 100 is the fifty-move rule; ${plies.value} are ${Number(plies.value) / 2} moves of each side.`);
    plies.addEventListener("change", () => {
        plies.value = String(Math.min(PLIES[1], Math.max(PLIES[0], Math.round(Number(plies.value)) || 100)));
        sayHalves();
        set("fifty", plies.value);
    });
    sayHalves();
    const reach = (key: string, words: string): HTMLElement => {
        const usual = (steps: string): string => (steps === PLAIN[key] ? " (usual)" : "");
        const steps: [string, string][] = [["0", "none"], ["1", "one square"], ["2", "up to two squares"]];
        const box = select(steps.map(([steps, words]) => [steps, words + usual(steps)]), value(key), (steps) => set(key, steps), { name: `option-${key}` });
        return h("label", { class: "option-value" }, named(key, words), box);
    };
    const typed = (key: string, words: string): HTMLElement => {
        const box = h("input", { type: "text", name: `option-${key}`, size: 9, value: value(key) });
        box.addEventListener("change", () => {
            const read = valueOf(key, box.value.trim());
            box.value = read ?? (key === "moves" && !box.value.trim() ? "" : value(key));
            set(key, box.value || null);
        });
        return h("label", { class: "option-value" }, named(key, words), box);
    };
    const letters = PIECES.map(([letter, name]) => {
        const toggle = (checked: boolean): void => set("teleport", lettersOf(value("teleport").replace(letter, "") + (checked ? letter : "")));
        return checkbox(name, toggle, { name: `option-teleport-${letter}`, checked: value("teleport").includes(letter) });
    });
    return h(
        "fieldset",
        { class: "options" },
        h("legend", {}, "Options of this project, for questions about rules"),
        ...switches,
        h("div", { class: "option-value", role: "group", "aria-label": "Pieces that teleport" }, named("teleport", "These pieces may teleport. The others neither teleport nor give check from a catapult."), h("div", { class: "row" }, ...letters)),
        h("label", { class: "option-value" }, named("fifty", halves), plies),
        reach("first", "How far a catapult's first move goes."),
        reach("later", "How far each later move of a catapult goes."),
        typed("moves", `How many times each side may move catapults in a game (0 to ${MOVES}). Empty: no limit.`),
        typed("catapults", "Where White's catapults start: up to four squares of ranks 1 to 4, or - for none. Black's are opposite. Without effect beside +third."),
        typed("start", "The pieces of both first ranks at the start, from the a-file: eight letters of NBRQK with one K."),
    );
}

/** A position that shows an option at work, and what to try there. */
export function exampleOf(key: string, values: Values): [variant: string, fen: string, words: string] {
    const value = values[key] ?? "";
    const letter = PIECES.find(([letter]) => !value.includes(letter)) ?? PIECES[0]!;
    const plies = Number(value) - 1;
    const EXAMPLES: Record<string, [fen: string, words: string]> = {
        bare: ["8/8/8/3k4/4n3/8/5N2/4K3 w - - 5 1 -/d5e1", "Black's king gives check from d5 by teleport. Take the knight on e4: Black has only its king, and the catapults vanish."],
        block: ["4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1 -/a5e3", "Click the pawn and the rook: they may stop on Black's catapults, and go no farther."],
        castle: ["4k3/4n3/8/8/8/8/4R3/R3K2R w KQ - 0 1 -/b1e7", "Black's knight could teleport to b1. Castle long all the same: click the king and then c1."],
        catapults: ["", "The fresh catapults are on their new squares. Click one of them, if a piece leaves it free."],
        fifty: [`4k3/8/8/8/8/8/8/R3K3 w - - ${plies} ${plies} -`, `${plies} plies have passed without progress. Any move makes a draw.`],
        first: ["7k/7p/8/8/8/8/7P/7K w - - 0 1 d4*/-", "The catapult on d4 has not moved yet. Click it to see where it may go."],
        free: ["", "White places the first catapult. Click a square of the first rank."],
        instant: ["7k/8/8/p7/8/8/8/R3K3 w - - 4 1 a5f6/-", "Click the rook and then f6: it takes on a5 and teleports from there in the same turn."],
        later: ["7k/7p/8/8/8/8/7P/7K w - - 0 1 d4/-", "The catapult on d4 has moved before. Click it to see where it may go."],
        moves: [`7k/8/8/8/8/8/7P/7K w - - 0 1 a3/h5 ${value}/${value}`, `The text below the board ends in the catapult moves that White and Black have left. ${value === "0" ? "The catapult on a3 can't move." : "Move the catapult on a3."}`],
        pawns: ["7k/8/8/8/8/8/6P1/4K3 w - - 5 1 c8g2/-", "Click the pawn and then c8: it teleports there and promotes."],
        peaceful: ["4k3/8/8/7r/8/8/8/N3K3 w - - 3 7 a1h5/-", "Click the knight on a1. It can't teleport to h5, because a rook is there."],
        promote: ["5n1k/4P3/8/8/8/8/8/4K3 w - - 3 1 a1/-", "Push the pawn to e8, or take on f8: it may become a catapult."],
        restart: ["7k/8/8/8/8/8/8/R6K w - - 99 99 d4/-", "99 plies have passed without progress. Move the catapult: the game continues. A rook move makes a draw."],
        safe: ["4k3/8/8/8/8/N7/6P1/4K3 w - - 3 1 -/a3g3", "Push the pawn to g3: White's pieces stand on both catapults of Black, and capture none."],
        start: ["", "The pieces stand in their new order. Castling is possible only with king and rook on their usual squares."],
        still: ["7k/8/8/8/8/8/7P/7K w - - 0 1 a3/h5 -", "Move the catapult on a3, answer with Black, and try to move it again."],
        teleport: [`4k3/8/8/7r/8/8/8/${letter[0] === "K" ? "K7" : `${letter[0]}3K3`} w - - 3 7 a1h5/-`, `Click the ${letter[1]} on a1. It can't teleport to h5.`],
        third: ["7k/8/8/8/8/8/8/N3K3 w - - 0 1 a1c4g6/-", "Click the knight on a1. It can teleport to c4 and to g6."],
    };
    return [writeRules({ [key]: value }), ...EXAMPLES[key]!];
}
