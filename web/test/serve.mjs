// Tests the page's features of `catapult serve` in a real Chromium. `node test/serve.mjs BINARY [WORDS]` runs the tests
// whose names contain the words. SHOTS=FOLDER saves screenshots of the pages in both themes, at desktop and phone
// width.

import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { click, equal, findings, holds, inPairs, launch, runAll, setTheme, until } from "./driver.mjs";

const web = join(import.meta.dirname, "..");
const root = join(web, "..");
const browser = await launch("the served page");
const [binary, ...words] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), "catapult-serve-"));
const TINY = join(root, "configs", "test", "tiny.toml");

const children = new Set();
function run(...args) {
    const child = spawn(binary, args, { cwd: work, stdio: ["ignore", "pipe", "pipe"] });
    child.told = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (child.told += bytes));
    child.ended = new Promise((resolve) => child.on("exit", (code) => {
        children.delete(child);
        resolve(code);
    }));
    children.add(child);
    return child;
}

/** Starts a server of the folders in `work`. Resolves when the server has printed the page's URL. */
async function serve(port = "0", ...args) {
    const child = run("serve", "--port", port, "--runs", "runs", "--studies", "studies", "--device", "cpu", ...args);
    const address = await until("the server", () => {
        if (child.exitCode !== null) throw new Error(`the server ends: ${child.told}`);
        // The program may write the line in parts.
        return /http:\/\/\S+(?=\s)/.exec(child.told)?.[0];
    }, 30_000);
    return { child, url: `${address}/`, port: new URL(address).port };
}

mkdirSync(join(work, "studies", "one"), { recursive: true });
writeFileSync(join(work, "studies", "one", "report.html"), readFileSync(join(root, "experiments/chesspp/report.html")));
const HOSTILE = '<img src=x onerror="alert(1)">';
mkdirSync(join(work, "runs", HOSTILE), { recursive: true });
writeFileSync(join(work, "runs", HOSTILE, "config.toml"), 'name = "<script>alert(1)</script>"\n');

const host = await serve();

let training = null;
/** Trains the run `live`, once. Most tests that need it wait for its end. */
const train = () => (training ??= run("train", TINY, "--run", join("runs", "live"), "--set", "generations=5", "--set", "selfplay.simulations=16", "--set", "evaluation.games=2", "--set", "evaluation.simulations=1"));

/** Opens the page in its own browser context. `refusals` ignores the browser's console errors for rejected requests. */
async function visitor(hash = "", { url = host.url, storage = {}, width = 1200, height = 1000, refusals = false, motion = "no-preference", before = null } = {}) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    page.problems = [];
    page.on("pageerror", (error) => page.problems.push(`error: ${error.message}`));
    page.on("console", (line) => {
        if (line.type() === "error" && !(refusals && line.text().startsWith("Failed to load resource"))) page.problems.push(line.text());
    });
    page.on("dialog", (dialog) => {
        page.problems.push(`a dialog: ${dialog.message()}`);
        void dialog.dismiss();
    });
    await page.setViewport({ width, height });
    await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: motion }]);
    await page.evaluateOnNewDocument((kept) => {
        if (sessionStorage.getItem("begun")) return;
        sessionStorage.setItem("begun", "yes");
        for (const [key, value] of Object.entries(kept)) localStorage.setItem(`catapult.${key}`, JSON.stringify(value));
    }, storage);
    if (before) await page.evaluateOnNewDocument(before);
    await page.goto(url + hash);
    await page.waitForSelector("#main > div");
    page.leave = async () => {
        const { problems } = page;
        await context.close();
        holds(!problems.length, `the browser complains: ${problems.join("; ")}`);
    };
    return page;
}

// Empty while the page has no such element, because a page draws it late or anew.
const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent).catch(() => "");
const statusIs = (page, wanted) => until(`the status ${wanted}`, async () => (await textOf(page, "#status")).startsWith(wanted));
const post = (page, path, link, body) => page.evaluate(async (path, link, body) => (await fetch(path, { method: "POST", headers: { "content-type": "application/json", "x-catapult-link": link }, body })).json(), path, link, JSON.stringify(body));
const seen = (page) => page.$$eval(".moves .move", (moves) => moves.map((move) => move.textContent));

