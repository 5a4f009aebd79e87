import { readFileSync } from "node:fs";
import process from "node:process";

// The code that all peers share, so that only the library differs. It is
// JavaScript, so it needs neither a loader nor types for the peers.

const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const plants = read(process.env.PLANTS_FILE);

/** The users by token. */
export const users = new Map(
  Object.values(read(process.env.TOKENS_FILE))
    .map(({ plants: access, tokens: [token] }) => [token, {
      seesAll: access === "all",
      tags: new Set(access.tags),
      names: new Set(access.names),
    }]),
);

/** Returns at most the first `limit` plants that the user can see. */
export function list({ seesAll, tags, names }, limit) {
  return plants
    .filter(({ name, tag }) => seesAll || tags.has(tag) || names.has(name))
    .slice(0, limit);
}

/** Whether to keep the last list of each user as JSON. */
export const isCached = process.env.CACHE === "1";

/** The headers of the plant store, which all peers send. */
export const { headers = {} } = JSON.parse(process.env.RESPONSE ?? "{}");
if (!isCached) { // each list has others
  for (const own of ["content-length", "etag"]) delete headers[own];
}

/** Returns the list of a user as JSON from the cache. */
export function listJson(user, limit) {
  if (user.last?.limit !== limit) {
    user.last = { limit, json: JSON.stringify(list(user, limit)) };
  }
  return user.last.json;
}

/** Parses a limit. Returns undefined if there is none, NaN if it is invalid. */
export function readLimit(text) {
  if (text === undefined || text === null) return undefined;
  return typeof text === "string" && /^(?:0|[1-9]\d{0,9})$/.test(text)
    ? Number(text)
    : NaN;
}

const querystring = {
  type: "object",
  properties: { limit: { type: "integer", minimum: 0, maximum: 2147483647 } },
};
const plant = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string" }, tag: { type: "string" } },
};

/** What Fastify checks and sends. */
export const schema = {
  querystring,
  response: { 200: { type: "array", items: plant } },
};

export const port = Number(process.env.PORT);
export const hostname = "127.0.0.1";
