import { spawnSync } from "node:child_process";
import process from "node:process";

// Breaks the core of the product in many small ways, and counts how often a
// unit test notices:
//
//   npm test mutation          all files; takes hours
//   npm test mutation/limit    the files whose path contains a word

// The left-out files have tests that need a database or wait for seconds.
const files =
  `src/{domain,http,stores}/!(database_url|demo_tokens|postgres|watch).ts`;
const word = process.argv[2];

const { status } = spawnSync("npx", [
  ...["--prefix", "tests/integration/mutation", "stryker", "run"],
  "tests/integration/mutation/stryker.json",
  ...["--mutate", word ? `src/{domain,http,stores}/*${word}*.ts` : files],
], { stdio: "inherit", shell: process.platform === "win32" });
if (status === 0) console.log("passed the mutation score");
process.exitCode = status ?? 1;
