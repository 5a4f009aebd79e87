import { isEncoded } from "../domain/encoded_list.ts";
import { checkList, type PlantList, type User } from "../domain/store.ts";
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
    const chunks = encodeList(list, limit, reportError);
    const { done, value } = await chunks.next();
    const version = identify(list, user); // can be newer than before the first plant
    if (!done) {
      // The whole list is not known, so the ETag depends on what it is from.
      const etag = version && await createEtag(`${limit} ${version}`);
      return { status: 200, headers: createHeaders(etag), chunks };
    }
    const body = encodeText(value);
    const etag = await createEtag(body);
    const headers = createHeaders(etag, "Content-Length", `${body.length}`);
    const response = { status: 200, headers, body };
    if (version && value.length <= MAX_SHORT_LENGTH) {
      cache.add(version, limit, response);
    }
    return response;
  }

  return async (
    user: User,
    limit: number = Infinity,
  ): Promise<ServiceResponse> => {
    const list = await user.list(limit === Infinity ? undefined : limit);
    checkList(list);
    const version = identify(list, user);
    const cached = version && cache.get(version, limit);
    return cached || await create(list, user, limit);
  };
}

/**
 * Returns a text that no other list has, apart from one with another limit. A list of
 * this package knows what the user can see. Other stores can set the version of all
 * plants, which must not show a user those of another.
 */
function identify(list: PlantList, { name }: User): string | undefined {
  const { version } = list;
  if (version === undefined || isEncoded(list)) return version;
  return JSON.stringify([name, version]);
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
