import type { PlantStore } from "../domain/store.ts";
import { isPromised, type Promised } from "./after.ts";
import {
  type AnswerOptions,
  createAnswer,
  type HandlerOptions,
} from "./answer.ts";
import type { Reply } from "./reply.ts";
import type { AnswerRequest } from "./request.ts";

/** A function from a request to its response, as `Deno.serve` and others take it. */
export type Handler = (request: Request) => Promise<Response>;

/**
 * Creates the plant store's handler over `Request` and `Response`. The response
 * never rejects: what goes wrong is an answer.
 *
 * @param store Where the plants come from.
 * @param options How the handler answers; read once, never written.
 * @returns The handler.
 * @throws {RangeError} When an option can't be used.
 *
 * @example
 * ```ts
 * import { createHandler, createMemoryStore } from "plant-store";
 * import { assertEquals } from "@std/assert";
 *
 * const store = createMemoryStore({ plants: [], users: {} });
 * const handler = createHandler(store);
 *
 * const response = await handler(new Request("http://localhost/plants"));
 * assertEquals(response.status, 401);
 * assertEquals(
 *   response.headers.get("www-authenticate"),
 *   'Bearer realm="plant-store"',
 * );
 * ```
 */
export function createHandler(
  store: PlantStore,
  options: HandlerOptions = {},
): Handler {
  const { answer } = createAnswer(store, options);
  return async (request) =>
    createResponse(await answer(new FetchRequest(request)));
}

/** A function from a request to its response, at once where it is at hand. */
export type Responder = (request: Request) => Promised<Response>;

/**
 * The handler for a server, which accepts a response that is not a promise, and
 * whose responses nothing else can read: their clones share bytes.
 */
export function createResponder(
  store: PlantStore,
  options: AnswerOptions,
): Responder {
  const { answer } = createAnswer(store, options);
  return (request) => {
    const reply = answer(new FetchRequest(request));
    return isPromised(reply) ? reply.then(toResponse) : toResponse(reply);
  };
}

/** A request of the Fetch standard, as the answer asks for it. */
class FetchRequest implements AnswerRequest {
  readonly method: string;
  readonly target: string;
  readonly #headers: Headers;

  constructor({ method, url, headers }: Request) {
    this.method = method;
    // A server hands the asterisk-form on as a path.
    this.target = method === "OPTIONS" && ASTERISK.test(url) ? "*" : url;
    this.#headers = headers;
  }

  get scheme(): "http" | "https" {
    return this.target.startsWith("https:") ? "https" : "http";
  }

  header(name: string): string | undefined {
    return this.#headers.get(name) ?? undefined;
  }
}

/** The responses of replies that are given again and again. */
const responses = new WeakMap<Reply, Response>();

/** Where to clone a response costs less than to build one; Node's clones hang on one another. */
const canClone = "Deno" in globalThis || "Bun" in globalThis;

function toResponse(reply: Reply): Response {
  let response = responses.get(reply);
  if (response) return response.clone();
  response = createResponse(reply);
  if (!canClone) return response;
  responses.set(reply, response);
  return response.clone();
}

/** Creates a response that shares no bytes with another one. */
function createResponse(reply: Reply): Response {
  return new Response(reply.body as BodyInit | undefined ?? null, reply);
}

/** What the target `*` becomes in a request's URL; on workerd it has no slash. */
const ASTERISK = /^https?:\/\/[^/?#]*\/?\*$/;
