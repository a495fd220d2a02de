// The board of every game as SVG, in layers: squares, objects below the pieces, pieces, and hints.

import { button, h, replace, say, svg } from "./dom";
import { catapult, kindOf, picture, piece, portal, sideOf } from "./pieces";
import type { Legal, Side, State } from "./types";
import { choiceInWords, inOrder, promotion, squareInWords, squareIndex, squareName, whyNotCastle } from "./words";

export interface Arrow {
    from: number;
    to: number;
    /** Opacity from 0 to 1. */
    weight: number;
    kind: "best" | "prior" | "hint";
}

interface BoardOptions {
    label: string;
    /** Called with the text of a legal move. */
    onmove?: (text: string) => void;
    /** Called with the reason why castling, or a catapult move in check, is not legal, after an attempt. */
    onrefused?: (words: string) => void;
    /** True if the user moves for the side to move. */
    may?: (state: State) => boolean;
    /** Called with every clicked square, in place of moving pieces. */
    onsquare?: (square: number) => void;
    /** Hides the coordinates and removes the board from the tab order, for small boards. */
    bare?: boolean;
    /** Makes the board a picture for screen readers: its squares have no names and no focus. */
    picture?: boolean;
}

const SIZE = 100;
/** Distance in pixels from which a press becomes a drag. */
const DRAG = 6;

export class Board {
    readonly element: HTMLElement;
    private readonly canvas: SVGSVGElement;
    private readonly layers: Record<"squares" | "marks" | "frames" | "names" | "pieces" | "above" | "focus", SVGGElement>;
    private readonly menu: HTMLElement;
    private state: State | null = null;
    private bottom: Side = "white";
    /** The selected square and the selected member of its stack. */
    private chosen: { square: number; piece?: string } | null = null;
    private choices: Legal[] = [];
    private hovered: number | null = null;
    /** The square of the keyboard cursor. */
    private cursor = 0;
    /** True if the pointer set the cursor. Arrow keys then step through the game, unless a piece is selected. */
    private pointed = false;
    private press: { square: number; x: number; y: number; pointer: number; ghost: SVGGElement | null; fresh: boolean } | null = null;
    private arrows: Arrow[] = [];
    private heat: Map<number, number> = new Map();

    constructor(private readonly options: BoardOptions) {
        const layer = (name: string, role?: string): SVGGElement => svg("g", { class: `layer-${name}`, role, "aria-hidden": !role && "true" });
        this.layers = { squares: layer("squares", "presentation"), marks: layer("marks"), frames: layer("frames"), names: layer("names"), pieces: layer("pieces"), above: layer("above"), focus: layer("focus") };
        const markers = svg("defs", {}, ...(["best", "prior", "hint"] as const).map((kind) => svg("marker", { id: `head-${kind}`, class: `head ${kind}`, viewBox: "0 0 10 10", refX: 5, refY: 5, markerWidth: 2.6, markerHeight: 2.6, orient: "auto" }, svg("path", { d: "M0 0l10 5-10 5z" }))));
        this.canvas = svg("svg", { class: "board", role: options.picture ? "img" : "grid", "aria-label": options.label }, markers, ...Object.values(this.layers));
        this.menu = h("div", { class: "choices", role: "group", "aria-label": "Which move?", hidden: true });
        this.element = h("div", { class: "board-box" }, this.canvas, this.menu);
        this.canvas.addEventListener("pointerdown", (event) => this.pressed(event));
        this.canvas.addEventListener("pointermove", (event) => this.moved(event));
        this.canvas.addEventListener("pointerup", (event) => this.released(event));
        // A tap's click comes later. It would press a button of the list that the tap has opened.
        this.canvas.addEventListener("touchend", (event) => !this.menu.hidden && event.cancelable && event.preventDefault());
        this.canvas.addEventListener("pointercancel", (event) => event.pointerId === this.press?.pointer && this.endDrag());
        this.canvas.addEventListener("pointerleave", () => this.hover(null));
        this.canvas.addEventListener("keydown", (event) => this.key(event));
        this.menu.addEventListener("keydown", (event) => this.menuKey(event));
    }

