import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import process from "node:process";
import { after, before, test } from "node:test";
import { assertEquals } from "@std/assert";
import { writeTemporary } from "../../../bench/data.ts";
import { createPrismArguments } from "../../../bench/groups/http.ts";
import bench from "../../../bench/package.json" with { type: "json" };
import { table } from "../../../bench/report.ts";
import { ALL_CPUS, type Server, startServer } from "../../../bench/servers.ts";
import plants from "../../../data/plants.json" with { type: "json" };
import users from "../../../data/tokens.json" with { type: "json" };
import { writeDocument } from "../../../src/openapi/write.ts";

// Compares the table in docs/comparison.md with the responses of the peers. Their
// versions are those of bench/package.json: json-server and Prism as their command
// lines start them, Hono and Express as in bench/sides.

const TOKENS = ["demo-curator", "demo-florist", "demo-visitor"] as const;

const sides = new Map<string, Server>();

// json-server needs an id to write.
const db = writeTemporary("db.json", () => ({
  plants: plants.map((plant, at) => ({ id: at + 1, ...plant })),
  shelves: [{ id: 1 }],
}));

before(async () => {
  const SHOP = writeTemporary("shop.json", () => ({
    plants,
    users: Object.fromEntries(TOKENS.map((token) => [
      token,
      users[token.replace("demo-", "") as "curator"].plants,
    ])),
  }));
  const document = writeTemporary("openapi.json", () => {
    const { paths, ...rest } = JSON.parse(writeDocument(""));
    const { operationId: _, ...get } = paths["/plants"].get;
    return { ...rest, paths: { ...paths, "/shelves": { get } } };
  });
  const commands: Readonly<Record<string, readonly string[]>> = {
    "Plant Store": ["--import", "tsx", "src/cli/main.ts"],
    "json-server": [
      ...["bench/node_modules/json-server/lib/cli/bin.js", "--quiet"],
      ...["--host=127.0.0.1", db],
    ],
    Prism: createPrismArguments(document),
    Hono: ["bench/sides/hono.mjs"],
    Express: ["bench/sides/express.mjs"],
  };
  for (const [name, args] of Object.entries(commands)) {
    const command = [process.execPath, ...args];
    const side = { name, command, env: { SHOP }, cpus: ALL_CPUS };
    sides.set(name, await startServer(side));
  }
});

after(() => Promise.all(Array.from(sides.values(), ({ stop }) => stop())));

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request as a user, by default for all plants. */
type Ask = (
  token: string | undefined,
  query?: string,
  question?: Question,
) => Promise<Answer>;

/** Sends a request; `fetch` would add headers to a conditional one. */
function ask(
  port: number,
  path: string,
  { method = "GET", headers = {}, body }: Question,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, method, headers };
    request(options, async (response) => {
      const body = Buffer.concat(await response.toArray()).toString();
      const { statusCode: status = 0, headers } = response;
      resolve({ status, headers, body });
    }).on("error", reject).end(body);
  });
}

const FLORIST = "demo-florist";

/** The cell of a server in each row of the table. */
const ROWS: Readonly<Record<string, (ask: Ask) => Promise<string>>> = {
  "Response depends on the token": async (ask) => {
    const lists = await Promise.all(
      TOKENS.map(async (token) => (await ask(token)).body),
    );
    return new Set(lists).size === TOKENS.length ? "yes" : "no";
  },
  "No token": async (ask) => challenge(await ask(undefined)),
  "Unknown token": async (ask) => challenge(await ask("nobody")),
  "`limit=2`": async (ask) => {
    const { length } = JSON.parse((await ask(FLORIST, "?limit=2")).body);
    return length === 1 ? "1 plant" : `${length} plants`;
  },
  "`limit=-1`": async (ask) => `${(await ask(FLORIST, "?limit=-1")).status}`,
  "`limit=1&limit=2`": async (ask) =>
    `${(await ask(FLORIST, "?limit=1&limit=2")).status}`,
  "`POST`": async (ask) => {
    const { status, headers } = await ask(FLORIST, "", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Ginkgo biloba" }),
    });
    if (status !== 405) return `${status}`;
    return headers.allow ? "405, `Allow`" : "405";
  },
  "`HEAD`": async (ask) =>
    `${(await ask(FLORIST, "", { method: "HEAD" })).status}`,
  "`If-None-Match` with the same ETag": async (ask) => {
    const etag = (await ask(FLORIST)).headers.etag;
    if (etag === undefined) return "no ETag";
    const headers = { "if-none-match": etag };
    return `${(await ask(FLORIST, "", { headers })).status}`;
  },
  "CORS preflight for a token": async (ask) => {
    const { status, headers } = await ask(undefined, "", {
      method: "OPTIONS",
      headers: {
        "origin": "https://a.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization",
      },
    });
    const allowed = headers["access-control-allow-headers"] ?? "";
    const isAllowed = status < 300 && /\bauthorization\b/i.test(allowed);
    return isAllowed ? "allowed" : "not allowed";
  },
};

function challenge({ status, headers }: Answer): string {
  if (status !== 401) return `${status}`;
  return headers["www-authenticate"] ? "401, challenge" : "401";
}

const VERSIONS = bench.devDependencies;

/** The packages of the peers, with their exact versions. */
const PEERS: Readonly<Record<string, string>> = {
  "json-server": `json-server ${VERSIONS["json-server"]}`,
  Prism: `Prism ${VERSIONS["@stoplight/prism-cli"]}`,
  Hono: `Hono ${VERSIONS.hono}`,
  Express: `Express ${VERSIONS.express}`,
};

test("docs: the table of peers matches their responses", async () => {
  const rows: string[][] = [];
  for (const [name, describe] of Object.entries(ROWS)) {
    const cells: string[] = [];
    for (const { port } of sides.values()) {
      cells.push(
        await describe((token, query = "", { headers, ...init } = {}) =>
          ask(port, `/plants${query}`, {
            ...init,
            headers: {
              ...headers,
              ...token !== undefined && { authorization: `Bearer ${token}` },
            },
          })
        ),
      );
    }
    rows.push([name, ...cells]);
  }
  const names = Array.from(sides.keys(), (name) => PEERS[name] ?? name);
  const found = table(["", ...names], rows);
  const comparison = await readFile("docs/comparison.md", "utf8");
  const shown = /^\| +\| Plant Store .*\n(?:\|.*\n)*/m.exec(comparison)?.[0];
  assertEquals(shown?.trim(), found);
});

test("docs: json-server and Prism have the features of the comparison", async () => {
  const headers = { authorization: `Bearer ${FLORIST}` };
  const found: number[] = [];
  for (const name of ["json-server", "Prism", "Plant Store"]) {
    const { port } = sides.get(name)!;
    found.push((await ask(port, "/shelves", { headers })).status);
  }
  assertEquals(found, [200, 200, 404]);
  const { port } = sides.get("json-server")!;
  const { body } = await ask(port, "/plants?_limit=2", {});
  assertEquals(JSON.parse(body).length, 2);
  const { plants } = JSON.parse(await readFile(db, "utf8"));
  assertEquals(plants.at(-1).name, "Ginkgo biloba");
});
