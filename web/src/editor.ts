// The board editor: pieces, catapults and portals by click, a FEN in and out, and pictures of the board.

import { Board } from "./board";
import { TITLES, title } from "./choose";
import { games, state as stateOf } from "./client";
import { boardPage, button, checkbox, copy, field, h, message, renew, replace, select } from "./dom";
import { pictureButtons } from "./diagram";
import { type Place, rewritePlace, writePlace } from "./link";
import { kindOf, picture, sideOf } from "./pieces";
import type { Page } from "./play";
import { type Squares, pictured, readSquares, writeFen } from "./position";
import { completeFen } from "./read";
import type { Frame, GameAbout, GameText, Side, Square } from "./types";
import { capital, outcomeInWords, toMove } from "./words";

type Tool = { erase: true } | { letter: string } | { frame: Frame };

export function editorPage(place: Place): Page {
    let all: GameAbout[] = [];
    let variant = "chesspp";
    let fen = "";
    /** FEN of the variant's start. Empty until it is known. */
    let begins = "";
    let tool: Tool = { letter: "N" };
    let bottom: Side = "white";
    let turn = 0;

    const board = new Board({ label: "Board to edit", onsquare: (square) => put(square) });
    const heading = h("h2", {});
    const status = h("p", { class: "status", id: "editor-status", role: "status" });
    const palette = h("div", { class: "palette", role: "group", "aria-label": "What a click puts on the board" });
    const input = h("input", { type: "text", id: "editor-fen", spellcheck: "false", autocomplete: "off" });
    const links = h("div", { class: "row" });
    const toMoveBox = select([["w", "White"], ["b", "Black"]], "w", (side) => change({ side }), { id: "editor-side" });
    const castling = h("div", { class: "row", role: "group", "aria-label": "Castling" });
    const gameBox = h("select", { id: "editor-game", "aria-label": "Game" });
    gameBox.addEventListener("change", () => void begin({ variant: gameBox.value, start: "", moves: [] }));
    input.addEventListener("change", () => load(completeFen(input.value)));

    const game = (): GameAbout | undefined => all.find(({ name }) => name === variant.split("+")[0]);

    /** Changes parts of the FEN. The en-passant square and the counters of the former position are dropped. */
    function change(parts: { board?: Squares; side?: string; castling?: string }): void {
        if (!begins) return;
        const squares = readSquares(fen, variant);
        fen = writeFen(variant, fen, { ...squares, board: parts.board ?? squares.board }, parts.side, parts.castling);
        show();
    }

    function put(square: number): void {
        if (!game()) return;
        const { board: squares } = readSquares(fen, variant);
        const { pieces = "", frame } = squares[square] ?? {};
        let next: Square = { pieces, frame };
        if ("erase" in tool) next = {};
        else if ("frame" in tool) next.frame = frame?.side === tool.frame.side && frame.what === tool.frame.what ? undefined : tool.frame;
        else if (pieces === tool.letter && variant !== "maxim") next.pieces = "";
        // Maxim chess has stacks of two pieces of a side.
        else if (variant === "maxim" && pieces.length === 1 && sideOf(pieces) === sideOf(tool.letter)) next.pieces = pieces + tool.letter;
        else next.pieces = tool.letter;
        squares[square] = next;
        change({ board: squares });
    }

    /** Shows the position, and whether the rules accept it. */
    function show(): void {
        const mine = ++turn;
        board.flip(bottom);
        board.show(pictured(fen, variant), false);
        heading.textContent = title(variant);
        const [, side = "w", rights = "-"] = fen.split(" ");
        input.value = fen;
        toMoveBox.value = side;
        renew(castling, ...(variant === "maxim" ? [] : [..."KQkq"].map((letter) => {
            const words = h("span", {}, `${capital(sideOf(letter))} ${letter.toUpperCase() === "K" ? "short" : "long"}`);
            const toggle = (checked: boolean): void => change({ castling: [..."KQkq"].filter((one) => (one === letter ? checked : rights.includes(one))).join("") });
            return checkbox(words, toggle, { checked: rights.includes(letter), name: `castle-${letter}` });
        })));
        const at: GameText = { variant, start: fen, moves: [] };
        rewritePlace(writePlace("editor", at));
        replace(links);
        stateOf(at).then((state) => {
            if (mine !== turn) return;
            status.textContent = state.outcome ? outcomeInWords(state.outcome, state.variant) : toMove(state);
            status.classList.remove("problem");
            replace(links, h("a", { class: "button primary", id: "editor-play", href: writePlace("play", at) }, "Play from here"), h("a", { class: "button", href: writePlace("analyse", at) }, "Analyse"));
        }, (error) => {
            if (mine !== turn) return;
            status.textContent = message(error);
            status.classList.add("problem");
        });
    }

    function load(text: string): void {
        const about = game();
        if (!about) return;
        const { files, ranks } = readSquares(text, variant);
        if (files !== about.files || ranks !== about.ranks) {
            turn++;
            status.textContent = `The board of this FEN has ${files} files and ${ranks} ranks. ${title(variant)} has ${about.files} and ${about.ranks}.`;
            status.classList.add("problem");
            return;
        }
        fen = text;
        show();
    }

    function drawPalette(): void {
        const frames: Frame["what"][] = variant.startsWith("chesspp") ? ["fresh", "moved"] : variant === "maxim" ? ["portal"] : [];
        type Item = [label: string, tool: Tool, drawing: SVGSVGElement | string];
        const rows = (["white", "black"] as const).map((side) => {
            const tools: Item[] = [];
            for (const [letter] of game()?.pieces ?? []) {
                if (letter === "*") continue;
                const cased = side === "white" ? letter : letter.toLowerCase();
                const kind = kindOf(letter, variant);
                tools.push([`${side} ${kind}`, { letter: cased }, picture(kind, side)]);
            }
            for (const what of frames) tools.push([`${capital(side)}'s ${what === "fresh" ? "fresh catapult" : what === "moved" ? "catapult that has moved" : "portal"}`, { frame: { side, what } }, picture(what === "fresh" ? "catapult" : what, side)]);
            return tools;
        });
        rows[1]!.push(["erase", { erase: true }, "Erase"]);
        const item = ([label, one, drawing]: Item): HTMLElement => {
            const item = h("button", { type: "button", "aria-label": label, title: capital(label), "aria-pressed": String(JSON.stringify(one) === JSON.stringify(tool)) }, drawing);
            item.addEventListener("click", () => {
                tool = one;
                for (const other of palette.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === item));
            });
            return item;
        };
        replace(palette, ...rows.map((tools) => h("div", {}, ...tools.map(item))));
    }

    async function open(from: GameText): Promise<void> {
        const mine = ++turn;
        const start = (await stateOf({ variant: from.variant, start: "", moves: [] })).fen;
        if (mine !== turn) return;
        [variant, begins, fen] = [from.variant, start, start];
        gameBox.value = variant.split("+")[0]!;
        tool = { letter: "N" };
        drawPalette();
        show();
        if (from.start) load(from.start);
    }

    async function begin(from: GameText | null): Promise<void> {
        try {
            all = await games();
            replace(gameBox, ...all.map(({ name }) => h("option", { value: name }, TITLES[name] ?? name)));
            const known = from && all.some(({ name }) => name === from.variant.split("+")[0]) ? from : { variant: "chesspp", start: "", moves: [] };
            // The end of a game with moves. A start that the rules reject can still be edited.
            await open(known.moves.length ? { ...known, start: (await stateOf(known)).fen, moves: [] } : known);
        } catch (error) {
            status.textContent = message(error);
        }
    }
    void begin(place.game);
    return {
        element: boardPage("play editor", "Board editor", [board.element], "Position", [
            h("div", { class: "panel-head" }, heading, gameBox),
            h("p", { class: "hint" }, "Choose a piece, then click squares. A second click removes it. In Maxim chess it makes a stack, and Erase removes both."),
            palette,
            status,
            links,
            h("div", { class: "fields" }, field("To move", toMoveBox), h("div", {}, h("span", { class: "field-label" }, "May still castle"), castling)),
            field("FEN", input, "Paste a FEN here and press Enter."),
            h(
                "div",
                { class: "row tools-row" },
                button("Start position", () => load(begins), { id: "editor-start" }),
                button("Clear", () => {
                    // The catapults that are yet to be placed go, too.
                    fen = fen.split(" ").slice(0, 6).join(" ");
                    change({ board: {}, castling: "" });
                }, { id: "editor-clear" }),
                button("Flip", () => {
                    bottom = bottom === "white" ? "black" : "white";
                    board.flip(bottom);
                }),
                button("Copy FEN", () => void copy(fen, "FEN")),
                ...pictureButtons(board, () => fen),
            ),
        ]),
        close: () => {
            turn++;
        },
        visit: ({ game }) => void begin(game),
    };
}
