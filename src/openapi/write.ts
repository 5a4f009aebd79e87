import type { Plant } from "../core/domain/plant.ts";
import document from "./openapi.json" with { type: "json" };

const { responses } = document.paths["/plants"].get;

/** The first plants that `demo-florist` can see in the demo data. */
export const EXAMPLE: readonly Plant[] =
  responses["200"].content["application/json"].examples.florist.value;

/**
 * Returns the OpenAPI document as formatted JSON.
 *
 * @param baseUrl The URL of the service, without a trailing slash; `""` if it is
 * unknown.
 * @param isDemo Whether the service has the demo data. Otherwise, the document does
 * not mention it.
 */
export function writeDocument(baseUrl: string, isDemo = true): string {
  // A relative URL is resolved against the URL of the document.
  const servers = [{ url: baseUrl || "/" }];
  const replacer = isDemo ? undefined : omitDemo;
  return `${JSON.stringify({ ...document, servers }, replacer, 2)}\n`;
}

/** Omits examples and sentences about the demo data, for `JSON.stringify`. */
function omitDemo(key: string, value: unknown): unknown {
  if (key === "description") return `${value}`.replace(/ [^.]*\bdemo\b.*/, "");
  const isDemo = key === "examples" && /\bdemo\b/.test(JSON.stringify(value));
  return isDemo ? undefined : value;
}
