import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { mock } from "node:test";
import type { CaseRequest, CaseResponse, Setup } from "../../contract/cases.ts";
import { sendTo } from "../../contract/in_process.ts";
import { type Service, testContract } from "../../contract/suite.ts";
import { sendOverWire } from "../../contract/wire.ts";
import { startWorkers } from "../runtimes/workerd.ts";
import { type Example, EXAMPLES, HOST_CASES, toBasePath } from "./examples.ts";
import { startHost } from "./host.ts";

// The examples as they stand, but for the store: that of the contract is in the
// place of theirs.

/** Copies the examples with the store of a set-up. */
async function copyExamples(setup: Setup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "plant-store-"));
  const modules = resolve("examples/node_modules");
  await cp("examples", folder, {
    recursive: true,
    filter: (path) => resolve(path) !== modules,
  });
  await symlink(modules, join(folder, "node_modules"));
  // It says where the sources of the plant store are.
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: resolve("tsconfig.json") }),
  );
  for (const name of ["store.ts", "demo_store.ts"]) {
    await writeFile(
      join(folder, name),
      `import { openStore } from "${resolve("tests/contract/setups.ts")}";
export const store = openStore("${setup}");
`,
    );
  }
  return folder;
}

/** Runs a program on its runtime. */
async function openHost(command: readonly string[]): Promise<Service> {
  const { port, close } = await startHost(command);
  return { send: (request) => sendOverWire(port, request), close };
}

/** Runs a module in workerd. */
async function openWorker(path: string): Promise<Service> {
  const { ports, close } = await startWorkers({ worker: path });
  const port = ports.get("worker")!;
  return { send: (request) => sendOverWire(port, request), close };
}

/** Takes the network that a test would have. */
async function openNetwork(path: string): Promise<Service> {
  const { replaceNetwork } = await import(path);
  replaceNetwork({ mock });
  const network = globalThis.fetch;
  mock.restoreAll();
  return {
    send: (request) => sendTo(network, request),
    close: () => Promise.resolve(),
  };
}

async function open(
  { file, command, runtime }: Example,
  setup: Setup,
): Promise<Service> {
  const folder = await copyExamples(setup);
  const path = join(folder, file);
  const { send, close } = command
    ? await openHost([...command, path])
    : runtime === "workerd"
    ? await openWorker(path)
    : await openNetwork(path);
  return {
    send: (
      { target = "/plants", ...rest }: CaseRequest,
    ): Promise<CaseResponse> => send({ ...rest, target: toBasePath(target) }),
    async close() {
      await close();
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
