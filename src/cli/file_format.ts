import type { Plant } from "../domain/plant.ts";

/** Formats a plants file with one plant per line. */
export function toPlantsFile(plants: readonly Plant[]): string {
  if (plants.length === 0) return "[]\n";
  const lines = plants.map((plant) =>
    `  ${JSON.stringify(plant, null, 1).replace(/\n */g, " ")}`
  );
  return `[\n${lines.join(",\n")}\n]\n`;
}

/** Formats a value as an indented JSON file. */
export function toJsonFile(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
