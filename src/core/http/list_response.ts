import { isEncoded } from "../domain/encoded_list.ts";
import { checkList, type PlantList, type User } from "../domain/store.ts";
import { encodeList } from "./list_json.ts";
import type { Service } from "./responder.ts";
import { createEtag, encodeText, type ServiceResponse } from "./response.ts";
import { createKey, ResponseCache } from "./response_cache.ts";

/** Returns a function that responds with the first `limit` plants that a user can see. */
export function createList({ reportError }: Pick<Service, "reportError">) {
  const cache = new ResponseCache((list) => create(list, list.limit));

  async function create(
    list: PlantList,
    limit: number,
  ): Promise<ServiceResponse> {
    const chunks = encodeList(list, limit, reportError);
    const { done, value } = await chunks.next();
    if (!done) {
      // The whole list is not known, so the ETag depends on what it is made of.
      const key = isEncoded(list, limit) ? createKey(list) : undefined;
      const headers = createHeaders(key && await createEtag(key));
      return { status: 200, headers, chunks };
    }
    const body = encodeText(value);
    const etag = await createEtag(body);
    const headers = createHeaders(etag, "Content-Length", `${body.length}`);
    return { status: 200, headers, body };
  }

  return async (user: User, limit?: number): Promise<ServiceResponse> => {
    const list = await user.list(limit);
    checkList(list);
    const max = limit ?? Infinity;
    return isEncoded(list, max) ? cache.get(list) : create(list, max);
  };
}

function createHeaders(
  etag: string | undefined,
  ...length: readonly string[]
): readonly string[] {
  // deno-fmt-ignore
  return [
    "Content-Type", "application/json",
    ...length,
    ...etag ? ["ETag", etag] : [],
    "Cache-Control", "private, no-cache",
    "Vary", "Authorization",
  ];
}
