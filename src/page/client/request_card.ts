import { type ApiRequest, headersOf } from "./api.ts";
import { copyText } from "./clipboard.ts";
import { find, make } from "./dom.ts";
import { updateToken } from "./form.ts";
import { showHeaders } from "./header_table.ts";
import { SNIPPETS } from "./snippets.ts";

let shown: ApiRequest;

export function showRequest(request: ApiRequest): void {
  shown = request;
  const isMasked = updateToken(request.token);
  const visible = isMasked ? { ...request, token: "••••••••" } : request;
  const { method, url } = request;
  find("request-line").replaceChildren(
    make("b", {}, method),
    ` ${url.pathname}${url.search}`,
  );
  showHeaders("request-headers", [["Host", url.host], ...headersOf(visible)]);
  find("snippet").textContent = writeSnippet(visible);
  find("copied").textContent = "";
}

/** Writes a request in the chosen format. */
function writeSnippet(request: ApiRequest): string {
  return SNIPPETS[find<HTMLSelectElement>("format").value]!(request);
}

for (const id of ["show-token", "format"]) {
  find(id).addEventListener("change", () => showRequest(shown));
}
find("copy").addEventListener("click", () => {
  copyText(writeSnippet(shown), find("copied"));
});
