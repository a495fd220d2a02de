// A game's moves as a clickable list, and the buttons and keys that step through a game.

import { button, h, icon, renew, say } from "./dom";
import { knock } from "./settings";
import type { Ply, Side, State } from "./types";
import { lastInWords } from "./words";

interface Turn {
    side: Side;
    number: number;
    plies: number[];
}

/** Groups consecutive decisions of one side into turns. */
export function turns(history: Ply[]): Turn[] {
    const found: Turn[] = [];
    history.forEach(([, , side, number], ply) => {
        const last = found[found.length - 1];
        if (last?.side === side) last.plies.push(ply);
        else found.push({ side, number, plies: [ply] });
    });
    return found;
}

function moveList(history: Ply[], at: number, go: (ply: number) => void): HTMLElement {
    const rows = h("ol", { class: "moves", "aria-label": "Moves" });
    let row: HTMLElement | null = null;
    let previous = "";
    turns(history).forEach(({ side, number, plies }) => {
        if (!row || side === "white" || previous === side) {
            row = h("li", {}, h("span", { class: "number" }, `${number}.`), side === "black" ? h("span", { class: "gap" }, "…") : null);
            rows.append(row);
        }
        previous = side;
        const words = plies.map((ply) => history[ply]![1]).join(" ");
        const last = plies[plies.length - 1]! + 1;
        const here = at > plies[0]! && at <= last;
        row.append(button(words, () => go(last), { class: here ? "move here" : "move", "aria-current": here && "true" }));
    });
    return rows;
}

/** Scrolls the list to the shown move without moving the page. */
function reveal(list: HTMLElement): void {
    const here = list.querySelector<HTMLElement>(".here");
    if (!here) return;
    const [box, item] = [list.getBoundingClientRect(), here.getBoundingClientRect()];
    if (item.top < box.top || item.bottom > box.bottom) list.scrollTop += item.top - box.top - box.height / 2;
}

/** Announces the shown move and the status after a step through the game. */
export function sayStep(list: HTMLElement, status: HTMLElement): void {
    say(`${list.querySelector(".here")?.textContent ?? "Start"}. ${status.textContent}`);
}

/** Announces a game's last move and the status after it. A capture knocks lower. */
export function sayMove(state: State, status: string): void {
    const { last } = state;
    say(last ? `${lastInWords(last, state)} ${status}` : status);
    if (last) knock(last.taken.length ? 160 : 260);
}

/** The row for the buttons that step through a game. */
export function stepRow(): HTMLElement {
    return h("div", { class: "looking", role: "group", "aria-label": "Look through the game" });
}

type Step = (() => void) | false;
const STEPS = { first: "To the start", back: "One move back", next: "One move on", last: "To the end" };

/** Draws the buttons that step through a game. A button without an action is disabled. */
export function drawSteps(row: HTMLElement, steps: Record<keyof typeof STEPS, Step>): void {
    const step = (name: keyof typeof STEPS): HTMLElement => {
        const [label, onclick] = [STEPS[name], steps[name]];
        return h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, disabled: !onclick, onclick }, icon(name));
    };
    renew(row, step("first"), step("back"), step("next"), step("last"));
}

/**
 * Draws a game's moves and the buttons that step through them. `at` is the number of plies shown on
 * the board. `go` shows another number of plies, at most the whole game.
 */
export function drawMoves(list: HTMLElement, row: HTMLElement, history: Ply[], at: number, go: (ply: number) => void): void {
    renew(list, moveList(history, at, go));
    reveal(list);
    const [back, on] = [at > 0, at < history.length];
    drawSteps(row, { first: back && (() => go(0)), back: back && (() => go(at - 1)), next: on && (() => go(at + 1)), last: on && (() => go(Infinity)) });
}

/** Lets the arrow keys step through a game. The returned function ends this. */
export function stepKeys(back: () => void, next: () => void): () => void {
    const step = (event: KeyboardEvent): void => {
        const { key, target } = event;
        if ((key !== "ArrowLeft" && key !== "ArrowRight") || event.ctrlKey || event.metaKey || event.altKey) return;
        if (document.querySelector("dialog[open]") || (target instanceof Element && target.closest("input, select, textarea"))) return;
        event.preventDefault();
        if (key === "ArrowLeft") back();
        else next();
    };
    document.addEventListener("keydown", step);
    return () => document.removeEventListener("keydown", step);
}
