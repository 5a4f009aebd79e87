import { readFileSync } from "node:fs";
import process from "node:process";
import metadata from "../package.json" with { type: "json" };

// Checks that CHANGELOG.md starts with a version and its date: before `npm version`
// creates the tag, and with the name of the tag, before the workflow publishes it.

const { npm_new_version: version = metadata.version } = process.env;
const { GITHUB_REF_NAME: tag = `v${version}` } = process.env;
const [heading] = /^## .*$/m.exec(readFileSync("CHANGELOG.md", "utf8")) ?? [];
const [, dated] = /^## (\S+) \(\d{4}-\d\d-\d\d\)$/.exec(heading ?? "") ?? [];
const problem = tag !== `v${version}`
  ? `the tag must be "v${version}", the version in package.json, got "${tag}"`
  : dated !== version
  ? `the first heading of CHANGELOG.md must be "## ${version} (YYYY-MM-DD)", got "${heading}"`
  : undefined;
if (problem !== undefined) {
  console.error(`plant-store: ${problem}`);
  process.exitCode = 1;
}
