// deno-fmt-ignore-file: one or two lines for each test case
import type { Case } from "../case.ts";
import { ALL, type Entry, group, LIBRARY } from "./group.ts";

/** A target, and the last word of the ID of its test case. */
type Row = readonly [id: string, target: string];

const missing = ([id, target]: Row): Entry => ({
  id: `path.missing.${id}`, send: [`GET ${target}`, ALL], status: 404,
  title: `${target} returns 404, because paths must match exactly`,
});
const guarded = ([id, target]: Row): Entry => ({
  id: `path.guarded.${id}`, send: [`GET ${target}`], status: [301, 307, 308, 400, 401, 404],
  ...LIBRARY, title: `${target} does not return the plants without a token`,
});

const MISSING = {
  "other": "/v1/plants", "slash": "/plants/", "case": "/Plants", "longer": "/plants.json",
  "inner": "/plants/1", "parameter": "/plants;v=1", "constructor": "/constructor",
};
const UNUSUAL = {
  "twice-escaped": "/%2570lants", "singular": "/plant", "dot": "/plants.", "plus": "/pl+ants",
  "asterisk": "/*",
};
/** Targets that servers can resolve, redirect, or reject. */
const GUARDED = {
  "escaped": "/%70lants", "upper-case": "/PLANTS", "double-slash": "//plants",
  "last-slash": "/plants/", "dots": "/x/../plants",
};

export const PATHS: readonly Case[] = [
  ...group("core", 8, Object.entries(MISSING).map(missing)),
  ...group("http", 8, [
    ...Object.entries(UNUSUAL).map(missing),
    ...Object.entries(GUARDED).map(guarded),
  ]),
];
