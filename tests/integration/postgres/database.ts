import { createConnection, createServer, type Socket } from "node:net";
import { assert, assertEquals } from "@std/assert";
import pg from "pg";
import { dispatch } from "../../../src/cli/dispatch.ts";
import { type Running, start } from "../../../tools/start_cli.ts";
import type { Database } from "../../../tools/start_database.ts";
import { type Files, writeFiles } from "../../support/files.ts";
import { listen } from "../../../tools/port.ts";

type Test = { after(fn: () => unknown): void };

/** Starts a proxy for the database. All data waits for the promise from `wait`. */
export async function startNetwork(
  t: Test,
  database: Database,
): Promise<{ readonly url: string; wait(): Promise<unknown> }> {
  const network = { url: "", wait: (): Promise<unknown> => Promise.resolve() };
  const port = await listen(
    t,
    createServer((client) => {
      const server = createConnection(database.port, "127.0.0.1");
      const pipe = (from: Socket, to: Socket) =>
        from.on("data", (data) => network.wait().then(() => to.write(data)))
          .on("close", () => to.destroy()).on("error", () => {});
      pipe(client, server);
      pipe(server, client);
    }),
  );
  network.url = database.url.replace(`:${database.port}/`, `:${port}/`);
  return network;
}

/** Runs SQL and then a task on their own connection, and returns the rows. */
export async function query(
  url: string,
  text: string,
  task?: () => Promise<void>,
): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query(text);
    await task?.();
    return rows;
  } finally {
    await client.end();
  }
}

/** Starts a command with a database. Its output must not contain a password. */
export function startWith(url: string, ...args: readonly string[]): Running {
  const running = start(args, { DATABASE_URL: url });
  const ended = running.ended.then((result) => {
    assert(!`${result.stdout}${result.stderr}`.includes("s3cret"));
    return result;
  });
  return { ...running, ended };
}

/** Imports two files with the command. */
export function startImport(url: string, { plants, tokens }: Files): Running {
  return startWith(url, "import", "--plants", plants, "--tokens", tokens);
}

/**
 * Imports plants, by default for a user with the token `t`. The command runs in this
 * process, which is much faster than starting another one.
 */
export async function fill(
  t: Test,
  url: string,
  plants: unknown,
  tokens: unknown = { curator: { plants: "all", tokens: ["t"] } },
): Promise<void> {
  const files = await writeFiles(t, { plants, tokens });
  const args = ["import", "--plants", files.plants, "--tokens", files.tokens];
  const status = await dispatch(args, { DATABASE_URL: url }) ?? 0;
  assertEquals(status, 0);
}
