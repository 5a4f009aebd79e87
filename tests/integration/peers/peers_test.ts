import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
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

// Compares the table in docs/comparison.md with the responses of the peers. Their
// versions are those of bench/package.json: json-server and Prism as their command
// lines start them, Hono and Express as in bench/sides/*_documented.mjs.

const TOKENS = ["demo-curator", "demo-florist", "demo-visitor"] as const;

let folder: string;
const sides = new Map<string, RunningSide>();

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "plant-store-peers-"));
  const shop = join(folder, "shop.json"), db = join(folder, "db.json");
  const access = TOKENS.map((token) => [
    token,
    users[token.replace("demo-", "") as "curator"].plants,
  ]);
  await writeFile(
    shop,
    JSON.stringify({ plants, users: Object.fromEntries(access) }),
  );
  // json-server needs an id to write.
  const entries = plants.map((plant, at) => ({ id: at + 1, ...plant }));
  const shelves = [{ id: 1 }];
  await writeFile(db, JSON.stringify({ plants: entries, shelves }));
  const document = join(folder, "openapi.json");
  const { paths, ...rest } = JSON.parse(writeDocument("http://127.0.0.1:8000"));
  const { operationId: _, ...get } = paths["/plants"].get;
  const both = { ...paths, "/shelves": { get } };
  await writeFile(document, JSON.stringify({ ...rest, paths: both }));
  const bin = (path: string) => join("bench/node_modules", path);
  const commands: Readonly<
    Record<string, readonly [RegExp | "unsaid", (port: number) => string[]]>
  > = {
    "Plant Store": [
      /^Listening on/m,
      (port) => ["--import", "tsx", "src/cli/main.ts", `--port=${port}`],
    ],
    "json-server": [
      "unsaid",
      (port) => [
        bin("json-server/lib/cli/bin.js"),
        `--port=${port}`,
        "--host=127.0.0.1",
        "--quiet",
        db,
      ],
    ],
    Prism: [
      "unsaid",
      (port) => [
        bin("@stoplight/prism-cli/dist/index.js"),
        "mock",
        `--port=${port}`,
        "--host=127.0.0.1",
        "--multiprocess=false",
        "--verboseLevel=silent",
        document,
      ],
    ],
    Hono: [
      /^ready$/m,
      (port) => ["bench/sides/hono_documented.mjs", `${port}`],
    ],
    Express: [
      /^ready$/m,
      (port) => ["bench/sides/express_documented.mjs", `${port}`],
    ],
  };
  for (const [name, [ready, command]] of Object.entries(commands)) {
    const side = await startSide({
      name,
      command: (port) => [process.execPath, ...command(port)],
      env: { SHOP: shop },
      ready,
    }, ANY_CPU);
    sides.set(name, side);
  }
});

after(async () => {
  await Promise.all(Array.from(sides.values(), (side) => side.stop()));
  await rm(folder, { recursive: true });
});

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

/** Asks a side as one user, by default for all that the user may see. */
type Ask = (
  token: string | undefined,
  query?: string,
  question?: Question,
) => Promise<Answer>;

/** Asks over HTTP; `fetch` would add fields of its own to a conditional request. */
function ask(
  port: number,
  target: string,
  { method = "GET", headers = {}, body }: Question,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: target, method, headers };
    request(options, async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      const { statusCode: status = 0, headers } = response;
      resolve({ status, headers, body: text });
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
  const { plants } = JSON.parse(
    await readFile(join(folder, "db.json"), "utf8"),
  );
  assertEquals(plants.at(-1).name, "Ginkgo biloba");
});
