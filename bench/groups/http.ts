import process from "node:process";
import { writeDocument } from "../../src/openapi/write.ts";
import { compareUnderLoad, type Group } from "../compare.ts";
import { createPlants, createUsers, FLORIST, writeTemporary } from "../data.ts";
import { createBare, createProduct, record, type Side } from "../servers.ts";

const PRODUCT = "plant store",
  BARE = "bare server",
  AGAIN = "bare server, again";
const TUNED = "tuned bare server";
const UNKNOWN = "plant store, unknown token",
  BARE_401 = "bare server, same 401";

export const node: Group = compareUnderLoad({
  title: "Node.js: against a bare node:http server",
  about:
    "100 plants, 3 users, `limit=20`, a user with four tags. The bare server sends the same status, headers, and body with `writeHead(status, headers).end(body)`. The tuned one writes headers and body in one corked write and reads the empty request body (on Node.js 24 and later, `optimizeEmptyRequests`).",
  pairs: [
    [PRODUCT, BARE, "Node.js: bare `node:http` server"],
    [PRODUCT, TUNED, "Node.js: tuned `node:http` server"],
    [TUNED, BARE],
    [UNKNOWN, BARE_401],
    [AGAIN, BARE, "noise: bare `node:http` server against itself"],
  ],
  startTime: 2,
  async createSides() {
    const product = { ...await createProduct(PRODUCT), user: FLORIST };
    const unknown = { ...product, name: UNKNOWN, user: 1e9, status: 401 };
    const bare = await createBare(BARE, product);
    return [
      product,
      bare,
      { ...bare, name: AGAIN },
      { ...bare, name: TUNED, command: [...bare.command, "--tuned"] },
      unknown,
      await createBare(BARE_401, unknown),
    ];
  },
});

export const deno: Group = compareOnRuntime("deno", "Deno");
export const bun: Group = compareOnRuntime("bun", "Bun");

function compareOnRuntime(runtime: "deno" | "bun", name: string): Group {
  return compareUnderLoad({
    title: `${name}: against a bare ${name}.serve server`,
    about:
      "The setup is the same as on Node.js. The bare server returns `new Response(body, { status, headers })`.",
    pairs: [
      [PRODUCT, BARE, `${name}: bare \`${name}.serve\` server`],
      [AGAIN, BARE],
    ],
    startTime: 2,
    async createSides() {
      const product = await createProduct(PRODUCT, { runtime });
      const side = { ...product, user: FLORIST };
      const bare = await createBare(BARE, side, runtime);
      return [side, bare, { ...bare, name: AGAIN }];
    },
  });
}

const LIBRARIES = ["Fastify", "H3", "Hono", "Express", "json-server"];

export const peers: Group = compareUnderLoad({
  title: "Node.js: against peers",
  about:
    "100 plants, 3 users, `limit=20`, a user with four tags, `NODE_ENV=production`, no logging. Every side except Prism checks the token, and every side sends the same plants. The [peers](sides) are written as in their documentation. All except json-server and Prism validate the limit. Fastify uses `@fastify/bearer-auth` and a response schema, and Hono uses its `bearerAuth`. The plant store, Express, and json-server send an ETag; only the plant store sends caching headers. json-server 0.17 filters by tag and calls the limit `_limit`. Prism sends a fixed example from the OpenAPI document and accepts every token.",
  pairs: [...LIBRARIES, "Prism"].map((
    peer,
  ) => [PRODUCT, peer, `Node.js: ${peer}`]),
  startTime: 6,
  async createSides() {
    const product = { ...await createProduct(PRODUCT), user: FLORIST };
    const SHOP = writeTemporary("shop.json", () => {
      const plants = createPlants(100);
      const users = createUsers(3, plants)
        .map((access, user) => [`token-${user}`, access]);
      return { plants, users: Object.fromEntries(users) };
    });
    const { body } = await record(product);
    const document = writeTemporary("openapi.json", () => {
      const content = JSON.parse(writeDocument(""));
      const { 200: response } = content.paths["/plants"].get.responses;
      const examples = { only: { value: JSON.parse(body) } };
      response.content["application/json"].examples = examples;
      return content;
    });
    const libraries = LIBRARIES.map((name): Side => {
      const file = `bench/sides/${name.toLowerCase().replace("-", "_")}.mjs`;
      return {
        name,
        user: FLORIST,
        command: [process.execPath, file],
        env: { SHOP },
        ...name === "json-server" && { path: "/plants?_limit=20" },
      };
    });
    const command = [process.execPath, ...createPrismArguments(document)];
    return [product, ...libraries, { ...product, name: "Prism", command }];
  },
});

/** Returns the Node.js arguments that start Prism. */
export function createPrismArguments(document: string): string[] {
  const main = "bench/node_modules/@stoplight/prism-cli/dist/index.js";
  return [main, "mock", document, "--host=127.0.0.1"]
    .concat(["--multiprocess=false", "--verboseLevel=silent"]);
}

const SMALL = "100 plants, 3 users", LARGE = "1,000,000 plants, 100,000 users";
const TURNS = "100,000 users in turn";

export const sizes: Group = compareUnderLoad({
  title: "Node.js: large files and many users",
  about:
    "`limit=20`. One user sends all requests unless the name says otherwise. With 100,000 users in turn, there are more lists than the cache can hold, so nearly every request is like the first one from its user.",
  pairs: [
    [LARGE, SMALL, `itself: ${LARGE} against ${SMALL}`],
    [TURNS, LARGE, `itself: ${TURNS} against one user`],
  ],
  startTime: 12,
  async createSides() {
    const content = { plants: 1_000_000, users: 100_000 };
    const large = { ...await createProduct(LARGE, content), user: FLORIST };
    const small = { ...await createProduct(SMALL), user: FLORIST };
    return [
      { ...small, turns: 1 },
      { ...large, turns: 1 },
      { ...large, name: TURNS, turns: 99_999 },
    ];
  },
});
