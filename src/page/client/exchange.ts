import { copyText } from "./clipboard.ts";
import { find, make, plural } from "./dom.ts";
import { updateToken } from "./form.ts";
import { makeRows } from "./headers.ts";
import { type ApiRequest, headersOf } from "./request.ts";
import type { ApiResponse } from "./response.ts";
import { SNIPPETS } from "./snippets.ts";

/** The maximum number of list items to show. */
const MAX_ITEMS = 100;

let shown: ApiRequest;
let bodyText = "";

export function showRequest(request: ApiRequest): void {
  shown = request;
  const isMasked = updateToken(request.token);
  const visible = isMasked ? { ...request, token: "••••••••" } : request;
  const { method, url } = request;
  find("request-line").replaceChildren(
    make("b", {}, method),
    url.pathname + url.search,
  );
  find("request-headers").replaceChildren(
    ...makeRows([["Host", url.host], ...headersOf(visible)]),
  );
  find("conditional").hidden = !request.etag;
  find("snippet").textContent = writeSnippet(visible);
  find("copied").textContent = "";
}

/** Writes a request in the chosen format. */
function writeSnippet(request: ApiRequest): string {
  const isConditional = find<HTMLInputElement>("with-etag").checked;
  const write = SNIPPETS[find<HTMLSelectElement>("format").value]!;
  return write(isConditional ? request : { ...request, etag: null });
}

export function showResponse(title: string, response?: ApiResponse): void {
  const line = find("response-line");
  line.hidden = false;
  line.replaceChildren(make("b", {}, title));
  if (response) {
    line.append(make("span", {}, `in ${response.milliseconds.toFixed(1)} ms`));
  }
  find("response-headers").replaceChildren(
    ...makeRows(response?.headers ?? []),
  );
  bodyText = response?.text ?? "";
  find("body").hidden = bodyText === "";
  find("body-note").textContent = describeBody(response);
  find("body-text").textContent = formatBody(response?.body) ?? bodyText;
  find("body-copied").textContent = "";
}

function describeBody(response: ApiResponse | undefined): string {
  if (!response) return "No status, headers, or body.";
  const { status, text, body } = response;
  if (status === 304) {
    return "No body. The plants below are from your cached copy.";
  }
  if (text === "") return "No body.";
  const size = plural(new Blob([text]).size, "byte");
  return `Body: ${size}${body === undefined ? "" : ", formatted"}.`;
}

/** Formats a body. For a list, each item is on its own line. */
function formatBody(body: unknown): string | undefined {
  if (!Array.isArray(body) || body.length === 0) {
    return JSON.stringify(body, null, 2);
  }
  const lines = body.slice(0, MAX_ITEMS)
    .map((item) => `  ${JSON.stringify(item)}`);
  const rest = body.length - lines.length;
  if (rest > 0) lines.push(`  … and ${rest.toLocaleString("en")} more`);
  return `[\n${lines.join(",\n")}\n]`;
}

for (const id of ["show-token", "format", "with-etag"]) {
  find(id).addEventListener("change", () => showRequest(shown));
}
find("copy").addEventListener("click", () => {
  copyText(writeSnippet(shown), find("copied"));
});
find("copy-body").addEventListener("click", () => {
  copyText(bodyText, find("body-copied"));
});
