import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";

// Writes the page in one piece, with the hashes of its style and script, as a
// module; with --check, says whether it is in step.

const FOLDER = "src/page";
const MODULE = `${FOLDER}/content.ts`;

/** Types and what they belong to, which say nothing to a browser. */
const DOC_COMMENTS =
  /^ *\/\*\*(?:(?!\*\/)[^])*\*\/\n+|\/\*\* @type .*?\*\/ ?/gm;

const [html, css, source] = await Promise.all(
  ["page.html", "page.css", "page.js"].map(async (name) => {
    const text = await readFile(`${FOLDER}/${name}`, "utf8");
    return `\n${text.replaceAll("\r\n", "\n")}`;
  }),
) as [string, string, string];

const js = source.replace(DOC_COMMENTS, "");

/** The source of a Content-Security-Policy that lets this text through. */
function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** `text` as a template literal, which keeps its lines. */
function literal(text: string): string {
  return `\`${text.replace(/[\\`]|\$\{/g, "\\$&")}\``;
}

const whole = html.trimStart()
  .replace("<style></style>", () => `<style>${css}</style>`)
  .replace(
    '<script type="module"></script>',
    () => `<script type="module">${js}</script>`,
  );

const text = `// Written by tools/page.ts: npm run generate

/** page.html with page.css and page.js in it. */
export const HTML: string = ${literal(whole)};

/** The hash of page.css, as a policy has it. */
export const STYLE_HASH: string =
  "${hash(css)}";

/** The hash of page.js, as a policy has it. */
export const SCRIPT_HASH: string =
  "${hash(js)}";
`;

if (!process.argv.includes("--check")) {
  await writeFile(MODULE, text);
} else if (await readFile(MODULE, "utf8") !== text) {
  console.error(`${MODULE} is out of step: npm run generate`);
  process.exitCode = 1;
}
