import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import process from "node:process";
import lock from "../package-lock.json" with { type: "json" };
import metadata from "../package.json" with { type: "json" };

// Checks everything that a release needs, and prints what to do next. Publishes
// nothing.

const STEPS = [
  // All checks, which also build, pack, and install the package and run `deno publish --dry-run`.
  ["bash", ".ci/run"],
  // CI continues if the registry cannot be reached, but a release does not.
  ["npm", "run", "-s", "audit"],
  ["npm", "audit", "signatures"],
  ["npm", "pack", "--dry-run"],
] as const;

/** The changes under Unreleased, and the version after them. */
const NEWEST =
  /^## \[Unreleased\]$(.*?)^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/ms;

/** Runs a command, and returns its output if `stdout` is "pipe". */
function run(
  [program, ...args]: readonly [string, ...string[]],
  stdout: "inherit" | "pipe" = "inherit",
): string {
  const result = spawnSync(program, args, {
    encoding: "utf8",
    stdio: ["ignore", stdout, "inherit"],
  });
  if (result.status === 0) return result.stdout;
  throw new Error(`${program} ${args.join(" ")} failed`);
}

async function release(): Promise<void> {
  const { version } = metadata; // `npm run generate` copies it to deno.json
  const [, changes, newest] =
    NEWEST.exec(await readFile("CHANGELOG.md", "utf8")) ?? [];
  if (lock.version !== version || newest !== version) {
    throw new Error(
      `the version is ${version} in package.json, ${lock.version} in package-lock.json, and ${newest} in CHANGELOG.md`,
    );
  }
  if (changes?.trim() !== "") {
    throw new Error("CHANGELOG.md has changes under Unreleased");
  }
  if (run(["git", "status", "--porcelain"], "pipe") !== "") {
    throw new Error("there are uncommitted changes");
  }
  for (const step of STEPS) {
    console.log(`== ${step.join(" ")}`);
    run(step);
  }
  if (!("repository" in metadata)) {
    console.log(
      "\npackage.json has no repository, which npm requires for provenance",
    );
  }
  console.log(`
${version} is ready:

  git tag v${version}
  git push origin v${version}

.github/workflows/release.yml then publishes to npm and JSR. Once per package:

- npm: add a trusted publisher for release.yml in the settings of the package.
- JSR: link the repository, set the description to
  "${metadata.description}",
  and mark Node.js, Deno, Bun, Cloudflare Workers, and browsers as supported.
`);
}

try {
  await release();
} catch (error) {
  console.error(`release: ${(error as Error).message}`);
  process.exitCode = 1;
}
