// Shared by the tests: the WebAssembly in this process, a browser, and functions that click on the page's board.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import puppeteer from "puppeteer-core";
import * as wasm from "../pkg/catapult_wasm.js";

const web = join(import.meta.dirname, "..");

/** Loads the WebAssembly into this process from a file like dist/catapult.wasm.gz. */
export function load(file = join(web, "dist", "catapult.wasm.gz")) {
    wasm.initSync({ module: gunzipSync(readFileSync(file)) });
    return wasm;
}

/** Starts a Chromium. Without one, prints what stays untested and ends the process. */
export function launch(untested) {
    const paths = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    const executablePath = paths.find((path) => path && existsSync(path));
    if (!executablePath) {
        console.log(`SKIPPED: there is no Chromium here (CHROMIUM names another path); nothing of ${untested} was tested in a browser`);
        process.exit(0);
    }
    return puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"], protocolTimeout: 120_000 });
}

export function holds(condition, what) {
    if (!condition) throw new Error(what);
}

export function equal(found, wanted, what) {
    const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
    if (a !== b) throw new Error(`${what}: found ${a.slice(0, 600)}, wanted ${b.slice(0, 600)}`);
}

/** Runs the tests whose names contain the words, two at a time. Returns the number of failures. */
export async function runAll(tests, words) {
    const chosen = tests.filter(([name]) => !words || name.includes(words));
    let failed = 0;
    await inPairs(chosen, async ([name, run]) => {
        const begun = Date.now();
        const seconds = () => ((Date.now() - begun) / 1000).toFixed(1);
        try {
            const told = await run();
            console.log(`ok    ${name}${told ? `: ${told}` : ""} (${seconds()} s)`);
        } catch (error) {
            failed++;
            console.log(`FAILED ${name}: ${error.message ?? error.stack ?? JSON.stringify(error)} (${seconds()} s)`);
        }
    });
    if (failed) console.log(`${failed} of ${chosen.length} failed`);
    if (!chosen.length) console.log(`FAILED no test's name contains "${words}"`);
    return failed + (chosen.length ? 0 : 1);
}

/** Runs a function on all items, two at a time and in their order, because the page often only waits. */
export async function inPairs(items, run) {
    const rest = items.values();
    const lane = async () => {
        for (const item of rest) await run(item);
    };
    await Promise.all([lane(), lane()]);
}

/** Waits until no colour or size is in transition. */
export const settled = (page) => until("the end of transitions", () => page.evaluate(() => document.getAnimations().every(({ playState }) => playState !== "running")));

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Returns the findings of axe-core on a page, of every impact. */
export async function findings(page) {
    await settled(page);
    // `evaluate` bypasses the page's policy, which blocks added scripts.
    if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(readFileSync(axe, "utf8"));
    const { violations } = await page.evaluate(() => globalThis.axe.run(document));
    return violations.map(({ id, impact, nodes }) => `${id} (${impact}) at ${nodes.slice(0, 3).map(({ target }) => target.join(" ")).join("; ")}`);
}

/** Switches the page's theme, also below an open dialog. */
export async function setTheme(page, theme) {
    await page.evaluate((theme) => document.documentElement.dataset.theme === theme || document.getElementById("theme").click(), theme);
    equal(await page.evaluate(() => document.documentElement.dataset.theme), theme, "the theme");
    await settled(page);
}

/** The game in the page's URL. */
export async function game(page) {
    const hash = await page.evaluate(() => location.hash);
    const values = new URLSearchParams(hash.split("?")[1] ?? "");
    const moves = (values.get("moves") ?? "").split(",").filter((move) => move);
    return { variant: values.get("game"), start: values.get("fen") ?? "", moves };
}

export async function until(what, ask, limit = 20_000) {
    const end = Date.now() + limit;
    for (;;) {
        const found = await ask();
        if (found) return found;
        if (Date.now() > end) throw new Error(`waited ${limit / 1000} s for ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 25));
    }
}

/** Returns the centre of a square. Waits for the board, because the page may still be loading. */
export async function middle(page, square, board = ".board") {
    const name = `${board} [data-name="${square}"]`;
    await page.waitForSelector(name);
    return page.$eval(name, (cell) => {
        const { x, y, width, height } = cell.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    });
}

export async function click(page, square, board) {
    await page.mouse.click(...(await middle(page, square, board)));
}

/** Clicks the squares of a move, given in parts, and the move's button if the page offers a choice. */
export async function clickMove(page, move, files) {
    const name = (square) => String.fromCharCode(97 + (square % files)) + (Math.floor(square / files) + 1);
    const before = (await game(page)).moves.length;
    if (move.kind === "done") await page.click("#done");
    else {
        if (move.from !== undefined) await click(page, name(move.from));
        await click(page, name(move.to));
        const choice = await page.$(`.choices [data-move="${move.text}"]`);
        if (choice) await choice.click();
    }
    await until(`the move ${move.text}`, async () => (await game(page)).moves.length > before);
    const { moves } = await game(page);
    if (moves[before] !== move.text) throw new Error(`clicked ${move.text}, but ${moves[before]} was played`);
}
