import { test } from "node:test";
import { assert } from "@std/assert";
import { CASES, PLANTS } from "../contract/cases.ts";
import { OPTIONS } from "../contract/setups.ts";
import { DOCUMENTS, etagOf, expect, type Service } from "./model.ts";
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
    const { content = "", withoutHost } = request;
    const { basePath = "", cors = "*", openapi } = OPTIONS[setup];
    const service = {
      ...CONTRACT,
      basePath,
      cors: cors as Service["cors"],
      documents: openapi ? DOCUMENTS : CONTRACT.documents,
    };
    const lines = [`${method} ${target} HTTP/1.1`];
    const hasHost = withoutHost || headers.some(([name]) => name === "Host");
    if (!hasHost) lines.push("Host: h");
    for (const [name, value] of headers) {
      lines.push(`${name}: ${value.replace("ETAG", etag)}`);
    }
    const [expected] = expect({ lines, body: content }, service);
    assert([status].flat().includes(expected!.status), id);
  }
});
