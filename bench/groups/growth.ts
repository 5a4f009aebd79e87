import process from "node:process";
import { add, type Group, type Rounds } from "../compare.ts";
import { writePlants, writeTokens } from "../data.ts";
import { run, SERVER_CPU } from "../servers.ts";

/** The numbers of plants and users. */
const SIZES = [
  [1_000, 1_000],
  [10_000, 1_000],
  [10_000, 10_000],
  [100_000, 1_000],
  [1_000_000, 1_000],
] as const;

export const growth: Group = {
  pairs: [],
  rounds: 5,
  async run({ rounds }, say) {
    const found: Rounds = {};
    for (const [plants, users] of SIZES) {
      const title = `${plants.toLocaleString("en")} plants, ${
        users.toLocaleString("en")
      } users`;
      say(title);
      const files = [writePlants(plants), writeTokens(users, plants)];
      const script = ["--expose-gc", "bench/sides/growth.mjs", ...files];
      for (let round = 0; round < rounds; round++) {
        const output = await run(
          ["taskset", "-c", SERVER_CPU, process.execPath, ...script],
        );
        add(found, title, JSON.parse(output));
      }
    }
    return found;
  },
};
