import type { ApiRequest, ApiResponse, Result } from "./shared/api.ts";
import { find } from "./find.ts";
import { make } from "./shared/dom.ts";
import { isPrivate, type Values } from "./form.ts";

const MAX_EXCHANGES = 8;

/** A request that was sent, and its result. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly values: Values;
  /** How many times in a row the request was sent because of a 429 or 503. */
  readonly attempts: number;
  readonly result: Result;
  readonly received?: ApiResponse;
  /** The response that contains the plants: this one, or before a 304, another. */
  readonly list?: ApiResponse | undefined;
}

/** The most recent exchanges, newest first. */
export const exchanges: Exchange[] = [];

/** Adds the newest exchange; `select` is called when the user selects it. */
export function addExchange(
  exchange: Exchange,
  select: (exchange: Exchange) => void,
): void {
  const { request: { method, url, token }, result } = exchange;
  const lines = [
    isPrivate(token) ? "your token" : token || "no token",
    `${method} ${url.pathname}${url.search}`,
    result.figures?.[1] ?? "",
  ];
  const onclick = () => select(exchange);
  const button = make("button", { type: "button", onclick });
  button.dataset["status"] = `${result.status}`;
  button.append(make("b", {}, result.title));
  button.append(...lines.map((line) => make("small", {}, line.slice(0, 99))));
  exchanges.unshift(exchange);
  exchanges.splice(MAX_EXCHANGES);
  find("history").hidden = false;
  // The other buttons stay, so that none loses the focus.
  find("exchanges").prepend(button);
  const removed = find("exchanges").children[MAX_EXCHANGES];
  if (removed === document.activeElement) button.focus();
  removed?.remove();
}

/** Marks the exchange whose result is shown. */
export function markExchange(shown: Result): void {
  for (const [index, button] of [...find("exchanges").children].entries()) {
    button.ariaPressed = `${exchanges[index]?.result === shown}`;
  }
}
