import { ServerResponse } from "node:http";
import { test, type TestContext } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import type { PlantStore } from "../../mod.ts";
import { serve } from "../../src/server/serve.ts";
import { CASES, PLANTS } from "../contract/cases.ts";
import { openMemory, OPTIONS } from "../contract/setups.ts";
import { carryOut } from "./exchange.ts";
import {
  DOCUMENTS,
  etagOf,
  expect,
  type Service,
  type WireRequest,
} from "./model.ts";
import { casesFor } from "./requests.ts";
import { SERVICE } from "./server.ts";

const documents = new Map(DOCUMENTS);
documents.delete("/");
documents.delete("/openapi.json");
const CONTRACT: Service = { ...SERVICE, documents, plants: PLANTS };

test("the model agrees with the contract", () => {
  const etag = etagOf(Buffer.from(JSON.stringify(PLANTS)).toString("latin1"));
  for (const { id, setup = "open", status, ...request } of CASES) {
    if (setup === "broken" || setup === "unavailable") continue;
    const { method = "GET", target = "/plants", headers = [] } = request;
    const { basePath = "", cors = "*", openapi } = OPTIONS[setup];
    const service = {
      ...CONTRACT,
      basePath,
      cors: cors as Service["cors"],
      documents: openapi ? DOCUMENTS : CONTRACT.documents,
    };
    const lines = [`${method} ${target} HTTP/1.1`];
    if (!headers.some(([name]) => name === "Host")) lines.push("Host: h");
    for (const [name, value] of headers) {
      lines.push(`${name}: ${value.replace("ETAG", etag)}`);
    }
    assertEquals(expect({ lines, body: "" }, service)[0]?.status, status, id);
  }
});

/** Sends generated requests to a server with this store, and returns the first failure. */
async function fuzz(
  t: TestContext,
  store: PlantStore = openMemory(),
): Promise<unknown> {
  const server = await serve(store, { port: 0 });
  t.after(() => server.close());
  const target = {
    port: Number(new URL(server.url).port),
    expect: (request: WireRequest) => expect(request, CONTRACT),
  };
  const property = fc.asyncProperty(
    casesFor([CONTRACT]),
    async ({ exchanges }) => {
      for (const exchange of exchanges) await carryOut(exchange, target);
    },
  );
  const options = { seed: 1, numRuns: 6, endOnFailure: true };
  return (await fc.check(property, options)).errorInstance;
}

let count = 0;

/** Defects: each changes the headers and returns the status. */
const DEFECTS: Readonly<
  Record<string, (status: number, headers: string[]) => number>
> = {
  "a wrong status": (status) => status === 401 ? 403 : status,
  "a missing header": (status, headers) => {
    const at = headers.indexOf("Vary");
    if (at !== -1) headers.splice(at, 2);
    return status;
  },
  "a response that depends on previous requests": (status) =>
    status === 404 && count++ > 10 ? 200 : status,
};
for (const [name, change] of Object.entries(DEFECTS)) {
  test(`${name} is found`, async (t) => {
    const { writeHead } = ServerResponse.prototype;
    t.mock.method(ServerResponse.prototype, "writeHead", function (
      this: ServerResponse,
      status: number,
      headers: readonly string[],
    ) {
      const copy = [...headers];
      return writeHead.call(this, change(status, copy), copy);
    });
    assertMatch(`${await fuzz(t)}`, /expected \[/);
  });
}

test("a correct server passes", async (t) => {
  assertEquals(await fuzz(t), null);
});

test("a wrong number of plants is found", async (t) => {
  const store = openMemory();
  const failure = await fuzz(t, {
    async authenticate(token) {
      const viewer = await store.authenticate(token);
      return viewer && { ...viewer, list: (limit) => viewer.list(limit && 1) };
    },
  });
  assertMatch(`${failure}`, /expected \[200,/);
});
