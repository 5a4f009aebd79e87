import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import lock from "../package-lock.json" with { type: "json" };
import metadata from "../package.json" with { type: "json" };
import { listDocuments, publishDocument } from "./documents.ts";
import { REPOSITORY } from "./repository.ts";

// Lists what a release lacks. If only the documents describe a clone, switches them
// to the published packages. If nothing is missing, runs all checks, and prints what
// to do next. Publishes nothing. With --tag TAG, as in the release workflow, checks
// the tag instead of running the checks.

const { version } = metadata; // `npm run generate` copies it to deno.json

const STEPS = [
  // All checks, which also build, pack, and install the package and run `deno publish --dry-run`.
  ["bash", ".ci/run"],
  // CI continues if the registry cannot be reached, but a release does not.
  ["npm", "run", "-s", "audit"],
  ["npm", "audit", "signatures"],
  ["npm", "pack", "--dry-run"],
] as const;

const NEXT = `
${version} is ready:

  git tag v${version}
  git push origin v${version}

.github/workflows/release.yml then publishes to npm and JSR. Once:

- Repository: enable private vulnerability reporting, which SECURITY.md links to.
- npm: add a trusted publisher for release.yml in the settings of the package.
- JSR: link the repository, set the description to
  "${metadata.description}",
  and mark Node.js, Deno, Bun, Cloudflare Workers, and browsers as supported.
`;

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

/** Lists what is missing, except the texts for the published package. */
async function findMissing(tag: string | undefined): Promise<string[]> {
  const [, changes, newest] =
    NEWEST.exec(await readFile("CHANGELOG.md", "utf8")) ?? [];
  const missing: string[] = [];
  if (REPOSITORY === undefined) {
    missing.push(
      "package.json has no repository, which npm requires for provenance; set it as described in CONTRIBUTING.md",
    );
  }
  if (lock.version !== version || newest !== version) {
    missing.push(
      `the version is ${version} in package.json, ${lock.version} in package-lock.json, and ${newest} in CHANGELOG.md`,
    );
  }
  if (changes?.trim() !== "") {
    missing.push("CHANGELOG.md has changes under Unreleased");
  }
  if (run(["git", "status", "--porcelain"], "pipe") !== "") {
    missing.push("there are uncommitted changes");
  }
  if (tag !== undefined && tag !== `v${version}`) {
    missing.push(`the tag is ${tag}, but the version is ${version}`);
  }
  return missing;
}

/** Finds the documents that describe a clone, and their texts after the release. */
async function findUnpublished(): Promise<ReadonlyMap<string, string>> {
  const changed = new Map<string, string>();
  for (const path of await listDocuments()) {
    const text = await readFile(path, "utf8");
    const published = publishDocument(text);
    if (published !== text) changed.set(path, published);
  }
  return changed;
}

async function release(tag: string | undefined): Promise<void> {
  const missing = await findMissing(tag);
  const unpublished = await findUnpublished();
  const paths = [...unpublished.keys()].join(", ");
  if (missing.length === 0 && unpublished.size > 0 && tag === undefined) {
    for (const [path, text] of unpublished) await writeFile(path, text);
    throw new Error(
      `switched ${paths} to the published packages; commit them, and run this command again`,
    );
  }
  if (unpublished.size > 0) {
    missing.push(
      `${paths} describe a clone; "npm run release" switches them when nothing else is missing`,
    );
  }
  if (missing.length > 0) {
    throw new Error(["not ready:", ...missing].join("\n- "));
  }
  if (tag !== undefined) return;
  for (const step of STEPS) {
    console.log(`== ${step.join(" ")}`);
    run(step);
  }
  console.log(NEXT);
}

try {
  const [option, tag] = process.argv.slice(2);
  await release(option === "--tag" ? tag : undefined);
} catch (error) {
  console.error(`release: ${(error as Error).message}`);
  process.exitCode = 1;
}
