import type { TestContext } from "node:test";
import type { BrowserContextOptions } from "playwright-core";
import samples from "../../../data/plants.json" with { type: "json" };
import tokens from "../../../data/tokens.json" with { type: "json" };
import { openapi } from "../../../src/openapi/openapi.ts";
import { explorer } from "../../../src/explorer/explorer.ts";
import { serve } from "../../../src/server/serve.ts";
import { openFileStore } from "../../../src/stores/files.ts";
import { writeFiles } from "../../support/files.ts";
import { Explorer } from "./browser.ts";

/** Serves the sample data, or these plants, and opens the API explorer. */
export async function open(
  t: TestContext,
  { link = "", plants = samples, ...options }: BrowserContextOptions & {
    readonly plants?: unknown;
    /** The query of the page. */
    readonly link?: string;
  } = {},
) {
  const files = await writeFiles(t, { plants, tokens });
  const store = await openFileStore({ ...files, watch: false });
  /** Starts the server, at the same port after a stop. */
  const start = async (port: number) => {
    const server = await serve(store, { port, explorer, openapi });
    t.after(() => server.close({ shutdownTimeout: 0 }));
    return server;
  };
  const server = await start(0);
  const explorer = await Explorer.open(server.url + link, options);
  return { explorer, page: explorer.page, server, start };
}
