import { spawnSync } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { quoteArgument } from "../../../src/cli/program.ts";
import { makeFolder } from "../../support/files.ts";

// Messages of npm scripts, and the commands that messages suggest.

/** Runs a command line in a shell. */
function sh(command: string, cwd = ".", env: Record<string, string> = {}) {
  const own = { ...process.env, NO_COLOR: "1", DATABASE_URL: "", ...env };
  const options = { cwd, env: own, encoding: "utf8" } as const;
  return spawnSync("sh", ["-c", command], options);
}

test("quoteArgument() returns text that a shell does not change, or a placeholder", () => {
  const plain = [
    ...["bob", "a b", "data/tokens.json", "C:\\x y\\z", "é", "it's"],
    ...["*", "=x", "@x", "a,b"],
  ];
  const quoted = plain.map((text) => quoteArgument(text, "USER"));
  const { stdout } = sh(`printf '%s\\n' ${quoted.join(" ")}`);
  assertEquals(stdout.split("\n"), [...plain, ""]);
  const others = [
    ...["", "-x", "--all", "$(id)", "`id`", "%PATH%", 'a"b', "a\nb", "!x"],
    ...["a\\", "a\\\\b", "\u201d; id", "a\u2028b", "a\u202eb"],
  ];
  for (const text of others) {
    assertEquals(quoteArgument(text, "USER"), "USER", JSON.stringify(text));
  }
});

const URL_HINT = "use npm start -- --public-url URL";

for (
  const [command, hint] of [
    ["npm start --port 8001", "use npm start -- --port 8001"],
    ["npm start --base-path=/api x", "use npm start -- --base-path /api"],
    ["npm run plant-store x --log requests", "put -- before the options"],
    ["npm start --plants a.json --tokens b.json", "put -- before the options"],
    ["npm start --public-url https://u:s3cret@h/d", URL_HINT],
    ["npm start --public-url=u:s3cret@h/d x", URL_HINT],
  ] as const
) {
  test(`"${command}" fails and says what to write`, () => {
    const { status, stderr } = sh(command);
    assertEquals(status, 2);
    const [message] = /^plant-store: .*$/m.exec(stderr)!;
    assertMatch(
      message,
      /^plant-store: unknown command .*; npm consumed an option; /,
    );
    assertEquals(message.split("; npm consumed an option; ")[1], hint);
  });
}

for (const script of ["start", "test", "run plant-store"]) {
  test(`npm ${script} says if dependencies or Node.js are too old or missing`, async (t) => {
    const folder = await makeFolder(t);
    await cp("tools", join(folder, "tools"), { recursive: true });
    const path = join(folder, "package.json");
    const text = await readFile("package.json", "utf8");
    await writeFile(path, text);
    const run = () => {
      const { status, stderr } = sh(`npm -s ${script}`, folder);
      return [status, stderr.replace(/^npm warn .*\n/gm, "")];
    };
    assertEquals(run(), [
      1,
      "plant-store: dependencies are not installed; run: npm ci\n",
    ]);
    await writeFile(path, text.replace(">=20.19.2", ">=100.0.0"));
    assertEquals(run(), [
      1,
      `plant-store: Node.js 100.0.0 or later is required, got ${process.versions.node}\n`,
    ]);
  });
}
