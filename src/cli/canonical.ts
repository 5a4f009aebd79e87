import type { Plant } from "../domain/plant.ts";
import type { UserRecords } from "../stores/tokens_file.ts";

// The form that files have which are written by a command.

/** A plants file: a plant in each line. */
export function toPlantsFile(plants: readonly Plant[]): string {
  if (plants.length === 0) return "[]\n";
  const lines = plants.map((plant) => `  ${toLine(plant)}`);
  return `[\n${lines.join(",\n")}\n]\n`;
}

/** A tokens file. */
export function toTokensFile(users: UserRecords): string {
  return toText(
    Object.fromEntries([["$schema", "./tokens.schema.json"], ...users]),
  );
}

/** A value as JSON. */
export function toText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** A plant in one line, with spaces inside of the braces. */
function toLine(plant: Plant): string {
  const members = Object.entries(plant).map(([key, text]) =>
    `${JSON.stringify(key)}: ${JSON.stringify(text)}`
  );
  return `{ ${members.join(", ")} }`;
}
