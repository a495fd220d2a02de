// Shared by the tests: the WebAssembly in this process, a browser, and functions that click on the page's board.

import { existsSync, readFileSync } from "node:fs";
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

/** Runs the tests whose names contain the words, one after the other. Returns the number of failures. */
export async function runAll(tests, words) {
    let failed = 0;
    for (const [name, run] of tests) {
        if (words && !name.includes(words)) continue;
        const begun = Date.now();
        const seconds = () => ((Date.now() - begun) / 1000).toFixed(1);
        try {
            const told = await run();
            console.log(`ok    ${name}${told ? `: ${told}` : ""} (${seconds()} s)`);
        } catch (error) {
            failed++;
            console.log(`FAILED ${name}: ${error.message ?? error.stack ?? JSON.stringify(error)} (${seconds()} s)`);
        }
    }
    if (failed) console.log(`${failed} of ${tests.length} failed`);
    return failed;
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
