import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import {
  type Behavior,
  type PlantStore,
  StoreUnavailableError,
  withBehavior,
} from "../../../mod.ts";
import { createFetchAdapter } from "../../../src/core/fetch_adapter.ts";
import { createService } from "../../../src/core/http/service.ts";
import { openapi } from "../../../src/openapi/openapi.ts";
import { writeDocument } from "../../../src/openapi/write.ts";
import { openFileStore } from "../../../src/stores/files.ts";
import { store } from "../../support/server.ts";

type Json = ReturnType<typeof JSON.parse>;
const document: Json = JSON.parse(writeDocument("http://127.0.0.1:8000"));
const { get, ...others } = document.paths["/plants"];
const { responses, parameters } = get;

test("the document describes one operation, and plants and errors with any properties", () => {
  assertEquals([Object.keys(document.paths), others], [["/plants"], {}]);
  assertEquals(document.info.summary, undefined); // invalid in OpenAPI 3.0
  assertEquals(parameters.map(({ schema }: Json) => schema), [
    { type: "integer", format: "int32", minimum: 0, maximum: 2147483647 },
    { type: "string" },
  ]);
  const schemas = JSON.stringify(
    document.components.schemas,
    (key, value) => key === "description" ? undefined : value,
  );
  const text = { type: "string", minLength: 1 };
  assertEquals(JSON.parse(schemas), {
    Plant: {
      type: "object",
      properties: {
        name: { ...text, examples: ["Monstera deliciosa"] },
        tag: { ...text, examples: ["vine"] },
      },
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

interface ExampleRequest {
  readonly query?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The error that the store throws. */
  readonly failure?: Error;
  /** The behavior of all users who have none. */
  readonly behavior?: Behavior;
}

/** The requests whose responses are the examples, by status and name. */
const EXAMPLES: Readonly<Record<string, ExampleRequest>> = {
  "200 florist": { query: "?limit=3", token: "demo-florist" },
  "200 visitor": { token: "demo-visitor" },
  "304": { token: "demo-visitor", headers: { "if-none-match": "*" } },
  "400 limit": { query: "?limit=many", token: "demo-florist" },
  "400 repeated": { query: "?limit=1&limit=2", token: "demo-florist" },
  "400 host": { headers: { host: "a/b" } },
  "400 unexpected": { token: "demo-florist", failure: new Error("failed") },
  "401 missing": {},
  "401 invalid": { token: "demo-expired" },
  "429 simulated": { token: "demo-limited" },
  "500 simulated": {
    token: "demo-florist",
    behavior: { fail: "100%", status: 500 },
  },
  "503 unavailable": {
    token: "demo-florist",
    failure: new StoreUnavailableError("unavailable"),
  },
};

/** The headers that are not described, because browser tools don't show them. */
const COMMON =
  /^(?:access-control-.*|content-(?:type|length)|vary|x-content-type-options)$/;

/** The values of the examples in the document, by status and name. */
const described = new Map<string, unknown>();
for (const [status, { content }] of Object.entries<Json>(responses)) {
  const examples = content?.["application/json"].examples;
  if (!examples) described.set(status, undefined);
  for (const [name, { value }] of Object.entries<Json>(examples ?? {})) {
    described.set(`${status} ${name}`, value);
  }
}

test("the document has an example of each response", () => {
  assertEquals([...described.keys()].sort(), Object.keys(EXAMPLES).sort());
});

for (const [name, value] of described) {
  test(`the example ${name} of the document is a response`, async () => {
    await using files = await openFileStore({
      plants: "data/plants.json",
      tokens: "data/tokens.json",
      watch: false,
    });
    const { failure, behavior, query = "", token, ...rest } = EXAMPLES[name]!;
    const store: PlantStore = failure
      ? { authenticate: () => Promise.reject(failure) }
      : withBehavior(files, {}, behavior);
    const headers = new Headers(rest.headers);
    headers.set("origin", "https://app.example");
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    const init = { ...rest, headers };
    for (const cors of ["*", "https://app.example", "off"]) {
      const options = { cors, onError() {} };
      const request = new Request(`http://localhost/plants${query}`, init);
      const response = await createFetchAdapter(createService(store, options))(
        request,
      );
      const status = name.slice(0, 3);
      assertEquals(`${response.status}`, status);
      const text = await response.text();
      assertEquals(text === "" ? undefined : JSON.parse(text), value);

      const described = Object.entries<Json>(responses[status].headers);
      for (const [header, { schema }] of described) {
        const value = response.headers.get(header);
        assert(schema.examples.map(String).includes(`${value}`), header);
        response.headers.delete(header);
      }
      const others = [...response.headers.keys()];
      assertEquals(others.filter((header) => !COMMON.test(header)), []);
    }
  });
}

async function getDocument(store: PlantStore, baseUrl = ""): Promise<Json> {
  const { text } = await openapi({ baseUrl, store, hasOpenapi: true });
  return JSON.parse(text);
}

test("openapi() uses a relative server without an origin", async () => {
  for (const [baseUrl, url] of [["", "/"], ["/api", "/api"]] as const) {
    const { servers } = await getDocument(store, baseUrl);
    assertEquals(servers, [{ url }]);
  }
});
