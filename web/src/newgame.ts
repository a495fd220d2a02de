// The dialog for a new game.

import { gameChoice } from "./choose";
import { games } from "./client";
import { button, dialog, field, h, message, replace, select } from "./dom";
import { type Played, isHuman, loaded } from "./played";
import { SERVED, hello, networkName, networksFor, signedIn } from "./server";
import { LEVELS, RATINGS, STRENGTHS, budget, load, save, strength } from "./settings";
import type { Side } from "./types";
import { other } from "./words";

/**
 * Asks for the rules and the players of a new game. `onBoard` returns the game on the board. `left` returns
 * true once the page has been left. Then no dialog opens.
 */
export async function newGame(onBoard: () => Played, begin: (next: Played) => void, left: () => boolean): Promise<void> {
    const all = await games();
    const game = onBoard();
    const choice = gameChoice(all, game.variant, () => showNetworks());
    const wasHotSeat = isHuman(game, "white") && isHuman(game, "black");
    // If the server does not respond, the dialog offers only the browser's players.
    const offered = SERVED ? await hello().catch(() => null) : null;
    if (left()) return;
    const last = strength(game[isHuman(game, "white") ? "black" : "white"]);
    let against = wasHotSeat ? "human" : last.server && offered ? "server" : last.depth ? "alphabeta" : "network";
    const kept = load("strength", "beginner");
    let level = kept in STRENGTHS ? kept : "custom";
    let colour = isHuman(game, "white") ? "white" : isHuman(game, "black") ? "black" : "neither";
    const amount = h("input", { type: "number", min: 1, max: 1000000, value: level === "custom" ? kept.slice(1) : "400", "aria-label": "How many" });
    const unit = select([["n", "simulations"], ["s", "seconds"]], level === "custom" ? kept.charAt(0) : "n", () => {}, { "aria-label": "Of what" });
    const custom = h("div", { class: "row", hidden: level !== "custom" }, amount, unit);
    let depth = String(Math.min(3, last.depth ?? 2));
    const ofNetwork = h(
        "div",
        { class: "stack" },
        field("Strength", select([...LEVELS, ["custom", "Set by hand…"]], level, (value) => {
            level = value;
            custom.hidden = value !== "custom";
        }, { id: "strength" })),
        custom,
    );
    const ofAlphaBeta = field("Looks ahead", select(["1", "2", "3"].map((turns) => [turns, budget(strength(`a${turns}`))]), depth, (value) => (depth = value), { id: "turns" }), "It counts pieces and the squares that they reach; three turns may take long on large boards.");
    const colours = field("You play", select([["white", "White"], ["black", "Black"], ["random", "Either, at random"], ["neither", "Neither: watch"]], colour, (value) => (colour = value), { id: "colour" }));
    let thinks = "s5";
    const networks = h("select", { id: "server-network" });
    const ofServer = h(
        "div",
        { class: "stack" },
        field("Network", networks),
        field("Thinks for", select(["s1", "s5", "s15", "n400", "n3200"].map((one) => [one, budget(strength(one))]), thinks, (value) => (thinks = value), { id: "server-budget" })),
    );
    /** The server's networks that know the game. */
    function showNetworks(): void {
        replace(networks, ...networksFor(offered, choice.variant()).map(({ id }) => h("option", { value: id }, networkName(id))));
    }
    showNetworks();
    if (last.server) networks.value = last.server;
    const signIn = async (): Promise<boolean> => {
        const now = await signedIn();
        if (now && offered) offered.networks = now.networks;
        showNetworks();
        return !!now;
    };
    const rated = h("p", { class: "hint" }, RATINGS);
    const showOptions = (): void => {
        rated.hidden = against !== "network";
        ofServer.hidden = against !== "server";
        ofNetwork.hidden = against !== "network";
        ofAlphaBeta.hidden = against !== "alphabeta";
        colours.hidden = against === "human";
    };
    showOptions();
    const goOn = h("input", { type: "checkbox", id: "go-on", disabled: !game.moves.length && !game.start });
    const fen = h("input", { type: "text", placeholder: "the game's own start", spellcheck: "false", autocomplete: "off" });
    const problem = h("p", { class: "problem", role: "alert" });
    const start = async (): Promise<void> => {
        const isBlack = colour === "black" || (colour === "random" && Math.random() < 0.5);
        const bottom: Side = isBlack ? "black" : "white";
        const id = level === "custom" ? unit.value + Math.max(1, Number(amount.value) || 1) : level;
        let from: Played | null;
        try {
            if (against === "server" && !networks.value && !(await signIn())) throw new Error("The server's networks need its token.");
            if (against === "server" && !networks.value) throw new Error("Choose a network of the server.");
            from = goOn.checked ? onBoard() : await loaded(fen.value, { ...onBoard(), variant: choice.variant() });
        } catch (error) {
            problem.textContent = message(error);
            return;
        }
        if (!from) return;
        const next: Played = { ...from, white: "human", black: "human", names: [], tags: undefined, bottom: against === "human" ? "white" : bottom, resigned: null, mail: undefined, challenge: undefined, fair: !from.start && !from.moves.length };
        const players: Record<string, string> = { network: id, alphabeta: `a${depth}`, server: `v${thinks}:${networks.value}` };
        if (against !== "human") next[other(bottom)] = players[against] ?? id;
        if (against !== "human" && colour === "neither") next[bottom] = next[other(bottom)];
        save("strength", id);
        box.close();
        begin(next);
    };
    const box = dialog(
        "New game",
        choice.element,
        h(
            "div",
            { class: "fields" },
            field("Against", select([["network", "the network"], ["alphabeta", "alpha-beta, without a network"], ["human", "someone on this screen, or myself"], ...(offered ? [["server", "a network on the server"] as [string, string]] : [])], against, (value) => {
                against = value;
                showOptions();
                if (value === "server" && offered?.token && !offered.signed_in) {
                    void signIn().catch((error) => (problem.textContent = message(error)));
                }
            }, { id: "against" })),
            ofServer,
            ofNetwork,
            ofAlphaBeta,
            colours,
        ),
        rated,
        h("details", {}, h("summary", {}, "From another position"), h("p", {}, h("a", { href: "#editor" }, "Set it up in the board editor"), ", or paste it."), h("label", { class: "check" }, goOn, h("span", {}, "Continue the game on the board, with other players")), field("FEN, PGN or moves", fen)),
        offered?.results ? h("p", { class: "hint" }, "This server records results of games against the computer: rules, level, colour, result and number of plies. It stores no name and no address.") : null,
        problem,
        h("div", { class: "row end" }, button("Cancel", () => box.close()), button("Start", () => void start(), { class: "primary", id: "start" })),
    );
}