    /** Shows a position. A piece that has just moved slides to its square. */
    show(state: State, slide = true): void {
        const before = this.state;
        const resized = before?.files !== state.files || before.ranks !== state.ranks;
        this.state = state;
        this.chosen = null;
        this.closeMenu();
        this.endDrag();
        if (resized) {
            this.cursor = this.bottom === "white" ? 0 : state.files * state.ranks - 1;
            this.layout();
        }
        this.draw();
        if (slide && before && !resized && state.last && state.history.length === before.history.length + 1) this.slide(state);
    }

    flip(bottom: Side): void {
        if (this.bottom === bottom) return;
        this.bottom = bottom;
        this.layout();
        this.draw();
    }

    /** Arrows and shades for the moves of a search. */
    annotate(arrows: Arrow[], heat: Map<number, number> = new Map()): void {
        this.arrows = arrows;
        this.heat = heat;
        this.draw();
    }

    private focus(): void {
        this.square(this.cursor)?.focus();
    }

    /** The drawing, in squares of side 100. */
    get drawing(): SVGSVGElement {
        return this.canvas;
    }

    private get live(): boolean {
        return !!this.state && !!this.options.onmove && (this.options.may?.(this.state) ?? true);
    }

    private place(square: number): [x: number, y: number] {
        const { files, ranks } = this.state!;
        const [file, rank] = [square % files, Math.floor(square / files)];
        return this.bottom === "white" ? [file * SIZE, (ranks - 1 - rank) * SIZE] : [(files - 1 - file) * SIZE, rank * SIZE];
    }

    private centre(square: number): [x: number, y: number] {
        const [x, y] = this.place(square);
        return [x + SIZE / 2, y + SIZE / 2];
    }

    private square(square: number): SVGGElement | null {
        return this.layers.squares.querySelector(`[data-square="${square}"]`);
    }

    /** Draws the squares, which stay while their contents change. */
    private layout(): void {
        const state = this.state;
        if (!state) return;
        const { files, ranks } = state;
        this.canvas.setAttribute("viewBox", `0 0 ${files * SIZE} ${ranks * SIZE}`);
        this.element.dataset["files"] = String(files);
        this.element.dataset["ranks"] = String(ranks);
        const rows: SVGGElement[] = [];
        const names: SVGTextElement[] = [];
        for (let row = 0; row < ranks; row++) {
            const cells: SVGGElement[] = [];
            for (let column = 0; column < files; column++) {
                const rank = this.bottom === "white" ? ranks - 1 - row : row;
                const file = this.bottom === "white" ? column : files - 1 - column;
                const square = rank * files + file;
                const shade = (rank + file) % 2 ? "light" : "dark";
                const [x, y] = [column * SIZE, row * SIZE];
                const cell = svg("g", { role: this.options.picture ? null : "gridcell", tabindex: this.options.picture ? null : -1, "data-square": square, "data-name": squareName(square, files), class: `square ${shade}` }, svg("rect", { x, y, width: SIZE, height: SIZE }));
                if (column === 0) names.push(svg("text", { class: `coordinate ${shade}`, x: x + 13, y: y + 27 }, rank + 1));
                if (row === ranks - 1) names.push(svg("text", { class: `coordinate ${shade}`, x: x + SIZE - 13, y: y + SIZE - 14, "text-anchor": "end" }, squareName(file, files).charAt(0)));
                cell.addEventListener("focus", () => {
                    this.cursor = square;
                    this.pointed &&= !cell.matches(":focus-visible");
                    this.hover(square);
                    // The focus layer is drawn last, so that a catapult's frame does not hide it.
                    if (cell.matches(":focus-visible")) replace(this.layers.focus, ...["outer", "inner"].map((name) => svg("rect", { class: name, x: x + 5, y: y + 5, width: SIZE - 10, height: SIZE - 10, rx: 6 })));
                });
                cell.addEventListener("blur", () => replace(this.layers.focus));
                cells.push(cell);
            }
            rows.push(svg("g", { role: this.options.picture ? null : "row" }, ...cells));
        }
        const had = this.layers.squares.contains(document.activeElement);
        replace(this.layers.squares, ...rows);
        replace(this.layers.focus);
        if (had) this.focus();
        replace(this.layers.names, ...(this.options.bare ? [] : names));
    }

