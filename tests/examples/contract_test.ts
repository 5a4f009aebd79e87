import { spawn } from "node:child_process";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { mock } from "node:test";
import { watch } from "../cli/command.ts";
import type { CaseRequest, CaseResponse, Setup } from "../contract/cases.ts";
import { sendTo } from "../contract/in_process.ts";
import { type Service, testContract } from "../contract/suite.ts";
import { sendOverWire } from "../contract/wire.ts";
import { startWorkers } from "../runtimes/workerd.ts";
import { type Example, EXAMPLES, HOST_CASES, toBasePath } from "./examples.ts";

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
  await writeFile(
    join(folder, "store.ts"),
    `import { openStore } from "${resolve("tests/contract/setups.ts")}";
export const store = openStore("${setup}");
`,
  );
  return folder;
}

/** A port that is free. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a host on its runtime. */
async function startHost(
  [program, ...args]: readonly string[],
  path: string,
): Promise<Service> {
  const port = await findPort();
  const child = spawn(program!, [...args, path], {
    detached: true,
    env: { ...process.env, NO_COLOR: "1", PORT: `${port}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { until, ended } = watch(child);
  await until("stdout", /^Plants at .*\n/m);
  return {
    send: (request) => sendOverWire(port, request),
    async close() {
      // The runtime may be a child of the process that was started.
      process.kill(-child.pid!, "SIGKILL");
      await ended;
    },
  };
}

async function startWorker(path: string): Promise<Service> {
  const { ports, close } = await startWorkers({ worker: path });
  return {
    send: (request) => sendOverWire(ports.get("worker")!, request),
    close,
  };
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
    ? await startHost(command, path)
    : runtime === "workerd"
    ? await startWorker(path)
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
