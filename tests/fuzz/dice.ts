import { createRandom } from "../../bench/stats.ts";

/** Chance, the same one for the same seed. */
export interface Dice {
  /** A whole number from 0 up to `sides`. */
  roll(sides: number): number;
  /** Whether what happens this often has happened. */
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** Dice for the `index`th thing of a seed. */
export function createDice(seed: number, index: number): Dice {
  const random = createRandom(Math.imul(index + 1, 0x9e3779b1) ^ seed);
  random(); // near seeds begin near to one another
  const roll = (sides: number) => Math.floor(random() * sides);
  return {
    roll,
    chance: (probability) => random() < probability,
    pick: (from) => from[roll(from.length)]!,
  };
}
