// deno-fmt-ignore-file: one or two lines for each test case
import type { Case, Rule } from "./case.ts";
import { select } from "./cases.ts";
import { ALL, type Entry, FERNS, group, NO_STORE, SAME } from "./cases/group.ts";
import { FERN, ODD, PLANTS, SMALL_ROSE, USERS } from "./data.ts";

// The test cases of docs/tutorial.md. They are not part of the core test cases, which allow
// other spellings of integers and fewer headers, and have no parameter for tags.

/** Limits that `Number` accepts, as they are written in a query. */
const SPELLINGS = {
  hexadecimal: "0x2", exponent: "1e1", sign: "%2B5", space: "+2", "last-space": "5+", point: "5.0",
  "minus-zero": "-0",
};

/** The users; the workers replace `expires`, in milliseconds after the import, with a time. */
export const EXERCISE_USERS: object = {
  ...USERS,
  timed: { plants: "all", tokens: [
    { token: "test-soon", expires: 300_000 }, { token: "test-ended", expires: 1 },
  ] },
};

const STEPS = [...group("core", 2, [
  { id: "step.tokens", send: ["GET /plants", "Authorization: Bearer test-renewed"], list: [FERN],
    title: "A token stays valid when another token of its user expires" },
  { id: "step.query", send: ["GET /plants?tag=unknown"], status: 401,
    title: "The token is checked before the parameters" },
  { id: "step.soon", send: ["GET /plants", "Authorization: Bearer test-soon"], list: PLANTS,
    title: "A token that expires in a few minutes is valid" },
  { id: "step.ended", send: ["GET /plants", "Authorization: Bearer test-ended"], status: 401,
    title: "A token that expired a moment ago is invalid" },
]), ...group("core", 1, [
  { id: "step.host", send: ["GET /plants", ALL, "Host: plants.example"], list: PLANTS,
    title: "The host of request.url has no effect" },
  { id: "step.no-store", send: ["GET /plant", ALL], status: 404, headers: NO_STORE,
    title: "A 404 is not stored in caches" },
  { id: "step.allow", send: ["DELETE /plants", ALL], status: 405,
    headers: { allow: ["GET", "HEAD"] }, title: "A 405 lists GET and HEAD in the Allow header" },
  { id: "step.options", send: ["OPTIONS /plants", ALL], status: 405,
    title: "OPTIONS /plants returns 405" },
  { id: "step.method", send: ["PROPFIND /plants", ALL], status: 405,
    title: "An unknown method returns 405" },
  ...Object.entries(SPELLINGS).map(([id, limit]): Entry => ({
    id: `step.limit.${id}`, send: [`GET /plants?limit=${limit}`, ALL], status: 400,
    title: `?limit=${limit} returns 400, because the limit is not only digits`,
  })),
])];

const TAG = group("core", 1, [
  { id: "tag.fern", send: ["GET /plants?tag=fern", ALL], list: [FERN],
    title: "?tag=fern returns only ferns" },
  { id: "tag.several", send: ["GET /plants?tag=%E8%98%AD", ALL], list: [ODD, ODD],
    title: "Several plants can have the same tag" },
  { id: "tag.access", send: ["GET /plants?tag=flower", FERNS], list: [],
    title: "?tag=flower returns no plant that the user cannot see" },
  { id: "tag.name", send: ["GET /plants?tag=bonsai", "Authorization: Bearer test-roses"],
    list: [SMALL_ROSE], title: "?tag=bonsai returns a plant that the user sees by its name" },
  { id: "tag.limit", send: ["GET /plants?tag=%E8%98%AD&limit=1", ALL], list: [ODD],
    title: "The limit applies to the plants with the tag" },
  { id: "tag.part", send: ["GET /plants?tag=fer", ALL], list: [],
    title: "A part of a tag returns an empty list" },
  { id: "tag.longer", send: ["GET /plants?tag=ferns", ALL], list: [],
    title: "A longer tag returns an empty list" },
  { id: "tag.plant-name", send: ["GET /plants?tag=Rosa%20canina", ALL], list: [],
    title: "The name of a plant returns an empty list" },
  { id: "tag.names", send: ["GET /plants?hashtag=vine&tags=vine&tag=fern", ALL], list: [FERN],
    title: "Parameters with similar names have no effect" },
]);

const CACHING = [
  ...group("http", 6, [
    { id: "caching.stored", send: ["GET /plants", ALL], list: PLANTS,
      headers: { "cache-control": { text: "no-cache without no-store", pattern: /no-cache/i, excluded: /no-store/i } },
      title: "The client can store the list" },
    { id: "caching.changed", send: ["GET /plants", ALL, "Test-Plants: reversed", SAME],
      list: PLANTS.toReversed(), title: "If-None-Match with the ETag of another order returns the list" },
  ]),
  ...select("http", [
    "conditional.same", "conditional.longer", "conditional.letter-case",
    "conditional.empty", "conditional.head", "conditional.other-user", "conditional.other-limit",
    "conditional.equal-length", "conditional.equal-start",
    "every.etag", "every.private", "every.vary",
  ]),
];

/** The number of an exercise. Exercise 1 needs no code, so it stands for the steps. */
export type Exercise = 1 | 2 | 3;

/** The test cases of the steps, and those that each exercise adds. */
export const EXERCISES: Readonly<Record<Exercise, readonly (Case | Rule)[]>> = {
  1: [...select("core"), ...STEPS, ...select("http", [
    "access.concurrent", "credentials.unknown-before-limit", "limit.rejected.over-uint32",
    "limit.rejected.escaped", "limit.rejected.same-twice", "query.names", "ignored.cookie",
  ])],
  2: TAG,
  3: CACHING,
};

/** Returns the test cases of the tutorial up to an exercise. */
export function selectExercise(exercise: Exercise): readonly (Case | Rule)[] {
  return Object.values(EXERCISES).slice(0, exercise).flat();
}