    private draw(): void {
        const state = this.state;
        if (!state) return;
        const { marks, frames, pieces } = this.layers;
        const mark = (square: number, kind: string): SVGRectElement => {
            const [x, y] = this.place(square);
            return svg("rect", { class: `mark ${kind}`, x, y, width: SIZE, height: SIZE });
        };
        const marked: SVGElement[] = [];
        for (const [square, share] of this.heat) {
            const shade = mark(square, "heat");
            shade.setAttribute("fill-opacity", String(Math.min(0.85, share)));
            marked.push(shade);
        }
        const { last } = state;
        if (last) {
            const squares = [last.from, last.via, last.to, last.push].filter((square) => square !== undefined);
            for (const square of new Set(squares)) marked.push(mark(square, "last"));
        }
        if (state.check) {
            const king = state.side === "white" ? "K" : "k";
            for (const [square, { pieces }] of Object.entries(state.board)) if (pieces?.includes(king)) marked.push(mark(Number(square), "check"));
        }
        if (this.chosen) marked.push(mark(this.chosen.square, "chosen"));
        const first = /@([a-l]\d+)$/.exec(state.fen)?.[1];
        replace(marks, ...marked);

        const below: SVGElement[] = [];
        const upon: SVGElement[] = [];
        for (const [key, { pieces: letters, frame }] of Object.entries(state.board)) {
            const square = Number(key);
            const [x, y] = this.place(square);
            if (frame) {
                const drawn = frame.what === "portal" ? portal(frame.side, x, y) : catapult(frame.side, frame.what === "fresh", x, y);
                drawn.dataset["on"] = key;
                below.push(drawn);
            }
            const stack = letters ?? "";
            [...stack].forEach((letter, index) => {
                const kind = kindOf(letter, state.variant);
                // Two pieces on a square are smaller: the earlier one at the lower left, the later one at the upper
                // right.
                const [dx, dy, size] = stack.length === 1 ? [5, 4, 90] : index === 0 ? [1, 38, 62] : [37, 1, 62];
                const drawn = piece(kind, sideOf(letter), x + dx, y + dy, size);
                drawn.dataset["on"] = key;
                if (this.chosen?.square === square && stack.length === 2 && this.chosen.piece === letter.toUpperCase()) drawn.classList.add("picked");
                upon.push(drawn);
            });
        }
        if (first) below.push(svg("g", { class: "pending" }, portal(state.side, ...this.place(squareIndex(first, state.files)))));
        replace(frames, ...below);
        replace(pieces, ...upon);
        if (this.chosen && this.press?.ghost) this.dragged(this.press.square)?.classList.add("lifted");
        this.drawAbove(state);
        this.tell(state);
    }

    /** Draws the layer above the pieces. The dragged piece belongs to it. */
    private drawAbove(state: State): void {
        const ghost = this.chosen && this.press?.ghost;
        replace(this.layers.above, ...this.links(state), ...this.offers(state), ...this.arrows.map((arrow) => this.arrow(arrow)), ghost);
    }

    /** The drawing of the piece that a drag from the square moves. Undefined if only a catapult is there. */
    private dragged(square: number): SVGGElement | undefined {
        const drawn = [...this.layers.pieces.querySelectorAll<SVGGElement>(`[data-on="${square}"]`)];
        return drawn.find((one) => one.classList.contains("picked")) ?? drawn.pop();
    }

