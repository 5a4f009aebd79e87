import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { PlantsFileSchema } from "../src/core/domain/plant.ts";
import { UserSchema } from "../src/core/domain/user.ts";

/** The descriptions that editors show, by property. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  $schema: "The JSON Schema that editors use for this file",
  name: "The name of the plant",
  tag: "The kind of plant, such as fern",
  plants:
    'The plants that the user can see: "all", or those with any of these tags or names; {} allows none',
  tags: "The user can see plants with any of these tags",
  names: "The user can see plants with any of these names",
  tokens: "The user's tokens, or their digests",
  behavior: "Delays and simulated failures of the user's lists",
  delay: 'How long each list takes: milliseconds, or a range such as "200-800"',
  fail:
    'Which lists fail: a pattern for each token, such as "2/3", or a rate, such as "20%"',
  status: "The status of lists that fail: 429, 500, or 503 (default)",
  token: "The token",
  sha256: "The SHA-256 digest of the token, in lowercase hexadecimal",
  expires:
    "When the token expires: a date (midnight UTC), or a date and time with an offset",
};

/** What JSON Schema can express of the check for a token that is an object. */
const EITHER = { oneOf: [{ required: ["token"] }, { required: ["sha256"] }] };

/** Adds the descriptions to the properties in a JSON Schema. */
function describe(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(describe);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key !== "properties") return [key, describe(value)];
      const properties = Object.entries(value as object).map(([name, each]) => {
        const description = DESCRIPTIONS[name];
        if (!description) throw new Error(`${name} needs a description here`);
        return [name, { description, ...describe(each) as object }];
      });
      return [key, Object.fromEntries(properties)];
    }),
  );
}

function convert(schema: v.GenericSchema): JsonSchema {
  return toJsonSchema(schema, {
    typeMode: "output", // only the last schema in a pipe is complete
    target: "draft-07",
    errorMode: "ignore", // ignores checks that JSON Schema cannot express
  });
}

/** Creates the JSON Schema that editors use for the plants file. */
export function createPlantsSchema(): unknown {
  return describe({
    ...convert(PlantsFileSchema as v.GenericSchema),
    title: "The plants in a plant store",
  });
}

/** Creates the JSON Schema that editors use for the tokens file. */
export function createTokensSchema(): unknown {
  const { $schema, ...user } = convert(UserSchema);
  const { tokens } = Object(user.properties);
  Object.assign(tokens.items.anyOf[1], EITHER);
  return describe({
    $schema,
    title: "The users in a plant store",
    type: "object",
    properties: { $schema: { type: "string" } },
    propertyNames: {
      minLength: 1,
      pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
    },
    additionalProperties: user,
  });
}
