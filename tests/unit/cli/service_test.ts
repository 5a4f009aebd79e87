import { unlink } from "node:fs/promises";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { digest } from "../../contract/stores.ts";
import { run, startServer } from "../../support/command.ts";
import { replaceFile, writeFiles } from "../../support/files.ts";
import { list } from "../../support/send.ts";
import { until } from "../../support/until.ts";

const CONTENT = {
  plants: '[{"name": "a"}]',
  tokens: { u: { plants: "all", tokens: [{ sha256: digest("t") }] } },
};

test("serve reloads changed files, with --no-watch only on SIGHUP", async (t) => {
  const { plants, tokens } = await writeFiles(t, CONTENT);
  const env = { PLANTS_FILE: plants, TOKENS_FILE: tokens };
  const server = await startServer(t, [], env);
  const still = await startServer(t, ["--no-watch"], env);
  const listed = async ({ url }: { readonly url: string }) =>
    await (await list(url, "t")).text();

  await replaceFile(
    plants,
    '[\n{"name": "b"},\n{"name": ""},\n{"tag": "x"}\n]',
  );
  await server.until(
    "stderr",
    /Z .*plants\.json:3:10: name must be a non-empty string\n.*Z .*plants\.json:4:1: .*\n$/,
  );
  assertEquals(await listed(server), '[{"name":"a"}]');
  await replaceFile(plants, '[{"name": "b"}, {"name": "c"}]');
  await server.until(
    "stderr",
    /Z .*plants\.json reloaded: 2 plants \(was 1\)\n$/,
  );
  assertEquals(await listed(server), '[{"name":"b"},{"name":"c"}]');

  // By now, a server that watches has detected two changes.
  assertEquals(await listed(still), '[{"name":"a"}]');
  still.kill("SIGHUP");
  await still.until("stderr", /plants\.json reloaded: 2 plants \(was 1\)\n/);
  assertEquals(await listed(still), '[{"name":"b"},{"name":"c"}]');

  await unlink(plants);
  await server.until(
    "stderr",
    /Z cannot read ".*plants\.json": file not found; .*\n$/,
  );
  assertEquals((await list(server.url, "t")).status, 200);
  server.kill("SIGTERM");
  const { status, stderr } = await server.ended;
  assertEquals([status, stderr.split("\n").length], [0, 5], stderr);
});

test("serve uses tokens that are added and revoked while it runs", async (t) => {
  const files = await writeFiles(t, CONTENT);
  const env = { PLANTS_FILE: files.plants, TOKENS_FILE: files.tokens };
  const server = await startServer(t, [], env);
  const { stdout } = await run(["token", "add", "u"], env);
  const token = stdout.trim();
  const status = async () => (await list(server.url, token)).status;
  await until(async () => await status() === 200);
  await run(["token", "revoke", "u", digest(token).slice(0, 8)], env);
  await until(async () => await status() === 401);
  assertEquals((await list(server.url, "t")).status, 200);
});

test("serve uses --plants and --tokens even if DATABASE_URL is set", async (t) => {
  const { plants, tokens } = await writeFiles(t, CONTENT);
  const args = ["--plants", plants, "--tokens", tokens];
  const env = { DATABASE_URL: "postgres://u@127.0.0.1:1/d" };
  const server = await startServer(t, args, env);
  const response = await list(server.url, "t");
  assertEquals([response.status, await response.text()], [
    200,
    '[{"name":"a"}]',
  ]);
});
