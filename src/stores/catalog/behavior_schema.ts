import * as v from "valibot";
import { type Delay, parseDelay } from "../../domain/delay.ts";
import { object, withMessage } from "./schema.ts";

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
  readonly delay?: Delay;
  /**
   * Which lists fail: the first two of every three that are requested with the
   * same token (`"2/3"`), or 20% of all lists at random (`"20%"`).
   */
  readonly fail?: string;
}

/** The maximum delay, in milliseconds. It is short because a list cannot be canceled. */
export const MAX_DELAY = 5_000;

/** `N/M` or `N%`, where both numbers are from 1 to 100. */
const FAIL = /^([1-9][0-9]?|100)(?:%|\/([1-9][0-9]?|100))$/;

/** Describes a valid delay, for messages. */
export const DELAY_EXPECTED: string =
  `must be from 0 to ${MAX_DELAY} milliseconds, such as 500 or "200-800"`;

/** Describes a valid `fail`, for messages. */
export const FAIL_EXPECTED =
  'must be a pattern such as "2/3" or a rate such as "20%", with numbers from 1 to 100';

// `npm run generate` converts these schemas to JSON Schema for editors.

/** The schema for {@linkcode Behavior.delay}. */
export const DelaySchema: v.GenericSchema<Delay> = withMessage(
  `delay ${DELAY_EXPECTED}`,
  v.union([
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_DELAY)),
    v.pipe(
      v.string(),
      v.regex(/^([0-9]{1,4})-([0-9]{1,4})$/),
      v.check((text) => parseDelay(text, MAX_DELAY) !== undefined),
    ),
  ]),
);

/** The schema for {@linkcode Behavior.fail}. */
export const FailSchema: v.GenericSchema<string> = withMessage(
  `fail ${FAIL_EXPECTED}`,
  v.pipe(
    v.string(),
    v.regex(FAIL),
    v.check((text) => parseFailures(text) !== undefined),
  ),
);

/** The schema for {@linkcode Behavior}. */
export const BehaviorSchema: v.GenericSchema<Behavior> = object(
  "an object with delay and fail",
  { delay: v.exactOptional(DelaySchema), fail: v.exactOptional(FailSchema) },
);

/** The lists that fail: the first `count` of every `of`, or `count` percent at random. */
interface Failures {
  readonly count: number;
  readonly of: number | undefined;
}

/** Parses `fail`. Returns `undefined` if it is invalid. */
export function parseFailures(fail: string): Failures | undefined {
  const found = FAIL.exec(fail);
  if (!found) return undefined;
  const count = Number(found[1]);
  const of = found[2] === undefined ? undefined : Number(found[2]);
  return count <= (of ?? 100) ? { count, of } : undefined;
}
