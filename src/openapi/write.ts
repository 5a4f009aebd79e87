import document from "./openapi.json" with { type: "json" };

/**
 * Returns the OpenAPI document as formatted JSON.
 *
 * @param baseUrl The URL of the service, without a trailing slash; `""` if it is
 * unknown.
 */
export function writeDocument(baseUrl: string): string {
  // A relative URL is resolved against the URL of the document.
  const servers = [{ url: baseUrl || "/" }];
  return `${JSON.stringify({ ...document, servers }, null, 2)}\n`;
}
