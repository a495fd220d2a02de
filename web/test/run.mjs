// Tests the page in a real Chromium. `node test/run.mjs [WORDS]` runs the tests whose names contain the words.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { build } from "esbuild";
import { click, clickMove, equal, findings, game, holds, inPairs, launch, load, middle, runAll, setTheme, until } from "./driver.mjs";
import { INPUTS } from "./inputs.mjs";
import { previewTags } from "../tools/tags.mjs";
import { serve } from "./server.mjs";

const web = join(import.meta.dirname, "..");
const browser = await launch("the page");
const wasm = load();
const host = await serve();
const elsewhere = [];

/** Opens the page in its own browser context, which shares no storage with the others. */
async function visitor(hash = "#play", { url = host.url, storage = {}, width = 1200, height = 1000, features = [], before = null, wait = ".board [data-name]" } = {}) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    page.problems = [];
    page.on("pageerror", (error) => page.problems.push(`error: ${error.message}`));
    page.on("console", (line) => line.type() === "error" && page.problems.push(line.text()));
    page.on("dialog", (dialog) => {
        page.problems.push(`a dialog: ${dialog.message()}`);
        void dialog.dismiss();
    });
    page.on("request", (request) => {
        if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) elsewhere.push(request.url());
    });
    await page.setViewport({ width, height });
    if (features.length) await page.emulateMediaFeatures(features);
    await page.evaluateOnNewDocument((kept) => {
        if (sessionStorage.getItem("begun")) return;
        sessionStorage.setItem("begun", "yes");
        for (const [key, value] of Object.entries(kept)) localStorage.setItem(`catapult.${key}`, JSON.stringify(value));
    }, storage);
    if (before) await page.evaluateOnNewDocument(before);
    await page.goto(url + hash);
    await page.waitForSelector(wait);
    page.leave = async () => {
        const { problems } = page;
        await context.close();
        holds(!problems.length, `the browser complains: ${problems.join("; ")}`);
    };
    return page;
}

const fragment = (page, variant, fen = "", moves = "") => `#${page}?${new URLSearchParams({ game: variant, ...(fen ? { fen } : {}), ...(moves ? { moves } : {}) })}`;
const heard = (page) => page.$eval("#live", (live) => live.textContent);
const statusOf = (page) => page.$eval("#status", (status) => status.textContent);
const played = async (page, count) => until(`${count} moves`, async () => (await game(page)).moves.length >= count);

/** Runs in the page before its script: counts animations in `window.animations`. */
const countAnimations = () => {
    window.animations = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...rest) {
        window.animations++;
        return animate.apply(this, rest);
    };
};

/** Runs in the page before its script: copied texts go to `window.copied`. */
const keepCopies = () => (navigator.clipboard.writeText = async (text) => void (window.copied = text));

async function copyPgn(page) {
    await page.evaluate(() => (window.copied = ""));
    await page.$$eval(".tools-row button", (buttons) => buttons.find((button) => button.textContent === "Copy PGN").click());
    return until("the PGN", () => page.evaluate(() => window.copied));
}

const tests = [];
const test = (name, run) => tests.push([name, run]);
// Slow tests run with --long, or by name.
const words = process.argv.slice(2);
const long = (name, run) => words.length && test(name, run);

test("vectors: the same legal lists in the browser as natively", async () => {
    const lines = (name) => readFileSync(join(web, "..", "crates/rules/tests/data", name), "utf8").trim().split("\n").map((line) => JSON.parse(line));
    const page = await visitor();
    const known = ["chess", "chesspp", "century", "half", "maxim"];
    const vectors = lines("vectors.jsonl").filter(({ variant }) => known.includes(variant.split("+")[0]));
    const refused = lines("refused.jsonl").filter(({ variant }) => known.includes(variant.split("+")[0]));
    const ask = (asked) =>
        page.evaluate(async (asked) => {
            const worker = new Worker("worker.js");
            const call = (message) =>
                new Promise((resolve) => {
                    worker.onmessage = ({ data }) => resolve(data);
                    worker.postMessage({ id: 1, ...message });
                });
            const bytes = new Blob([await (await fetch("catapult.wasm.gz")).arrayBuffer()]).stream().pipeThrough(new DecompressionStream("gzip"));
            await call({ ask: "load", module: await WebAssembly.compile(await new Response(bytes).arrayBuffer()) });
            const answers = [];
            for (const args of asked) answers.push(await call({ ask: "call", name: "after", args }));
            worker.terminate();
            return answers;
        }, asked);
    const sorted = (object) => Object.fromEntries(Object.entries(object).sort());
    let agree = 0;
    let refusals = 0;
    const answers = await ask(vectors.map(({ variant, fen }) => [variant, fen]));
    for (const [index, { variant, fen, check, outcome, after, perft2 }] of vectors.entries()) {
        const answer = answers[index];
        if (answer.error) {
            // Three vectors are invalid positions; a test of the crate `rules` lists them.
            holds(answer.error.includes("side not to move is in check"), `${variant} ${fen}: ${answer.error}`);
            refusals++;
            continue;
        }
        const found = JSON.parse(answer.ok);
        equal({ ...found, after: sorted(found.after) }, { fen, check, outcome, after: sorted(after), perft2 }, `${variant} ${fen}`);
        agree++;
    }
    equal([agree, refusals], [331, 3], "vectors that agree, and that are refused");
    for (const [index, answer] of (await ask(refused.map(({ variant, fen }) => [variant, fen]))).entries()) holds(answer.error?.startsWith("FEN field "), `${refused[index].fen} was not refused`);
    await page.leave();
    return `${agree} positions, ${refused.length} refusals`;
});

/** Returns a function that finds the moves to click, with a network in this process. */
function leader(variant) {
    const path = "models/rules-small.safetensors";
    const mind = new wasm.Engine(variant, path, readFileSync(join(web, "..", path)));
    return (now, nodes) => {
        mind.think(now.start, now.moves.join(" "), JSON.stringify({ nodes }), 0);
        while (mind.step(0));
        return JSON.parse(mind.found()).lines[0].moves[0];
    };
}

/** Plays White by clicks until the game ends. A move returned by `choose` replaces the network's move. */
async function playOut(page, choose, nodes = 150) {
    const lead = leader("chesspp");
    for (;;) {
        const now = await game(page);
        const state = JSON.parse(wasm.state(now.variant, now.start, now.moves.join(" ")));
        if (state.outcome) return state;
        holds(now.moves.length < 400, "the game does not end");
        if (state.side === "black") {
            await played(page, now.moves.length + 1);
            continue;
        }
        let wanted = choose(state);
        if (!wanted) {
            const best = lead(now, nodes);
            wanted = state.moves.find(({ text }) => text === best);
        }
        await clickMove(page, wanted, state.files);
    }
}

/** Seeds the page's random numbers, so that every run with the same WebAssembly plays the same games. */
function seeded() {
    let seed = 7;
    Math.random = () => {
        seed = (seed * 16807) % 2147483647;
        return seed / 2147483647;
    };
}

const AGAINST = { variant: "chesspp", start: "", moves: [], white: "human", black: "beginner", bottom: "white", resigned: null };

test("the computer plays both sides; looking back pauses the game", async () => {
    const page = await visitor("#play");
    await page.click("#new-game");
    await page.waitForSelector("#colour");
    await page.select("#colour", "neither");
    await page.click("#start");
    await played(page, 2);
    equal(await page.$$eval(".player b", (names) => names.map((name) => name.textContent)), ["Network, Beginner", "Network, Beginner"], "players");
    // A click by coordinates could come after the next move has replaced the button.
    await page.$eval(".looking button", (button) => button.click());
    await until("the pause", async () => (await statusOf(page)).endsWith("The game is paused."));
    const count = (await game(page)).moves.length;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    equal((await game(page)).moves.length, count, "moves while paused");
    await page.click(".looking button:last-child");
    await played(page, count + 1);
    await page.leave();
});

long("a whole game of Chess++ from its start by clicks, against the network", async () => {
    const page = await visitor("", { storage: { play: AGAINST }, before: seeded });
    const state = await playOut(page, () => undefined);
    const end = { white: "Checkmate: White wins.", black: "Checkmate: Black wins." }[state.outcome.winner] ?? "A draw";
    await until("the end to be told", async () => (await statusOf(page)).startsWith(end));
    holds((await heard(page)).includes(end), "the end is not told to those who listen");
    await page.leave();
    return `${state.history.length} plies, ${state.outcome.name}`;
});

test("capture of catapults, teleport and promotion in one game by clicks, and mate against the network", async () => {
    const start = "4k3/P4ppp/7R/8/1N6/8/5PPP/B3K3 w - - 0 1 a1g6/d5h6";
    const page = await visitor("", { storage: { play: { ...AGAINST, start } }, before: seeded });
    const wanted = [(move) => move.catapults, (move) => move.kind === "teleport", (move) => move.promotion === "Q"];
    const state = await playOut(page, (state) => {
        const found = wanted[0] && state.moves.find(wanted[0]);
        if (found) wanted.shift();
        return found;
    });
    equal([state.outcome.name, state.outcome.winner, wanted.length], ["checkmate", "white", 0], "the end");
    await until("the end to be told", async () => (await statusOf(page)) === "Checkmate: White wins.");
    await page.leave();
    return `${state.history.length} plies`;
});

test("each special input of each game", async () => {
    const page = await visitor();
    for (const [name, variant, fen, clicks, wanted] of INPUTS) {
        await page.evaluate((hash) => (location.hash = hash), fragment("play", variant, fen));
        let rules;
        try {
            rules = JSON.parse(wasm.state(variant, fen, ""));
        } catch (error) {
            throw new Error(`${name}: ${error}`);
        }
        const pieces = Object.values(rules.board).reduce((sum, { pieces }) => sum + (pieces?.length ?? 0), 0);
        const count = (selector) => page.$$eval(selector, (found) => found.length);
        await until(`the start of ${name}`, async () => (await count(".board [data-name]")) === rules.files * rules.ranks && (await count(".layer-pieces .piece")) === pieces && (await count(".moves .move")) === 0);
        for (const step of clicks.split(" ")) {
            if (step === "done") {
                await page.waitForSelector("#done");
                await page.click("#done");
            } else if (step.startsWith("=")) await page.click(`.choices [data-move="${step.slice(1)}"]`);
            else await click(page, step);
            // The next click needs the page's response to this one.
            if (wanted.includes(",")) await new Promise((resolve) => setTimeout(resolve, 150));
        }
        await played(page, wanted.split(",").length).catch((error) => {
            throw new Error(`${name}: ${error.message}`);
        });
        equal((await game(page)).moves.join(), wanted, name);
    }
    await page.leave();
    return `${INPUTS.length} inputs`;
});

test("the network plays every game, and several decisions of a turn", async () => {
    for (const variant of ["chess", "century", "half", "maxim", "chesspp+free", "chesspp+instant+third"]) {
        const page = await visitor("", { storage: { play: { ...AGAINST, variant, white: "beginner", black: "human", bottom: "black" } } });
        await until(`the network's move in ${variant}`, async () => /^Black /.test(await statusOf(page)));
        const { moves } = await game(page);
        holds(moves.length === 1 || variant === "maxim", `${moves} in ${variant}`);
        if (variant === "chesspp+free") {
            await click(page, "c8");
            await played(page, 3);
        }
        await page.leave();
    }
});

test("alpha-beta plays every game", async () => {
    for (const variant of ["chess", "century", "half", "maxim", "chesspp+pawns"]) {
        const page = await visitor("", { storage: { play: { ...AGAINST, variant, white: "a2", black: "human", bottom: "black" } } });
        await until("the players", async () => (await page.$$eval(".player b", (names) => names.map((name) => name.textContent))).join() === "Alpha-beta,You");
        await until(`a move in ${variant}`, async () => /^Black /.test(await statusOf(page)), 60_000);
        await page.leave();
    }
});

long("random clicks do no harm, and play", async () => {
    let seed = 3;
    const random = (below) => (seed = (seed * 16807) % 2147483647) % below;
    let plies = 0;
    for (const variant of ["chesspp+free+instant+pawns+promote+third", "century", "half", "maxim"]) {
        const page = await visitor("", { storage: { play: { ...AGAINST, variant, black: "human" } } });
        await until("the pieces", async () => (await page.$$(".layer-pieces .piece")).length > 0);
        // Clicks do not wait for the page, so the number of clicks that move depends on the machine.
        const end = Date.now() + 180_000;
        const enough = async (n) => n >= 120 && ((await game(page)).moves.length >= 5 || Date.now() > end);
        for (let n = 0; !(await enough(n)); n++) {
            const point = await page.evaluate(
                (dice) => {
                    const all = (selector) => [...document.querySelectorAll(selector)];
                    const buttons = all(".choices:not([hidden]) button, #done");
                    const targets = all(dice[0] % 4 ? ".target" : ".square");
                    const from = buttons.length && dice[1] % 2 ? buttons : targets.length ? targets : all(".layer-pieces .piece");
                    const { x, y, width, height } = from[dice[2] % from.length].getBoundingClientRect();
                    return [x + width / 2, y + height / 2];
                },
                [random(1000), random(1000), random(100000)],
            );
            await page.mouse.click(...point);
        }
        const { moves } = await game(page);
        holds(moves.length >= 5, `only ${moves.length} moves in ${variant}`);
        plies += moves.length;
        await page.leave();
    }
    return `${plies} moves`;
});

test("contrast of the board, in both themes", async () => {
    for (const theme of ["light", "dark"]) {
        const page = await visitor("", { storage: { theme } });
        const low = await page.evaluate(() => {
            const probe = document.createElement("span");
            document.body.append(probe);
            const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
            // Returns a colour drawn over another one. The browser itself blends translucent colours.
            const seen = (colour, ground = "#ffffff") => {
                for (const paint of [ground, colour]) {
                    probe.style.color = paint.startsWith("--") ? `var(${paint})` : paint;
                    canvas.fillStyle = getComputedStyle(probe).color;
                    canvas.fillRect(0, 0, 1, 1);
                }
                return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
            };
            const luminance = (rgb) => {
                const [r, g, b] = rgb.map((value) => value / 255).map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const contrast = (a, b) => {
                const [low, high] = [luminance(a), luminance(b)].sort((a, b) => a - b);
                return (high + 0.05) / (low + 0.05);
            };
            const pairs = [["--coordinate-on-light", "--light-square", 4.5], ["--coordinate-on-dark", "--dark-square", 4.5], ["--white-frame", "#ffffff", 3], ["--black-frame", "#ffffff", 3]];
            for (const square of ["--light-square", "--dark-square"]) pairs.push(["--target", square, 3], ["#1b1d21", square, 3], ["#24272c", square, 3]);
            return pairs.map(([a, b, least]) => [a, b, contrast(seen(a, b), seen(b)), least]).filter(([, , found, least]) => found < least);
        });
        equal(low, [], `too little contrast, ${theme}`);
        await page.leave();
    }
});

test("drag, and touch", async () => {
    const page = await visitor("", { storage: { play: { ...AGAINST, black: "human" } } });
    const [from, to] = [await middle(page, "b1"), await middle(page, "c3")];
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 4 });
    await page.mouse.move(...to, { steps: 4 });
    holds(await page.$(".layer-above .ghost"), "the dragged piece is not under the pointer");
    await page.mouse.up();
    await played(page, 1);
    for (const square of ["e7", "e5"]) await page.touchscreen.tap(...(await middle(page, square)));
    await played(page, 2);
    equal((await game(page)).moves, ["b1c3", "e7e5"], "moves");
    // Hovering over a catapult shows its partner.
    await page.mouse.move(...(await middle(page, "b1")));
    await page.waitForSelector(".link.white");
    await page.leave();
});

test("the tap that opens the list of moves presses none of its buttons", async () => {
    const page = await visitor(fragment("play", "chess", "7k/P7/8/8/8/8/8/4K3 w - - 0 1"));
    await page.touchscreen.tap(...(await middle(page, "a7")));
    const [[x, y], [next]] = [await middle(page, "a8"), await middle(page, "b8")];
    await page.touchscreen.tap(x + 0.2 * (next - x), y + 0.2 * (next - x));
    await page.waitForSelector(".choices:not([hidden])");
    await new Promise((resolve) => setTimeout(resolve, 300));
    holds(await page.$(".choices:not([hidden])"), "the list is closed");
    await page.click('.choices [data-move="a7a8n"]');
    await played(page, 1);
    equal((await game(page)).moves, ["a7a8n"], "moves");
    await page.leave();
});

test("another finger does not drop the dragged piece", async () => {
    const page = await visitor(fragment("play", "chess", "4k3/8/8/8/8/8/8/3QK3 w - - 0 1"));
    await page.mouse.move(...(await middle(page, "d1")));
    await page.mouse.down();
    await page.mouse.move(...(await middle(page, "d3")), { steps: 4 });
    await page.waitForSelector(".layer-above .ghost");
    const [clientX, clientY] = await middle(page, "h5");
    await page.$eval(".board", (board, place) => {
        for (const kind of ["pointermove", "pointerup", "pointercancel"]) board.dispatchEvent(new PointerEvent(kind, { pointerId: 77, isPrimary: false, ...place }));
    }, { clientX, clientY });
    await page.mouse.move(...(await middle(page, "d4")), { steps: 4 });
    await page.mouse.up();
    await played(page, 1);
    equal((await game(page)).moves, ["d1d4"], "moves");
    await page.leave();
});

