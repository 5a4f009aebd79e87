import { DOCUMENT } from "./document.ts";

/**
 * The OpenAPI document as JSON, for people to read too.
 *
 * @param baseUrl The address that the plants are under, without a slash at its
 * end; `""` where it is not known.
 */
export function writeDocument(baseUrl: string): string {
  // A relative address is resolved against that of the document.
  const servers = [{ url: baseUrl || "/" }];
  return `${JSON.stringify({ ...DOCUMENT, servers }, null, 2)}\n`;
}
