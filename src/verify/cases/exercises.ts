// deno-fmt-ignore-file: one or two lines for each test case
import type { Case, CaseInfo } from "../case.ts";
import { createClient } from "../client.ts";
import { FERN, PLANTS, ROSE } from "../data.ts";
import { runCase, startRun } from "../run_case.ts";
import type { FetchHandler } from "../send_to_handler.ts";
import { type CaseResult, listCases, verify } from "../verify.ts";
import { ALL, type Entry, FERNS, toCase } from "./entry.ts";

// The test cases of the exercises in docs/tutorial.md. They are not part of the contract,
// which has no parameter for tags.

const TAG: readonly Entry[] = [
  { id: "tag.fern", send: ["GET /plants?tag=fern", ALL], list: [FERN],
    title: "?tag=fern returns only ferns" },
  { id: "tag.access", send: ["GET /plants?tag=flower", FERNS], list: [],
    title: "?tag=flower returns no plant that the user cannot see" },
  { id: "tag.limit", send: ["GET /plants?limit=1&tag=flower", ALL], list: [ROSE],
    title: "The limit applies to the plants with the tag" },
  { id: "tag.part", send: ["GET /plants?tag=fer", ALL], list: [],
    title: "A part of a tag returns an empty list" },
  { id: "tag.absent", send: ["GET /plants?tags=fern", ALL], list: PLANTS,
    title: "Without the parameter, the list has plants with any tag, and without one" },
];

/** The test cases of exercise 2. */
export const TAG_CASES: readonly Case[] = TAG.map((entry) =>
  toCase({ kind: "case", specification: "tutorial", level: "core", section: 1 }, entry)
);

/** The first words of the IDs of those test cases of the contract that exercise 3 is about. */
const CACHING = {
  level: "http",
  only: [
    "conditional.same", "conditional.longer", "conditional.letter-case",
    "conditional.empty", "conditional.head", "conditional.other-", "conditional.equal-",
    "every.etag", "every.private", "every.vary",
  ],
} as const;

/** The number of an exercise; that of exercise 1 needs no code. */
export type Exercise = 2 | 3;

/** Returns the core test cases, and those of the exercises up to one. */
export function listExercise(exercise: Exercise): readonly CaseInfo[] {
  const caching = exercise === 3 ? listCases(CACHING) : [];
  return [...listCases({ level: "core" }), ...TAG_CASES, ...caching];
}

/**
 * Runs the core test cases, and those of the exercises up to one.
 *
 * @param timeout The time limit for each request, in milliseconds.
 * @throws {Error} If the response to the first request is missing or not from this API.
 */
export async function* verifyExercise(
  handler: FetchHandler,
  exercise: Exercise,
  timeout: number,
): AsyncGenerator<CaseResult, void, undefined> {
  yield* verify(handler, { level: "core", timeout });
  yield* verifyTag(handler, timeout);
  if (exercise === 3) yield* verify(handler, { ...CACHING, timeout });
}

async function* verifyTag(handler: FetchHandler, timeout: number) {
  const client = await createClient(handler, { timeout });
  const run = await startRun(client, false);
  for (const test of TAG_CASES) {
    const { requests, response, differences } = (await runCase(test, run))!;
    yield {
      ...toInfo(test),
      status: differences.length > 0 ? "failed" as const : "passed" as const,
      request: client.toCurl(requests),
      ...response && {
        response: { ...response, headers: Object.fromEntries(response.headers) },
      },
      differences,
      duration: 0,
    };
  }
}

function toInfo({ specification, id, level, section, title }: Case): CaseInfo {
  return { specification, id, level, section, title };
}
