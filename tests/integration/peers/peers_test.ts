import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { assertEquals } from "@std/assert";
import { table } from "../../../bench/lib/report.ts";
import {
  ANY_CPU,
  type RunningSide,
  startSide,
} from "../../../bench/lib/sides.ts";
import bench from "../../../bench/package.json" with { type: "json" };
import plants from "../../../data/plants.json" with { type: "json" };
import users from "../../../data/tokens.json" with { type: "json" };
import { writeDocument } from "../../../src/openapi/write.ts";
import { makeFolder } from "../../support/files.ts";
import { send as sendTo } from "../../support/send.ts";

// Compares the table in docs/comparison.md with the responses of the servers in
// bench/package.json.

const TOKENS = ["demo-curator", "demo-florist", "demo-visitor"] as const;
const FLORIST = "demo-florist";
const VERSIONS = bench.devDependencies;
const MODULES = "bench/node_modules";

const folder = await makeFolder({ after });
const shop = join(folder, "shop.json");
const db = join(folder, "db.json");
const document = join(folder, "openapi.json");
const address = "--host=127.0.0.1";

/** The servers in the order of the table. */
const SERVERS: Readonly<
  Record<string, (port: string) => readonly string[]>
> = {
  "Plant Store": (
    port,
  ) => ["--import", "tsx", "src/cli/main.ts", `--port=${port}`],
  [`json-server ${VERSIONS["json-server"]}`]: (port) => [
    `${MODULES}/json-server/lib/cli/bin.js`,
    ...[`--port=${port}`, address, "--quiet", db],
  ],
  [`Prism ${VERSIONS["@stoplight/prism-cli"]}`]: (port) => [
    ...[`${MODULES}/@stoplight/prism-cli/dist/index.js`, "mock"],
    ...[`--port=${port}`, address, "--multiprocess=false"],
    ...["--verboseLevel=silent", document],
  ],
  [`Hono ${VERSIONS.hono}`]: (
    port,
  ) => ["bench/sides/hono_documented.mjs", port],
  [`Express ${VERSIONS.express}`]: (
    port,
  ) => ["bench/sides/express_documented.mjs", port],
};
const sides: RunningSide[] = [];

before(async () => {
  const access = TOKENS.map((token) => [
    token,
    users[token.replace("demo-", "") as "curator"].plants,
  ]);
  await writeFile(
    shop,
    JSON.stringify({ plants, users: Object.fromEntries(access) }),
  );
  // json-server needs IDs, and has a second path, like the document of Prism.
  const entries = plants.map((plant, index) => ({ id: index + 1, ...plant }));
  await writeFile(
    db,
    JSON.stringify({ plants: entries, shelves: [{ id: 1 }] }),
  );
  const { paths, ...rest } = JSON.parse(writeDocument("http://127.0.0.1:8000"));
  const { operationId: _, ...get } = paths["/plants"].get;
  await writeFile(
    document,
    JSON.stringify({ ...rest, paths: { ...paths, "/shelves": { get } } }),
  );
  const starting = Object.entries(SERVERS).map(([name, command]) =>
    startSide({
      name,
      command: (port) => [process.execPath, ...command(`${port}`)],
      env: { SHOP: shop },
      ready: "unsaid",
    }, ANY_CPU)
  );
  sides.push(...await Promise.all(starting));
});
after(() => Promise.all(sides.map((side) => side.stop())));

/** Sends a request for /plants to a server, as a user. */
type Send = (
  token: string | undefined,
  query?: string,
  options?: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  },
) => Promise<Response>;

/** Describes a 401 response. */
function describe({ status, headers }: Response): string {
  return headers.has("www-authenticate") ? `${status}, challenge` : `${status}`;
}

/** The rows of the table, and how to find the cell of a server. */
const ROWS: Readonly<Record<string, (send: Send) => Promise<string>>> = {
  "Response depends on the token": async (send) => {
    const lists = await Promise.all(
      TOKENS.map(async (token) => (await send(token)).text()),
    );
    return new Set(lists).size === TOKENS.length ? "yes" : "no";
  },
  "No token": async (send) => describe(await send(undefined)),
  "Unknown token": async (send) => describe(await send("unknown")),
  "`limit=2`": async (send) => {
    const { length } = await (await send(FLORIST, "?limit=2")).json();
    return length === 1 ? "1 plant" : `${length} plants`;
  },
  "`limit=-1`": async (send) => `${(await send(FLORIST, "?limit=-1")).status}`,
  "`limit=1&limit=2`": async (send) =>
    `${(await send(FLORIST, "?limit=1&limit=2")).status}`,
  "`POST`": async (send) => {
    const { status, headers } = await send(FLORIST, "", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Ginkgo biloba" }),
    });
    return status === 405 && headers.has("allow")
      ? "405, `Allow`"
      : `${status}`;
  },
  "`HEAD`": async (send) =>
    `${(await send(FLORIST, "", { method: "HEAD" })).status}`,
  "`If-None-Match` with the same ETag": async (send) => {
    const etag = (await send(FLORIST)).headers.get("etag");
    if (etag === null) return "no ETag";
    const headers = { "if-none-match": etag };
    return `${(await send(FLORIST, "", { headers })).status}`;
  },
  "CORS preflight for a token": async (send) => {
    const { ok, headers } = await send(undefined, "", {
      method: "OPTIONS",
      headers: {
        "origin": "https://a.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization",
      },
    });
    const allowed = headers.get("access-control-allow-headers") ?? "";
    return ok && /\bauthorization\b/i.test(allowed) ? "allowed" : "not allowed";
  },
};

test("docs: the comparison matches the responses of the servers", async () => {
  const rows: string[][] = [];
  for (const [name, find] of Object.entries(ROWS)) {
    const cells: string[] = [];
    for (const { port } of sides) {
      const send: Send = (token, query = "", { headers, ...options } = {}) =>
        sendTo({
          ...options,
          port,
          path: `/plants${query}`,
          headers: {
            ...headers,
            ...token !== undefined && { authorization: `Bearer ${token}` },
          },
        });
      cells.push(await find(send));
    }
    rows.push([name, ...cells]);
  }
  const expected = table(["", ...Object.keys(SERVERS)], rows);
  const comparison = await readFile("docs/comparison.md", "utf8");
  const shown = /^\| +\| Plant Store .*\n(?:\|.*\n)*/m.exec(comparison)?.[0];
  assertEquals(shown?.trim(), expected);
});

test("docs: json-server and Prism have the features of the comparison", async () => {
  const headers = { authorization: `Bearer ${FLORIST}` };
  const [store, jsonServer, prism] = sides as [
    RunningSide,
    RunningSide,
    RunningSide,
  ];
  for (
    const [{ port }, status] of [[store, 404], [jsonServer, 200], [
      prism,
      200,
    ]] as const
  ) {
    const response = await sendTo({ port, path: "/shelves", headers });
    assertEquals(response.status, status);
  }
  const { port } = jsonServer;
  const response = await sendTo({ port, path: "/plants?_limit=2" });
  assertEquals((await response.json()).length, 2);
  const { plants } = JSON.parse(await readFile(db, "utf8"));
  assertEquals(plants.at(-1).name, "Ginkgo biloba");
});
