// Writes the hashes of what the WebAssembly is built from into the file that is named.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashes, wasmSources } from "./sources.mjs";

const root = join(import.meta.dirname, "..", "..");
writeFileSync(process.argv[2], `${JSON.stringify(hashes(root, wasmSources(root)), null, 1)}\n`);
