import * as v from "valibot";
import { strictObject, withMessage } from "../internal/schema.ts";

/**
 * How long to delay a response, in milliseconds: a number up to 5000, or a range such
 * as `"200-800"`, from which each delay is chosen at random.
 */
export type Delay = number | string;

/**
 * Delays a user's requests for `/plants`, or makes them fail on purpose, to test
 * clients. An empty object has no effect.
 *
 * @example
 * ```ts
 * import type { Behavior } from "plant-store";
 *
 * const behavior: Behavior = { delay: "200-800", fail: "2/3", status: 429 };
 * ```
 */
export interface Behavior {
  /** How long each request takes. */
  readonly delay?: Delay;
  /**
   * Which requests fail: the first two of every three with the same token
   * (`"2/3"`), or 20% at random (`"20%"`).
   */
  readonly fail?: string;
  /** The status of requests that fail. Default: 503. */
  readonly status?: FailureStatus;
}

/** The status of a request that fails on purpose. */
export type FailureStatus = 429 | 500 | 503;

/** The maximum delay, in milliseconds. */
export const MAX_DELAY = 5_000;

/** Parses a delay. Returns the limits of a range, or `undefined` if it is invalid. */
export function parseDelay(
  delay: Delay,
): { readonly min: number; readonly max: number } | undefined {
  const numbers = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(`${delay}`);
  const [, from, to = from] = numbers ?? [];
  const min = Number(from), max = Number(to);
  return min <= max && max <= MAX_DELAY ? { min, max } : undefined;
}

/** `N/M` or `N%`, where both numbers are from 1 to 100. */
const FAIL: RegExp = /^([1-9][0-9]?|100)(?:%|\/([1-9][0-9]?|100))$/;

/** The requests that fail: the first `count` of every `of`, or `count` percent at random. */
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

// `npm run generate` converts these schemas to JSON Schema for editors.

/** The schema for {@linkcode Behavior.delay}. */
const DelaySchema: v.GenericSchema<Delay> = withMessage(
  `delay must be a number of milliseconds from 0 to ${MAX_DELAY}, or a range such as "200-800"`,
  v.union([
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_DELAY)),
    v.pipe(
      v.string(),
      v.regex(/^([0-9]{1,4})-([0-9]{1,4})$/),
      v.check((text) => parseDelay(text) !== undefined),
    ),
  ]),
);

/** The schema for {@linkcode Behavior.fail}. */
const FailSchema: v.GenericSchema<string> = withMessage(
  'fail must be a pattern such as "2/3" or a rate such as "20%", with numbers from 1 to 100',
  v.pipe(
    v.string(),
    v.regex(FAIL),
    v.check((text) => parseFailures(text) !== undefined),
  ),
);

/** The schema for {@linkcode Behavior}. */
export const BehaviorSchema: v.GenericSchema<Behavior> = strictObject(
  "a behavior object",
  {
    delay: v.exactOptional(DelaySchema),
    fail: v.exactOptional(FailSchema),
    status: v.exactOptional(
      v.picklist([429, 500, 503], "status must be 429, 500, or 503"),
    ),
  },
);
