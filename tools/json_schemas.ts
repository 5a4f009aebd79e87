import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { PlantsFileSchema } from "../mod.ts";
import { UserSchema } from "../src/stores/files.ts";
import { describe } from "./describe.ts";

/** The descriptions that editors show, by property. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  name: "The name of the plant",
  tag: "The kind of plant, such as fern",
  plants:
    'The plants that the user can see: "all", or those with one of these tags or names; {} allows none',
  tags: "The user can see plants with one of these tags",
  names: "The user can see plants with one of these names",
  tokens: "The tokens of the user; the file contains only their digests",
  sha256: "The SHA-256 of the token, in lowercase hexadecimal digits",
  created:
    "When the token was created: a date, or a date and time with an offset",
  expires:
    "When the token expires: a date (midnight UTC), or a date and time with an offset",
};

function convert(schema: v.GenericSchema): JsonSchema {
  return toJsonSchema(schema, {
    typeMode: "output", // the last schema of a pipe is complete
    target: "draft-07",
    errorMode: "ignore", // ignores checks that only code can make
    // A check after it rejects other properties.
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      valibotSchema.type === "loose_object"
        ? { ...jsonSchema, additionalProperties: false }
        : undefined,
  });
}

/** Creates the JSON Schema of the plants file, for editors. */
export function createPlantsSchema(): unknown {
  return describe({
    ...convert(PlantsFileSchema as v.GenericSchema),
    title: "The plants of a plant store",
  }, DESCRIPTIONS);
}

/** Creates the JSON Schema of the tokens file, for editors. */
export function createTokensSchema(): unknown {
  const { $schema, ...user } = convert(UserSchema);
  return describe({
    $schema,
    title: "The users of a plant store",
    type: "object",
    properties: { $schema: { type: "string" } },
    propertyNames: {
      minLength: 1,
      pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
    },
    additionalProperties: user,
  }, DESCRIPTIONS);
}
