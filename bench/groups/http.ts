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

const SIZES = [[100, 3], [10_000, 10_000], [1_000_000, 100_000]] as const;
const [SMALL, MEDIUM, LARGE] = SIZES.map((size) => {
  const [plants, users] = size.map((count) => count.toLocaleString("en"));
  return `${plants} plants, ${users} users`;
}) as [string, string, string];
const inTurn = (name: string) => `${name} in turn`;

export const sizes: Group = compareUnderLoad(
  [
    [MEDIUM, SMALL],
    [LARGE, SMALL],
    [inTurn(MEDIUM), MEDIUM],
    [inTurn(LARGE), LARGE],
  ],
  async () => {
    const sides: Side[] = [];
    for (const [at, name] of [SMALL, MEDIUM, LARGE].entries()) {
      const [plants, users] = SIZES[at]!;
      const side = await createProduct(name, { plants, users });
      sides.push({ ...side, turns: 1 });
      if (name === SMALL) continue;
      sides.push({ ...side, name: inTurn(name), turns: users - 1 });
    }
    return sides;
  },
);
