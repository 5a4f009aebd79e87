import { quote, toCurl } from "../../contract/curl.ts";
import { type ApiRequest, headersOf } from "./api.ts";

/** Functions that write a request as a shell command or as code, by format. */
export const SNIPPETS: Readonly<
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
