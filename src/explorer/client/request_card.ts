import { quoteShellWord } from "../../shared/shell.ts";
import { type ApiRequest, headersOf } from "./shared/api.ts";
import { copyText } from "./shared/clipboard.ts";
import { find } from "./find.ts";
import { make } from "./shared/dom.ts";
import { updateToken } from "./form.ts";
import { showHeaders } from "./shared/header_table.ts";

type Write = (method: string, url: URL, headers: [string, string][]) => string;

/** Functions that write a request as a shell command or as code, by format. */
const SNIPPETS: Readonly<Record<string, Write>> = {
  curl(method, { href }, headers) {
    const options = [method === "HEAD" ? "-I" : "-i"];
    if (!/^(?:GET|HEAD)$/.test(method)) options.push(`-X ${method}`);
    if (/[[\]{}]/.test(href)) options.push("-g");
    for (const header of headers) {
      options.push(`-H ${quoteShellWord(header.join(": "))}`);
    }
    return ["curl", ...options, quoteShellWord(href)].join(" ");
  },
  fetch(method, { href }, headers) {
    const init = { method, headers: Object.fromEntries(headers) };
    const options = JSON.stringify(init, null, 2);
    return `const response = await fetch(${JSON.stringify(href)}, ${options});
console.log(response.status, await response.text());`;
  },
  Python(method, { href }, headers) {
    const object = JSON.stringify(Object.fromEntries(headers));
    return `import requests

url = ${JSON.stringify(href)}
response = requests.request("${method}", url, headers=${object})
print(response.status_code, response.text)`;
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
  showHeaders(find("request-headers"), [
    ["Host", url.host],
    ...headersOf(visible),
  ]);
  const write = SNIPPETS[find<HTMLSelectElement>("format").value]!;
  snippet = write(method, url, headersOf(request));
  find("snippet").textContent = write(method, url, headersOf(visible));
  find("copied").textContent = "";
}

find("copy").addEventListener("click", () => {
  copyText(snippet, find("copied"));
});