    /** Updates the text of every square for screen readers, and the tab stop of the keyboard cursor. */
    private tell(state: State): void {
        if (this.options.picture) return;
        const targets = new Set(this.targets().map((move) => move.to));
        for (const cell of this.layers.squares.querySelectorAll<SVGGElement>(".square")) {
            const square = Number(cell.dataset["square"]);
            let words = squareInWords(square, state.board[square], state);
            if (this.chosen?.square === square) words += ", chosen";
            if (targets.has(square)) words += ", can be reached";
            cell.setAttribute("aria-label", words);
            cell.setAttribute("tabindex", square === this.cursor && !this.options.bare ? "0" : "-1");
            if (this.chosen) cell.setAttribute("aria-selected", String(this.chosen.square === square));
            else cell.removeAttribute("aria-selected");
        }
    }

    /** Arcs from a hovered catapult or portal to its partners. */
    private links(state: State): SVGElement[] {
        const at = this.hovered ?? this.chosen?.square ?? null;
        const frame = at === null ? undefined : state.board[at]?.frame;
        // For a selected square, `offers` draws the arcs of its teleports.
        if (at === null || !frame || this.chosen?.square === at) return [];
        const partners = Object.entries(state.board).filter(([square, { frame: theirs }]) => Number(square) !== at && theirs?.side === frame.side);
        return partners.map(([square]) => svg("path", { class: `link ${frame.side}`, d: this.arc(at, Number(square)) }));
    }

    private arc(from: number, to: number, bend = 0.18): string {
        const [x1, y1] = this.centre(from);
        const [x2, y2] = this.centre(to);
        const [mx, my] = [(x1 + x2) / 2, (y1 + y2) / 2];
        // The curve always bends upwards, so that it looks like a throw.
        const sign = x2 >= x1 ? 1 : -1;
        return `M${x1} ${y1}Q${mx + (y2 - y1) * bend * sign} ${my - (x2 - x1) * bend * sign} ${x2} ${y2}`;
    }

    private arrow({ from, to, weight, kind }: Arrow): SVGElement {
        const [x1, y1] = this.centre(from);
        const [x2, y2] = this.centre(to);
        const length = Math.hypot(x2 - x1, y2 - y1) || 1;
        const short = 1 - 26 / length;
        const d = from === to ? `M${x1 - 24} ${y1 + 24}L${x1} ${y1}` : `M${x1} ${y1}L${x1 + (x2 - x1) * short} ${y1 + (y2 - y1) * short}`;
        return svg("path", { class: `arrow ${kind}`, d, "stroke-width": 5 + 9 * weight, "stroke-opacity": 0.3 + 0.5 * weight, "marker-end": `url(#head-${kind})` });
    }

    /** Legal moves of the selection. Without a selection, the legal placements. */
    private targets(): Legal[] {
        if (!this.state || !this.live) return [];
        const { chosen } = this;
        if (!chosen) return this.state.moves.filter((move) => move.kind === "drop");
        return this.state.moves.filter((move) => move.from === chosen.square && (!chosen.piece || move.piece === chosen.piece));
    }

    private offers(state: State): SVGElement[] {
        if (this.choices.length) {
            const pushes = this.choices.map((move) => move.push).filter((square) => square !== undefined);
            return [...new Set(pushes)].map((square) => {
                const [x, y] = this.centre(square);
                return svg("circle", { class: "target push", cx: x, cy: y, r: 20 });
            });
        }
        const drawn: SVGElement[] = [];
        const byTarget = new Map<number, Legal[]>();
        for (const move of this.targets()) {
            if (move.to === undefined) continue;
            byTarget.set(move.to, [...(byTarget.get(move.to) ?? []), move]);
        }
        for (const [square, moves] of byTarget) {
            const [x, y] = this.centre(square);
            const thrown = moves.find((move) => move.kind === "teleport" || move.kind === "instant");
            if (thrown?.from !== undefined) {
                if (thrown.via !== undefined) {
                    const [vx, vy] = this.centre(thrown.via);
                    drawn.push(svg("path", { class: "throw step", d: `M${this.centre(thrown.from).join(" ")}L${vx} ${vy}` }));
                }
                drawn.push(svg("path", { class: "throw", d: this.arc(thrown.via ?? thrown.from, square) }));
            }
            const occupied = !!state.board[square]?.pieces;
            if (moves.some((move) => move.captures) && occupied) drawn.push(svg("circle", { class: "target capture", cx: x, cy: y, r: 43 }));
            else drawn.push(svg("circle", { class: `target ${occupied ? "capture join" : moves.every((move) => move.captures) ? "takes" : ""}`, cx: x, cy: y, r: occupied ? 43 : 15 }));
            if (moves.some((move) => move.catapults)) {
                drawn.push(svg("path", { class: "target-catapult", d: `M${x + 22} ${y - 46}h24v24h-24zM${x + 18} ${y - 18}l32-32` }));
            }
        }
        return drawn;
    }

