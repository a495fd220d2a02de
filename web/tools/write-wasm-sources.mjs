// Writes the hashes of the WebAssembly's sources: `node write-wasm-sources.mjs FILE`

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashes, wasmSources } from "./sources.mjs";

const root = join(import.meta.dirname, "..", "..");
writeFileSync(process.argv[2], `${JSON.stringify(hashes(root, wasmSources(root)), null, 1)}\n`);
