import type { Fields } from "./cors.ts";
import type { Reply } from "./reply.ts";

/** Adds to a reply the fields that every answer has; the same reply gives the same again. */
export function complete(reply: Reply, { fields, completed }: Fields): Reply {
  let whole = completed.get(reply);
  if (!whole) {
    const headers: Record<string, string> = {
      ...reply.headers,
      ...fields,
      "X-Content-Type-Options": "nosniff",
    };
    if (reply.headers["Vary"] && fields["Vary"]) {
      headers["Vary"] = `${reply.headers["Vary"]}, ${fields["Vary"]}`;
    }
    completed.set(reply, whole = { ...reply, headers });
  }
  return whole;
}
