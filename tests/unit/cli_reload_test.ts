import {
  readdir,
  readFile,
  rename,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { digest } from "../contract/stores.ts";
import { makeFolder, writeFiles } from "../support/files.ts";
import { until } from "../support/until.ts";
import { run, startServer } from "../support/command.ts";

const USER = { u: { plants: "all", tokens: [{ sha256: digest("t") }] } };
const ask = (url: string, token = "t") =>
  fetch(`${url}plants`, { headers: { authorization: `Bearer ${token}` } });

test("serve follows its files and logs what became of them", async (t) => {
  const { plants, tokens } = await writeFiles(t, {
    plants: '[{"name": "a"}]',
    tokens: USER,
  });
  const server = await startServer(t, ["--plants", plants, "--tokens", tokens]);

  await writeFile(plants, '[\n{"name": "b"},\n{"name": ""},\n{"tag": "x"}\n]');
  await server.until(
    "stderr",
    /Z .*plants\.json:3:10: name must be a non-empty string\n.*Z .*plants\.json:4:1: .*\n$/,
  );
  assertEquals(await (await ask(server.url)).json(), [{ name: "a" }]);
  await writeFile(plants, '[{"name": "b"}, {"name": "c"}]');
  await server.until(
    "stderr",
    /Z .*plants\.json reloaded: 2 plants \(was 1\)\n$/,
  );
  assertEquals(await (await ask(server.url)).json(), [{ name: "b" }, {
    name: "c",
  }]);
  await unlink(plants);
  await server.until(
    "stderr",
    /Z cannot read ".*plants\.json": file not found; .*\n$/,
  );
  assertEquals((await ask(server.url)).status, 200);

  server.kill("SIGTERM");
  const { status, stderr } = await server.ended;
  assertEquals(status, 0);
  assertEquals(stderr.split("\n").length, 5, stderr);
});

test("serve --no-watch reloads at SIGHUP alone", async (t) => {
  const { plants, tokens } = await writeFiles(t, {
    plants: '[{"name": "a"}]',
    tokens: USER,
  });
  const env = { PLANTS_FILE: plants, TOKENS_FILE: tokens };
  const server = await startServer(t, ["--no-watch"], env);
  // By the time that another has noticed two changes, it would have noticed one.
  const watching = await startServer(t, [], env);
  await writeFile(plants, '[{"name": "x"}]');
  await watching.until("stderr", /reloaded/);
  await writeFile(plants, '[{"name": "b"}]');
  await watching.until("stderr", /reloaded.*\n.*reloaded/);
  assertEquals(await (await ask(server.url)).json(), [{ name: "a" }]);
  server.kill("SIGHUP");
  await server.until("stderr", /plants\.json reloaded: 1 plant \(was 1\)\n/);
  assertEquals(await (await ask(server.url)).json(), [{ name: "b" }]);
  await writeFile(plants, "[");
  server.kill("SIGHUP");
  await server.until("stderr", /plants\.json:1:2: invalid JSON/);
  assertEquals((await ask(server.url)).status, 200);
});

test("a running server takes what token add and revoke change", async (t) => {
  const files = await writeFiles(t, { tokens: USER });
  const env = { PLANTS_FILE: files.plants, TOKENS_FILE: files.tokens };
  const server = await startServer(t, [], env);
  const { stdout } = await run(["token", "add", "u"], env);
  const token = stdout.trim();
  await until(async () => (await ask(server.url, token)).status === 200);
  await run(["token", "revoke", "u", digest(token).slice(0, 8)], env);
  await until(async () => (await ask(server.url, token)).status === 401);
  assertEquals((await ask(server.url)).status, 200);
});

test("no request fails or meets half of a change while files change", async (t) => {
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
      const response = await ask(server.url);
      assertEquals(response.status, 200);
      const names = (await response.json()).map(
        ({ name }: { name: string }) => name,
      );
      assertEquals(names.length, 2_000);
      assertEquals(new Set(names).size, 1);
      seen.add(names[0]);
    }
  });
  for (const name of ["b", "c", "d"]) {
    await writeFile(`${files.plants}.new`, many(name));
    await rename(`${files.plants}.new`, files.plants);
    await until(() => seen.has(name));
  }
  isOver = true;
  await Promise.all(clients);
  assertEquals([...seen], ["a", "b", "c", "d"]);
});

test("check says what the files hold, or all that is wrong with them", async (t) => {
  const good = await run(["check"]);
  assertEquals([good.status, good.stderr], [0, ""]);
  assertMatch(
    good.stdout,
    /^data\/plants\.json: \d+ plants\ndata\/tokens\.json: 3 users, 4 tokens\n$/,
  );

  const bad = await writeFiles(t, {
    plants: JSON.stringify(
      Array.from({ length: 22 }, () => ({ name: "" })),
      null,
      1,
    ),
    tokens: { a: 1, b: 2, c: 3 },
  });
  const { status, stdout, stderr } = await run([
    "check",
    "--plants",
    bad.plants,
    "--tokens",
    bad.tokens,
  ]);
  assertEquals([status, stdout], [1, ""]);
  const lines = stderr.trimEnd().split("\n");
  assertEquals(lines.length, 24);
  assertEquals(lines[0], `${bad.plants}:3:11: name must be a non-empty string`);
  assertEquals(lines[20], "and 2 more problems");
  assertEquals(lines[21], `${bad.tokens}:1:6: expected a user object`);
});

test("init writes files to start from, and never over others", async (t) => {
  const folder = join(await makeFolder(t), "shop", "data");
  const { status, stdout } = await run(["init", folder]);
  assertEquals(status, 0);
  assertMatch(stdout, /^ps_[A-Za-z0-9_-]{43}\n$/);
  assertEquals((await readdir(folder)).sort(), [
    "plants.json",
    "plants.schema.json",
    "tokens.json",
    "tokens.schema.json",
  ]);
  assertEquals(
    await readFile(join(folder, "plants.json"), "utf8"),
    await readFile("data/plants.json", "utf8"),
  );
  const env = {
    PLANTS_FILE: join(folder, "plants.json"),
    TOKENS_FILE: join(folder, "tokens.json"),
  };
  assertEquals((await run(["check"], env)).status, 0);
  const server = await startServer(t, [], env);
  assertEquals((await ask(server.url, stdout.trim())).status, 200);

  // A file that exists, or a symbolic link, keeps all from being written.
  const other = await makeFolder(t);
  await writeFile(join(other, "tokens.schema.json"), "{}");
  const dangling = await makeFolder(t);
  await symlink("nowhere", join(dangling, "tokens.json"));
  for (
    const [folder, file] of [
      [other, "tokens.schema.json"],
      [dangling, "tokens.json"],
    ] as const
  ) {
    const { status, stderr } = await run(["init", folder]);
    const path = join(folder, file);
    assertEquals(
      [status, stderr],
      [1, `plant-store: "${path}" already exists; nothing written\n`],
    );
    assertEquals(await readdir(folder), [file]);
  }

  const before = await readFile(env.TOKENS_FILE, "utf8");
  const again = await run(["init", folder]);
  assertEquals([again.status, again.stdout], [1, ""]);
  assertMatch(again.stderr, /plants\.json" already exists/);
  assertEquals(await readFile(env.TOKENS_FILE, "utf8"), before);
});
