import { spawnSync } from "node:child_process";
import process from "node:process";

// Looks up advisories for the runtime and development dependencies. Exits with
// status 0 if there are none, 1 if there are some, and 3 if the registry does not
// provide advisories.

const { stdout, stderr } = spawnSync(
  "npm",
  ["audit", "--json", "--fetch-retries=1"],
  { encoding: "utf8", shell: process.platform === "win32" },
);
const { vulnerabilities, message } = JSON.parse(stdout);
if (vulnerabilities) {
  const names = Object.keys(vulnerabilities);
  console.log(`audit: ${names.length} packages with advisories`);
  if (names.length > 0) {
    console.log(`${names.join(", ")}\nFor details, run npm audit.`);
    process.exitCode = 1;
  }
} else {
  console.log(`audit: cannot retrieve advisories: ${message ?? stderr}`);
  process.exitCode = 3;
}
