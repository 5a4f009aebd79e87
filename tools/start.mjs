// Runs the command line with tsx. A script `prestart` would take 0.1 s more, because npm
// starts another process for it.
import process from "node:process";

const parent = process.ppid; // as early as possible
await import("./prestart.mjs");
if (process.exitCode === undefined) {
  const { register } = await import("tsx/esm/api");
  register();
  await import("../src/cli/main.ts");
  // The server notices if npm stops later, but not if it stopped while tsx loaded it.
  const isOrphan = process.env.npm_lifecycle_event && process.ppid !== parent;
  if (isOrphan) process.kill(process.pid, "SIGTERM");
}
