import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as v from "valibot";
import {
  ErrorSchema,
  PlantSchema,
  type PlantStore,
  StoreUnavailableError,
} from "../../mod.ts";
import { createFetchListener } from "../../src/http/handler.ts";
import { writeDocument } from "../../src/openapi/write.ts";
import { openFileStore } from "../../src/stores/files.ts";
import { CASES } from "../contract/cases.ts";
import { openInProcess } from "../contract/in_process.ts";
import { asksForPlants } from "../contract/setups.ts";
import { fillTag } from "../contract/suite.ts";

/** What the tests ask of the document. */
interface Document {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly security: unknown;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly headers: Readonly<
      Record<string, {
        readonly required?: boolean;
        readonly schema: { readonly examples: readonly unknown[] };
      }>
    >;
    readonly securitySchemes: unknown;
  };
}

interface Operation {
  readonly parameters: readonly { readonly schema: unknown }[];
  readonly responses: Readonly<Record<string, Answer>>;
  readonly security?: unknown;
}

interface Answer {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<
    Record<string, {
      readonly schema: unknown;
      readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
    }>
  >;
}

const document: Document = JSON.parse(writeDocument("http://127.0.0.1:8000"));
const { responses, parameters } = document.paths["/plants"]!["get"]!;

/** The valibot schemas that the bodies are described by. */
const PLANTS = v.array(PlantSchema);
const schemaOf = (status: string) => status === "200" ? PLANTS : ErrorSchema;

test("the document has the interface, whole and alone", () => {
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

test("the document leaves plants and errors open to further fields", () => {
  const strip = (schema: unknown) =>
    JSON.parse(
      JSON.stringify(schema, (key, value) =>
        key === "description" ? undefined : value),
    );
  assertEquals(strip(document.components.schemas), {
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

test("the document has the answers that the contract has for GET /plants", async () => {
  // Only servers limit the length of a target: tests/unit/node_limits_test.ts.
  const met = new Set(["414"]);
  for (const each of CASES) {
    const { setup = "open", method = "GET" } = each;
    if (!asksForPlants(each) || /^(?:HEAD|OPTIONS)$/.test(method)) continue;
    const service = openInProcess(setup);
    const response = await service.send(await fillTag(service, each));
    const status = `${response.status}`;
    const answer = responses[status];
    assert(answer, `${each.id}: ${status}`);
    met.add(status);

    const described = new Set(
      Object.keys(answer.headers).map((name) => name.toLowerCase()),
    );
    for (const [name] of response.headers) {
      if (/^content-(?:type|length)$/.test(name)) continue;
      assert(described.has(name), `${each.id}: ${name}`);
    }
    for (const name of Object.keys(answer.headers)) {
      if (!document.components.headers[name]?.required) continue;
      assert(response.headers.has(name), `${each.id}: ${name}`);
    }
    const { body } = response;
    const [type = null] = Object.keys(answer.content ?? {});
    assertEquals(response.headers.get("content-type"), type, each.id);
    if (type === null) assertEquals(body, "", each.id);
    else assert(v.is(schemaOf(status), JSON.parse(body)), each.id);
  }
  assertEquals([...met].sort(), Object.keys(responses));
});

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

interface ExampleRequest {
  readonly method?: string;
  readonly query?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the store throws. */
  readonly failure?: Error;
}

test("the document has the responses to requests as examples", async () => {
  const files = await openFileStore({
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
