import { type ApiRequest, headersOf } from "./api.ts";
import { copyText } from "./clipboard.ts";
import { find, make } from "./dom.ts";
import { updateToken } from "./form.ts";
import { showHeaders } from "./header_table.ts";
import { SNIPPETS } from "./snippets.ts";

/** The shown snippet, including the token. */
let snippet = "";

export function showRequest(request: ApiRequest): void {
  const isMasked = updateToken(request.token);
  const visible = isMasked ? { ...request, token: "••••••••" } : request;
  const { method, url } = request;
  const target = ` ${url.pathname}${url.search}`;
  find("request-line").replaceChildren(make("b", {}, method), target);
  showHeaders("request-headers", [["Host", url.host], ...headersOf(visible)]);
  const write = SNIPPETS[find<HTMLSelectElement>("format").value]!;
  snippet = write(request);
  find("snippet").textContent = write(visible);
  find("copied").textContent = "";
}

find("copy").addEventListener("click", () => {
  copyText(snippet, find("copied"));
});
