// A game's moves as a clickable list.

import { h, icon, say } from "./dom";
import type { Ply } from "./types";

/** Groups consecutive decisions of one side into turns. */
export function turns(history: Ply[]): { side: "white" | "black"; number: number; plies: number[] }[] {
    const found: { side: "white" | "black"; number: number; plies: number[] }[] = [];
    history.forEach(([, , side, number], ply) => {
        const last = found[found.length - 1];
        if (last?.side === side) last.plies.push(ply);
        else found.push({ side, number, plies: [ply] });
    });
    return found;
}

/** Returns the list of moves. `at` is the number of plies shown on the board. */
export function moveList(history: Ply[], at: number, go: (ply: number) => void): HTMLElement {
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
        const item = h("button", { type: "button", class: here ? "move here" : "move", onclick: () => go(last) }, words);
        if (here) item.setAttribute("aria-current", "true");
        row.append(item);
    });
    return rows;
}

/** Scrolls the list to the shown move without moving the page. */
export function reveal(list: HTMLElement): void {
    const here = list.querySelector<HTMLElement>(".here");
    if (!here) return;
    const [box, item] = [list.getBoundingClientRect(), here.getBoundingClientRect()];
    if (item.top < box.top || item.bottom > box.bottom) list.scrollTop += item.top - box.top - box.height / 2;
}

/** Announces the shown move and the status after a step through the game. */
export function sayStep(list: HTMLElement, status: HTMLElement): void {
    say(`${list.querySelector(".here")?.textContent ?? "Start"}. ${status.textContent}`);
}

const STEPS = { first: "To the start", back: "One move back", next: "One move on", last: "To the end" };

/** A navigation button, disabled without an action. */
export function stepButton(name: keyof typeof STEPS, onclick: (() => void) | false): HTMLButtonElement {
    const label = STEPS[name];
    return h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, disabled: !onclick, onclick: onclick || null }, icon(name));
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
