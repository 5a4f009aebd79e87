import { spawnSync } from "node:child_process";
import process from "node:process";
import config from "../deno.json" with { type: "json" };
import { DENO, OFFLINE_MAP } from "./runtimes.ts";

// Checks formatting, lint, types, documentation, workflows, and generated files,
// and prints how long each check took. Stops at the first failure.

const map = `--import-map=${OFFLINE_MAP}`;

const CHECKS: readonly (readonly string[])[] = [
  ["format", ...DENO, "fmt", "--check"],
  ["lint", ...DENO, "lint", "--quiet"],
  ["types", "node", "node_modules/typescript/bin/tsc"],
  [
    ...["types on Deno", ...DENO, "check", "--quiet", "--doc", map],
    ...[
      "mod.ts",
      "src",
      "examples/deno_serve.ts",
      "examples/testing/deno_test.ts",
    ],
  ],
  [
    // Every public symbol is documented, and refers only to public types.
    ...["documentation", ...DENO, "doc", "--quiet", "--lint", map],
    ...Object.values(config.exports),
  ],
  [
    ...["workflows", "npx", "--yes", "-p", "@action-validator/core@0.6.0"],
    ...["-p", "@action-validator/cli@0.6.0", "-c"],
    ["ci", "fresh", "release", "site"].map((name) =>
      `action-validator .github/workflows/${name}.yml`
    ).join(" && "),
  ],
  [
    "generated files",
    "node",
    "--import",
    "tsx",
    "tools/generate.ts",
    "--check",
  ],
];

for (const [name, command, ...args] of CHECKS) {
  const start = performance.now();
  const shell = process.platform === "win32"; // which needs quotes
  const quoted = args.map((each) =>
    shell && / /.test(each) ? `"${each}"` : each
  );
  const { status } = spawnSync(command!, quoted, { stdio: "inherit", shell });
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  const fix = name === "format" ? "; run: npm run format" : "";
  const result = status === 0 ? `ok ${name}` : `FAILED ${name}${fix}`;
  console.log(`${result} (${seconds} s)`);
  if (status !== 0) {
    process.exitCode = 1;
    break;
  }
}
