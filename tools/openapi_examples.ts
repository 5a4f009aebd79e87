import type { PlantStore } from "../mod.ts";
import { createFetchListener } from "../src/http/handler.ts";
import { resolveLimits } from "../src/server/limits.ts";
import { type ExampleRequest, HEADERS } from "./openapi_answers.ts";

// The examples of the OpenAPI document, as the service answers them.

/** Where the service is when it is started without options. */
export const BASE_URL = "http://127.0.0.1:8000";

/** What OpenAPI describes by other means, or HTTP by itself. */
const FRAMING = new Set(["content-type", "content-length"]);

const ORIGIN = "https://app.example";

/** The settings of cross-origin requests, which have other header fields each. */
const CORS = ["*", ORIGIN, "off"];

/** An example, and the answers that it is taken from. */
export interface Example {
  readonly name: string;
  readonly summary: string;
  /** The header fields with each of the settings. */
  readonly headers: readonly Headers[];
  readonly body: string;
}

/** Sends the request of an example, which has to get this status. */
export async function askExample(
  store: PlantStore,
  status: number,
  name: string,
  { summary, method = "GET", query = "", headers = {}, failure }:
    ExampleRequest,
): Promise<Example> {
  const failing: PlantStore = { authenticate: () => Promise.reject(failure) };
  const responses = await Promise.all(CORS.map((cors) => {
    const { urlLength } = resolveLimits();
    const options = { cors, urlLength, onError() {} };
    const respond = createFetchListener(failure ? failing : store, options);
    return respond(
      new Request(`${BASE_URL}/plants${query}`, {
        method,
        headers: { Origin: ORIGIN, ...headers },
      }),
    );
  }));
  for (const response of responses) {
    if (response.status !== status) {
      throw new Error(`${name} is answered ${response.status}, not ${status}`);
    }
    for (const field of response.headers.keys()) {
      if (FRAMING.has(field) || isDescribed(field)) continue;
      throw new Error(
        `${name} has a header field without description: ${field}`,
      );
    }
  }
  return {
    name,
    summary,
    headers: responses.map(({ headers }) => headers),
    body: await responses[0]!.text(),
  };
}

function isDescribed(field: string): boolean {
  return Object.keys(HEADERS).some((name) => name.toLowerCase() === field);
}

/** The header fields of the answers that examples are taken from. */
export function fieldsOf(examples: readonly Example[]): Headers[] {
  return examples.flatMap(({ headers }) => headers);
}
