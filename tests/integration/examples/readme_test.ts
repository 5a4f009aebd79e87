import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { BUN, DENO, OFFLINE_MAP } from "../../../tools/runtimes.ts";
import { list } from "../../support/send.ts";
import { EXAMPLES } from "./examples.ts";
import { startHost } from "./host.ts";

const readme = await readFile("examples/README.md", "utf8");

/** The commands for runtimes that may not be installed. */
const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  // JSR may be unreachable.
  [
    "deno run --config deno.json",
    [
      ...[...DENO, "run"],
      ...[`--import-map=${OFFLINE_MAP}`, "--node-modules-dir=none"],
    ],
  ],
  ["bun", BUN],
];

for (const { file, command } of EXAMPLES) {
  if (!command) continue;
  test(`examples/README.md: the command for ${file} works`, async (t) => {
    let [, line] = new RegExp(`\`([^\`]* examples/${file})\``).exec(readme)!;
    for (const [name, command] of COMMANDS) {
      if (line!.startsWith(name)) line = line!.replace(name, command.join(" "));
    }
    const { port, close } = await startHost(line!.split(" "));
    t.after(close);
    const url = `http://127.0.0.1:${port}`;
    const hello = await fetch(`${url}/hello`);
    assertEquals(await hello.text(), "Hello from the shop\n");
    const plants = await list(`${url}/api/`, "demo-florist");
    assertEquals(await plants.json(), [{ name: "Rosa canina", tag: "flower" }]);
  });
}
