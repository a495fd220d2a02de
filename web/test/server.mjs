// A minimal static host for the built page and the networks of models/.

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const web = join(import.meta.dirname, "..");
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png", ".webmanifest": "application/manifest+json" };

/**
 * Starts the host on a port of this machine, by default a free one. `sent` counts the bytes sent per path. `instead`
 * maps paths to other files to send.
 */
export async function serve(port = 0, instead = {}) {
    const sent = new Map();
    const server = createServer((request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname)).replace(/^\/+/, "") || "index.html";
        const file = instead[path] ?? (path.startsWith("networks/") ? join(web, "..", "models", path.slice("networks/".length)) : join(web, "dist", path));
        if (path.includes("..") || !existsSync(file) || !statSync(file).isFile()) {
            response.writeHead(404).end("not found");
            return;
        }
        const { size, mtimeMs } = statSync(file);
        const etag = `"${size}-${mtimeMs}"`;
        if (request.headers["if-none-match"] === etag) {
            response.writeHead(304, { etag }).end();
            return;
        }
        sent.set(path, (sent.get(path) ?? 0) + size);
        response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "content-length": size, etag });
        createReadStream(file).pipe(response);
    });
    await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
    return { url: `http://127.0.0.1:${server.address().port}/`, sent, close: () => server.close(), server };
}

if (process.argv[1] === import.meta.filename) console.log((await serve(Number(process.argv[2] ?? 8000))).url);
