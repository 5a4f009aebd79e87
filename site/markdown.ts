import type { MarkdownRenderer } from "vitepress";
import { REPOSITORY } from "../tools/repository.ts";
import metadata from "../package.json" with { type: "json" };
import { parseBlock } from "./commands.ts";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

/** Starts a server in the foreground. */
const SERVER = /^(?:npm start|npx plant-store|node [\w./]+\.\w+$)/m;

/** Returns the anchor of a heading, as on GitHub. */
export function slugify(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/**
 * Points links to files outside of `docs` to the repository. Without a repository,
 * they become text.
 */
export function linkRepository(md: MarkdownRenderer): void {
  const base = REPOSITORY && `${REPOSITORY}/blob/v${metadata.version}/`;
  md.core.ruler.push("link-repository", ({ tokens, env }) => {
    // Links are not nested.
    let isOutside = false;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === "link_open") {
        const page = `http://docs/docs/${env.relativePath}`;
        const url = new URL(token.attrGet("href")!, page);
        isOutside = url.host === "docs" && !url.pathname.startsWith("/docs/");
        const target = url.pathname.slice(1) + url.hash;
        if (isOutside) token.attrs = base ? [["href", base + target]] : [];
      }
      if (/^link_/.test(token.type) && isOutside && !base) token.tag = "span";
    }
  });
}

/** Adds a Run button, or the reason for its absence, below each console block. */
export function addRunButtons(md: MarkdownRenderer): void {
  const { escapeHtml } = md.utils;
  const renderFence = md.renderer.rules.fence!;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const html = renderFence(tokens, index, options, env, self);
    const { info, content, map } = tokens[index]!;
    if (info !== "console") return html;
    try {
      const commands = parseBlock(content, whyUnavailable(tokens, index));
      if (commands.length === 0) return html;
      const requests = [...new Set(commands.map(({ request }) => request))];
      if (requests.every((request) => typeof request === "string")) {
        return `${html}<p class="not-run" v-pre>${
          escapeHtml(`Run it in a terminal: ${requests.join("; ")}.`)
        }</p>`;
      }
      const json = escapeHtml(JSON.stringify(commands));
      return `${html}<plant-run v-pre commands="${json}"></plant-run>`;
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
  let section = "this page",
    first: string | undefined,
    server: string | undefined;
  for (const [at, { type, tag, info, content }] of tokens.entries()) {
    if (at === index) break;
    if (type === "heading_open" && tag === "h2") {
      first ??= server ?? "";
      server = first;
      section = `“${tokens[at + 1]!.content}”`;
    }
    if (info === "sh" && SERVER.test(content)) server = content;
  }
  return server === "npm start\n"
    ? undefined
    : `it needs the server from ${section}`;
}
