import type { Plant } from "../../core/domain/plant.ts";
import type { Credentials } from "../../core/domain/credentials.ts";
import { SECRET } from "../../core/domain/token.ts";
import { quote } from "../../core/internal/quote.ts";
import { ProblemList } from "../../core/internal/schema.ts";
import { suggest } from "../../shared/suggest.ts";
import type { FileProblem } from "./file_error.ts";
import { decode, locate } from "./json.ts";

/** Lists tags and names in the tokens file that no plant has. The store still uses both files. */
export interface FileWarning {
  /** The path of the tokens file, as passed to the store. */
  readonly path: string;
  /** The warnings: at least 1, at most 20. */
  readonly warnings: readonly FileProblem[];
  /** The number of warnings that are not listed. */
  readonly omittedCount: number;
}

/** The maximum number of tags or names to compare with an unknown one. */
const MAX_COMPARED = 1_000;

/**
 * Finds tags and names in the tokens file that no plant has.
 *
 * @param bytes The content of the tokens file.
 */
export function findWarnings(
  path: string,
  bytes: Uint8Array,
  plants: readonly Plant[],
  { users, tokens }: Credentials,
): FileWarning | undefined {
  const known = {
    tags: new Set(plants.map(({ tag }) => tag)),
    names: new Set(plants.map(({ name }) => name)),
  };
  const problems = new ProblemList();
  for (const [user, access] of users) {
    if (access === "all") continue;
    for (const kind of ["tags", "names"] as const) {
      for (const [index, text] of (access[kind] ?? []).entries()) {
        if (known[kind].has(text)) continue;
        const message = problems.isFull ? "" : describe(kind, text);
        problems.add({ path: [user, "plants", kind, index], message });
      }
    }
  }

  function describe(kind: "tags" | "names", text: string): string {
    const noun = kind.slice(0, -1);
    if (SECRET.test(text) || tokens.has(text)) {
      return `warning: no plant has this ${noun}`;
    }
    const others = known[kind].size > MAX_COMPARED
      ? []
      : [...known[kind].keys()];
    const hint = suggest(text, others.filter((each) => each !== undefined), "");
    return `warning: no plant has the ${noun} ${quote(text)}${hint}`;
  }

  if (problems.listed.length === 0) return undefined;
  const { listed, omittedCount } = locate(path, decode(path, bytes), problems);
  return { path, warnings: listed, omittedCount };
}
