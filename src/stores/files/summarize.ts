import { count } from "../../domain/count.ts";
import type { FileContent } from "./file_source.ts";

/** Describes the content of a file, such as `198 plants (was 197)`. */
export function summarize({ counts, previous }: FileContent): string {
  const now = Object.entries(counts).map(([noun, number]) =>
    count(number, noun)
  );
  const was = previous && ` (was ${Object.values(previous).join(", ")})`;
  return `${now.join(", ")}${was ?? ""}`;
}
