import type { MarkdownRenderer } from "vitepress";
import { REPOSITORY } from "../tools/repository.ts";
import metadata from "../package.json" with { type: "json" };
import { COMMAND, parseBlock } from "./commands.ts";

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

/**
 * Adds a Run button below each console block whose requests a page can send: in the
 * lab, and after the block that starts the server with the demo data.
 */
function renderFences(md: MarkdownRenderer): void {
  const { escapeHtml } = md.utils;
  const renderFence = md.renderer.rules.fence!;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const { info, content } = tokens[index]!;
    const fence = renderFence(tokens, index, options, env, self);
    const commands = content.replace(COMMAND, "$1\n").trim();
    const text = escapeHtml(info === "diff" ? content : commands);
    // The Copy button copies the element after the name of the language: commands
    // without output, or a diff with its last line break, which Git needs.
    const html = /^(?:console|diff)$/.test(info)
      ? fence.replace("<pre", () => `<pre hidden v-pre>${text}</pre><pre`)
      : fence;
    const [, file] = /file: (\S+)/.exec(tokens[index - 1]?.content ?? "") ?? [];
    if (env.isLab && /^js/.test(info)) {
      return info === "json"
        ? `<details open><summary>${file}, already in the lab</summary>${html}</details>`
        : `<details><summary>Show the code</summary>${html}</details>`;
    }
    const isLive = env.isLab ||
      tokens.slice(0, index).some(({ content }) => content === "npm start\n");
    const requests = info === "console" && isLive ? parseBlock(content) : [];
    const json = escapeHtml(JSON.stringify(requests));
    return requests.length === 0
      ? html
      : `${html}<plant-run v-pre commands="${json}"></plant-run>`;
  };
}
