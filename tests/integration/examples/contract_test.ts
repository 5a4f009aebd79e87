import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { mock, test } from "node:test";
import { assertEquals } from "@std/assert";
import { type CaseRequest, CASES } from "../../contract/all_cases.ts";
import { openHandler } from "../../contract/in_process.ts";
import { type Service, testContract } from "../../contract/suite.ts";
import { createSender } from "../../contract/wire.ts";
import { startWorker } from "../runtimes/workerd.ts";
import { list } from "../../../tools/send.ts";
import { type Host, HOSTS, startHost } from "./hosts.ts";

// Runs the contract in unchanged examples with the store of the contract, and
// each example unchanged with its own store.

/**
 * The cases of handlers without options, which have no limit for targets. What the
 * service does with a token, a limit, or an ETag that it has received is the same in each
 * host, so that of these groups, only the cases of headers and connections run.
 */
const cases = CASES.filter(({ id, setup }) =>
  setup === undefined && !/^size\.(?:target|before-path)$/.test(id) &&
  !/^(?:access|limit|conditional|credentials)\.(?!concurrent|two|same|twice|empty-first)/
    .test(id)
);

/** Puts a request under the base path of the examples, after an origin or `/..`. */
function toBasePath({ target, ...request }: CaseRequest): CaseRequest {
  const start = /^(?:https?:\/\/[^/]*|\/\.\.)?(?=\/|$)/;
  return { ...request, target: target.replace(start, "$&/api") };
}

/** Copies the examples to a folder and replaces their stores. */
async function copyExamples(folder: string): Promise<void> {
  await cp("examples", folder, { recursive: true }); // node_modules is a link
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  // Contains the paths of the sources.
  const config = { extends: resolve("tsconfig.json") };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const setups = resolve("tests/contract/setups.ts");
  const source = `import { openMemory } from "${setups}";\n`;
  const store = `${source}export const store = openMemory();\n`;
  await writeFile(join(folder, "store.ts"), store);
  for (const file of ["cloudflare_worker.ts", "service_worker/api.ts"]) {
    const path = join(folder, file);
    const code = await readFile(path, "utf8");
    const [start, end, ...others] = code.split("createDemoStore()");
    assertEquals([end === undefined, others], [false, []], file);
    await writeFile(path, `${source}${start}openMemory()${end}`);
  }
}

/** Opens an example at a path. */
async function openExample(
  { command, runtime }: Host,
  path: string,
): Promise<Service> {
  if (command || runtime === "workerd") {
    const { port, close } = command
      ? await startHost([...command, path])
      : await startWorker(path);
    return { send: createSender(port), close };
  }
  const { replaceNetwork } = await import(path);
  replaceNetwork({ mock });
  const network = globalThis.fetch;
  mock.restoreAll();
  return openHandler(network);
}

async function open(host: Host): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), "plant-store-"));
  await copyExamples(folder);
  const service = await openExample(host, join(folder, host.file));
  return {
    ...service,
    send: (request) => service.send(toBasePath(request)),
    async close() {
      await service.close();
      await rm(folder, { recursive: true });
    },
  };
}

for (const host of HOSTS) {
  const { file, runtime, command } = host;
  testContract(file, () => open(host), { cases, runtime });

  if (command === undefined) continue;
  test(`the command in examples/README.md starts ${file}`, async (t) => {
    const { port, close } = await startHost([...command, `examples/${file}`]);
    t.after(close);
    const url = `http://127.0.0.1:${port}`;
    const hello = await fetch(`${url}/hello`);
    assertEquals(await hello.text(), "Hello from the shop\n");
    const plants = await list(`${url}/api/`, "demo-florist");
    assertEquals(await plants.json(), [{ name: "Rosa canina", tag: "flower" }]);
  });
}

test("examples/README.md lists a host for each runtime", () => {
  const runtimes = HOSTS.map(({ runtime }) => runtime.split("@")[0]!);
  const expected = ["bun", "deno", "node", "workerd"];
  assertEquals([...new Set(runtimes)].sort(), expected);
  assertEquals(HOSTS.length, 8);
});
