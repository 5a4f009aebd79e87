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
    async createSides() {
      const product = await createProduct(PRODUCT, { runtime });
      const side = { ...product, user: FLORIST };
      const bare = await createBare(BARE, side, runtime);
      return [side, bare, { ...bare, name: AGAIN }];
    },
  });
}

const PEERS = ["Fastify", "Hono", "Express"];

/** More users than the cache of the plant store holds. */
const MANY = 100_000;
const IN_TURN = ", users in turn", CACHED = ", same cache";

export const peers: Group = compareUnderLoad({
  title: "Node.js: against peers",
  about:
    "100 plants, 100,000 users, `limit=20`, `NODE_ENV=production`, no logging. Every side checks the token, validates the limit, and sends the same plants. With users in turn, the cache of the plant store is too small, so every side filters and encodes the plants for each request. With the same cache, one user sends all requests, and every side keeps the JSON of each user's last list. The [peers](sides) are written as in their documentation: Fastify uses `@fastify/bearer-auth` and a response schema, and Hono uses its `bearerAuth`. The plant store and Express also create an ETag for each list; only the plant store sends caching and CORS headers.",
  pairs: [IN_TURN, CACHED].flatMap((row) =>
    PEERS.map((peer) =>
      [
        row === CACHED ? PRODUCT : `${PRODUCT}${row}`,
        `${peer}${row}`,
        `Node.js: ${peer}${row}`,
      ] as const
    )
  ),
  async createSides() {
    const SHOP = writeTemporary("shop.json", () => {
      const plants = createPlants(100);
      const users = createUsers(MANY, plants)
        .map((access, user) => [`token-${user}`, access]);
      return { plants, users: Object.fromEntries(users) };
    });
    const product = {
      ...await createProduct(PRODUCT, { users: MANY }),
      user: FLORIST,
      turns: 1,
    };
    const inTurn = { turns: MANY - 1, env: { SHOP } };
    const cached = { turns: 1, env: { SHOP, CACHE: "1" } };
    return [
      product,
      { ...product, name: `${PRODUCT}${IN_TURN}`, turns: MANY - 1 },
      ...PEERS.flatMap((peer): Side[] => {
        const file = `bench/sides/${peer.toLowerCase()}.mjs`;
        const side = { command: [process.execPath, file], user: FLORIST };
        return [
          { ...side, ...inTurn, name: `${peer}${IN_TURN}` },
          { ...side, ...cached, name: `${peer}${CACHED}` },
        ];
      }),
    ];
  },
});

const SIZES = [[100, 3], [10_000, 10_000], [1_000_000, 100_000]] as const;
const [SMALL, MEDIUM, LARGE] = SIZES.map((size) => {
  const [plants, users] = size.map((count) => count.toLocaleString("en"));
  return `${plants} plants, ${users} users`;
}) as [string, string, string];
const inTurn = (name: string) => `${name} in turn`;

export const sizes: Group = compareUnderLoad({
  title: "Node.js: large files and many users",
  about:
    "`limit=20`. One user sends all requests, or the users take turns. The lists of 10,000 users fit into the cache. Those of 100,000 users do not, so nearly every request is like the first one from its user.",
  pairs: [
    [MEDIUM, SMALL],
    [LARGE, SMALL, `itself: ${LARGE} against ${SMALL}`],
    [inTurn(MEDIUM), MEDIUM, `itself: ${inTurn(MEDIUM)} against one user`],
    [inTurn(LARGE), LARGE],
  ],
  async createSides() {
    const sides: Side[] = [];
    for (const [at, name] of [SMALL, MEDIUM, LARGE].entries()) {
      const [plants, users] = SIZES[at]!;
      const product = await createProduct(name, { plants, users });
      const side = { ...product, user: FLORIST, turns: 1 };
      sides.push(side);
      if (name === SMALL) continue;
      sides.push({ ...side, name: inTurn(name), turns: users - 1 });
    }
    return sides;
  },
});
