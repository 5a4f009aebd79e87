import type { ApiResponse } from "../../src/page/client/api.ts";
import { titleOf } from "../../src/page/client/explain.ts";
import { sortHeaders } from "../../src/page/client/header_table.ts";

/** Calls the API in the page, so nothing leaves the browser. */
export async function send(
  method: string,
  target: string,
  headers: readonly (readonly [name: string, value: string])[],
): Promise<ApiResponse> {
  const { api } = await import("./api.ts");
  const url = `http://127.0.0.1:8000${target}`;
  const init = { method, headers: headers.map(([...header]) => header) };
  const start = performance.now();
  const response = await api(new Request(url, init));
  const text = await response.text();
  const body = text === "" ? undefined : JSON.parse(text);
  const milliseconds = performance.now() - start;
  return { response, text, body, milliseconds };
}

/** Returns the status line and the headers, as curl prints them. */
export function writeHead(response: Response): string {
  const lines = sortHeaders(response.headers)
    .map(([name, value]) => `${name}: ${value}\n`);
  return `HTTP/1.1 ${titleOf(response)}\n${lines.join("")}\n`;
}
