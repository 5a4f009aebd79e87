import { test } from "node:test";
import { assertEquals } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { startProgramFor } from "../../support/program.ts";
import { list } from "../../support/send.ts";
import { createDatabaseFor } from "./database.ts";

test("deno task start:any serves a database", async (t) => {
  const database = await createDatabaseFor(t, [{ name: "a" }]);
  const command = config.tasks["start:any"].command.replace(
    "deno run",
    `${DENO.join(" ")} run --import-map=${OFFLINE_MAP}`,
  );
  const env = { PORT: "0", DATABASE_URL: database.url };
  const running = startProgramFor(t, "sh", ["-c", command], { env });
  const [, url] = await running.until("stdout", /^Listening on (.*)\n/);
  assertEquals(await (await list(url!, "token")).json(), [{ name: "a" }]);
});
