import type { Plant, PlantList } from "../../mod.ts";

/** Returns the plants of a list. */
export async function collect(list: PlantList): Promise<Plant[]> {
  const plants: Plant[] = [];
  for await (const plant of list) plants.push(plant);
  return plants;
}
