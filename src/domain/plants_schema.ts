import * as v from "valibot";
import type { Plant } from "./plant.ts";
import { object, text } from "./schema.ts";

/** The schema for a plant in a plants file. */
export const FilePlantSchema: v.GenericSchema<Plant> = object(
  "a plant object",
  { name: text("name"), tag: v.exactOptional(text("tag")) },
);

/** The message for a plants file that is not an array. */
export const NOT_AN_ARRAY = "expected an array of plants";

/**
 * The schema for a plants file and for the plants in a memory store: an array of
 * plants with a non-empty `name`, an optional non-empty `tag`, and no other
 * properties.
 *
 * @example
 * ```ts
 * import { PlantsFileSchema } from "plant-store";
 * import * as v from "valibot";
 *
 * const result = v.safeParse(PlantsFileSchema, [{ name: "" }]);
 * console.log(result.issues?.[0].message);
 * // "name must be a non-empty string"
 * ```
 */
export const PlantsFileSchema: v.GenericSchema<readonly Plant[]> = v.array(
  FilePlantSchema,
  NOT_AN_ARRAY,
);
