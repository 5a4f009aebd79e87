import process from "node:process";
import { compareUnderLoad, type Group } from "../compare.ts";
import { createPlants, createUsers, writeTemporary } from "../data.ts";
import {
  createBare,
  createProduct,
  type Runtime,
  type Side,
} from "../servers.ts";

const PRODUCT = "plant store";
const BARE = "bare server", AGAIN = "bare server, again";

/** Compares the product with a bare server of the runtime. */
export function compareOn(runtime: Runtime): Group {
  return compareUnderLoad([[PRODUCT, BARE], [AGAIN, BARE]], async () => {
    const product = await createProduct(PRODUCT, { runtime });
    const bare = await createBare(BARE, product, runtime);
    return [product, bare, { ...bare, name: AGAIN }];
  });
}

const PEERS = ["Fastify", "Hono", "Express"];

/** More users than the cache of the plant store holds. */
const MANY = 100_000;
const IN_TURN = ", users in turn", CACHED = ", same cache";

export const peers: Group = compareUnderLoad(
  [IN_TURN, CACHED].flatMap((row) =>
    PEERS.map((peer) => [`${PRODUCT}${row}`, `${peer}${row}`] as const)
  ),
  async () => {
    const SHOP = writeTemporary("shop.json", () => {
      const plants = createPlants(100);
      const users = createUsers(MANY, plants)
        .map((access, user) => [`token-${user}`, access]);
      return { plants, users: Object.fromEntries(users) };
    });
    const product = await createProduct(PRODUCT, { users: MANY });
    const sides: Side[] = [
      product,
      ...PEERS.map((name): Side => {
        const file = `bench/sides/${name.toLowerCase()}.mjs`;
        return { name, command: [process.execPath, file], env: { SHOP } };
      }),
    ];
    return sides.flatMap((side) => [
      { ...side, name: `${side.name}${IN_TURN}`, turns: MANY - 1 },
      {
        ...side,
        name: `${side.name}${CACHED}`,
        turns: 1,
        env: { ...side.env, CACHE: "1" },
      },
    ]);
  },
);

const SMALL = "100 plants, 3 users";
const MEDIUM = "10,000 plants, 10,000 users";
const LARGE = "100,000 plants, 100,000 users";
const inTurn = (name: string) => `${name} in turn`;

export const sizes: Group = compareUnderLoad(
  [
    [MEDIUM, SMALL],
    [LARGE, SMALL],
    [inTurn(MEDIUM), MEDIUM],
    [inTurn(LARGE), LARGE],
  ],
  async () => {
    const small = await createProduct(SMALL);
    const medium = await createProduct(MEDIUM, { plants: 1e4, users: 1e4 });
    const large = await createProduct(LARGE, { plants: 1e5, users: 1e5 });
    return [
      ...[small, medium, large].map((side) => ({ ...side, turns: 1 })),
      { ...medium, name: inTurn(MEDIUM), turns: 9_999 },
      { ...large, name: inTurn(LARGE), turns: 99_999 },
    ];
  },
);
