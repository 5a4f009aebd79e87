import { quote, toCurl } from "../../verify/curl.ts";
import { type ApiRequest, headersOf } from "./api.ts";
import { copyText } from "./clipboard.ts";
import { find, make } from "./dom.ts";
import { updateToken } from "./form.ts";
import { showHeaders } from "./header_table.ts";

/** Functions that write a request as a shell command or as code, by format. */
const SNIPPETS: Readonly<
  Record<string, (request: ApiRequest) => string>
> = {
  curl(request) {
    const { method, url: { origin, pathname, search } } = request;
    const target = pathname + search;
    return toCurl(origin, [{ method, target, headers: headersOf(request) }]);
  },
  fetch(request) {
    const { method, url } = request;
    const headers = Object.fromEntries(headersOf(request));
    const options = JSON.stringify({ method, headers }, null, 2);
    return `const response = await fetch(${JSON.stringify(url)}, ${options});
console.log(response.status, await response.text());`;
  },
  HTTPie(request) {
    const { method, url } = request;
    const headers = headersOf(request)
      .map(([name, value]) => quote(`${name}:${value}`));
    return ["http", method, quote(url.href), ...headers].join(" ");
  },
};

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
