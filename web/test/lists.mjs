// Checks that a WebAssembly rebuilt into a folder gives the same results on all test vectors as the one in dist/:
// `node test/lists.mjs FOLDER`

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const web = join(import.meta.dirname, "..");

async function answers(folder) {
    const wasm = await import(pathToFileURL(join(folder, "pkg", "catapult_wasm.js")).href);
    wasm.initSync({ module: gunzipSync(readFileSync(join(folder, "dist", "catapult.wasm.gz"))) });
    const lines = ["vectors", "refused"].flatMap((name) => readFileSync(join(web, "..", "crates/rules/tests/data", `${name}.jsonl`), "utf8").trim().split("\n"));
    return lines.map((line) => {
        const { variant, fen } = JSON.parse(line);
        try {
            return wasm.after(variant, fen);
        } catch (error) {
            return String(error);
        }
    });
}

const [committed, built] = [await answers(web), await answers(resolve(process.argv[2]))];
const differs = committed.findIndex((answer, index) => answer !== built[index]);
if (differs >= 0) {
    console.error(`built anew, the WebAssembly answers otherwise: line ${differs + 1} of the vectors: ${built[differs].slice(0, 300)}, committed ${committed[differs].slice(0, 300)}`);
    process.exit(1);
}
console.log(`built anew: the same answers to ${built.length} vectors`);
