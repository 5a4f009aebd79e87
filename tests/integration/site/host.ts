import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { listen } from "../../../tools/port.ts";

/** The URL for which the site is built. */
export const SITE_URL = "http://site.example/plant-store/";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

/** A static host, as GitHub Pages is one. */
export interface Host {
  /** The URL of the site, with a slash at the end. */
  readonly url: string;
  /** The size of each response body, or 0 for 404, by the path relative to the URL. */
  readonly sent: Map<string, number>;
}

/** Serves a folder below a path. */
export async function startHost(
  t: { after(fn: () => unknown): void },
  folder: string,
  base: string,
): Promise<Host> {
  const sent = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url!, "http://h");
    if (pathname === "/favicon.ico") {
      response.writeHead(204).end();
      return;
    }
    const path = pathname.slice(base.length);
    const name = path === "" || path.endsWith("/")
      ? `${path}index.html`
      : extname(path) === ""
      ? `${path}.html`
      : path;
    const file = await readFile(join(folder, name)).catch(() => undefined);
    sent.set(path, 0);
    if (file === undefined || !pathname.startsWith(base)) {
      const page = await readFile(join(folder, "404.html")).catch(() => "");
      response.writeHead(404, { "Content-Type": TYPES[".html"] }).end(page);
      return;
    }
    const type = TYPES[extname(name)]!;
    const isText = type !== "image/png";
    const body = isText ? gzipSync(file) : file;
    sent.set(path, body.length);
    response.writeHead(200, {
      "Content-Type": type,
      "Cache-Control": "max-age=600",
      ...isText && { "Content-Encoding": "gzip" },
    }).end(body);
  });
  const port = await listen(t, server);
  return { url: `http://127.0.0.1:${port}${base}`, sent };
}

/** Opens the documentation site, which build.ts has built, on a static host, below a path. */
export async function startSite(t: { after(fn: () => unknown): void }) {
  const folder = "site/dist";
  const host = await startHost(t, folder, new URL(SITE_URL).pathname);
  return { folder, host };
}