    /**
     * Animates the piece on `to`, or the catapult if there is no piece, from `from` to `to`. A
     * thrown piece follows a teleport's arc. `duration` is in milliseconds. 0 shows only the arc.
     */
    travel(from: number, to: number, thrown: boolean, duration: number): void {
        if (thrown) this.layers.above.append(svg("path", { class: "throw", d: this.arc(from, to) }));
        const at = `[data-on="${to}"]`;
        const moved = this.layers.pieces.querySelector<SVGGElement>(at) ?? this.layers.frames.querySelector<SVGGElement>(at);
        if (!moved || !duration) return;
        const [[x1, y1], [x2, y2]] = [this.place(from), this.place(to)];
        const [, bx = 0, by = 0] = /Q(\S+) (\S+)/.exec(this.arc(from, to))?.map(Number) ?? [];
        const [cx, cy] = thrown ? [bx - SIZE / 2, by - SIZE / 2] : [(x1 + x2) / 2, (y1 + y2) / 2];
        const frames = Array.from({ length: 21 }, (_, n) => {
            const [t, u] = [n / 20, 1 - n / 20];
            return { transform: `translate(${u * u * x1 + 2 * u * t * cx + t * t * x2 - x2}px, ${u * u * y1 + 2 * u * t * cy + t * t * y2 - y2}px)` };
        });
        const wrapper = svg("g", {});
        moved.replaceWith(wrapper);
        wrapper.append(moved);
        wrapper.animate(frames, { duration, easing: "ease-in-out" });
    }

    private slide(state: State): void {
        const last = state.last;
        if (last?.from === undefined || last.to === undefined || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
        const moved = [...this.layers.pieces.querySelectorAll<SVGGElement>(`[data-on="${last.to}"]`)].pop();
        if (!moved || last.kind === "catapult") return;
        const [x1, y1] = this.place(last.from);
        const [x2, y2] = this.place(last.to);
        // The wrapper slides, so that the piece keeps its own transform.
        const wrapper = svg("g", {});
        moved.replaceWith(wrapper);
        wrapper.append(moved);
        wrapper.animate([{ transform: `translate(${x1 - x2}px, ${y1 - y2}px)` }, { transform: "none" }], { duration: 160, easing: "ease-out" });
    }

    private hover(square: number | null): void {
        if (this.hovered === square) return;
        const linked = (at: number | null): boolean => at !== null && !!this.state?.board[at]?.frame;
        const redraw = linked(this.hovered) || linked(square);
        this.hovered = square;
        if (redraw && this.state) this.drawAbove(this.state);
    }

    private at(event: PointerEvent): number | null {
        const state = this.state;
        if (!state) return null;
        const box = this.canvas.getBoundingClientRect();
        const column = Math.floor(((event.clientX - box.left) / box.width) * state.files);
        const row = Math.floor(((event.clientY - box.top) / box.height) * state.ranks);
        if (column < 0 || row < 0 || column >= state.files || row >= state.ranks) return null;
        return this.bottom === "white" ? (state.ranks - 1 - row) * state.files + column : row * state.files + state.files - 1 - column;
    }

    private pressed(event: PointerEvent): void {
        if (event.button !== 0 || !event.isPrimary) return;
        const square = this.at(event);
        if (this.options.onsquare) {
            if (square !== null) this.options.onsquare((this.cursor = square));
            return;
        }
        this.pointed = true;
        if (square === null || !this.live) return;
        this.cursor = square;
        const was = this.chosen;
        const starts = this.state!.moves.some((move) => move.from === square);
        const aims = !!was && this.targets().some((move) => move.to === square);
        // A press on a movable piece selects it at once, so that a drag shows its destinations.
        const fresh = starts && !aims && was?.square !== square && !this.choices.length;
        this.press = { square, x: event.clientX, y: event.clientY, pointer: event.pointerId, ghost: null, fresh };
        if (fresh) this.choose(square);
    }

    private moved(event: PointerEvent): void {
        // Another finger drags nothing.
        if (this.press && event.pointerId !== this.press.pointer) return;
        const square = this.at(event);
        if (event.pointerType === "mouse") this.hover(square);
        // The button was released outside the board.
        if (event.pointerType === "mouse" && !event.buttons) return this.endDrag();
        const press = this.press;
        if (!press || !this.chosen || this.chosen.square !== press.square) return;
        if (!press.ghost) {
            if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAG) return;
            this.canvas.setPointerCapture(press.pointer);
            const own = this.dragged(press.square);
            const frame = this.state!.board[press.square]?.frame;
            press.ghost = svg("g", { class: "ghost" }, own ? own.cloneNode(true) : frame ? catapult(frame.side, frame.what === "fresh", ...this.place(press.square)) : null);
            own?.classList.add("lifted");
            this.layers.above.append(press.ghost);
        }
        const box = this.canvas.getBoundingClientRect();
        const scale = (this.state!.files * SIZE) / box.width;
        const [cx, cy] = this.centre(press.square);
        press.ghost.setAttribute("transform", `translate(${(event.clientX - box.left) * scale - cx} ${(event.clientY - box.top) * scale - cy})`);
    }

