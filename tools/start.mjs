// Runs the command line with tsx. A script `prestart` would take 0.1 s more, because npm
// starts another process for it.
import { readFileSync } from "node:fs";
import process from "node:process";

const parent = process.ppid; // as early as possible
await import("./prestart.mjs");
if (process.exitCode === undefined) {
  const { register } = await import("tsx/esm/api");
  register();
  await import("../src/cli/main.ts");
  // The server notices if npm stops later, but not if it stopped while tsx loaded it.
  if (isScript() && (process.ppid !== parent || isAdopted())) {
    process.kill(process.pid, "SIGTERM");
  }
}

/** Whether npm, or another package manager, started this file. */
function isScript() {
  return process.env.npm_lifecycle_script?.startsWith("node tools/start.mjs");
}

/**
 * Whether the parent is not in the process group of this process, as npm is. If npm
 * stops before this file is loaded, another process becomes the parent.
 */
function isAdopted() {
  try {
    return groupOf(process.ppid) !== groupOf(process.pid);
  } catch { // there is no /proc, as on macOS, where npm is never process 1
    return process.ppid === 1;
  }
}

/** Returns the group of a process, which follows its name, state, and parent. */
function groupOf(id) {
  const text = readFileSync(`/proc/${id}/stat`, "latin1");
  return text.slice(text.lastIndexOf(")")).split(" ")[3];
}
