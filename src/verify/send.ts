import type { CaseRequest, CaseResponse } from "./case.ts";

/**
 * Sends a request and receives the response.
 *
 * @param signal Aborts the request.
 * @param before A request to send first, on the same connection of a server.
 * @throws {Error} If there is no response.
 */
export type Send = (
  request: CaseRequest,
  signal: AbortSignal,
  before?: CaseRequest,
) => Promise<CaseResponse>;

/** The maximum size of a response, in bytes. */
export const MAX_BYTES = 1_000_000;

/**
 * Reads a body.
 *
 * @throws {RangeError} If it is longer than 1 MB.
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
): Promise<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > MAX_BYTES) throw new RangeError("the body exceeds 1 MB");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
