import { unlink } from "node:fs/promises";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { digest } from "../contract/stores.ts";
import { run, startServer } from "../support/command.ts";
import { replaceFile, writeFiles } from "../support/files.ts";
import { until } from "../support/until.ts";

const USER = { u: { plants: "all", tokens: [{ sha256: digest("t") }] } };

const request = (url: string, token = "t") =>
  fetch(`${url}plants`, { headers: { authorization: `Bearer ${token}` } });

async function list(url: string): Promise<string[]> {
  const plants = await (await request(url)).json();
  return plants.map(({ name }: { name: string }) => name);
}

test("serve reloads changed files and logs the result", async (t) => {
  const { plants, tokens } = await writeFiles(t, {
    plants: '[{"name": "a"}]',
    tokens: USER,
  });
  const server = await startServer(t, ["--plants", plants, "--tokens", tokens]);

  await replaceFile(
    plants,
    '[\n{"name": "b"},\n{"name": ""},\n{"tag": "x"}\n]',
  );
  await server.until(
    "stderr",
    /Z .*plants\.json:3:10: name must be a non-empty string\n.*Z .*plants\.json:4:1: .*\n$/,
  );
  assertEquals(await list(server.url), ["a"]);
  await replaceFile(plants, '[{"name": "b"}, {"name": "c"}]');
  await server.until(
    "stderr",
    /Z .*plants\.json reloaded: 2 plants \(was 1\)\n$/,
  );
  assertEquals(await list(server.url), ["b", "c"]);
  await unlink(plants);
  await server.until(
    "stderr",
    /Z cannot read ".*plants\.json": file not found; .*\n$/,
  );
  assertEquals((await request(server.url)).status, 200);

  server.kill("SIGTERM");
  const { status, stderr } = await server.ended;
  assertEquals(status, 0);
  assertEquals(stderr.split("\n").length, 5, stderr);
});

test("serve --no-watch reloads files only on SIGHUP", async (t) => {
  const { plants, tokens } = await writeFiles(t, {
    plants: '[{"name": "a"}]',
    tokens: USER,
  });
  const env = { PLANTS_FILE: plants, TOKENS_FILE: tokens };
  const server = await startServer(t, ["--no-watch"], env);
  // A server that watches detects two changes while this one ignores the first.
  const watching = await startServer(t, [], env);
  await replaceFile(plants, '[{"name": "x"}]');
  await watching.until("stderr", /reloaded/);
  await replaceFile(plants, '[{"name": "b"}]');
  await watching.until("stderr", /reloaded.*\n.*reloaded/);
  assertEquals(await list(server.url), ["a"]);
  server.kill("SIGHUP");
  await server.until("stderr", /plants\.json reloaded: 1 plant \(was 1\)\n/);
  assertEquals(await list(server.url), ["b"]);
  await replaceFile(plants, "[");
  server.kill("SIGHUP");
  await server.until("stderr", /plants\.json:1:2: invalid JSON/);
  assertEquals((await request(server.url)).status, 200);
});

test("serve uses tokens that are added and revoked while it runs", async (t) => {
  const files = await writeFiles(t, { tokens: USER });
  const env = { PLANTS_FILE: files.plants, TOKENS_FILE: files.tokens };
  const server = await startServer(t, [], env);
  const { stdout } = await run(["token", "add", "u"], env);
  const token = stdout.trim();
  const status = async () => (await request(server.url, token)).status;
  await until(async () => await status() === 200);
  await run(["token", "revoke", "u", digest(token).slice(0, 8)], env);
  await until(async () => await status() === 401);
  assertEquals((await request(server.url)).status, 200);
});

test("serve never mixes two versions of a file that changes", async (t) => {
  const many = (name: string) =>
    JSON.stringify(Array.from({ length: 2_000 }, () => ({ name })));
  const files = await writeFiles(t, { plants: many("a"), tokens: USER });
  const server = await startServer(t, [], {
    PLANTS_FILE: files.plants,
    TOKENS_FILE: files.tokens,
  });
  let isOver = false;
  const seen = new Set<string>();
  const clients = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const names = await list(server.url);
      assertEquals(names.length, 2_000);
      assertEquals(new Set(names).size, 1);
      seen.add(names[0]!);
    }
  });
  for (const name of ["b", "c", "d"]) {
    await replaceFile(files.plants, many(name));
    await until(() => seen.has(name));
  }
  isOver = true;
  await Promise.all(clients);
  assertEquals([...seen], ["a", "b", "c", "d"]);
});
