import { readdir, readFile } from "node:fs/promises";
import { REPOSITORY } from "./repository.ts";

// Replaces links to the repository, and before a release, the texts for a clone.

/** The target of links to the repository: its URL, or until package.json has one, its root. */
const REPOSITORY_TARGET = /^\[repository\]: .*$/m;

/** A text for a clone, and the text that replaces it when the package is published. */
const UNPUBLISHED =
  /<!-- unpublished -->\n\n[^]*?<!-- published\n\n([^]*?)\n-->\n/g;

/** Returns the paths of README.md, SECURITY.md, and the documents in docs. */
export async function listDocuments(): Promise<readonly string[]> {
  const names = (await readdir("docs")).filter((name) => name.endsWith(".md"));
  const paths = names.sort().map((name) => `docs/${name}`);
  return ["README.md", "SECURITY.md", ...paths];
}

/** Returns the document at `path` with current links to the repository. */
export async function fillDocument(path: string): Promise<string> {
  const text = await readFile(path, "utf8");
  const root = REPOSITORY ?? (path.includes("/") ? ".." : ".");
  return text.replace(REPOSITORY_TARGET, `[repository]: ${root}`);
}

/** Returns a document with the texts for the published package. */
export function publishDocument(text: string): string {
  return text.replace(UNPUBLISHED, (_, published) => published);
}
