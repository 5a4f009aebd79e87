// deno-fmt-ignore-file: one or two lines for each test case
import type { Case, Rule } from "../../verify/case.ts";
import { select } from "../../verify/cases.ts";
import { ALL, type Entry, FERNS, group, NO_STORE } from "../../verify/cases/group.ts";
import { FERN, ODD, PLANTS, SMALL_ROSE } from "../../verify/data.ts";

// The test cases of docs/tutorial.md. They are not part of the core test cases, which allow
// other spellings of integers and fewer headers, and have no parameter for tags.

/** Limits that `Number` accepts, as they are written in a query. */
const SPELLINGS = { hexadecimal: "0x2", exponent: "1e1", sign: "%2B5", space: "+2", point: "5.0" };

const STEPS = group("core", 1, [
  { id: "step.tokens", send: ["GET /plants", "Authorization: Bearer test-renewed"], list: [FERN],
    title: "A token stays valid when another token of its user expires" },
  { id: "step.host", send: ["GET /plants", ALL, "Host: plants.example"], list: PLANTS,
    title: "The host of request.url has no effect" },
  { id: "step.no-store", send: ["GET /plant", ALL], status: 404, headers: NO_STORE,
    title: "A 404 is not stored in caches" },
  { id: "step.allow", send: ["DELETE /plants", ALL], status: 405,
    headers: { allow: ["GET", "HEAD"] }, title: "A 405 lists GET and HEAD in the Allow header" },
  { id: "step.options", send: ["OPTIONS /plants", ALL], status: 405,
    title: "OPTIONS /plants returns 405" },
  ...Object.entries(SPELLINGS).map(([id, limit]): Entry => ({
    id: `step.limit.${id}`, send: [`GET /plants?limit=${limit}`, ALL], status: 400,
    title: `?limit=${limit} returns 400, because the limit is not only digits`,
  })),
]);

const TAG = group("core", 1, [
  { id: "tag.fern", send: ["GET /plants?tag=fern", ALL], list: [FERN],
    title: "?tag=fern returns only ferns" },
  { id: "tag.several", send: ["GET /plants?tag=%E8%98%AD", ALL], list: [ODD, ODD],
    title: "Several plants can have the same tag" },
  { id: "tag.access", send: ["GET /plants?tag=flower", FERNS], list: [],
    title: "?tag=flower returns no plant that the user cannot see" },
  { id: "tag.name", send: ["GET /plants?tag=bonsai", "Authorization: Bearer test-roses"],
    list: [SMALL_ROSE], title: "?tag=bonsai returns a plant that the user sees by its name" },
  { id: "tag.token", send: ["GET /plants?tag=unknown"], status: 401,
    title: "The token is checked before the tag" },
  { id: "tag.limit", send: ["GET /plants?tag=%E8%98%AD&limit=1", ALL], list: [ODD],
    title: "The limit applies to the plants with the tag" },
  { id: "tag.part", send: ["GET /plants?tag=fer", ALL], list: [],
    title: "A part of a tag returns an empty list" },
  { id: "tag.absent", send: ["GET /plants?tags=fern", ALL], list: PLANTS,
    title: "Without the parameter, the list has plants with any tag, and without one" },
]);

/** The test cases of the tutorial that are not part of the contract. */
export const TUTORIAL_CASES: readonly Case[] = [...STEPS, ...TAG];

/** The IDs of those test cases of the contract that exercise 3 is about. */
const CACHING = [
  "conditional.same", "conditional.longer", "conditional.letter-case",
  "conditional.empty", "conditional.head", "conditional.other-user", "conditional.other-limit",
  "conditional.equal-length", "conditional.equal-start",
  "every.etag", "every.private", "every.vary",
];

/** The number of an exercise. Exercise 1 needs no code, so it stands for the steps. */
export type Exercise = 1 | 2 | 3;

/** Returns the test cases of the tutorial up to an exercise. */
export function selectExercise(exercise: Exercise): readonly (Case | Rule)[] {
  return [
    ...select("core"),
    ...exercise === 1 ? STEPS : TUTORIAL_CASES,
    ...exercise === 3 ? select("http", CACHING) : [],
  ];
}
