import { isEncoded } from "../domain/encoded_list.ts";
import { checkList, type PlantList, type User } from "../domain/store.ts";
import { isPromise, type MaybePromise } from "../internal/maybe_promise.ts";
import { encodeList, MAX_SHORT_LENGTH } from "./list_json.ts";
import type { Service } from "./responder.ts";
import { createEtag, encodeText, type ServiceResponse } from "./response.ts";
import { ResponseCache } from "./response_cache.ts";

/** Returns a function that responds with the first `limit` plants that a user can see. */
export function createList({ reportError }: Pick<Service, "reportError">) {
  const cache = new ResponseCache();

  async function create(
    list: PlantList,
    user: User,
    limit: number,
  ): Promise<ServiceResponse> {
    checkList(list);
    let json = isEncoded(list)
      ? list.encodeShort?.(MAX_SHORT_LENGTH)
      : undefined;
    if (json === undefined) {
      const chunks = encodeList(list, limit, reportError);
      const { done, value } = await chunks.next();
      if (!done) {
        // The whole list is not known, so the ETag depends on what it is from.
        const version = identify(list, user);
        const etag = version && await createEtag(`${limit} ${version}`);
        return { status: 200, headers: createHeaders(etag), chunks };
      }
      json = value;
    }
    const body = encodeText(json);
    const etag = await createEtag(body);
    const headers = createHeaders(etag, "Content-Length", `${body.length}`);
    const response = { status: 200, headers, body };
    const version = identify(list, user);
    if (version && json.length <= MAX_SHORT_LENGTH) {
      cache.add(version, limit, response);
    }
    return response;
  }

  // Without a promise for a cached response, which would take 0.5 µs.
  return (
    user: User,
    limit: number = Infinity,
  ): MaybePromise<ServiceResponse> => {
    const found = user.list(limit === Infinity ? undefined : limit);
    function respond(list: PlantList): MaybePromise<ServiceResponse> {
      const version = identify(list, user);
      const cached = version && cache.get(version, limit);
      return cached || create(list, user, limit);
    }
    return isPromise(found)
      ? Promise.resolve(found).then(respond)
      : respond(found);
  };
}

/**
 * Returns a text that identifies the plants of a list before the limit. A custom store
 * can use one version for all plants, so the name of the user is added.
 */
function identify(list: PlantList, { name }: User): string | undefined {
  const version = list?.version;
  if (typeof version !== "string") return undefined; // an untyped store can return null
  return isEncoded(list) ? version : JSON.stringify([name, version]);
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
