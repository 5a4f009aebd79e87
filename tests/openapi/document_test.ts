import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as v from "valibot";
import { createHandler, ErrorSchema, PlantSchema } from "../../mod.ts";
import { openFileStore } from "../../src/stores/files.ts";
import { writeDocument } from "../../src/openapi/write.ts";
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
    readonly headers: Readonly<Record<string, { readonly required?: boolean }>>;
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
  // Only servers limit the length of a target: tests/node/limits_test.ts.
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

test("the document has examples that the sample data answers with", async () => {
  for (const [status, { content = {} }] of Object.entries(responses)) {
    for (const { examples } of Object.values(content)) {
      for (const [name, { value }] of Object.entries(examples)) {
        assert(v.is(schemaOf(status), value), `${status} ${name}`);
      }
    }
  }
  const store = await openFileStore({
    plants: "data/plants.json",
    tokens: "data/tokens.json",
    watch: false,
  });
  const examples = responses["200"]!.content!["application/json"]!.examples;
  assertEquals(Object.keys(examples), ["florist", "visitor"]);
  for (const [name, { value }] of Object.entries(examples)) {
    const response = await createHandler(store)(
      new Request("http://localhost/plants?limit=3", {
        headers: { authorization: `Bearer demo-${name}` },
      }),
    );
    assertEquals(await response.json(), value);
  }
});
