import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { EXAMPLES } from "./examples.ts";
import { startHost } from "./host.ts";

const readme = await readFile("examples/README.md", "utf8");

/** What stands for a runtime of which there may be no command. */
const COMMANDS: Readonly<Record<string, string>> = {
  // As deno.json, but for JSR, which may be out of reach.
  "deno run --config deno.json":
    "npx --yes deno@2.9.6 run --import-map=tools/deno.offline.json --node-modules-dir=none",
  bun: "npx --yes bun@1.4.5",
};

for (const { file, command } of EXAMPLES) {
  if (!command) continue;
  test(`README: ${file} answers as it says`, async (t) => {
    const [, line] = new RegExp(`\`([^\`]* examples/${file})\``).exec(readme)!;
    const usual = line!.replace(
      /^(?:deno run --config deno\.json|bun)/,
      (name) => COMMANDS[name]!,
    );
    const { port, close } = await startHost(usual.split(" "));
    t.after(close);
    const hello = await fetch(`http://127.0.0.1:${port}/hello`);
    assertEquals(await hello.text(), "Hello from the shop\n");
    const plants = await fetch(`http://127.0.0.1:${port}/api/plants`, {
      headers: { authorization: "Bearer demo-florist" },
    });
    assertEquals(await plants.json(), [{ name: "Rosa canina", tag: "flower" }]);
  });
}
