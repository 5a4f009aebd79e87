import * as v from "valibot";
import { Credentials } from "../../core/domain/credentials.ts";
import { type Plant, PlantSchema } from "../../core/domain/plant.ts";
import { USERS_FORM } from "../../core/domain/user.ts";
import { addIssues } from "../../core/internal/schema.ts";
import { pluralize } from "../../shared/pluralize.ts";
import { StoreFileError } from "./file_error.ts";
import { type FileChange, FileSource } from "./file_source.ts";
import { parseJson } from "./json.ts";
import { MAX_SIZE, readFiles } from "./read_file.ts";
import { findWarnings } from "./warnings.ts";

type Both<T> = Readonly<Record<"plants" | "tokens", T>>;

/** The plants and tokens files, and the last valid content of each. */
export class StoreFiles {
  readonly plants: FileSource<readonly Plant[]>;
  readonly tokens: FileSource<Credentials>;

  /** @param maxSize The maximum size of a file, in bytes. */
  constructor(paths: Both<string>, maxSize: number = MAX_SIZE) {
    this.plants = new FileSource(paths.plants, maxSize, {
      parse: parsePlants,
      summarize: (plants) => pluralize(plants.length, "plant"),
    });
    this.tokens = new FileSource(paths.tokens, maxSize, {
      parse: parseTokens,
      summarize({ users, tokens, digests }) {
        const count = pluralize(tokens.size + digests.size, "token");
        return `${pluralize(users.size, "user")}, ${count}`;
      },
    });
  }

  /**
   * Reads both files, and parses those that have changed.
   *
   * @returns The changes and warnings, and the content of the files if both can be read.
   * A file that is still invalid has the same problems, in the same object.
   */
  async load(): Promise<{ changes: FileChange[]; bytes?: Both<Uint8Array> }> {
    const sources = [this.plants, this.tokens];
    const contents = await readFiles(sources);
    const results = await Promise.all(
      sources.map((source, at) => source.load(contents[at]!)),
    );
    const changes: FileChange[] = results
      .filter((change) => change !== undefined);
    const [plants, tokens] = contents; // or the errors from reading them
    if (!ArrayBuffer.isView(tokens)) return { changes };
    const hasNew = changes.some((change) => "summary" in change);
    const { path, value, rejectedAt } = this.tokens;
    if (hasNew && !rejectedAt && value && this.plants.value) {
      const warning = findWarnings(path, tokens, this.plants.value, value);
      if (warning) changes.push(warning);
    }
    return ArrayBuffer.isView(plants)
      ? { changes, bytes: { plants, tokens } }
      : { changes };
  }
}

/** Throws the problems in all rejected files as one error, if there are any. */
export function throwProblems(changes: readonly FileChange[]): void {
  const rejected = changes.filter((change) => "problems" in change);
  if (rejected.length === 0) return;
  throw new StoreFileError(
    rejected.flatMap(({ problems }) => problems),
    rejected.reduce((sum, { omittedCount }) => sum + omittedCount, 0),
  );
}

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

/**
 * Parses and validates a tokens file.
 *
 * @throws {StoreFileError} If the file is invalid.
 */
export async function parseTokens(
  path: string,
  bytes: Uint8Array,
): Promise<Credentials> {
  const credentials = new Credentials();
  await parseJson(path, bytes, {
    isArray: false,
    expected: `expected ${USERS_FORM}`,
    add: (name, record, problems) =>
      credentials.add(`${name}`, record, problems),
  });
  return credentials;
}
