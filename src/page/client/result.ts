import { find, make } from "./dom.ts";
import { isPrivate, suggest } from "./form.ts";
import type { Field } from "./request.ts";

export interface Result {
  readonly title: string;
  readonly status?: number;
  /** The message from the server. */
  readonly message?: unknown;
  readonly meaning: string;
  /** The field to change next. */
  readonly fix?: Field | undefined;
}

export function showResult(result: Result): void {
  const { title, status = "none", message, meaning, fix } = result;
  document.body.dataset["status"] = `${status}`;
  const parts: Node[] = [make("p", { className: "status" }, title)];
  if (typeof message === "string") {
    parts.push(make("blockquote", {}, message));
  }
  parts.push(make("p", {}, meaning));
  const value = fix && suggest(fix);
  if (value) {
    const isSecret = fix === "token" && isPrivate(value);
    const text = isSecret ? "Try your token" : `Try ${fix} ${value}`;
    parts.push(make("button", { name: fix, value }, text));
  }
  find("result").replaceChildren(...parts);
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
  const reason = name === "TimeoutError"
    ? "The server did not respond within 30 seconds"
    : "The server is stopped or unreachable";
  return {
    title: "No response",
    meaning:
      `${reason}, so there is no status code. Start the server, then press Send again.`,
  };
}
