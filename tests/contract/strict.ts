import { createHash } from "node:crypto";
import { assertEquals, assertMatch } from "@std/assert";
import * as v from "valibot";
import { ErrorSchema } from "../../mod.ts";
import type { Case, CaseRequest, CaseResponse } from "./cases.ts";

// What this implementation promises in addition to the contract, which allows other
// ETags, messages, framing, and forms of headers.

const METHODS = "GET, HEAD, OPTIONS";

/** The required values of headers that only some responses have. */
type Has = Readonly<Record<string, string | null>>;

/** The headers that depend on the status. */
function byStatus(
  { setup = "open", target = "", headers = [] }: Case,
  status: number,
  request: CaseRequest,
): Has {
  const has = (name: string) => headers.some(([each]) => each === name);
  const isPreflight = request.method === "OPTIONS" && has("Origin") &&
    has("Access-Control-Request-Method");
  const allows = status === 405 || status === 204 && !isPreflight;
  const isList = (status === 200 || status === 304) && !/z|json/.test(target);
  const isOpen = setup !== "listed" && setup !== "closed";
  const passes = isOpen && isPreflight && status === 204;
  return {
    "x-content-type-options": "nosniff",
    "x-request-id": null,
    "access-control-allow-credentials": null,
    allow: allows ? METHODS : null,
    ...isOpen && {
      "access-control-allow-origin": "*",
      "access-control-expose-headers":
        "ETag, WWW-Authenticate, Allow, Retry-After",
      "access-control-allow-methods": passes ? METHODS : null,
      "access-control-allow-headers": passes ? "Authorization, *" : null,
      "access-control-max-age": passes ? "600" : null,
    },
    ...isList && {
      "cache-control": "private, no-cache",
      vary: setup === "listed" ? "Authorization, Origin" : "Authorization",
    },
    ...(status === 204 || status === 304) && {
      "content-length": null,
      "content-type": null,
    },
    ...status === 200 && { "content-type": "application/json" },
    ...status !== 401 && { "www-authenticate": null },
    ...status >= 400 && {
      "content-type": "application/json",
      "cache-control": "no-store",
      etag: null,
    },
  };
}

/** Checks a response and fails at the first difference. */
export function checkStrictly(
  each: Case,
  request: CaseRequest,
  { status, headers, body }: CaseResponse,
): void {
  const expected = byStatus(each, status, request);
  for (const [name, value] of Object.entries({ ...expected, ...each.has })) {
    if (value instanceof RegExp) assertMatch(headers.get(name) ?? "", value);
    else assertEquals(headers.get(name), value, name);
  }
  if (typeof each.body === "object" && !(each.body instanceof RegExp)) {
    assertEquals(JSON.parse(body), each.body);
  }
  if (status === 304) {
    assertMatch(headers.get("etag") ?? "", /^"[0-9a-f]{32}"$/);
  }
  if (request.method === "HEAD" || status === 204 || status === 304) {
    assertEquals(body, "");
    return;
  }
  const { byteLength } = new TextEncoder().encode(body);
  assertEquals(headers.get("content-length"), `${byteLength}`);
  const etag = headers.get("etag");
  if (etag !== null) assertEquals(etag, etagOf(body));
  if (status >= 400) checkError(each, status, body);
}

/** Checks an Error body: exactly the two properties, and a message that helps. */
function checkError(
  { id, setup, target = "" }: Case,
  status: number,
  body: string,
) {
  const number = setup === "broken" && status === 400 ? 500 : status;
  assertMatch(
    body,
    new RegExp(`^\\{"error":${number},"message":"(?:[^"\\\\]|\\\\.){8,}"\\}$`),
  );
  const { message } = v.parse(ErrorSchema, JSON.parse(body));
  if (!id.startsWith("limit.rejected.")) return;
  const values = new URL(target, "http://h").searchParams.getAll("limit");
  const shown = [...values.join(", ")].slice(0, 64).join("");
  assertMatch(message, /^limit must /);
  assertEquals(message.includes(JSON.stringify(shown)), true, message);
}

function etagOf(body: string): string {
  const digest = createHash("sha256").update(body).digest("hex");
  return `"${digest.slice(0, 32)}"`;
}
