// Plays neighbouring strengths against each other with alternating colours, and prints the scores:
// `node test/strengths.mjs [GAMES] [GAME]`

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "./driver.mjs";

const web = join(import.meta.dirname, "..");
const read = (name) => JSON.parse(readFileSync(join(web, "src", name), "utf8"));
const [games, variant] = [Number(process.argv[2] ?? 40), process.argv[3] ?? "chesspp"];
const wasm = load();
const file = `models/${read("networks.json")[variant.split("+")[0]]}.safetensors`;
const bytes = readFileSync(join(web, "..", file));
const strengths = Object.values(read("strengths.json")).filter(({ nodes }) => nodes);
/** Number of plies after which a game counts as drawn. */
const LONGEST = 300;

let seed = 1;
function play(white, black) {
    const minds = [white, black].map(() => new wasm.Engine(variant, file, bytes));
    const moves = [];
    try {
        for (;;) {
            const state = JSON.parse(wasm.state(variant, "", moves.join(" ")));
            if (state.outcome || moves.length >= LONGEST) return { white: 1, black: 0 }[state.outcome?.winner] ?? 0.5;
            const side = state.side === "white" ? 0 : 1;
            const { nodes, noise } = [white, black][side];
            minds[side].think("", moves.join(" "), JSON.stringify({ nodes, noise, seed: seed++ }), 0);
            while (minds[side].step(0));
            moves.push(JSON.parse(minds[side].found()).lines[0].moves[0]);
        }
    } finally {
        for (const mind of minds) mind.free();
    }
}

for (let level = 1; level < strengths.length; level++) {
    const [weak, strong] = [strengths[level - 1], strengths[level]];
    let score = 0;
    for (let game = 0; game < games; game++) score += game % 2 ? 1 - play(weak, strong) : play(strong, weak);
    console.log(`${strong.name} against ${weak.name}: ${score} of ${games}`);
}
