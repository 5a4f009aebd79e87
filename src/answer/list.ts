import { STATUS_CODE } from "@std/http/status";
import { addEtag } from "../domain/etag.ts";
import type { EncodedList, PlantList } from "../domain/store.ts";
import type { Promised } from "./after.ts";
import type { Reply } from "./reply.ts";

/** Whether a list can be sent as it is. */
export function isEncoded(list: Promised<PlantList>): list is EncodedList {
  return "body" in list;
}

/** The list in its encoded form, `limit` plants of it at most. */
export function encode(
  list: PlantList,
  limit: number | undefined,
): Promised<EncodedList> {
  if (isEncoded(list)) return list;
  if (!Array.isArray(list)) throw new TypeError("expected a list of plants");
  const text = JSON.stringify(list.slice(0, limit));
  return addEtag(new TextEncoder().encode(text));
}

/** An entity tag (RFC 9110 section 8.8.3); `ifNoneMatch` takes a comma in it for the end of it. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x2b\x2d-\x7e\x80-\xff]*"$/;

/** Keeps what a store got wrong from breaking the header or the framing. */
function check({ body, byteLength, etag }: EncodedList): void {
  if (!ENTITY_TAG.test(etag)) {
    throw new TypeError(
      `etag must be an entity tag without commas, not ${JSON.stringify(etag)}`,
    );
  }
  const bytes = typeof body === "string"
    ? new TextEncoder().encode(body)
    : body;
  if (!(bytes instanceof Uint8Array) || bytes.byteLength !== byteLength) {
    throw new TypeError("byteLength must be the length of the body in bytes");
  }
}

/** The replies to lists, kept as long as the list itself. */
const replies = new WeakMap<EncodedList, Reply>();

/** The reply that carries a list. */
export function listReply(list: EncodedList): Reply {
  let reply = replies.get(list);
  if (!reply) {
    check(list);
    reply = {
      status: STATUS_CODE.OK,
      headers: {
        "Content-Type": "application/json",
        "Content-Length": `${list.byteLength}`,
        "ETag": list.etag,
        "Cache-Control": "private, no-cache",
        "Vary": "Authorization",
      },
      body: list.body,
    };
    replies.set(list, reply);
  }
  return reply;
}
