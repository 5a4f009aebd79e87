import process from "node:process";
import fc from "fast-check";

/**
 * The seed of generated test cases. By default, it is always the same, so that a
 * change fails only for its own reasons. `SEED=fresh` chooses another one.
 */
export const SEED: number = process.env["SEED"] === "fresh"
  ? Math.floor(Math.random() * 2 ** 31)
  : Number(process.env["SEED"] ?? 1);

fc.configureGlobal({ seed: SEED });

export default fc;
