/**
 * The API explorer: a page that sends requests to the service and shows the
 * complete response. It is one HTML document that loads no other resources.
 *
 * @example
 * ```ts
 * import { createHandler, createMemoryStore } from "plant-store";
 * import { page } from "plant-store/page";
 *
 * const store = createMemoryStore({ plants: [], users: {} });
 * const handler = createHandler(store, { page });
 *
 * const response = await handler(new Request("http://localhost/"));
 * console.log(response.headers.get("content-type"));
 * // "text/html; charset=utf-8"
 * ```
 *
 * @module
 */
import { STATUS_CODE } from "@std/http/status";
import { DEMO_TOKENS } from "../domain/demo_tokens.ts";
import { createEtag } from "../domain/etag.ts";
import { andThen, type MaybePromise } from "../domain/maybe_promise.ts";
import type { PlantStore } from "../domain/store.ts";
import type { Resource, ResourceResponse } from "../http/resource.ts";
import { HTML, SCRIPT_HASH, STYLE_HASH } from "./content.ts";

const POLICY = [
  "default-src 'none'",
  `style-src '${STYLE_HASH}'`,
  `script-src '${SCRIPT_HASH}'`,
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Serves the API explorer at `/`. The page offers the demo tokens that are valid in
 * the store, and links to the OpenAPI document if the service has one.
 *
 * @example
 * ```ts
 * import { createHandler, createMemoryStore } from "plant-store";
 * import { page } from "plant-store/page";
 *
 * const store = createMemoryStore({
 *   plants: [{ name: "Ginkgo biloba", tag: "tree" }],
 *   users: { curator: { plants: "all", tokens: ["demo-curator"] } },
 * });
 * const handler = createHandler(store, { page });
 *
 * const response = await handler(new Request("http://localhost/"));
 * console.log((await response.text()).includes("demo-curator")); // true
 * ```
 */
export const page: Resource = async (
  { store, hasOpenapi, cache },
): Promise<ResourceResponse> => {
  const all = [...DEMO_TOKENS.keys()];
  const valid = await Promise.all(all.map((token) => isValid(store, token)));
  const tokens = all.filter((_, index) => valid[index]);
  const key = `${hasOpenapi} ${tokens}`;
  const response = cache.get(key) ?? createPage(tokens, hasOpenapi);
  cache.set(key, response);
  return response;
};

/** Creates the page. There are at most 128 variants, so all of them can be cached. */
function createPage(
  tokens: readonly string[],
  hasOpenapi: boolean,
): MaybePromise<ResourceResponse> {
  const hasDemo = tokens.length > 0;
  const html = HTML
    .replace("<!-- openapi -->", hasOpenapi ? OPENAPI_LINK : "")
    .replace(
      "<!-- demo tokens -->",
      hasDemo ? createChoices(tokens) : TOKEN_HINT,
    )
    .replace("<!-- expired token -->", hasDemo ? EXPIRED_TOKEN : "");
  const body = new TextEncoder().encode(html);
  return andThen(createEtag(body), (etag) => ({
    status: STATUS_CODE.OK,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
      "Referrer-Policy": "no-referrer",
      "ETag": etag,
      "Cache-Control": "no-cache",
    },
    body,
  }));
}

/** Whether a token is valid; false if the store is unavailable, so that the page still works. */
async function isValid(store: PlantStore, token: string): Promise<boolean> {
  try {
    return await store.authenticate(token) !== undefined;
  } catch {
    return false;
  }
}

const OPENAPI_LINK = '<a href="openapi.json">OpenAPI</a>';

/** The hint for stores without demo tokens. */
const TOKEN_HINT =
  "<p>Paste the token that <code>plant-store init</code> printed.</p>";

/** The button for the expired token in the demo data. */
const EXPIRED_TOKEN =
  '<button name="token" value="demo-expired">Expired token <b>401</b></button>';

/** Creates a button for each demo token, with what it sees or does. */
function createChoices(tokens: readonly string[]): string {
  const buttons = tokens.map((token) =>
    `<button name="token" value="${token}">${token} <b></b>
<small>${DEMO_TOKENS.get(token)}</small></button>`
  );
  return `<div id="demo" class="choices" role="group" aria-label="Demo tokens">
<span>Demo tokens</span>
${buttons.join("\n")}
</div>`;
}