    private released(event: PointerEvent): void {
        const press = this.press;
        if (press?.pointer !== event.pointerId || !this.state) return;
        const dragged = !!press.ghost;
        this.endDrag();
        const square = this.at(event);
        if (dragged) {
            if (square === null || square === press.square || !this.aim(square)) {
                if (square !== null) this.explain(square);
                this.draw();
            }
            return;
        }
        if (square !== press.square || press.fresh) return;
        this.click(square);
    }

    private endDrag(): void {
        this.press?.ghost?.remove();
        this.press = null;
        for (const lifted of this.layers.pieces.querySelectorAll(".lifted")) lifted.classList.remove("lifted");
    }

    /** Handles a click, or Enter on a square. */
    private click(square: number): void {
        if (this.options.onsquare) return this.options.onsquare(square);
        if (!this.state || !this.live) return;
        if (this.choices.length) {
            const pushed = this.choices.filter((move) => move.push === square);
            if (pushed.length === 1) return this.play(pushed[0]!);
            this.closeMenu();
            this.chosen = null;
            return this.draw();
        }
        if (this.aim(square)) return;
        this.explain(square);
        if (this.chosen?.square === square) {
            const next = this.members(square);
            const at = next.indexOf(this.chosen.piece ?? "");
            this.chosen = at >= 0 && at + 1 < next.length ? { square, piece: next[at + 1] } : null;
            return this.draw();
        }
        this.choose(square);
    }

    /** Reports the reason if the selected king may not castle to the square. */
    private explain(square: number): void {
        const words = this.state && this.chosen && whyNotCastle(this.state, this.chosen.square, square);
        if (words) this.options.onrefused?.(words);
    }

    /** Announces the selected piece to screen readers. */
    private sayChosen(): void {
        const { state, chosen } = this;
        if (!state || !chosen || this.choices.length) return;
        const what = chosen.piece ? kindOf(chosen.piece, state.variant) : squareInWords(chosen.square, state.board[chosen.square], state);
        const squares = new Set(this.targets().map((move) => move.to)).size;
        say(`${what} chosen, ${squares} ${squares === 1 ? "square" : "squares"} can be reached`);
    }

