import { make } from "./dom.ts";

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

export function showHeaders(
  table: Element,
  headers: readonly (readonly [string, string])[],
): void {
  const rows = headers.map(([name, value]) => {
    const meaning = make("small", {}, MEANINGS.get(name) ?? "");
    const title = make("th", { scope: "row" }, name);
    return make("tr", {}, title, make("td", {}, value, meaning));
  });
  table.replaceChildren(...rows);
}

/** Sorts headers, and restores the names that browsers return in lowercase. */
export function sortHeaders(headers: Headers): [string, string][] {
  const known = [...MEANINGS.keys()].filter((name) => headers.has(name));
  const lowercase = known.map((name) => name.toLowerCase());
  const others = [...headers.keys()].filter((name) =>
    !lowercase.includes(name)
  );
  return [...known, ...others].map((name) => [name, headers.get(name)!]);
}
