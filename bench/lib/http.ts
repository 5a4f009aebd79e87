import { get } from "node:http";
import { headersOf, PATH, type Query } from "./wrk.ts";

/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number;
  /** The fields by their names as sent, without those that the server itself sends on each connection. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const OF_CONNECTION = new Set(["date", "connection", "keep-alive"]);

/** Asks once. */
export function ask(port: number, query: Query): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get({
      host: "127.0.0.1",
      port,
      path: query.path ?? PATH,
      headers: Object.fromEntries(headersOf(query)),
      agent: false,
    }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode = 0, rawHeaders } = response;
        const headers: Record<string, string> = {};
        for (let at = 0; at < rawHeaders.length; at += 2) {
          const name = rawHeaders[at]!;
          if (OF_CONNECTION.has(name.toLowerCase())) continue;
          headers[name] = rawHeaders[at + 1]!;
        }
        resolve({ status: statusCode, headers, body: Buffer.concat(chunks) });
      });
    }).on("error", reject);
  });
}

/** Refuses two sides that answer differently: to time them would say nothing. */
export async function checkEqual(
  names: readonly [string, string],
  ports: readonly [number, number],
  queries: readonly [Query, Query],
  parts: "bytes" | "json",
): Promise<void> {
  const [ours, other] = await Promise.all([
    ask(ports[0], queries[0]),
    ask(ports[1], queries[1]),
  ]);
  const [left, right] = [view(ours, parts), view(other, parts)];
  const status = queries[0].status ?? 200;
  if (ours.status !== status || left !== right) {
    throw new Error(
      `${names[0]} and ${names[1]} must answer alike, with ${status}:\n` +
        `${left.slice(0, 1_000)}\n${right.slice(0, 1_000)}`,
    );
  }
}

function view({ status, headers, body }: Answer, parts: string): string {
  if (parts === "json") {
    return `${status} ${JSON.stringify(JSON.parse(body.toString()))}`;
  }
  const fields = Object.entries(headers)
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .sort();
  return [status, ...fields, body.toString("latin1")].join("\n");
}