async function begin(page, fen = "", minutes = "0") {
    await page.waitForSelector("#begin");
    await page.click("#begin");
    await page.waitForSelector("#begin-now");
    await page.select("#minutes", minutes);
    if (minutes !== "0") await page.select("#increment", "2");
    if (fen) {
        await page.click("dialog details:has(#start-fen) > summary");
        await page.type("#start-fen", fen);
    }
    let created = 0;
    const count = (request) => (created += request.method() === "POST" && request.url().endsWith("/api/games") ? 1 : 0);
    page.on("request", count);
    await page.$eval("#begin-now", (button) => [button.click(), button.click()]);
    await until("the answer", async () => !(await page.$("#begin-now")) || !!(await textOf(page, "dialog .problem")));
    page.off("request", count);
    equal(created, 1, "requests by two presses");
}

/** Kills a server of the games file `games` and starts it again. Waits until the pages have noticed both. */
async function restart({ port, child }, games, pages) {
    child.kill("SIGKILL");
    await child.ended;
    for (const page of pages) await until("the loss to be told", async () => !(await page.$eval("#connection", (line) => line.hidden)));
    const next = await serve(port, "--games", games);
    for (const page of pages) await until("the connection", () => page.$eval("#connection", (line) => line.hidden), 30_000);
    return next;
}

const tests = [];
const test = (name, run) => tests.push([name, run]);

