import * as v from "valibot";
import { strictObject, withMessage } from "../internal/schema.ts";

/**
 * How long to delay a response, in milliseconds: a number up to 5000, or a range such
 * as `"200-800"`, from which each delay is chosen at random.
 */
export type Delay = number | `${number}-${number}`;

/**
 * Delays a user's requests for `/plants`, or simulates failures, to test clients. An
 * empty object has no effect.
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
  readonly fail?: `${number}/${number}` | `${number}%`;
  /** The status of requests that fail. Default: 503. */
  readonly status?: FailureStatus;
}

/** The status of a simulated failure. */
export type FailureStatus = 429 | 500 | 503;

/** The maximum delay, in milliseconds. */
export const MAX_DELAY = 5_000;

/** `N/M` or `N%`, where both numbers are from 1 to 100. */
const FAIL: RegExp = /^([1-9][0-9]?|100)(?:%|\/([1-9][0-9]?|100))$/;

/** Returns the limits of a delay. */
export function parseDelay(
  delay: number | string,
): { readonly min: number; readonly max: number } {
  const [min = 0, max = min] = `${delay}`.split("-").map(Number);
  return { min, max };
}

/** Returns which requests fail: the first `count` of every `of`, or that share at random. */
export function parseFail(
  fail: string,
): { readonly count: number; readonly of: number; readonly isRandom: boolean } {
  const [count = 0, of = 100] = fail.replace("%", "").split("/").map(Number);
  return { count, of, isRandom: fail.endsWith("%") };
}

// `npm run generate` converts these schemas to JSON Schema for editors.

const DelaySchema = withMessage(
  `delay must be a number of milliseconds from 0 to ${MAX_DELAY}, or a range such as "200-800"`,
  v.union([
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_DELAY)),
    v.pipe(
      v.string(),
      v.regex(/^([0-9]{1,4})-([0-9]{1,4})$/),
      v.check((text) => {
        const { min, max } = parseDelay(text);
        return min <= max && max <= MAX_DELAY;
      }),
    ),
  ]),
);

const FailSchema = withMessage(
  'fail must be a pattern such as "2/3" or a rate such as "20%", with numbers from 1 to 100',
  v.pipe(
    v.string(),
    v.regex(FAIL),
    v.check((text) => {
      const { count, of } = parseFail(text);
      return count <= of;
    }),
  ),
);

export const BehaviorSchema = strictObject("a behavior object", {
  delay: v.optional(DelaySchema),
  fail: v.optional(FailSchema),
  status: v.optional(
    v.picklist([429, 500, 503], "status must be 429, 500, or 503"),
  ),
}) as v.GenericSchema<Behavior>;

export function isBehavior(value: unknown): value is Behavior {
  return v.is(BehaviorSchema, value);
}
