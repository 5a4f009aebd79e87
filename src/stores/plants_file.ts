import * as v from "valibot";
import { FilePlantSchema, NOT_AN_ARRAY, type Plant } from "../domain/plant.ts";
import { toProblems } from "../domain/schema.ts";
import { forEachItem, parseJson } from "./json.ts";

/**
 * Parses and validates a plants file.
 *
 * @throws {StoreFileError} If the file is invalid.
 */
export async function parsePlants(
  path: string,
  bytes: Uint8Array,
): Promise<readonly Plant[]> {
  const { value } = await parseJson(path, bytes, async (value, problems) => {
    const plants: Plant[] = [];
    if (!Array.isArray(value)) {
      problems.add({ path: [], message: NOT_AN_ARRAY });
      return plants;
    }
    await forEachItem(value.entries(), ([index, plant]) => {
      const result = v.safeParse(FilePlantSchema, plant);
      if (result.success) {
        plants.push(result.output);
        return;
      }
      for (const problem of toProblems(result.issues)) {
        problems.add({ ...problem, path: [index, ...problem.path] });
      }
    });
    return plants;
  });
  return value;
}
