// Builds the page: `node build.mjs` makes dist/ from src/, the rules pages and the published studies. The WebAssembly is made by build-wasm,
// which writes down what it was built from; both lists are in dist/built-from.json.

import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { PAGES, learn } from "./tools/learn.mjs";
import { hash, hashes, pageSources } from "./tools/sources.mjs";
import { studies } from "./tools/studies.mjs";

const web = import.meta.dirname;
const root = join(web, "..");
const dist = join(web, "dist");
const WASM = "catapult.wasm.gz";
const WASM_SOURCES = "wasm-built-from.json";
/** Copied from models/ where the page is put together: web/README.md. */
const NETWORKS = ["chess-quickstart", "chesspp-quickstart", "century-quickstart", "half-small", "maxim-small"];

mkdirSync(dist, { recursive: true });
for (const name of readdirSync(dist)) {
    if (name !== WASM && name !== "networks") rmSync(join(dist, name), { recursive: true });
}
if (!existsSync(join(dist, WASM))) throw new Error(`dist/${WASM} is missing: run web/build-wasm first`);

const options = { bundle: true, minify: true, format: "iife", target: "es2022", legalComments: "none", logLevel: "warning", write: false };
async function bundle(entry, extra = {}) {
    const { outputFiles } = await build({ ...options, entryPoints: [join(web, "src", entry)], ...extra });
    return outputFiles[0].contents;
}

const write = (name, contents) => writeFileSync(join(dist, name), contents);
// The worker reads its WebAssembly from a message, never from an address beside its script.
write("worker.js", await bundle("worker.ts", { define: { "import.meta.url": '""' } }));
write("app.js", await bundle("main.ts"));
write("app.css", await bundle("style.css"));
for (const name of ["index.html", "icon.svg", "app.webmanifest"]) copyFileSync(join(web, "src", name), join(dist, name));

const starts = JSON.parse(readFileSync(join(web, "src", "starts.json"), "utf8"));
const pages = Object.entries(PAGES).map(([game, path]) => learn(game, readFileSync(join(root, path), "utf8"), starts[game]));
write("learn.json", JSON.stringify(pages));
write("studies.json", JSON.stringify(studies(root)));

// What is kept for use without a network, under a name that changes when any of it does.
const shell = [".", ...readdirSync(dist).filter((name) => name !== "networks").sort()];
const contents = readdirSync(dist).filter((name) => name !== "networks").sort().map((name) => readFileSync(join(dist, name)));
const networks = NETWORKS.map((name) => [`networks/${name}.safetensors`, hash(readFileSync(join(root, "models", `${name}.safetensors`))).slice(0, 16)]);
const version = hash(Buffer.concat(contents)).slice(0, 16);
const define = { VERSION: JSON.stringify(version), SHELL: JSON.stringify(shell), NETWORKS: JSON.stringify(Object.fromEntries(networks)) };
write("sw.js", await bundle("sw.ts", { define }));

const built = readdirSync(dist).filter((name) => name !== "networks").sort();
write(
    "built-from.json",
    `${JSON.stringify(
        {
            wasm: JSON.parse(readFileSync(join(web, "pkg", WASM_SOURCES), "utf8")),
            page: hashes(root, pageSources(root)),
            built: Object.fromEntries(built.map((name) => [name, hash(readFileSync(join(dist, name)))])),
        },
        null,
        1,
    )}\n`,
);
console.log(`web/dist, version ${version}`);
