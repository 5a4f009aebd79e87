import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { ErrorSchema, PlantSchema } from "../mod.ts";
import { MAX_LIMIT } from "../src/http/limit.ts";
import { openFileStore } from "../src/stores/files.ts";
import { describe } from "./describe.ts";
import { type Answer, ANSWERS, HEADERS } from "./openapi_answers.ts";
import {
  askExample,
  BASE_URL,
  type Example,
  fieldsOf,
} from "./openapi_examples.ts";

// The OpenAPI document: its schemas come from the valibot schemas, its header
// fields and examples from what the service answers over the sample data.

const DESCRIPTION =
  `A small plant store to demonstrate and teach HTTP APIs with. Its one operation lists the plants that the calling user may see.

Every request carries a bearer token. With the sample data, \`demo-curator\` sees every plant, \`demo-florist\` flowers, orchids and one vine, \`demo-visitor\` nothing, and \`demo-expired\` is refused.

Every failure has a body of the same shape: \`error\` tells failures apart, \`message\` says what to do.

\`HEAD\` is answered as \`GET\`, without the body, and \`OPTIONS\` with the methods that are allowed. Beside the interface, without credentials, \`/healthz\` tells whether the process answers and \`/readyz\` whether plants can be listed. A server may refuse by itself what is not well-formed, too large or too slow to become a request (400, 408, 417, 431).`;

const OPERATION =
  `Returns all plants from the system that the user has access to, in the order of the catalogue. A user who may see nothing gets an empty array.

What is wrong with a request is judged in this order: the \`Host\`, the path, the method, the credentials, \`limit\`. Other query parameters are ignored.`;

/** Creates the OpenAPI document. */
export async function createDocument(): Promise<unknown> {
  const store = await openFileStore({
    plants: "data/plants.json",
    tokens: "data/tokens.json",
    watch: false,
  });
  const answers = await Promise.all(
    Object.entries(ANSWERS).map(async ([status, answer]) => ({
      status,
      answer,
      examples: await Promise.all(
        Object.entries(answer.requests).map(([name, request]) =>
          askExample(store, Number(status), name, request)
        ),
      ),
    })),
  );
  await store.close();

  return {
    openapi: "3.1.0",
    info: {
      title: "OpenAPI Plant Store",
      summary: "Lists the plants that the calling user may see",
      description: DESCRIPTION,
      contact: { name: "Plant store" },
      license: { name: "MIT", identifier: "MIT" },
      version: "1.0.0",
    },
    servers: [{ url: BASE_URL }],
    security: [{ bearerAuth: [] }],
    tags: [{ name: "plants", description: "The catalogue of the store" }],
    paths: {
      "/plants": {
        get: {
          operationId: "listPlants",
          tags: ["plants"],
          summary: "List plants",
          description: OPERATION,
          parameters: [{
            name: "limit",
            in: "query",
            description:
              "The maximum number of results to return; all without it. It is written in digits without leading zeros, and stands once.",
            schema: {
              type: "integer",
              format: "int32",
              minimum: 0,
              maximum: MAX_LIMIT,
            },
            example: 3,
          }],
          responses: Object.fromEntries(
            answers.map(({ status, answer, examples }) => [
              status,
              createResponse(answer, examples),
            ]),
          ),
        },
      },
    },
    components: {
      schemas: {
        Plant: createSchema("A plant of the catalogue", PlantSchema, {
          name: "The name of the plant",
          tag:
            "Tag that specifies the type of the plant; left out where it has none",
        }),
        Error: createSchema("What went wrong", ErrorSchema, {
          error:
            "Numeric error indicator: the status, or 500 where the plants could not be listed",
          message: "Error message text: what to do about it",
        }),
      },
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, description]) => [
          name,
          createHeader(
            name,
            description,
            answers.map(({ examples }) => examples),
          ),
        ]),
      ),
      securitySchemes: {
        bearerAuth: {
          type: "http",
          scheme: "bearer",
          description: "`Authorization: Bearer <ACCESS_TOKEN>`",
        },
      },
    },
  };
}

function createResponse(
  { description, schema }: Answer,
  examples: readonly Example[],
): unknown {
  const fields = Object.keys(HEADERS)
    .filter((name) => fieldsOf(examples).some((fields) => fields.has(name)))
    .map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  const values = examples.map(({ name, summary, body }) => [
    name,
    { summary, value: body === "" ? undefined : JSON.parse(body) },
  ]);
  return {
    description,
    headers: Object.fromEntries(fields),
    ...schema !== undefined && {
      content: {
        "application/json": { schema, examples: Object.fromEntries(values) },
      },
    },
  };
}

function createHeader(
  name: string,
  description: string,
  answers: readonly (readonly Example[])[],
): unknown {
  const having = answers.map(fieldsOf)
    .filter((all) => all.some((fields) => fields.has(name)));
  const isRequired = having.flat().every((fields) => fields.has(name));
  const values = new Set(
    having.flat().map((fields) => fields.get(name)).filter((value) =>
      value !== null
    ),
  );
  const isNumber = name === "Retry-After";
  return {
    description,
    ...isRequired && { required: true },
    schema: {
      type: isNumber ? "integer" : "string",
      examples: isNumber ? Array.from(values, Number) : [...values],
    },
  };
}

/** The JSON Schema of what goes over the wire; the bounds of int32 are a format, as in the interface. */
function createSchema(
  description: string,
  schema: v.GenericSchema<unknown>,
  properties: Readonly<Record<string, string>>,
): unknown {
  const { $schema: _, ...converted } = toJsonSchema(schema as v.GenericSchema, {
    target: "draft-2020-12",
    overrideAction({ jsonSchema: { minimum, maximum, ...rest } }) {
      if (minimum !== -(2 ** 31) || maximum !== 2 ** 31 - 1) return undefined;
      return { ...rest, format: "int32" };
    },
  });
  return { description, ...describe(converted, properties) as object };
}
