import { find, make } from "./dom.ts";

/** The meanings of headers, with the most important ones first. */
const MEANINGS = new Map([
  ["Host", "Host of the server, set by your browser"],
  ["Authorization", "Caller's credentials"],
  ["If-None-Match", "ETag of your cached copy"],
  ["WWW-Authenticate", "Required scheme and reason for the error"],
  ["Allow", "Methods that this path supports"],
  ["Retry-After", "Seconds to wait before the next request"],
  ["ETag", "Identifies this version; send it in If-None-Match"],
  ["Cache-Control", "Who can cache the response, and when to revalidate it"],
  ["Vary", "Request headers that the response depends on"],
  ["Content-Type", "Format of the body"],
  ["Content-Length", "Size of the body in bytes"],
  ["X-Content-Type-Options", "Tells browsers not to guess the type"],
  ["Date", "Time of the response"],
  ["Connection", "Whether the connection stays open"],
  ["Keep-Alive", "Seconds until an idle connection closes"],
  ["Access-Control-Allow-Origin", "Origins that can read the response"],
  ["Access-Control-Expose-Headers", "Headers that those origins can read"],
]);

/** Fills in a table of headers, and returns how many rows it has. */
export function showHeaders(
  id: string,
  headers: readonly (readonly [string, string])[],
): number {
  find(id).replaceChildren(...headers.map(([name, value]) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, name),
      make("td", {}, value, make("small", {}, MEANINGS.get(name) ?? "")),
    )
  ));
  return headers.length;
}

/** Sorts headers, and restores the names that browsers return in lowercase. */
export function sortHeaders(headers: Headers): [string, string][] {
  const left = new Map(headers);
  const known: [string, string][] = [];
  for (const name of MEANINGS.keys()) {
    const value = left.get(name.toLowerCase());
    if (value !== undefined) known.push([name, value]);
    left.delete(name.toLowerCase());
  }
  return [...known, ...left];
}
