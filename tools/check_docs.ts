import { spawnSync } from "node:child_process";
import process from "node:process";
import { DENO, OFFLINE_MAP } from "./runtimes.ts";
import config from "../deno.json" with { type: "json" };

// Checks that every public symbol is documented and refers only to public types.

const [command, ...args] = [
  ...[...DENO, "doc", "--lint", `--import-map=${OFFLINE_MAP}`],
  ...Object.values(config.exports),
];
const { stderr, status } = spawnSync(command!, args, {
  encoding: "utf8",
  env: { ...process.env, NO_COLOR: "1" },
  shell: process.platform === "win32",
});
const errors = stderr.split("\n").filter((line) => line.startsWith("error"));
const summary = /^error: Found \d+ documentation lint errors?\.$/;
const found = errors.filter((line) => !summary.test(line));
if (found.length > 0 || (status !== 0 && errors.length === 0)) {
  console.error(found.join("\n") || stderr);
  process.exitCode = 1;
}
