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
    'What the user may see: "all", or the plants with one of these tags or names; {} is nothing',
  tags: "Plants with one of these tags are seen",
  names: "Plants with one of these names are seen",
  tokens:
    "The tokens of the user, by their digests: the file never holds a token",
  sha256: "The SHA-256 of the token, in lower-case hexadecimal digits",
  created:
    "When the token was made: a date, or a date and time with its offset",
  expires:
    "From when on the token is refused: a date (midnight UTC), or a date and time with its offset",
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
