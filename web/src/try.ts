// A small board to try a position on: both sides' legal moves, and a restart.

import { Board } from "./board";
import { state as stateOf } from "./client";
import { button, h, message, replace, say, sayIn } from "./dom";
import { writePlace } from "./link";
import type { GameText, State } from "./types";
import { lastInWords, outcomeInWords, toMove } from "./words";

export interface Try {
    element: HTMLElement;
    /** Plays a move by its text. */
    play: (text: string) => Promise<void>;
    reset: () => void;
    set: (game: GameText) => void;
    current: () => State | null;
}

interface TryOptions {
    label: string;
    /** Called after every move with the position after it. */
    moved?: (state: State) => void;
    /** Called whenever another position is shown. */
    shown?: (state: State) => void;
}

export function tryBoard(first: GameText, options: TryOptions): Try {
    let start = first;
    let game = first;
    let current: State | null = null;
    const told = h("p", { class: "try-status" });
    const board = new Board({ label: options.label, onmove: (text) => void play(text), onrefused: (words) => sayIn(told, words) });
    const back = button("Start again", () => reset(), { disabled: true });
    const analyse = h("a", { class: "quiet-link" }, "Analyse");

    async function show(announce: boolean): Promise<void> {
        const asked = game;
        try {
            const state = await stateOf(game);
            if (asked !== game) return;
            current = state;
            board.show(state);
            const done = state.moves.find(({ kind }) => kind === "done");
            const words = state.outcome ? outcomeInWords(state.outcome, state.variant) : toMove(state);
            replace(told, words, done ? button("End the turn", () => void play(done.text)) : null);
            analyse.setAttribute("href", writePlace("analyse", game));
            back.disabled = game.moves.length === start.moves.length;
            if (announce && state.last) say(`${lastInWords(state.last, state)} ${words}`);
            options.shown?.(state);
            if (announce) options.moved?.(state);
        } catch (error) {
            told.textContent = message(error);
        }
    }

    async function play(text: string): Promise<void> {
        game = { ...game, moves: [...game.moves, text] };
        await show(true);
    }

    function reset(): void {
        game = start;
        void show(false);
    }

    void show(false);
    return {
        element: h("div", { class: "try" }, board.element, h("div", { class: "try-foot" }, told, h("div", { class: "row" }, back, analyse))),
        play,
        reset,
        set: (next) => {
            start = next;
            reset();
        },
        current: () => current,
    };
}
