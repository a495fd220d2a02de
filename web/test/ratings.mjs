// Rates the levels of the page in chess by games against Stockfish with limited strength:
// `node test/ratings.mjs [GAMES] [LEVEL[:ELO]]..` plays GAMES games per pairing and prints ratings with 95 % intervals. ELO
// is the first opponent's rating. The variable STOCKFISH is the program. A rating is on the scale of Stockfish's option
// UCI_Elo, of engines, not of people.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { load } from "./driver.mjs";

const web = join(import.meta.dirname, "..");
const read = (name) => JSON.parse(readFileSync(join(web, "src", name), "utf8"));
const [games = "20", ...named] = process.argv.slice(2);
const wasm = load();
const file = `models/${read("networks.json").chess}.safetensors`;
const bytes = readFileSync(join(web, "..", file));
const all = Object.entries(read("strengths.json")).filter(([, { nodes }]) => nodes);
const first = Object.fromEntries(named.map((one) => one.split(":")));
const levels = all.filter(([id]) => !named.length || id in first);
/** The weakest value of UCI_Elo in Stockfish 15.1 is 1350. */
const ANCHORS = [1350, 1600, 1850, 2100];
/** Depth at which Stockfish 15.1 of limited strength chooses its move (search.cpp, `Skill`). A deeper search would not change it. */
const depthOf = (elo) => 1 + Math.floor(((elo - 1346.6) / 143.4) ** (1 / 0.806));
/** Number of plies after which a game counts as drawn. */
const LONGEST = 300;
/** Scores from which a level also plays the next anchor, and the one before. */
const [HIGH, LOW] = [0.75, 0.25];

/** A Stockfish of limited strength. */
function stockfish(elo) {
    const process = spawn(globalThis.process.env.STOCKFISH ?? "/usr/games/stockfish");
    const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
    process.stdin.write(`setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value ${elo}\n`);
    return {
        begin: () => process.stdin.write("ucinewgame\n"),
        move: async (moves) => {
            process.stdin.write(`position startpos${moves.length ? ` moves ${moves.join(" ")}` : ""}\ngo depth ${depthOf(elo) + 1}\n`);
            for (let line; !(line = await lines.next()).done; ) if (line.value.startsWith("bestmove")) return line.value.split(" ")[1];
            throw new Error("Stockfish has ended");
        },
        end: () => process.kill(),
    };
}

let seed = 1;
function level({ nodes, noise }) {
    let mind;
    return {
        begin: () => {
            mind?.free();
            mind = new wasm.Engine("chess", file, bytes);
        },
        move: async (moves) => {
            mind.think("", moves.join(" "), JSON.stringify({ nodes, noise, seed: seed++ }), 0);
            while (mind.step(0));
            return JSON.parse(mind.found()).lines[0].moves[0];
        },
        end: () => mind?.free(),
    };
}

/** Plays a game and returns White's score. */
async function play(white, black) {
    white.begin();
    black.begin();
    const moves = [];
    for (;;) {
        const { outcome } = JSON.parse(wasm.state("chess", "", moves.join(" ")));
        if (outcome || moves.length >= LONGEST) return { white: 1, black: 0 }[outcome?.winner] ?? 0.5;
        moves.push(await (moves.length % 2 ? black : white).move(moves));
    }
}

/** Plays some games with alternating colours. Returns the first player's scores. */
async function match(first, second) {
    const scores = [];
    for (let game = 0; game < Number(games); game++) scores.push(game % 2 ? 1 - (await play(second, first)) : await play(first, second));
    return scores;
}

const sum = (scores) => scores.reduce((sum, score) => sum + score, 0);

/** The rating whose expected score against opponents of known ratings is the score of the games. */
function rating(results) {
    let [low, high] = [-2000, 5000];
    const score = sum(results.map(([, score]) => score));
    while (high - low > 0.5) {
        const middle = (low + high) / 2;
        const expected = sum(results.map(([elo]) => 1 / (1 + 10 ** ((elo - middle) / 400))));
        if (expected < score) low = middle;
        else high = middle;
    }
    return Math.round(low);
}

/** The middle 95 % of the ratings of random samples of the games. */
function interval(results) {
    let state = 1;
    const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
    const found = Array.from({ length: 1000 }, () => rating(results.map(() => results[Math.floor(random() * results.length)])));
    found.sort((a, b) => a - b);
    return [found[25], found[974]];
}

/** The rating at which a player loses all games with a probability of 5 %. */
function bound(results) {
    const share = 1 - 0.05 ** (1 / results.length);
    return Math.round(results[0][0] + 400 * Math.log10(share / (1 - share)));
}

let at = 0;
for (const [id, strength] of levels) {
    // The seeds of a level's games do not depend on the other levels. Its first opponent does, unless LEVEL:ELO names one.
    seed = 1;
    const mind = level(strength);
    if (first[id]) at = ANCHORS.indexOf(Number(first[id]));
    const results = [];
    const told = [];
    const meet = async (index) => {
        const elo = ANCHORS[index];
        const anchor = stockfish(elo);
        const scores = await match(mind, anchor);
        anchor.end();
        results.push(...scores.map((score) => [elo, score]));
        told.push(`${sum(scores)} of ${scores.length} against ${elo}`);
        return sum(scores) / scores.length;
    };
    // The levels grow stronger, so that each begins where the one before has ended.
    for (let score = await meet(at); score >= HIGH && at + 1 < ANCHORS.length; ) score = await meet(++at);
    if (told.length === 1 && at > 0 && sum(results.map(([, score]) => score)) / results.length <= LOW) await meet(at - 1);
    console.log(`${id.padEnd(10)} ${sum(results.map(([, score]) => score)) ? `${rating(results)} [${interval(results).join(", ")}]` : `below ${bound(results)}`}: ${told.join(", ")}`);
    mind.end();
}
