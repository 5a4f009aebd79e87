import type { Findings } from "../lib/result.ts";
import type { Workshop } from "../lib/sides.ts";

/** What belongs together, under a name that `--only` takes. */
export interface Group {
  readonly title: string;
  /** How it is measured, for the reader of the results. */
  readonly about: string;
  /** How many rounds it takes where no number is given. */
  readonly rounds: number;
  run(workshop: Workshop, settings: Settings): Promise<Findings>;
}

/** How long and how often. */
export interface Settings {
  readonly rounds: number;
  /** The seconds of a round. */
  readonly seconds: number;
}

/** The rounds of a comparison: enough for an interval. */
export const ROUNDS = 9;

/** Tells what is going on. */
export function say(text: string): void {
  console.error(text);
}