// Training takes longest, so it begins first. Tests that wait for its end come last.
test("a run is watched live", async () => {
    // Before the training starts, because on a fast machine it takes only seconds.
    const page = await visitor("#watch");
    const training = train();
    await until("the run", () => existsSync(join(work, "runs", "live", "config.toml")), 60_000);
    await page.reload();
    await page.waitForSelector('[data-run="live"]');
    await page.click('[data-run="live"]');
    await page.waitForSelector("#run-facts");
    const facts = () => textOf(page, "#run-facts");
    const generations = async () => Number(/: (\d+) of 5 generations/.exec(await facts())?.[1] ?? -1);
    await until("the run to be under way", async () => (await facts()).includes("Under way"), 60_000);
    const first = await generations();
    // The mark shows that updates arrive without a reload.
    await page.evaluate(() => (document.body.dataset.kept = "yes"));
    await until("games on the wall", async () => (await page.$$(".wall-place:not([hidden]) .piece")).length > 20, 60_000);
    await until("another generation", async () => (await generations()) > Math.max(first, 1), 120_000);
    await page.waitForSelector(".chart");
    const ply = async () => Number(/ply (\d+)/.exec(await textOf(page, ".wall-place .caption"))?.[1] ?? 999);
    const before = await ply();
    await until("a replay to go on", async () => (await ply()) !== before);
    const code = await training.ended;
    equal(code, 0, `the training: ${training.told}`);
    await until("the end", async () => (await facts()).startsWith("Chess++. Complete: 5 of 5 generations, 120 games."), 20_000);
    equal(await page.evaluate(() => document.body.dataset.kept), "yes", "the page was kept");
    const labels = await page.$$eval(".chart > svg", (charts) => charts.map((one) => one.getAttribute("aria-label")));
    for (const wanted of ["Losses, generations 1 to 5", "How games end, generations 1 to 5", "Evaluations per second"]) holds(labels.some((label) => label.startsWith(wanted)), `no chart says ${wanted}: ${labels.join(" | ")}`);
    // The chart's last losses must equal those in the run's metrics.
    const metrics = readFileSync(join(work, "runs/live/metrics.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
    const policy = Number(metrics.at(-1).learning.losses.policy.toPrecision(3));
    holds(labels.some((label) => label.includes(`policy ${policy} nats`)), `policy ${policy}: ${labels.join(" | ")}`);
    // The final matches, and another run's curves beside these.
    const ran = readdirSync(join(work, "runs/live/matches"));
    await until("the final matches", async () => (await page.$$("#matches tbody tr")).length === ran.length);
    holds((await textOf(page, "#matches tbody")).includes("untrained"), "no untrained network among the final matches");
    cpSync(join(work, "runs/live"), join(work, "runs/copy"), { recursive: true });
    await page.reload();
    await page.waitForSelector('#compare option[value="copy"]');
    await page.select("#compare", "copy");
    await until("both runs' curves", async () => (await page.$$eval(".chart > svg", (charts) => charts.map((one) => one.getAttribute("aria-label")))).some((label) => label.includes(`live: policy ${policy} nats`) && label.includes(`copy: policy ${policy} nats`)));
    equal((await page.$$("#matches tbody tr")).length, 2 * ran.length, "final matches of both runs");
    // Filtered games; each one opens in Analyse.
    await page.waitForSelector("#games tbody tr");
    // A shard that is written between two pages shifts the next one. Here the page asks for one shard less instead.
    await page.evaluate(() => {
        const real = window.fetch;
        window.fetch = (path, ...rest) => real(String(path).replace(/skip=(\d+)/, (_, skip) => `skip=${skip - 1}`), ...rest);
    });
    const listed = () => page.$$eval("#games tbody a", (links) => links.map((link) => link.textContent));
    const some = (await listed()).length;
    await page.click("#more-games");
    await until("more games", async () => (await listed()).length > some);
    const all = await listed();
    equal(new Set(all).size, all.length, "different games in the list");
    await page.type("#games-generation", "3");
    await page.keyboard.press("Enter");
    await until("games of one generation", () => page.$$eval("#games tbody a", (links) => links.length > 0 && links.every((link) => link.textContent.startsWith("3, "))));
    const plies = Number(await page.$eval("#games tbody tr td:last-child", (cell) => cell.textContent));
    await page.click("#games tbody a");
    await page.waitForSelector(".analyse .board [data-name]");
    await until("the game", async () => (await page.evaluate(() => location.hash)).split("moves=")[1]?.split("&")[0].split(",").length === plies);
    await page.leave();
    return `${plies} plies opened`;
});

test("two browsers in one game with a teleport; the server is killed in the middle of it, and begun again", async () => {
    let host = await serve("0", "--games", "killed.sqlite");
    const guest = (hash) => visitor(hash, { url: host.url, refusals: true });
    const white = await guest("#link");
    await begin(white);
    await white.waitForSelector("#invitation:not([hidden])");
    const focused = () => white.evaluate(() => document.activeElement.id);
    equal(await focused(), "main", "the focus in the new game");
    const link = await white.$eval("#invitation-link", (input) => input.value);
    holds(link.startsWith(`${host.url}#link?id=`), link);
    equal(await white.evaluate(() => location.href), link, "the address");
    holds((await textOf(white, "#invitation .local")).includes("open on this computer only"), "the link's reach is not told");
    // The second visitor sits opposite, the third one watches. A reload changes no seat.
    const black = await guest(new URL(link).hash);
    await until("the seat", async () => (await textOf(black, "#seat")).startsWith("You play Black."));
    await until("the end of the invitation", () => white.$eval("#invitation", (invitation) => invitation.hidden));
    const watcher = await guest(new URL(link).hash);
    await until("the watching", async () => (await textOf(watcher, "#seat")) === "You watch this game.");
    for (const page of [white, black]) await page.reload();
    await statusIs(white, "Your move.");
    await statusIs(black, "White to move.");
    equal(await black.evaluate(() => location.href), link, "the second visitor's address");
    // A seat moves to another device by a link of its own, which leaves the address bar.
    await black.click("#links");
    const seat = await black.$eval('dialog input[aria-label^="Your seat"]', (input) => input.value);
    await black.click('dialog [aria-label="Close"]');
    const device = await guest(new URL(seat).hash);
    await until("the seat", async () => (await textOf(device, "#seat")).startsWith("You play Black."));
    equal(await device.evaluate(() => location.href), link, "the other device's address");
    await device.leave();
    const moves = [["e2", "e4"], ["e7", "e5"], ["f1", "c4"], ["b8", "c6"], ["b1", "f1"]];
    for (const [index, [from, to]] of moves.entries()) {
        const [mover, other] = index % 2 ? [black, white] : [white, black];
        if (index === 2) host = await restart(host, "killed.sqlite", [white, black, watcher]);
        await statusIs(mover, "Your move.");
        // Spectators can never move.
        await click(watcher, from);
        equal((await watcher.$$(".target")).length, 0, "targets for a watcher");
        await click(mover, from);
        await click(mover, to);
        for (const page of [white, black, watcher]) await until(`move ${index + 1}`, async () => (await seen(page)).length === index + 1);
        await statusIs(other, "Your move.");
    }
    const told = await textOf(black, "#live");
    holds(told.startsWith("White: knight from b1 teleports to f1."), `the teleport is told as: ${told}`);
    const lists = await Promise.all([white, black, watcher].map(seen));
    equal(new Set(lists.map((list) => list.join())).size, 1, "lists of moves");
    await white.click("#resign");
    await white.waitForSelector("#resign-now");
    await white.click("#resign-now");
    for (const page of [white, black, watcher]) await statusIs(page, "White resigns: Black wins.");
    equal(await focused(), "agree", "the focus after the end: the rematch");
    for (const page of [white, black, watcher]) await page.leave();
    host.child.kill();
    return lists[0].join(" ");
});

test("a browser that stores nothing keeps the seat during a visit", async () => {
    const page = await visitor("#link", {
        before: () => {
            const { setItem } = Storage.prototype;
            Storage.prototype.setItem = function (key, value) {
                if (key.startsWith("catapult.")) throw new DOMException("full", "QuotaExceededError");
                setItem.call(this, key, value);
            };
        },
    });
    await begin(page);
    await until("the seat", async () => (await textOf(page, "#seat")).startsWith("You play White. This browser does not store your seat."));
    await page.leave();
});

/** The times of a page's clocks in seconds, White's first, at a board with White below. */
const timesOf = (page) => page.$$eval(".time", (times) => times.map((time) => time.textContent.split(":").reduce((sum, part) => 60 * sum + Number(part), 0)).reverse());

test("a clock, a take-back and a rematch between two browsers", async () => {
    // The rules lab begins a game over a link under its rules.
    let host = await serve("0", "--games", "offers.sqlite");
    const guest = (hash) => visitor(hash, { url: host.url, refusals: true });
    const white = await guest("#lab?game=chesspp+bare");
    await until("the rules", async () => (await textOf(white, "#rules-name")) === "chesspp+bare");
    await white.select("#lab-against", "link");
    await white.click("#lab-play");
    await begin(white, "", "1");
    await white.waitForSelector("#invitation:not([hidden])");
    const link = new URL(await white.$eval("#invitation-link", (input) => input.value)).hash;
    const black = await guest(link);
    await until("the seat", async () => (await textOf(black, "#seat")).startsWith("You play Black."));
    const watcher = await guest(link);
    await until("the watching", async () => (await textOf(watcher, "#seat")) === "You watch this game.");
    const three = [white, black, watcher];
    // After a restart the page draws the button again, so a click by coordinates could miss it.
    const agree = (page) => page.$eval("#agree", (button) => button.click());
    const move = async (page, from, to, count) => {
        await statusIs(page, "Your move.");
        await click(page, from);
        await click(page, to);
        for (const page of three) await until(`move ${count}`, async () => (await seen(page)).length === count);
    };
    // Before the first move there is nothing to look back at.
    await statusIs(white, "Your move.");
    // The page writes the status again when it has drawn the board.
    const drawn = await white.evaluateHandle(() => document.querySelector("#status").firstChild);
    await white.keyboard.press("ArrowLeft");
    await until("the board to be drawn again", () => drawn.evaluate((node) => !node.isConnected));
    await statusIs(white, "Your move.");
    await move(white, "e2", "e4", 1);
    equal(await timesOf(white), [60, 60], "the clock after one move");
    await move(black, "e7", "e5", 2);
    await until("White's time", async () => (await timesOf(watcher))[0] < 60);
    await move(white, "f1", "c4", 3);
    await until("the increment, and Black's time", async () => {
        const [first, second] = await timesOf(watcher);
        return first > 55 && first <= 62 && second < 60;
    });
    // The clocks of two browsers agree, here within a second of drawing.
    const [mine, theirs] = await Promise.all([timesOf(white), timesOf(watcher)]);
    holds(mine.every((time, side) => Math.abs(time - theirs[side]) <= 1), `${mine} and ${theirs}`);
    await white.click("#take-back");
    await until("the request", async () => (await textOf(black, "#offer")) === "White asks to take back. A move declines.");
    equal(await white.$eval("#take-back", (button) => button.disabled), true, "the button after the request");
    host = await restart(host, "offers.sqlite", three);
    equal(await textOf(black, "#offer"), "White asks to take back. A move declines.", "the request after a restart");
    // White looks back at the position that the take-back makes the game's end.
    await white.$eval('[aria-label="One move back"]', (button) => button.click());
    await statusIs(white, "After 2 of 3 moves.");
    await agree(black);
    for (const page of three) await until("the take-back", async () => (await seen(page)).length === 2);
    await move(white, "d2", "d4", 3);
    await black.click("#take-back");
    await until("the request", () => white.$("#agree"));
    await move(black, "b8", "c6", 4);
    for (const page of three) equal(await page.$("#offer"), null, "the request after a move");
    await black.click("#resign");
    await black.waitForSelector("#resign-now");
    await black.click("#resign-now");
    for (const page of three) await statusIs(page, "Black resigns: White wins.");
    await white.click("#agree");
    await until("the offer", async () => (await textOf(black, "#offer")) === "White offers a rematch.");
    host = await restart(host, "offers.sqlite", three);
    equal(await textOf(black, "#agree"), "Accept the rematch", "the button after a restart");
    // A second press must not lose the new seat.
    await black.$eval("#agree", (button) => {
        button.click();
        button.click();
    });
    await until("Black's new seat", async () => (await textOf(black, "#seat")).startsWith("You play White."));
    await until("White's new seat", async () => (await textOf(white, "#seat")).startsWith("You play Black."));
    holds((await white.evaluate(() => location.hash)) === (await black.evaluate(() => location.hash)) && (await white.evaluate(() => location.hash)) !== link, "the rematch's link");
    await watcher.waitForSelector("#next");
    await watcher.click("#next");
    await until("the watching of the rematch", async () => (await textOf(watcher, "#seat")) === "You watch this game." && !(await watcher.$("#next")));
    equal((await timesOf(black)).join(), "60,60", "the rematch's clock");
    equal(await textOf(black, "#game-title"), "Chess++ with bare", "the rematch's rules");
    await move(black, "e2", "e4", 1);
    // Back in the first game, the rematch is one click away.
    await white.evaluate((hash) => (location.hash = hash), link);
    await white.waitForSelector("#next");
    await white.click("#next");
    await until("the rematch", async () => (await seen(white)).length === 1 && (await textOf(white, "#seat")).startsWith("You play Black."));
    for (const page of three) await page.leave();
    host.child.kill();
});

test("a side loses on time, while both browsers only look on", async () => {
    const white = await visitor("#link");
    const links = await post(white, "api/games", "", { variant: "chess", clock: { base: 4000, increment: 0 } });
    await white.evaluate((link) => (location.hash = `#link?id=${link}`), links.white);
    const black = await visitor(`#link?id=${links.black}`);
    await statusIs(white, "Your move.");
    await click(white, "e2");
    await click(white, "e4");
    await statusIs(black, "Your move.");
    await click(black, "e7");
    await click(black, "e5");
    for (const page of [white, black]) await statusIs(page, "White has no time left: Black wins.");
    equal((await timesOf(black)).sort().join(), "0,4", "the times at the end");
    for (const page of [white, black]) await page.leave();
});

test("an offer leaves the list of moves open; a silent stream is replaced, and the clock follows the server's time", async () => {
    const page = await visitor("#link", {
        before: () => {
            // Of the streams opened so far, the first `deaf` deliver nothing more.
            let streams = (window.deaf = 0);
            const real = window.fetch;
            window.fetch = async (path, ...rest) => {
                const answer = await real(path, ...rest);
                if (!String(path).endsWith("events")) return answer;
                const number = ++streams;
                const filter = new TransformStream({ transform: (chunk, to) => void (number > window.deaf && to.enqueue(chunk)) });
                return new Response(answer.body.pipeThrough(filter), answer);
            };
        },
    });
    const links = await post(page, "api/games", "", { variant: "chess", fen: "6k1/P7/8/8/8/8/8/6K1 b - - 0 1", clock: { base: 600_000, increment: 0 } });
    for (const [ply, [side, move]] of [["black", "g8g7"], ["white", "g1g2"], ["black", "g7g6"]].entries()) await post(page, "api/game/moves", links[side], { ply, move });
    await page.evaluate((hash) => (location.hash = hash), `#link?id=${links.white}`);
    await statusIs(page, "Your move.");
    await click(page, "a7");
    await click(page, "a8");
    await page.waitForSelector(".choices:not([hidden])");
    await post(page, "api/game/offer", links.black, { seat: "" });
    await until("the request", async () => (await textOf(page, "#offer")) === "Black asks to take back. A move declines.");
    await page.evaluate(() => (window.deaf = 1));
    await page.click(".choices button");
    // Five minutes pass on this machine, and none for the server, as after a suspend of both.
    await page.evaluate(() => {
        const real = Date.now;
        Date.now = () => real() + 300_000;
    });
    await statusIs(page, "Black to move.");
    await until("the server's times", async () => (await timesOf(page)).every((time) => time > 500));
    await page.leave();
});

test("the link of a seat opens it; a server with another file of games takes no seat away", async () => {
    let host = await serve("0", "--games", "seats.sqlite");
    const page = await visitor("#link", { url: host.url, refusals: true });
    const plays = (side) => until(side, async () => (await textOf(page, "#seat")).startsWith(`You play ${side}.`));
    const links = await post(page, "api/games", "", { variant: "chess" });
    for (const [side, seat] of [["White", links.white], ["Black", links.black]]) {
        await page.evaluate((hash) => (location.hash = hash), `#link?id=${links.watch}&seat=${seat}`);
        await plays(side);
        await page.reload();
        await plays(side);
    }
    const again = async (games) => {
        host.child.kill("SIGKILL");
        await host.child.ended;
        host = await serve(host.port, "--games", games);
    };
    await again("others.sqlite");
    await page.reload();
    await statusIs(page, "there is no game at this link");
    await again("seats.sqlite");
    await page.click("#retry");
    await plays("Black");
    await page.leave();
    host.child.kill();
});

test("a result that is reported late has the level of its own game", async () => {
    const recording = await serve("0", "--results", "late.csv", "--games", "late.sqlite");
    const mate = { variant: "chess", start: "", moves: ["f2f3", "e7e5", "g2g4", "d8h4"], white: "human", black: "beginner", bottom: "white", resigned: null, fair: true };
    const page = await visitor("#about", { url: recording.url, storage: { play: mate } });
    let load = null;
    await page.setRequestInterception(true);
    page.on("request", (request) => {
        if (request.url().endsWith("/served.js")) load = () => request.continue();
        else void request.continue();
    });
    await page.evaluate(() => (location.hash = "#play"));
    await until("the script that reports", () => load);
    await page.click("#new-game");
    await page.waitForSelector("#against");
    await page.select("#against", "human");
    await page.click("#start");
    await statusIs(page, "White to move.");
    await load();
    const rows = () => (existsSync(join(work, "late.csv")) ? readFileSync(join(work, "late.csv"), "utf8").trim().split("\n") : []);
    await until("the row", () => rows().length === 2);
    equal(rows()[1], "chess,beginner,white,loss,4", "the row");
    await page.leave();
    recording.child.kill();
});

test("results of games against the computer are recorded if the operator asks for them", async () => {
    const recording = await serve("0", "--results", "results.csv", "--games", "recorded.sqlite");
    const rows = () => (existsSync(join(work, "results.csv")) ? readFileSync(join(work, "results.csv"), "utf8").trim().split("\n") : []);
    for (const url of [recording.url, host.url]) {
        const page = await visitor("#play", { url });
        const told = async () => (await page.$$eval("dialog .hint", (hints) => hints.map((hint) => hint.textContent))).some((text) => text.startsWith("This server records results"));
        const moves = async () => ((await page.evaluate(() => location.hash)).split("moves=")[1] ?? "").split(",").filter((move) => move).length;
        for (const helped of [false, true]) {
            await page.waitForSelector(".board [data-name]");
            await page.click("#new-game");
            await page.waitForSelector("#against");
            equal(await told(), url === recording.url, "the note in the dialog");
            await page.select("#against", "network");
            await page.select("#strength", "novice");
            await page.click("#start");
            await until("the dialog to close", async () => !(await page.$("dialog")));
            await until("the game", async () => (await moves()) === 0);
            for (let turn = 0; turn < (helped ? 2 : 1); turn++) {
                await click(page, "e2");
                await click(page, "e4");
                await until("the answer", async () => (await moves()) === 2, 60_000);
                if (helped && !turn) {
                    await page.click("#take-back");
                    await until("the take-back", async () => (await moves()) === 0);
                }
            }
            await page.click("#resign");
            await page.waitForSelector("dialog .primary");
            await page.click("dialog .primary");
            await statusIs(page, "White resigns: Black wins.");
            if (url === recording.url) await until("the row", () => rows().length === 2);
            // A reload reports nothing again.
            await page.reload();
            await statusIs(page, "White resigns: Black wins.");
        }
        await page.leave();
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    equal(rows(), ["variant,level,colour,result,plies", "chesspp,novice,white,loss,2"], "the file");
    recording.child.kill();
});

test("hostile names, links and positions stay texts", async () => {
    const page = await visitor("#watch", { refusals: true });
    await page.waitForSelector("[data-run]");
    const names = await page.$$eval("[data-run]", (links) => links.map((link) => link.textContent));
    holds(names.includes(HOSTILE), `names: ${names}`);
    for (const hash of [`#watch?run=${encodeURIComponent(HOSTILE)}`, "#watch?run=../../etc", "#watch?run=%00", `#link?id=${encodeURIComponent(HOSTILE)}`, "#link?id=..%2f..%2fetc", "#watch?run=%3Csvg%20onload=alert(1)%3E", "#link?id=__proto__"]) {
        await page.evaluate((hash) => (location.hash = hash), hash);
        await until(`an answer to ${hash}`, async () => /no run|no game|no variant|config|unknown|variant|run/i.test((await page.$$eval("#status, .problem, #run-facts", (all) => all.map((one) => one.textContent).join(" ")))));
    }
    await page.evaluate(() => (location.hash = "#link"));
    await page.evaluate(() => localStorage.setItem("catapult.links", JSON.stringify([{ variant: "<img src=x onerror=alert(1)>", links: { white: '"><script>alert(1)</script>', watch: 5 } }, null, 3])));
    await page.reload();
    await page.waitForSelector(".plain-list b");
    equal(await textOf(page, ".plain-list b"), "<img src=x onerror=alert(1)>", "a variant's name");
    await begin(page, "<img src=x onerror=alert(1)> w - - 0 1");
    await until("a refusal", async () => (await textOf(page, "dialog .problem")).includes("FEN"));
    equal(await page.$$eval("main img, main script, dialog img, dialog script", (all) => all.length), 0, "elements of the texts");
    await page.leave();
});

test("a report opens in a sandbox of its own", async () => {
    const page = await visitor("#watch");
    await page.waitForSelector('a[href="studies/one/report.html"]');
    const answer = await page.evaluate(async () => (await fetch("studies/one/report.html")).headers.get("content-security-policy"));
    holds(answer.includes("sandbox") && !answer.includes("script-src"), answer);
    await page.leave();
});

const TOKEN = "a token of this test";

test("a token is asked for, and exchanged for a cookie", async () => {
    writeFileSync(join(work, "token"), `${TOKEN}\n`);
    const closed = await serve("0", "--token-file", "token", "--games", "closed.sqlite");
    const page = await visitor("#watch", { url: closed.url, refusals: true });
    await page.waitForSelector("#token");
    await page.type("#token", "not the token at all");
    await page.click("#sign-in");
    await until("a refusal", async () => (await textOf(page, ".problem")).includes("not the server's token"));
    await page.$eval("#token", (input) => (input.value = ""));
    await page.type("#token", TOKEN);
    await page.click("#sign-in");
    await page.waitForSelector("[data-run]");
    equal(await page.evaluate(() => document.cookie), "", "what scripts see of the cookie");
    await page.reload();
    await page.waitForSelector("[data-run]");
    holds(!JSON.stringify(await page.evaluate(() => [location.href, { ...localStorage }, { ...sessionStorage }])).includes(TOKEN), "the token is kept");
    holds(!closed.child.told.includes(TOKEN), "the token is in what the server writes");
    // The session ends with the server. The page learns it from a rejected search.
    closed.child.kill("SIGKILL");
    await closed.child.ended;
    const next = await serve(closed.port, "--token-file", "token", "--games", "closed.sqlite");
    await page.evaluate((play) => {
        localStorage.setItem("catapult.play", JSON.stringify(play));
        location.hash = "#play";
    }, { variant: "chess", start: "", moves: ["e2e4"], white: "human", black: "vn400:models/all-rules", bottom: "white", resigned: null });
    await statusIs(page, "The computer can't move: this needs the server's token.");
    await page.click("#new-game");
    await page.waitForSelector("#against");
    await page.select("#against", "server");
    await page.waitForSelector("#token");
    await page.leave();
    next.child.kill();
});

test("with reduced motion the wall stands still until it is asked to move", async () => {
    await train().ended;
    const page = await visitor("#watch?run=live", { motion: "reduce" });
    await until("games", async () => (await page.$$(".wall-place:not([hidden])")).length === 8);
    const caption = () => textOf(page, ".wall-place .caption");
    await until("the end of a game", async () => (await caption()).includes("plies:"));
    // A newer game may replace a finished one, but no game is replayed.
    for (let moment = 0; moment < 25; moment++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        equal((await caption()).includes("plies:"), true, "a game stands at its end");
    }
    await page.click("#wall-pause");
    await until("motion", async () => (await caption()).includes("ply "), 30_000);
    await page.leave();
});

test("a network of the server plays and analyses, that of a run too", async () => {
    await train().ended;
    const page = await visitor("#play");
    await page.waitForSelector(".board [data-name]");
    await page.click("#new-game");
    await page.waitForSelector("#against");
    await page.select("#against", "server");
    const offered = await page.$$eval("#server-network option", (options) => options.map(({ value }) => value));
    holds(offered.includes("models/all-rules") && offered.includes("runs/live"), `offered: ${offered}`);
    await page.select("#server-network", "runs/live");
    await page.select("#server-budget", "n400");
    await page.click("#start");
    await until("the dialog to close", async () => !(await page.$("dialog")));
    await click(page, "e2");
    await click(page, "e4");
    const moves = async () => ((await page.evaluate(() => location.hash)).split("moves=")[1] ?? "").split(",").filter((move) => move);
    await until("the answer", async () => (await moves()).length === 2);
    equal((await textOf(page, ".player b")).startsWith("Server, live"), true, "the opponent's name");
    await page.evaluate(() => (location.hash = "#analyse?game=chesspp&moves=e2e4"));
    await page.waitForSelector("#mind option:nth-child(2)");
    await page.select("#mind", "models/all-rules");
    const simulations = async () => Number(/([\d,]+) simulations/.exec(await textOf(page, ".facts"))?.[1].replaceAll(",", "") ?? 0);
    await until("an analysis", async () => (await simulations()) > 500, 30_000);
    // Changes the position quickly: a search for an earlier position must give way.
    for (const moves of ["d2d4", "c2c4", "g1f3", "b1c3"]) {
        await page.evaluate((moves) => (location.hash = `#analyse?game=chesspp&moves=${moves}`), moves);
        await until(`an analysis of ${moves}`, async () => (await page.evaluate(() => location.hash)).includes(moves) && (await simulations()) > 50, 30_000);
    }
    holds(!(await page.$("#toast.shown")), "a message is shown");
    await page.leave();
});

test("axe: no finding on the new pages, in both themes, at two widths; nothing is wider than the page", async () => {
    await train().ended;
    const found = [];
    const pages = [["watch", "#watch", '[data-run="live"]'], ["run", "#watch?run=live", "#games tbody tr"], ["link", "#link", "#begin"], ["begin", "#link", "#begin"], ["table", "#link", "#begin"], ["analyse", "#analyse?game=chesspp&moves=e2e4", "#mind option:nth-child(2)"], ["opponent", "#play", ".board [data-name]"]];
    await inPairs(pages, async ([name, hash, ready]) => {
        const page = await visitor(hash, { motion: "reduce" });
        await page.waitForSelector(ready);
        if (name === "run") await until("the wall", async () => (await page.$$(".wall-place:not([hidden])")).length === 8);
        if (name === "begin" || name === "table") {
            await begin(page, "", name === "table" ? "5" : "0");
            await page.waitForSelector("#invitation:not([hidden])");
        }
        if (name === "opponent") {
            await page.click("#new-game");
            await page.waitForSelector("#against");
            await page.select("#against", "server");
        }
        if (name === "table") {
            await statusIs(page, "Your move.");
            await click(page, "e2");
            await click(page, "e4");
            await statusIs(page, "Black to move.");
        }
        for (const width of [1200, 390]) {
            await page.setViewport({ width, height: width < 600 ? 844 : 1000 });
            for (const theme of ["light", "dark"]) {
                await setTheme(page, theme);
                if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}-${theme}-${width}.png`), fullPage: name !== "opponent" });
                const row = await page.$$eval("#nav a", (links) => new Set(links.map((link) => Math.round(link.getBoundingClientRect().top))).size);
                if (row > 1) found.push(`${theme} ${name} at ${width}: ${row} rows of navigation`);
                const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
                if (wide > 0) found.push(`${theme} ${name} at ${width}: ${wide} pixels too wide`);
                for (const finding of await findings(page)) found.push(`${theme} ${name} at ${width}: ${finding}`);
            }
        }
        await page.leave();
    });
    holds(!found.length, found.join("\n      "));
});

const failed = await runAll(tests, words.join(" "));
await browser.close();
for (const child of children) child.kill("SIGKILL");
rmSync(work, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
