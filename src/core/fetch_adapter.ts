import type { ServiceRequest } from "./http/request.ts";
import {
  type Chunks,
  closeChunks,
  type ServiceResponse,
} from "./http/response.ts";
import type { Service } from "./http/responder.ts";
import { normalizeOrigin } from "./http/target.ts";

/**
 * Connects a service to the Fetch API.
 *
 * @param convert Converts a response to a `Response`.
 */
export function createFetchAdapter(
  { respond }: Service,
  convert: (found: ServiceResponse) => Response = createResponse,
): (request: Request, signal?: AbortSignal) => Promise<Response> {
  return async (request, signal) =>
    convert(await respond(new FetchRequest(request, signal)));
}

/** The URL that servers pass for the target `*`. On workerd, the URL has no slash. */
const ASTERISK = /^https?:\/\/[^/?#]*\/?\*$/;

class FetchRequest implements ServiceRequest {
  readonly method: string;
  readonly target: string;
  user?: string;
  readonly #request: Request;
  readonly #signal: AbortSignal | undefined;

  constructor(request: Request, signal?: AbortSignal) {
    const { method, url } = request;
    this.#request = request;
    this.#signal = signal;
    this.method = method;
    // On Bun, the URL is only the path if the request has no host. Apps have their own schemes.
    this.target = method === "OPTIONS" && ASTERISK.test(url)
      ? "*"
      : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#\\]*/i, "");
  }

  signal(): AbortSignal | undefined {
    return this.#signal;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  origin(): string {
    return normalizeOrigin(this.#request.url);
  }
}

/**
 * Creates a response for a server. On Deno and Bun, cloning a response takes a fraction
 * of the time of creating it. (On Node.js, it would copy the body.)
 */
export function cloneResponse(
  found: ServiceResponse,
  takeTurn?: () => Promise<void>,
): Response {
  const { prepared } = found;
  if (!prepared) return createResponse(found, takeTurn);
  return (prepared.response ??= createResponse(found)).clone();
}

/**
 * Creates a Fetch API response.
 *
 * @param takeTurn Waits until the next chunk can be encoded. Default: does not wait.
 */
function createResponse(
  { status, headers, body, chunks }: ServiceResponse,
  takeTurn?: () => Promise<void>,
): Response {
  // Bun takes less time for an object than for pairs.
  const record: Record<string, string> = { __proto__: null! };
  for (let at = 0; at < headers.length; at += 2) {
    record[headers[at]!] = headers[at + 1]!;
  }
  const content = chunks
    ? createStream(chunks, takeTurn)
    : body as BodyInit | undefined;
  return new Response(content ?? null, { status, headers: record });
}

/** Creates a stream that reads each chunk when its client has read the previous one. */
function createStream(
  chunks: Chunks,
  takeTurn?: () => Promise<void>,
): ReadableStream {
  return new ReadableStream({
    async pull(controller) {
      await takeTurn?.();
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => closeChunks(chunks),
  }, { highWaterMark: 0 });
}
