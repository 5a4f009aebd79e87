import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type {
  DefaultTheme,
  HeadConfig,
  TransformContext,
  UserConfig,
} from "vitepress";
import writeForAgents from "vitepress-plugin-llms";
import deno from "../deno.json" with { type: "json" };
import { hash } from "../tools/explorer.ts";
import { REPOSITORY } from "../tools/repository.ts";
import { buildFrame } from "./lab/build.ts";
import { extendMarkdown, slugify } from "./markdown.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/**
 * The URL of the published site, with a slash at the end, or undefined. Its host must
 * serve `/lab.html` at `/lab`, as GitHub Pages does.
 */
const { SITE_URL } = process.env;
const BASE = SITE_URL ? new URL(SITE_URL).pathname : "/";

/** The modules of the library, by the names that the examples import. */
const MODULES = Object.entries(deno.imports)
  .filter(([, path]) => path.startsWith("./"))
  .map(([name, path]) => ({
    find: new RegExp(`^${name}$`),
    replacement: ROOT + path,
  }));

/** The elements in site/elements. */
const ELEMENTS = { isCustomElement: (tag: string) => /^plant-/.test(tag) };

/** The icon of the API explorer. */
const [ICON] = /data:image\/svg\+xml[^"]*/
  .exec(readFileSync(`${ROOT}src/explorer/explorer.html`, "utf8"))!;

const VIEWPORT = "width=device-width,interactive-widget=resizes-content";

const NAV: DefaultTheme.NavItemWithLink[] = [
  { text: "Tutorial", link: "/tutorial" },
  { text: "Lab", link: "/lab" },
  { text: "HTTP API", link: "/http-api" },
  // The explorer is not a page of VitePress, so the link must load it.
  { text: "API explorer", link: "/api/", target: "_self" },
];
if (REPOSITORY) NAV.push({ text: "Source", link: REPOSITORY });

/**
 * Creates the configuration of the site.
 *
 * @param pages The names of the pages in docs, by heading and text in the sidebar.
 */
export function createConfig(
  pages: Readonly<Record<string, Readonly<Record<string, string>>>>,
): UserConfig<DefaultTheme.Config> {
  return {
    title: "Plant Store",
    lang: "en-US",
    base: BASE,
    cleanUrls: true,
    outDir: `${ROOT}site/dist`,
    cacheDir: `${ROOT}node_modules/.cache/vitepress`,
    head: [
      // The keyboard of a phone does not cover the count of the lab.
      ["meta", { name: "viewport", content: VIEWPORT }],
      ["link", { rel: "icon", href: ICON }],
      ["link", { rel: "apple-touch-icon", href: `${BASE}icon.png` }],
    ],
    router: { prefetchLinks: false },
    markdown: {
      // The default themes have too little contrast.
      theme: {
        light: "github-light-high-contrast",
        dark: "github-dark-high-contrast",
      },
      anchor: { slugify },
      image: { lazyLoading: true },
      config: extendMarkdown,
    },
    themeConfig: {
      nav: NAV,
      sidebar: Object.entries(pages).map(([text, links]) => ({
        text,
        items: Object.entries(links).map(([text, link]) => ({
          text,
          link: `/${link}`,
        })),
      })),
      search: { provider: "local" },
    },
    vue: { template: { compilerOptions: ELEMENTS } },
    vite: {
      // Writes llms.txt, and each page as Markdown.
      plugins: [writeForAgents({
        ...SITE_URL && { domain: new URL(SITE_URL).origin },
        generateLLMsFullTxt: false,
        injectLLMHint: false,
      })],
      resolve: { alias: MODULES },
    },
    transformHead: describePage,
    transformHtml: addPolicy,
    buildEnd: async ({ outDir }) => {
      buildExplorer(join(outDir, "api"));
      await buildFrame(join(outDir, "lab-frame"));
    },
  };
}

/** Returns what other sites show for links to a page. */
function describePage(
  { page, title, description }: TransformContext,
): HeadConfig[] {
  if (!SITE_URL) return [];
  const url = new URL(page.replace(/(?:index)?\.md$/, ""), SITE_URL).href;
  const image = new URL("social.png", SITE_URL).href;
  const card = { type: "website", title, description, url, image };
  return [
    ["link", { rel: "canonical", href: url }],
    ...Object.entries(card).map(([name, content]): HeadConfig => [
      "meta",
      { property: `og:${name}`, content },
    ]),
  ];
}

/** Writes the API explorer, whose API is live in its folder. */
function buildExplorer(folder: string): void {
  const script = "examples/service_worker/build.ts";
  const links = [
    "Home=../",
    "Tutorial=../tutorial",
    "Lab=../lab",
    "HTTP API=../http-api",
  ];
  const args = ["--import", "tsx", script, folder, ...links];
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" });
}

/** Adds a Content-Security-Policy that allows the inline scripts of the page. */
function addPolicy(html: string): string {
  const scripts = html.matchAll(
    /<script(?![^>]* src=)[^>]*>([^]*?)<\/script>/g,
  );
  const hashes = Array.from(scripts, ([, script]) => `'${hash(script!)}'`);
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(hashes)].join(" ")}`,
    "style-src 'self' 'unsafe-inline'", // for highlighted code
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'", // for the lab
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const meta = '<meta http-equiv="Content-Security-Policy"';
  return html.replace("<head>", `<head>\n${meta} content="${policy}">`);
}
