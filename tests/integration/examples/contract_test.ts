import {
  cp,
  mkdtemp,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { mock } from "node:test";
import { assertEquals } from "@std/assert";
import type { Setup } from "../../contract/cases.ts";
import { openHandler } from "../../contract/in_process.ts";
import { type Service, testContract } from "../../contract/suite.ts";
import { sendOverWire } from "../../contract/wire.ts";
import { startWorker } from "../runtimes/workerd.ts";
import { type Example, EXAMPLES, HOST_CASES, toBasePath } from "./examples.ts";
import { startHost } from "./host.ts";

// Runs the contract in unchanged examples with the stores of the contract.

/** Copies the examples to a folder and replaces their stores. */
async function copyExamples(folder: string, setup: Setup): Promise<void> {
  const modules = resolve("examples/node_modules");
  await cp("examples", folder, {
    recursive: true,
    filter: (path) => resolve(path) !== modules,
  });
  await symlink(modules, join(folder, "node_modules"));
  // Contains the paths of the sources.
  const config = { extends: resolve("tsconfig.json") };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const source = `import { openStore } from "${
    resolve("tests/contract/setups.ts")
  }";
`;
  await writeFile(
    join(folder, "store.ts"),
    `${source}export const store = openStore("${setup}");\n`,
  );
  for (const file of ["cloudflare_worker.ts", "service_worker/api.ts"]) {
    const path = join(folder, file);
    const code = await readFile(path, "utf8");
    const [start, end, ...others] = code.split("createDemoStore()");
    assertEquals([end === undefined, others], [false, []], file);
    await writeFile(path, `${source}${start}openStore("${setup}")${end}`);
  }
}

/** Opens an example at a path. */
async function openExample(
  { command, runtime }: Example,
  path: string,
): Promise<Service> {
  if (command || runtime === "workerd") {
    const { port, close } = command
      ? await startHost([...command, path])
      : await startWorker(path);
    return { send: (request) => sendOverWire(port, request), close };
  }
  const { replaceNetwork } = await import(path);
  replaceNetwork({ mock });
  const network = globalThis.fetch;
  mock.restoreAll();
  return openHandler(network);
}

async function open(example: Example, setup: Setup): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), "plant-store-"));
  await copyExamples(folder, setup);
  const service = await openExample(example, join(folder, example.file));
  return {
    ...service,
    send: ({ before, ...request }) =>
      service.send({
        ...toBasePath(request),
        ...before && { before: toBasePath(before) },
      }),
    async close() {
      await service.close();
      await rm(folder, { recursive: true });
    },
  };
}

for (const example of EXAMPLES) {
  testContract(example.file, (setup) => open(example, setup), {
    cases: HOST_CASES,
    runtime: example.runtime,
  });
}
