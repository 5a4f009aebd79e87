import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { test, type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assert, assertEquals } from "@std/assert";
import { digest } from "../contract/stores.ts";
import { run, start } from "../support/command.ts";
import { writeFiles } from "../support/files.ts";
import { until } from "../support/until.ts";

const KILLS = 12;
const ADDS = 8;

/** Writes a tokens file with a user without tokens. */
async function prepare(t: TestContext) {
  const users = { u: { plants: "all", tokens: [] } };
  const { tokens } = await writeFiles(t, {
    tokens: JSON.stringify(users, null, 2),
  });
  return {
    tokens,
    readDigests: async (): Promise<string[]> => {
      const { u } = JSON.parse(await readFile(tokens, "utf8"));
      return u.tokens.map(({ sha256 }: { sha256: string }) => sha256);
    },
  };
}

test(`rewriteFile() leaves a valid file if the process is killed ${KILLS} times`, async (t) => {
  const { tokens, readDigests } = await prepare(t);
  const lock = `${tokens}.lock`;
  const printed: string[] = [];
  let count = 0, held = 0;
  for (let round = 0; round < KILLS; round++) {
    const running = start(["token", "add", "u"], { TOKENS_FILE: tokens });
    // Only a kill after the command has locked the file can do harm.
    let hasEnded = false;
    running.ended.then(() => hasEnded = true);
    while (!hasEnded && !existsSync(lock)) await setTimeout(1);
    if (round % 3 === 0) await until(() => hasEnded || !existsSync(lock));
    else await setTimeout(round - 1);
    running.kill("SIGKILL");
    const { stdout } = await running.ended;
    if (existsSync(lock)) held++;
    await rm(lock, { force: true });

    const digests = await readDigests();
    assert(digests.length === count || digests.length === count + 1);
    count = digests.length;
    // Every printed token is in the file.
    if (stdout !== "") printed.push(digest(stdout.trim()));
    for (const each of printed) assert(digests.includes(each));
  }
  assert(held > 0 && count > 0, `${held} kills during edits, ${count} edits`);
  assertEquals(new Set(printed).size, printed.length);
});

test(`rewriteFile() applies ${ADDS} edits from simultaneous processes`, async (t) => {
  const { tokens, readDigests } = await prepare(t);
  const ended = await Promise.all(
    Array.from(
      { length: ADDS },
      () => run(["token", "add", "u"], { TOKENS_FILE: tokens }),
    ),
  );
  for (const { status, stderr } of ended) {
    assertEquals([status, stderr], [0, ""]);
  }
  assertEquals(
    (await readDigests()).sort(),
    ended.map(({ stdout }) => digest(stdout.trim())).sort(),
  );
});
