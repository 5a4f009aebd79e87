import { readFileSync } from "node:fs";
import process from "node:process";
import metadata from "../package.json" with { type: "json" };
import { REPOSITORY } from "./repository.ts";

// Checks what a published version can never correct: before `npm version` creates the
// tag, and with the name of the tag, before the workflow publishes it.

const { npm_new_version: version = metadata.version } = process.env;
const { GITHUB_REF_NAME: tag = `v${version}` } = process.env;
const [heading] = /^## .*$/m.exec(readFileSync("CHANGELOG.md", "utf8")) ?? [];
const [, dated] = /^## (\S+) \(\d{4}-\d\d-\d\d\)$/.exec(heading ?? "") ?? [];
const unreleased = ["README.md", "SECURITY.md"].find((path) =>
  /\bnot\s+(?:on\s+npm|published)\s+yet\b/.test(readFileSync(path, "utf8"))
);
const problem = tag !== `v${version}`
  ? `the tag must be "v${version}", the version in package.json, got "${tag}"`
  : !/^\d+\.\d+\.\d+$/.test(version)
  ? `the version must have the form "1.2.3", got "${version}"; publish a prerelease by hand (CONTRIBUTING.md)`
  : dated !== version
  ? `the first heading of CHANGELOG.md must be "## ${version} (YYYY-MM-DD)", got "${heading}"`
  : REPOSITORY === undefined
  ? "package.json must have a repository, or npm rejects the provenance"
  : unreleased !== undefined
  ? `${unreleased} must not say that the package is not published yet`
  : undefined;
if (problem !== undefined) {
  console.error(`plant-store: ${problem}`);
  process.exitCode = 1;
}
