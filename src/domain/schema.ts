import * as v from "valibot";

// What the schemas share. Their messages are for the person who wrote the value.

/** A non-empty string of well-formed Unicode without U+0000, called `name` in what is said about it. */
export function text(name: string): v.GenericSchema<string> {
  const message = `${name} must be a non-empty string`;
  return v.pipe(
    v.string(message),
    v.nonEmpty(message),
    v.check(
      (value) => value.isWellFormed() && !value.includes("\0"),
      `${name} must be well-formed Unicode without U+0000`,
    ),
  );
}

/** An object with these entries and no others, called `name` in what is said about it. */
export function record<const T extends v.ObjectEntries>(
  name: string,
  entries: T,
): v.GenericSchema<v.InferOutput<v.StrictObjectSchema<T, undefined>>> {
  const keys = Object.keys(entries).join(" and ");
  const object = v.strictObject(
    entries,
    ({ expected }) =>
      expected === "never"
        ? `unknown key: ${name} has ${keys} alone`
        : `${name} must have ${expected}`,
  );
  // For valibot an array is an object too.
  const isObject = (value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  return v.pipe(
    v.custom<v.InferInput<typeof object>>(
      isObject,
      `${name} must be an object`,
    ),
    object,
  );
}

/** One thing that is wrong, and the way to it from the top of the value. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** Whether the last key of the path is at fault, rather than what it leads to. */
  readonly isKey: boolean;
}

/** What valibot found wrong, in the order in which it was found. */
export function toProblems(
  issues: readonly v.BaseIssue<unknown>[],
): Problem[] {
  return issues.flatMap(deepest).map(({ path = [], message, expected }) => ({
    path: path.map(({ key }) => key as string | number),
    message,
    isKey: expected === "never",
  }));
}

/** Of a union that no option fits: what is wrong inside of the option that came nearest. */
function deepest(issue: v.BaseIssue<unknown>): v.BaseIssue<unknown>[] {
  const inside = issue.issues?.filter(({ path }) => path !== undefined) ?? [];
  if (inside.length === 0) return [issue];
  return inside.map((each) => ({
    ...each,
    path: [...(issue.path ?? []), ...each.path!] as typeof each.path,
  }));
}
