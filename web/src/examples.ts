// Positions with a text whose moves can be clicked. Their boards are created when they scroll into view.

import { title } from "./choose";
import { button, h } from "./dom";
import { type Try, tryBoard } from "./try";

export interface Example {
    variant: string;
    fen: string;
    /** Text with `moves`, **bold** and *emphasis*. A move can have a label: `Capture|a1h5t`. */
    text: string;
}

/** Parses text with `code`, **bold** and *emphasis*. `make` creates the elements of code. */
export function words(text: string, make?: (code: string) => Node): Node[] {
    return text.split(/(`[^`]*`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/).filter((part) => part).map((part) => {
        const code = part.startsWith("`") ? part.slice(1, -1) : null;
        if (code !== null) return make?.(code) ?? h("code", {}, code);
        if (part.startsWith("**")) return h("strong", {}, part.slice(2, -2));
        return part.startsWith("*") && part.length > 2 ? h("em", {}, part.slice(1, -1)) : document.createTextNode(part);
    });
}

/** A position's board above its text. The board is created when it scrolls into view. */
export function exampleBoard({ variant, fen, text }: Example, label: string): HTMLElement {
    let board: Try | null = null;
    const chips: [HTMLButtonElement, string][] = [];
    const caption = words(text, (words) => {
        const [label = "", code = label] = words.split("|");
        if (!/^[A-Z]?[a-z@]?@?[a-l]\d/.test(code) && code !== "done" && !code.startsWith("@")) return h("code", { class: code.includes("/") ? "fen" : null }, code);
        const chip = button(label, () => {
            board?.reset();
            board?.play(code);
        }, { class: "chip", disabled: true });
        chips.push([chip, code]);
        return chip;
    });
    const holder = h("div", { class: "example" }, h("p", { class: "caption" }, ...caption), variant.includes("+") ? h("p", { class: "hint" }, title(variant)) : null);
    const seen = new IntersectionObserver((entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        seen.disconnect();
        board = tryBoard({ variant, start: fen, moves: [] }, label, (state) => {
            if (state.history.length) return;
            for (const [chip, code] of chips) chip.disabled = !state.moves.some(({ text }) => text === code);
        });
        holder.prepend(board.element);
    }, { rootMargin: "200px" });
    seen.observe(holder);
    return holder;
}
