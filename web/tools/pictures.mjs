// Draws the pictures of the page in docs/ with a Chromium: `node tools/pictures.mjs BINARY RUNS RUN [NAME]...`. Build the
// page before. BINARY is the program with that page, RUN a run of Chess++ in the folder RUNS. NAME chooses pictures.
// SHOTS=FOLDER writes each view there instead, upright and across on a phone, on a desktop, and dark.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { click, launch, until } from "../test/driver.mjs";
import { serve } from "../test/server.mjs";

const [binary, runs, run, ...names] = process.argv.slice(2);
const docs = join(import.meta.dirname, "..", "..", "docs");
const work = mkdtempSync(join(tmpdir(), "catapult-pictures-"));
const browser = await launch("the pictures");
const server = spawn(resolve(binary), ["serve", "--port", "0", "--runs", resolve(runs), "--games", join(work, "games.sqlite"), "--device", "cpu"], { stdio: ["ignore", "ignore", "pipe"] });
let told = "";
server.stderr.on("data", (bytes) => (told += bytes));
const served = `${await until("the server", () => /http:\/\/\S+/.exec(told)?.[0], 60_000)}/`;
const { url } = await serve();

async function open(address, { dark, ...size }) {
    const page = await (await browser.createBrowserContext()).newPage();
    await page.setViewport(size);
    await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }, { name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
    await page.goto(address);
    await page.waitForSelector("#main > div");
    return page;
}
const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent).catch(() => "");
const toTop = (page, selector) => page.$eval(selector, (element) => scrollTo(0, element.getBoundingClientRect().top + scrollY - 12));

/** By name: the theme, and a function that opens the page and brings it to the state to show. */
const PICTURES = {
    play: [false, async (size) => {
        const page = await open(`${url}#play?game=chesspp&moves=b1c3,g7g6,c3d5,f8g7,b1b3,e7e6`, size);
        await until("the board", async () => (await textOf(page, "#status")) === "White to move.");
        await click(page, "f1");
        return page;
    }],
    analyse: [true, async (size) => {
        const page = await open(`${url}#analyse?game=chesspp&moves=b1c3,g7g6,c3d5,f8g7,b1b3,e7e6,d5e3,d8h4,g1f3,h4b4`, size);
        await page.waitForSelector("#sweep");
        await page.click("#sweep");
        await page.waitForSelector(".review .summary", { timeout: 120_000 });
        await until("5,000 simulations", async () => Number(/([\d,]+) simulations/.exec(await textOf(page, ".facts"))?.[1].replaceAll(",", "") ?? 0) > 5000, 120_000);
        await toTop(page, "body");
        return page;
    }],
    lab: [false, async (size) => {
        const page = await open(`${url}#lab?game=chesspp+bare`, size);
        await page.waitForSelector("#match-go");
        await page.click("#match-go");
        await until("the end of two minutes", async () => (await textOf(page, "#match-go")) === "Two more minutes", 300_000);
        await toTop(page, ".lab-board");
        return page;
    }],
    watch: [false, async (size) => {
        const page = await open(`${served}#watch?run=${run}`, size);
        await until("the wall", async () => (await page.$$(".wall-place:not([hidden]) .piece")).length > 100, 60_000);
        await page.click("#wall-pause");
        await until("games in progress", async () => / ply (2\d|[3-9]\d) of/.test(await textOf(page, ".wall-place .caption")), 60_000);
        await page.click("#wall-pause");
        await toTop(page, ".charts > :nth-last-child(3)");
        return page;
    }],
    link: [false, async (size) => {
        const white = await open(`${served}#link`, size);
        await white.waitForSelector("#begin");
        await white.click("#begin");
        await white.waitForSelector("#minutes");
        await white.select("#minutes", "5");
        await white.select("#increment", "2");
        await white.click("#begin-now");
        const link = await until("the link", () => white.$eval("#invitation-link", (input) => input.value).catch(() => ""));
        const black = await open(link, size);
        const moves = [["d2", "d4"], ["d7", "d5"], ["b1", "c3"], ["g8", "f6"], ["c1", "f4"], ["b8", "c6"], ["b1", "d3"], ["e7", "e6"]];
        for (const [index, [from, to]] of moves.entries()) {
            const mover = [white, black][index % 2];
            await until("the turn", async () => (await textOf(mover, "#status")).startsWith("Your move."));
            await click(mover, from);
            await click(mover, to);
        }
        await until("the turn", async () => (await textOf(white, "#status")).startsWith("Your move."));
        await black.click("#take-back");
        await white.waitForSelector("#offer");
        return white;
    }],
};

for (const [name, [dark, show]] of Object.entries(PICTURES)) {
    if (names.length && !names.includes(name)) continue;
    const page = await show({ width: 1101, height: 821, deviceScaleFactor: 0.75, dark });
    if (!process.env.SHOTS) await page.screenshot({ path: join(docs, `page-${name}.png`) });
    else {
        for (const [shape, width, height] of [["phone", 390, 844], ["across", 844, 390], ["desktop", 1366, 768]]) {
            await page.setViewport({ width, height });
            await page.evaluate(() => scrollTo(0, 0));
            for (const theme of ["light", "dark"]) {
                await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }, { name: "prefers-color-scheme", value: theme }]);
                await page.screenshot({ path: join(process.env.SHOTS, `${name}-${shape}-${theme}.png`), fullPage: name !== "link" });
            }
        }
    }
    await page.browserContext().close();
}
await browser.close();
server.kill("SIGKILL");
rmSync(work, { recursive: true, force: true });
process.exit(0);
