import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { assertEquals } from "@std/assert";
import { makeFolder } from "../files.ts";
import { fill } from "./programs.ts";

const docs = await readFile("docs/deploying.md", "utf8");

test("docs/deploying.md: the worker answers with the plants beside it", async (t) => {
  const folder = await makeFolder(t);
  const [, worker] = /```ts\n([^`]*)```/.exec(docs)!;
  const mod = pathToFileURL(resolve("mod.ts")).href;
  const path = join(folder, "worker.mts");
  await writeFile(path, fill(worker!, '"plant-store"', `"${mod}"`));
  await writeFile(join(folder, "plants.json"), '[{"name":"Aloe vera"}]');

  const { default: service } = await import(pathToFileURL(path).href);
  const ask = async (token: string) =>
    await service.fetch(
      new Request("https://plants.example/plants", {
        headers: { authorization: `Bearer ${token}` },
      }),
      { TOKEN: "s3cret" },
    );
  assertEquals(await (await ask("s3cret")).json(), [{ name: "Aloe vera" }]);
  assertEquals((await ask("demo-curator")).status, 401);
});

test("docs/deploying.md: the files that it names are there", async () => {
  const files = Array.from(
    docs.matchAll(/\]\(([^)#:]+)\)/g),
    ([, file]) => file!,
  );
  assertEquals(files.length, 4);
  for (const file of files) await readFile(join("docs", file));
});
