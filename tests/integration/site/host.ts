import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer, type ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { listen } from "../../../tools/port.ts";

// `npm run check` does not need the packages of the tests.
const express = createRequire(import.meta.url)("express");

/** The URL for which the site is built. */
export const SITE_URL = "http://site.example/plant-store/";

/** The types of files, without a charset, as nginx sends them. */
const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
};

/** Sets the type of a file. */
function setHeaders(response: ServerResponse, path: string): void {
  const type = TYPES[extname(path)];
  if (type !== undefined) response.setHeader("Content-Type", type);
}

/**
 * Serves a folder below a path, as GitHub Pages does; by default the site, which build.ts
 * has built. Returns its URL, with a slash at the end, and the paths of the requests
 * relative to it.
 */
export async function startHost(
  t: { after(fn: () => unknown): void },
  folder = "site/dist",
  base = new URL(SITE_URL).pathname,
): Promise<{ readonly url: string; readonly paths: Set<string> }> {
  const paths = new Set<string>();
  const app = express()
    .use((request: { path: string }, _: unknown, next: () => void) => {
      paths.add(request.path.slice(base.length));
      next();
    })
    .use(base, express.static(folder, { extensions: ["html"], setHeaders }))
    .use(async (_: unknown, response: ServerResponse) => {
      const page = await readFile(join(folder, "404.html")).catch(() => "");
      response.writeHead(404, { "Content-Type": "text/html" }).end(page);
    });
  const port = await listen(t, createServer(app));
  return { url: `http://127.0.0.1:${port}${base}`, paths };
}
