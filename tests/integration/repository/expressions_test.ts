import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";

// Regular expressions that foreign text reaches take linear time.

// `npm run check` does not need the packages of the tests.
const { check } = createRequire(import.meta.url)("recheck");

/** A regular expression after something that no division follows. */
const LITERAL =
  /(?<=[(=:,!&|?{;\n[>]\s*|return )\/(?![*/\s])((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g;

/** Files whose expressions receive only text of this project, or URLs of its user. */
const OWN =
  /^(?:cli\/log|explorer\/(?:client\/.*|content)|verify\/client)\.ts$/;

test("regular expressions in src take linear time", async () => {
  const slow: string[] = [];
  let count = 0;
  for (const file of await readdir("src", { recursive: true })) {
    if (!file.endsWith(".ts") || OWN.test(file)) continue;
    const text = await readFile(`src/${file}`, "utf8");
    for (const [literal, source, flags] of text.matchAll(LITERAL)) {
      count++;
      const { status } = await check(source!, flags!, {
        checker: "automaton",
        timeout: null,
        maxNFASize: 1_000_000,
        maxRepeatCount: 100_000,
        maxRepeatSize: 100_000,
      });
      if (status !== "safe") slow.push(`${file}: ${status}: ${literal}`);
    }
  }
  assertEquals(slow, []);
  assert(count > 60, `${count}`);
});
