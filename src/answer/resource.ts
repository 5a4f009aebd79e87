import type { PlantStore } from "../domain/store.ts";
import { quote } from "../domain/quote.ts";
import type { Reply } from "./reply.ts";

/**
 * Something that is served beside the plants, and asks for no credentials: the
 * page, the OpenAPI document. It is asked for each GET and HEAD; a reply with an
 * `ETag` is given as 304 to a client that has it.
 *
 * @param context What the service knows of itself.
 */
export type Resource = (context: ResourceContext) => Reply | Promise<Reply>;

/** What the service knows of itself when a resource is asked for. */
export interface ResourceContext {
  /**
   * The address that the plants are under, with the base path and without a
   * slash at the end: that of the request, unless one was given. A path alone
   * where the request named no host.
   */
  readonly baseUrl: string;
  /** Where the plants come from. */
  readonly store: PlantStore;
  /** Whether there is an OpenAPI document beside. */
  readonly hasOpenapi: boolean;
}

/** A token, which a header name is (RFC 9110 section 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** The characters of a header value that every platform accepts. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The headers that frame a message, which only the service and its server set. */
const FRAMING =
  /^(?:connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

/** The statuses whose responses have no body (Fetch standard, null body status). */
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Checks the response of a resource, so that every platform can send it, and
 * sets its Content-Length. Ignores other headers that frame the message.
 *
 * @throws {TypeError} If a part of the response is invalid.
 */
export function checkResource({ status, headers, body }: Reply): Reply {
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new TypeError(`expected a status from 200 to 599, got ${status}`);
  }
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (FRAMING.test(name)) continue;
    if (!HEADER_NAME.test(name)) {
      throw new TypeError(`invalid header name ${quote(name)}`);
    }
    if (typeof value !== "string" || !HEADER_VALUE.test(value)) {
      throw new TypeError(`invalid value of the header ${quote(name)}`);
    }
    checked[name] = value;
  }
  const bytes = body === undefined || typeof body === "string"
    ? new TextEncoder().encode(body)
    : body;
  if (!(bytes instanceof Uint8Array)) {
    throw new TypeError("expected a body of text or bytes");
  }
  if (bytes.byteLength > 0 && NO_BODY.has(status)) {
    throw new TypeError(`unexpected body of a response with ${status}`);
  }
  if (status !== 204 && status !== 304) {
    checked["Content-Length"] = `${bytes.byteLength}`;
  }
  return {
    status,
    headers: checked,
    ...bytes.byteLength > 0 && { body: bytes },
  };
}
