import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** A fenced block of a document. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** The number of the line that the fence opens on. */
  readonly line: number;
  /** The HTML comment directly before it. */
  readonly comment: string | undefined;
  /** The headings above it, from the top level. */
  readonly under: readonly string[];
  /** Whether only an empty line separates it from the previous block. */
  readonly isNext: boolean;
}

/** A parsed document. */
export interface Document {
  readonly path: string;
  readonly blocks: readonly Block[];
  /** The text without fenced blocks and comments. */
  readonly prose: string;
  /** The anchors of its headings, as on GitHub. */
  readonly anchors: ReadonlySet<string>;
}

/** A fenced block with the comment before it, or a heading. */
const FENCE =
  /(?:<!--((?:(?!-->)[^])*)-->\n+)?^(```+)([^\n]*)\n([^]*?)^\2\n|^(#+) (.*)$/gm;

/** Parses a document. */
export function readDocument(path: string): Document {
  const text = readFileSync(path, "utf8").replaceAll("\r\n", "\n");
  const blocks: Block[] = [];
  const anchors = new Set<string>();
  let under: string[] = [];
  let end = -1;
  for (const match of text.matchAll(FENCE)) {
    const [whole, comment, fence, language, code, level, heading] = match;
    if (level !== undefined) {
      under = [...under.slice(0, level.length - 1), heading!];
      anchors.add(toAnchor(heading!));
      continue;
    }
    const before = text.slice(0, match.index + whole.indexOf(fence!));
    blocks.push({
      language: language!,
      text: code!,
      line: before.split("\n").length,
      comment: comment?.trim(),
      under,
      isNext: end !== -1 && text.slice(end, match.index).trim() === "",
    });
    end = match.index + whole.length;
  }
  const prose = text.replace(FENCE, (whole, ...[, fence]) => fence ? "" : whole)
    .replace(/<!--[^]*?-->/g, "");
  return { path, blocks, prose, anchors };
}

/** Returns the anchor of a heading that is not repeated. */
function toAnchor(heading: string): string {
  return heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");
}

/** Returns the files of the checkout, including untracked ones. */
export function listFiles(): readonly string[] {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const output = execFileSync("git", list, { encoding: "utf8" });
  return output.split("\0").filter((file) => file !== "" && existsSync(file));
}

/** Returns the documents of the checkout, except the list of changes. */
export function readDocuments(): readonly Document[] {
  return listFiles()
    .filter((file) => file.endsWith(".md") && file !== "CHANGELOG.md")
    .map(readDocument);
}
