import process from "node:process";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import * as v from "valibot";
import {
  type EncodedPlants,
  encodePlants,
} from "../../src/domain/encoded_plants.ts";
import { type Plant, PlantsFileSchema } from "../../src/domain/plant.ts";
import { runSteps } from "../../src/domain/steps.ts";
import { StoreFileError } from "../../src/stores/file_error.ts";
import { parseJson } from "../../src/stores/json.ts";
import { scanPlants } from "../../src/stores/scan.ts";
import { anyText, nameText } from "../support/text.ts";

/** The number of files to try; `RUNS=100000 npm test scan` tries more. */
const RUNS = Number(process.env["RUNS"] ?? 3_000);

/** Defines the result: encodes a file with JSON.parse and the schema. */
function define(bytes: Uint8Array): EncodedPlants | undefined {
  try {
    const { value } = parseJson("a.json", bytes);
    const result = v.safeParse(PlantsFileSchema, value);
    return result.success ? encodePlants(result.output) : undefined;
  } catch (error) {
    if (error instanceof StoreFileError) return undefined;
    throw error;
  }
}

/** Returns the plants with their tags, for comparison. */
function unfold({ size, bytes, starts, tagIds, tags }: EncodedPlants) {
  return {
    size,
    text: new TextDecoder().decode(bytes),
    starts: [...starts],
    tags: Array.from(tagIds, (id) => id === 0 ? undefined : tags[id - 1]),
    all: [...tags],
  };
}

const space = fc.constantFrom("", "", "", " ", "\n", "\t", "\r\n  ");

/** A JSON string, sometimes with unnecessary escapes. */
const toJson = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.constantFrom("none", "all", "slash")).map(
    ([value, how]) => {
      const json = JSON.stringify(value);
      if (how === "slash") return json.replaceAll("/", "\\/");
      if (how === "none") return json;
      const units = Array.from(
        { length: value.length },
        (_, at) => `\\u${value.charCodeAt(at).toString(16).padStart(4, "0")}`,
      );
      return `"${units.join("")}"`;
    },
  );
const text = toJson(fc.oneof({ weight: 2, arbitrary: nameText }, anyText));
const key = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('"name"', '"tag"') },
  fc.tuple(anyText, fc.constantFrom("name", "tag"))
    .map((parts) => JSON.stringify(parts.join(""))),
  toJson(anyText),
);
const value = fc.oneof(
  { weight: 9, arbitrary: text },
  fc.constantFrom("1", "null", "{}"),
);
const good = fc.tuple(text, fc.option(text), fc.boolean(), space).map(
  ([name, tag, isReversed, gap]) => {
    const members = [`"name"${gap}:${gap}${name}`];
    if (tag !== null) members.push(`"tag":${gap}${tag}`);
    if (isReversed) members.reverse();
    return `{${gap}${members.join(`${gap},${gap}`)}${gap}}`;
  },
);
const odd = fc.array(fc.tuple(key, value), { maxLength: 3 }).map((members) =>
  `{${members.map(([key, value]) => `${key}:${value}`).join(",")}}`
);
const file = fc.tuple(
  fc.array(fc.oneof({ weight: 8, arbitrary: good }, odd), { maxLength: 6 }),
  space,
  fc.constantFrom("", "", "", "\uFEFF"),
).map(([plants, gap, mark]) =>
  `${mark}${gap}[${gap}${plants.join(`${gap},${gap}`)}${gap}]${gap}`
);

/** A file, sometimes with a few bytes changed, added, or removed. */
const damaged = fc.tuple(
  file,
  fc.array(
    fc.tuple(
      fc.nat(),
      fc.nat(2),
      fc.oneof(
        fc.constantFrom(...new TextEncoder().encode('"\\,:{}[] nametg\n')),
        fc.nat(255),
      ),
    ),
    { maxLength: 2 },
  ),
).map(([text, edits]) => {
  const bytes = [...new TextEncoder().encode(text)];
  for (const [at, removed, byte] of edits) {
    bytes.splice(
      at % (bytes.length + 1),
      removed,
      ...removed === 2 ? [] : [byte],
    );
  }
  return Uint8Array.from(bytes);
});

test("scanPlants() accepts only valid files, and encodes them as the schema does", () => {
  let scans = 0, valid = 0;
  fc.assert(
    fc.property(damaged, (bytes) => {
      const scanned = runSteps(scanPlants(bytes));
      const defined = define(bytes);
      if (defined) valid++;
      if (!scanned) return;
      scans++;
      if (!defined) throw new Error(new TextDecoder().decode(bytes));
      const { all, ...rest } = unfold(scanned);
      const { all: expected, ...others } = unfold(defined);
      assertEquals(rest, others);
      assertEquals(all.sort(), expected.sort());
    }),
    { numRuns: RUNS },
  );
  // JSON.parse is rarely needed.
  assert(valid > RUNS / 10, `${valid} of ${RUNS}`);
  assert(scans > valid * 0.95, `${scans} of ${valid}`);
});

test("scanPlants() yields between steps, and distinguishes tags whose hashes are equal", () => {
  const tags = ["costarring", "liquid", "yaczf", "glbpp", undefined];
  const plants: Plant[] = Array.from({ length: 20_000 }, (_, at) => {
    const tag = tags[at % tags.length];
    return { name: `plant ${at % 7_000}`, ...tag !== undefined && { tag } };
  });
  const bytes = new TextEncoder().encode(JSON.stringify(plants, null, 2));
  const steps = scanPlants(bytes);
  assertEquals([steps.next().done, steps.next().done], [false, false]);
  const { done, value } = steps.next();
  if (!done || !value) throw new Error("not finished");
  assertEquals(unfold(value), unfold(encodePlants(plants)));
});
