import { count } from "../../domain/count.ts";
import type { FileContent } from "./file_source.ts";

/** Describes the content of a file, such as `198 plants (previously 197 plants)`. */
export function summarize({ counts, previous }: FileContent): string {
  const list = (counts: FileContent["counts"]) =>
    Object.entries(counts).map(([noun, number]) => count(number, noun))
      .join(", ");
  return previous
    ? `${list(counts)} (previously ${list(previous)})`
    : list(counts);
}
