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

test("serve uses tokens that are added and revoked while it runs", async (t) => {
  const files = await writeFiles(t, CONTENT);
  const env = { PLANTS_FILE: files.plants, TOKENS_FILE: files.tokens };
  const server = await startServer(t, [], env);
  const { stdout, stderr } = await run(["token"], env);
  const [record] = /^\{.*\}$/m.exec(stderr)!;
  const { u } = CONTENT.tokens;
  const added = { u: { ...u, tokens: [...u.tokens, JSON.parse(record)] } };
  await replaceFile(files.tokens, JSON.stringify(added));
  const status = async () => (await list(server.url, stdout.trim())).status;
  await until(async () => await status() === 200);
  await replaceFile(files.tokens, JSON.stringify(CONTENT.tokens));
  await until(async () => await status() === 401);
  assertEquals((await list(server.url, "t")).status, 200);
});
