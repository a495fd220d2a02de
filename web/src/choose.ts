// Selection of a game and its proposals.

import { checkbox, h, replace } from "./dom";
import type { GameAbout } from "./types";

export const TITLES: Record<string, string> = {
    chess: "Chess",
    chesspp: "Chess++",
    century: "Twenty-First Century Chess",
    half: "Chess and a Half",
    maxim: "Maxim chess",
};

/** Display name of a variant: "Chess++ with instant, third". */
export function title(variant: string): string {
    const [game = "", ...options] = variant.split("+");
    return (Object.hasOwn(TITLES, game) ? TITLES[game]! : game) + (options.length ? ` with ${options.join(", ")}` : "");
}

/** The inventor's phrases for the optional rules, from the section "Future Scope" of his paper. */
const PROPOSED: Record<string, string> = {
    free: "Letting players freely place their two Catapults at the start on any file of the back rank",
    instant: "Enabling instant teleportation",
    pawns: "allowing pawns to teleport using Catapults",
    promote: "Allowing pawn promotion to a Catapult",
    third: "Adding a third Catapult for each player",
};
/** Details of this project that the description of a rule lacks. */
const DETAILS: Record<string, string> = { third: ", the third on d1 and d8" };

/** Radio buttons for the games, and checkboxes for a game's optional rules. `unfolded` shows the checkboxes at once. */
export function gameChoice(games: GameAbout[], variant: string, changed: (variant: string) => void, unfolded = false): { element: HTMLElement; variant: () => string } {
    let [game = "chesspp", ...options] = variant.split("+");
    if (!games.some(({ name }) => name === game)) [game, options] = ["chesspp", []];
    const about = h("p", { class: "about" });
    const list = h("fieldset", { class: "options" }, h("legend", {}, "Proposals of Rajdeep Das, quoted, and how this page plays them"));
    const boxes = h("details", { open: unfolded || options.length > 0 }, h("summary", {}, "Optional rules"), list);
    const current = (): string => [game, ...options].join("+");
    const proposals = games.find(({ options }) => options.length)?.options ?? [];
    const order = proposals.map(([name]) => name);
    const show = (): void => {
        const chosen = games.find(({ name }) => name === game)!;
        about.textContent = chosen.about;
        boxes.hidden = !chosen.options.length;
    };
    for (const [name, words] of proposals) {
        const quote = PROPOSED[name] ? ` “${PROPOSED[name]}”:` : "";
        list.append(checkbox(h("span", {}, h("b", {}, `+${name}`), `${quote} ${words}${DETAILS[name] ?? ""}`), (checked) => {
            const others = options.filter((one) => !order.includes(one));
            options = [...order.filter((one) => (one === name ? checked : options.includes(one))), ...others];
            changed(current());
        }, { name: `option-${name}`, checked: options.includes(name) }));
    }
    const rest = options.filter((one) => !order.includes(one));
    const more = h("p", { class: "hint" }, rest.length ? `Also ${rest.map((one) => `+${one}`).join(", ")}. ` : "", unfolded ? null : h("a", { href: "#lab" }, "More options: Rules lab"));
    list.after(more);
    const group = `game-${Math.random().toString(36).slice(2)}`;
    const radios = games.map(({ name }) => {
        const radio = h("input", { type: "radio", name: group, value: name, checked: name === game });
        radio.addEventListener("change", () => {
            game = name;
            if (name !== "chesspp") {
                options = [];
                if (rest.length) replace(more);
                for (const box of boxes.querySelectorAll("input")) box.checked = false;
            }
            show();
            changed(current());
        });
        return h("label", { class: "pill" }, radio, h("span", {}, TITLES[name] ?? name));
    });
    show();
    return { element: h("div", { class: "game-choice" }, h("div", { class: "pills", role: "radiogroup", "aria-label": "Game" }, ...radios), about, boxes), variant: current };
}
