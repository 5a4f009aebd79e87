import * as v from "valibot";
import { type Plant, PlantsFileSchema } from "../domain/plant.ts";
import { toProblems } from "../domain/schema.ts";
import { createFileError, parseJson } from "./json.ts";

/**
 * Parses and validates a plants file.
 *
 * @throws {StoreFileError} If the file is invalid.
 */
export function parsePlants(path: string, bytes: Uint8Array): readonly Plant[] {
  const json = parseJson(path, bytes);
  const result = v.safeParse(PlantsFileSchema, json.value);
  if (result.success) return result.output;
  throw createFileError(path, json, toProblems(result.issues));
}
