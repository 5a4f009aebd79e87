import * as v from "valibot";
import { type Plant, PlantSchema } from "../../core/domain/plant.ts";
import { addIssues } from "../../core/internal/schema.ts";
import { parseJson } from "./json.ts";

/**
 * Parses and validates a plants file.
 *
 * @throws {StoreFileError} If the file is invalid.
 */
export async function parsePlants(
  path: string,
  bytes: Uint8Array,
): Promise<readonly Plant[]> {
  const plants: Plant[] = [];
  await parseJson(path, bytes, {
    isArray: true,
    expected: 'expected an array such as [{"name": "Rosa canina"}]',
    add(index, plant, problems) {
      const result = v.safeParse(PlantSchema, plant);
      if (result.success) plants.push(result.output);
      else addIssues(problems, [index], result.issues);
    },
  });
  return plants;
}
