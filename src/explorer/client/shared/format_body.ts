import type { ApiResponse } from "./api.ts";
import { make } from "./dom.ts";

const MAX_ITEMS = 100;

/** Formats a body. For a list, each item is on its own line. */
export function formatBody(
  { text, body }: Pick<ApiResponse, "text" | "body">,
): (Node | string)[] {
  if (body === undefined) return [text];
  if (!Array.isArray(body) || body.length === 0) {
    return highlight(JSON.stringify(body, null, 2));
  }
  const items = body.slice(0, MAX_ITEMS).map((item) => JSON.stringify(item));
  const rest = body.length - items.length;
  if (rest > 0) items.push(`… and ${rest.toLocaleString("en")} more`);
  const lines = items.map((item, index) => {
    const comma = index < items.length - 1 ? "," : "";
    return make("div", {}, ...highlight(`  ${item}${comma}`));
  });
  return ["[", ...lines, "]"];
}

/** Colors the values, and isolates their text because a name can be right-to-left. */
function highlight(json: string): (Node | string)[] {
  const parts = json.split(/("(?:[^"\\]|\\.)*")/);
  return parts.flatMap((part, index) =>
    index % 2 === 0 || parts[index + 1]!.startsWith(":")
      ? part
      : ['"', make("bdi", {}, part.slice(1, -1)), '"']
  );
}
