import type { Access } from "../../domain/access.ts";
import type { Plant } from "../../domain/plant.ts";

/**
 * Returns the first `limit` plants that `access` allows, in catalog order.
 *
 * @param plants All plants, in catalog order.
 * @param access The plants that the user can see.
 * @param limit The maximum number of plants. Can be `Infinity`.
 */
export function selectPlants(
  plants: readonly Plant[],
  access: Access,
  limit: number,
): readonly Plant[] {
  if (access === "all") return plants.slice(0, limit);
  const tags = new Set(access.tags);
  const names = new Set(access.names);
  const selected: Plant[] = [];
  for (const plant of plants) {
    if (selected.length === limit) break;
    const { name, tag } = plant;
    if (names.has(name) || (tag !== undefined && tags.has(tag))) {
      selected.push(plant);
    }
  }
  return selected;
}
