import { createHash } from "node:crypto";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as v from "valibot";
import {
  createHandler,
  createMemoryStore,
  ErrorSchema,
  PlantSchema,
  type PlantStore,
  StoreUnavailableError,
} from "../../mod.ts";
import { createFetchListener } from "../../src/http/handler.ts";
import { openapi } from "../../src/openapi/openapi.ts";
import { writeDocument } from "../../src/openapi/write.ts";
import { openFileStore } from "../../src/stores/files.ts";
import { CASES } from "../contract/cases.ts";
import { openInProcess } from "../contract/in_process.ts";
import { asksForPlants } from "../contract/setups.ts";
import { fillTag } from "../contract/suite.ts";

const store = createMemoryStore({ plants: [], users: {} });
const handler = createHandler(store, { openapi });

/** The parts of the document that the tests use. */
interface Document {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly security: unknown;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly headers: Readonly<Record<string, Header>>;
  };
}

interface Operation {
  readonly parameters: readonly { readonly schema: unknown }[];
  readonly responses: Readonly<Record<string, Described>>;
}

/** A described response. */
interface Described {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<
    Record<string, {
      readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
    }>
  >;
}

interface Header {
  readonly required?: boolean;
  readonly schema: { readonly examples: readonly unknown[] };
}

const document: Document = JSON.parse(writeDocument("http://127.0.0.1:8000"));
const { responses, parameters } = document.paths["/plants"]!["get"]!;

const PLANTS = v.array(PlantSchema);

test("the document describes the operation", () => {
  assertEquals(document.openapi, "3.1.0");
  assertEquals(document.info["title"], "OpenAPI Plant Store");
  assertEquals(document.info["version"], "1.0.0");
  assertEquals(document.info["license"], { name: "MIT", identifier: "MIT" });
  assertEquals(document.security, [{ bearerAuth: [] }]);
  assertEquals(Object.keys(document.paths), ["/plants"]);
  assertEquals(Object.keys(document.paths["/plants"]!), ["get"]);
  assertEquals(parameters.map(({ schema }) => schema), [
    { type: "integer", format: "int32", minimum: 0, maximum: 2147483647 },
  ]);
  assertEquals(
    Object.keys(responses),
    ["200", "304", "400", "401", "405", "414", "503"],
  );
});

test("the schemas of plants and errors allow additional properties", () => {
  const text = JSON.stringify(
    document.components.schemas,
    (key, value) => key === "description" ? undefined : value,
  );
  assertEquals(JSON.parse(text), {
    Plant: {
      type: "object",
      properties: { name: { type: "string" }, tag: { type: "string" } },
      required: ["name"],
    },
    Error: {
      type: "object",
      properties: {
        error: { type: "integer", format: "int32" },
        message: { type: "string" },
      },
      required: ["error", "message"],
    },
  });
});

test("the document describes the responses of the contract", async () => {
  // Only servers limit the length of a target: see node_limits_test.ts.
  const statuses = new Set(["414"]);
  for (const each of CASES) {
    const { id, setup = "open", method = "GET" } = each;
    if (!asksForPlants(each) || /^(?:HEAD|OPTIONS)$/.test(method)) continue;
    const service = openInProcess(setup);
    const response = await service.send(await fillTag(service, each));
    const status = `${response.status}`;
    const described = responses[status];
    assert(described, `${id}: ${status}`);
    statuses.add(status);

    const names = Object.keys(described.headers);
    const known = new Set(names.map((name) => name.toLowerCase()));
    for (const [name] of response.headers) {
      if (/^content-(?:type|length)$/.test(name)) continue;
      assert(known.has(name), `${id}: ${name}`);
    }
    for (const name of names) {
      if (!document.components.headers[name]?.required) continue;
      assert(response.headers.has(name), `${id}: ${name}`);
    }
    const { body } = response;
    const [type = null] = Object.keys(described.content ?? {});
    assertEquals(response.headers.get("content-type"), type, id);
    const schema = status === "200" ? PLANTS : ErrorSchema;
    if (type === null) assertEquals(body, "", id);
    else assert(v.is(schema, JSON.parse(body)), id);
  }
  assertEquals([...statuses].sort(), Object.keys(responses));
});

interface ExampleRequest {
  readonly method?: string;
  readonly query?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The error that the store throws. */
  readonly failure?: Error;
}

/** The requests whose responses are the examples, by status and name. */
const EXAMPLES: Readonly<Record<string, ExampleRequest>> = {
  "200 florist": { query: "?limit=3", token: "demo-florist" },
  "200 visitor": { token: "demo-visitor" },
  "400 limit": { query: "?limit=many", token: "demo-florist" },
  "400 repeated": { query: "?limit=1&limit=2", token: "demo-florist" },
  "400 host": { headers: { host: "a/b" } },
  "400 unexpected": { token: "demo-florist", failure: new Error("failed") },
  "401 missing": {},
  "401 invalid": { token: "demo-expired" },
  "405 post": { method: "POST" },
  "414 target": { query: `?${"x".repeat(8_192)}` },
  "503 unavailable": {
    token: "demo-florist",
    failure: new StoreUnavailableError("unavailable"),
  },
};

test("the examples of the document are responses to requests", async () => {
  await using files = await openFileStore({
    plants: "data/plants.json",
    tokens: "data/tokens.json",
    watch: false,
  });
  const names: string[] = [];
  for (const [status, { headers, content = {} }] of Object.entries(responses)) {
    const examples = content["application/json"]?.examples ?? {};
    for (const [name, { value }] of Object.entries(examples)) {
      names.push(`${status} ${name}`);
      const request = EXAMPLES[`${status} ${name}`]!;
      const { failure, method = "GET", query = "", token } = request;
      const store: PlantStore = failure
        ? { authenticate: () => Promise.reject(failure) }
        : files;
      for (const cors of ["*", "https://app.example", "off"]) {
        const options = { cors, urlLength: 8_192, onError() {} };
        const response = await createFetchListener(store, options)(
          new Request(`http://localhost/plants${query}`, {
            method,
            headers: {
              origin: "https://app.example",
              ...token !== undefined && { authorization: `Bearer ${token}` },
              ...request.headers,
            },
          }),
        );
        assertEquals(response.status, Number(status), name);
        assertEquals(await response.json(), value, name);
        for (const header of Object.keys(headers)) {
          const found = response.headers.get(header);
          if (found === null) continue;
          const { examples } = document.components.headers[header]!.schema;
          assert(examples.map(String).includes(found), `${header}: ${found}`);
        }
      }
    }
  }
  assertEquals(names.sort(), Object.keys(EXAMPLES).sort());
});

for (const [baseUrl, url] of [["", "/"], ["/api", "/api"]] as const) {
  test(`openapi() uses the relative server ${url} without an origin`, async () => {
    const { body } = await openapi({ baseUrl, store, hasOpenapi: true });
    const text = new TextDecoder().decode(body as Uint8Array);
    assertEquals(JSON.parse(text).servers, [{ url }]);
  });
}

test("openapi() returns an ETag for the exact body", async () => {
  const etags = new Set<string>();
  for (const url of ["http://a/openapi.json", "http://b/openapi.json"]) {
    const response = await handler(url);
    const body = await response.text();
    const digest = createHash("sha256").update(body).digest("hex");
    const etag = `"${digest.slice(0, 32)}"`;
    assertEquals(response.headers.get("etag"), etag);
    etags.add(etag);

    const headers = { "if-none-match": etag };
    const again = await handler(url, { headers });
    assertEquals([again.status, await again.text()], [304, ""]);
  }
  assertEquals(etags.size, 2);
});