test("steps through a game keep the focus and are heard", async () => {
    const page = await visitor(fragment("play", "chess", "", "e2e4,e7e5,g1f3,b8c6"));
    await until("the game", async () => (await statusOf(page)) === "White to move.");
    await page.focus('[aria-label="One move back"]');
    for (const ply of [3, 2, 1]) {
        await page.keyboard.press("Enter");
        await until(`ply ${ply}`, async () => (await statusOf(page)) === `After ${ply} of 4 moves. The game is paused.`);
    }
    equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "One move back", "the focus");
    await until("what is heard", async () => (await heard(page)) === "e4. After 1 of 4 moves. The game is paused.");
    // At the start the button has nothing to do, and its counterpart gets the focus.
    await page.keyboard.press("Enter");
    await until("the start", async () => (await statusOf(page)) === "After 0 of 4 moves. The game is paused.");
    equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "One move on", "the focus at the start");
    holds(await page.$("#hint:disabled"), "a hint is offered for an earlier position");
    // Analyse opens the shown position.
    await page.keyboard.press("Enter");
    await until("the first move", async () => (await statusOf(page)).startsWith("After 1 of 4"));
    await page.click("#analyse");
    await until("the position in Analyse", async () => (await page.$$eval(".tree-text .here", (moves) => moves[0]?.textContent)) === "e4");
    equal((await page.$$(".tree-text .move")).length, 4, "moves in Analyse");
    await page.leave();
});

test("a game that ends while the dialog asks is not resigned", async () => {
    const page = await visitor(fragment("play", "chess", "7k/8/8/8/8/8/Q7/4K3 w - - 0 1"));
    await until("the game", async () => (await statusOf(page)) === "White to move.");
    await click(page, "a2");
    await page.click("#resign");
    await page.waitForSelector("dialog .primary");
    // The dialog covers the board. Its events stand for the computer's move.
    await page.$eval('.board [data-name="f7"]', (square) => {
        const { x, y, width, height } = square.getBoundingClientRect();
        for (const kind of ["pointerdown", "pointerup"]) square.dispatchEvent(new PointerEvent(kind, { bubbles: true, isPrimary: true, clientX: x + width / 2, clientY: y + height / 2 }));
    });
    await until("the stalemate", async () => (await statusOf(page)) === "A draw: stalemate.");
    await page.click("dialog .primary");
    await until("the end of the dialog", async () => !(await page.$("dialog")));
    await new Promise((resolve) => setTimeout(resolve, 200));
    equal(await statusOf(page), "A draw: stalemate.", "the result");
    await page.leave();
});

test("a browser that stores nothing keeps the game and the settings of a visit", async () => {
    const page = await visitor("#play", {
        before: () => {
            const { setItem } = Storage.prototype;
            Storage.prototype.setItem = function (key, value) {
                if (key.startsWith("catapult.")) throw new DOMException("full", "QuotaExceededError");
                setItem.call(this, key, value);
            };
        },
    });
    await click(page, "b1");
    await click(page, "c3");
    await played(page, 2);
    await page.evaluate(() => (location.hash = "#about"));
    await until("the page", async () => (await page.$eval("h1", (title) => title.textContent)) === "About");
    await page.goBack();
    await page.waitForSelector(".player b");
    await until("the game", async () => (await statusOf(page)) === "White to move.");
    equal(await page.$$eval(".player b", (names) => names.map((name) => name.textContent)), ["Network, Beginner", "You"], "players");
    await page.click("#sound");
    equal(await page.$eval("#sound", (button) => button.getAttribute("aria-pressed")), "true", "sound");
    await page.leave();
});

test("Analyse keeps its variations while another page is open", async () => {
    const page = await visitor(fragment("analyse", "chess"), { storage: { "analyse.on": false } });
    await openText(page, "1. e4 e5 (1... c5) *");
    await page.waitForSelector(".variation");
    await page.evaluate(() => (location.hash = "#about"));
    await until("the page", async () => (await page.$eval("h1", (title) => title.textContent)) === "About");
    await page.evaluate(() => (location.hash = "#analyse"));
    await page.waitForSelector(".variation");
    equal((await game(page)).moves, ["e2e4", "e7e5"], "moves");
    await page.evaluate((hash) => (location.hash = hash), fragment("analyse", "chess", "", "e2e5"));
    await until("the message", async () => (await page.$eval("#toast", (toast) => toast.textContent)).includes("contains no game"));
    await page.waitForSelector(".variation");
    equal((await game(page)).moves, ["e2e4", "e7e5"], "moves after a link without a game");
    // Play's link to its game has no variations.
    await page.evaluate(() => (location.hash = "#play"));
    await page.waitForSelector(".play .board [data-name]");
    await page.evaluate((hash) => (location.hash = hash), fragment("analyse", "chess", "", "e2e4,e7e5"));
    await page.waitForSelector(".variation");
    equal(await page.$eval(".panel .lines", (lines) => lines.checkVisibility()), false, "room for the lines of an engine that is off");
    // The game has continued in Play. Another game that begins like it gets no variations.
    for (const [play, moves, variation] of [[true, "e2e4,e7e5,g1f3,b8c6", ["c5"]], [false, "e2e4,e7e5,g1f3,b8c6,f1b5", []]]) {
        if (play) await page.evaluate((play) => sessionStorage.setItem("catapult.play", play), JSON.stringify({ ...AGAINST, variant: "chess", moves: moves.split(",") }));
        await page.evaluate((hash) => (location.hash = hash), fragment("analyse", "chess", "", moves));
        await until("the longer game", async () => (await page.$$(".tree-text > .move")).length === moves.split(",").length);
        equal(await page.$$eval(".variation .move", (moves) => moves.map((move) => move.textContent)), variation, `variations of ${moves}`);
    }
    await page.leave();
});

