/**
 * The API explorer: a page that sends requests to the service and shows the
 * complete response. It is one HTML document that loads no other resources.
 *
 * @module
 */
import { DEMO_TOKENS, findDemoTokens } from "../shared/demo_tokens.ts";
import { readOptions } from "../core/internal/read_options.ts";
import { checkStore, type PlantStore } from "../core/domain/store.ts";
import type { Resource, ResourceResponse } from "../core/http/resource.ts";
import { HTML, SCRIPT_HASH, STYLE_HASH } from "./content.ts";

const POLICY = [
  "default-src 'none'",
  `style-src '${STYLE_HASH}'`,
  `script-src '${SCRIPT_HASH}'`,
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": `${POLICY}; frame-ancestors 'none'`,
  "Referrer-Policy": "no-referrer",
};

/**
 * Serves the API explorer at `/`, and at the base path without a slash. It sends
 * requests to the path of `publicUrl`, or without that option, to the path that it is
 * opened at. It offers the demo tokens that are valid in the store, and links to the
 * OpenAPI document if the service has one.
 *
 * @example
 * ```ts
 * import { createHandler, createMemoryStore } from "plant-store";
 * import { explorer } from "plant-store/explorer";
 *
 * const store = createMemoryStore({
 *   plants: [{ name: "Ginkgo biloba", tag: "tree" }],
 *   users: { curator: { plants: "all", tokens: ["demo-curator"] } },
 * });
 * const handler = createHandler(store, { explorer });
 *
 * const response = await handler(new Request("http://localhost/"));
 * console.log((await response.text()).includes("demo-curator")); // true
 * ```
 */
export const explorer: Resource = async (
  { store, hasOpenapi, publicUrl },
): Promise<ResourceResponse> => {
  const tokens = await findDemoTokens(store);
  const base = publicUrl ? escapeHtml(new URL(`${publicUrl}/`).pathname) : "";
  const links = hasOpenapi ? createOpenapiLink(base) : "";
  return { headers: HEADERS, text: createHtml(tokens, links, base) };
};

/** Options for {@linkcode createStaticExplorer}. */
export interface StaticExplorerOptions {
  /**
   * The URL of a module on the same origin that makes the API respond to the
   * explorer, such as `live.js`. It runs before the explorer is shown. If it sets
   * `globalThis.apiReady` to a promise, the explorer waits for it.
   */
  readonly script: string;
  /** The URLs of other pages of the site, by the text of the link. Default: none. */
  readonly links?: Readonly<Record<string, string>>;
}

/**
 * Returns the API explorer as an HTML document for a static host, with its
 * Content-Security-Policy in a `<meta>` element. The explorer sends requests to the
 * folder that it is in, and links to `openapi.json`.
 *
 * @param store The plants and users, for the demo tokens that are valid.
 * @param options The module that makes the API respond, and links to other pages.
 *
 * @example
 * ```ts
 * import { createMemoryStore } from "plant-store";
 * import { createStaticExplorer } from "plant-store/explorer";
 *
 * const store = createMemoryStore({ plants: [], users: {} });
 * const html = await createStaticExplorer(store, { script: "live.js" });
 * console.log(html.includes('src="live.js"')); // true
 * ```
 */
export async function createStaticExplorer(
  store: PlantStore,
  options: StaticExplorerOptions,
): Promise<string> {
  checkStore(store);
  const { script, links = {} } = readOptions(options, {
    script: "string",
    links: "object?",
  });
  const anchors = Object.entries(links).map(([text, url]) =>
    `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>\n`
  );
  const policy = POLICY.replace("script-src", "$& 'self'");
  // The script can set the theme, so nothing is shown before it runs.
  const head = `<head>
<meta http-equiv="Content-Security-Policy" content="${policy}; worker-src 'self'" />
<script type="module" src="${escapeHtml(script)}" blocking="render"></script>`;
  const all = anchors.join("") + createOpenapiLink("");
  return createHtml(await findDemoTokens(store), all, ".")
    .replace("<html ", "<html data-live ")
    .replace("<head>", () => head);
}

/** Escapes text for an element, or for an attribute in double quotes. */
function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;");
}

/**
 * Creates the document.
 *
 * @param base The URL that the paths of the API are relative to; empty for the path that
 * the document is opened at.
 */
function createHtml(
  tokens: readonly string[],
  links: string,
  base: string,
): string {
  const choices = tokens.length > 0 ? createChoices(tokens) : TOKEN_HINT;
  return HTML.replace("<html ", () => `<html data-base="${base}" `)
    .replace("<!-- openapi -->", () => links)
    .replace("<!-- demo tokens -->", choices)
    .replace("<!-- expired token -->", tokens.length > 0 ? EXPIRED_TOKEN : "");
}

const createOpenapiLink = (base: string) =>
  `<a href="${base}openapi.json">OpenAPI</a>`;

const TOKEN_HINT =
  "<p>Enter a token of this server. Its operator can create one.</p>";

const EXPIRED_TOKEN =
  '<button name="token" value="demo-expired">Expired token <b>401</b></button>';

/** Creates a button for each demo token, with what it sees or does. */
function createChoices(tokens: readonly string[]): string {
  const buttons = tokens.map((token) =>
    `<button name="token" value="${token}">${token}
<small>${DEMO_TOKENS.get(token)}</small></button>`
  );
  return `<div id="demo" class="row" role="group" aria-label="Demo tokens">
<span class="note">Demo tokens</span>
<div class="row choices">
${buttons.join("\n")}
</div>
</div>`;
}
