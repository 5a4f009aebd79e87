import document from "./openapi.json" with { type: "json" };

/**
 * Returns the OpenAPI document as formatted JSON.
 *
 * @param baseUrl The URL of the service, without a trailing slash; `""` if it is
 * unknown.
 * @param hasDemoTokens Whether the service accepts demo tokens. Otherwise, the
 * document does not mention the demo data.
 */
export function writeDocument(baseUrl: string, hasDemoTokens = true): string {
  // A relative URL is resolved against the URL of the document.
  const servers = [{ url: baseUrl || "/" }];
  const replacer = hasDemoTokens ? undefined : omitDemo;
  return `${JSON.stringify({ ...document, servers }, replacer, 2)}\n`;
}

/** Omits examples and sentences about the demo data, for `JSON.stringify`. */
function omitDemo(key: string, value: unknown): unknown {
  if (key === "description") return `${value}`.replace(/ [^.]*\bdemo\b.*/, "");
  const isDemo = key === "examples" && /\bdemo\b/.test(JSON.stringify(value));
  return isDemo ? undefined : value;
}
