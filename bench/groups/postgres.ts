import process from "node:process";
import pg from "pg";
import { compareUnderLoad, type Group } from "../compare.ts";
import { startDatabaseServer } from "../../tests/integration/postgres/server.ts";
import { createUsers, FLORIST, writePlants, writeTokens } from "../data.ts";
import { createProduct, run, type Side } from "../servers.ts";

const SMALL = "1,000 plants, 3 users",
  LARGE = "1,000,000 plants, 100,000 users";
const HAND = "node:http with the same SELECT", TURNS = "100,000 users in turn";

/** Tasks that must run before this process exits. */
export const cleanups: (() => unknown)[] = [];

export const postgres: Group = compareUnderLoad(
  [[SMALL, HAND], [LARGE, SMALL], [TURNS, LARGE]],
  async () => {
    const { url, pid: database } = await startDatabaseServer({
      after: (task: () => unknown) => cleanups.push(task),
    });
    const small = await fill(url, "small", 1_000, 3);
    const large = await fill(url, "large", 1_000_000, 100_000);
    const product = { ...await createProduct(SMALL), database };
    const many: Side = {
      ...product,
      name: LARGE,
      env: { DATABASE_URL: large },
    };
    const access = JSON.stringify(createUsers(FLORIST + 1, [])[FLORIST]);
    const command = [process.execPath, "--import", "tsx"]
      .concat(["bench/sides/postgres.ts", small, access]);
    return [
      { ...product, env: { DATABASE_URL: small } },
      { ...product, name: HAND, command },
      many,
      { ...many, name: TURNS, turns: 99_999 },
    ];
  },
);

/** Creates a database, imports files of this size, and returns its URL. */
async function fill(
  server: string,
  name: string,
  plants: number,
  users: number,
): Promise<string> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = server.replace(/[^/]*$/, name);
  await run([
    ...[process.execPath, "dist/cli.js", "import", `--database-url=${url}`],
    `--plants=${writePlants(plants)}`,
    `--tokens=${writeTokens(users, plants)}`,
  ]);
  return url;
}