test("a browser that limits changes of the address: the computer answers, Analyse thinks and copies the position", async () => {
    const page = await visitor("", {
        storage: { play: { ...AGAINST, variant: "chess" } },
        before: () => {
            navigator.clipboard.writeText = async (text) => void (window.copied = text);
            const { replaceState } = history;
            history.replaceState = function (...rest) {
                if (window.limited) throw new DOMException("too many calls", "SecurityError");
                return replaceState.apply(this, rest);
            };
        },
    });
    await until("the game", async () => (await statusOf(page)) === "White to move.");
    await page.evaluate(() => (window.limited = true));
    await click(page, "e2");
    await click(page, "e4");
    await until("the computer's move", async () => (await page.$$(".moves .move")).length === 2 && (await statusOf(page)) === "White to move.");
    equal((await game(page)).moves, [], "moves in the address");
    // The address follows once the browser allows it.
    await page.evaluate(() => (window.limited = false));
    await played(page, 2);
    await page.click("#analyse");
    await page.waitForSelector(".analyse .lines tbody tr");
    await page.evaluate(() => (window.limited = true));
    await page.click('[aria-label="One move back"]');
    await until("the first move", async () => (await page.$$eval(".tree-text .here", (moves) => moves[0]?.textContent)) === "e4");
    await until("simulations", async () => /simulations; scores are Black's/.test(await page.$eval(".facts", (facts) => facts.textContent)));
    equal(await page.evaluate(() => /ply=\d+/.exec(location.hash)[0]), "ply=2", "the address");
    await page.$$eval(".tools-row button", (buttons) => buttons.find((button) => button.textContent === "Copy link").click());
    const link = new URL(await until("the link", () => page.evaluate(() => window.copied)));
    holds(link.href.startsWith(host.url) && link.hash.endsWith("&ply=1"), link.href);
    await page.leave();
});

/** A game of 4,000 plies: two kings walk in circles of 15 and 16 squares, and every 900 plies a pawn moves. */
function longGame() {
    const start = "k7/8/p6p/8/8/P6P/8/K7 w - - 0 1 -/-";
    const circles = ["a1 b1 c1 d1 e1 f1 g1 h1 h2 g2 f2 e2 d2 c2 b2", "a8 b8 c8 d8 e8 f8 g8 h8 h7 g7 f7 e7 d7 c7 b7 a7"].map((squares) => squares.split(" "));
    const pawns = { 900: "a3a4", 1801: "a6a5", 2700: "h3h4", 3601: "h6h5" };
    const steps = [0, 0];
    const moves = Array.from({ length: 4000 }, (_, ply) => {
        if (pawns[ply]) return pawns[ply];
        const circle = circles[ply % 2];
        const at = steps[ply % 2]++;
        return circle[at % circle.length] + circle[(at + 1) % circle.length];
    });
    return { variant: "chesspp+fifty=1000", start, moves };
}

test("a game of 4,000 moves stops there, and is kept", async () => {
    const { variant, start, moves } = longGame();
    const page = await visitor("", { storage: { play: { ...AGAINST, variant, start, moves: moves.slice(0, 3999), white: "beginner", black: "human" } } });
    await until("the game", async () => (await statusOf(page)) === "Black to move.");
    const [from, to] = [moves[3999].slice(0, 2), moves[3999].slice(2)];
    await click(page, from);
    await click(page, to);
    await until("the end", async () => (await statusOf(page)) === "The game stops here: a game on this page has at most 4,000 half-moves.");
    equal((await game(page)).moves.length, 4000, "moves");
    // The computer does not move, nobody else can, and a reload keeps the game.
    await page.reload();
    await until("the end after a reload", async () => (await statusOf(page).catch(() => "")).startsWith("The game stops here"));
    await click(page, "a4");
    equal([(await page.$$(".target")).length, (await game(page)).moves.length], [0, 4000], "targets and moves");
    await page.click("#take-back");
    await until("the last move taken back", async () => (await statusOf(page)) === "Black to move.");
    await page.leave();
});

test("a finished game that Analyse extends has no result; the start is heard", async () => {
    const page = await visitor(fragment("analyse", "chess"), { storage: { "analyse.on": false }, before: keepCopies });
    await openText(page, "1. e4 e5 1-0");
    await page.waitForSelector('[aria-label="To the end"]:enabled');
    await page.click('[aria-label="To the end"]');
    await until("the end", async () => (await page.$$eval(".tree-text .here", (moves) => moves[0]?.textContent)) === "e5");
    await click(page, "g1");
    await click(page, "f3");
    await played(page, 3);
    await page.click('[aria-label="To the start"]');
    await until("the start", async () => (await heard(page)) === "Start. White to move.");
    await page.evaluate(() => (location.hash = "#about"));
    await until("the page", async () => (await page.$eval("h1", (title) => title.textContent)) === "About");
    await page.evaluate(() => (location.hash = "#analyse"));
    await until("the game", async () => (await page.$$(".tree-text .move")).length === 3);
    const copied = await copyPgn(page);
    holds(copied.includes('[Result "*"]') && copied.trim().endsWith(" *"), copied);
    await page.leave();
});

test("Back and forward between the rules of two games", async () => {
    const page = await visitor("#learn", { wait: ".rule-cards section" });
    const shows = (title) => until(title, () => page.evaluate((title) => document.querySelector('[aria-label="Rules of"] [aria-pressed="true"]')?.textContent === title, title));
    await page.evaluate(() => (location.hash = "#learn?game=maxim"));
    await shows("Maxim chess");
    await page.goBack();
    await shows("Chess++");
    await page.goForward();
    await shows("Maxim chess");
    await page.leave();
});

/** Runs in the page before its script: holds back the rules and the puzzles until `release` is called. */
const holdBack = () => {
    const { fetch } = window;
    const released = new Promise((resolve) => (window.release = resolve));
    window.fetch = async (path, ...rest) => {
        if (["catapult.wasm.gz", "puzzles.json"].includes(path)) await released;
        return fetch(path, ...rest);
    };
};

test("a slow page that is left changes no address, opens no dialog and shows no message", async () => {
    for (const [hash, wait, ask, next] of [["#puzzles?n=99999", ".puzzles", null, "#learn"], ["#puzzles", ".puzzles", null, ""], ["#lab?game=unknown", ".lab", null, "#learn"], ["#play", "#new-game", "#new-game", "#learn"]]) {
        const page = await visitor(hash, { wait, before: holdBack });
        if (ask) await page.click(ask);
        await page.evaluate((next) => (location.hash = next), next);
        const after = next ? ".lesson" : ".home";
        await page.waitForSelector(after);
        await page.evaluate(() => window.release());
        await page.waitForSelector(`${after} .layer-pieces .piece`);
        await new Promise((resolve) => setTimeout(resolve, 200));
        equal([await page.evaluate(() => location.hash), (await page.$$("dialog")).length, (await page.$$("#toast.shown")).length], [next, 0, 0], `address, dialogs and messages after ${hash}`);
        await page.leave();
    }
});

test("two presses on New game open one dialog", async () => {
    const page = await visitor("#play", { wait: "#new-game", before: holdBack });
    equal(await statusOf(page), "Loading…", "the status of a slow page");
    for (let n = 0; n < 2; n++) await page.click("#new-game");
    await page.evaluate(() => window.release());
    await page.waitForSelector("dialog");
    await new Promise((resolve) => setTimeout(resolve, 200));
    equal((await page.$$("dialog")).length, 1, "dialogs");
    await page.leave();
});

test("rules that are not stored, without a connection", async () => {
    const page = await visitor("#learn?game=maxim", {
        wait: ".learn .problem",
        before: () => {
            const { fetch } = window;
            window.fetch = (path, ...rest) => (path === "learn.json" ? Promise.reject(new TypeError("Failed to fetch")) : fetch(path, ...rest));
        },
    });
    equal(await page.$eval(".learn .problem", (problem) => problem.textContent), "The rules could not be loaded, and this browser has not stored them. Check your connection.", "the message");
    await page.leave();
});

test("a game by keyboard alone, as it is heard", async () => {
    const page = await visitor();
    const press = (key) => page.keyboard.press(key);
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-name") ?? document.activeElement?.id ?? "");
    const tabTo = async (id) => {
        for (let n = 0; n < 60; n++) {
            if ((await focused()) === id) return;
            await press("Tab");
        }
        throw new Error(`Tab never came to ${id}`);
    };
    await tabTo("new-game");
    await press("Enter");
    await page.waitForSelector("dialog[open]");
    // Tab reaches the radio button of Chess++, the chosen game. Chess is one to its left.
    for (let n = 0; n < 20 && (await page.evaluate(() => document.activeElement?.getAttribute("type"))) !== "radio"; n++) await press("Tab");
    await press("ArrowLeft");
    await tabTo("against");
    await press("ArrowDown");
    await press("ArrowDown");
    await tabTo("start");
    await press("Enter");
    await until("the game", async () => (await heard(page)).includes("A game of Chess."));
    // Returns to the board, which is a single Tab stop at its last focused square.
    for (let n = 0; n < 60 && !/^[a-h][1-8]$/.test(await focused()); n++) await press("Tab");
    const goTo = async (square) => {
        for (let n = 0; n < 40; n++) {
            const at = await focused();
            if (at === square) return;
            const [files, ranks] = [square.charCodeAt(0) - at.charCodeAt(0), Number(square[1]) - Number(at[1])];
            await press(files > 0 ? "ArrowRight" : files < 0 ? "ArrowLeft" : ranks > 0 ? "ArrowUp" : "ArrowDown");
        }
        throw new Error(`the keyboard never came to ${square}`);
    };
    const label = (square) => page.$eval(`[data-name="${square}"]`, (cell) => cell.getAttribute("aria-label"));
    const moves = [["f2", "f3", "White: pawn from f2 to f3. Black to move."], ["e7", "e5", "Black: pawn from e7 to e5. White to move."], ["g2", "g4", "White: pawn from g2 to g4. Black to move."], ["d8", "h4", "Black: queen from d8 to h4. Checkmate: Black wins."]];
    for (const [index, [from, to, told]] of moves.entries()) {
        await goTo(from);
        await press("Enter");
        holds((await label(from)).endsWith(", chosen"), `${from} is not told to be chosen: ${await label(from)}`);
        if (index === 0) await until("what was picked up", async () => (await heard(page)) === "f2, white pawn chosen, 2 squares can be reached");
        holds((await label(to)).endsWith("can be reached"), `${to} is not told to be reached: ${await label(to)}`);
        await goTo(to);
        await press(index % 2 ? "Space" : "Enter");
        await played(page, index + 1);
        await until("what is heard", async () => (await heard(page)) === told).catch(async () => equal(await heard(page), told, "what is heard"));
        equal(await focused(), to, "focus after the move");
    }
    equal(await label("h4"), "h4, black queen", "what is said of a square");
    equal(await page.$$eval(".player .left", (left) => left.length), 0, "numbers of catapults in chess");
    await page.leave();
});

test("a choice by keyboard, and Escape", async () => {
    const page = await visitor(fragment("play", "chesspp+pawns", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1 e2e4/-"));
    await click(page, "e2");
    await click(page, "e4");
    await page.waitForSelector(".choices:not([hidden])");
    await page.keyboard.press("Escape");
    equal(await page.evaluate(() => document.activeElement?.getAttribute("data-name")), "e4", "focus after Escape");
    equal((await game(page)).moves, [], "moves after Escape");
    await click(page, "e2");
    await click(page, "e4");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await played(page, 1);
    equal((await game(page)).moves, ["e2e4t"], "the second choice");
    await page.leave();
});

test("hostile links, FENs and PGNs are text", async () => {
    const evil = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
    const links = [
        `#play?game=${encodeURIComponent(evil)}`,
        fragment("play", "chesspp", evil),
        fragment("play", "chesspp", "", evil.replaceAll(" ", "")),
        fragment("play", "chesspp", "", "e2e4,e2e4"),
        fragment("analyse", "half", evil),
        `#analyse?game=chess&ply=99999999999999999999&moves=e2e4`,
        `#play?game=chess&moves=${"a,".repeat(40_000)}`,
        "#play?%E0%A4%A=%%%&game",
        `#${evil}`,
        fragment("editor", "chesspp", `${evil} w - - 0 1 ${evil}`),
        `#play?${new URLSearchParams({ game: "chess", moves: "e2e4", you: evil, against: evil })}`,
        "#learn?game=__proto__",
        "#lab?game=constructor",
    ];
    await inPairs(links, async (link) => {
        const page = await visitor(link);
        await new Promise((resolve) => setTimeout(resolve, 250));
        equal(await page.$$eval("img, main script, #toast script", (found) => found.length), 0, `markup from ${link.slice(0, 60)}`);
        // The page still works after the hostile link.
        await page.evaluate(() => (location.hash = "#play?game=chess&moves=e2e4"));
        await until(`the page after ${link.slice(0, 60)}`, async () => (await game(page)).moves[0] === "e2e4" && (await statusOf(page)) === "Black to move.");
        await page.leave();
    });
    const page = await visitor();
    for (const text of [evil, `[White "${evil.replaceAll('"', "'")}"]\n[Variant "chesspp"]\n\n1. ${evil} *`, `[FEN "${evil.replaceAll('"', "'")}"]\n\n1. e4 *`, "9".repeat(200_000), `[Variant "${evil.replaceAll('"', "'")}"]\n\n1. e4 *`]) {
        await page.click("#share");
        await page.waitForSelector("dialog textarea");
        await page.$eval("dialog textarea", (area, text) => (area.value = text), text);
        await page.click("#load");
        await until("a message", async () => (await page.$eval("dialog .problem", (problem) => problem.textContent)).length > 0);
        equal(await page.$$eval("img, main script, dialog script", (found) => found.length), 0, "markup");
        await page.click('dialog [aria-label="Close"]');
    }
    // The page shows players' names as text, not as markup.
    await page.evaluate(() => (location.hash = "#analyse?game=chess"));
    await page.waitForSelector("#open-dialog");
    await page.click("#open-dialog");
    await page.waitForSelector("dialog textarea");
    const name = evil.replaceAll('"', "'");
    await page.$eval("dialog textarea", (area, text) => (area.value = text), `[White "${name}"]\n\n1. e4 e5 *\n\n[White "B"]\n[Variant "chesspp"]\n\n1. Nc3 a6 2. B@b1 *\n\n[White "C"]\n\n1. d4 d5 1-0\n`);
    await page.click("#open");
    await page.waitForSelector("#file-games");
    const options = await page.$$eval("#file-games option", (options) => options.map((option) => option.textContent));
    equal(options.length, 4, "games of the file, and a word");
    holds(options[1].includes("<img"), `the name as text: ${options[1]}`);
    equal(await page.$$eval("img", (found) => found.length), 0, "markup");
    await page.select("#file-games", "2");
    await until("the third game", async () => (await game(page)).moves.join() === "d2d4,d7d5");
    await page.leave();
});

test("no script but the page's own", async () => {
    const page = await visitor();
    const found = await page.evaluate(async () => {
        const inline = document.createElement("script");
        inline.textContent = "window.injected = true";
        document.body.append(inline);
        const button = document.createElement("button");
        button.setAttribute("onclick", "window.injected = true");
        document.body.append(button);
        button.click();
        const refused = await fetch("https://example.org/").then(() => false, () => true);
        return { injected: window.injected === true, refused };
    });
    equal(found, { injected: false, refused: true }, "what the policy lets through");
    // Chromium logs every violation of the policy.
    holds(page.problems.every((problem) => /Content Security Policy/i.test(problem)), page.problems.join("; "));
    page.problems = [];
    await page.leave();
});

test("take back, flip, resign, hint, reload, share", async () => {
    const page = await visitor("", { storage: { play: AGAINST } });
    await click(page, "b1");
    await click(page, "c3");
    await played(page, 2);
    const { moves } = await game(page);
    await page.reload();
    await page.waitForSelector(".moves .move");
    equal((await game(page)).moves, moves, "moves after a reload");
    equal(await page.$$eval(".player b", (names) => names.map((name) => name.textContent)), ["Network, Beginner", "You"], "players after a reload");
    await until("White to move", async () => (await statusOf(page)) === "White to move.");
    await page.click("#hint");
    await until("a hint", async () => (await statusOf(page)).startsWith("Hint: "));
    await page.waitForSelector(".arrow.hint");
    await page.click("#flip");
    await until("the flip", async () => (await middle(page, "a1"))[1] < (await middle(page, "a8"))[1]);
    await page.click("#take-back");
    await until("nothing played", async () => (await game(page)).moves.length === 0);
    // A dialog does not outlive its page.
    await page.click("#resign");
    await page.waitForSelector("dialog .primary");
    await page.evaluate(() => (location.hash = "#about"));
    await until("the end of the dialog", async () => !(await page.$("dialog")));
    await page.goBack();
    await page.waitForSelector("#resign");
    await page.click("#resign");
    await page.waitForSelector("dialog .primary");
    await page.click("dialog .primary");
    await until("the end", async () => (await statusOf(page)) === "White resigns: Black wins.");
    // A link contains the whole game.
    const other = await visitor(fragment("play", "chesspp", "", moves.join(",")));
    await until("the shared game", async () => (await game(other)).moves.join() === moves.join());
    await other.leave();
    await page.leave();
});

test("analysis: lines, arrows, heat, variations, the graph", async () => {
    const page = await visitor(fragment("analyse", "chesspp", "", "b1c3,a7a6"));
    await page.waitForSelector(".lines tbody tr");
    await until("visits", async () => Number((await page.$eval(".lines tbody tr td:nth-child(3)", (cell) => cell.textContent)).replaceAll(",", "")) > 20);
    await page.waitForSelector(".arrow.best");
    await page.click("#heat");
    await page.waitForSelector(".mark.heat");
    await page.select("#arrows", "prior");
    await page.waitForSelector(".arrow.prior");
    await page.click('[aria-label="One move back"]');
    await until("the first move", async () => (await page.$eval(".tree-text .here", (here) => here.textContent)) === "Nc3");
    await click(page, "e7");
    await click(page, "e5");
    await page.waitForSelector(".variation");
    equal(await page.$eval(".variation .here", (here) => here.textContent), "e5", "the variation");
    // Late results must not move the button below them.
    const top = () => page.$eval("#sweep", (button) => button.getBoundingClientRect().top);
    const before = await top();
    await page.waitForSelector(".lines tbody tr:nth-child(6)");
    holds(Math.abs((await top()) - before) < 8, "the button below the lines has moved");
    await page.click("#engine");
    await page.click("#sweep");
    await until("a graph", async () => (await page.$$(".graph .point")).length === 3, 40_000);
    holds(/\d+ %/.test(await page.$eval(".wdl", (bar) => bar.getAttribute("aria-label"))), "the bar has no words");
    await page.leave();
});

test("slow presses and drags in Analyse while the engine thinks", async () => {
    const page = await visitor(fragment("analyse", "chess"));
    await page.waitForSelector(".lines tbody tr:nth-child(6)");
    // Several reports come during this time.
    const wait = () => new Promise((resolve) => setTimeout(resolve, 400));
    const press = async (selector) => {
        let hit = false;
        // A report may move the element after it was measured.
        while (!hit) {
            const [x, y] = await page.$eval(selector, (element) => {
                element.scrollIntoView({ block: "center" });
                const { x, y, height } = element.getBoundingClientRect();
                return [x + 8, y + height / 2];
            });
            await page.mouse.move(x, y);
            await page.mouse.down();
            hit = await page.evaluate((x, y, selector) => !!document.elementFromPoint(x, y)?.closest(selector), x, y, selector);
            await wait();
            await page.mouse.up();
        }
    };
    await press(".lines .move");
    await played(page, 1);
    await page.waitForSelector(".tree-text .here");
    await press(".graph svg");
    await until("the start", async () => !(await page.$(".tree-text .here")));
    await page.$eval(".board", (board) => board.scrollIntoView({ block: "center" }));
    const [from, to] = [await middle(page, "b1"), await middle(page, "c3")];
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 4 });
    await wait();
    holds((await page.$(".layer-above .ghost")) && (await page.$(".layer-pieces .lifted")), "the dragged piece is not under the pointer");
    await page.mouse.up();
    await until("the move", async () => (await page.$$eval(".tree-text .here", (here) => here[0]?.textContent)) === "Nc3");
    await page.leave();
});

test("the rules lab counts, and tells what studies found", async () => {
    const page = await visitor("#lab?game=chesspp&results=1");
    await until("the results in view", () => page.$eval('[aria-label="Studies"]', (studies) => !!studies.querySelector("table") && Math.abs(studies.getBoundingClientRect().top) < 10));
    equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Studies", "the focus");
    await page.waitForSelector("#count");
    await until("the board", async () => (await page.$$(".layer-pieces .piece")).length === 32);
    await page.click("#count");
    await until("leaves", async () => (await page.$eval(".counts", (counts) => counts.textContent)).includes("9,062"));
    await until("branching", async () => /\d legal moves per decision/.test(await page.$eval(".counts", (counts) => counts.textContent)));
    const told = await page.$eval(".lab", (lab) => lab.textContent);
    for (const part of ["What the catapults of Chess++ do to chess", "fifty-move rule", "None has played people", "128 simulations per move. In brackets: 95 % interval for other seeds"]) holds(told.includes(part), `not told: ${part}`);
    await page.click('input[name="option-free"]');
    await until("placements", async () => (await page.$eval(".lab-board h2", (title) => title.textContent)) === "Chess++ with free");
    await page.leave();
});

/** A deterministic source of numbers from 0 to `below` - 1. */
function dice(seed) {
    return (below) => (seed = (seed * 16807) % 2147483647) % below;
}

const SWITCHES = ["free", "instant", "pawns", "promote", "third", "bare", "block", "castle", "peaceful", "restart", "safe", "still"];

/** The values of the lab's form by name of control, and the name of the same rule set in a random order of options. */
function randomRules(random) {
    const form = Object.fromEntries(SWITCHES.map((name) => [`option-${name}`, random(4) === 0]));
    const options = SWITCHES.filter((name) => form[`option-${name}`]);
    const letters = [..."NBRQK"].filter(() => random(4));
    for (const letter of "NBRQK") form[`option-teleport-${letter}`] = letters.includes(letter);
    if (letters.length < 5 || random(2)) options.push(`teleport=${letters.reverse().join("") || "-"}`);
    const squares = form["option-third"] ? ["b1f1"] : ["-", "c3", "a1h4", "b1d1f1"];
    for (const [name, values, plain] of [["fifty", [8, 60, 99, 100, 1000], 100], ["first", [0, 1, 2], 2], ["later", [0, 1, 2], 1], ["moves", [0, 3, 31], ""], ["catapults", squares, "b1f1"], ["start", ["BBNRKRQN", "RQNBKNBR"], "RNBQKBNR"]]) {
        const value = random(2) ? plain : values[random(values.length)];
        form[`option-${name}`] = String(value);
        const isNamed = value !== plain || (value !== "" && random(2));
        if (isNamed && !(name === "catapults" && form["option-third"])) options.push(`${name}=${value}`);
    }
    return [form, ["chesspp", ...options.map((option) => [random(1000), option]).sort((a, b) => a[0] - b[0]).map(([, option]) => option)].join("+")];
}

/** Reads the lab's form. If `wanted` is given, changes every control that differs, as the user would. */
const labForm = (page, wanted = null) => page.evaluate((wanted) => {
    const found = {};
    for (const control of document.querySelectorAll('.lab [name^="option-"]')) {
        const isBox = control.type === "checkbox";
        const value = wanted?.[control.name];
        if (wanted && isBox && control.checked !== value) control.click();
        if (wanted && !isBox && control.value !== value) {
            control.value = value;
            control.dispatchEvent(new Event("change", { bubbles: true }));
        }
        found[control.name] = isBox ? control.checked : control.value;
    }
    return found;
}, wanted);
const rulesName = async (page) => (await page.waitForSelector("#rules-name")).evaluate((name) => name.textContent);
const sorted = (object) => Object.fromEntries(Object.entries(object).sort());

test("the rules lab's form and the names of rule sets, there and back, as the rules write them", async () => {
    const page = await visitor("#lab");
    const random = dice(11);
    for (let n = 0; n < 24; n++) {
        const [form, link] = randomRules(random);
        const name = JSON.parse(wasm.state(link, "", "")).variant;
        if (n % 2) await page.evaluate((name) => (location.hash = `#lab?game=${name}`), link);
        else await labForm(page, form);
        await until(`the name ${name}`, async () => (await rulesName(page)) === name);
        equal(sorted(await labForm(page)), sorted(form), `the form of ${name}`);
        equal(await page.evaluate(() => location.hash), `#lab?game=${name}`, "the address");
        const { fen } = JSON.parse(wasm.state(name, "", ""));
        await until(`the start of ${name}`, async () => (await page.$eval(".lab-board .fen", (text) => text.textContent)) === fen);
    }
    // A reload keeps the rules; escapes in a link are read too; unknown rules are reported.
    const name = await rulesName(page);
    await page.reload();
    await until("the rules after a reload", async () => (await rulesName(page)) === name);
    await page.evaluate(() => (location.hash = "#lab?game=chesspp%2Bbare%2Bfifty%3D60"));
    await until("the escaped link", async () => (await rulesName(page)) === "chesspp+bare+fifty=60");
    await page.evaluate(() => (location.hash = "#lab?game=chesspp+catapults=b1c2d3e4"));
    await until("four catapults", async () => (await rulesName(page)) === "chesspp+catapults=b1c2d3e4");
    for (const wrong of ["chesspp+nonsense", "chesspp+fifty=7", "chesspp+bare=1", "chesspp+teleport=NN", "poker", "chesspp+still+still", "chess+bare", "chesspp+moves=32", "chesspp+catapults=a5", "chesspp+catapults=c3+third", "chesspp+third+catapults=b1f1", "chesspp+start=KK"]) {
        await page.evaluate((wrong) => (location.hash = `#lab?game=${wrong}`), wrong);
        await until(`the refusal of ${wrong}`, async () => (await page.$eval("#toast", (toast) => toast.textContent)).startsWith(`The page does not know the rules ${wrong}.`));
        equal(await rulesName(page), "chesspp", `the rules after ${wrong}`);
    }
    await page.click('.lab input[value="chess"]');
    await until("chess", async () => (await rulesName(page)) === "chess");
    equal(await page.$$eval(".lab .options", (sets) => sets.some((set) => set.checkVisibility())), false, "options of chess");
    await page.leave();
});

test("each option of the rules lab has a position, in which the option shows", async () => {
    const page = await visitor("#lab");
    const seen = [];
    for (const [option, ...clicks] of [["bare", "f2", "e4"], ["block", "e2", "e3"], ["castle", "e1", "c1"], ["catapults=c3", "c3", "c4"], ["moves=3", "a3", "a4"], ["peaceful", "a1", "h5"], ["start=BBNRKRQN", "e2", "e4"], ["fifty=60", "a1", "a2"], ["first=1", "d4", "e5"], ["free", "b1"], ["instant", "a1", "f6"], ["later=2", "d4", "f6"], ["pawns", "g2", "c8"], ["promote", "e7", "e8"], ["restart", "d4", "d5"], ["safe", "g2", "g3"], ["still", "a3", "a4"], ["teleport=NBRK", "a1", "h5"], ["third", "a1", "c4"]]) {
        const [name, key] = [`chesspp+${option}`, option.split("=")[0]];
        await page.evaluate((name) => (location.hash = `#lab?game=${name}`), name);
        await until(name, async () => (await rulesName(page)) === name);
        await page.click(`.lab-board [data-key="${key}"]`);
        const fen = () => page.$eval(".lab-board .fen", (text) => text.textContent);
        await until("the position's text", () => page.$eval("#example", (words) => words.textContent.length > 20));
        const start = ["catapults", "free"].includes(key) ? JSON.parse(wasm.state(name, "", "")).fen : "";
        await until(`the position of ${name}`, async () => ((await fen()).startsWith("rnbq") ? (await fen()) === start : !start));
        const before = await fen();
        equal(JSON.parse(wasm.state(name, before, "")).fen, before, "the position");
        await page.$eval(".lab-board .board", (board) => board.scrollIntoView({ block: "center" }));
        for (const square of clicks) await click(page, square, ".lab-board .board");
        if (["pawns", "peaceful", "promote", "teleport"].includes(key)) {
            if (["pawns", "promote"].includes(key)) await page.waitForSelector(".lab-board .choices button");
            equal(await fen(), before, `${name} after the clicks`);
            continue;
        }
        await until(`a move in ${name}`, async () => (await fen()) !== before);
        seen.push([key, await fen()]);
    }
    const after = Object.fromEntries(seen);
    equal([after.bare.split(" ")[6], after.safe.split(" ")[6], after.restart.split(" ")[4]], ["-", "-/a3g3", "0"], "what the options do");
    await page.evaluate(() => (location.hash = "#lab?game=chesspp+moves=0"));
    await until("no catapult moves", async () => (await rulesName(page)) === "chesspp+moves=0");
    await page.click('.lab-board [data-key="moves"]');
    await until("the words", () => page.$eval("#example", (words) => words.textContent.endsWith("The catapult on a3 can't move.")));
    await page.leave();
    return `${seen.length} moves`;
});

test("a game from the rules lab begins under its rules, against the computer and on one screen", async () => {
    const page = await visitor("#lab?game=chesspp+bare+still");
    await until("the rules", async () => (await rulesName(page)) === "chesspp+bare+still");
    await page.select("#lab-against", "casual");
    await page.select("#lab-colour", "black");
    await page.click("#lab-play");
    await played(page, 1);
    equal([(await game(page)).variant, await page.$$eval(".player b", (names) => names.map((name) => name.textContent))], ["chesspp+bare+still", ["Network, Casual", "You"]], "the game");
    await page.evaluate(() => (location.hash = "#lab?game=chesspp+later=2"));
    await page.waitForSelector("#rules-name");
    await until("other rules", async () => (await rulesName(page)) === "chesspp+later=2");
    await page.select("#lab-against", "human");
    await page.click("#lab-play");
    await until("two people", async () => (await page.$$eval(".player b", (names) => names.map((name) => name.textContent))).join() === "Black,White");
    // It is the user's own game, in place of the former one.
    await page.evaluate(() => (location.hash = "#about"));
    await until("the page", async () => (await page.$eval("h1", (title) => title.textContent)) === "About");
    await page.evaluate(() => (location.hash = "#play"));
    await until("the rules", async () => (await game(page)).variant === "chesspp+later=2");
    equal(await page.$eval("#linked", (note) => note.hidden), true, "a note of a link");
    // New game keeps the option, and says so.
    await page.click("#new-game");
    await until("the option", () => page.$$eval("dialog .hint", (hints) => hints.some((hint) => hint.textContent.startsWith("Also +later=2."))));
    await page.click("#start");
    await until("the dialog to close", async () => !(await page.$("dialog")));
    equal((await game(page)).variant, "chesspp+later=2", "the rules of the new game");
    await page.click("#new-game");
    await page.waitForSelector('dialog a[href="#lab"]');
    await page.click('dialog a[href="#lab"]');
    await page.waitForSelector("#rules-name");
    equal(await page.$("dialog"), null, "the dialog after its link to the lab");
    await page.leave();
    // The game of a first visit has the same rules, the same level and the other colour.
    const fresh = await visitor("#lab");
    await until("the rules", async () => (await rulesName(fresh)) === "chesspp");
    const replaces = () => fresh.$eval("#lab-play + .hint", (hint) => !hint.hidden);
    equal(await replaces(), false, "a game to replace");
    await fresh.select("#lab-against", "beginner");
    await fresh.select("#lab-colour", "black");
    await fresh.click("#lab-play");
    await played(fresh, 1);
    const players = () => fresh.$$eval(".player b", (names) => names.map((name) => name.textContent));
    equal(await players(), ["Network, Beginner", "You"], "the players");
    // Another opponent leaves the user's colour alone.
    await fresh.click("#new-game");
    await fresh.waitForSelector("#strength");
    await fresh.select("#strength", "novice");
    await fresh.$eval("#go-on", (box) => box.click());
    await fresh.click("#start");
    await until("the other opponent", async () => (await players()).join() === "Network, Novice,You");
    equal(await fresh.$$eval(".player .side", (sides) => sides.map((side) => side.textContent)), ["3 simulations per move", "Black"], "the sides");
    // Another game from the lab replaces it. Back leads to it, with its players, also after a reload.
    const { moves } = await game(fresh);
    await fresh.evaluate(() => (location.hash = "#lab?game=chesspp+bare"));
    await until("other rules", async () => (await rulesName(fresh).catch(() => "")) === "chesspp+bare");
    equal(await replaces(), true, "a game to replace");
    await fresh.select("#lab-against", "beginner");
    await fresh.click("#lab-play");
    await until("the new game", async () => (await players().catch(() => [])).join() === "Network, Beginner,You");
    await click(fresh, "e2");
    await click(fresh, "e4");
    await played(fresh, 2);
    await fresh.goBack();
    await fresh.waitForSelector("#lab-play");
    await fresh.goBack();
    await fresh.waitForSelector("#linked:not([hidden]) a");
    await fresh.reload();
    await fresh.waitForSelector("#linked:not([hidden]) a");
    equal([(await game(fresh)).moves, await players()], [moves, ["Network, Novice", "You"]], "the former game");
    equal(await fresh.$eval("#linked", (note) => note.textContent.trim()), "Your own game is kept until you begin another.Back to my game", "the note");
    await fresh.leave();
});

/** Both ends of Wilson's interval, as the shares at which a test of the found share has |z| = 1.96. */
function wilsonEnds(successes, games) {
    const found = successes / games;
    const z = (share) => Math.abs(found - share) / Math.sqrt((share * (1 - share)) / games);
    const end = (edge) => {
        let [inside, outside] = [found, edge];
        for (let n = 0; n < 60; n++) {
            const share = (inside + outside) / 2;
            if (z(share) < 1.96) inside = share;
            else outside = share;
        }
        return inside;
    };
    return [end(0), end(1)];
}

test("self-play in the rules lab sees repetitions, also of pawns that teleport back", async () => {
    const { outputFiles } = await build({ entryPoints: [join(web, "src/worker.ts")], bundle: true, format: "esm", write: false, logLevel: "warning", banner: { js: "const self = {};" }, define: { "import.meta.url": '""' } });
    const { forgets } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
    const outcomeOf = (variant, start, moves) => {
        let since = [];
        for (const move of moves) {
            since.push(move);
            const { fen, last, outcome } = JSON.parse(wasm.state(variant, start, since.join(" ")));
            if (outcome) return outcome.name;
            if (forgets(variant, fen, last.kind)) [start, since] = [fen, []];
        }
        return "none";
    };
    const there = ["e2e3", "e8d8", "e3e2t", "d8e8"];
    equal(outcomeOf("chesspp+pawns", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 e2e3/-", [...there, ...there]), "repetition", "a pawn");
    const { fen } = JSON.parse(wasm.state("chesspp", "", "e2e4"));
    equal([forgets("chesspp", fen, "move"), forgets("chesspp", fen, "catapult"), forgets("maxim", fen, "move")], [true, false, false], "moves after which the past is dropped");
});

test("self-play in the rules lab: the numbers are those of its games, and stay when the page is left", async () => {
    const variant = "chesspp+fifty=8";
    const page = await visitor(`#lab?game=${variant}`, { before: () => sessionStorage.getItem("catapult.matches") ?? sessionStorage.setItem("catapult.matches", JSON.stringify({ "chess": { games: [], spent: 119500 } })) });
    const label = () => page.$eval("#match-go", (go) => go.textContent);
    const cells = async () => Object.fromEntries(await page.$$eval("#measured tr", (rows) => rows.map((row) => [row.cells[0].textContent, [...row.cells].slice(1).map((cell) => [...cell.childNodes].map((node) => node.textContent))])));
    const counts = async () => ((await cells())["Games"] ?? []).map(([count]) => Number(count));
    const stored = () => page.evaluate((variant) => JSON.parse(sessionStorage.getItem("catapult.matches"))[variant].games, variant);
    await until("the rules", async () => (await rulesName(page)) === variant);
    equal(await label(), "Play for two minutes", "the button");
    await page.click("#match-go");
    await until("some games", async () => (await counts())[0] >= 3 && (await counts())[1] >= 2, 120_000);
    await page.click("#match-go");
    equal(await label(), "Continue", "the button after a stop");
    const games = await stored();
    const found = await cells();
    for (const [column, name] of [variant, "chesspp"].entries()) {
        const mine = games.filter((game) => game.variant === name);
        const sums = { Decisive: 0, "White's score": 0, "Draw: no progress": 0, plies: [], teleports: 0, catapults: 0 };
        for (const { moves } of mine) {
            const state = JSON.parse(wasm.state(name, "", moves.join(" ")));
            const before = JSON.parse(wasm.state(name, "", moves.slice(0, -1).join(" ")));
            holds((state.outcome || moves.length === 400) && !before.outcome, "a game does not end with its last move");
            sums.Decisive += state.outcome?.winner ? 1 : 0;
            sums["White's score"] += { white: 1, black: 0 }[state.outcome?.winner] ?? 0.5;
            sums["Draw: no progress"] += state.outcome?.name === "hundred-plies" ? 1 : 0;
            sums.plies.push(moves.length);
            // The kinds of the moves, from the positions before them.
            for (const [ply, move] of moves.entries()) {
                const { kind } = JSON.parse(wasm.state(name, "", moves.slice(0, ply + 1).join(" "))).last;
                sums.teleports += kind === "teleport" || kind === "instant" ? 1 : 0;
                sums.catapults += kind === "catapult" ? 1 : 0;
            }
        }
        equal(found.Games[column], [String(mine.length)], "games");
        for (const row of ["Decisive", "White's score", "Draw: no progress"]) {
            const percent = (value) => `${(100 * value).toFixed(1)} %`;
            const [low, high] = wilsonEnds(sums[row], mine.length);
            // A cause that no game had has no row.
            if (!sums[row] && !found[row]) continue;
            equal(found[row][column], [percent(sums[row] / mine.length), `${percent(low)} to ${percent(high)}`], `${row} of ${name}`);
        }
        const plies = sums.plies.sort((a, b) => a - b);
        const middle = (plies[(plies.length - 1) >> 1] + plies[plies.length >> 1]) / 2;
        equal([found["Plies, median"][column][0], found["Teleports per game"][column][0], found["Catapult moves per game"][column][0]], [middle, sums.teleports / mine.length, sums.catapults / mine.length].map((value) => value.toFixed(1)), `numbers of ${name}`);
    }
    // The numbers stay while other pages and rules are open, and after a reload.
    await page.click(".lab details:has(.lab-games) summary");
    await until("the list", async () => (await page.$$(".lab-games a")).length === games.length);
    await page.click(".lab-games a");
    await until("the game in Analyse", async () => (await game(page)).moves.join() === games[0].moves.join());
    await page.evaluate(() => (location.hash = "#lab?game=chess"));
    await page.waitForSelector("#rules-name");
    await until("chess", async () => (await rulesName(page)) === "chess");
    await page.click("#match-go");
    await until("the end of the time", async () => (await label()) === "Two more minutes", 120_000);
    holds((await counts()).every((count) => count >= 1), "no games of chess");
    equal(await page.$eval("#match-status", (status) => status.textContent), "The time is over.", "the status");
    await page.reload();
    await page.waitForSelector("#match-go");
    await page.evaluate((variant) => (location.hash = `#lab?game=${variant}`), variant);
    await until("the numbers after a reload", async () => JSON.stringify(await cells()) === JSON.stringify(found));
    await page.click("#match-go");
    await until("more games", async () => (await counts())[0] > Number(found.Games[0][0]), 120_000);
    // Leaving the page stops the games.
    await page.evaluate(() => (location.hash = "#learn"));
    await page.waitForSelector(".rule-cards section");
    const then = (await stored()).length;
    holds(then > games.length, "the games were not kept");
    await page.evaluate((variant) => (location.hash = `#lab?game=${variant}`), variant);
    await page.waitForSelector("#match-go");
    await until("the button", async () => (await label()) === "Continue");
    equal((await stored()).length, then, "games after the page was left");
    equal(await findings(page), [], "findings of axe");
    await page.leave();
    return `${then} games`;
});

test("the first lesson; rules for players in Learn, and specifications on a page of their own", async () => {
    const page = await visitor("#learn", { storage: { play: { ...AGAINST, moves: ["e2e4", "b8a6"] } } });
    const steps = [["e3", "c5"], ["a1", "g6"], ["a1", "h5"], ["e1", "f1"], ["e1", "g1"], ["b4", "d5"]];
    for (const [index, squares] of steps.entries()) {
        await until("the step", async () => (await page.$eval("#lesson-title", (title) => title.textContent)).startsWith(`${index + 1}.`));
        await until("its board", async () => (await page.$eval(".lesson .try-status", (status) => status.textContent)).startsWith("White to move"));
        await new Promise((resolve) => setTimeout(resolve, 100));
        equal(await page.$eval("#verdict", (verdict) => getComputedStyle(verdict).borderLeftColor), "rgba(0, 0, 0, 0)", "the bar beside no verdict");
        for (const square of squares) await click(page, square, ".lesson .board");
        await until(`step ${index + 1}`, async () => (await page.$eval("#verdict", (verdict) => verdict.textContent)).startsWith("Well done"));
        if (index + 1 < steps.length) await page.click("#lesson-next");
    }
    await page.$$eval(".lesson a", (links) => links.find(({ textContent }) => textContent.startsWith("Play")).click());
    await until("an opponent", async () => (await page.$$eval(".player b", (names) => names.map((name) => name.textContent))).join() === "Network, Beginner,You");
    // Every position in the rules must be valid.
    const boards = JSON.parse(readFileSync(join(web, "dist", "learn.json"), "utf8")).flatMap(({ sections }) => sections.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === "board")));
    for (const { variant, fen } of boards) equal(JSON.parse(wasm.state(variant, fen, "")).variant, variant, fen);
    for (const name of ["chesspp", "century", "half", "maxim"]) {
        await page.evaluate((name) => (location.hash = `#learn?game=${name}`), name);
        const shown = name === "chesspp" ? ".rule-cards section" : ".rule";
        await until(`rules of ${name} for players`, async () => (await page.$(`.learn a[href="#specification?game=${name}"]`)) && (await page.$$(shown)).length >= 6);
        const words = await page.$eval('[aria-label="Rules"]', (box) => box.textContent);
        holds(!/\bFEN is|perft|pseudo|outcome|not legal|[/][1-8KQRNBP]+[/]/.test(words), `words for programs in Learn, ${name}: ${/.{30}(\bFEN is|perft|pseudo|outcome|not legal|[/][1-8KQRNBP]+[/]).{0,30}/.exec(words)?.[0]}`);
        await page.evaluate((name) => (location.hash = `#specification?game=${name}`), name);
        await until(`rules of ${name}`, async () => (await page.$$(".rule")).length >= 7);
        const numbers = await page.$$eval(".rule-number", (found) => found.map((number) => Number(number.textContent)));
        equal(numbers, numbers.map((_, index) => index + 1), `numbers of the rules of ${name}`);
    }
    await page.leave();
    return `${boards.length} boards of rules`;
});

test("axe: no finding on any page, with dialogs open, in both themes and on a phone", async () => {
    const found = [];
    // On the front page the picture's pieces need not move.
    const features = [{ name: "prefers-reduced-motion", value: "reduce" }];
    const press = (selector, then) => async (page) => {
        await page.waitForSelector(selector);
        await page.$eval(selector, (button) => button.click());
        if (then) await page.waitForSelector(then, { timeout: 60_000 });
    };
    const lost = fragment("analyse", "chesspp", "6k1/5ppp/p7/1p6/8/1P3q2/5PPP/R5K1 w - - 0 2 a1e8/b8f8", "h2h3,f3a8");
    const views = [
        ["#play", press("#new-game", "#against")],
        [fragment("play", "chesspp", "", "b1c3,a7a6"), press("#share", "#send-position")],
        [fragment("play", "maxim", "", "e2e4")],
        [fragment("analyse", "chesspp", "", "b1c3,a7a6"), (page) => page.waitForSelector("#explorer .explored > *")],
        [`${lost}&review=1`, (page) => page.waitForSelector(".review .summary", { timeout: 60_000 })],
        ["#puzzles"], ["#lab?game=chesspp+bare+teleport=-"], ["#learn"], ["#learn?game=half"], ["#specification?game=chesspp", (page) => page.waitForSelector(".rule")], ["#home"], ["#editor"], ["#rules"], ["#about"],
    ];
    await inPairs(views, async ([hash, then]) => {
        const page = await visitor(hash, { features, storage: { "analyse.explorer": true }, wait: /about|specification/.test(hash) ? "h1" : ".layer-pieces .piece" });
        await then?.(page);
        for (const [width, height, theme] of [[1200, 1000, "dark"], [1200, 1000, "light"], [390, 844, "light"]]) {
            await page.setViewport({ width, height });
            await setTheme(page, theme);
            for (const finding of await findings(page)) found.push(`${theme} ${width} ${hash.slice(0, 20)}: ${finding}`);
        }
        await page.leave();
    });
    holds(!found.length, found.join("\n      "));
    return `${views.length} views`;
});

test("the inventors, the licence and the study are named; a proposal's phrase and this project's reading are apart", async () => {
    const page = await visitor("#play");
    await page.click("footer a");
    await until("the page", async () => (await page.$eval("h1", (title) => title.textContent)) === "About");
    const about = await page.$eval("main", (main) => main.textContent);
    for (const part of ["Rajdeep Das, 2025", "Nicolino Will, 2017", "Maxim Frolov", "Karl Munzlinger", "MIT or Apache-2.0", "experiments/chesspp"]) holds(about.includes(part), `not named: ${part}`);
    holds(!about.includes("@"), "an address of a person");
    await page.evaluate(() => (location.hash = "#lab"));
    await page.waitForSelector('input[name="option-third"]');
    const third = await page.$eval('input[name="option-third"]', (box) => box.parentElement.textContent);
    equal(third, "+third “Adding a third Catapult for each player”: three catapults per side instead of two, the third on d1 and d8", "the third catapult");
    await page.leave();
});

test("a link leaves the own game alone, and tabs keep their opponents", async () => {
    const page = await visitor("", { storage: { play: AGAINST } });
    const names = (page) => page.$$eval(".player b", (names) => names.map((name) => name.textContent));
    await click(page, "e2");
    await click(page, "e4");
    await played(page, 2);
    const { moves } = await game(page);
    await page.evaluate((hash) => (location.hash = hash), fragment("play", "chesspp", "", "d2d4,d7d5,c2c4"));
    await page.waitForSelector("#linked:not([hidden])");
    await click(page, "e7");
    await click(page, "e6");
    await played(page, 4);
    equal(await names(page), ["Black", "White"], "players of the link's game");
    await page.reload();
    await until("the link's game", async () => (await game(page)).moves.length === 4);
    await page.waitForSelector("#linked a");
    await page.click("#linked a");
    await until("the own game", async () => (await game(page)).moves.join() === moves.join());
    equal(await names(page), ["Network, Beginner", "You"], "players of the own game");
    await click(page, "d2");
    await click(page, "d4");
    await played(page, 4);
    const { moves: later } = await game(page);
    // Back leads to the link's game, and then to the own game as it is now.
    await page.goBack();
    await until("the link's game", async () => (await names(page)).join() === "Black,White");
    await page.goBack();
    await until("the own game after Back", async () => (await names(page)).join() === "Network, Beginner,You");
    equal((await game(page)).moves, later, "the own game after Back");
    // Another tab begins with the same game. Its new game leaves the first tab's game alone.
    const tab = await page.browserContext().newPage();
    await tab.goto(host.url);
    await tab.waitForSelector(".moves .move");
    await tab.click("#new-game");
    await tab.waitForSelector("#against");
    await tab.click('dialog input[value="half"]');
    await tab.select("#against", "human");
    await tab.click("#start");
    await until("the tab's game", async () => (await game(tab)).variant === "half");
    await page.bringToFront();
    await page.reload();
    await page.waitForSelector(".moves .move");
    equal([(await game(page)).moves, await names(page)], [later, ["Network, Beginner", "You"]], "the first tab's game");
    await page.leave();
});

test("the board fits a phone in landscape, nothing is too wide at 320 pixels, and the lesson's board is in view", async () => {
    const size = (page, selector) => page.$eval(selector, (element) => {
        const { top, bottom, width } = element.getBoundingClientRect();
        return { top, bottom, width };
    });
    for (const [hash, width, height] of [["#play", 844, 390], [fragment("play", "century"), 844, 390], [fragment("analyse", "half"), 844, 390], ["#play", 568, 320], ["#play", 800, 600]]) {
        const page = await visitor(hash, { width, height });
        const board = await size(page, ".board");
        holds(board.top >= 0 && board.bottom <= height && board.width > 0.6 * height, `${hash} at ${width}x${height}: ${JSON.stringify(board)}`);
        await page.leave();
    }
    const narrow = await visitor("", { width: 320, height: 568, storage: { "analyse.explorer": true } });
    for (const hash of ["#play", "#analyse?game=chess", "#lab", "#learn", "#about", "#home", "#rules", "#editor", "#puzzles"]) {
        await narrow.evaluate((hash) => (location.hash = hash), hash);
        await new Promise((resolve) => setTimeout(resolve, 300));
        const wide = () => [...document.querySelectorAll("main, main > .page > :not(.heard), .board")].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth).concat(document.documentElement.scrollWidth - 320);
        holds((await narrow.evaluate(wide)).every((pixels) => pixels <= 2), `too wide in ${hash}`);
    }
    await narrow.evaluate(() => (location.hash = "#analyse?game=chess"));
    await narrow.waitForSelector("#open-dialog");
    await openText(narrow, `[White "${"Long".repeat(20)}"]\n[Black "${"Name".repeat(20)}"]\n\n1. e4 *\n`);
    await until("the names", async () => (await narrow.$eval(".panel h2", (heading) => heading.textContent)).includes("LongLong"));
    equal(await narrow.evaluate(() => document.documentElement.scrollWidth), 320, "the width with long names");
    // 512x384 is a screen of 1024x768 at a zoom of 200 %.
    for (const hash of ["#play", "#analyse?game=chess", "#editor"]) {
        await narrow.evaluate((hash) => (location.hash = hash), hash);
        await narrow.waitForSelector(hash.startsWith("#a") ? ".lines tr" : ".piece");
        for (const [width, height] of [[512, 384], [480, 320], [568, 320], [640, 360]]) {
            await narrow.setViewport({ width, height });
            equal(await narrow.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, `pixels too wide in ${hash} at ${width}x${height}`);
        }
    }
    await narrow.leave();
    // A served page has two more entries.
    for (const [width, height] of [[390, 700], [320, 700], [844, 390], [568, 320]]) {
        const page = await visitor("", { width, height });
        const [rows, wide, gap] = await page.evaluate(() => {
            const nav = document.getElementById("nav");
            for (const label of ["Watch", "By link"]) nav.append(Object.assign(document.createElement("a"), { href: "#play", textContent: label }));
            const words = [...nav.children].map((link) => {
                const range = document.createRange();
                range.selectNodeContents(link);
                return range.getBoundingClientRect();
            });
            const gaps = words.slice(1).map(({ left }, index) => left - words[index].right);
            return [new Set([...nav.children].map((link) => link.getBoundingClientRect().top)).size, nav.scrollWidth - nav.clientWidth, Math.min(...gaps)];
        });
        equal([rows, wide], [1, 0], `rows and pixels too wide of six entries at ${width}`);
        // A word's space is 4 pixels wide.
        holds(gap >= 6, `${gap} pixels between two entries at ${width}`);
        await page.leave();
    }
    const phone = await visitor("#play", { width: 390, height: 844, storage: { play: AGAINST } });
    await until("the opponent's whole name", () => phone.$eval(".player b", (name) => {
        const words = document.createRange();
        words.selectNodeContents(name);
        return name.textContent === "Network, Beginner" && words.getBoundingClientRect().width - name.getBoundingClientRect().width < 0.02;
    }));
    await phone.leave();
    const page = await visitor("#learn", { width: 390, height: 844 });
    const { bottom } = await size(page, ".lesson .board");
    holds(bottom <= 844, `the lesson's board ends at ${bottom}`);
    await page.leave();
});

