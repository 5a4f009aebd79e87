import { StoreFileError } from "../../src/stores/files/file_error.ts";

/** The path of the files that {@linkcode findProblems} parses. */
export const PATH = "a file.json";

/** The content of a file: text, or bytes as Latin-1 text in `latin1`. */
export type Content = string | { readonly latin1: string };

/**
 * Returns the problems for which a parser rejects a file, with their lines and
 * columns; none if it accepts the file.
 */
export async function findProblems(
  parse: (path: string, bytes: Uint8Array) => unknown,
  content: Content | Uint8Array,
): Promise<readonly string[]> {
  try {
    await parse(PATH, toBytes(content));
    return [];
  } catch (error) {
    if (!(error instanceof StoreFileError)) throw error;
    return error.problems.map(({ line, column, message }) =>
      `${line}:${column}: ${message}`
    );
  }
}

function toBytes(content: Content | Uint8Array): Uint8Array {
  if (content instanceof Uint8Array) return content;
  if (typeof content === "string") return new TextEncoder().encode(content);
  return Uint8Array.from(content.latin1, (byte) => byte.charCodeAt(0));
}
