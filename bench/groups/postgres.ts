import { readFileSync } from "node:fs";
import process from "node:process";
import pg from "pg";
import { compareUnderLoad, type Group } from "../compare.ts";
import { createUsers, FLORIST, writePlants, writeTokens } from "../data.ts";
import { tree } from "../proc.ts";
import { cleanups, createProduct, run, type Side } from "../servers.ts";

const SMALL = "1,000 plants, 3 users",
  LARGE = "1,000,000 plants, 100,000 users";
const HAND = "node:http with the same SELECT", TURNS = "100,000 users in turn";

export const postgres: Group = compareUnderLoad({
  title: "Node.js: on PostgreSQL",
  about:
    "`limit=20`, a user with four tags. PostgreSQL 18 with its defaults except `fsync=off` shares a CPU with wrk; the server uses the other one. The `node:http` server runs the same SELECT through the same client with the same number of connections (10) and does not check tokens.",
  pairs: [
    [SMALL, HAND, "on PostgreSQL: `node:http` with the same SELECT"],
    [LARGE, SMALL],
    [TURNS, LARGE],
  ],
  async createSides() {
    const { url, pid: database } = await startDatabase();
    const small = await fill(url, "small", 1_000, 3);
    const large = await fill(url, "large", 1_000_000, 100_000);
    const product = { ...await createProduct(SMALL), user: FLORIST, database };
    const one: Side = { ...product, env: { DATABASE_URL: small } };
    const many: Side = {
      ...product,
      name: LARGE,
      env: { DATABASE_URL: large },
    };
    const access = JSON.stringify(createUsers(FLORIST + 1, [])[FLORIST]);
    const command = [process.execPath, "--import", "tsx"]
      .concat(["bench/sides/postgres.ts", small, access]);
    return [
      one,
      { ...product, name: HAND, command },
      many,
      { ...many, name: TURNS, turns: 99_999 },
    ];
  },
});

/** Starts the database server that the tests also use. */
async function startDatabase(): Promise<{ url: string; pid: number }> {
  // Not a literal import, because tsc would need packages that only tests install.
  const path = "../../tests/integration/postgres/server.ts";
  const { startDatabaseServer } = await import(path);
  const { url, remove } = await startDatabaseServer();
  cleanups.push(remove);
  const pid = tree(process.pid).find((child) =>
    readFileSync(`/proc/${child}/comm`, "utf8") === "postgres\n"
  );
  return { url, pid: pid! };
}

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
