import { renderMermaidSVG } from "beautiful-mermaid";
import type { MarkdownRenderer } from "vitepress";
import { REPOSITORY } from "../tools/repository.ts";
import metadata from "../package.json" with { type: "json" };
import { COMMAND, parseBlock } from "./commands.ts";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

/** Starts a server in the foreground. */
const SERVER = /^(?:npm start|npx plant-store|node [\w./]+\.\w+$)/m;

/** Returns the anchor of a heading, as on GitHub. */
export function slugify(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/** Adds what the pages need in addition to the Markdown of VitePress. */
export function extendMarkdown(md: MarkdownRenderer): void {
  md.use(linkRepository).use(addDescription).use(renderFences);
}

/**
 * Points links to files outside of `docs` to the repository. Without a repository,
 * they become text.
 */
function linkRepository(md: MarkdownRenderer): void {
  const base = REPOSITORY && `${REPOSITORY}/blob/v${metadata.version}/`;
  md.core.ruler.push("link-repository", ({ tokens, env }) => {
    // Links are not nested.
    let isOutside = false;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === "link_open") {
        const page = `http://docs/docs/${env.relativePath}`;
        const { host, pathname, hash } = new URL(token.attrGet("href")!, page);
        isOutside = host === "docs" && !pathname.startsWith("/docs/");
        const href = `${base}${pathname.slice(1)}${hash}`;
        if (isOutside) token.attrs = base ? [["href", href]] : [];
      }
      if (/^link_/.test(token.type) && isOutside && !base) token.tag = "span";
    }
  });
}

/** Uses the first paragraph as the description of a page. */
function addDescription(md: MarkdownRenderer): void {
  md.core.ruler.push("description", ({ tokens, env }) => {
    const start = tokens.findIndex(({ type }) => type === "paragraph_open");
    const words = tokens[start + 1]?.children?.map((part) =>
      part.type === "softbreak" ? " " : part.content
    );
    if (env.frontmatter) env.frontmatter.description ??= words?.join("");
  });
}

/** Draws a Mermaid diagram; its line "accDescr: ..." is the text alternative. */
function draw(source: string): string {
  const [line = "", label = ""] = /^ *accDescr: *(.*)\n/m.exec(source) ?? [];
  const svg = renderMermaidSVG(source.replace(line, ""), {
    transparent: true,
    padding: 8,
  })
    .replace(/<style>[^]*?<\/style>/, ""); // the colors are in site/style.css
  return `<div class="diagram" role="img" aria-label="${label}" tabindex="0">${svg}</div>`;
}

/**
 * Draws diagrams, and adds a Run button, or the reason for its absence, below each
 * console block.
 */
function renderFences(md: MarkdownRenderer): void {
  const { escapeHtml } = md.utils;
  const renderFence = md.renderer.rules.fence!;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const { info, content, map } = tokens[index]!;
    if (info === "mermaid") return draw(content);
    const fence = renderFence(tokens, index, options, env, self);
    const commands = content.replace(COMMAND, "$1\n").trim();
    const text = escapeHtml(info === "diff" ? content : commands);
    // The Copy button copies the element after the name of the language: commands
    // without output, or a diff with its last line break, which Git needs.
    const html = /^(?:console|diff)$/.test(info)
      ? fence.replace("<pre", () => `<pre hidden v-pre>${text}</pre><pre`)
      : fence;
    const [, file] = /file: (\S+)/.exec(tokens[index - 1]?.content ?? "") ?? [];
    if (env.isLab && (file || info === "diff")) {
      return file?.endsWith(".json")
        ? `<details open><summary>${file}, already in the lab</summary>${html}</details>`
        : `<details><summary>Show the code</summary>${html}</details>`;
    }
    if (info !== "console") return html;
    try {
      const commands = parseBlock(
        content,
        env.isLab ? undefined : whyUnavailable(tokens, index),
      );
      const requests = [...new Set(commands.map(({ request }) => request))];
      if (requests.some((request) => typeof request === "object")) {
        const json = escapeHtml(JSON.stringify(commands));
        return `${html}<plant-run v-pre commands="${json}"></plant-run>`;
      }
      const reasons = escapeHtml(requests.join("; "));
      return reasons === ""
        ? html
        : `${html}<p class="not-run" v-pre>Run it in a terminal: ${reasons}.</p>`;
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`docs/${env.relativePath}:${map![0] + 1}: ${message}`);
    }
  };
}

/** Says why pages cannot send requests to the server of a block, or returns undefined. */
function whyUnavailable(
  tokens: readonly Token[],
  index: number,
): string | undefined {
  const before = tokens.slice(0, index);
  const isHeading = ({ type, tag }: Token) =>
    type === "heading_open" && tag === "h2";
  const start = before.findLastIndex(isHeading);
  const findServer = (part: readonly Token[]) =>
    part.findLast(({ info, content }) => info === "sh" && SERVER.test(content));
  // The server of the introduction is the default for all sections.
  const server = findServer(before.slice(Math.max(start, 0))) ??
    findServer(before.slice(0, before.findIndex(isHeading)));
  if (server?.content === "npm start\n") return undefined;
  const section = start < 0 ? "this page" : `“${tokens[start + 1]!.content}”`;
  return `it needs the server from ${section}`;
}
