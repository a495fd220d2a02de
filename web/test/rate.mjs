// Simulations per second in Chromium, from each game's start position. crates/wasm/examples/rate.rs measures the
// native program. `node test/rate.mjs chesspp=NAME` measures the network models/NAME.safetensors.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { launch } from "./driver.mjs";
import { serve } from "./server.mjs";

const SIMULATIONS = 3000;
const named = process.argv.slice(2).map((pair) => pair.split("="));
const shipped = JSON.parse(readFileSync(join(import.meta.dirname, "..", "src", "networks.json"), "utf8"));
const networks = named.length ? named : Object.entries(shipped);
const host = await serve();
const browser = await launch("the rates");
const page = await browser.newPage();
await page.goto(`${host.url}icon.svg`);
for (const [game, file] of networks) {
    const rate = await page.evaluate(
        async (game, network, nodes) => {
            const worker = new Worker("worker.js");
            const ended = (message) =>
                new Promise((resolve) => {
                    worker.onmessage = ({ data }) => {
                        if (!("found" in data) || data.ended) resolve(data);
                    };
                    worker.postMessage({ id: 1, ...message });
                });
            const bytes = new Blob([await (await fetch("catapult.wasm.gz")).arrayBuffer()]).stream().pipeThrough(new DecompressionStream("gzip"));
            await ended({ ask: "load", module: await WebAssembly.compile(await new Response(bytes).arrayBuffer()) });
            // The seed differs between the calls, so the second search builds another tree.
            const think = (nodes) => ended({ ask: "think", variant: game, network, start: "", moves: "", limits: JSON.stringify({ nodes, seed: nodes }) });
            // The first search loads the network and lets the browser compile the code.
            await think(200);
            const begun = performance.now();
            const { found } = await think(nodes);
            const seconds = (performance.now() - begun) / 1000;
            worker.terminate();
            return JSON.parse(found).simulations / seconds;
        },
        game,
        `networks/${file}.safetensors`,
        SIMULATIONS,
    );
    console.log(`${game.padEnd(10)} ${String(Math.round(rate)).padStart(6)} simulations/s`);
}
await browser.close();
host.close();
process.exit(0);
