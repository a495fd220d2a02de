// Source files of the page and of its WebAssembly, and their hashes.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { PAGES } from "./learn.mjs";
import { readingFiles, studyFiles } from "./studies.mjs";

/** Crates that are compiled into the WebAssembly. */
const CRATES = ["rules", "seeds", "stats", "store", "encoding", "mcts", "engine", "model", "network", "arena", "wasm"];

function under(root, folder) {
    return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** Sources of the WebAssembly. */
export function wasmSources(root) {
    const crates = CRATES.flatMap((crate) => [`crates/${crate}/Cargo.toml`, ...under(root, `crates/${crate}/src`)]);
    return ["Cargo.toml", "Cargo.lock", "web/build-wasm", ...crates].sort();
}

/** Sources of the page, including the JavaScript bindings of the WebAssembly (pkg/). */
export function pageSources(root) {
    const own = ["src", "tools", "pkg"].flatMap((folder) => under(root, `web/${folder}`));
    const files = ["web/package.json", "web/package-lock.json", "web/tsconfig.json", "web/build.mjs", "python/catapult/pieces.json", ...Object.values(PAGES), ...studyFiles(root), ...readingFiles(root)];
    return [...new Set([...own, ...files])].sort();
}

export function hash(bytes) {
    return createHash("sha256").update(bytes).digest("hex");
}

export function hashes(root, paths) {
    return Object.fromEntries(paths.map((path) => [path, hash(readFileSync(join(root, path)))]));
}
