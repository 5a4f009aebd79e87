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

/** Decodes a body. */
export function decode(body: ArrayBuffer | Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
}
