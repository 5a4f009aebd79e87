import process from "node:process";
import { compareUnderLoad, type Group } from "../compare.ts";
import { createPlants, createUsers, FLORIST, writeTemporary } from "../data.ts";
import { createBare, createProduct, type Side } from "../servers.ts";

const PRODUCT = "plant store", UNKNOWN = "plant store, unknown token";
const BARE = "bare server", BARE_401 = "bare server, same 401";
const AGAIN = "bare server, again", TUNED = "tuned bare server";

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

const PEERS = ["Fastify", "H3", "Hono", "Express"];

export const peers: Group = compareUnderLoad({
  title: "Node.js: against peers",
  about:
    "100 plants, 3 users, `limit=20`, a user with four tags, `NODE_ENV=production`, no logging. Every side checks the token, validates the limit, and sends the same plants. The [peers](sides) are written as in their documentation. Fastify uses `@fastify/bearer-auth` and a response schema, and Hono uses its `bearerAuth`. The plant store and Express send an ETag; only the plant store sends caching headers.",
  pairs: PEERS.map((peer) => [PRODUCT, peer, `Node.js: ${peer}`]),
  startTime: 4,
  async createSides() {
    const SHOP = writeTemporary("shop.json", () => {
      const plants = createPlants(100);
      const users = createUsers(3, plants)
        .map((access, user) => [`token-${user}`, access]);
      return { plants, users: Object.fromEntries(users) };
    });
    const product = await createProduct(PRODUCT);
    const libraries = PEERS.map((name): Side => ({
      name,
      command: [process.execPath, `bench/sides/${name.toLowerCase()}.mjs`],
      env: { SHOP },
    }));
    return [product, ...libraries].map((side) => ({ ...side, user: FLORIST }));
  },
});

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