test("strength and colour are in view when New game opens", async () => {
    for (const [width, height] of [[390, 844], [1366, 768]]) {
        const page = await visitor("#play", { width, height });
        await page.click("#new-game");
        await page.waitForSelector("#colour");
        const row = await page.$eval("dialog > .row.end", (row) => row.getBoundingClientRect().top);
        for (const id of ["#strength", "#colour"]) {
            const { bottom } = await page.$eval(id, (field) => ({ bottom: field.getBoundingClientRect().bottom }));
            holds(bottom <= row, `${id} ends at ${bottom}, below ${row}, at ${width}x${height}`);
        }
        await page.leave();
    }
});

test("the levels show the ratings of web/README.md, rounded to fifty", async () => {
    const readme = readFileSync(join(web, "README.md"), "utf8");
    const strengths = Object.values(JSON.parse(readFileSync(join(web, "src/strengths.json"), "utf8")));
    const grouped = (number) => number.toLocaleString("en");
    for (const { name, nodes, rating } of strengths) {
        const found = new RegExp(`^\\| ${name} \\| ${nodes ? grouped(nodes) : "5 s"} \\| ([^|]*) \\|`, "m").exec(readme)?.[1];
        holds(found, `${name} is not in the table`);
        const [, value] = /^([\d,]+) \[/.exec(found) ?? [];
        equal(rating, value ? `about ${grouped(50 * Math.round(Number(value.replace(",", "")) / 50))}` : found === "–" ? undefined : found, `the rating of ${name}`);
    }
    const page = await visitor("#play");
    await page.click("#new-game");
    await page.waitForSelector("#strength");
    const shown = await page.$$eval("#strength option", (options) => options.map((option) => option.textContent));
    for (const { name, rating, nodes } of strengths) holds(shown.includes(`${name} (${rating ?? (nodes ? `${nodes} simulations per move` : "5 s per move")})`), `${name} in ${shown}`);
    holds((await page.$eval("dialog", (box) => box.textContent)).includes("Ratings in chess"), "what the ratings are is not said");
    await page.leave();
});

test("the front page: three sentences, the inventor, a teleport that moves unless motion is reduced, and the preview of a link", async () => {
    for (const [motion, animations] of [["no-preference", 2], ["reduce", 0]]) {
        const page = await visitor("", {
            features: [{ name: "prefers-reduced-motion", value: motion }],
            before: countAnimations,
        });
        equal(await page.$eval("h1", (title) => title.textContent), "Chess++", "the page");
        holds((await page.$eval("main", (main) => main.textContent)).includes("Invented by Rajdeep Das (2025)"), "the inventor is not named");
        equal(await page.$$eval(".home a", (links) => links.map((link) => link.getAttribute("href"))), ["#play", "#learn", "#rules", "#puzzles", "#lab?game=chesspp&results=1", "#about"], "links");
        // Without motion the picture begins at its end.
        await page.waitForSelector(".scene .throw");
        holds((await page.$eval(".scene .caption", (caption) => caption.textContent)).endsWith("checkmate."), "the end of the picture");
        holds((await page.evaluate(() => window.animations)) >= animations && (motion !== "reduce" || !(await page.evaluate(() => window.animations))), `animations with ${motion}`);
        await page.click(".scene button");
        await until("the first scene", async () => !(await page.$(".scene .throw")));
        await page.click(".home .primary");
        await until("the game", async () => (await game(page)).variant === "chesspp");
        // Later visits begin with the game.
        await page.goto(host.url);
        await page.waitForSelector("#new-game");
        await page.leave();
    }
    // The scenes are what the rules say.
    const scenes = [["6k1/1p3ppp/p7/8/8/1P6/5PPP/R5K1 w - - 0 1 a1d7/b8f8", "d7e8"], ["6k1/1p3ppp/p7/8/8/1P6/5PPP/R5K1 b - - 1 1 a1e8/b8f8", "b7b5"], ["6k1/5ppp/p7/1p6/8/1P6/5PPP/R5K1 w - - 0 2 a1e8/b8f8", "a1e8t"]];
    const source = readFileSync(join(web, "src/home.ts"), "utf8");
    const after = scenes.map(([fen, move]) => JSON.parse(wasm.state("chesspp", fen, move)));
    equal(after.map(({ fen }) => fen), [scenes[1][0], scenes[2][0], "4R1k1/5ppp/p7/1p6/8/1P6/5PPP/6K1 b - - 1 2 a1e8/b8f8"], "positions");
    for (const { fen } of after) holds(source.includes(fen), `no scene ${fen}`);
    equal(after[2].outcome?.name, "checkmate", "the end");
    const index = readFileSync(join(web, "dist/index.html"), "utf8");
    for (const part of ['"og:title"', '"og:description"', 'property="og:image" content="preview.png"']) holds(index.includes(part), `no ${part}`);
    for (const [name, content] of [["og:image", "https://example.org/chess/preview.png"], ["og:url", "https://example.org/chess/"]]) holds(previewTags("https://example.org/chess/").includes(`property="${name}" content="${content}"`), `no ${name} with a base`);
    for (const base of ["ftp://example.org/", "https://example.org/chess", "https://example.org/?a", "nonsense"]) {
        let refused = "";
        try {
            previewTags(base);
        } catch (error) {
            refused = error.message;
        }
        holds(refused.includes(base), `the base ${base} is not refused`);
    }
    holds(!/https?:/.test(index.replace(/http:\/\/www.w3.org[^"]*/g, "")), "an absolute address without a base");
});

test("the rules for players: every board is a position, and every named move is legal and can be clicked", async () => {
    const page = await visitor("#learn", { width: 1200, height: 9000 });
    await page.click('.lesson a[href="#rules"]');
    await until("the boards", async () => (await page.$$(".players .board")).length >= 10);
    await until("the moves", async () => (await page.$$(".players .chip:disabled")).length === 0);
    const source = readFileSync(join(web, "src/rules.ts"), "utf8");
    const fens = [...source.matchAll(/fen: "([^"]+)"/g)].map(([, fen]) => fen);
    for (const fen of fens) JSON.parse(wasm.state("chesspp", fen, ""));
    const chips = await page.$$(".players .chip");
    equal([fens.length, chips.length], [(await page.$$(".players .board")).length, [...source.matchAll(/\|[a-h][1-8][a-h][1-8]t?`/g)].length], "boards and moves");
    for (const chip of chips) await chip.click();
    await until("the last move", async () => (await page.$$eval(".players .try-foot button", (buttons) => buttons.filter((button) => !button.disabled).length)) === fens.length);
    await page.leave();
    return `${fens.length} boards, ${chips.length} moves`;
});

test("review: after a game, with blunders, better moves, missed teleports and accuracy; it can be stopped", async () => {
    // White could mate by teleport, and moves the king instead. Black moves the queen.
    const start = "6k1/5ppp/p7/1p6/8/1P3q2/5PPP/R5K1 w - - 0 2 a1e8/b8f8";
    const game1 = { ...AGAINST, variant: "chesspp", start, moves: ["h2h3", "f3a8"], black: "human" };
    const page = await visitor("#play", { storage: { play: { ...game1, resigned: "black" } } });
    await page.waitForSelector("#review");
    await page.click("#review");
    await page.waitForSelector(".review .summary", { timeout: 60_000 });
    const rows = Object.fromEntries(await page.$$eval(".review tbody tr", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)).map(([name, ...values]) => [name, values])));
    equal([rows["Blunders ??"]?.[0], rows["Missed teleports"]?.[0]], ["1", "1"], "White's blunders and missed teleports");
    holds(Number.parseFloat(rows.Accuracy[0]) < 50, `White's accuracy: ${rows.Accuracy}`);
    const first = await page.$eval(".marked li", (item) => item.textContent);
    holds(/^2\. h3 \?\? lost \d+\. Missed teleport: Re8t#?$/.test(first), first);
    holds((await page.$eval(".tree-text", (tree) => tree.textContent)).includes("h3??"), "the mark in the list of moves");
    holds(await page.$(".graph .marked"), "no blunder on the graph");
    equal(await page.$$eval(".lost li", (moves) => moves.map((move) => move.textContent.split(" ").slice(0, 2).join(" "))), ["2. h3:", "2… Qa8:"], "every move");
    holds((await page.$eval(".review details:last-child", (details) => details.textContent)).includes("100 % × e^(−4.5"), "no formula");
    await page.click(".marked li button:last-child");
    await page.waitForSelector(".variation .here, .tree-text .here");
    await until("the better move", async () => (await game(page)).moves.join() === "a1e8t");
    // Switching the engine off and on leaves a review alone.
    await page.evaluate((hash) => (location.hash = hash), `${fragment("analyse", "chesspp", "", "b1c3,a7a6,e2e4,e7e5,g1f3,b8c6")}&review=1`);
    await until("the second position", async () => /Position [2-9]/.test(await page.$eval(".review", (review) => review.textContent)));
    await page.click("#engine");
    await page.click("#engine");
    await until("the end of the review", async () => (await page.$eval("#sweep", (button) => button.textContent)) === "Review the game", 60_000);
    equal((await page.$$(".lost li")).length, 6, "reviewed moves");
    // The review of a longer game can be stopped. What is known then is shown.
    await page.evaluate((hash) => (location.hash = hash), `${fragment("analyse", "chesspp", "", "b1c3,a7a6,e2e4,e7e5,g1f3,b8c6,f1b1t,g8f6,d2d3,d7d6,a2a3,h7h6")}&review=1`);
    await until("the second position", async () => /Position [2-9]/.test(await page.$eval(".review", (review) => review.textContent)));
    await page.click("#sweep");
    await until("the end", async () => (await page.$eval("#sweep", (button) => button.textContent)) === "Review the game");
    await until("the engine", async () => /simulations/.test(await page.$eval(".facts", (facts) => facts.textContent)));
    await page.leave();
});

test("a game by link on the static page: each side moves only its own pieces and sends the next link", async () => {
    // The device's own dialog receives the link.
    const before = () => (navigator.share = async ({ url }) => void (window.shared = url));
    const shared = (page) => until("the link", () => page.evaluate(() => window.shared));
    const seats = (page) => page.$$eval(".player b", (names) => names.map((name) => name.textContent).join());
    const first = await visitor("#play", { storage: { play: { ...AGAINST, black: "human" } }, before });
    await click(first, "e2");
    await click(first, "e4");
    await played(first, 1);
    await first.click("#share");
    await first.waitForSelector("#send-position");
    await first.click("#send-position");
    const link = await shared(first);
    holds(link.endsWith("#play?game=chesspp&moves=e2e4&you=black"), link);
    await until("the seats", async () => (await seats(first)) === "The other player,You");
    const second = await visitor(new URL(link).hash, { before });
    await until("the turn", async () => (await statusOf(second)) === "Black to move. It is your turn.");
    equal(await seats(second), "The other player,You", "the second player's seats");
    await click(second, "e7");
    await click(second, "e5");
    await played(second, 2);
    await until("the word", async () => (await statusOf(second)) === "Your move is made. Send it to the other player.");
    // The second player can't move for White, also after a reload.
    await second.reload();
    await second.waitForSelector("#send");
    await click(second, "d2");
    equal((await second.$$(".target")).length, 0, "targets of the other side's pawn");
    await second.evaluate(() => delete window.shared);
    await second.click("#send");
    const answer = await shared(second);
    holds(answer.endsWith("&moves=e2e4,e7e5&you=white"), answer);
    // The answer continues the first player's own game.
    await first.evaluate((hash) => (location.hash = hash), new URL(answer).hash);
    await until("the answer", async () => (await statusOf(first)) === "White to move. It is your turn.");
    equal(await first.$eval("#linked", (note) => [note.hidden, !note.querySelector("a")]), [false, true], "the note");
    await click(first, "g1");
    await click(first, "f3");
    await played(first, 3);
    await first.click("#take-back");
    await until("the move taken back", async () => (await game(first)).moves.length === 2);
    await first.leave();
    await second.leave();
});

test("beat my game from here: a link starts a game against the computer, from the position shown", async () => {
    const page = await visitor(fragment("play", "chesspp", "", "b1c3,a7a6,e2e4"), { before: () => (navigator.share = async ({ url }) => void (window.shared = url)) });
    await until("the game", async () => (await statusOf(page)) === "Black to move.");
    equal(await page.$eval("#linked", (note) => !note.hidden && note.textContent), "You move both sides here. New game can give you an opponent.", "the note");
    await page.click('[aria-label="One move back"]');
    await until("the position", async () => (await statusOf(page)) === "After 2 of 3 moves. The game is paused.");
    await page.click("#share");
    await page.waitForSelector("#challenge-level");
    await page.select("#challenge-level", "novice");
    await page.click("#send-challenge");
    const link = await until("the link", () => page.evaluate(() => window.shared));
    holds(link.endsWith("&moves=b1c3,a7a6&you=white&against=novice"), link);
    const other = await visitor(new URL(link).hash, { storage: { play: { ...AGAINST, moves: ["d2d4"], black: "human" } } });
    const names = () => other.$$eval(".player b", (names) => names.map((name) => name.textContent).join());
    await until("the players", async () => (await names()) === "Network, Novice,You");
    await click(other, "e2");
    await click(other, "e4");
    await played(other, 4);
    await other.reload();
    await until("the game after a reload", async () => (await game(other)).moves.length >= 4 && (await names()) === "Network, Novice,You");
    await other.click("#linked a");
    await until("the own game", async () => (await game(other)).moves.join() === "d2d4");
    // A link with an unknown strength starts a game against the computer, too.
    await other.evaluate((hash) => (location.hash = hash), `${fragment("play", "chess", "", "e2e4")}&against=__proto__`);
    await until("the message", async () => (await other.$eval("#toast", (toast) => toast.textContent)).includes("does not have"));
    await until("the player", async () => (await names()) === "Network, Medium,You");
    // New game offers three turns for an opponent that looks four turns ahead.
    await other.evaluate((hash) => (location.hash = hash), `${fragment("play", "chess", "", "e2e4")}&against=a4`);
    await until("the opponent", async () => (await names()) === "Alpha-beta,You");
    await other.click("#new-game");
    await other.waitForSelector("#turns");
    equal(await other.$eval("#turns", (turns) => turns.value), "3", "turns");
    await other.leave();
    await page.leave();
});

test("the board editor: FEN out and in, every game, and the board as SVG and PNG", async () => {
    const page = await visitor("#editor", { before: () => (URL.createObjectURL = (blob) => ((window.saved = blob), "#editor")) });
    const fen = () => page.$eval("#editor-fen", (input) => input.value);
    const told = () => page.$eval("#editor-status", (status) => status.textContent);
    const put = async (what, ...squares) => {
        await page.click(`.palette [aria-label="${what}"]`);
        for (const square of squares) await click(page, square);
    };
    await until("the start", async () => (await fen()) === "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 b1*f1*/b8*f8*");
    await click(page, "b1");
    await until("no knight, no more right", async () => (await fen()).includes("/R1BQKBNR w KQkq - 0 1 b1*f1*"));
    await put("erase", "a1");
    await until("no rook on a1", async () => (await fen()).includes("/2BQKBNR w Kkq"));
    await page.click("#editor-clear");
    await until("the message", async () => (await told()).startsWith("FEN field placement"));
    holds(!(await page.$("#editor-play")), "an invalid position can be played");
    await put("white king", "g1");
    await put("black king", "g8");
    await put("white rook", "a1");
    await put("White's fresh catapult", "e8");
    await put("White's catapult that has moved", "a1");
    await put("black pawn", "f7", "a3", "a3");
    await until("the position", async () => (await told()) === "White to move.");
    const wanted = "6k1/5p2/8/8/8/8/8/R5K1 w - - 0 1 a1e8*/-";
    equal(await fen(), wanted, "the FEN");
    // The keyboard reaches every square.
    await page.$eval('[data-name="a1"]', (square) => square.focus());
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await until("a pawn by keyboard", async () => (await fen()).includes("/p7/R5K1"));
    await page.keyboard.press("Enter");
    await page.click("#save-svg");
    const svg = await until("the SVG", () => page.evaluate(() => window.saved?.text()));
    holds(svg.startsWith("<svg") && svg.includes(`<title>${wanted}</title>`) && !/class=|style=|var\(|rgba\(/.test(svg), svg.slice(0, 300));
    await page.click("#save-png");
    const png = await until("the PNG", () => page.evaluate(async () => {
        if (window.saved.type !== "image/png") return null;
        const image = await createImageBitmap(window.saved);
        const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height }).getContext("2d");
        canvas.drawImage(image, 0, 0);
        const at = (x, y) => [...canvas.getImageData(x, y, 1, 1).data].slice(0, 3);
        return { size: [image.width, image.height], light: at(60, 60), dark: at(180, 60), frame: at(489, 60), rook: at(60, 920) };
    }));
    equal(png, { size: [960, 960], light: [236, 229, 211], dark: [181, 159, 125], frame: [10, 95, 208], rook: [255, 255, 255] }, "the picture");
    await page.click("#editor-play");
    await until("the game", async () => (await game(page)).start === wanted);
    holds(await page.$eval("#linked", (note) => !note.hidden && note.textContent.startsWith("You move both sides")), "nothing says who moves");
    await page.click("#analyse");
    await until("the analysis", async () => (await page.$("#edit")) && (await page.$eval(".panel .status", (status) => status.textContent)).startsWith("White"));
    await page.click("#edit");
    await until("the editor", async () => (await page.$("#editor-fen")) && (await fen()) === wanted);
    // Every game: its start is valid and stays the same if it is written again. A FEN of another board is refused.
    for (const { name, start } of JSON.parse(wasm.games())) {
        await page.select("#editor-game", name);
        await until(`the start of ${name}`, async () => (await fen()) === start && (await told()) === "White to move.");
        await page.select("#editor-side", "b");
        await until("the other side", async () => (await fen()) === start.replace(" w ", " b ") && (await told()) === "Black to move.");
    }
    await page.$eval("#editor-fen", (input) => ((input.value = "4k3/8/8/8/8/8/8/4K3 w - -"), input.dispatchEvent(new Event("change"))));
    await until("the refusal", async () => (await told()).startsWith("The board of this FEN has 8 files and 8 ranks."));
    await page.evaluate((hash) => (location.hash = hash), fragment("editor", "maxim", "4k3/8/8/8/8/2(NB)5/8/4K3 w - - 0 1 a1f6/- -"));
    await until("the stack", async () => (await told()) === "White to move.");
    await put("Black's portal", "b2", "h7");
    await until("portals", async () => (await fen()).endsWith(" a1f6/b2h7 -") && (await told()) === "White to move.");
    // A link counts even if the page it leaves changes the address before `hashchange`.
    await page.evaluate(() => {
        location.hash = "#about";
        const side = document.querySelector("#editor-side");
        side.value = "b";
        side.dispatchEvent(new Event("change"));
    });
    await until("the next page", () => page.evaluate(() => document.title.startsWith("About") && location.hash === "#about"));
    await page.leave();
});

/** The rule sets on which the network of Chess++ was trained, from its file. */
function trained() {
    const name = JSON.parse(readFileSync(join(web, "src/networks.json"), "utf8")).chesspp;
    const bytes = readFileSync(join(web, "../models", `${name}.safetensors`));
    const header = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE(0))));
    return JSON.parse(header.__metadata__.provenance).variant.split(", ");
}

test("the page says which rules the network was not trained on", async () => {
    const learned = /const LEARNED = (\[.*\]);/.exec(readFileSync(join(web, "src/client.ts"), "utf8"))[1];
    equal(JSON.parse(learned).map((options) => ["chesspp", options].filter((part) => part).join("+")).sort(), trained().filter((rules) => rules !== "chess").sort(), "rule sets of the network");
    const page = await visitor();
    for (const [rules, told] of [["chesspp+bare", false], ["chesspp+bare+third", true], ["chesspp+third+instant", false], ["chesspp+safe+third", true], ["chess", false]]) {
        await page.evaluate((hash) => (location.hash = hash), fragment("analyse", rules));
        await until(rules, async () => (await game(page)).variant === rules && (await page.$eval("main .note", (note) => !note.hidden && note.textContent.startsWith("The network was not trained"))) === told);
    }
    await page.leave();
});

const built = (name) => {
    const bytes = readFileSync(join(web, "dist", name));
    return JSON.parse(name.endsWith(".gz") ? gunzipSync(bytes) : bytes);
};

test("puzzles: every position, move and line is legal, and as the file says", async () => {
    const { source, ratings, puzzles } = built("puzzles.json");
    const found = puzzles.filter(({ proved }) => !proved);
    for (const { fen, moves, kind, line, rating, proved, score, others } of puzzles) {
        const { moves: legal } = JSON.parse(wasm.state("chesspp", fen, ""));
        for (const text of moves) {
            const move = legal.find((one) => one.text === text);
            // The capture of both catapults is a property of a move, not a kind.
            holds(kind === "capture" ? move?.catapults : move?.kind === kind, `${fen}: ${text} is no ${kind}`);
        }
        holds(moves.includes(line[0]), `${fen}: the line`);
        JSON.parse(wasm.state("chesspp", fen, line.join(" ")));
        holds(rating === null || ratings.includes(rating), `${fen}: rating ${rating}`);
        holds(proved || (moves.length === 1 && score >= source.verified.least && others <= source.verified.most), `${fen}: scores ${score} and ${others}`);
    }
    const games = found.map(({ from }) => from.replace(/, ply.*/, ""));
    equal([new Set(games).size, new Set(puzzles.map(({ fen }) => fen)).size], [found.length, puzzles.length], "games and positions");
    holds(puzzles.length >= 200, `${puzzles.length} puzzles`);
    const suite = readFileSync(join(web, "../experiments/tactics/catapult.epd"), "utf8").trim().split("\n");
    const harder = puzzles.filter(({ from }) => from.startsWith("endings "));
    for (const { fen, moves, rating, proved } of harder) holds(proved && moves.length === 1 && rating > source.harder.missed, `${fen}: no harder puzzle`);
    const captures = puzzles.filter(({ kind }) => kind === "capture");
    for (const { fen, moves, proved } of captures) {
        holds(proved && moves.length === 1, `${fen}: not proved, or several moves`);
        const { moves: legal } = JSON.parse(wasm.state("chesspp", fen, ""));
        holds(legal.length >= 8, `${fen}: few moves`);
    }
    holds(captures.length >= 20, `${captures.length} captures of both catapults`);
    equal(puzzles.length - found.length - harder.length - captures.length, suite.length, "proved puzzles");
    return `${found.length} from self-play, ${suite.length} proved of the suite, ${harder.length} harder, ${captures.length} captures of both catapults`;
});

test("a puzzle: wrong move, hint, solution, progress, links", async () => {
    const { puzzles } = built("puzzles.json");
    const kinds = [puzzles.findIndex(({ kind, proved }) => kind === "teleport" && !proved), puzzles.findIndex(({ kind }) => kind === "catapult")];
    const page = await visitor(`#puzzles?n=${kinds[0] + 1}`, { storage: { "puzzles.solved": {} } });
    const text = (selector) => page.evaluate((selector) => document.querySelector(selector)?.textContent ?? "", selector);
    const verdict = (words) => until(words, async () => (await text("#verdict")).includes(words));
    const make = async (fen, wanted) => {
        const { moves, files } = JSON.parse(wasm.state("chesspp", fen, ""));
        const move = moves.find(wanted);
        const name = (square) => String.fromCharCode(97 + (square % files)) + (Math.floor(square / files) + 1);
        await click(page, name(move.from));
        await click(page, name(move.to));
        return move;
    };
    const opened = (index) => until(`puzzle ${index + 1}`, async () => (await text(".puzzles h2")).startsWith(`Puzzle ${index + 1} of ${puzzles.length}`));
    const [first] = kinds;
    const { fen, moves } = puzzles[first];
    await opened(first);
    const wrong = await make(fen, (move) => move.kind === "move" && !move.promotion && !moves.includes(move.text));
    await verdict(`${wrong.san} is not the move.`);
    await verdict("The network gives it a score of");
    await page.click("#again");
    await until("the puzzle again", async () => (await text("#verdict")) === "");
    await page.click("#hint");
    await verdict("The move is a teleport.");
    await page.click("#hint");
    await page.waitForSelector(".mark.heat");
    await make(fen, ({ text }) => moves.includes(text));
    await verdict("Correct.");
    holds((await text("#score")).startsWith(`1 of ${puzzles.length} solved, 0 at the first try`), await text("#score"));
    await page.click("#next");
    await until("the next puzzle", async () => (await page.evaluate(() => location.hash)) !== `#puzzles?n=${first + 1}`);
    await page.evaluate((hash) => (location.hash = hash), `#puzzles?n=${kinds[1] + 1}`);
    await opened(kinds[1]);
    await until("its board", async () => (await text("#verdict")) === "");
    // Another tab solves another puzzle.
    await page.evaluate((fen) => {
        const name = "catapult.puzzles.solved";
        localStorage.setItem(name, JSON.stringify({ ...JSON.parse(localStorage.getItem(name)), [fen]: 2 }));
    }, puzzles.at(-1).fen);
    await make(puzzles[kinds[1]].fen, ({ text }) => puzzles[kinds[1]].moves.includes(text));
    await verdict("Correct.");
    // Progress survives a reload. Without a number, the page opens the first unsolved puzzle.
    await page.reload();
    await opened(kinds[1]);
    await until("progress", async () => (await text("#score")) === `3 of ${puzzles.length} solved, 2 at the first try.`);
    await page.evaluate(() => (location.hash = "#puzzles"));
    const unsolved = [...puzzles.keys()].find((index) => !kinds.includes(index));
    await opened(unsolved);
    await page.click("#solution");
    await verdict("The solution:");
    holds((await text("#score")).startsWith("3 of"), "the solution counts as solved");
    // After a look at the solution, no later try is the first one.
    await page.reload();
    await opened(unsolved);
    await make(puzzles[unsolved].fen, ({ text }) => puzzles[unsolved].moves.includes(text));
    await verdict("Correct.");
    holds((await text("#score")).startsWith(`4 of ${puzzles.length} solved, 2 at the first try`), await text("#score"));
    // Mate on the hundredth ply wins: of five plies, White makes three.
    const late = puzzles.findIndex(({ fen, proved }) => proved?.includes("wins: K") && fen.split(" ")[4] === "95");
    await page.evaluate((hash) => (location.hash = hash), `#puzzles?n=${late + 1}`);
    await opened(late);
    holds((await text(".status")).endsWith("to move. Mate within 3 moves: then the fifty-move rule draws."), await text(".status"));
    await page.evaluate(() => (location.hash = "#puzzles?n=99999"));
    await until("the message", async () => (await text("#toast")).includes("There is no puzzle 99999."));
    await page.evaluate((hash) => (location.hash = hash), `#puzzles?n=${first + 1}`);
    await opened(first);
    await page.click(".puzzles a.button");
    await until("the analysis", async () => (await game(page)).start === fen);
    await page.leave();
});

test("the opening explorer: counts, transpositions, a click plays the move", async () => {
    const total = (moves) => Object.values(moves).reduce((sum, [games]) => sum + games, 0);
    const keyOf = (fen) => fen.split(" ").filter((_, index) => index !== 4 && index !== 5).join(" ");
    const files = readdirSync(join(web, "dist")).filter((name) => name.startsWith("openings-"));
    const all = Object.fromEntries(files.map((name) => [built(name).rules, built(name)]));
    for (const rules of Object.keys(all)) holds(files.includes(`openings-${rules.replaceAll(/[+=]/g, "-")}.json.gz`), `the file of ${rules}`);
    // Every game, and every rule set that the network of Chess++ was trained on.
    for (const { name, options } of JSON.parse(wasm.games())) for (const rules of [name, ...options.map(([option]) => `${name}+${option}`)]) holds(all[rules], `no openings of ${rules}`);
    for (const rules of trained()) holds(all[rules], `no openings of ${rules}`);
    const told = [];
    for (const [variant, { source, least_games, positions: known }] of Object.entries(all)) {
        const start = keyOf(JSON.parse(wasm.state(variant, "", "")).fen);
        equal(total(known[start]), source.games, `games of ${variant}`);
        // The games that a position's moves lead to, counted along the moves.
        const reached = new Map();
        for (const [key, moves] of Object.entries(known)) {
            const fields = key.split(" ");
            const { after } = JSON.parse(wasm.after(variant, [...fields.slice(0, 4), "0", "1", ...fields.slice(4)].join(" ")));
            for (const [text, [games, white, draws]] of Object.entries(moves)) {
                holds(after[text], `${key}: ${text} is not legal`);
                holds(white + draws <= games && white >= 0 && draws >= 0, `${key}: ${text}: results`);
                reached.set(keyOf(after[text]), (reached.get(keyOf(after[text])) ?? 0) + games);
            }
            holds(total(moves) >= least_games, `${key}: too few games`);
        }
        // Every game is counted once. Only moves from other positions can add games. A rare position, which is left
        // out, adds fewer than `least_games`.
        for (const text of Object.keys(known[start])) {
            const { fen } = JSON.parse(wasm.state(variant, "", text));
            const [games] = known[start][text];
            if (games < least_games) continue;
            const found = total(known[keyOf(fen)] ?? {});
            holds(games <= found && found < reached.get(keyOf(fen)) + least_games, `${variant} after ${text}: ${found} games instead of ${games}`);
        }
        let [along, counted] = [0, 0];
        for (const [key, moves] of Object.entries(known)) if (key !== start) [along, counted] = [along + Math.min(total(moves), reached.get(key) ?? 0), counted + total(moves)];
        holds(along > 0.95 * counted, `${variant}: ${along} of ${counted} games along the moves`);
        told.push(`${Object.keys(known).length} of ${variant}`);
    }
    const { source, plies } = all.chesspp;
    const positions = { chesspp: all.chesspp.positions };
    const host = await serve();
    const page = await visitor("#analyse?game=chesspp", { url: host.url });
    await page.waitForSelector(".lines tbody tr");
    holds(![...host.sent.keys()].some((path) => path.startsWith("openings-")), "the openings were sent before they were wanted");
    await page.click("#engine");
    await page.click("#explorer summary");
    const rows = () => page.$$eval("#explorer tbody tr", (rows) => rows.map((row) => [...row.cells].slice(0, 3).map((cell) => cell.textContent)));
    const wanted = (moves) => {
        const state = JSON.parse(wasm.state("chesspp", "", moves.join(" ")));
        const found = Object.entries(positions.chesspp[keyOf(state.fen)]).map(([text, [games, white, draws]]) => [state.moves.find((move) => move.text === text).san, games.toLocaleString("en"), `${Math.round((100 * (white + draws / 2)) / games)} %`]);
        return JSON.stringify(found);
    };
    const shows = (moves) => until(`the moves after ${moves}`, async () => JSON.stringify((await rows()).slice(0, -1)) === wanted(moves));
    await shows([]);
    holds((await page.$eval("#explorer", (box) => box.textContent)).includes(`${source.games.toLocaleString("en")} games`), "the number of games");
    const [best] = Object.keys(positions.chesspp[keyOf(JSON.parse(wasm.state("chesspp", "", "")).fen)]);
    await page.click("#explorer tbody .move");
    await until("the move", async () => (await game(page)).moves.join() === best);
    await shows([best]);
    // Two orders of the same moves show the same games.
    for (const moves of [["d2d4", "d7d5", "e2e3", "e7e6"], ["e2e3", "e7e6", "d2d4", "d7d5"]]) {
        await page.evaluate((hash) => (location.hash = hash), fragment("analyse", "chesspp", "", moves.join(",")));
        await shows(moves);
    }
    await page.reload();
    await page.waitForSelector("#explorer[open] tbody tr");
    await page.evaluate((hash) => (location.hash = hash), fragment("analyse", "chess", "", "a2a4,a7a5,h2h4,h7h5,a1a3,h8h6,a3h3,h6a6"));
    await until("a position without games", async () => (await page.$eval("#explorer", (box) => box.textContent)).includes(`covers the first ${plies} plies`));
    // Other games and rules have files of their own. A rule set without games says so.
    for (const variant of ["maxim", "half", "century", "chesspp+free"]) {
        await page.evaluate((hash) => (location.hash = hash), fragment("analyse", variant));
        await until(`games of ${variant}`, async () => (await page.$eval("#explorer", (box) => box.textContent)).includes(`${all[variant].source.games.toLocaleString("en")} games of networks`));
    }
    equal([...host.sent.keys()].filter((path) => path.startsWith("openings-")).length, 6, "files of openings that were sent");
    await page.evaluate((hash) => (location.hash = hash), fragment("analyse", "chesspp+bare+third"));
    await until("no games", async () => (await page.$eval("#explorer", (box) => box.textContent)).includes("There are no games of Chess++ with bare, third here."));
    await page.leave();
    host.close();
    return `positions: ${told.join(", ")}`;
});

test("messages expire", async () => {
    const page = await visitor("#play?moves=e2e4", {
        before: () => {
            const set = window.setTimeout;
            window.setTimeout = (run, wait) => set(run, wait >= 5000 ? 4000 : wait);
        },
    });
    await until("the message", () => page.$("#toast.error"));
    await until("its end", async () => !(await page.$("#toast.shown")));
    await page.leave();
});

/** Opens a text in Analyse. */
async function openText(page, text) {
    await page.click("#open-dialog");
    await page.waitForSelector("dialog textarea");
    await page.$eval("dialog textarea", (area, text) => (area.value = text), text);
    await page.click("#open");
}

test("FENs of chess and of four fields, and moves without tags", async () => {
    const page = await visitor(fragment("analyse", "chesspp"));
    const start = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    for (const [as, title] of [["chess", "Chess"], ["chesspp", "Chess++"]]) {
        await page.evaluate(() => (location.hash = "#analyse?game=chesspp"));
        await until("Chess++", async () => (await game(page)).variant === "chesspp");
        await openText(page, start);
        await page.waitForSelector(`#as-${as}`);
        await page.click(`#as-${as}`);
        await until(title, async () => (await game(page)).start === `${start} 0 1` && (await page.$eval(".panel h2", (heading) => heading.textContent)) === title);
        equal((await game(page)).variant, as, "the game");
        holds(!(await page.$("dialog")), "a dialog is open");
    }
    for (const text of ["1. Nc3 a6 2. Cb1-d3", "b1c3 a7a6 b1d3"]) {
        await page.evaluate(() => (location.hash = "#analyse?game=chesspp"));
        await until("an empty game", async () => (await game(page)).moves.length === 0);
        await openText(page, text);
        await until(text, async () => (await game(page)).moves.length === 3).catch(async (error) => {
            throw new Error(`${error.message}: ${await page.$eval("dialog .problem", (problem) => problem.textContent)}`);
        });
    }
    await openText(page, '; a comment\n% a line\n{another comment\nof two lines}\n[Event "E"]\n\n1. e4 e5 {solid} *');
    await until("the game that the PGN names", async () => (await game(page)).variant === "chess" && (await page.$eval(".tree-text", (tree) => tree.textContent)).endsWith("1.e4e5solid"));
    await openText(page, "hello world");
    await until("the line of the error", () => page.$eval("dialog .problem", (problem) => problem.textContent.includes("line 1,")));
    // New game asks, too. It reads no FEN with a missing rank as moves.
    await page.evaluate(() => (location.hash = "#play"));
    await page.waitForSelector("#new-game");
    await page.click("#new-game");
    await page.waitForSelector("#go-on");
    const begin = async (fen) => {
        await page.$eval('dialog details input[type="text"]', (input, fen) => (input.value = fen), fen);
        await page.click("#start");
    };
    await begin("4k3/8/8/8/8/8/4K3 w - - 0 1 -/-");
    await until("the ranks", () => page.$eval("dialog .problem", (problem) => problem.textContent.includes("7 ranks instead of 8")));
    await begin(start);
    await page.waitForSelector("#as-chess");
    await page.click("#as-chess");
    await until("a game of chess", async () => (await game(page)).start === `${start} 0 1`);
    equal((await game(page)).variant, "chess", "the new game");
    await page.leave();
});

test("the stacks of a FEN of Maxim chess are no variations", async () => {
    const page = await visitor(fragment("analyse", "maxim"));
    const titled = (selector) => until("the start of Maxim chess", async () => (await page.$eval(selector, (heading) => heading.textContent).catch(() => "")) === "Maxim chess" && (await game(page)).start === "");
    const opened = async (fen) => {
        await until(fen, async () => (await game(page)).start === fen);
        equal(await page.$$eval("#toast.shown", (toasts) => toasts.map((toast) => toast.textContent)), [], "messages");
    };
    for (const fen of ["4k3/8/8/8/3(NB)4/8/2(RR)5/4K3 w - - 0 1 -/- -", "(nb)p5k/p7/8/8/8/8/8/K6B w - - 0 1 -/- -"]) {
        await page.evaluate((hash) => (location.hash = hash), fragment("analyse", "maxim"));
        await titled(".analyse .panel h2");
        await openText(page, fen);
        await opened(fen);
        await page.evaluate((hash) => (location.hash = hash), fragment("play", "maxim"));
        await titled("#game-title");
        await page.click("#share");
        await page.waitForSelector("dialog textarea");
        await page.$eval("dialog textarea", (area, text) => (area.value = text), fen);
        await page.click("#load");
        await opened(fen);
    }
    await page.leave();
});

test("a PGN keeps names, comments, variations, glyphs and clocks", async () => {
    const page = await visitor(fragment("analyse", "chess"), { before: keepCopies });
    const moves = "{before} 1. e4! {[%clk 0:03:00] best by test} e5?? (1... c5 {Sicilian} 2. Nf3 (2. c3 d5) d6) (1... e6) 2. Nf3 1-0";
    await openText(page, `[White "Ada"]\n[Black "Bo"]\n[WhiteElo "2000"]\n\n${moves}\n`);
    await until("the game", async () => (await page.$$(".variation")).length === 3);
    const shown = await page.$eval(".tree-text", (tree) => tree.textContent);
    for (const part of ["before", "e4!", "best by test", "e5??", "Sicilian"]) holds(shown.includes(part), `not shown: ${part} in ${shown}`);
    holds(!shown.includes("%clk"), "a clock is shown");
    equal(await page.$eval(".panel h2", (heading) => heading.textContent), "Chess: Ada – Bo", "names");
    const copied = await copyPgn(page);
    for (const tag of ['[White "Ada"]', '[Black "Bo"]', '[WhiteElo "2000"]', '[Result "1-0"]']) holds(copied.includes(tag), `no ${tag} in ${copied}`);
    const wanted = "{before} 1. e4 $1 {[%clk 0:03:00] best by test} 1... e5 $4 (1... c5 {Sicilian} 2. Nf3 (2. c3 d5) 2... d6) (1... e6) 2. Nf3 1-0";
    equal(copied.split("\n\n")[1].replace(/\s+/g, " ").trim(), wanted, "the moves");
    await page.reload();
    await until("the tree after a reload", async () => (await page.$$(".variation")).length === 3);
    equal(await page.$eval(".panel h2", (heading) => heading.textContent), "Chess: Ada – Bo", "names after a reload");
    // The link has them, too, also at a move of a variation.
    const here = (of) => of.$$eval(".tree-text .here", (moves) => moves[0]?.textContent ?? "the start");
    const receive = async (title) => {
        equal(await here(page), title, "the position");
        const other = await visitor(await page.evaluate(() => location.hash));
        await until("the tree from the link", async () => (await other.$$(".variation")).length === 3);
        equal(await other.$eval(".tree-text", (tree) => tree.textContent), shown, "the tree from the link");
        equal([await other.$eval(".panel h2", (heading) => heading.textContent), (await game(other)).moves], ["Chess: Ada – Bo", (await game(page)).moves], "names and moves");
        await until(title, async () => (await here(other)) === title);
        await other.leave();
    };
    await receive("the start");
    await page.$$eval(".variation .move", (moves) => moves.find((move) => move.textContent === "d5").click());
    await until("the variation", async () => (await game(page)).moves.join() === "e2e4,c7c5,c2c3,d7d5");
    await receive("d5");
    // A tree that is not of the link's game opens the game alone.
    const bad = await visitor(`${fragment("analyse", "chess", "", "e2e4")}&tree=${encodeURIComponent("1. Qh5 (1. e4) *")}`);
    await until("the game alone", async () => (await game(bad)).moves.join() === "e2e4" && (await bad.$eval("#toast", (toast) => toast.textContent)).includes("variations of the link"));
    await bad.leave();
    await page.bringToFront();
    // A variation that can't be read is reported.
    await openText(page, "1. e4 e5 (1... Qh3) 2. Nf3 *");
    await until("the message", async () => (await page.$eval("#toast", (toast) => toast.textContent)).includes("left out: 1."));
    // A line that begins like a tag would end the game.
    await openText(page, `1. e4 {${"word ".repeat(14)}[Event "x"] there} e5 *`);
    await until("the comment", async () => (await page.$eval(".tree-text", (tree) => tree.textContent)).includes('[Event "x"] there'));
    const again = await copyPgn(page);
    await openText(page, again);
    await until("the end of the dialog", async () => !(await page.$("dialog")));
    equal(await copyPgn(page), again, "the PGN of a PGN");
    // Play keeps the names and reports the rest.
    await page.evaluate(() => (location.hash = "#play"));
    await page.waitForSelector("#share");
    await page.click("#share");
    await page.waitForSelector("dialog textarea");
    await page.$eval("dialog textarea", (area, text) => (area.value = text), `[White "Ada"]\n[Black "Bo"]\n\n${moves}\n`);
    await page.click("#load");
    await until("the names", async () => (await page.$$eval(".player b", (names) => names.map((name) => name.textContent))).join() === "Bo,Ada");
    holds((await page.$eval("#toast", (toast) => toast.textContent)).includes("annotations are left out"), "what Play drops is not reported");
    await page.leave();
});

test("a reload and Back keep the tags and the result of a PGN", async () => {
    const page = await visitor(fragment("analyse", "chess"), { storage: { "analyse.on": false }, before: keepCopies });
    const titled = (title) => until(title, async () => (await page.$eval(".panel h2", (heading) => heading.textContent).catch(() => "")) === title);
    for (const [white, moves] of [["Ann", "1. e4 e5 0-1"], ["Ada", "1. e4 {best by test} 1... e5 0-1"]]) {
        const kept = async (when) => {
            await titled(`Chess: ${white} – Bo`);
            const copied = await copyPgn(page);
            for (const part of ['[Event "Club"]', '[Result "0-1"]', moves]) holds(copied.includes(part), `no ${part} after ${when}: ${copied}`);
        };
        await openText(page, `[Event "Club"]\n[White "${white}"]\n[Black "Bo"]\n[Result "0-1"]\n\n${moves}\n`);
        await kept("Open");
        await page.reload();
        await kept("a reload");
        await page.evaluate(() => (location.hash = "#about"));
        await until("the page", async () => (await page.$eval("h1", (title) => title.textContent)) === "About");
        await page.goBack();
        await kept("Back");
    }
    await page.leave();
});

test("Play: the end of a loaded game is heard, and Copy PGN has its date, or today's for a game begun here", async () => {
    const page = await visitor("#play?game=chess&moves=e2e4", { storage: { play: { ...AGAINST, variant: "chess" } }, before: keepCopies });
    const share = async () => {
        await page.click("#share");
        await page.waitForSelector("dialog textarea");
    };
    const loads = async (text) => {
        await share();
        await page.$eval("dialog textarea", (area, text) => (area.value = text), text);
        await page.click("#load");
        await until("the end of the dialog", async () => !(await page.$("dialog")));
    };
    const tags = async () => {
        await page.evaluate(() => (window.copied = ""));
        await share();
        await page.$$eval("dialog button", (buttons) => buttons.find((button) => button.textContent === "Copy PGN").click());
        const pgn = await until("the PGN", () => page.evaluate(() => window.copied));
        await page.click('dialog [aria-label="Close"]');
        return Object.fromEntries([...pgn.matchAll(/^\[(\w+) "(.*)"\]$/gm)].map(([, name, value]) => [name, value]));
    };
    // Nobody knows when the game of a link was played.
    await until("the game of the link", async () => (await statusOf(page)) === "Black to move.");
    equal((await tags()).Date, "????.??.??", "the date of a game from a link");
    await loads('[Event "Club"]\n[Site "?"]\n[Date "1972.07.11"]\n[White "Ada"]\n\n1. f3 e5 2. g4 Qh4# 0-1');
    await until("what is heard", async () => (await heard(page)) === "A game of Chess. Checkmate: Black wins.");
    equal(await page.$eval("#toast", (toast) => toast.textContent), "PGN copied.", "the last message, from before the game was loaded");
    const { Event, Date: date, White, Result } = await tags();
    equal([Event, date, White, Result], ["Club", "1972.07.11", "Ada", "0-1"], "tags of a loaded game");
    await loads("1. e4! e5");
    await until("the message", async () => (await page.$eval("#toast", (toast) => toast.textContent)).includes("annotations are left out"));
    equal((await tags()).Date, "????.??.??", "the date of loaded moves");
    await page.click("#new-game");
    await page.waitForSelector("#against");
    await page.select("#against", "human");
    await page.click("#start");
    await until("the new game", async () => (await statusOf(page)) === "White to move.");
    // At any time, one of these places has another date than Greenwich.
    for (const [zone, hours] of [["Pacific/Kiritimati", 14], ["Etc/GMT+12", -12]]) {
        await page.emulateTimezone(zone);
        const day = () => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 10).replaceAll("-", ".");
        const [before, found, after] = [day(), (await tags()).Date, day()];
        holds(found === before || found === after, `the date in ${zone}: ${found} instead of ${after}`);
    }
    await page.leave();
});

test("a PGN with a tag whose name has a hyphen", async () => {
    const page = await visitor(fragment("analyse", "chess"), { storage: { "analyse.on": false }, before: keepCopies });
    await openText(page, '[Event "Club"]\n[Time-Control "60"]\n[White "Ada"]\n\n1. e4 {solid} *\n');
    await until("the comment", async () => (await page.$eval(".tree-text", (tree) => tree.textContent)) === "1.e4solid");
    const copied = await copyPgn(page);
    holds(copied.includes('[White "Ada"]') && !copied.includes("Time-Control") && copied.includes("1. e4 {solid}"), copied);
    await page.leave();
});

test("a PGN file in Latin-1", async () => {
    const page = await visitor(fragment("analyse", "chess"), { storage: { "analyse.on": false } });
    await page.click("#open-dialog");
    await page.waitForSelector('dialog input[type="file"]');
    await page.$eval('dialog input[type="file"]', (input, bytes) => {
        const chosen = new DataTransfer();
        chosen.items.add(new File([new Uint8Array(bytes)], "old.pgn"));
        input.files = chosen.files;
        input.dispatchEvent(new Event("change"));
    }, [...Buffer.from('[White "Müller"]\n[Black "Bo"]\n\n1. e4 {schön} *\n', "latin1")]);
    await until("the names", async () => (await page.$eval(".panel h2", (heading) => heading.textContent)) === "Chess: Müller – Bo");
    await until("the comment", async () => (await page.$eval(".tree-text", (tree) => tree.textContent)).includes("schön"));
    await page.leave();
});

test("words of a PGN that are no moves, and comments before the moves of a variation", async () => {
    const page = await visitor(fragment("analyse", "chess"));
    for (const [text, wanted] of [
        ["1. e4 += e5 {solid}\n% no move\n2. Nf3 (2. f4 {King's Gambit}) Nc6$1 *", "1.e4e5solid2.Nf32.f4King's GambitNc6!"],
        ["1. e4 e5 ({sharper:} 1... c5) 2. Nf3 *", "1.e4e51...c5sharper:2.Nf3"],
        ["1. e4 e5 ({only words}) 2. Nf3 *", "1.e4only wordse52.Nf3"],
        ["1. e4 e5 (1... c5*) 2. Nf3 *", "1.e4e51...c52.Nf3"],
        ["1. e4! e5?? *", "1.e4!e5??"],
    ]) {
        await openText(page, text);
        await until(wanted, async () => (await page.$eval(".tree-text", (tree) => tree.textContent)) === wanted);
        await until("the end of the dialog", async () => !(await page.$("dialog")));
    }
    await page.leave();
});

test("the page says why castling is barred, and catapult moves in check", async () => {
    const page = await visitor();
    for (const [variant, fen, to, wanted] of [
        ["chesspp", "4k3/4n3/8/8/8/8/8/R3K2R w KQ - 0 1 -/b1e7", "c1", "enemy knight on e7 could teleport to b1"],
        ["chesspp", "4k3/4n3/8/8/8/8/8/R3K2R w Q - 0 1 -/b1e7", "g1", "the right is lost"],
        ["chesspp+peaceful", "3rk3/4n3/8/8/8/8/8/R3K2R w KQ - 0 1 -/b1e7", "c1", "attacks a square"],
        ["chesspp+block", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 -/a5b1", "c1", "over the enemy catapult on b1"],
        ["chess", "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "g1", "attacks a square"],
        ["chess", "4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1", "g1", "while in check"],
        ["chesspp", "4r1k1/8/8/8/8/8/3P4/4K2Q w - - 0 1 a4b4/-", "a4", "In check you may not move a catapult"],
    ]) {
        await page.evaluate((hash) => (location.hash = hash), fragment("play", variant, fen));
        await until(fen, async () => (await game(page)).start === fen && (await statusOf(page)).startsWith("White to move"));
        await click(page, "e1");
        await click(page, to);
        await until(wanted, async () => (await statusOf(page)).includes(wanted));
        equal(await heard(page), await statusOf(page), "what is heard");
    }
    // After mate the result stays.
    const status = () => page.$eval(".panel .status", (status) => status.textContent);
    await page.evaluate((hash) => (location.hash = hash), fragment("analyse", "chesspp", "8/8/8/8/8/1k6/1q6/K7 w - - 0 1 e4g4/-"));
    const result = await until("the result", async () => /mate/.test(await status().catch(() => "")) && status());
    await click(page, "e4");
    equal(await status(), result, "the status after a click on a catapult");
    await page.leave();
});

test("arrow keys step through a game, also after a click on the board; one simulation is singular", async () => {
    const page = await visitor("", { storage: { play: { ...AGAINST, black: "n1" } } });
    await click(page, "b1");
    await click(page, "c3");
    await played(page, 2);
    equal(await page.$eval(".player .side", (side) => side.textContent), "1 simulation per move", "the opponent");
    await until("White to move", async () => (await statusOf(page)) === "White to move.");
    for (const [key, wanted] of [["ArrowLeft", "After 1 of 2 moves. The game is paused."], ["ArrowLeft", "After 0 of 2 moves. The game is paused."], ["ArrowRight", "After 1 of 2 moves. The game is paused."], ["ArrowRight", "White to move."]]) {
        await page.keyboard.press(key);
        await until(wanted, async () => (await statusOf(page)) === wanted);
    }
    await page.leave();
});

test("Analyse does not think in a hidden tab", async () => {
    const page = await visitor(fragment("analyse", "chess"));
    const simulations = async () => Number(/([\d,]+) simulations/.exec(await page.$eval(".facts", (facts) => facts.textContent))?.[1].replaceAll(",", "") ?? 0);
    const hide = (hidden) => page.evaluate((hidden) => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
    await until("simulations", async () => (await simulations()) > 20);
    await hide(true);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const before = await simulations();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    equal(await simulations(), before, "simulations while hidden");
    await hide(false);
    await until("more simulations", async () => (await simulations()) > before);
    await page.leave();
});

test("Analyse thinks for at most two minutes per position", async () => {
    const page = await visitor(fragment("analyse", "chess"), {
        before: () => {
            window.limits = [];
            const post = Worker.prototype.postMessage;
            // The worker receives a shorter limit.
            Worker.prototype.postMessage = function (message, ...rest) {
                if (message.ask === "think") window.limits.push(JSON.parse(message.limits).ms);
                return post.call(this, message.ask === "think" ? { ...message, limits: JSON.stringify({ ms: 300 }) } : message, ...rest);
            };
        },
    });
    await until("the end", async () => (await page.$eval(".facts", (facts) => facts.textContent)).endsWith("; the search has ended"));
    equal(await page.evaluate(() => window.limits), [120_000], "time limits of the searches");
    await page.leave();
});

test("reduced motion is kept", async () => {
    for (const [value, wanted] of [["reduce", 0], ["no-preference", 1]]) {
        const page = await visitor(fragment("play", "chess"), {
            features: [{ name: "prefers-reduced-motion", value }],
            before: countAnimations,
        });
        await click(page, "e2");
        await click(page, "e4");
        await played(page, 1);
        await new Promise((resolve) => setTimeout(resolve, 100));
        equal(await page.evaluate(() => window.animations), wanted, `animations with ${value}`);
        await page.leave();
    }
});

test("a network that can't be fetched, and a worker that fails, are told and mended", async () => {
    const page = await visitor("", {
        storage: { play: AGAINST },
        before: () => {
            window.workers = [];
            window.Worker = class extends Worker {
                constructor(...rest) {
                    super(...rest);
                    window.workers.push(this);
                }
            };
        },
    });
    const client = await page.createCDPSession();
    await client.send("Network.enable");
    await client.send("Network.setBypassServiceWorker", { bypass: true });
    await page.setRequestInterception(true);
    let blocked = true;
    page.on("request", (request) => (blocked && request.url().includes("networks/") ? request.respond({ status: 404, body: "no" }) : request.continue()));
    await click(page, "b1");
    await click(page, "c3");
    await until("the message", async () => (await statusOf(page)).endsWith("could not be fetched: 404. Reload the page: it may have been updated."));
    blocked = false;
    await page.click("#retry");
    await played(page, 2);
    // Simulates a panic: the worker ends, and the next request starts another one.
    const before = await page.evaluate(() => {
        window.workers[0].onerror(new ErrorEvent("error", { cancelable: true }));
        return window.workers.length;
    });
    await until("White to move", async () => (await statusOf(page)) === "White to move.");
    await click(page, "e2");
    await click(page, "e4");
    await played(page, 4);
    holds((await page.evaluate(() => window.workers.length)) > before, "no worker was started");
    page.problems = page.problems.filter((problem) => !problem.includes("404"));
    await page.leave();
});

test("rules that can't be fetched at first", async () => {
    const before = () => {
        const { fetch } = window;
        window.fetch = (path, ...rest) => {
            if (!String(path).includes("catapult.wasm") || window.failed) return fetch(path, ...rest);
            window.failed = true;
            return Promise.resolve(new Response("no", { status: 503 }));
        };
    };
    // The game of a link is not lost.
    for (const link of [`${fragment("play", "half", "", "e2e4")}&you=black`, fragment("analyse", "half", "", "e2e4")]) {
        const page = await visitor(link, { wait: "#retry", before });
        await page.click("#retry");
        await until("the game", async () => (await game(page)).variant === "half" && (await page.$$(".move")).length === 1);
        await page.leave();
    }
    const page = await visitor("#play", { wait: "#retry", before });
    await page.click("#retry");
    await until("the board", async () => (await page.$$(".layer-pieces .piece")).length === 32);
    await page.click("#new-game");
    await page.waitForSelector("#colour");
    await page.leave();
});

test("the first link leads into the page", async () => {
    const page = await visitor("#learn", { wait: "h1" });
    const before = await page.evaluate(() => [location.hash, document.querySelector("h1").textContent]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await until("the focus", () => page.evaluate(() => document.activeElement.id === "main"));
    equal(await page.evaluate(() => [location.hash, document.querySelector("h1").textContent]), before, "the page");
    await page.leave();
});

test("the editor keeps the catapults that are yet to be placed", async () => {
    const page = await visitor("#editor?game=chesspp+free");
    await page.waitForSelector("[name=castle-K]");
    await page.click("[name=castle-K]");
    await until("the position's text", () => page.$eval("#editor-fen", (input) => input.value.includes(" Qkq ") && input.value.endsWith(" +2/+2")));
    await page.leave();
});

test("the editor keeps the catapult moves that are left, and the sides whose catapults rest", async () => {
    const page = await visitor(fragment("editor", "chesspp+moves=3+still", "7k/8/8/8/8/8/7P/7K w - - 0 1 a3/h5* w 0/1"));
    const ends = (end) => until(end, () => page.$eval("#editor-fen", (input, end) => input.value.endsWith(end), end));
    await ends(" a3/h5* w 0/1");
    await page.select("#editor-side", "b");
    await ends(" b - - 0 1 a3/h5* w 0/1");
    await page.click('.palette [aria-label="White\'s fresh catapult"]');
    await click(page, "a3");
    await ends(" a3*/h5* - 0/1");
    await page.leave();
});

test("a draw by another number of plies", async () => {
    const page = await visitor(fragment("play", "chesspp+fifty=60", "4k3/8/8/8/8/8/8/R3K3 w - - 59 59 -", "a1a2"));
    await until("the draw", async () => (await statusOf(page)) === "A draw: 60 plies without progress.");
    await page.leave();
});

test("a mate in one, in moves", async () => {
    const page = await visitor(fragment("analyse", "chess", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"));
    await until("the proof", async () => (await page.$$eval(".lines tbody tr", (rows) => rows.map((row) => row.cells[1].textContent)))[0] === "win in 1");
    await page.leave();
});

test("a second press on the end of a turn changes nothing", async () => {
    const page = await visitor(fragment("play", "maxim", "", "e2e4"));
    await page.waitForSelector("#done");
    await page.$eval("#done", (button) => {
        button.click();
        button.click();
    });
    await until("Black to move", async () => (await statusOf(page)).startsWith("Black to move"));
    equal((await game(page)).moves.length, 2, "moves");
    await page.leave();
});

test("a second press on the end of a turn in Analyse changes nothing either", async () => {
    const page = await visitor(fragment("analyse", "maxim", "", "e2e4"));
    const done = await page.waitForSelector(".decisions .primary");
    await done.evaluate((button) => {
        button.click();
        button.click();
    });
    await until("Black to move", async () => (await page.$eval(".status", (status) => status.textContent)).startsWith("Black to move"));
    equal((await page.$$(".tree button")).length, 2, "moves");
    await page.reload();
    await until("the same game", async () => (await page.$$(".tree button")).length === 2);
    await page.leave();
});

test("the editor takes castling with a rook in the corner of a shuffled start", async () => {
    const page = await visitor(fragment("editor", "chesspp+start=BBNRKRQN", "4k3/8/8/8/8/8/8/4K2R w - - 0 1 -"));
    const fen = () => page.$eval("#editor-fen", (input) => input.value);
    await (await page.waitForSelector("[name=castle-K]")).click();
    await until("castling", async () => (await fen()).split(" ")[2] === "K");
    equal(await page.evaluate(() => document.activeElement.name), "castle-K", "the focus");
    await page.leave();
});

test("a hint keeps the button that ends the turn", async () => {
    const page = await visitor(fragment("play", "maxim", "", "e2e4"));
    await page.waitForSelector("#done");
    await page.click("#hint");
    await until("the hint", async () => (await statusOf(page)).startsWith("Hint: "));
    await page.click("#done");
    await until("Black to move", async () => (await statusOf(page)).startsWith("Black to move"));
    await page.leave();
});

test("under 1.3 MB to the first move", async () => {
    const host = await serve();
    const page = await visitor("", { url: host.url, storage: { play: AGAINST } });
    await click(page, "b1");
    await click(page, "c3");
    await played(page, 2);
    // Counts each file once, because the service worker may fetch a file again.
    const sizes = [...host.sent.keys()].map((path) => [path, readFileSync(join(web, path.startsWith("networks/") ? `../models/${path.slice(9)}` : `dist/${path}`)).length]);
    const sum = sizes.reduce((sum, [, size]) => sum + size, 0);
    const all = [...host.sent.values()].reduce((sum, size) => sum + size, 0);
    host.close();
    holds(all < 1_300_000, `${all} bytes were sent`);
    for (const path of host.sent.keys()) holds(!/^(selfplay|puzzles|openings|lab|studies|learn)/.test(path), `${path} was sent`);
    await page.leave();
    return `${(sum / 1e6).toFixed(2)} MB of files, ${(all / 1e6).toFixed(2)} MB sent with what the service worker keeps`;
});

/** The number of networks that the service worker keeps. */
const keptNetworks = (page) =>
    page.evaluate(async () => {
        const name = (await caches.keys()).find((name) => name.endsWith(" networks"));
        return name ? (await (await caches.open(name)).keys()).length : 0;
    });

test("offline after the first load", async () => {
    const host = await serve();
    const page = await visitor("#play", { url: host.url });
    await page.evaluate(() => navigator.serviceWorker.ready);
    await until("what is kept", async () => (await keptNetworks(page)) > 0 && (await page.evaluate(() => !!navigator.serviceWorker.controller)));
    const puzzle = () => until("a puzzle", () => page.evaluate(() => /^Puzzle \d+ of \d+$/.test(document.querySelector(".puzzles h2")?.textContent)));
    await page.evaluate(() => (location.hash = "#puzzles"));
    await puzzle();
    host.close();
    host.server.closeAllConnections();
    await page.setOfflineMode(true);
    await page.reload();
    await page.waitForSelector(".board [data-name]");
    await page.evaluate(() => (location.hash = "#learn"));
    await page.waitForSelector(".rule-cards section");
    await page.evaluate(() => (location.hash = "#puzzles?n=2"));
    await puzzle();
    // The rules lab was never opened, so its script is not stored.
    await page.evaluate(() => (location.hash = "#lab"));
    await until("the failure of the rules lab", async () => (await page.$$eval("#main .problem", (problems) => problems[0]?.textContent))?.startsWith("The scripts of this page could not be loaded"));
    await page.evaluate(() => (location.hash = "#play"));
    await page.waitForSelector(".play .board [data-name]");
    await until("the board", async () => (await page.$$(".layer-pieces .piece")).length === 32);
    await click(page, "b1");
    await click(page, "c3");
    await played(page, 2);
    // The page names a network that was never loaded, stops waiting for it and offers to try again.
    const missing = "the network half-longer of this game is not stored in this browser";
    await page.evaluate(() => (location.hash = "#analyse?game=half"));
    await until("the failure in Analyse", async () => (await page.$eval(".facts", (facts) => facts.textContent)).includes(missing));
    await page.waitForSelector("#retry");
    await page.evaluate(() => (location.hash = "#play?game=half&moves=e2e4"));
    await until("the game", async () => (await statusOf(page)) === "Black to move.");
    await page.click("#hint");
    await until("the failure of the hint", async () => (await statusOf(page)).includes(missing));
    await page.waitForSelector("#retry");
    await page.click("#new-game");
    await page.waitForSelector("#colour");
    await page.click('dialog input[value="half"]');
    await page.select("#against", "network");
    await page.select("#colour", "black");
    await page.click("#start");
    await until("the failure of the move", async () => (await statusOf(page)).startsWith("The computer can't move") && (await statusOf(page)).includes(missing));
    equal(await page.$$eval(".thinking", (all) => all.map((one) => one.textContent).join("")), "", "what is said of thinking");
    page.problems = page.problems.filter((problem) => !/Failed to (load|fetch)|ERR_/.test(problem));
    await page.leave();
});

test("a browser without room for more files plays and opens pages online", async () => {
    const page = await visitor("#play");
    await page.evaluate(() => navigator.serviceWorker.ready);
    await until("what is kept", async () => (await keptNetworks(page)) > 0 && (await page.evaluate(() => !!navigator.serviceWorker.controller)));
    const client = await page.createCDPSession();
    const { usage } = await page.evaluate(() => navigator.storage.estimate());
    await client.send("Storage.overrideQuotaForOrigin", { origin: new URL(host.url).origin, quotaSize: usage + 20_000 });
    await page.evaluate(() => (location.hash = "#analyse?game=half"));
    await page.waitForSelector(".lines tbody tr");
    await page.evaluate(() => (location.hash = "#puzzles"));
    await page.waitForSelector(".puzzles .piece");
    equal(await keptNetworks(page), 1, "networks that are kept");
    await page.leave();
});

test("the network of another version, sent during an update, is not kept", async () => {
    const { chesspp, half } = JSON.parse(readFileSync(join(web, "src/networks.json"), "utf8"));
    const path = `networks/${chesspp}.safetensors`;
    const instead = { [path]: join(web, `../models/${half}.safetensors`) };
    const host = await serve(0, instead);
    const page = await visitor("#about", { url: host.url, wait: "h1" });
    await page.evaluate(() => navigator.serviceWorker.ready);
    await until("the service worker", () => page.evaluate(() => !!navigator.serviceWorker.controller));
    equal([host.sent.has(path), await keptNetworks(page)], [true, 0], "the other version sent, and networks that are kept");
    delete instead[path];
    const size = await page.evaluate(async (path) => (await (await fetch(path)).arrayBuffer()).byteLength, path);
    equal([size, await keptNetworks(page)], [readFileSync(join(web, "../models", path.slice(9))).length, 1], "the size of the network, and networks that are kept");
    await page.leave();
    host.close();
});

test("after a move against the computer, every game and page works offline", async () => {
    const host = await serve();
    const page = await visitor("#play", {
        url: host.url,
        storage: { play: AGAINST },
        before: () => {
            const set = window.setTimeout;
            window.setTimeout = (run, wait) => set(run, wait === 10_000 ? 500 : wait);
        },
    });
    await page.evaluate(() => navigator.serviceWorker.ready);
    await click(page, "b1");
    await click(page, "c3");
    await played(page, 2);
    const networks = new Set(Object.values(JSON.parse(readFileSync(join(web, "src/networks.json"), "utf8")))).size;
    await until("all networks", async () => (await keptNetworks(page)) === networks, 60_000);
    host.close();
    host.server.closeAllConnections();
    await page.setOfflineMode(true);
    await page.goto(`${host.url}#puzzles`);
    await page.reload();
    await page.waitForSelector(".puzzles .piece");
    await page.evaluate(() => (location.hash = "#lab"));
    await page.waitForSelector("#lab-play");
    for (const variant of ["half", "maxim", "century"]) {
        await page.evaluate((hash) => (location.hash = hash), fragment("analyse", variant));
        await until(`a search in ${variant}`, async () => (await page.$(".lines tbody tr")) && (await game(page)).variant === variant);
    }
    await page.$eval("#explorer summary", (summary) => summary.click());
    await page.waitForSelector("#explorer tbody tr");
    page.problems = page.problems.filter((problem) => !/Failed to (load|fetch)|ERR_/.test(problem));
    await page.leave();
});

let failed = await runAll(tests, words.filter((word) => word !== "--long").join(" "));
failed += await runAll([["nothing was requested from elsewhere", () => equal(elsewhere, [], "requests to elsewhere")]], "");
await browser.close();
host.close();
host.server.closeAllConnections();
process.exit(failed ? 1 : 0);
