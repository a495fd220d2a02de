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
    play: (text: string) => void;
    reset: () => void;
    set: (game: GameText) => void;
}

/** Creates the board. `shown` is called whenever another position is shown. */
export function tryBoard(first: GameText, label: string, shown: (state: State) => void): Try {
    let start = first;
    let game = first;
    let drawn: GameText | null = null;
    const told = h("p", { class: "try-status" });
    const board = new Board({ label, onmove: press, onrefused: (words) => sayIn(told, words) });
    const back = button("Start again", reset, { disabled: true });
    const analyse = h("a", {}, "Analyse");

    async function show(): Promise<void> {
        const asked = game;
        try {
            const state = await stateOf(game);
            if (asked !== game) return;
            drawn = game;
            board.show(state);
            const done = state.moves.find(({ kind }) => kind === "done");
            const words = state.outcome ? outcomeInWords(state.outcome, state.variant) : toMove(state);
            replace(told, words, done ? button("End the turn", () => press(done.text)) : null);
            analyse.setAttribute("href", writePlace("analyse", game));
            back.disabled = game.moves.length === start.moves.length;
            if (state.last) say(`${lastInWords(state.last, state)} ${words}`);
            shown(state);
        } catch (error) {
            told.textContent = message(error);
        }
    }

    /** Plays a move of the user, unless the board does not show the last move yet. */
    function press(text: string): void {
        if (drawn === game) play(text);
    }

    function play(text: string): void {
        game = { ...game, moves: [...game.moves, text] };
        void show();
    }

    function reset(): void {
        game = start;
        void show();
    }

    void show();
    return {
        element: h("div", { class: "try" }, board.element, h("div", { class: "try-foot" }, told, h("div", { class: "row" }, back, analyse))),
        play,
        reset,
        set: (next) => {
            start = next;
            reset();
        },
    };
}
