import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assert, assertEquals } from "@std/assert";
import { digest } from "../contract/stores.ts";
import { writeFiles } from "../support/files.ts";
import { start } from "../support/command.ts";

const KILLS = 40;

test(`token add leaves the old or the new file whole, killed ${KILLS} times`, async (t) => {
  const { tokens } = await writeFiles(t, {
    tokens: JSON.stringify({ u: { plants: "all", tokens: [] } }, null, 2),
  });
  const lock = `${tokens}.lock`;
  const printed: string[] = [];
  let count = 0, killed = 0, held = 0;
  // Finds the time after which about half of the kills come too late.
  let delay = 10;
  for (let round = 0; round < KILLS; round++) {
    const running = start(["token", "add", "u"], { TOKENS_FILE: tokens });
    // Only a kill after the command has locked the file can do harm.
    let hasEnded = false;
    running.ended.then(() => hasEnded = true);
    while (!hasEnded && !existsSync(lock)) await setTimeout(1);
    await setTimeout(delay);
    running.kill("SIGKILL");
    const { signal, stdout } = await running.ended;
    if (signal === "SIGKILL") killed++;
    const isHeld = existsSync(lock);
    if (isHeld) held++;
    delay = isHeld ? delay + 3 : Math.max(0, delay - 3);
    await rm(lock, { force: true });

    const { u } = JSON.parse(await readFile(tokens, "utf8"));
    const digests = u.tokens.map(({ sha256 }: { sha256: string }) => sha256);
    assert(digests.length === count || digests.length === count + 1);
    count = digests.length;
    // Whoever was told a token has it.
    if (stdout !== "") printed.push(digest(stdout.trim()));
    for (const each of printed) assert(digests.includes(each));
  }
  console.log(
    `${killed} killed, ${held} of them with the lock held, ${count} added`,
  );
  assert(held > 0 && count > 0, "kills before and after");
  assertEquals(new Set(printed).size, printed.length);
});
