import type { Fields } from "./cors.ts";
import type { Reply } from "./reply.ts";

/** Replies with the fields of every answer, kept as long as both. */
const completed = new WeakMap<Fields, WeakMap<Reply, Reply>>();

/** Adds to a reply the fields that every answer has. */
export function complete(reply: Reply, fields: Fields): Reply {
  let known = completed.get(fields);
  if (!known) completed.set(fields, known = new WeakMap());
  let whole = known.get(reply);
  if (!whole) {
    const headers: Record<string, string> = {
      ...reply.headers,
      ...fields,
      "X-Content-Type-Options": "nosniff",
    };
    if (reply.headers["Vary"] && fields["Vary"]) {
      headers["Vary"] = `${reply.headers["Vary"]}, ${fields["Vary"]}`;
    }
    known.set(reply, whole = { ...reply, headers });
  }
  return whole;
}
