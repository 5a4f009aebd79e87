import { type ApiResponse, isTemporary, type Result } from "./api.ts";
import { copyText } from "./clipboard.ts";
import { find, make } from "./dom.ts";
import { isPrivate, suggest } from "./form.ts";
import { showHeaders, sortHeaders } from "./header_table.ts";
import { exchanges } from "./history_card.ts";

/** The maximum number of list items to show. */
const MAX_ITEMS = 100;

let bodyText = "";

/** Shows the status and what it means; screen readers announce it. */
export function showResult(result: Result): void {
  const { title, status, figures = [], cancel, message, meaning } = result;
  find("response").dataset["status"] = `${status}`;
  find("parts").setAttribute("aria-busy", `${status === "waiting"}`);
  const detail = cancel
    ? make("button", { type: "button", onclick: cancel }, "Cancel")
    : make(
      "span",
      { className: "note figures" },
      figures.filter(Boolean).join(" · "),
    );
  const first = make("p", { className: "status" }, title);
  const parts: Node[] = [make("div", { className: "row" }, first, detail)];
  if (typeof message === "string") {
    parts.push(make("p", {}, make("strong", {}, message)));
  }
  if (meaning) parts.push(make("p", {}, meaning));
  const button = makeAction(result);
  if (button) parts.push(button);
  // The button with the focus is about to be removed.
  if (document.activeElement?.closest("#result")) {
    find("send").focus({ preventScroll: true });
  }
  find("result").replaceChildren(...parts);
}

/** Creates a button that sends the request again, or with a different value. */
function makeAction({ status, fix }: Result): Node | undefined {
  const good = exchanges.find(({ list, attempts }) => list && attempts === 1);
  const value = fix && suggest(fix, good?.values);
  if (!value && !isTemporary(status)) return undefined;
  const change = value ? { name: fix, value } : {};
  const button = make("button", change, "Send again");
  if (value) button.textContent = `Try ${fix} ${value}`;
  if (value && fix === "token" && isPrivate(value)) {
    button.textContent = "Try your token";
  }
  button.setAttribute("form", "form");
  return button;
}

/** Shows the body and the headers of a response, if there is one. */
export function showResponse(shown?: ApiResponse): void {
  const { response, text = "" } = shown ?? {};
  const headers = sortHeaders(response?.headers ?? new Headers());
  const cors = headers.filter(([name]) => /^access-control-/i.test(name));
  const others = headers.filter((header) => !cors.includes(header));
  find("header-count").textContent = response ? `${headers.length}` : "";
  find("important").hidden = find("cors").hidden = headers.length === 0;
  showHeaders("key-headers", others.slice(0, 3));
  showHeaders("response-headers", others);
  showHeaders("cors-headers", cors);

  bodyText = text;
  find("body").hidden = find("copy-body").hidden = bodyText === "";
  find("body-note").hidden = bodyText !== "";
  find("body").replaceChildren(...formatBody(shown));
  find("body-copied").textContent = "";
}

/** Formats a body. For a list, each item is on its own line. */
function formatBody(shown: ApiResponse | undefined): (Node | string)[] {
  const { text = "", body } = shown ?? {};
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

find("copy-body").addEventListener("click", () => {
  copyText(bodyText, find("body-copied"));
});
