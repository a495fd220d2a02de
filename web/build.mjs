// Builds the page: `node build.mjs` writes dist/ from src/, the rules pages and the published studies. `node build.mjs
// --check` only compares dist/ with what they give. `--base URL` is the address of the page: it makes the addresses in the
// preview of a link absolute, which most messengers need. build-wasm builds the WebAssembly and records the hashes of its
// sources. dist/built-from.json contains these hashes and those of the page's sources and built files.

import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { build } from "esbuild";
import * as wasm from "./pkg/catapult_wasm.js";
import { PAGES, learn } from "./tools/learn.mjs";
import { hash, hashes, pageSources } from "./tools/sources.mjs";
import { studies } from "./tools/studies.mjs";
import { PREVIEW, previewTags } from "./tools/tags.mjs";

const web = import.meta.dirname;
const root = join(web, "..");
const dist = join(web, "dist");
const WASM = "catapult.wasm.gz";
const WASM_SOURCES = "wasm-built-from.json";

/** The built files by name. */
const files = new Map();
const options = { bundle: true, minify: true, format: "iife", target: "es2022", legalComments: "none", logLevel: "warning", write: false };
async function bundle(entry, extra = {}) {
    const { outputFiles } = await build({ ...options, entryPoints: [join(web, "src", entry)], ...extra });
    return outputFiles[0].contents;
}

const base = process.argv.indexOf("--base");
const source = (name) => readFileSync(join(web, "src", name));
files.set(WASM, readFileSync(join(dist, WASM)));
// A worker receives its WebAssembly in a message and never loads it from a URL beside its script.
files.set("worker.js", await bundle("worker.ts", { define: { "import.meta.url": '""' } }));
/** The files of openings, each with its rule set. */
const openings = readdirSync(join(web, "src/openings")).sort().map((name) => [name, JSON.parse(gunzipSync(readFileSync(join(web, "src/openings", name)))).rules]);
// Pages that few visitors open are files of their own. The static page never loads those of `catapult serve`.
const { outputFiles, metafile } = await build({ ...options, entryPoints: { app: join(web, "src", "main.ts"), served: join(web, "src", "served.ts"), selfplay: join(web, "src", "selfplay.ts"), lab: join(web, "src", "lab.ts") }, format: "esm", splitting: true, chunkNames: "[name]-[hash]", define: { OPENINGS: JSON.stringify(openings.map(([, rules]) => rules)) }, outdir: dist, metafile: true, absWorkingDir: dist });
for (const { path, contents } of outputFiles) files.set(basename(path), contents);
files.set("app.css", await bundle("style.css"));
for (const name of ["icon.svg", "app.webmanifest", "puzzles.json", PREVIEW]) files.set(name, source(name));
for (const [name] of openings) files.set(`openings-${name}`, source(`openings/${name}`));
files.set("index.html", Buffer.from(source("index.html").toString().replace("<!-- preview -->", previewTags(base < 0 ? null : process.argv[base + 1] ?? ""))));
wasm.initSync({ module: gunzipSync(files.get(WASM)) });
const starts = Object.fromEntries(JSON.parse(wasm.games()).map(({ name, start }) => [name, start]));
const pages = Object.entries(PAGES).map(([game, path]) => learn(game, readFileSync(join(root, path), "utf8"), starts[game]));
files.set("learn.json", Buffer.from(JSON.stringify(pages)));
files.set("studies.json", Buffer.from(JSON.stringify(studies(root))));

// The service worker caches these files for offline use. The version changes whenever one of them does.
const names = () => [...files.keys()].sort();
// Networks are not in dist/: scripts/web copies them from models/ when it assembles the page.
const networks = Object.values(JSON.parse(source("networks.json"))).map((name) => [`networks/${name}.safetensors`, hash(readFileSync(join(root, "models", `${name}.safetensors`))).slice(0, 16)]);
const version = hash(Buffer.concat(names().map((name) => files.get(name)))).slice(0, 16);
const later = ["selfplay.js", "puzzles.json", ...openings.map(([name]) => `openings-${name}`), "lab.js", "studies.json", "learn.json"];
const shell = [".", ...names().filter((name) => !["index.html", PREVIEW, "served.js", ...later].includes(name))];
const define = { VERSION: JSON.stringify(version), SHELL: JSON.stringify(shell), LATER: JSON.stringify(later), NETWORKS: JSON.stringify(Object.fromEntries(networks)) };
files.set("sw.js", await bundle("sw.ts", { define }));

const from = {
    wasm: JSON.parse(readFileSync(join(web, "pkg", WASM_SOURCES), "utf8")),
    page: hashes(root, pageSources(root)),
    built: Object.fromEntries(names().map((name) => [name, hash(files.get(name))])),
};
files.set("built-from.json", Buffer.from(`${JSON.stringify(from, null, 1)}\n`));

const there = readdirSync(dist);
if (process.argv.includes("--check")) {
    const differs = [...new Set([...there, ...files.keys()])].filter((name) => !there.includes(name) || !files.has(name) || hash(readFileSync(join(dist, name))) !== hash(files.get(name)));
    if (differs.length) {
        console.error(`web/dist is not what the sources give: ${differs.join(", ")}; build it again: node web/build.mjs`);
        process.exit(1);
    }
    console.log(`web/dist is what the sources give, version ${version}`);
} else {
    for (const name of there.filter((name) => !files.has(name))) rmSync(join(dist, name), { recursive: true });
    for (const [name, contents] of files) writeFileSync(join(dist, name), contents);
    console.log(`web/dist, version ${version}`);
}
