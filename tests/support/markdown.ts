import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A fenced block of a document. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** The number of the line that the fence opens on. */
  readonly line: number;
  /** The HTML comment right before it. */
  readonly comment: string | undefined;
  /** The headings that it stands under, the topmost first. */
  readonly under: readonly string[];
  /** Whether nothing but an empty line stands between it and the block before. */
  readonly isNext: boolean;
}

/** A document, taken apart. */
export interface Document {
  readonly path: string;
  readonly blocks: readonly Block[];
  /** What is left without fenced blocks and comments. */
  readonly prose: string;
  /** The anchors of its headings, as GitHub makes them. */
  readonly anchors: ReadonlySet<string>;
}

/** A fence at the start of a line, with a comment before it if there is one. */
const FENCE =
  /(?:<!--((?:(?!-->)[^])*)-->\n+)?^(```+)([^\n]*)\n([^]*?)^\2\n|^(#+) (.*)$/gm;

/** Takes a document apart. */
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
      anchors.add(toAnchor(heading!, anchors));
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

/** The anchor of a heading; a second one of the same words has a number. */
function toAnchor(heading: string, taken: ReadonlySet<string>): string {
  const anchor = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");
  if (!taken.has(anchor)) return anchor;
  for (let number = 1;; number++) {
    if (!taken.has(`${anchor}-${number}`)) return `${anchor}-${number}`;
  }
}

/** The files of the checkout, those that are new among them. */
export function listFiles(): readonly string[] {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const output = execFileSync("git", list, { encoding: "utf8" });
  const gone = execFileSync("git", ["ls-files", "-z", "--deleted"], {
    encoding: "utf8",
  }).split("\0");
  return output.split("\0").filter((file) =>
    file !== "" && !gone.includes(file)
  );
}

/** The documents of the checkout, but for what lists changes and results. */
export function readDocuments(): readonly Document[] {
  return listFiles()
    .filter((file) => file.endsWith(".md"))
    .filter((file) => !/^(?:CHANGELOG|bench\/RESULTS)\.md$/.test(file))
    .map(readDocument);
}
