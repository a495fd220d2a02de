// Which files the page is built from, and their hashes.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { PAGES } from "./learn.mjs";
import { readingFiles, studyFiles } from "./studies.mjs";

/** Crates that the WebAssembly is made of. */
const CRATES = ["rules", "seeds", "stats", "store", "encoding", "mcts", "engine", "model", "network", "arena", "wasm"];

function under(root, folder) {
    return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** What the WebAssembly is built from. */
export function wasmSources(root) {
    const crates = CRATES.flatMap((crate) => [`crates/${crate}/Cargo.toml`, ...under(root, `crates/${crate}/src`)]);
    return ["Cargo.toml", "Cargo.lock", "web/build-wasm", ...crates].sort();
}

/** What the page is built from; the WebAssembly's glue is among it. */
export function pageSources(root) {
    const own = ["src", "tools", "pkg"].flatMap((folder) => under(root, `web/${folder}`));
    const files = ["web/package.json", "web/package-lock.json", "web/tsconfig.json", "web/build.mjs", ...Object.values(PAGES), ...studyFiles(root), ...readingFiles(root)];
    return [...new Set([...own, ...files])].sort();
}

export function hash(bytes) {
    return createHash("sha256").update(bytes).digest("hex");
}

export function hashes(root, paths) {
    return Object.fromEntries(paths.map((path) => [path, hash(readFileSync(join(root, path)))]));
}
