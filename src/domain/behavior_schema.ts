import * as v from "valibot";
import {
  type Behavior,
  type Delay,
  FAIL,
  MAX_DELAY,
  parseDelay,
  parseFailures,
} from "./behavior.ts";
import { object, withMessage } from "./schema.ts";

// `npm run generate` converts these schemas to JSON Schema for editors.

/** The schema for {@linkcode Behavior.delay}. */
const DelaySchema: v.GenericSchema<Delay> = withMessage(
  `delay must be from 0 to ${MAX_DELAY} milliseconds, such as 500 or "200-800"`,
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
export const BehaviorSchema: v.GenericSchema<Behavior> = object(
  "an object with delay, fail, and status",
  {
    delay: v.exactOptional(DelaySchema),
    fail: v.exactOptional(FailSchema),
    status: v.exactOptional(
      v.picklist([429, 500, 503], "status must be 429, 500, or 503"),
    ),
  },
);
