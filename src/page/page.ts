/**
 * The page of the plant store, for people: a form that sends requests to the
 * service and shows what goes over the wire. It is one HTML document that loads
 * nothing, and it has to be handed to the handler.
 *
 * @example
 * ```ts
 * import { createHandler, createMemoryStore } from "plant-store";
 * import { page } from "plant-store/page";
 * import { assertEquals } from "@std/assert";
 *
 * const store = createMemoryStore({ plants: [], users: {} });
 * const handler = createHandler(store, { page });
 *
 * const response = await handler(new Request("http://localhost/"));
 * assertEquals(
 *   response.headers.get("content-type"),
 *   "text/html; charset=utf-8",
 * );
 * ```
 *
 * @module
 */
import { STATUS_CODE } from "@std/http/status";
import { DEMO_TOKENS } from "../domain/demo_tokens.ts";
import { addEtag } from "../domain/etag.ts";
import type { PlantStore } from "../domain/store.ts";
import type { Resource, ResourceResponse } from "../http/resource.ts";
import { HTML, SCRIPT_HASH, STYLE_HASH } from "./content.ts";

/**
 * The page at `/`. It offers the demo tokens of the sample data while they are
 * valid, and a link to the OpenAPI document where there is one.
 *
 * @example
 * ```ts
 * import { createHandler, createMemoryStore } from "plant-store";
 * import { page } from "plant-store/page";
 * import { assertMatch } from "@std/assert";
 *
 * const store = createMemoryStore({
 *   plants: [{ name: "Ginkgo biloba", tag: "tree" }],
 *   users: { curator: { plants: "all", tokens: ["demo-curator"] } },
 * });
 * const handler = createHandler(store, { page });
 *
 * const response = await handler(new Request("http://localhost/"));
 * assertMatch(await response.text(), /demo-curator/);
 * ```
 */
export const page: Resource = async (
  { store, hasOpenapi },
): Promise<ResourceResponse> => {
  const isValid = await Promise.all(
    DEMO_TOKENS.map((token) => isValidIn(store, token)),
  );
  const tokens = DEMO_TOKENS.filter((_, index) => isValid[index]);
  return await write(tokens, hasOpenapi);
};

/** Whether the store has this token: the page is there whatever the store throws. */
async function isValidIn(store: PlantStore, token: string): Promise<boolean> {
  try {
    return await store.authenticate(token) !== undefined;
  } catch {
    return false;
  }
}

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

async function write(
  tokens: readonly string[],
  hasOpenapi: boolean,
): Promise<ResourceResponse> {
  const html = HTML
    .replace("<!-- openapi -->", hasOpenapi ? DOCUMENT : "")
    .replace("<!-- demo tokens -->", tokens.length > 0 ? offer(tokens) : "")
    .replace("<!-- expired token -->", tokens.length > 0 ? EXPIRED : "");
  const { body, etag } = await addEtag(
    new TextEncoder().encode(html),
  );
  return {
    status: STATUS_CODE.OK,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
      "Referrer-Policy": "no-referrer",
      "ETag": etag,
      "Cache-Control": "no-cache",
    },
    body,
  };
}

const DOCUMENT = '<a href="openapi.json">openapi.json</a>';

/** The token of the sample data that expired long ago. */
const EXPIRED =
  '<button type="button" data-token="demo-expired" data-send>Expired token</button>';

function offer(tokens: readonly string[]): string {
  const buttons = tokens.map((token) =>
    `<button type="button" data-token="${token}">${token}</button>`
  );
  return `<div class="choice" role="group" aria-labelledby="demo">
<span id="demo">Demo tokens</span>
${buttons.join("\n")}
</div>`;
}
