import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import metadata from "../../../package.json" with { type: "json" };
import { call } from "../../support/cli.ts";
import { run } from "../../../tools/start_cli.ts";
import { makeFolder } from "../../support/files.ts";

// The tests run the program in a clone.
const PROGRAM = "Bun" in globalThis
  ? "bun src/cli/main.ts"
  : "Deno" in globalThis
  ? "deno task plant-store"
  : "npx plant-store";

test("a command suggests init if init would create the missing file", async (t) => {
  const folder = await makeFolder(t);
  const missing = (name: string) =>
    `plant-store: cannot read ${
      JSON.stringify(join(folder, name))
    }: file not found`;
  const check = async (plants: string) => {
    const { stderr } = await call([
      ...["check", "--plants", join(folder, plants)],
      ...["--tokens", join(folder, "tokens.json")],
    ]);
    return stderr.trimEnd().split("\n");
  };
  const init = `; to create it, run: ${PROGRAM} init "${folder}"`;
  assertEquals(
    await check("plants.json"),
    ["plants.json", "tokens.json"].map((name) => missing(name) + init),
  );
  assertEquals((await check("p.json"))[0], missing("p.json"));
  await writeFile(join(folder, "plants.json"), "[]");
  assertEquals(await check("plants.json"), [missing("tokens.json") + init]);
});

for (
  const [line, usage] of [
    ["-h", "[COMMAND]"],
    ["help", "[COMMAND]"],
    ["--port x --help", "[COMMAND]"],
    ["serve --help", "serve"],
    ["help check", "check"],
  ] as const
) {
  test(`"plant-store ${line}" prints the help`, async () => {
    const { status, stdout, stderr } = await call(line.split(" "));
    assertEquals([status, stderr], [0, ""]);
    const [first] = stdout.split("\n");
    assertEquals(first, `Usage: plant-store ${usage} [OPTIONS]`);
    assert(stdout.includes("TOKENS_FILE"));
  });
}

test("the program exits with the status of the command", async () => {
  const { status, stdout } = await run(["--version"]);
  assertEquals([status, stdout], [0, `${metadata.version}\n`]);
  const failed = await run(["--tokens", "no.json"]);
  const message = 'plant-store: cannot read "no.json": file not found\n';
  assertEquals([failed.status, failed.stderr], [1, message]);
});
