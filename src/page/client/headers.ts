import { make } from "./dom.ts";

/** The meanings of headers, in the order in which the table shows them. */
const MEANINGS = new Map([
  ["Host", "Host of the server, set by your browser"],
  ["Authorization", "Caller's credentials"],
  ["If-None-Match", "ETag of your cached copy"],
  ["WWW-Authenticate", "Required scheme and reason for the error"],
  ["Allow", "Methods that this path supports"],
  ["Retry-After", "Seconds to wait before the next request"],
  ["Content-Type", "Format of the body"],
  ["Content-Length", "Size of the body in bytes"],
  ["ETag", "Identifies this version; send it in If-None-Match"],
  ["Cache-Control", "Who can cache the response, and when to revalidate it"],
  ["Vary", "Request headers that the response depends on"],
  ["Access-Control-Allow-Origin", "Origins that can read the response"],
  ["Access-Control-Expose-Headers", "Headers that those origins can read"],
  ["X-Content-Type-Options", "Tells browsers not to guess the type"],
  ["Date", "Time of the response"],
  ["Connection", "Whether the connection stays open"],
  ["Keep-Alive", "Seconds until an idle connection closes"],
]);

/** Creates the rows of a header table. */
export function makeRows(headers: Iterable<[string, string]>): Node[] {
  const left = new Map(headers);
  const rows: Node[] = [];
  for (const [name, meaning] of MEANINGS) {
    // Browsers return the names of response headers in lowercase.
    const key = left.has(name) ? name : name.toLowerCase();
    const value = left.get(key);
    if (value !== undefined) rows.push(makeRow(name, value, meaning));
    left.delete(key);
  }
  return [
    ...rows,
    ...Array.from(left, ([name, value]) => makeRow(name, value)),
  ];
}

function makeRow(name: string, value: string, meaning = ""): Node {
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, name),
    make("td", {}, value, make("small", {}, meaning)),
  );
}
