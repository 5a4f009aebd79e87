import * as v from "valibot";
import { type EncodedPlants, encodePlants } from "../domain/encoded_plants.ts";
import { PlantsFileSchema } from "../domain/plant.ts";
import { toProblems } from "../domain/schema.ts";
import { runInBetween } from "./in_between.ts";
import { createFileError, parseJson } from "./json.ts";
import { scanPlants } from "./scan.ts";

/**
 * Parses, validates, and encodes a plants file.
 *
 * @throws {StoreFileError} If the file is invalid.
 */
export async function parsePlants(
  path: string,
  bytes: Uint8Array,
): Promise<EncodedPlants> {
  // For most valid files, the scanner is faster and returns the same result.
  const scanned = await runInBetween(scanPlants(bytes));
  if (scanned) return scanned;

  const json = parseJson(path, bytes);
  const result = v.safeParse(PlantsFileSchema, json.value);
  if (result.success) return encodePlants(result.output);
  throw createFileError(path, json, toProblems(result.issues));
}
