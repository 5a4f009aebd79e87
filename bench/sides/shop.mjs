import { readFileSync } from "node:fs";
import process from "node:process";

// What every peer works on: the same plants, users and rules, so that only the
// library differs. The sides are plain JavaScript: nothing stands between them
// and the runtime, and no types of peers have to be installed.

const { plants, users } = JSON.parse(readFileSync(process.env.SHOP, "utf8"));

/** The plants, in their order. */
export { plants };

/** What the user of a token may see, by the token. */
export const accessByToken = new Map(
  Object.entries(users).map(([token, access]) => [
    token,
    access === "all" ? access : {
      tags: new Set(access.tags ?? []),
      names: new Set(access.names ?? []),
    },
  ]),
);

/** The access of a request's Authorization field, or undefined. */
export function authorize(field) {
  if (field === undefined || field === null) return undefined;
  return field.startsWith("Bearer ")
    ? accessByToken.get(field.slice(7))
    : undefined;
}

/** The first plants that `access` lets see, `limit` of them at most. */
export function list(access, limit = Infinity) {
  const found = [];
  for (const plant of plants) {
    if (found.length >= limit) break;
    if (
      access === "all" || access.tags.has(plant.tag) ||
      access.names.has(plant.name)
    ) {
      found.push(plant);
    }
  }
  return found;
}

/** The same as its documentation's reader would write it. */
export function filter(access, limit) {
  return plants
    .filter(({ name, tag }) =>
      access === "all" || access.tags.has(tag) || access.names.has(name)
    )
    .slice(0, limit);
}

/** A limit as text, undefined for none; NaN where it is no limit. */
export function readLimit(text) {
  if (text === undefined || text === null) return undefined;
  return typeof text === "string" && /^(?:0|[1-9]\d{0,9})$/.test(text)
    ? Number(text)
    : NaN;
}

/** The `limit` of a query, found without parsing all of it. */
export function findLimit(target) {
  const at = target.indexOf("limit=");
  if (at === -1) return undefined;
  const end = target.indexOf("&", at);
  return target.slice(at + 6, end === -1 ? undefined : end);
}

/** The bodies of the refusals. */
export const UNAUTHORIZED = { error: 401, message: "Send a bearer token" };
export const BAD_LIMIT = { error: 400, message: "limit must be a number" };

/** The challenge of a 401. */
export const CHALLENGE = 'Bearer realm="plant-store"';

/** The port to listen on. */
export const port = Number(process.argv[2]);

/** Says that the side answers. */
export function ready() {
  console.log("ready");
}
