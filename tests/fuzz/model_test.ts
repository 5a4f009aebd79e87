import { test } from "node:test";
import { assertEquals, assertRejects } from "@std/assert";
import { serve } from "../../src/server/serve.ts";
import { CASES, PLANTS } from "../contract/cases.ts";
import { openMemory, OPTIONS } from "../contract/setups.ts";
import { carryOut } from "./exchange.ts";
import {
  DOCUMENTS,
  etagOf,
  expect,
  type Expected,
  type Service,
} from "./model.ts";
import { LAST } from "./requests.ts";
import { SERVICE } from "./server.ts";

const documents = new Map(DOCUMENTS);
documents.delete("/");
documents.delete("/openapi.json");
const CONTRACT: Service = { ...SERVICE, documents, plants: PLANTS };

test("a wrong response is found", async (t) => {
  const server = await serve(openMemory(), { port: 0 });
  t.after(() => server.close());
  const [right] = expect(LAST, CONTRACT);
  const send = (wrong: Partial<Expected>) =>
    carryOut({ requests: [LAST] }, {
      port: Number(new URL(server.url).port),
      expect: () => [{ ...right!, ...wrong }],
    });
  await send({});
  for (const wrong of [{ status: 201 }, { headers: {} }, { content: "x" }]) {
    await assertRejects(() => send(wrong), Error, "expected [");
  }
});

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
