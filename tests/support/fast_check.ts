import process from "node:process";
import fc from "fast-check";

/**
 * The seed of generated test cases. By default, it is always the same, so that tests
 * fail only because of a change. `SEED=fresh` chooses a new one.
 */
export const SEED: number = process.env["SEED"] === "fresh"
  ? Math.floor(Math.random() * 2 ** 31)
  : Number(process.env["SEED"] ?? 1);

fc.configureGlobal({ seed: SEED });

/** What an arbitrary generates. */
export type Generated<A> = A extends fc.Arbitrary<infer T> ? T : never;

export default fc;
