// Builds the package in `npm ci`, so that npm can install the Git URL. Without the
// development dependencies, as after `npm ci --omit=dev`, it keeps the last build.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

if (existsSync("node_modules/tsx")) {
  const options = { stdio: "inherit", shell: true };
  process.exitCode = spawnSync("npm run -s build", options).status ?? 1;
}
