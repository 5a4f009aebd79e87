import type { Plant } from "../domain/plant.ts";
import type { UserRecord } from "../domain/user.ts";

/** Formats a plants file with one plant per line. */
export function toPlantsFile(plants: readonly Plant[]): string {
  if (plants.length === 0) return "[]\n";
  const lines = plants.map((plant) =>
    `  ${JSON.stringify(plant, null, 1).replace(/\n */g, " ")}`
  );
  return `[\n${lines.join(",\n")}\n]\n`;
}

/** Formats a tokens file. */
export function toTokensFile(
  users: Readonly<Record<string, UserRecord>>,
): string {
  return toJsonFile({ $schema: "./tokens.schema.json", ...users });
}

/** Formats a value as an indented JSON file. */
export function toJsonFile(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
