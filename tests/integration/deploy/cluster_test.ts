import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { after, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { type Running, stopAfter } from "../../../tools/start_cli.ts";
import { makeFolder } from "../../support/files.ts";
import { readDocument } from "../../../tools/markdown.ts";
import { findPort } from "../../../tools/port.ts";
import { startProgramFor } from "../../../tools/start_program.ts";
import { list } from "../../../tools/send.ts";
import { until } from "../../../tools/until.ts";
import { exchange } from "../../contract/wire.ts";
import { startDatabase } from "../../../tools/start_database.ts";
import { fill, startWith } from "../postgres/database.ts";

// Two servers behind nginx with one database.

const database = await startDatabase({ after });
const first = await findPort(), second = await findPort();
const port = await findPort();
const url = `http://127.0.0.1:${port}/`;

/** The time between two restarts. */
const PAUSE_MS = 1_000 *
  Number(
    /wait (\d+) seconds/.exec(await readFile("docs/operating.md", "utf8"))![1],
  );

/** Imports a plant, a user whose token is its name, and a slow user. */
function publish(t: TestContext, name: string): Promise<void> {
  return fill(t, database.url, [{ name }], {
    user: { plants: "all", tokens: [name] },
    slow: { plants: "all", tokens: ["slow"], behavior: { delay: 2_000 } },
  });
}

/** Starts a server behind nginx. */
async function startServer(port: number) {
  const running = startWith(database.url, "--port", `${port}`);
  stopAfter({ after }, running);
  await running.until("stdout", /^Listening on /);
  return running;
}

/** Returns the block of docs/operating.md with the addresses of this test. */
function readConfig(): string {
  const { blocks } = readDocument("docs/operating.md");
  let { text } = blocks.find(({ language }) => language === "nginx")!;
  for (
    const [from, to] of [
      ["127.0.0.1:8000", `127.0.0.1:${first}`],
      ["127.0.0.1:8001", `127.0.0.1:${second}`],
      ["listen 80;", `listen 127.0.0.1:${port};`],
    ] as const
  ) {
    assertEquals(text.split(from).length, 2, from);
    text = text.replace(from, to);
  }
  return text;
}

/** Starts nginx, by default as docs/operating.md describes it, without TLS. */
async function startNginx(config = readConfig()): Promise<Running> {
  const folder = await makeFolder({ after });
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${name};`).join(" ");
  const user = process.getuid!() === 0 ? "user root;" : "";
  await writeFile(
    join(folder, "main.conf"),
    `${user} pid nginx.pid; error_log stderr notice; events {}
http {
  access_log off; ${temporary}
  ${config}
}`,
  );
  const files = ["-p", folder, "-e", "stderr", "-c", "main.conf"];
  const args = [...files, "-g", "daemon off;"];
  const nginx = startProgramFor({ after }, "nginx", args);
  await nginx.until("stderr", /start worker process \d+\n/);
  return nginx;
}

test("two servers behind nginx show an import, restart one at a time, hang, limit a client, and recover", async (t) => {
  await publish(t, "a");
  const servers = [await startServer(first), await startServer(second)];
  const nginx = await startNginx();
  const count = async (token: string, status: number) => {
    for (let time = 0; time < 10; time++) {
      assertEquals((await list(url, token)).status, status);
    }
  };
  await count("a", 200);
  await publish(t, "b");
  await count("a", 401);
  await count("b", 200);

  const statuses = new Set<number>();
  let requests = 0, isDone = false;
  const load = Promise.all(Array.from({ length: 12 }, async () => {
    while (!isDone) {
      statuses.add((await list(url, "slow")).status);
      requests++;
    }
  }));
  for (const [at, port] of [first, second].entries()) {
    servers[at]!.kill("SIGTERM");
    assertEquals((await servers[at]!.ended).status, 0);
    const before = requests;
    await until(() => requests > before + 20); // from the other server
    servers[at] = await startServer(port);
    await sleep(PAUSE_MS); // by then, nginx sends requests to this server again
  }
  isDone = true;
  await load;
  assertEquals([...statuses], [200]);

  const old = await exchange(port, "GET /healthz HTTP/1.0\r\n\r\n");
  assertMatch(old, /^HTTP\/1\.1 200 /);

  servers[0]!.kill("SIGSTOP");
  const during = Promise.all(Array(8).fill("b").map((name) => list(url, name)));
  // By default, nginx waits 60 seconds.
  const inTime = await Promise.race([during, sleep(50_000, [])]);
  assertEquals(inTime.map(({ status }) => status), Array(8).fill(200));
  servers[0]!.kill("SIGCONT");

  const burst = await Promise.all(
    Array.from({ length: 300 }, () => list(url, "slow")),
  );
  const limited = new Set(burst.map(({ status }) => status));
  assertEquals([...limited].sort(), [200, 429]);
  await nginx.until("stderr", /limiting requests/);
  await nginx.until("stderr", /limiting connections/);

  await database.down();
  await count("b", 503);
  assertMatch(await (await fetch(`${url}readyz`)).text(), /"error":503/);
  await database.up();
  await until(async () => (await list(url, "b")).status === 200);
  await count("b", 200);
});

test("a client of a bare proxy_pass, which uses HTTP/1.0, notices that a list is cut", async (t) => {
  // 15 MB do not fit in the buffers of the connections.
  const plants = Array(7_500).fill({ name: "x".repeat(2_000) });
  await fill(t, database.url, plants);
  const options = ["--port", "0", "--shutdown-timeout", "0.5"];
  const server = startWith(database.url, ...options);
  stopAfter(t, server);
  const [, address] = await server.until(
    "stdout",
    /Listening on http:\/\/(\S+)\/$/m,
  );
  const port = await findPort();
  await startNginx(`server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://${address}; proxy_max_temp_file_size 0; }
  }`);
  const response = await list(`http://127.0.0.1:${port}/`, "t");
  assertEquals(response.status, 200);
  server.kill("SIGTERM");
  assertEquals((await server.ended).status, 0);
  await assertRejects(() => response.text(), TypeError, "terminated");
});
