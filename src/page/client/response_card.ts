import type { ApiResponse, Field } from "./api.ts";
import { copyText } from "./clipboard.ts";
import { find, make } from "./dom.ts";
import { isPrivate, suggest } from "./form.ts";
import { showHeaders, sortHeaders } from "./header_table.ts";

/** The maximum number of list items to show. */
const MAX_ITEMS = 100;

export interface Result {
  readonly title: string;
  /** The status code, or a state without one. */
  readonly status?: number | "waiting";
  /** The size and duration. */
  readonly figures?: string;
  /** The message from the server. */
  readonly message?: unknown;
  readonly meaning?: string;
  /** The field to change next. */
  readonly fix?: Field | undefined;
}

let bodyText = "";

/** Shows the status and what it means; screen readers announce it. */
export function showResult(result: Result): void {
  const { title, status = "none", figures, message, meaning, fix } = result;
  document.body.dataset["status"] = `${status}`;
  find("response").ariaBusy = `${status === "waiting"}`;
  find("cancel").hidden = status !== "waiting";
  const parts: Node[] = [
    make("p", { className: "status" }, title),
    make("p", { className: "note figures" }, figures ?? ""),
  ];
  if (typeof message === "string") parts.push(make("blockquote", {}, message));
  if (meaning) parts.push(make("p", {}, meaning));
  const button = status === 503 ? makeButton("Send again") : makeFix(fix);
  if (button) parts.push(button);
  find("result").replaceChildren(...parts);
}

function makeFix(field: Field | undefined): Node | undefined {
  const value = field && suggest(field);
  if (!value) return undefined;
  const isSecret = field === "token" && isPrivate(value);
  const text = isSecret ? "Try your token" : `Try ${field} ${value}`;
  return makeButton(text, { name: field, value });
}

/** Creates a button that submits the form. */
function makeButton(
  text: string,
  properties: Partial<HTMLButtonElement> = {},
): Node {
  const button = make("button", properties, text);
  button.setAttribute("form", "form");
  return button;
}

/** Shows the body and the headers of a response, or says that it has no body. */
export function showResponse(response?: ApiResponse): void {
  const headers = sortHeaders(response?.headers ?? new Headers());
  const cors = headers.filter(([name]) => /^access-control-/i.test(name));
  const others = headers.filter((header) => !cors.includes(header));
  find("header-count").textContent = response ? `${headers.length}` : "";
  find("important").hidden = !showHeaders("key-headers", others.slice(0, 3));
  find("headers-note").hidden = !!showHeaders("response-headers", others);
  find("cors").hidden = !showHeaders("cors-headers", cors);

  bodyText = response?.text ?? "";
  find("body").hidden = find("copy-body").hidden = bodyText === "";
  find("body").replaceChildren(...formatBody(response));
  find("body-note").hidden = bodyText !== "";
  find("body-note").textContent = describeBody(response);
  find("body-copied").textContent = "";
}

function describeBody(response: ApiResponse | undefined): string {
  if (!response) return "No status, headers, or body.";
  return response.status === 304
    ? "No body. The Plants tab shows your cached copy."
    : "No body.";
}

/** Formats a body. For a list, each item is on its own line. */
function formatBody(response: ApiResponse | undefined): (Node | string)[] {
  const { text = "", body } = response ?? {};
  if (body === undefined) return [text];
  if (!Array.isArray(body) || body.length === 0) {
    return highlight(JSON.stringify(body, null, 2));
  }
  const lines = body.slice(0, MAX_ITEMS)
    .map((item) => `  ${JSON.stringify(item)}`);
  const rest = body.length - lines.length;
  if (rest > 0) lines.push(`  … and ${rest.toLocaleString("en")} more`);
  return highlight(`[\n${lines.join(",\n")}\n]`);
}

/** Colors the values, and isolates them because a name can be right-to-left. */
function highlight(json: string): (Node | string)[] {
  const parts = json.split(/("(?:[^"\\]|\\.)*")/);
  return parts.map((part, index) =>
    index % 2 === 0 || parts[index + 1]!.startsWith(":")
      ? part
      : make("bdi", {}, part)
  );
}

export function describeFailure(error: unknown): Result {
  const { name } = Object(error);
  if (name === "InvalidCharacterError") {
    return {
      title: "Request not sent",
      meaning:
        "The token contains characters that are not allowed in a header.",
    };
  }
  if (name === "AbortError") {
    const meaning = "You stopped waiting for the response.";
    return { title: "Canceled", meaning };
  }
  const reason = name === "TimeoutError"
    ? "The server did not respond within 90 seconds"
    : "The server is stopped or unreachable";
  const meaning =
    `${reason}, so there is no status code. Start the server, then press Send again.`;
  return { title: "No response", meaning };
}

find("copy-body").addEventListener("click", () => {
  copyText(bodyText, find("body-copied"));
});
