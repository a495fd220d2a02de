// Checks that the page was built from the current sources: every source, lock file and built file must have its hash in
// dist/built-from.json.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { hash, hashes, pageSources, wasmSources } from "../tools/sources.mjs";

const web = join(import.meta.dirname, "..");
const root = join(web, "..");
const dist = join(web, "dist");
const from = JSON.parse(readFileSync(join(dist, "built-from.json"), "utf8"));
const names = readdirSync(dist).filter((name) => !["built-from.json", "networks"].includes(name)).sort();
const built = Object.fromEntries(names.map((name) => [name, hash(readFileSync(join(dist, name)))]));

let wrong = 0;
for (const [what, told, found, remedy] of [
    ["the WebAssembly", from.wasm, hashes(root, wasmSources(root)), "web/build-wasm, then node web/build.mjs"],
    ["the page", from.page, hashes(root, pageSources(root)), "node web/build.mjs"],
    ["dist", from.built, built, "node web/build.mjs"],
]) {
    const differs = [...new Set([...Object.keys(told), ...Object.keys(found)])].filter((path) => told[path] !== found[path]);
    if (!differs.length) continue;
    wrong++;
    console.error(`${what} was built from other files than these: ${differs.slice(0, 8).join(", ")}${differs.length > 8 ? ", ..." : ""}; build it again: ${remedy}`);
}
if (wrong) process.exit(1);
console.log(`hashes: ${Object.keys(from.wasm).length} sources of the WebAssembly, ${Object.keys(from.page).length} of the page, ${names.length} built files`);
