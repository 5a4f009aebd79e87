import { type ApiRequest, headersOf } from "./api.ts";

/** Functions that write a request as a shell command or as code, by format. */
export const SNIPPETS: Readonly<
  Record<string, (request: ApiRequest) => string>
> = {
  curl(request) {
    const { method, url } = request;
    const options = method === "HEAD" ? ["-I"] : ["-i"];
    if (!["GET", "HEAD"].includes(method)) options.push("-X", method);
    if (/[[\]]/.test(url.href)) options.push("-g"); // curl expands brackets
    for (const [name, value] of headersOf(request)) {
      options.push("-H", quote(`${name}: ${value}`));
    }
    return ["curl", ...options, quote(url.href)].join(" ");
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

/** Quotes an argument for a shell. */
function quote(text: string): string {
  return /^[\w .~:/?=&%+,•-]*$/.test(text)
    ? `"${text}"`
    : `'${text.replaceAll("'", "'\\''")}'`;
}
