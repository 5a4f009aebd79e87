import { readFileSync } from "node:fs";
import process from "node:process";

// The code that all peers share, so that only the library differs. It is
// JavaScript, so it needs neither a loader nor types for the peers.

const { plants, users } = JSON.parse(readFileSync(process.env.SHOP, "utf8"));

/** The access of each token. */
export const accessByToken = new Map(
  Object.entries(users).map(([token, access]) => [
    token,
    access === "all" ? access : {
      tags: new Set(access.tags ?? []),
      names: new Set(access.names ?? []),
    },
  ]),
);

/** Returns the access for an Authorization header, or undefined. */
export function authorize(header) {
  return header?.startsWith("Bearer ")
    ? accessByToken.get(header.slice(7))
    : undefined;
}

/** Returns at most the first `limit` plants that `access` includes. */
export function list(access, limit) {
  return plants
    .filter(({ name, tag }) =>
      access === "all" || access.tags.has(tag) || access.names.has(name)
    )
    .slice(0, limit);
}

/** Parses a limit. Returns undefined if there is none, NaN if it is invalid. */
export function readLimit(text) {
  if (text === undefined || text === null) return undefined;
  return typeof text === "string" && /^(?:0|[1-9]\d{0,9})$/.test(text)
    ? Number(text)
    : NaN;
}

export const port = Number(process.env.PORT);
export const hostname = "127.0.0.1";
