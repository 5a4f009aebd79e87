import {
  type ApiResponse,
  isTemporary,
  PLANTS_PATH,
  type Result,
} from "./shared/api.ts";
import { copyText } from "./shared/clipboard.ts";
import { find } from "./find.ts";
import { make } from "./shared/dom.ts";
import { formatBody } from "./shared/format_body.ts";
import { isPrivate, suggest } from "./form.ts";
import { showHeaders, sortHeaders } from "./shared/header_table.ts";
import { exchanges } from "./history_card.ts";

let bodyText = "";

/** Shows the status and what it means; screen readers announce it. */
export function showResult(result: Result): void {
  const { title, status, figures = [], message, meaning } = result;
  find("response").dataset["status"] = `${status}`;
  find("parts").ariaBusy = `${status === "waiting"}`;
  const parts = [
    make("p", { className: "status" }, title),
    make(
      "span",
      { className: "note" },
      figures.filter(Boolean).join(" · "),
    ),
  ];
  const texts = [make("div", { className: "row" }, ...parts)];
  if (typeof message === "string") {
    texts.push(make("p", {}, make("strong", {}, message)));
  }
  if (meaning) texts.push(make("p", {}, meaning));
  find("outcome").replaceChildren(...texts);
  const focused = document.activeElement;
  find("cancel").hidden = status !== "waiting";
  showNext(result);
  if (focused?.matches("#result [hidden]")) {
    find("send").focus({ preventScroll: true });
  }
}

/** Offers to send the request again, or with a different value. */
function showNext({ status, fix }: Result): void {
  const good = exchanges.find(({ list, attempts, values }) =>
    list && attempts === 1 && values.path === PLANTS_PATH &&
    values.limit !== "0"
  );
  const value = fix && suggest(fix, good?.values);
  const next = find<HTMLButtonElement>("next");
  next.hidden = !value && !isTemporary(status);
  next.name = value ? fix : "";
  next.value = value ?? "";
  next.textContent = !value
    ? "Send again"
    : fix === "token" && isPrivate(value)
    ? "Try your token"
    : `Try ${fix} ${value}`;
}

/** Shows the body and the headers of a response, if there is one. */
export function showResponse(shown?: ApiResponse): void {
  const { response, text = "", body } = shown ?? {};
  const headers = sortHeaders(response?.headers ?? new Headers());
  const cors = headers.filter(([name]) => /^access-control-/i.test(name));
  const others = headers.filter((header) => !cors.includes(header));
  find("header-count").textContent = response ? `${headers.length}` : "";
  find("important").hidden = find("cors").hidden = headers.length === 0;
  showHeaders(find("key-headers"), others.slice(0, 3));
  showHeaders(find("response-headers"), others);
  showHeaders(find("cors-headers"), cors);

  bodyText = text;
  find("body").hidden = find("copy-body").hidden = bodyText === "";
  find("body-note").hidden = bodyText !== "" || !response;
  find("body").replaceChildren(...formatBody({ text, body }));
  find("body-copied").textContent = "";
}

find("copy-body").addEventListener("click", () => {
  copyText(bodyText, find("body-copied"));
});
