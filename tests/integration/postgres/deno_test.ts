import { spawn } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { watch } from "../../support/command.ts";
import { digest } from "../../contract/stores.ts";
import { createDatabase } from "./database.ts";

test("deno task start:any serves a database", async (t) => {
  const database = await createDatabase();
  t.after(() => database.remove());
  await database.fill([{ name: "a" }], {
    u: { plants: "all", tokens: [{ sha256: digest("token") }] },
  });
  const command = config.tasks["start:any"].command.replace(
    "deno run",
    "npx --yes deno@2.9.6 run --import-map=tools/deno.offline.json",
  );
  const running = watch(spawn(command, {
    env: { ...process.env, PORT: "0", DATABASE_URL: database.url },
    stdio: ["ignore", "pipe", "pipe"],
    shell: true,
    detached: true,
  }));
  t.after(async () => {
    process.kill(-running.process.pid!, "SIGKILL");
    await running.ended;
  });
  const [, url] = await running.until("stdout", /^Listening on (.*)\n/);
  const response = await fetch(`${url}plants`, {
    headers: { authorization: "Bearer token" },
  });
  assertEquals(await response.json(), [{ name: "a" }]);
});