    /** The members of a stack that may move, the later one first. */
    private members(square: number): string[] {
        const letters = [...(this.state?.board[square]?.pieces ?? "")].map((letter) => letter.toUpperCase()).reverse();
        if (letters.length < 2 || letters[0] === letters[1]) return [];
        return letters.filter((letter) => this.state?.moves.some((move) => move.from === square && move.piece === letter));
    }

    private choose(square: number): void {
        const { moves, check, side, board } = this.state!;
        const can = moves.some((move) => move.from === square);
        const { frame, pieces } = board[square] ?? {};
        if (moves.length && !can && check && !pieces && frame?.side === side && frame.what !== "portal") this.options.onrefused?.("In check you may not move a catapult (rule 5).");
        this.chosen = can ? { square, piece: this.members(square)[0] } : null;
        this.draw();
    }

    /** Plays the move to a square, or offers a choice of several. Returns false if there is none. */
    private aim(square: number): boolean {
        const moves = this.targets().filter((move) => move.to === square);
        if (!moves.length) return false;
        if (moves.length === 1) this.play(moves[0]!);
        else this.ask(moves, square);
        return true;
    }

    private play(move: Legal): void {
        this.chosen = null;
        this.closeMenu();
        this.draw();
        this.options.onmove?.(move.text);
    }

    /** Offers a choice of several moves to a square. Buttons beside the square name their differences. */
    private ask(moves: Legal[], square: number): void {
        const state = this.state!;
        this.choices = moves;
        const buttons = inOrder(moves).map((move) => {
            const words = choiceInWords(move, moves, state.variant, state.files);
            const label = button("", () => this.play(move), { "data-move": move.text });
            if (move.promotion) label.append(picture(promotion(move.promotion, state.variant), state.side));
            label.append(words);
            return label;
        });
        const cancel = button("Cancel", () => this.cancel(), { class: "quiet" });
        replace(this.menu, ...buttons, cancel);
        this.menu.hidden = false;
        const [x, y] = this.centre(square);
        const right = x > (state.files * SIZE) / 2;
        const low = y > (state.ranks * SIZE) / 2;
        const percent = (value: number, whole: number): string => `${(value / (whole * SIZE)) * 100}%`;
        const style = this.menu.style;
        style.left = right ? "auto" : percent(x, state.files);
        style.right = right ? percent(state.files * SIZE - x, state.files) : "auto";
        style.top = low ? "auto" : percent(y, state.ranks);
        style.bottom = low ? percent(state.ranks * SIZE - y, state.ranks) : "auto";
        this.draw();
        buttons[0]?.focus();
    }

    private closeMenu(): void {
        this.choices = [];
        if (this.menu.hidden) return;
        const had = this.menu.contains(document.activeElement);
        this.menu.hidden = true;
        replace(this.menu);
        if (had) this.focus();
    }

    private cancel(): void {
        this.chosen = null;
        this.closeMenu();
        this.draw();
        this.focus();
    }

    private menuKey(event: KeyboardEvent): void {
        const buttons = [...this.menu.querySelectorAll("button")];
        const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
        const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
        if (event.key === "Escape") this.cancel();
        else if (step) buttons[(at + step + buttons.length) % buttons.length]?.focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    private key(event: KeyboardEvent): void {
        const state = this.state;
        if (!state || event.ctrlKey || event.metaKey || event.altKey) return;
        if (this.pointed && !this.chosen && event.key.startsWith("Arrow")) return;
        const { files, ranks } = state;
        // From the view of White.
        const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], Home: [-files, 0], End: [files, 0] }[event.key];
        if (step) {
            const forward = this.bottom === "white" ? 1 : -1;
            const file = Math.min(files - 1, Math.max(0, (this.cursor % files) + forward * step[0]!));
            const rank = Math.min(ranks - 1, Math.max(0, Math.floor(this.cursor / files) + forward * step[1]!));
            this.cursor = rank * files + file;
            this.tell(state);
            this.focus();
        } else if (event.key === "Enter" || event.key === " ") {
            this.click(this.cursor);
            this.sayChosen();
        } else if (event.key === "Escape") this.cancel();
        else return;
        event.preventDefault();
        event.stopPropagation();
    }
}
