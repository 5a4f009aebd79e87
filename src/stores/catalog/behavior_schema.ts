import * as v from "valibot";
import { object } from "./schema.ts";

/**
 * Delays a user's lists or makes them fail on purpose, to test clients. An empty
 * object has no effect.
 *
 * @example
 * ```ts
 * import type { Behavior } from "plant-store";
 *
 * const behavior: Behavior = { delay: "200-800", fail: "2/3" };
 * ```
 */
export interface Behavior {
  /**
   * How long each list takes: a number of milliseconds up to 5000, or a range
   * such as `"200-800"`, from which each delay is chosen at random.
   */
  readonly delay?: number | string;
  /**
   * Which lists fail: the first two of every three that are requested with the
   * same token (`"2/3"`), or 20% of all lists at random (`"20%"`).
   */
  readonly fail?: string;
}

/** The maximum delay, in milliseconds. It is short because a list cannot be canceled. */
const MAX_DELAY = 5_000;

const RANGE = /^([0-9]{1,4})-([0-9]{1,4})$/;

/** `N/M` or `N%`, where both numbers are from 1 to 100. */
const FAIL = /^([1-9][0-9]?|100)(?:%|\/([1-9][0-9]?|100))$/;

/** Describes a valid delay, for messages. */
export const DELAY_EXPECTED: string =
  `must be from 0 to ${MAX_DELAY} milliseconds, such as 500 or "200-800"`;

/** Describes a valid `fail`, for messages. */
export const FAIL_EXPECTED =
  'must be a pattern such as "2/3" or a rate such as "20%", with numbers from 1 to 100';

const DELAY_MESSAGE = `delay ${DELAY_EXPECTED}`;
const FAIL_MESSAGE = `fail ${FAIL_EXPECTED}`;

/** Reports only the first problem with a value, because all have the same message. */
const FIRST = { abortPipeEarly: true } as const;

/** The schema for {@linkcode Behavior.delay}. */
export const DelaySchema: v.GenericSchema<number | string> = v.union([
  v.config(
    v.pipe(
      v.number(DELAY_MESSAGE),
      v.integer(DELAY_MESSAGE),
      v.minValue(0, DELAY_MESSAGE),
      v.maxValue(MAX_DELAY, DELAY_MESSAGE),
    ),
    FIRST,
  ),
  v.config(
    v.pipe(
      v.string(DELAY_MESSAGE),
      v.regex(RANGE, DELAY_MESSAGE),
      v.check((text) => {
        const { min, max } = toRange(text);
        return min <= max && max <= MAX_DELAY;
      }, DELAY_MESSAGE),
    ),
    FIRST,
  ),
], DELAY_MESSAGE);

/** The schema for {@linkcode Behavior.fail}. */
export const FailSchema: v.GenericSchema<string> = v.config(
  v.pipe(
    v.string(FAIL_MESSAGE),
    v.regex(FAIL, FAIL_MESSAGE),
    v.check((text) => {
      const { count, of = 100 } = toFailures(text);
      return count <= of;
    }, FAIL_MESSAGE),
  ),
  FIRST,
);

const BEHAVIOR_ENTRIES = {
  delay: v.exactOptional(DelaySchema),
  fail: v.exactOptional(FailSchema),
} as const;

/** The names of the properties that describe behavior. */
export const BEHAVIOR_PROPERTIES: readonly string[] = Object.keys(
  BEHAVIOR_ENTRIES,
);

/** The schema for {@linkcode Behavior}. */
export const BehaviorSchema: v.GenericSchema<Behavior> = object(
  "an object with delay and fail",
  BEHAVIOR_ENTRIES,
);

/** A range of delays, in milliseconds. */
interface Range {
  readonly min: number;
  readonly max: number;
}

/** Returns the range that a valid delay describes. */
export function toRange(delay: number | string): Range {
  if (typeof delay === "number") return { min: delay, max: delay };
  const [, min, max] = RANGE.exec(delay)!;
  return { min: Number(min), max: Number(max) };
}

/** The lists that fail: the first `count` of every `of`, or `count` percent at random. */
interface Failures {
  readonly count: number;
  readonly of?: number;
}

/** Returns the failures that a valid `fail` describes. */
export function toFailures(fail: string): Failures {
  const [, count, of] = FAIL.exec(fail)!;
  return { count: Number(count), ...of !== undefined && { of: Number(of) } };
}
