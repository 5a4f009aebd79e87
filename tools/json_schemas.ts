import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { PlantsFileSchema } from "../mod.ts";
import { UserSchema } from "../src/stores/files.ts";

// Writes the JSON Schemas of the two files from their valibot schemas, for
// editors; with --check, says whether they are in step.

/** What an editor shows where the cursor is, by the key. */
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
    typeMode: "output", // the last of the schemas in a pipe says it all
    target: "draft-07",
    errorMode: "ignore", // what only code can check
    // A check behind it refuses other keys.
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      valibotSchema.type === "loose_object"
        ? { ...jsonSchema, additionalProperties: false }
        : undefined,
  });
}

function describe(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(describe);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key !== "properties") return [key, describe(value)];
      const properties = Object.entries(value as object).map(([name, each]) => [
        name,
        { description: DESCRIPTIONS[name], ...describe(each) as object },
      ]);
      return [key, Object.fromEntries(properties)];
    }),
  );
}

const { $schema, ...user } = convert(UserSchema);
const SCHEMAS = new Map<string, object>([
  ["data/plants.schema.json", {
    ...convert(PlantsFileSchema as v.GenericSchema),
    title: "The plants of a plant store",
  }],
  ["data/tokens.schema.json", {
    $schema,
    title: "The users of a plant store",
    type: "object",
    properties: { $schema: { type: "string" } },
    propertyNames: {
      minLength: 1,
      pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
    },
    additionalProperties: user,
  }],
]);

for (const [path, schema] of SCHEMAS) {
  const text = `${JSON.stringify(describe(schema), null, 2)}\n`;
  if (!process.argv.includes("--check")) {
    await writeFile(path, text);
  } else if (await readFile(path, "utf8") !== text) {
    console.error(`${path} is out of step: npm run generate`);
    process.exitCode = 1;
  }
}
