import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DefaultTheme, UserConfig } from "vitepress";
import deno from "../deno.json" with { type: "json" };
import metadata from "../package.json" with { type: "json" };
import { addRunButtons, linkRepository, slugify } from "./markdown.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** The modules of the library, by the names that the examples import. */
const MODULES = Object.entries(deno.imports)
  .filter(([, path]) => path.startsWith("./"))
  .map(([name, path]) => ({
    find: new RegExp(`^${name}$`),
    replacement: ROOT + path,
  }));

/** The elements in site/elements. */
const isCustomElement = (tag: string) => /^plant-/.test(tag);

/** The texts of the search button, whose default label differs from its text. */
const SEARCH = { button: { buttonText: "Search", buttonAriaLabel: "Search" } };

/** The icon of the API explorer. */
const [ICON] = /data:image\/svg\+xml[^"]*/
  .exec(readFileSync(`${ROOT}src/explorer/explorer.html`, "utf8"))!;

/**
 * Creates the configuration of the site.
 *
 * @param pages The names of all pages in docs, by their heading in the sidebar.
 * @throws {Error} If a page is missing.
 */
export function createConfig(
  pages: Readonly<Record<string, readonly string[]>>,
): UserConfig<DefaultTheme.Config> {
  return {
    title: "Plant Store",
    description: metadata.description,
    lang: "en-US",
    cleanUrls: true,
    outDir: `${ROOT}dist/site`,
    cacheDir: `${ROOT}node_modules/.cache/vitepress`,
    head: [["link", { rel: "icon", href: ICON }]],
    router: { prefetchLinks: false },
    markdown: {
      // The default themes have too little contrast.
      theme: {
        light: "github-light-high-contrast",
        dark: "github-dark-high-contrast",
      },
      anchor: { slugify },
      image: { lazyLoading: true },
      config(md) {
        linkRepository(md);
        addRunButtons(md);
      },
    },
    themeConfig: {
      nav: [
        { text: "Tutorial", link: "/tutorial" },
        { text: "HTTP API", link: "/http-api" },
        // The explorer is not a page of VitePress, so the link must load it.
        { text: "API explorer", link: "/api/", target: "_self" },
      ],
      sidebar: createSidebar(pages),
      search: { provider: "local", options: { translations: SEARCH } },
    },
    vue: { template: { compilerOptions: { isCustomElement } } },
    vite: { resolve: { alias: MODULES } },
    transformHtml: addPolicy,
  };
}

/** Creates the sidebar, with the headings of the pages up to a colon. */
function createSidebar(
  pages: Readonly<Record<string, readonly string[]>>,
): DefaultTheme.SidebarItem[] {
  const found = readdirSync(`${ROOT}docs`).filter((file) => /\.md$/.test(file));
  const listed = ["index", ...Object.values(pages).flat()].map((name) =>
    `${name}.md`
  );
  if (`${found.sort()}` !== `${listed.sort()}`) {
    throw new Error(
      `docs/.vitepress/config.ts must list exactly the pages in docs: ${found}`,
    );
  }
  return Object.entries(pages).map(([text, names]) => ({
    text,
    items: names.map((name) => {
      const page = readFileSync(`${ROOT}docs/${name}.md`, "utf8");
      return { text: /^# ([^:\n]+)/.exec(page)![1]!, link: `/${name}` };
    }),
  }));
}

/** Adds a Content-Security-Policy that allows the inline scripts of the page. */
function addPolicy(html: string): string {
  const scripts = html.matchAll(
    /<script(?![^>]* src=)[^>]*>([^]*?)<\/script>/g,
  );
  const hashes = Array.from(scripts, ([, script]) => {
    const digest = createHash("sha256").update(script!).digest("base64");
    return `'sha256-${digest}'`;
  });
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(hashes)].join(" ")}`,
    "style-src 'self' 'unsafe-inline'", // for highlighted code
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const meta = '<meta http-equiv="Content-Security-Policy"';
  return html.replace("<head>", `<head>\n${meta} content="${policy}">`);
}
